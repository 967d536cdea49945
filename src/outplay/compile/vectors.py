"""The compiled twins of `rules/memory.py` for rows of 32-bit ints and floats: one instruction computes sixteen items."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from outplay.compile.numba_private import cgutils
from outplay.compile.primitives import WORD, WORDS

SINGLE, SMALL = ir.FloatType(), ir.IntType(32)
LANES = 16  # 32-bit ints that one instruction adds
SMALLS = ir.VectorType(SMALL, LANES)
SINGLES = ir.VectorType(SINGLE, LANES)
SIDE_BY_SIDE = 4  # vectors whose sums are independent, so that one addition need not wait for another


def _place_of(builder: Any, words: Any, place: Any, kind: Any) -> Any:
    """Return the address of the item at *place* of a block of items of this *kind*."""
    return builder.gep(builder.bitcast(words, kind.as_pointer()), [place], inbounds=True)


@intrinsic
def single_at(typing_context: Any, words: Any, place: Any) -> Any:
    """Twin of `memory.single_at`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fpext(builder.load(_place_of(builder, args[0], args[1], SINGLE)), ir.DoubleType())

    return types.float64(WORDS, types.intp), generate


@intrinsic
def put_single(typing_context: Any, words: Any, place: Any, real: Any) -> Any:
    """Twin of `memory.put_single`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(builder.fptrunc(args[2], SINGLE), _place_of(builder, args[0], args[1], SINGLE))
        return context.get_dummy_value()

    return types.void(WORDS, types.intp, types.float64), generate


@intrinsic
def small_at(typing_context: Any, words: Any, place: Any) -> Any:
    """Twin of `memory.small_at`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.sext(builder.load(_place_of(builder, args[0], args[1], SMALL)), WORD)

    return types.int64(WORDS, types.intp), generate


@intrinsic
def copy_smalls(typing_context: Any, target: Any, to: Any, source: Any, place: Any, number: Any) -> Any:
    """Twin of `memory.copy_smalls`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        target, to, source, place, number = args
        size = builder.mul(number, WORD(4))
        cgutils.raw_memcpy(
            builder, _place_of(builder, target, to, SMALL), _place_of(builder, source, place, SMALL), size, WORD(1)
        )  # fmt: skip
        return context.get_dummy_value()

    return types.void(WORDS, types.intp, WORDS, types.intp, types.intp), generate


@intrinsic
def sum_rows(
    typing_context: Any, target: Any, to: Any, table: Any, rows: Any, first: Any, number: Any, width: Any
) -> Any:  # fmt: skip
    """Twin of `memory.sum_rows`: each sum of 16 items stays in registers while the rows are added."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        target, to, table, rows, first, number, width = args
        total = cgutils.alloca_once(builder, SMALLS)
        with cgutils.for_range_slice(builder, WORD(0), width, WORD(LANES)) as (item, _):
            builder.store(ir.Constant(SMALLS, [0] * LANES), total)
            with cgutils.for_range(builder, number) as row:
                place = builder.add(builder.load(builder.gep(rows, [builder.add(first, row.index)])), item)
                items = builder.bitcast(_place_of(builder, table, place, SMALL), SMALLS.as_pointer())
                builder.store(builder.add(builder.load(total), builder.load(items, align=4)), total)
            place = builder.bitcast(_place_of(builder, target, builder.add(to, item), SMALL), SMALLS.as_pointer())
            builder.store(builder.load(total), place, align=4)
        return context.get_dummy_value()

    return types.void(WORDS, types.intp, WORDS, WORDS, types.intp, types.intp, types.intp), generate


def _row_at(builder: Any, rows: Any, place: Any) -> Any:
    """Return the 32-bit int at *place* of *rows* as a word."""
    return builder.sext(builder.load(_place_of(builder, rows, place, SMALL)), WORD)


def _singles_at(builder: Any, words: Any, place: Any) -> Any:
    """Return the address of the 16 32-bit floats from *place* on."""
    return builder.bitcast(_place_of(builder, words, place, SINGLE), SINGLES.as_pointer())


@intrinsic
def sum_single_rows(
    typing_context: Any, target: Any, to: Any, table: Any, rows: Any, first: Any, number: Any, width: Any
) -> Any:  # fmt: skip
    """Twin of `memory.sum_single_rows`: the sums of up to 64 items stay in registers while the rows are added."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        target, to, table, rows, first, number, width = args
        totals = [cgutils.alloca_once(builder, SINGLES) for _ in range(SIDE_BY_SIDE)]

        def add_up(item: Any, vectors: int) -> None:
            for total in totals[:vectors]:
                builder.store(ir.Constant(SINGLES, [0.0] * LANES), total)
            with cgutils.for_range(builder, number) as row:
                place = builder.add(_row_at(builder, rows, builder.add(first, row.index)), item)
                for vector, total in enumerate(totals[:vectors]):
                    at = _singles_at(builder, table, builder.add(place, WORD(LANES * vector)))
                    builder.store(builder.fadd(builder.load(total), builder.load(at, align=4)), total)
            for vector, total in enumerate(totals[:vectors]):
                at = _singles_at(builder, target, builder.add(builder.add(to, item), WORD(LANES * vector)))
                builder.store(builder.load(total), at, align=4)

        wide = builder.and_(width, WORD(-LANES * SIDE_BY_SIDE))
        with cgutils.for_range_slice(builder, WORD(0), wide, WORD(LANES * SIDE_BY_SIDE)) as (item, _):
            add_up(item, SIDE_BY_SIDE)
        with cgutils.for_range_slice(builder, wide, width, WORD(LANES)) as (item, _):
            add_up(item, 1)
        return context.get_dummy_value()

    return types.void(WORDS, types.intp, WORDS, WORDS, types.intp, types.intp, types.intp), generate


@intrinsic
def soften(typing_context: Any, singles: Any, place: Any, weights: Any, at: Any, number: Any) -> Any:
    """Twin of `memory.soften`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        singles, place, weights, at, number = args
        total, ones = cgutils.alloca_once(builder, SINGLES), ir.Constant(SINGLES, [1.0] * LANES)
        size = cgutils.get_or_insert_function(builder.module, ir.FunctionType(SINGLES, [SINGLES]), f"llvm.fabs.v{LANES}f32")
        builder.store(ir.Constant(SINGLES, [0.0] * LANES), total)
        with cgutils.for_range_slice(builder, WORD(0), number, WORD(LANES)) as (item, _):
            here = _singles_at(builder, singles, builder.add(place, item))
            found = builder.load(here, align=4)
            soft = builder.fdiv(found, builder.fadd(ones, builder.call(size, [found])))
            builder.store(soft, here, align=4)
            weight = builder.load(_singles_at(builder, weights, builder.add(at, item)), align=4)
            builder.store(builder.fadd(builder.load(total), builder.fmul(soft, weight)), total)
        left, lanes = builder.load(total), LANES
        while lanes > 1:
            lanes //= 2
            halves = [ir.Constant(ir.VectorType(SMALL, lanes), list(range(first, first + lanes))) for first in (0, lanes)]
            left = builder.fadd(*(builder.shuffle_vector(left, ir.Constant(left.type, ir.Undefined), half) for half in halves))
        return builder.fpext(builder.extract_element(left, SMALL(0)), ir.DoubleType())

    return types.float64(WORDS, types.intp, WORDS, types.intp, types.intp), generate


@intrinsic
def add_to_rows(
    typing_context: Any, table: Any, rows: Any, first: Any, number: Any, width: Any, singles: Any, place: Any
) -> Any:  # fmt: skip
    """Twin of `memory.add_to_rows`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        table, rows, first, number, width, singles, place = args
        shares = builder.add(place, width)
        with cgutils.for_range(builder, number) as row:
            share = builder.load(_place_of(builder, singles, builder.add(shares, row.index), SINGLE))
            with builder.if_then(builder.fcmp_ordered("!=", share, SINGLE(0.0))):
                start = _row_at(builder, rows, builder.add(first, row.index))
                one = builder.insert_element(ir.Constant(SINGLES, ir.Undefined), share, SMALL(0))
                each = builder.shuffle_vector(one, ir.Constant(SINGLES, ir.Undefined), ir.Constant(SMALLS, [0] * LANES))
                with cgutils.for_range_slice(builder, WORD(0), width, WORD(LANES)) as (item, _):
                    change = builder.load(_singles_at(builder, singles, builder.add(place, item)), align=4)
                    at = _singles_at(builder, table, builder.add(start, item))
                    builder.store(builder.fadd(builder.load(at, align=4), builder.fmul(change, each)), at, align=4)
        return context.get_dummy_value()

    return types.void(WORDS, WORDS, types.intp, types.intp, types.intp, WORDS, types.intp), generate
