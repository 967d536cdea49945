"""Kernels: plain functions that take a game. They are compiled for each game and kept on disk."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import types

from outplay.compile import announce, diagnose
from outplay.compile.cache import KernelCache
from outplay.compile.compiled_rules import CompiledRulesType, compiled_rules
from outplay.compile.helper_compiler import HelperCompiler
from outplay.compile.numba_import import lock
from outplay.compile.numba_private import load_target, use_cache
from outplay.compile.primitives import WORDS, Words
from outplay.rules.game import Game

_RETURNS = {
    "value": types.float64,
    "count": types.int64,
    "searched": types.Tuple((types.float64, types.boolean)),  # a value, and whether it is proven
}

_KINDS = {int: types.int64, float: types.float64, Words: WORDS}


@contextmanager
def _no_collection() -> Iterator[None]:
    """Suspend garbage collection: compiling makes many objects, and few of them die young."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def load_numba() -> None:
    """Load what Numba loads at its first use: this takes longer than loading a kernel from the disk."""
    with lock:
        load_target()


class Kernel:
    """A compiled kernel. *returns* is the return type of a kernel that calls itself."""

    def __init__(self, function: Callable[..., Any], returns: str | None) -> None:
        self.cache = KernelCache(function, called=True)
        compiler = HelperCompiler(self.cache.digest, keep=True, error_model="numpy")
        self.dispatcher = compiler.kernel(function, _RETURNS[returns]) if returns else compiler.compiled(function, called=True)
        use_cache(self.dispatcher, self.cache)
        self._known: dict[tuple[Any, ...], tuple[Any, Any]] = {}  # what `_entry` has found, by digest and types

    def prepare(self, game: Game, digest: str, *arguments: Any) -> Callable[..., Any]:
        """Compile the kernel for *game* and *arguments* of these types, if necessary; return a function that runs it on a state.

        *digest* is that of the game's rules, as `rules_fingerprint` has just found them.
        """
        key = (digest, *map(type, arguments))
        if key not in self._known:
            rules, entry = self._entry(game, arguments)
            if rules.digest != digest:  # the rules have changed meanwhile
                key = (rules.digest, *key[1:])
            self._known[key] = rules, entry
        rules, entry = self._known[key]

        def run(state: Any, *arguments: Any) -> Any:
            try:
                return entry(rules, tuple(state), *arguments)
            except Exception:
                with diagnose.raised_by_a_rule(game):
                    raise

        return run

    def _entry(self, game: Game, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
        """Return the compiled rules of *game*, and the machine code of the kernel for them; compile it if necessary."""
        rules = compiled_rules(game)
        kinds = (CompiledRulesType(rules.digest), rules.state_type, *(_KINDS[type(argument)] for argument in arguments))
        if kinds not in self.dispatcher.overloads:
            with (
                lock,
                diagnose.translated(game, rules),
                announce.compiling(game.name, rules.digest, cached=self.cache.has(kinds)),
                _no_collection(),
            ):
                self.dispatcher.compile(kinds)
        return rules, self.dispatcher.overloads[kinds].entry_point  # the types are fixed, so they are not looked up at each call
