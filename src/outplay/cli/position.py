"""Reads a position from the command line: as the game writes it, or from a file."""

from pathlib import Path
from typing import Any

from outplay.errors import StateError
from outplay.rules.game import Game
from outplay.rules.text import after_names, read_state


def position(game: Game, text: str, moves: str = "") -> Any:
    """Return the state that *text* describes (or a file of that name, or the start), after the named *moves*.

    Only the command line opens files: elsewhere a text may come from a stranger.
    """
    return after_names(game, _read(game, text) if text else game.start, moves)


def _read(game: Game, text: str) -> Any:
    try:
        return read_state(game, text)
    except Exception as error:  # a game's own reader may raise anything
        content = _content(text.strip())
        if content is None:
            if isinstance(error, StateError) and len(Path(text).suffix) > 2:
                raise StateError(f"{error} (no file is called {text!r})") from None
            raise
    try:
        return read_state(game, content)
    except StateError as error:
        raise StateError(f"{text.strip()}, {error}") from None


def _content(name: str) -> str | None:
    """Return the text in the file called *name*, or None if there is no such file."""
    try:
        if not Path(name).is_file():
            return None
    except (OSError, ValueError):  # a text too long for a name, or with a null in it
        return None
    try:
        return Path(name).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise StateError(f"the file {name!r} cannot be read: {unreadable(error)}; name a text file that can") from None


def unreadable(error: OSError | ValueError) -> str:
    """Return why a text file cannot be read, in words."""
    if isinstance(error, UnicodeError):
        return "it is not text in UTF-8"
    return getattr(error, "strerror", None) or str(error)
