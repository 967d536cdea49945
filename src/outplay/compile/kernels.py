"""Kernels: plain functions that take a game. They are compiled for each game and kept on disk."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from numba import types

from outplay.compile import announce, diagnose
from outplay.compile.arena import arena
from outplay.compile.cache import KernelCache
from outplay.compile.compiled_rules import CompiledRules, CompiledRulesType, can_be_stored, compiled_rules
from outplay.compile.fingerprint import rules_fingerprint
from outplay.compile.helper_compiler import HelperCompiler
from outplay.compile.numba_import import lock
from outplay.compile.numba_private import load_target, use_cache
from outplay.compile.primitives import WORDS, Words
from outplay.errors import OutplayError
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
        self.stores = not hasattr(function, "by_value")  # whether it has room for stored states
        self.by_value: set[str] = set()  # games whose states are not stored here, by their digests
        self._known: dict[tuple[Any, ...], tuple[Any, Any]] = {}  # rules and machine code, by digest and types

    def prepare(self, game: Game, digest: str, *arguments: Any) -> Callable[..., Any]:
        """Compile the kernel for *game* and *arguments* of these types, if necessary; return a function that runs it on a state.

        *digest* is that of the game's rules, as `rules_fingerprint` has just found them.
        """
        key = (digest, *map(type, arguments))
        known = self._known.get(key)
        if known is None:
            known = rules, _ = self._compiled(game, arguments)
            self._known[rules.fingerprint.digest, *key[1:]] = known  # the rules may have changed meanwhile
        rules, entry = known
        plan = rules.plan

        def run(state: Any, *arguments: Any) -> Any:
            try:
                return entry(rules, tuple(state), *arguments)
            except Exception:
                with diagnose.raised_by_a_rule(game):
                    raise

        if plan is None:
            return run

        def run_stored(state: Any, *arguments: Any) -> Any:
            try:
                with arena():
                    return entry(rules, plan.stored(state), *arguments)
            except Exception:
                with diagnose.raised_by_a_rule(game):
                    raise

        return run_stored

    def _compiled(self, game: Game, arguments: tuple[Any, ...]) -> tuple[CompiledRules, Callable[..., Any]]:
        """Return the compiled rules of *game*, and the machine code of the kernel for them."""
        rules = compiled_rules(
            game, stored=self.stores and can_be_stored(game) and rules_fingerprint(game).digest not in self.by_value
        )
        if (
            rules.plan is not None
            and not self._is_compiled(rules, arguments)
            and self._is_compiled(compiled_rules(game), arguments)
        ):
            rules = compiled_rules(game)  # another process has found that the rules need Numba's own tuples
            self.by_value.add(rules.digest)
        try:
            entry = self._entry(game, rules, arguments)
        except (OutplayError, MemoryError):
            raise
        except Exception:
            # The rules are wrong, or use a tuple in a way that only Numba's own tuples support. Compile with those, or explain.
            rules = compiled_rules(game)
            entry = self._entry(game, rules, arguments)
            self.by_value.add(rules.digest)
        return rules, entry

    def _kinds(self, rules: CompiledRules, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        return (CompiledRulesType(rules.digest), rules.state_type, *(_KINDS[type(argument)] for argument in arguments))

    def _is_compiled(self, rules: CompiledRules, arguments: tuple[Any, ...]) -> bool:
        kinds = self._kinds(rules, arguments)
        return kinds in self.dispatcher.overloads or self.cache.has(kinds)

    def _entry(self, game: Game, rules: CompiledRules, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the compiled kernel as Python calls it."""
        kinds = self._kinds(rules, arguments)
        if kinds not in self.dispatcher.overloads:
            explained = diagnose.translated(game, rules) if rules.plan is None else nullcontext()
            with (
                lock,
                explained,
                announce.compiling(game.name, rules.digest, cached=self.cache.has(kinds)),
                _no_collection(),
            ):
                self.dispatcher.compile(kinds)
        return self.dispatcher.overloads[kinds].entry_point  # type: ignore[no-any-return]  # the types are fixed: not looked up at each call
