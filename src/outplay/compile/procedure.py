"""Procedures: plain functions over NumPy arrays and numbers that know no game, compiled once for all games.

A procedure is written as a kernel is, and may call other plain functions. It is compiled when first called, for
such arguments as it is called with, kept on disk, and runs without the interpreter's lock. Numba is imported then.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from outplay.compile import announce
from outplay.compile.ready import get_ready


class Procedure:
    """What runs a plain function compiled; `plain` is the function itself, to be interpreted."""

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
    """Return what runs *function* compiled, or, unless *compiled*, the function as it stands."""
    return Procedure(function) if compiled else function


@cache
def _dispatcher(function: Callable[..., Any]) -> Any:
    get_ready()
    from outplay.compile.cache import KernelCache
    from outplay.compile.helper_compiler import HelperCompiler

    # `keep` puts what is compiled on disk, the function and its helpers alike: none of them knows a game.
    return HelperCompiler(KernelCache(function, called=True).digest, keep=True, error_model="numpy").compiled(
        function, called=True
    )
