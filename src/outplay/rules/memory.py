"""The memory of an interpreted kernel: a dict of words that are zero until they are written.

A compiled kernel has a block of 64-bit words; `compile/primitives.py` has the twins of these functions.
"""

from typing import Any


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
