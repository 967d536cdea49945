"""Tuples of ints in compiled rules: rows of words in memory.

Numba holds a tuple in registers, one for each item. An item with a computed index is then found by a branch for each index,
and a call passes every item. A row is an address: an item is one load, and `put` copies the row to the thread's arena.
"""

import operator
from typing import Any

from numba import njit, types
from numba.extending import intrinsic, lower_builtin, lower_cast, models, overload, register_model

from outplay.compile.arena import copy_bytes, take
from outplay.compile.numba_private import (
    AbstractTemplate,
    Conversion,
    RefType,
    cgutils,
    infer,
    infer_global,
    iternext_impl,
    signature,
)
from outplay.compile.primitives import WORD

WHOLE = (types.Integer, types.Boolean)


class RowType(types.SimpleIterableType):
    """The Numba type of a row with *count* ints."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"Row({count})", RowIteratorType(count))

    def holds(self, other: Any) -> bool:
        """Return whether the tuple type *other* can be made a row of this type."""
        return (
            isinstance(other, types.BaseTuple)
            and not isinstance(other, types.BaseNamedTuple)
            and len(other) == self.count
            and all(isinstance(item, WHOLE) for item in other)
        )

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:
        return Conversion.safe if self.holds(other) else None

    def unify(self, typing_context: Any, other: Any) -> Any:
        return self if self.holds(other) else None


class RowIteratorType(types.SimpleIteratorType):
    """The Numba type of a loop over a row."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"RowIterator({count})", types.int64)


@register_model(RowType)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: RowType) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


@register_model(RowIteratorType)
class _RowIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: RowIteratorType) -> None:
        super().__init__(manager, kind, [("index", types.EphemeralPointer(types.intp)), ("row", RowType(kind.count))])


@lower_builtin("getiter", RowType)
def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, sig.return_type)
    iterator.index = cgutils.alloca_once_value(builder, WORD(0))
    iterator.row = args[0]
    return iterator._getvalue()


@lower_builtin("iternext", RowIteratorType)
@iternext_impl(RefType.UNTRACKED)
def _(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    kind = sig.args[0]
    iterator = context.make_helper(builder, kind, value=args[0])
    index = builder.load(iterator.index)
    inside = builder.icmp_unsigned("<", index, WORD(kind.count))
    result.set_valid(inside)
    with builder.if_then(inside):
        result.yield_(_item(builder, iterator.row, index))
        builder.store(builder.add(index, WORD(1)), iterator.index)


def _item(builder: Any, row: Any, index: Any) -> Any:
    return builder.load(builder.gep(row, [index], inbounds=True))


@infer_global(len)
class _Length(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], RowType):
            return signature(types.intp, args[0])


@lower_builtin(len, RowType)
def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return WORD(sig.args[0].count)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], RowType) and isinstance(args[1], WHOLE):
            return signature(types.int64, args[0], types.intp)


@lower_builtin(operator.getitem, RowType, types.intp)
def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    row, index = args
    count = WORD(sig.args[0].count)
    index = builder.select(builder.icmp_signed("<", index, WORD(0)), builder.add(index, count), index)
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, count)):
        context.call_conv.return_user_exc(builder, IndexError, ("tuple index out of range",))
    return _item(builder, row, index)


@lower_cast(types.BaseTuple, RowType)
def _(context: Any, builder: Any, tuple_type: Any, row_type: Any, items: Any) -> Any:
    row = builder.bitcast(take(context, builder, WORD(8 * row_type.count)), WORD.as_pointer())
    for place, kind in enumerate(tuple_type):
        item = context.cast(builder, builder.extract_value(items, place), kind, types.int64)
        builder.store(item, builder.gep(row, [WORD(place)], inbounds=True))
    return row


def row_maker(count: int) -> Any:
    """Return the function that turns a tuple of *count* ints into a row; a row stays as it is."""
    row_type = RowType(count)

    def as_row(typing_context: Any, items: Any) -> Any:
        if items != row_type and not row_type.holds(items):
            return None

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return context.cast(builder, args[0], sig.args[0], row_type)

        return row_type(items), generate

    return intrinsic(as_row)


@intrinsic
def as_tuple(typing_context: Any, row: Any) -> Any:
    """Return *row* as a tuple of Numba's."""
    if not isinstance(row, RowType):
        return None
    result = types.UniTuple(types.int64, row.count)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        items = [_item(builder, args[0], WORD(place)) for place in range(row.count)]
        return context.make_tuple(builder, result, items)

    return result(row), generate


@intrinsic
def _replaced(typing_context: Any, items: Any, index: Any, item: Any) -> Any:
    """Return a copy of *items* with *item* at *index*, which lies inside."""
    if not (isinstance(items, (RowType, types.UniTuple)) and isinstance(index, WHOLE)):
        return None
    held = types.int64 if isinstance(items, RowType) else items.dtype
    if isinstance(held, WHOLE) and not isinstance(item, WHOLE):
        return None

    def of_a_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        size = 8 * items.count
        after = builder.bitcast(take(context, builder, WORD(size)), WORD.as_pointer())
        copy_bytes(builder, after, args[0], size)
        builder.store(args[2], builder.gep(after, [args[1]], inbounds=True))
        return after

    def of_a_tuple(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        after = cgutils.alloca_once_value(builder, args[0])
        builder.store(args[2], cgutils.gep_inbounds(builder, after, 0, args[1]))
        return builder.load(after)

    return items(items, types.intp, held), of_a_row if isinstance(items, RowType) else of_a_tuple


def _put(items: Any, index: Any, item: Any) -> Any:
    """Twin of `rules.tuples.put`."""
    if index < 0 or index >= len(items):
        raise IndexError("tuple index out of range")
    return _replaced(items, index, item)


put = njit(nogil=True)(_put)


# Numba compares the parameters of each function below with those of the function that it returns, annotations included.


@overload(operator.eq)
def _(one, other):  # type: ignore[no-untyped-def]
    if not isinstance(one, RowType) and not isinstance(other, RowType):
        return None
    if not all(isinstance(side, (RowType, types.BaseTuple)) for side in (one, other)):
        return None
    counts = {side.count if isinstance(side, RowType) else len(side) for side in (one, other)}
    if len(counts) == 2:
        return lambda one, other: False

    def equal(one, other):  # type: ignore[no-untyped-def]
        for index in range(len(one)):
            if one[index] != other[index]:
                return False
        return True

    return equal


@overload(operator.ne)
def _(one, other):  # type: ignore[no-untyped-def]
    if isinstance(one, RowType) or isinstance(other, RowType):
        return lambda one, other: not operator.eq(one, other)


@overload(operator.contains)
def _(row, item):  # type: ignore[no-untyped-def]
    if not isinstance(row, RowType):
        return None

    def contains(row, item):  # type: ignore[no-untyped-def]
        for one in row:
            if one == item:
                return True
        return False

    return contains


@overload(operator.add)
def _(one, other):  # type: ignore[no-untyped-def]
    if isinstance(one, RowType) and isinstance(other, RowType):
        return lambda one, other: as_tuple(one) + as_tuple(other)
    if isinstance(one, RowType) and isinstance(other, types.BaseTuple):
        return lambda one, other: as_tuple(one) + other
    if isinstance(one, types.BaseTuple) and isinstance(other, RowType):
        return lambda one, other: one + as_tuple(other)


@overload(min)
def _(row):  # type: ignore[no-untyped-def]
    if not isinstance(row, RowType):
        return None

    def least(row):  # type: ignore[no-untyped-def]
        found = row[0]
        for item in row:
            found = min(found, item)
        return found

    return least


@overload(max)
def _(row):  # type: ignore[no-untyped-def]
    if not isinstance(row, RowType):
        return None

    def largest(row):  # type: ignore[no-untyped-def]
        found = row[0]
        for item in row:
            found = max(found, item)
        return found

    return largest


@overload(sum)
def _(iterable, start=0):  # type: ignore[no-untyped-def]
    if not isinstance(iterable, RowType):
        return None

    def total(iterable, start=0):  # type: ignore[no-untyped-def]
        found = start
        for item in iterable:
            found += item
        return found

    return total


@infer
class _Slice(AbstractTemplate):
    key = "static_getitem"

    def generic(self, args: Any, kws: Any) -> Any:
        row, part = args
        if isinstance(row, RowType) and isinstance(part, slice):
            return signature(types.UniTuple(types.int64, len(range(row.count)[part])), *args)


@lower_builtin("static_getitem", RowType, types.SliceLiteral)
def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    row, part = args
    items = [_item(builder, row, WORD(place)) for place in range(sig.args[0].count)[part]]
    return context.make_tuple(builder, sig.return_type, items)
