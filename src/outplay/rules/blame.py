"""Whose fault an exception is: what a user's rule raises is reported as that rule's, with its line."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outplay.errors import OutplayError, RuleRaised
from outplay.rules.game import Game


@contextmanager
def blaming(game: Game) -> Iterator[None]:
    """Say of what is raised inside, where rules are called interpreted, that a rule of *game* raised it, and where."""
    try:
        yield
    except (OutplayError, MemoryError):
        raise
    except Exception as error:
        raise RuleRaised(f"a rule of {game.name!r} raised {_raised(error)}") from error


def _raised(error: Exception) -> str:
    """Return what was raised and where in the user's file, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = str(Path(__file__).parent.parent / "games")  # a built-in game is where a user's would be
    theirs = [
        frame
        for frame in frames
        if not frame.filename.startswith(str(Path(__file__).parent.parent)) or frame.filename.startswith(ours)
    ]
    frame = (theirs or list(frames))[-1]
    return f"{type(error).__name__}: {error} (in {frame.name}, line {frame.lineno} of {Path(frame.filename).name})"
