"""The memory of a kernel, interpreted: a dict of words that are zero until written.

Compiled kernels have a block of 64-bit words instead, and `compile/primitives.py` the twins of these functions.
"""

from typing import Any


class Memory(dict[int, Any]):
    """Words by their index; a word may hold an int, a real, or another memory."""

    def __missing__(self, place: int) -> int:
        return 0


def real_at(words: Any, place: int) -> float:
    """Return the real at *place*."""
    return float(words[place])


def put_real(words: Any, place: int, real: float) -> None:
    """Write *real* to *place*."""
    words[place] = real


def block(words: Any, place: int) -> Any:
    """Return the memory to which the word at *place* leads."""
    return words[place]


def prefetch(words: Any, place: int) -> None:
    """Say that the word at *place* will soon be read: compiled, its cache line is on its way by then."""
