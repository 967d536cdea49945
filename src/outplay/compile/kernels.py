"""Kernels: plain functions over a game, compiled for each game that they are called with, and kept on disk."""

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import types

from outplay.compile import announce, diagnose
from outplay.compile.cache import KernelCache
from outplay.compile.fingerprint import Fingerprint
from outplay.compile.primitives import WORDS, Words
from outplay.compile.rulebook import Rulebook, RulebookType, rulebook_of
from outplay.compile.walk import Walk
from outplay.rules.game import Game

_RETURNS = {
    "value": types.float64,
    "count": types.int64,
    "searched": types.Tuple((types.float64, types.boolean)),  # a value, and whether it is proven
}

_KINDS = {int: types.int64, float: types.float64, Words: WORDS}
_lock = threading.Lock()


def _own_code() -> str:
    """Return a digest of this room: what it makes of a game's rules is part of what is compiled."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


class Kernel:
    """A compiled kernel: *entry* is called from outside; *recursive*, if any, calls itself and returns *returns*."""

    def __init__(self, entry: Callable[..., Any], recursive: Callable[..., Any] | None, returns: str | None) -> None:
        walk = Walk(error_model="numpy")
        if recursive is not None and returns is not None:
            walk.kernel(recursive, _RETURNS[returns])
        self.dispatcher = walk.compiled(entry)
        self.cache = self.dispatcher._cache = KernelCache(Fingerprint(entry, recursive, _own_code()).digest)

    def prepare(self, game: Game, *arguments: Any) -> Rulebook:
        """Make sure that the kernel is compiled for *game* and such *arguments*; return the game's rulebook."""
        rulebook = rulebook_of(game)
        kinds = (RulebookType(rulebook.digest), rulebook.state_type, *(_KINDS[type(argument)] for argument in arguments))
        if kinds not in self.dispatcher.overloads:
            with _lock, diagnose.translated(game, rulebook), announce.compiling(game.name, cached=self.cache.has(kinds)):
                self.dispatcher.compile(kinds)
        return rulebook

    def __call__(self, game: Game, state: Any, *arguments: Any) -> Any:
        """Run the kernel on *state*, compiling it first if need be."""
        rulebook = self.prepare(game, *arguments)
        with diagnose.raised_by_a_rule(game):
            return self.dispatcher(rulebook, tuple(state), *arguments)
