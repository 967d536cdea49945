"""Procedures: plain functions over NumPy arrays and numbers. They know no game and are compiled once for all games.

A procedure is written like a kernel, and may call other plain functions. Its first call imports Numba and compiles it for the
types of its arguments. The compiled code is kept on disk and runs without the interpreter's lock.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from outplay.compile import announce
from outplay.compile.numba_import import import_numba


class Procedure:
    """A plain function that runs compiled; `plain` is the function itself."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.plain = function

    def __call__(self, *arguments: Any) -> Any:
        dispatcher = _dispatcher(self.plain)
        if not dispatcher.overloads:
            from numba import typeof

            with announce.counted():
                dispatcher.compile(tuple(map(typeof, arguments)))
        return dispatcher(*arguments)

    def __repr__(self) -> str:
        return f"<Procedure {self.plain.__qualname__}>"


def procedure(function: Callable[..., Any], *, compiled: bool = True) -> Callable[..., Any]:
    """Return *function* as a Procedure, or unchanged if it is not to be *compiled*."""
    return Procedure(function) if compiled else function


@cache
def _dispatcher(function: Callable[..., Any]) -> Any:
    import_numba()
    from outplay.compile.cache import KernelCache
    from outplay.compile.helper_compiler import HelperCompiler

    # `keep` keeps the function and its helpers on disk: none of them knows a game.
    return HelperCompiler(KernelCache(function, called=True).digest, keep=True, error_model="numpy").compiled(
        function, called=True
    )
