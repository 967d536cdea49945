"""Ignores the keyboard while the agent is busy: keys typed then are neither shown nor taken as a move."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]


class _Keyboard:
    """The terminal that is not listened to, and how it was before."""

    def __init__(self) -> None:
        self.before: tuple[int, list[Any]] | None = None


_keyboard = _Keyboard()


@contextmanager
def unheard() -> Iterator[None]:
    """Hide and drop keys typed while the block runs; Ctrl-C works. Without a terminal this does nothing."""
    if termios is not None and sys.stdin is not None and sys.stdin.isatty():
        file = sys.stdin.fileno()
        before = termios.tcgetattr(file)
        _keyboard.before = file, before
        termios.tcsetattr(file, termios.TCSANOW, [*before[:3], before[3] & ~termios.ECHO, *before[4:]])
    try:
        yield
    finally:
        listen()


def listen() -> None:
    """Restore the terminal."""
    if _keyboard.before is not None:
        file, before = _keyboard.before
        _keyboard.before = None
        termios.tcsetattr(file, termios.TCSAFLUSH, before)
