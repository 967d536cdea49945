"""Sums of floats as Python and NumPy add them, so that they are rounded alike.

From Python 3.12 on, `sum` adds what rounding has lost at the end; Numba's does not.

NumPy adds up to eight floats at once, and halves what is longer than 128; Numba adds one after the other. Products and running sums
are the same in both. What has yet another order in NumPy, such as a sum along an axis, is refused.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy
from numba import types
from numba.extending import register_jitable

from outplay.compile.guard_messages import OTHER_SUM

BLOCK = 128  # items that are not halved
BUFFER = 8192  # ints that NumPy makes floats at a time
REFUSED = (
    "nansum", "nanmean", "nanvar", "nanstd", "average", "trace", "trapz", "trapezoid", "convolve", "correlate", "cov", "corrcoef",
)  # fmt: skip


@register_jitable
def sum_of_block(items, start, number):
    if number < 8:
        total = -0.0
        for place in range(start, start + number):
            total += items[place]
        return total
    one, two, three, four = float(items[start]), float(items[start + 1]), float(items[start + 2]), float(items[start + 3])
    five, six, seven, eight = float(items[start + 4]), float(items[start + 5]), float(items[start + 6]), float(items[start + 7])
    end = start + number - number % 8
    for place in range(start + 8, end, 8):
        one += items[place]
        two += items[place + 1]
        three += items[place + 2]
        four += items[place + 3]
        five += items[place + 4]
        six += items[place + 5]
        seven += items[place + 6]
        eight += items[place + 7]
    total = ((one + two) + (three + four)) + ((five + six) + (seven + eight))
    for place in range(end, start + number):
        total += items[place]
    return total


@register_jitable
def sum_of_part(items, start, number):
    """Return the sum of *number* items from *start*: halves are summed first, each a multiple of eight items."""
    if number <= BLOCK:
        return sum_of_block(items, start, number)
    starts, numbers, totals = numpy.zeros(64, numpy.int64), numpy.zeros(64, numpy.int64), numpy.zeros(64)
    waiting = numpy.zeros(64, numpy.int64)  # 0: nothing of it is summed yet; 1: its first half is; 2: both are
    level, total = 0, 0.0
    starts[0], numbers[0] = start, number
    while level >= 0:
        here, size = starts[level], numbers[level]
        half = size // 2
        half -= half % 8
        if size <= BLOCK:
            total = sum_of_block(items, here, size)
            level -= 1
        elif waiting[level] == 0:
            waiting[level] = 1
            level += 1
            starts[level], numbers[level], waiting[level] = here, half, 0
        elif waiting[level] == 1:
            totals[level], waiting[level] = total, 2
            level += 1
            starts[level], numbers[level], waiting[level] = here + half, size - half, 0
        else:
            total = totals[level] + total
            level -= 1
    return total


@register_jitable
def sum_of_reals(items):
    return 0.0 + sum_of_part(items, 0, items.size)


@register_jitable
def sum_of_ints(items):
    total = 0.0
    for start in range(0, items.size, BUFFER):
        total += sum_of_part(items, start, min(BUFFER, items.size - start))
    return total


@register_jitable
def variance_of_reals(items):
    parts = items - sum_of_reals(items) / items.size
    return sum_of_reals(parts * parts) / items.size


@register_jitable
def variance_of_ints(items):
    parts = items - sum_of_ints(items) / items.size
    return sum_of_reals(parts * parts) / items.size


SUMS_ARE_COMPENSATED = sys.version_info >= (3, 12)


def compensated_sum(items, start, from_int):
    """Return `sum(items, start)` as Python 3.12 adds floats; *from_int*: the start is an int, so the first float is added to an int."""
    total, lost, plain = start, 0.0, from_int
    for item in items:
        after = total + item
        if not plain:
            lost += (total - after) + item if abs(total) >= abs(item) else (item - after) + total
        total, plain = after, False
    return total + lost if lost != 0.0 and numpy.isfinite(lost) else total


TOTALS: dict[tuple[str, bool], Callable[..., Any]] = {
    ("sum", True): lambda items: sum_of_reals(items.ravel()),
    ("mean", True): lambda items: sum_of_reals(items.ravel()) / items.size,
    ("mean", False): lambda items: sum_of_ints(items.ravel()) / items.size,
    ("var", True): lambda items: variance_of_reals(items.ravel()),
    ("var", False): lambda items: variance_of_ints(items.ravel()),
    ("std", True): lambda items: numpy.sqrt(variance_of_reals(items.ravel())),
    ("std", False): lambda items: numpy.sqrt(variance_of_ints(items.ravel())),
}


def total_of(function: Any, method: str, kind: Any, *, alone: bool) -> Callable[..., Any] | str | None:
    """Return the function for Numba that does what *function*, or the *method*, does with an array of this *kind*.

    None: Numba's own is right; OTHER_SUM: NumPy has another order. *alone* says that there is no other argument.
    """
    name = method or str(getattr(function, "__name__", ""))
    if not isinstance(kind, types.Array) or not (method or getattr(numpy, name, None) is function):
        return None
    real = isinstance(kind.dtype, types.Float)
    if name in REFUSED:
        return OTHER_SUM if real else None
    if (name, real) not in TOTALS:
        return None
    in_order = kind.ndim == 1 or kind.layout == "C"
    return TOTALS[name, real] if alone and in_order else OTHER_SUM if real else None
