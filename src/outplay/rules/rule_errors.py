"""Whose fault an exception is: what a user's rule raises is reported as that rule's, with its line."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from outplay.errors import OutplayError, RuleRaised, file_name

if TYPE_CHECKING:
    from outplay.rules.game import Game

ROOT = Path(__file__).parent.parent


@contextmanager
def rule_errors(game: "Game") -> Iterator[None]:
    """Say of what is raised inside, where rules are called interpreted, that a rule of *game* raised it, and where."""
    try:
        yield
    except (OutplayError, MemoryError):
        raise
    except Exception as error:
        # Where no line of the rules is in it, we have failed at what one of them returned.
        did = "raised" if _place(error) else "returns what it must not:"
        raise RuleRaised(f"a rule of {game.name!r} {did} {describe_error(error)}") from error


def describe_error(error: Exception) -> str:
    """Return what was raised, and where in the user's file if it was there, in one line."""
    return f"{type(error).__name__}: {error}{_place(error)}"


def _place(error: Exception) -> str:
    ours = str(ROOT / "games")  # a built-in game is where a user's would be
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith(str(ROOT)) or frame.filename.startswith(ours):
            return f" (in {frame.name}, line {frame.lineno} of {file_name(frame.filename)})"
    return ""
