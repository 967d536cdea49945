"""`outplay playouts`: games of a position to their end, in words or as JSON."""

from rich.console import Console
from rich.markup import escape

from outplay.agents.named import policy as policy_of
from outplay.cli.guard import guard
from outplay.cli.position import position
from outplay.cli.printing import print_result
from outplay.errors import OptionError
from outplay.search.montecarlo.playout_result import Playouts
from outplay.search.montecarlo.playouts import check_options
from outplay.search.montecarlo.playouts import playouts as play

NUMBER = 10_000  # games, where no limit is given


def playouts(
    console: Console,
    name: str,
    text: str,
    moves: str,
    *,
    number: int | None,
    seconds: float | None,
    seed: int,
    threads: int,
    policy: str,
    as_json: bool,
) -> None:
    """Play games from the state that *text* and *moves* say of the game that *name* names, and print what came of them."""
    game = guard.load(name)
    state = position(game, text, moves)
    if number is None and seconds is None:
        number = NUMBER
    check_options(number, seconds, seed=seed, threads=threads)
    if policy == "best":
        raise OptionError("playouts have no best policy: name random, a policy of the game, or FILE.py:function")
    described = policy if policy == "random" else policy_of(policy, game, role="policy")
    if not as_json:
        console.print(escape(str(game.show(state))))

    def run() -> Playouts:
        return play(game, state, number=number, seconds=seconds, seed=seed, threads=threads, policy=described)

    print_result(console, run, as_json=as_json)
