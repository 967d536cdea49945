"""A plain function, compiled with every plain function that it names, in whichever module that stands."""

import types as python_types
from collections.abc import Callable
from typing import Any

import numba

from outplay.compile import clock, primitives
from outplay.compile.cache import KernelCache
from outplay.compile.fingerprint import source_of
from outplay.compile.names import NATIVE_MODULES, attributes_in, globals_in
from outplay.compile.numba_private import use_cache
from outplay.compile.stack_guard import GuardedCompiler, calls_itself
from outplay.rules import bits, memory, tuples

TWINS: dict[Any, Any] = {
    bits.count: primitives.count,
    bits.lowest: primitives.lowest,
    bits.highest: primitives.highest,
    bits.mix: primitives.mix,
    bits.unmix: primitives.unmix,
    bits.bits_of: primitives.bits_of,
    bits.real_of: primitives.real_of,
    tuples.put: primitives.put,
    clock.now: primitives.now,
    clock.raised: primitives.raised,
    memory.real_at: primitives.real_at,
    memory.put_real: primitives.put_real,
    memory.block: primitives.block,
    memory.prefetch: primitives.prefetch,
}


class HelperCompiler:
    """Compiles functions and their helpers, each once, with the same options.

    *tag* becomes part of every compiled symbol. Numba tells functions of one name apart by a number that each
    process counts anew; without the tag, code from the disk cache could be linked to another game's rule.
    All functions are said to stand in this module: where a game's file is loaded from, and under which name, must
    not be part of what is compiled.
    """

    def __init__(self, tag: str, *, keep: bool = False, inline: int = 0, **options: Any) -> None:
        self.tag = tag
        self.keep = keep  # helpers that know no game on disk, for other games to use
        self.inline = inline  # functions of so many bytes of code, or fewer, become part of their callers
        self.options = {"nogil": True, "no_cfunc_wrapper": True, **options}
        self.done: dict[Any, Any] = {}
        self.instead: dict[type, Any] = {}  # what stands for a class where a function names it
        self.modules: dict[python_types.ModuleType, python_types.ModuleType] = {}

    def kernel(self, function: Callable[..., Any], returns: Any) -> Any:
        """Return *function*, which calls itself and returns *returns*, as a Numba dispatcher."""
        dispatcher = self.compiled(function, called=True)
        code = function.__code__
        again = primitives.recursion(code.co_varnames[: code.co_argcount], returns)
        dispatcher.py_func.__globals__[function.__name__] = again
        return dispatcher

    def compiled(self, function: Callable[..., Any], *, called: bool = False) -> Any:
        """Return *function* as a Numba dispatcher whose helpers are dispatchers too; *called*: Python calls it, not only what is compiled."""
        if function in TWINS:
            return TWINS[function]
        function = source_of(function)  # what the user has compiled keeps the constants that it had then
        if not isinstance(function, python_types.FunctionType):
            return function  # a builtin or a class: Numba knows it or reports it
        if function not in self.done:
            code = function.__code__
            scope = {**function.__globals__, "__name__": __name__}
            cells = tuple(python_types.CellType() for _ in code.co_freevars)
            copy = python_types.FunctionType(code, scope, function.__name__, function.__defaults__, cells)
            copy.__kwdefaults__, copy.__module__ = function.__kwdefaults__, __name__
            copy.__qualname__ = f"{function.__qualname__}_{self.tag}"
            inlined = hasattr(function, "inlined") or len(code.co_code) <= self.inline
            options = {"forceinline": inlined, "no_cpython_wrapper": not called, **self.options}
            if not self.keep and calls_itself(function):  # a rule's; a kernel counts its plies
                options["pipeline_class"] = GuardedCompiler
            self.done[function] = numba.njit(**options)(copy)
            if self.keep and "game" not in code.co_varnames[: code.co_argcount]:
                use_cache(self.done[function], KernelCache(function, called=called))
            for cell, original in zip(cells, function.__closure__ or (), strict=True):
                cell.cell_contents = self.value(original.cell_contents, code)
            self.fill(scope, code)
        return self.done[function]

    def scope(self, function: Callable[..., Any]) -> dict[str, Any]:
        """Return the globals and closure of *function* as one scope, its helpers compiled."""
        code = function.__code__
        scope = {**function.__globals__, "__name__": __name__}
        self.fill(scope, code)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            scope[name] = self.value(cell.cell_contents, code)
        return scope

    def fill(self, scope: dict[str, Any], code: python_types.CodeType) -> None:
        for name in globals_in(code):
            if name in scope:
                scope[name] = self.value(scope[name], code)

    def value(self, value: Any, code: python_types.CodeType) -> Any:
        if isinstance(source_of(value), python_types.FunctionType):
            return self.compiled(value)
        if isinstance(value, type):
            if value not in self.instead and issubclass(value, BaseException) and value.__module__ != "builtins":
                self.instead[value] = _nameless(value)
            # A module that was reloaded has a new class of states, and the game still begins with the old one.
            same = (known for known in self.instead if _twins(known, value))
            return self.instead.get(next(same, value), value)
        if isinstance(value, python_types.ModuleType) and value.__name__.partition(".")[0] not in NATIVE_MODULES:
            return self.module(value, code)
        return value

    def module(self, module: python_types.ModuleType, code: python_types.CodeType) -> python_types.ModuleType:
        """Return a stand-in for *module* in which the functions that *code* may name are compiled."""
        if module not in self.modules:
            self.modules[module] = python_types.ModuleType(module.__name__)
            self.modules[module].__dict__.update(module.__dict__)
        stand_in = self.modules[module]
        for name in attributes_in(code):
            if name in module.__dict__:
                stand_in.__dict__[name] = self.value(module.__dict__[name], code)
        return stand_in


def _nameless(kind: type[BaseException]) -> type[BaseException]:
    """Return a stand-in for a user's exception that compiled code on disk can hold: whole, and not as a name in a module."""
    base = next(parent for parent in kind.__mro__ if parent.__module__ == "builtins")
    return type(kind.__name__, (base,), {"__module__": "outplay rules"})


def _twins(one: type, other: type) -> bool:
    """Tell whether two classes are one, or NamedTuples of the same name and fields."""
    fields = getattr(one, "_fields", None)
    return one is other or (
        fields is not None and fields == getattr(other, "_fields", None) and one.__qualname__ == other.__qualname__
    )
