"""A plain function, compiled together with every plain function that it calls, in any module."""

import types as python_types
from collections.abc import Callable
from typing import Any

import numba

from outplay.compile import clock, primitives, rows, vectors
from outplay.compile.cache import KernelCache
from outplay.compile.fingerprint import source_of
from outplay.compile.kernel_compiler import KernelCompiler
from outplay.compile.names import NATIVE_MODULES, attributes_in, globals_in
from outplay.compile.numba_private import use_cache
from outplay.compile.rule_compiler import rule_compiler
from outplay.compile.stack_guard import calls_itself
from outplay.rules import bits, memory, tuples

TWINS: dict[Any, Any] = {
    bits.count: primitives.count,
    bits.lowest: primitives.lowest,
    bits.highest: primitives.highest,
    bits.mix: primitives.mix,
    bits.unmix: primitives.unmix,
    bits.splitmix: primitives.splitmix,
    bits.bits_of: primitives.bits_of,
    bits.real_of: primitives.real_of,
    tuples.put: rows.put,
    clock.now: primitives.now,
    clock.raised: primitives.raised,
    memory.real_at: primitives.real_at,
    memory.put_real: primitives.put_real,
    memory.block: primitives.block,
    memory.prefetch: primitives.prefetch,
    memory.unlikely: primitives.unlikely,
    memory.add_word: primitives.add_word,
    memory.add_real: primitives.add_real,
    memory.replace_word: primitives.replace_word,
    memory.publish: primitives.publish,
    memory.latest: primitives.latest,
    memory.single_at: vectors.single_at,
    memory.put_single: vectors.put_single,
    memory.small_at: vectors.small_at,
    memory.copy_smalls: vectors.copy_smalls,
    memory.sum_rows: vectors.sum_rows,
    memory.sum_single_rows: vectors.sum_single_rows,
    memory.soften: vectors.soften,
    memory.add_to_rows: vectors.add_to_rows,
}


class HelperCompiler:
    """Compiles functions and their helpers, each once, with the same options.

    *tag* becomes part of every compiled symbol. Numba distinguishes functions of the same name by a number that each
    process counts from 0. Without the tag, code from the disk cache could be linked to a rule of another game.
    All functions get the name of this module, so that the compiled code does not depend on the path of a game's file.
    """

    def __init__(
        self, tag: str, *, keep: bool = False, inline: int = 0, wraps: bool = False, arena: bool = False, **options: Any
    ) -> None:
        self.tag = tag
        self.arena = arena  # whether functions run where the thread has an arena
        self.wraps = wraps  # whether ints of rules may wrap
        self.keep = keep  # keep helpers without a game on disk, for other games
        self.inline = inline  # functions with at most so many bytes of code are inlined
        self.options = {"nogil": True, "no_cfunc_wrapper": True, **options}
        self.done: dict[Any, Any] = {}
        self.instead: dict[type, Any] = {}  # what replaces a class in compiled functions
        self.modules: dict[python_types.ModuleType, python_types.ModuleType] = {}

    def kernel(self, function: Callable[..., Any], returns: Any) -> Any:
        """Return *function*, which calls itself and has the return type *returns*, as a Numba dispatcher."""
        dispatcher = self.compiled(function, called=True)
        code = function.__code__
        again = primitives.recursion(code.co_varnames[: code.co_argcount], returns)
        dispatcher.py_func.__globals__[function.__name__] = again
        return dispatcher

    def compiled(self, function: Callable[..., Any], *, called: bool = False) -> Any:
        """Return *function* as a Numba dispatcher whose helpers are dispatchers too; *called*: Python calls it."""
        if function in TWINS:
            return TWINS[function]
        function = source_of(function)  # a function that the user has compiled keeps old values of its constants
        if not isinstance(function, python_types.FunctionType):
            return function  # a builtin or a class: Numba knows it or reports an error
        if function not in self.done:
            code = function.__code__
            scope = {**function.__globals__, "__name__": __name__}
            cells = tuple(python_types.CellType() for _ in code.co_freevars)
            copy = python_types.FunctionType(code, scope, function.__name__, function.__defaults__, cells)
            copy.__kwdefaults__, copy.__module__ = function.__kwdefaults__, __name__
            copy.__qualname__ = f"{function.__qualname__}_{self.tag}"
            copy.outplay_arena = self.arena  # type: ignore[attr-defined]
            copy.outplay_bodies = {}  # type: ignore[attr-defined]
            copy.outplay_in_circle = calls_itself(function, through_others=True)  # type: ignore[attr-defined]
            inlined = hasattr(function, "inlined") or len(code.co_code) <= self.inline
            wrapped = called or hasattr(function, "wrapped")
            options = {"forceinline": inlined, "no_cpython_wrapper": not wrapped, **self.options}
            if self.keep:  # kernels are not guarded: they count their plies, and their ints stay small
                options["pipeline_class"] = KernelCompiler
            else:
                options["pipeline_class"] = rule_compiler(wraps=self.wraps, recursive=calls_itself(function))
            self.done[function] = numba.njit(**options)(copy)
            if not self.keep:
                copy.outplay_variant = _Variants(self.done[function], options)  # type: ignore[attr-defined]
            if self.keep and "game" not in code.co_varnames[: code.co_argcount]:
                use_cache(self.done[function], KernelCache(function, called=called))
            for cell, original in zip(cells, function.__closure__ or (), strict=True):
                cell.cell_contents = self.value(original.cell_contents, code)
            self.fill(scope, code)
        return self.done[function]

    def scope(self, function: Callable[..., Any]) -> dict[str, Any]:
        """Return the globals and the closure of *function* as one scope, with compiled helpers."""
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
            # A reloaded module has a new State class, but the game still starts with the old one.
            same = (known for known in self.instead if _twins(known, value))
            return self.instead.get(next(same, value), value)
        if isinstance(value, python_types.ModuleType) and value.__name__.partition(".")[0] not in NATIVE_MODULES:
            return self.module(value, code)
        return value

    def module(self, module: python_types.ModuleType, code: python_types.CodeType) -> python_types.ModuleType:
        """Return a copy of *module* in which the functions that *code* may call are compiled."""
        if module not in self.modules:
            self.modules[module] = python_types.ModuleType(module.__name__)
            self.modules[module].__dict__.update(module.__dict__)
        stand_in = self.modules[module]
        for name in attributes_in(code):
            if name in module.__dict__:
                stand_in.__dict__[name] = self.value(module.__dict__[name], code)
        return stand_in


class _Variants:
    """The variants of a compiled helper: it needs other guards for what is NumPy's than for what is Python's."""

    def __init__(self, usual: Any, options: dict[str, Any]) -> None:
        self.usual, self.options = usual, options
        self.known: dict[Any, Any] = {}
        self.under_way: set[Any] = set()

    def compiled(self, given: Any, arguments: Any) -> Any:
        """Return the helper, compiled for *arguments* of the kinds *given*; None if that is under way, in a circle of calls."""
        if (given, arguments) in self.under_way:
            return None
        variant = self.known.get(given) or self._copy(given)
        self.under_way.add((given, arguments))
        try:
            variant.compile(arguments)
        finally:
            self.under_way.discard((given, arguments))
        return variant

    def _copy(self, given: Any) -> Any:
        original = self.usual.py_func
        scope, cells = dict(original.__globals__), list(original.__closure__ or ())
        own = [place for place, cell in enumerate(cells) if cell.cell_contents is self.usual]  # it may call itself
        for place in own:
            cells[place] = python_types.CellType()
        copy = python_types.FunctionType(original.__code__, scope, original.__name__, original.__defaults__, tuple(cells))
        copy.__kwdefaults__, copy.__module__ = original.__kwdefaults__, __name__
        copy.__qualname__ = f"{original.__qualname__}_{len(self.known) + 1}"
        copy.outplay_arena, copy.outplay_bodies = original.outplay_arena, {}  # type: ignore[attr-defined]
        copy.outplay_given, copy.outplay_in_circle = given, original.outplay_in_circle  # type: ignore[attr-defined]
        variant = self.known[given] = numba.njit(**self.options)(copy)
        scope.update({name: variant for name, value in scope.items() if value is self.usual})
        for place in own:
            cells[place].cell_contents = variant
        return variant


def _nameless(kind: type[BaseException]) -> type[BaseException]:
    """Return a copy of a user's exception that can be pickled by value, not by the name of its module."""
    base = next(parent for parent in kind.__mro__ if parent.__module__ == "builtins")
    return type(kind.__name__, (base,), {"__module__": "outplay rules"})


def _twins(one: type, other: type) -> bool:
    """Return whether two classes are the same, or NamedTuples with the same name and fields."""
    fields = getattr(one, "_fields", None)
    return one is other or (
        fields is not None and fields == getattr(other, "_fields", None) and one.__qualname__ == other.__qualname__
    )
