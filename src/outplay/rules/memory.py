"""The memory of an interpreted kernel: a dict of words that are zero until they are written.

A compiled kernel has a block of 64-bit words; `compile/primitives.py` has the twins of these functions.
"""

import threading
from typing import Any

_lock = threading.Lock()


class Memory(dict[int, Any]):
    """Words by their index; a word holds an int, a float or another memory."""

    def __missing__(self, place: int) -> int:
        return 0


def real_at(words: Any, place: int) -> float:
    """Return the float at *place*."""
    return float(words[place])


def put_real(words: Any, place: int, real: float) -> None:
    """Write *real* to *place*."""
    words[place] = real


def block(words: Any, place: int) -> Any:
    """Return the memory whose address is the word at *place*."""
    return words[place]


def prefetch(words: Any, place: int) -> None:
    """Announce that the word at *place* will be read soon; compiled code fetches its cache line."""


def unlikely(condition: bool) -> bool:
    """Return *condition*, which is rarely true; compiled code keeps what follows from it out of the way."""
    return condition


def add_word(words: Any, place: int, number: int) -> int:
    """Add *number* to the word at *place*; return what it was. No other thread comes in between."""
    with _lock:
        before = int(words[place])
        words[place] = before + number
    return before


def add_real(words: Any, place: int, real: float) -> None:
    """Add *real* to the float at *place*. No other thread comes in between."""
    with _lock:
        words[place] = float(words[place]) + real


def replace_word(words: Any, place: int, before: int, after: int) -> bool:
    """Write *after* to *place* if *before* is there; return whether it was. No other thread comes in between."""
    with _lock:
        found = bool(words[place] == before)
        if found:
            words[place] = after
    return found


def publish(words: Any, place: int, word: int) -> None:
    """Write *word* to *place*. A thread that sees it by `latest` also sees all that this thread wrote before."""
    words[place] = word


def latest(words: Any, place: int) -> int:
    """Return the word at *place*, as another thread may have published it."""
    return int(words[place])
