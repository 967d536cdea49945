"""`learn`: an estimate for any game by self-play. It needs nothing but the rules."""

from collections.abc import Callable
from pathlib import Path

from outplay.compile.numba_import import uninterrupted_imports
from outplay.learn.learned import Learned
from outplay.learn.progress import Progress
from outplay.rules.game import Game
from outplay.runtime.limits import Limits
from outplay.runtime.stopper import Stopper


def learn(
    game: Game,
    *,
    seconds: float,
    threads: int | None = 1,
    upon: str = "nothing",
    file: str | Path | None = None,
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
    stopper: Stopper | None = None,
) -> Learned:
    """Play *game* against itself for so many *seconds*, and return the estimate that was learned.

    The time to compile and to look at random games does not count. *threads*: None means all cores. *upon* "estimate" learns what
    to add to the game's own estimate. With a *file*, learning goes on from there if the file exists, and the estimate is saved
    there at least once a minute and at the end. The same *seed* and number of *threads* give the same weights after the same number
    of games, unless threads share the weights: if there are more than 8 million, or no memory for copies. *progress* is called
    several times a second. *stopper* ends learning early, and so does Ctrl-C, which raises `Interrupted` with what was learned as
    its result.
    """
    with uninterrupted_imports():  # of NumPy
        from outplay.learn.session import learn_games

    Limits(seconds)
    return learn_games(
        game, seconds=seconds, games=None, threads=threads, upon=upon, file=file, seed=seed, progress=progress, stopper=stopper
    )  # fmt: skip
