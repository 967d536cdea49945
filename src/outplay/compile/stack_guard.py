"""A guard for functions that call themselves: it raises an error before the stack overflows and the process crashes.

A compiler pass puts a call of `stack_check` at the start of each function that can call itself. The end of the stack is
looked up once for each thread and kept in the memory of the thread.
"""

import ctypes
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir as llvm_ir
from numba import njit, types
from numba.extending import intrinsic

from outplay.compile.fingerprint import source_of
from outplay.compile.names import attributes_in, globals_in
from outplay.compile.numba_private import (
    FunctionPass,
    cgutils,
    define,
    ir,
    register_pass,
)
from outplay.compile.primitives import WORD

MARGIN = 256 << 10  # bytes of stack for functions that do not call themselves
SHORT, LIMIT = "outplay_short_of_stack", "outplay_stack_limit"


def calls_itself(function: FunctionType, *, through_others: bool = False) -> bool:
    """Return whether *function* calls itself, directly or through other functions; or only whether it does *through_others*."""
    reached: set[FunctionType] = set()
    waiting = [found for found in _named(function) if not (through_others and found is function)]
    while waiting:
        found = waiting.pop()
        if found is function:
            return True
        if found not in reached:
            reached.add(found)
            waiting += _named(found)
    return False


def _named(function: FunctionType) -> Iterator[FunctionType]:
    code, scope = function.__code__, function.__globals__
    values = [scope[name] for name in globals_in(code) if name in scope]
    values += [cell.cell_contents for cell in function.__closure__ or () if cell != _EMPTY]
    for value in values:
        if isinstance(value, ModuleType):
            values += [vars(value)[name] for name in attributes_in(code) if name in vars(value)]
        elif isinstance(found := source_of(value), FunctionType):
            yield found


_EMPTY = type((lambda empty: lambda: empty)(0).__closure__[0])()  # type: ignore[index]


@intrinsic  # type: ignore[untyped-decorator]
def _short_of_stack(typing_context: Any) -> Any:
    """Return whether the stack of this thread is almost full."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        here = builder.ptrtoint(cgutils.alloca_once(builder, WORD), WORD)
        function = cgutils.get_or_insert_function(builder.module, llvm_ir.FunctionType(WORD, [WORD]), SHORT)
        return builder.icmp_unsigned("!=", builder.call(function, [here]), WORD(0))

    return types.boolean(), generate


@njit(nogil=True, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def stack_check():  # type: ignore[no-untyped-def]
    """Raise a RecursionError if the stack is almost full."""
    if _short_of_stack():
        raise RecursionError("it calls itself without end, or deeper than the stack allows")


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckTheStack(FunctionPass):  # type: ignore[misc]
    """The compiler pass that calls `stack_check` at the start of a function."""

    _name = "outplay_check_the_stack"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        found = state.func_ir
        block = found.blocks[min(found.blocks)]
        check = ir.Var(block.scope, "$outplay_check", block.loc)
        result = ir.Var(block.scope, "$outplay_checked", block.loc)
        values = ir.Global("stack_check", stack_check, block.loc), ir.Expr.call(check, (), (), block.loc)
        for place, (variable, value) in enumerate(zip((check, result), values, strict=True)):
            block.body.insert(place, ir.Assign(value, variable, block.loc))
            define(found, variable, value)
        return True


def _offer_symbols() -> Any:
    """Define the function by which compiled code checks the stack; return the objects that must stay alive."""
    library = ctypes.CDLL(None)
    key = ctypes.c_ulong(0)
    library.pthread_key_create(ctypes.byref(key), None)
    library.pthread_self.restype = ctypes.c_void_p

    @ctypes.CFUNCTYPE(ctypes.c_int64)  # type: ignore[untyped-decorator]
    def limit() -> int:
        low, size = _stack(library)
        found = low + min(MARGIN, size // 4)
        library.pthread_setspecific(key, ctypes.c_void_p(found))
        return found

    llvm.add_symbol(LIMIT, ctypes.cast(limit, ctypes.c_void_p).value)
    module = llvm.parse_assembly(
        f"""
        declare i64 @pthread_getspecific(i64)
        declare i64 @{LIMIT}()
        define i64 @{SHORT}(i64 %here) {{
            %held = call i64 @pthread_getspecific(i64 {key.value})
            %unknown = icmp eq i64 %held, 0
            br i1 %unknown, label %ask, label %known
        ask:
            %found = call i64 @{LIMIT}()
            br label %known
        known:
            %limit = phi i64 [%held, %0], [%found, %ask]
            %short = icmp ult i64 %here, %limit
            %said = zext i1 %short to i64
            ret i64 %said
        }}
        """
    )
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    llvm.add_symbol(SHORT, engine.get_function_address(SHORT))
    return limit, engine


def _stack(library: Any) -> tuple[int, int]:
    """Return the lowest address of this thread's stack, and its size."""
    thread = ctypes.c_void_p(library.pthread_self())
    if sys.platform == "darwin":
        library.pthread_get_stackaddr_np.restype, library.pthread_get_stacksize_np.restype = ctypes.c_void_p, ctypes.c_size_t
        size = library.pthread_get_stacksize_np(thread)
        return library.pthread_get_stackaddr_np(thread) - size, size
    attributes = ctypes.create_string_buffer(256)
    low, found = ctypes.c_void_p(), ctypes.c_size_t()
    library.pthread_getattr_np(thread, attributes)
    library.pthread_attr_getstack(attributes, ctypes.byref(low), ctypes.byref(found))
    library.pthread_attr_destroy(attributes)
    return low.value or 0, found.value


stack_can_be_checked = sys.platform != "win32"
_alive = _offer_symbols() if stack_can_be_checked else None
