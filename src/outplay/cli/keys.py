"""The keys of a terminal while the engine is busy: what is typed then is neither shown amid its words nor taken for a move."""

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
    """Show nothing of what is typed meanwhile, and drop it; Ctrl-C works. Nothing changes where no terminal is read."""
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
    """Have the terminal as it was before."""
    if _keyboard.before is not None:
        file, before = _keyboard.before
        _keyboard.before = None
        termios.tcsetattr(file, termios.TCSAFLUSH, before)
