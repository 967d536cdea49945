"""Exceptions that a user's rule raises, reported with the name of the game and the line of the rule."""

import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
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


def describe_error(error: Exception, file: str = "") -> str:
    """Return *error* in one line, with the last place in the user's code that led to it; a place in *file* if there is one."""
    return f"{type(error).__name__}: {error}{place_in(error, file) or _place(error)}"


def place_in(error: BaseException, file: str) -> str:
    """Return the last place in *file*, or in the folder of the same name, that led to *error*; "" if there is none."""
    if not file:
        return ""
    folder = f"{Path(file).with_suffix('')}/"
    inside = [frame for frame in _frames(error) if frame.filename == file or frame.filename.startswith(folder)]
    return _written(inside[-1]) if inside else ""


def _place(error: BaseException) -> str:
    ours = str(ROOT / "games")  # the rules of a built-in game count as a user's
    theirs = [frame for frame in _frames(error) if not frame.filename.startswith(str(ROOT)) or frame.filename.startswith(ours)]
    own = [frame for frame in theirs if not frame.filename.startswith(("<frozen ", *_libraries()))]
    return _written((own or theirs)[-1]) if theirs else ""


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    return list(traceback.extract_tb(error.__traceback__))


def _written(frame: traceback.FrameSummary) -> str:
    return f" (in {frame.name}, line {frame.lineno} of {file_name(frame.filename)})"


@cache
def _libraries() -> tuple[str, ...]:
    """Return the folders of Python's own modules and of installed ones: a user's code lies elsewhere."""
    return tuple(f"{sysconfig.get_path(name)}/" for name in ("stdlib", "platstdlib", "purelib", "platlib"))
