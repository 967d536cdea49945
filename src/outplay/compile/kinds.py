"""Kinds of numbers: whether a variable holds Python's own number or one of NumPy's, which may wrap.

Numba widens an item of an int8 array, and `board + 1`, to 64 bits. NumPy keeps 8 bits. So compiled arithmetic must raise
where the result does not fit into the type that NumPy would have. An item of a state's array is Python's int in both (`rules/cells.py`),
and so is one of its parts and copies. An item of any other array, and a constant such as np.int8(3), is NumPy's when the rule is
interpreted: such arrays are called raw here. `numpy_kinds.py` finds the kinds of the variables of a function.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy
from numba import types

from outplay.compile.numba_private import as_dtype
from outplay.compile.rows import RowType
from outplay.rules.cells import Cells


@dataclass(frozen=True)
class Items:
    """An array with items of *dtype*; if it is *raw*, its items are NumPy's numbers, otherwise Python's."""

    dtype: Any
    raw: bool


@dataclass(frozen=True)
class Each:
    """A list, an iterator or a tuple, of which every item is of the same kind."""

    item: Any


# A kind is a set of all that a number or an array may be, a tuple of the kinds of a tuple's items, or `Each`. In a set, None is Python's own
# number, a dtype is one of NumPy's, and `Items` is an array. WHOLE is Python's int where compiled code has a float, because there is a
# float on another path.
Kind = Any
UNKNOWN: Kind = frozenset()
PYTHONS: Kind = frozenset({None})
WHOLE = "an int of Python as a float"
INT, FLOAT = (numpy.dtype(kind) for kind in ("int64", "float64"))
ANY_FLOAT: Kind = frozenset({None, FLOAT})


def join(one: Kind, other: Kind) -> Kind:
    """Return the kind of what is *one* or the *other*."""
    if one == other or other == UNKNOWN:
        return one
    if one == UNKNOWN:
        return other
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return one | other
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return tuple(map(join, one, other))
    return Each(join(any_item(one), any_item(other)))


def joined(kinds: Any) -> Kind:
    return reduce(join, kinds, UNKNOWN)


def any_item(kind: Kind) -> Kind:
    """Return the kind of an item of a tuple, a list or an array without rows."""
    if isinstance(kind, tuple):
        return joined(kind)
    if isinstance(kind, Each):
        return kind.item
    return frozenset((part.dtype if part.raw else None) if isinstance(part, Items) else part for part in kind)


def leaves(kind: Kind) -> Iterator[Any]:
    """Yield all that numbers and arrays in *kind* may be."""
    if isinstance(kind, frozenset):
        yield from kind
    else:
        for part in kind if isinstance(kind, tuple) else (kind.item,):
            yield from leaves(part)


def kind_of(value: Any) -> Kind:
    """Return the kind of a *value* of Python."""
    if isinstance(value, numpy.ndarray):
        return frozenset({Items(value.dtype, not isinstance(value, Cells))})
    if isinstance(value, numpy.generic):
        return frozenset({value.dtype})
    if isinstance(value, tuple):
        return tuple(map(kind_of, value))
    return Each(joined(map(kind_of, value))) if isinstance(value, list) else PYTHONS


def usual(kind: Any, *, of_a_state: bool = False) -> Kind:
    """Return the kind of what a rule is given, where its type is *kind*: what states hold. A lone float may be anyone's."""
    if isinstance(kind, types.Omitted):
        return kind_of(kind.value)
    if isinstance(kind, types.Array):
        return frozenset({Items(as_dtype(kind.dtype), raw=False)})
    if isinstance(kind, types.BaseTuple):
        named = of_a_state or isinstance(kind, types.BaseNamedTuple)
        return tuple(usual(item, of_a_state=named) for item in kind)
    if isinstance(kind, (types.List, RowType)):
        return Each(usual(kind.dtype if isinstance(kind, types.List) else types.int64))
    return ANY_FLOAT if isinstance(kind, types.Float) and not of_a_state else PYTHONS


def is_usual(kind: Kind, own: Any) -> bool:
    """Return whether an argument of the Numba type *own* has the *kind* that functions expect."""
    return isinstance(own, types.Float) or bool(kind == usual(own))


def is_narrow(part: Any) -> bool:
    """Return whether *part* of a kind, a dtype, holds less than every signed 64-bit int, or every float."""
    return isinstance(part, numpy.dtype) and part not in (INT, FLOAT)


def is_narrow_type(kind: Any) -> bool:
    """Return whether the Numba type *kind* is an int type that does not hold every signed 64-bit int."""
    return isinstance(kind, types.Integer) and (kind.bitwidth < 64 or not kind.signed)


def limits(kind: Kind) -> tuple[int, int, str] | None:
    """Return between which ints all narrow numbers of *kind* lie, and the type that is the reason; None if none is narrow."""
    found = [part.dtype if isinstance(part, Items) else part for part in leaves(kind)]
    ranges = [(*_range(part), str(part)) for part in found if is_narrow(part) and part.kind in "iub"]
    if not ranges:
        return None
    return (
        max(low for low, _, _ in ranges),
        min(high for _, high, _ in ranges),
        min(ranges, key=lambda part: part[1] - part[0])[2],
    )


def _range(dtype: Any) -> tuple[int, int]:
    return (0, 1) if dtype.kind == "b" else (int(numpy.iinfo(dtype).min), int(numpy.iinfo(dtype).max))
