"""The memory of an interpreted kernel: a dict of words that are zero until they are written.

A compiled kernel has a block of 64-bit words; `compile/primitives.py` and `compile/vectors.py` have the twins of these functions.
"""

import threading
from typing import Any

NETWORK = 12  # the word of a kernel's memory with the address of a learned estimate's view, if the game has one

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
    """Return *condition*, which is rarely true; compiled code then runs the usual case without a jump."""
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


def single_at(words: Any, place: int) -> float:
    """Return the 32-bit float at *place*, counted in 32-bit floats."""
    return float(words[place])


def put_single(words: Any, place: int, real: float) -> None:
    """Write *real* to *place*, rounded to 32 bits."""
    words[place] = real


def small_at(words: Any, place: int) -> int:
    """Return the 32-bit int at *place*, counted in 32-bit ints."""
    return int(words[place])


def copy_smalls(target: Any, to: int, source: Any, place: int, number: int) -> None:
    """Copy *number* 32-bit ints from *place* of *source* to the place *to* of *target*."""
    for index in range(number):
        target[to + index] = source[place + index]


def sum_rows(target: Any, to: int, table: Any, rows: Any, first: int, number: int, width: int) -> None:
    """Write the sum of *number* rows of a *table* of 32-bit ints to the place *to* of *target*.

    Row k begins at table[rows[first + k]] and has *width* items, a multiple of 16.
    """
    for item in range(width):
        target[to + item] = sum(int(table[rows[first + row] + item]) for row in range(number))


def sum_single_rows(target: Any, to: int, table: Any, rows: Any, first: int, number: int, width: int) -> None:
    """Write the sum of *number* rows of a *table* of 32-bit floats to the place *to* of *target*, rounded after each row.

    Row k begins at table[rows[first + k]], where *rows* are 32-bit ints. It has *width* items, a multiple of 16.
    """
    for item, single in enumerate(sum(table[rows[first + row] : rows[first + row] + width] for row in range(number))):
        target[to + item] = single


def soften(singles: Any, place: int, weights: Any, at: int, number: int) -> float:
    """Replace each of *number* 32-bit floats x from *place* on by x / (1 + |x|); return the sum of these, each times its weight.

    The *number* is a multiple of 16. There are 16 partial sums, which are then added in pairs. Each step rounds to 32 bits.
    """
    from numpy import array, float32, zeros

    soft = array([singles[place + item] for item in range(number)], float32)
    soft = soft / (1 + abs(soft))
    for item, single in enumerate(soft):
        singles[place + item] = single
    total = zeros(16, float32)
    for item in range(0, number, 16):
        total = total + soft[item : item + 16] * weights[at + item : at + item + 16]
    while len(total) > 1:
        total = total[: len(total) // 2] + total[len(total) // 2 :]
    return float(total[0])


def add_to_rows(table: Any, rows: Any, first: int, number: int, width: int, singles: Any, place: int) -> None:
    """Add *width* 32-bit floats from *place* on to *number* rows of a *table* of 32-bit floats; rows as in `sum_single_rows`.

    To row k they are added times its share, the float k after them. A row with the share 0 does not change.
    """
    from numpy import array, float32

    change = array([singles[place + item] for item in range(width)], float32)
    for row in range(number):
        share = singles[place + width + row]
        if share != 0:
            start = rows[first + row]
            table[start : start + width] += change * float32(share)
