"""States with tuples or arrays in compiled code: each lies in memory, field after field, and is passed as an address.

A kernel owns the memory of its states. Each `game.room` in its source is a place in its stack frame, and
`game.play(state, choice, game.room)` writes the state after a choice there. The rules see the fields as usual: tuples as rows and
arrays as read-only views of the state's own memory. So nothing is allocated, and no references are counted.

A kernel that calls `play` inside a loop over `game.moves` or `game.chances` is marked `by_value`, and its states are not stored,
because the generator may hold what `play` frees. A kernel whose source gives no room gets states that are not stored, too.
"""

from typing import Any

import numpy
from llvmlite import ir
from numba import types
from numba.extending import NativeValue, intrinsic, lower_builtin, models, register_model, unbox

from outplay.compile.arena import copy_bytes
from outplay.compile.numba_private import AbstractTemplate, cgutils, infer, make_array, populate_array, signature
from outplay.compile.primitives import WORD, WORDS, check_bool
from outplay.compile.read_only import array_type
from outplay.compile.rows import RowType
from outplay.rules.fields import Field

REAL = ir.DoubleType()


class Place:
    """Where a field lies in a stored state, and what it is."""

    def __init__(self, field: Field, at: int) -> None:
        self.field, self.at = field, at  # *at* is counted in words
        self.bytes = 8 * field.words
        self.kind: types.Type = {"int": types.int64, "bool": types.boolean, "float": types.float64}.get(field.kind)
        if field.kind == "tuple":
            self.kind = RowType(field.length)
        elif field.kind == "array":
            self.kind = array_type(field)
            self.bytes = field.words * field.item_bytes
        self.words = field.stored_words

    def get(self, context: Any, builder: Any, state: Any) -> Any:
        """Return the field of *state*, an address."""
        place = builder.gep(state, [WORD(self.at)], inbounds=True)
        if self.field.kind == "tuple":
            return place
        if self.field.kind == "array":
            dtype = numpy.dtype(self.field.dtype)
            view = make_array(self.kind)(context, builder)
            strides = [dtype.itemsize * int(numpy.prod(self.field.shape[axis + 1 :])) for axis in range(len(self.field.shape))]
            data = builder.bitcast(place, context.get_data_type(self.kind.dtype).as_pointer())
            shape = [WORD(length) for length in self.field.shape]
            populate_array(view, data, shape, [WORD(stride) for stride in strides], WORD(dtype.itemsize), None)
            return view._getvalue()
        if self.field.kind == "float":
            return builder.load(builder.bitcast(place, REAL.as_pointer()))
        word = builder.load(place)
        return builder.icmp_signed("!=", word, WORD(0)) if self.field.kind == "bool" else word

    def set(self, context: Any, builder: Any, state: Any, kind: Any, value: Any) -> None:
        """Write *value*, of the Numba type *kind*, to the field of *state*."""
        place = builder.gep(state, [WORD(self.at)], inbounds=True)
        if self.field.kind == "array":
            if self.bytes % 8:
                builder.store(WORD(0), builder.gep(place, [WORD(self.words - 1)], inbounds=True))  # the key mixes whole words
            copy_bytes(builder, place, make_array(kind)(context, builder, value=value).data, self.bytes)
        elif self.field.kind == "tuple":
            copy_bytes(builder, place, context.cast(builder, value, kind, self.kind), self.bytes)
        elif self.field.kind == "float":
            builder.store(context.cast(builder, value, kind, types.float64), builder.bitcast(place, REAL.as_pointer()))
        else:
            if self.field.kind == "bool":
                check_bool(context, builder, kind, value)
            word = context.cast(builder, value, kind, self.kind)
            builder.store(builder.zext(word, WORD) if self.field.kind == "bool" else word, place)

    def takes(self, kind: Any) -> bool:
        """Return whether a value of the Numba type *kind* can be written to the field."""
        if self.field.kind == "array":
            return isinstance(kind, types.Array) and (kind.dtype, kind.ndim, kind.layout) == (
                self.kind.dtype,
                self.kind.ndim,
                "C",
            )
        if isinstance(self.kind, RowType):
            return kind == self.kind or self.kind.holds(kind)
        wider = (types.Float,) if self.field.kind == "float" else ()
        return isinstance(kind, (types.Integer, types.Boolean, *wider))

    def setter(self) -> Any:
        """Return the function that writes the field: set_field(state, value)."""

        def set_field(typing_context: Any, state: Any, value: Any) -> Any:
            if not isinstance(state, StoredStateType) or not self.takes(value):
                return None

            def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
                self.set(context, builder, args[0], sig.args[1], args[1])
                return context.get_dummy_value()

            return types.void(state, value), generate

        return intrinsic(set_field)


class Plan:
    """How the states of a game with these *fields* are stored."""

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self.places: list[Place] = []
        self.words = 0
        for field in fields:
            self.places.append(Place(field, self.words))
            self.words += self.places[-1].words

    def stored(self, state: Any) -> "StoredState":
        """Return *state*, a tuple of fields, as compiled code takes it."""
        memory = numpy.zeros(self.words, numpy.int64)
        for place, value in zip(self.places, state, strict=True):
            part = memory[place.at : place.at + place.words]
            if place.field.kind == "array":
                part.view(numpy.uint8)[: place.bytes] = (
                    numpy.ascontiguousarray(value).view(numpy.ndarray).reshape(-1).view(numpy.uint8)
                )
            elif place.field.kind == "float":
                part.view(numpy.float64)[0] = value
            else:
                part[:] = value
        return StoredState(memory)


class StoredState:
    """A state in memory, for compiled code."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory  # keeps it alive
        self.address = memory.ctypes.data


class StoredStateType(types.Type):
    """The Numba type of `StoredState`."""

    def __init__(self, digest: str, plan: Plan) -> None:
        self.plan = plan
        super().__init__(name=f"StoredState({digest})")


@register_model(StoredStateType)
class _StoredStateModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: StoredStateType) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


@unbox(StoredStateType)
def _(kind: StoredStateType, state: Any, context: Any) -> NativeValue:
    held = context.pyapi.object_getattr_string(state, "address")
    address = context.pyapi.long_as_longlong(held)
    context.pyapi.decref(held)
    pointer = context.builder.inttoptr(address, WORD.as_pointer())
    return NativeValue(pointer, is_error=cgutils.is_not_null(context.builder, context.pyapi.err_occurred()))


@infer
class _Field(AbstractTemplate):
    key = "static_getitem"

    def generic(self, args: Any, kws: Any) -> Any:
        state, place = args
        if isinstance(state, StoredStateType) and isinstance(place, int):
            return signature(state.plan.places[place].kind, *args)


@lower_builtin("static_getitem", StoredStateType, types.Any)
def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return sig.args[0].plan.places[args[1]].get(context, builder, args[0])


def room(builder: Any, plan: Plan) -> Any:
    """Return the address of room for a state, in the stack frame of the function that is being compiled."""
    with builder.goto_entry_block():
        place = builder.alloca(ir.ArrayType(WORD, plan.words))
        place.align = 32
    return builder.bitcast(place, WORD.as_pointer())


def _words_at(builder: Any, words: Any, at: Any) -> Any:
    return builder.gep(words, [at], inbounds=True)


@intrinsic
def word_at(typing_context: Any, state: Any, place: Any) -> Any:
    """Return a word of *state*."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_words_at(builder, *args))

    return types.int64(state, types.intp), generate


@intrinsic
def put_word(typing_context: Any, state: Any, place: Any, word: Any) -> Any:
    """Write a word of *state*."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _words_at(builder, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(state, types.intp, types.int64), generate


@intrinsic
def copy_row(typing_context: Any, row: Any, words: Any, at: Any) -> Any:
    """Copy *row* to words[at:]."""
    if not isinstance(row, RowType):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        copy_bytes(builder, _words_at(builder, args[1], args[2]), args[0], 8 * row.count)
        return context.get_dummy_value()

    return types.void(row, WORDS, types.intp), generate


def row_finder(count: int) -> Any:
    """Return the function row_at(words, at), which takes *count* words, from *at* on, as a row."""
    row_type = RowType(count)

    def row_at(typing_context: Any, words: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _words_at(builder, *args)

        return row_type(WORDS, types.intp), generate

    return intrinsic(row_at)
