"""`outplay best`: the best move of a position, in words or as JSON."""

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from outplay.agents.named import policy
from outplay.cli.guard import guard
from outplay.cli.live import watching
from outplay.cli.position import position
from outplay.cli.printing import print_result
from outplay.learn.learned import Learned
from outplay.runtime.limits import Limits
from outplay.search.result import Result
from outplay.search.searcher import Searcher, check_limits
from outplay.search.techniques import mode_of


def best(
    console: Console,
    name: str,
    text: str,
    moves: str,
    *,
    limits: dict[str, Any],
    opponent: str,
    threads: int,
    only: tuple[str, ...] | None,
    without: tuple[str, ...],
    method: dict[str, Any],
    learned: Path | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Search the position *text*, *moves* of the game *name*, and print the result."""
    game = guard.load(name)
    state = position(game, text, moves)
    if all(limit is None for limit in limits.values()):
        limits = {**limits, "seconds": 1.0}
    chosen: dict[str, Any] = {"only": only, "without": without}
    # What cannot be is refused before anything is compiled.
    check_limits(method["method"], Limits(**limits))
    mode_of(**chosen)
    estimate = None if learned is None else Learned.load(learned, game)
    searcher = Searcher(game, threads=threads, opponent=policy(opponent, game), estimate=estimate, **chosen, **method)
    if not as_json:
        console.print(escape(str(game.show(state))))
    searcher.prepare(state)

    def search() -> Result:
        with watching(console, searcher.game, state, quiet=as_json, verbose=verbose) as progress:
            return searcher.search(state, progress=progress, **limits)

    print_result(console, search, as_json=as_json)
