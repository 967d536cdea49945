"""Checks of a game's parameters."""

from typing import Any

from outplay.errors import OptionError


def check_whole(game: str, name: str, value: Any, least: int, most: int | None = None, why: str = "") -> None:
    """Raise an OptionError unless the parameter *name* of *game* is a whole number from *least* to *most*."""
    if not isinstance(value, int) or value < least or (most is not None and value > most):
        limit = "" if most is None else f" to {most:,}"
        raise OptionError(f"{name}={value!r} of {game} must be a whole number from {least}{limit}{why}")


def is_true(game: str, name: str, value: Any) -> bool:
    """Return a parameter that is a bool, or 1, 0, true or false as it is typed; else raise an OptionError."""
    text = str(value).lower()
    if text not in ("0", "1", "false", "true"):
        raise OptionError(f"{name}={value!r} of {game} must be true or false")
    return text in ("1", "true")
