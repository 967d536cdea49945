"""`search`: the best move of a state, within a limit."""

import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary

from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.compile.trust import inspect_rules, trust_compiled
from outplay.errors import GameError, OptionError, RuleRaised, StateError
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.opponents import Policy, facing, opponent_of
from outplay.search.driver import Driver
from outplay.search.kernel import explore
from outplay.search.limits import Limits
from outplay.search.overdue import SearchWatch
from outplay.search.result import Iteration, Result
from outplay.search.stopper import Stopper
from outplay.search.storage import Storage
from outplay.search.techniques import mode_of
from outplay.search.threads import on_large_stack, stack_for

_transformed: WeakKeyDictionary[Game, dict[tuple[Any, ...], Game]] = WeakKeyDictionary()

NODES_TO_REPEAT, SECONDS_TO_REPEAT = 20_000, 1.0


def prepare(game: Game, state: Any = None, *, opponent: Policy = "best") -> None:
    """Compile what a search of *state* takes, so that the search itself starts at once."""
    search(game, state, nodes=1, opponent=opponent)


def search(
    game: Game,
    state: Any = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    opponent: Policy = "best",
    threads: int = 1,
    table_mb: float = 128,
    only: Iterable[str] | None = None,
    without: Iterable[str] = (),
    compiled: bool = True,
    check: bool = True,
    progress: Callable[[Iteration], None] | None = None,
    stopper: Stopper | None = None,
) -> Result:
    """Return the best move of *state* (the start, if none is given) for the player to move, and why.

    A limit is required: *seconds*, *depth* (the players' moves; dice are free), *nodes*, or several. Compiling
    a game's rules, once, does not count as time. *opponent* is "best", "random" or a policy: its name, or a function.
    *only* and *without* choose techniques by name. *progress* is called after each depth; *stopper* stops the search
    from another thread. Ctrl-C raises `Interrupted`, a KeyboardInterrupt that carries the result so far.

    The first search of a game checks its rules in some hundred states, interpreted and compiled; *check*=False leaves that out.
    """
    limits = Limits(seconds, depth, nodes)
    mode = mode_of(only, without)
    if not isinstance(threads, int) or not 1 <= threads <= 256:
        raise OptionError(f"threads={threads!r} must be a whole number from 1 to 256")
    state, game = set_out(game, state, opponent, check=check)
    engine = Engine(game, explore, "searched", compiled=compiled)
    stopper = stopper or Stopper()
    driver = Driver(engine, state, mode, limits, threads=threads, storage=Storage(engine, table_mb))
    engine.prepare(*driver.crew.workers[0].arguments(1, 0.0, 0.0, mode))
    if check and compiled:
        trust_compiled(game, state)
    began = now()
    if compiled:
        set_timer(limits.seconds, driver.crew.out_of_time)

    def repeat() -> None:
        """Search again, interpreted, as far as the compiled search came: a rule that fails then does so with its name and line."""
        visited = driver.crew.nodes()
        if visited <= NODES_TO_REPEAT:
            search(
                game, state, seconds=SECONDS_TO_REPEAT, depth=depth, nodes=visited + 1, table_mb=table_mb, only=only, without=without,
                compiled=False, check=False, stopper=stopper,
            )  # fmt: skip

    overdue = SearchWatch(game, state, [worker.memory for worker in driver.crew.workers], repeat, compiled=compiled)
    try:
        return on_large_stack(
            lambda: driver.run(stopper, began, progress), stack_for(game), interrupt=stopper.stop, tick=overdue.look
        )
    except RuleRaised as error:
        if compiled:
            repeat()
        raise error from None


def set_timer(seconds: float | None, out_of_time: Callable[[], None]) -> None:
    """Have *out_of_time* called after *seconds* where compiled code has no clock to read: on Windows."""
    if sys.platform == "win32" and seconds is not None:
        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), out_of_time)
        timer.daemon = True
        timer.start()


def set_out(game: Game, state: Any, opponent: Policy, *, check: bool = True) -> tuple[Any, Game]:
    """Return the state to search from, checked, and the game as it is against *opponent*; *check* its rules, if that was not done."""
    if not isinstance(game, Game):
        raise GameError(
            f"a search takes a Game, and got {game!r}; load({game!r}) gives the one of that name"
            if isinstance(game, str)
            else f"a search takes a Game, and got {game!r}"
        )
    state = game.start if state is None else game.state(state)
    if check:
        inspect_rules(game, state)
    who = game.acting(state)
    if who == OVER:
        raise StateError(f"the game is over, and there is no move to search for: {game.write_state(state)}")
    if who not in (0, 1, CHANCE):
        raise StateError(f"turn of {game.name!r} returns {who!r}; it must return 0, 1, CHANCE or OVER")
    if opponent == "best":
        return state, game
    if who == CHANCE:
        raise StateError(
            "chance acts here, so it is open who searches and who is the opponent; "
            "use facing(game, player, policy), or search a state in which a player is to move"
        )
    game = _against(game, 1 - who, opponent)
    if check:
        inspect_rules(game, state)
    return state, game


def _against(game: Game, player: int, opponent: Policy) -> Game:
    """Return `facing(...)`, the same game for the same arguments: making it anew would cost more than a short search."""
    known = _transformed.setdefault(game, {})
    policy = opponent_of(game, opponent) if isinstance(opponent, str) else opponent
    key = player, opponent, policy, getattr(policy, "__code__", None)  # a policy may change in place
    if key not in known:
        known[key] = facing(game, player, opponent)
    return known[key]
