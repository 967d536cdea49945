"""Exceptions that a user's rule raises, reported with the name of the game and the line of the rule."""

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
    """Turn an exception raised inside, where interpreted rules are called, into a RuleRaised that names the game and the line."""
    try:
        yield
    except (OutplayError, MemoryError):
        raise
    except Exception as error:
        # Without a line of the rules in the traceback, our own code failed on what a rule returned.
        did = "raised" if _place(error) else "returns a wrong value:"
        raise RuleRaised(f"a rule of {game.name!r} {did} {describe_error(error)}") from error


def describe_error(error: Exception) -> str:
    """Return *error* in one line, with its place in the user's file if it was raised there."""
    return f"{type(error).__name__}: {error}{_place(error)}"


def _place(error: Exception) -> str:
    ours = str(ROOT / "games")  # the rules of a built-in game count as a user's
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith(str(ROOT)) or frame.filename.startswith(ours):
            return f" (in {frame.name}, line {frame.lineno} of {file_name(frame.filename)})"
    return ""
