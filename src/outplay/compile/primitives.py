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
