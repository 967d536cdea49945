"""Memory for the tuples and arrays that compiled rules make: each thread has an arena, and taking from it moves a pointer.

Single pieces are never freed. `play` and `load_state` begin with an empty arena, because nothing that a rule makes outlives the
call: compiled rules can write only to what they made, and `play` copies its result to the kernel's own memory
(`stored_states.py`).
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from outplay.compile.numba_private import cgutils
from outplay.compile.primitives import BYTE, WORD

ROOM = 64 << 20  # bytes of address space; a page takes memory only once it is used
TOO_MUCH = "lists, tuples and arrays of more than 64 MB"
NEXT, END, FIRST = 0, 1, 2  # the words of an arena: the addresses of the free bytes and of the end; then the bytes


_api = ctypes.pythonapi
_api.PyThread_tss_alloc.restype = ctypes.c_void_p
_api.PyThread_tss_create.argtypes = _api.PyThread_tss_get.argtypes = [ctypes.c_void_p]
_api.PyThread_tss_get.restype = ctypes.c_void_p
_api.PyThread_tss_set.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
_key = _api.PyThread_tss_alloc()  # where Python keeps the address of each thread's arena
if _api.PyThread_tss_create(_key) != 0:
    raise OSError("no thread-local storage is left in this process")
# Compiled code on disk names them by symbols, because addresses differ from process to process.
binding.add_symbol("outplay_arena_key", _key)
binding.add_symbol("outplay_arena_of_thread", ctypes.cast(_api.PyThread_tss_get, ctypes.c_void_p).value)

_free: list[Any] = []  # arenas that no thread uses


@contextmanager
def arena() -> Iterator[None]:
    """Give this thread an arena of its own."""
    try:
        memory = _free.pop()
    except IndexError:
        memory = numpy.empty(ROOM // 8, numpy.int64)
        memory[END] = memory.ctypes.data + memory.nbytes
    memory[NEXT] = memory.ctypes.data + 8 * FIRST
    before = _api.PyThread_tss_get(_key)
    _api.PyThread_tss_set(_key, memory.ctypes.data)
    try:
        yield
    finally:
        _api.PyThread_tss_set(_key, before)
        _free.append(memory)


def _arena(builder: Any) -> Any:
    """Return the address of this thread's arena."""
    shape = ir.FunctionType(WORD.as_pointer(), [BYTE.as_pointer()])
    function = cgutils.get_or_insert_function(builder.module, shape, "outplay_arena_of_thread")
    for attribute in ("readnone", "nounwind"):  # the address is the same throughout a call, so LLVM may ask for it once
        function.attributes.add(attribute)
    key = builder.module.globals.get("outplay_arena_key")
    if key is None:
        key = ir.GlobalVariable(builder.module, BYTE, "outplay_arena_key")
    return builder.call(function, [key])


def _place(builder: Any, memory: Any, word: int) -> Any:
    return builder.gep(memory, [WORD(word)], inbounds=True)


def take(context: Any, builder: Any, size: Any) -> Any:
    """Return the address of *size* bytes, a multiple of 8; raise if there is no room."""
    memory = _arena(builder)
    found = builder.load(_place(builder, memory, NEXT))
    after = builder.add(found, size)
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">", after, builder.load(_place(builder, memory, END)))):
        context.call_conv.return_user_exc(builder, RuntimeError, (TOO_MUCH,))
    builder.store(after, _place(builder, memory, NEXT))
    return builder.inttoptr(found, BYTE.as_pointer())


@intrinsic
def empty_arena(typing_context: Any) -> Any:
    """Free everything in this thread's arena."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        memory = _arena(builder)
        first = builder.ptrtoint(_place(builder, memory, FIRST), WORD)
        builder.store(first, _place(builder, memory, NEXT))
        return context.get_dummy_value()

    return types.void(), generate


STRAIGHT = 1024  # bytes that are copied without a loop or a call
VECTOR = 32


def copy_bytes(builder: Any, target: Any, source: Any, size: int) -> None:
    """Copy *size* bytes, a constant, between places that do not overlap."""
    if size > STRAIGHT:
        cgutils.raw_memcpy(builder, target, source, WORD(size), 1)
        return
    target, source = (builder.bitcast(place, BYTE.as_pointer()) for place in (target, source))
    at = 0
    for width in (VECTOR, 16, 8, 4, 2, 1):
        kind = ir.VectorType(WORD, width // 8) if width > 8 else ir.IntType(8 * width)
        while size - at >= width:
            here, there = (
                builder.bitcast(builder.gep(place, [WORD(at)], inbounds=True), kind.as_pointer()) for place in (source, target)
            )
            builder.store(builder.load(here, align=1), there, align=1)
            at += width
