"""`solve`: the exact value of a game. Imports NumPy and Numba only when called."""

from collections.abc import Callable
from pathlib import Path
from typing import get_args

from outplay.checking.trust import inspect_rules, trust_compiled
from outplay.compile.numba_import import uninterrupted_imports
from outplay.errors import GameError, OptionError, TooLarge
from outplay.rules.game import Game, State
from outplay.runtime.stopper import Stopper
from outplay.runtime.threads import thread_count
from outplay.solve.progress import Progress
from outplay.solve.solution import Method, Solution

METHODS = get_args(Method)
MODEST = 20_000_000  # states that are enumerated before a method that was not chosen turns to proof


def solve(
    game: Game[State],
    state: State | None = None,
    *,
    method: Method | None = None,
    file: str | Path | None = None,
    threads: int | None = 1,
    memory_mb: float | None = None,
    endless: float | None = None,
    accuracy: float = 1e-9,
    compiled: bool = True,
    check: bool = True,
    progress: Callable[[Progress], None] | None = None,
    stopper: Stopper | None = None,
) -> Solution:
    """Return the exact value of *state* (the start, if none is given), the best moves, and those of every state after it.

    *method*: "table" enumerates every state that can be reached and finds its value; "cycles" does the same where states can
    repeat; "proof" finds the value of *state* alone, and of its moves where one player plays against chance. None chooses: a
    table if the game has up to 20 million states, else a proof. Whether states repeat is found out, not assumed.

    *file*: where the table is written; an interrupted solve continues from it. *memory_mb*: the most memory, in MB, that a
    table may take (by default most of the free memory). *endless*: the value of play that never ends (0, or the end of the
    scale nearest to 0). *accuracy*: the largest error of a value where states repeat and chance acts; all other values are
    exact. *progress* is called now and then; *stopper* ends the solve from another thread, which raises `Interrupted`.
    *threads* and *check*: as for `search`.
    """
    if not isinstance(game, Game):
        hint = f"; load({game!r}) gives the one of that name" if isinstance(game, str) else ""
        raise GameError(f"solve takes a Game, and got {game!r}{hint}")
    if method is not None and method not in METHODS:
        raise OptionError(f"method={method!r} is unknown; there are {', '.join(METHODS)}; left out, it is chosen")
    threads = thread_count(threads)
    if endless is None:
        endless = min(max(0.0, game.low), game.high)
    if not isinstance(endless, (int, float)) or not game.low <= endless <= game.high:
        raise OptionError(f"endless={endless!r} must lie between low={game.low} and high={game.high} of {game.name!r}")
    if not isinstance(accuracy, (int, float)) or not accuracy > 0:
        raise OptionError(f"accuracy={accuracy!r} must be above 0")
    if method == "proof" and file is not None:
        raise OptionError('a proof makes no table, so there is none to write; leave file out, or use method="table"')
    state = game.start if state is None else game.state(state)
    if check:
        inspect_rules(game, state)
    if check and compiled:
        trust_compiled(game, state)
    if method != "proof":
        with uninterrupted_imports():  # of NumPy
            from outplay.solve.tabulate import tabulate

        try:
            return tabulate(
                game, state, method=method, most=None if method or file else MODEST, file=None if file is None else Path(file),
                threads=threads, memory_mb=memory_mb, endless=float(endless), accuracy=accuracy, compiled=compiled, progress=progress,
                stopper=stopper,
            )  # fmt: skip
        except TooLarge as error:
            if method is not None or file is not None:
                raise
            if progress is not None:
                progress(Progress("no table", 0, None, 0, 0.0, None, str(error).partition(":")[0]))
    from outplay.solve.proof.prove import prove

    return prove(game, state, threads=threads, compiled=compiled, progress=progress, stopper=stopper)
