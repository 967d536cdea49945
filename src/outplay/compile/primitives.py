"""What compiled code needs and Numba does not have: blocks of memory, the clock, bit counting, strict casts."""

import operator
import sys
from functools import cached_property
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import NativeValue, intrinsic, lower_builtin, models, register_model, typeof_impl, unbox

from outplay.compile.numba_private import AbstractTemplate, cgutils, infer_global, signature

BIT, BYTE, WORD = ir.IntType(1), ir.IntType(8), ir.IntType(64)
NOT_A_BOOL = "an int that is neither 0 nor 1 becomes a bool"


class Words:
    """A block of int64 for compiled code: a bare pointer, passed as one machine word."""

    def __init__(self, array: Any) -> None:
        self.array = array  # keeps the memory alive
        self.address = array.ctypes.data

    @cached_property
    def reals(self) -> Any:
        """The same memory as floats."""
        return self.array.view(float)


class WordsType(types.Type):
    """The Numba type of `Words`."""

    def __init__(self) -> None:
        super().__init__(name="Words")


WORDS = WordsType()


@register_model(WordsType)
class _WordsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: WordsType) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


@typeof_impl.register(Words)
def _(words: Words, context: Any) -> WordsType:
    return WORDS


@unbox(WordsType)
def _(kind: WordsType, words: Any, context: Any) -> NativeValue:
    held = context.pyapi.object_getattr_string(words, "address")
    address = context.pyapi.long_as_longlong(held)
    context.pyapi.decref(held)
    pointer = context.builder.inttoptr(address, WORD.as_pointer())
    return NativeValue(pointer, is_error=cgutils.is_not_null(context.builder, context.pyapi.err_occurred()))


@infer_global(operator.getitem)
class _GetWord(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if args[0] == WORDS and isinstance(args[1], types.Integer):
            return signature(types.int64, WORDS, types.intp)


@infer_global(operator.setitem)
class _SetWord(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if args[0] == WORDS and isinstance(args[1], types.Integer) and isinstance(args[2], (types.Integer, types.Boolean)):
            return signature(types.void, WORDS, types.intp, types.int64)


@lower_builtin(operator.getitem, WordsType, types.intp)
def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(builder.gep(args[0], [args[1]], inbounds=True))


@lower_builtin(operator.setitem, WordsType, types.intp, types.Any)
def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store(args[2], builder.gep(args[0], [args[1]], inbounds=True))
    return context.get_dummy_value()


def _real_place(builder: Any, words: Any, place: Any) -> Any:
    return builder.bitcast(builder.gep(words, [place], inbounds=True), ir.DoubleType().as_pointer())


@intrinsic
def real_at(typing_context: Any, words: Any, place: Any) -> Any:
    """Twin of `memory.real_at`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_real_place(builder, *args))

    return types.float64(WORDS, types.intp), generate


@intrinsic
def put_real(typing_context: Any, words: Any, place: Any, real: Any) -> Any:
    """Twin of `memory.put_real`."""
    if not isinstance(real, (types.Float, types.Integer, types.Boolean)):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _real_place(builder, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(WORDS, types.intp, types.float64), generate


@intrinsic
def block(typing_context: Any, words: Any, place: Any) -> Any:
    """Twin of `memory.block`: the block whose address is at *place*."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = builder.load(builder.gep(args[0], [args[1]], inbounds=True))
        return builder.inttoptr(address, WORD.as_pointer())

    return WORDS(WORDS, types.intp), generate


@intrinsic
def prefetch(typing_context: Any, words: Any, place: Any) -> Any:
    """Twin of `memory.prefetch`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0i8")
        at = builder.bitcast(builder.gep(args[0], [args[1]], inbounds=True), byte)
        builder.call(function, [at, number(0), number(3), number(1)])  # for reading, to be kept, data
        return context.get_dummy_value()

    return types.void(WORDS, types.intp), generate


@intrinsic
def unlikely(typing_context: Any, condition: Any) -> Any:
    """Twin of `memory.unlikely`."""
    if not isinstance(condition, types.Boolean):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(BIT, [BIT, BIT]), "llvm.expect.i1")
        return builder.call(function, [args[0], BIT(0)])

    return types.boolean(types.boolean), generate


@intrinsic
def add_word(typing_context: Any, words: Any, place: Any, number: Any) -> Any:
    """Twin of `memory.add_word`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", builder.gep(args[0], [args[1]], inbounds=True), args[2], "monotonic")

    return types.int64(WORDS, types.intp, types.int64), generate


@intrinsic
def add_real(typing_context: Any, words: Any, place: Any, real: Any) -> Any:
    """Twin of `memory.add_real`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.atomic_rmw("fadd", _real_place(builder, args[0], args[1]), args[2], "monotonic")
        return context.get_dummy_value()

    return types.void(WORDS, types.intp, types.float64), generate


@intrinsic
def replace_word(typing_context: Any, words: Any, place: Any, before: Any, after: Any) -> Any:
    """Twin of `memory.replace_word`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = builder.gep(args[0], [args[1]], inbounds=True)
        return builder.extract_value(builder.cmpxchg(at, args[2], args[3], "acq_rel", "monotonic"), 1)

    return types.boolean(WORDS, types.intp, types.int64, types.int64), generate


@intrinsic
def publish(typing_context: Any, words: Any, place: Any, word: Any) -> Any:
    """Twin of `memory.publish`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store_atomic(args[2], builder.gep(args[0], [args[1]], inbounds=True), "release", 8)
        return context.get_dummy_value()

    return types.void(WORDS, types.intp, types.int64), generate


@intrinsic
def latest(typing_context: Any, words: Any, place: Any) -> Any:
    """Twin of `memory.latest`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load_atomic(builder.gep(args[0], [args[1]], inbounds=True), "acquire", 8)

    return types.int64(WORDS, types.intp), generate


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


@intrinsic
def raised(typing_context: Any, ints: Any, place: Any) -> Any:
    """Twin of `compile.clock.raised`: an atomic load, so that LLVM does not move it out of a loop."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        flag = builder.load_atomic(builder.gep(args[0], [args[1]], inbounds=True), "monotonic", 8)
        return builder.icmp_signed("!=", flag, WORD(0))

    return types.boolean(ints, types.intp), generate


@intrinsic
def now(typing_context: Any) -> Any:
    """Twin of `compile.clock.now`, inside compiled code."""

    def posix(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        timespec = ir.LiteralStructType([WORD, WORD])
        place = cgutils.alloca_once(builder, timespec)
        shape = ir.FunctionType(ir.IntType(32), [ir.IntType(32), timespec.as_pointer()])
        function = cgutils.get_or_insert_function(builder.module, shape, "clock_gettime")
        monotonic = 6 if sys.platform == "darwin" else 1
        builder.call(function, [ir.IntType(32)(monotonic), place])
        seconds, nanoseconds = (builder.load(cgutils.gep_inbounds(builder, place, 0, part)) for part in (0, 1))
        return builder.add(builder.mul(seconds, WORD(1_000_000_000)), nanoseconds)

    def elsewhere(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return WORD(0)  # no deadline passes here: a timer thread raises the stop flag instead (search/searcher.py)

    return types.int64(), elsewhere if sys.platform == "win32" else posix


def _unary(name: str) -> Any:
    def typed(typing_context: Any, bits: Any) -> Any:
        if not isinstance(bits, (types.Integer, types.Boolean)):
            return None

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            if name == "count":
                return builder.ctpop(args[0])
            if name == "lowest":
                return builder.cttz(args[0], BIT(0))
            return builder.sub(WORD(63), builder.ctlz(args[0], BIT(0)))

        return types.int64(types.int64), generate

    typed.__name__ = name
    return intrinsic(typed)


count, lowest, highest = _unary("count"), _unary("lowest"), _unary("highest")


@intrinsic
def mix(typing_context: Any, seed: Any, word: Any) -> Any:
    """Twin of `rules.bits.mix`: the same steps in wrapping 64-bit arithmetic."""
    if not (isinstance(seed, types.Integer) and isinstance(word, (types.Integer, types.Boolean))):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        mixed = builder.xor(builder.mul(args[0], WORD(0xA0761D6478BD642F)), args[1])
        mixed = builder.mul(mixed, WORD(0x9E3779B97F4A7C15))
        mixed = builder.mul(builder.xor(mixed, builder.lshr(mixed, WORD(32))), WORD(0xD6E8FEB86659FD93))
        return builder.xor(mixed, builder.lshr(mixed, WORD(29)))

    return types.int64(types.int64, types.int64), generate


@intrinsic
def unmix(typing_context: Any, word: Any) -> Any:
    """Twin of `rules.bits.unmix`."""
    if not isinstance(word, types.Integer):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = args[0]
        word = builder.xor(word, builder.xor(builder.lshr(word, WORD(29)), builder.lshr(word, WORD(58))))
        word = builder.mul(word, WORD(0xCFEE444D8B59A89B))
        return builder.mul(builder.xor(word, builder.lshr(word, WORD(32))), WORD(0xF1DE83E19937733D))

    return types.int64(types.int64), generate


@intrinsic
def splitmix(typing_context: Any, seed: Any, number: Any) -> Any:
    """Twin of `rules.bits.splitmix`."""
    if not (isinstance(seed, types.Integer) and isinstance(number, types.Integer)):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        steps = builder.mul(builder.add(args[1], WORD(1)), WORD(0x9E3779B97F4A7C15))
        word = builder.add(args[0], steps)
        word = builder.mul(builder.xor(word, builder.lshr(word, WORD(30))), WORD(0xBF58476D1CE4E5B9))
        word = builder.mul(builder.xor(word, builder.lshr(word, WORD(27))), WORD(0x94D049BB133111EB))
        return builder.xor(word, builder.lshr(word, WORD(31)))

    return types.int64(types.int64, types.int64), generate


@intrinsic
def bits_of(typing_context: Any, real: Any) -> Any:
    """Twin of `rules.bits.bits_of`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], WORD)

    return types.int64(types.float64), generate


@intrinsic
def real_of(typing_context: Any, bits: Any) -> Any:
    """Twin of `rules.bits.real_of`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), generate


def _packed_word(items: Any, place: Any, size: Any) -> Any:
    """Return word *place* of an array whose items have *size* bytes each, as `rules.key.words_of` does."""
    word, each = 0, 8 // size
    for part in range(min(each, len(items) - place * each)):
        word |= (int(items[place * each + part]) & (-1 if size == 8 else (1 << 8 * size) - 1)) << 8 * size * part
    return word


packed_word = njit(nogil=True)(_packed_word)


def _cast(target: types.Type, accepted: tuple[type, ...]) -> Any:
    def typed(typing_context: Any, value: Any) -> Any:
        if not isinstance(value, accepted):
            return None
        value = types.unliteral(value)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            if target == types.boolean:
                check_bool(context, builder, sig.args[0], args[0])
            return context.cast(builder, args[0], sig.args[0], target)

        return target(value), generate

    typed.__name__ = f"as_{target}"
    return intrinsic(typed)


def check_bool(context: Any, builder: Any, kind: types.Type, value: Any) -> None:
    """Raise if *value*, of the Numba type *kind*, is an int other than 0 and 1: as a bool it would lose what it says."""
    if isinstance(kind, types.Integer):
        with cgutils.if_unlikely(builder, builder.icmp_unsigned(">", value, value.type(1))):
            context.call_conv.return_user_exc(builder, OverflowError, (NOT_A_BOOL,))


as_int = _cast(types.int64, (types.Integer, types.Boolean))
as_bool = _cast(types.boolean, (types.Integer, types.Boolean))
as_real = _cast(types.float64, (types.Integer, types.Boolean, types.Float))


def recursion(parameters: tuple[str, ...], returns: types.Type) -> Any:
    """Return the function by which a kernel with these *parameters* calls itself; it has a known return type.

    Without it, Numba would infer the types of the whole function again at each recursive call, and compiling a kernel
    would take three times as long.
    """

    def typed(*arguments: Any) -> Any:
        kinds = [types.unliteral(kind) for kind in arguments]

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            status, result = context.call_conv.call_function(builder, builder.function, returns, kinds, args)
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return result

        return returns(*kinds), generate

    names = ", ".join(parameters)
    scope = {"typed": typed}
    exec(f"def again(typing_context, {names}):\n    return typed({names})\n", scope)
    return intrinsic(scope["again"])
