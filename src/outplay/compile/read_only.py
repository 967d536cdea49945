"""The arrays of a state are read-only in compiled rules: a rule that writes into one does not compile.

Numba knows read-only arrays as a type of their own, which their slices and views share, and refuses what writes into them. Some of
its functions forget it; `writes_items` and `writes_by_call` find those. A copy may be written into, and passes where a read-only array is
expected: so `State(...)` may be made of either, on different paths.
"""

from typing import Any

import numpy
from numba import from_dtype, types
from numba.extending import intrinsic, lower_cast

from outplay.compile.numba_patches import check_in_place_operators
from outplay.compile.numba_private import TypingError
from outplay.rules.fields import Field

HIDDEN = "cannot write to a readonly array"  # the text of our own errors; `diagnose.py` knows it, and Numba's
MISFIT = "cannot hold the result of an in-place operator"


def array_type(field: Field) -> types.Array:
    """Return the Numba type of an array in a state."""
    return types.Array(from_dtype(numpy.dtype(field.dtype)), len(field.shape), "C", readonly=True)


def _retyped(typing_context: Any, array: Any, *, readonly: bool) -> Any:
    if not isinstance(array, types.Array):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if context.enable_nrt:
            context.nrt.incref(builder, sig.return_type, args[0])  # it is another name of the same array
        return args[0]

    return array.copy(readonly=readonly)(array), generate


@intrinsic
def read_only(typing_context: Any, array: Any) -> Any:
    """Return *array* as one that cannot be written to."""
    return _retyped(typing_context, array, readonly=True)


@intrinsic
def writable(typing_context: Any, array: Any) -> Any:
    """Return the array of a state as one that can be written to: only for the state's own memory, before any rule sees it."""
    return _retyped(typing_context, array, readonly=False)


# A NamedTuple with an array that may be written to, and one with a read-only array there, are of different types. Where two paths
# meet, Numba must know which of the two to take.


def _unified(one: Any, typing_context: Any, other: Any) -> Any:
    if not isinstance(other, types.BaseNamedTuple) or other.instance_class is not one.instance_class:
        return None
    items = []
    for left, right in zip(one, other, strict=True):
        arrays = isinstance(left, types.Array) and isinstance(right, types.Array)
        items.append(left if left == right else typing_context.unify_pairs(left, right) if arrays else None)
    if any(item is None for item in items):
        return None
    return named_tuple(items, one.instance_class)


def named_tuple(kinds: list[Any], kind: type) -> types.Type:
    """Return the Numba type of the NamedTuple *kind* with fields of these *kinds*."""
    if len(set(kinds)) == 1:
        return types.NamedUniTuple(kinds[0], len(kinds), kind)
    return types.NamedTuple(kinds, kind)


types.NamedTuple.unify = types.NamedUniTuple.unify = _unified


@lower_cast(types.BaseNamedTuple, types.BaseNamedTuple)
def _(context: Any, builder: Any, kind: Any, wanted: Any, value: Any) -> Any:
    items = [
        context.cast(builder, builder.extract_value(value, place), one, other)
        for place, (one, other) in enumerate(zip(kind, wanted, strict=True))
    ]
    return context.make_tuple(builder, wanted, items)


def is_read_only(kind: Any) -> bool:
    """Return whether *kind* is the type of a read-only array, or of a tuple with one."""
    if isinstance(kind, types.BaseTuple):
        return any(map(is_read_only, kind))
    return isinstance(kind, types.Array) and not kind.mutable


def writes_items(target: Any) -> bool:
    """Return whether an assignment to an item of *target*, a type, writes into a read-only array without Numba's noticing."""
    return isinstance(target, types.NumpyFlatType) and not target.array_type.mutable


def writes_by_call(function: Any, kinds: list[Any]) -> str | None:
    """Return an error if a call of *function* with arguments of these *kinds* may write into a read-only array; otherwise None."""
    if not any(map(is_read_only, kinds)):
        return None
    if function is numpy.fill_diagonal:
        return HIDDEN
    if function is numpy.nditer:
        return f"{HIDDEN} by numpy.nditer"
    if (function, getattr(kinds[0], "layout", "")) in ((numpy.ascontiguousarray, "C"), (numpy.asfortranarray, "F")):
        return f"{HIDDEN} by numpy.{function.__name__}"  # it would return the array itself
    return None


def _refuse_in_place(target: Any) -> None:
    if is_read_only(target):
        raise TypingError(HIDDEN)


check_in_place_operators(_refuse_in_place, MISFIT)
