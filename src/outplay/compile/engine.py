"""A kernel on a game, compiled or interpreted, with the same calls. Imports Numba only to compile."""

import sys
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, Literal

from outplay.compile.fingerprint import rules_fingerprint
from outplay.compile.learned_estimate import LearnedEstimate
from outplay.compile.numba_import import import_numba
from outplay.rules.game import Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import NETWORK, Memory
from outplay.rules.rule_errors import rule_errors

Returns = Literal["value", "count", "searched"]  # what a kernel that calls itself returns

DEEP = 4000  # Python frames that an interpreted kernel may need


class Engine:
    """Runs a kernel on one game.

    *returns* is the result of a kernel that calls itself: "value", "count" or "searched" (a value, and whether it is proven).
    *plain* replaces the rules of an interpreted kernel, for example by rules that also record the search.
    """

    def __init__(
        self,
        game: Game,
        kernel: Callable[..., Any],
        returns: Returns | None = None,
        *,
        compiled: bool = True,
        plain: InterpretedRules | None = None,
    ) -> None:
        self.game, self.compiled = game, compiled
        self._function, self._given = kernel, plain
        self._kernel = _kernel(kernel, returns) if compiled else None
        self._ready: Any = None

    @cached_property
    def _plain(self) -> InterpretedRules:
        return InterpretedRules(self.game) if self._given is None else self._given

    @property
    def shares_memory(self) -> bool:
        """Whether another engine may use the memory of this one afterwards; not if it holds the address of a learned estimate."""
        return self.compiled and not isinstance(self.game.estimate, LearnedEstimate)

    def memory(self, words: int) -> Any:
        """Return *words* words of memory, all zero, except for the address of a learned estimate."""
        if self._kernel is None:
            return Memory()
        import numpy

        learned = self.game.estimate
        if not isinstance(learned, LearnedEstimate) or words <= NETWORK:
            return numpy.zeros(words, numpy.int64)
        memory = numpy.zeros(words + learned.view_words, numpy.int64)
        memory[NETWORK] = learned.write_view(memory, words)
        return memory

    def address(self, memory: Any) -> Any:
        """Return the word by which a kernel finds *memory*."""
        return memory if self._kernel is None else memory.ctypes.data

    def handle(self, memory: Any) -> Any:
        """Return *memory* as a kernel takes it, for many calls. `run` makes a handle of an array at each call."""
        if self._kernel is None:
            return memory
        from outplay.compile.primitives import Words

        return Words(memory)

    def words(self, memory: Any, place: int, number: int) -> list[int]:
        """Return *number* ints from *place* on."""
        if self._kernel is None:
            return [memory[place + index] for index in range(number)]
        return memory[place : place + number].tolist()  # type: ignore[no-any-return]

    def reals(self, memory: Any, place: int, number: int) -> list[float]:
        """Return *number* floats from *place* on."""
        if self._kernel is None:
            return [float(memory[place + index]) for index in range(number)]
        return memory[place : place + number].view(float).tolist()  # type: ignore[no-any-return]

    def estimate(self, state: Any) -> float:
        """Return the estimate of *state*, interpreted; 0 if the game has none, or if it is not a number."""
        try:
            return self._plain.estimate(state)
        except Exception:
            return 0.0

    def rank(self, state: Any, move: int) -> float:
        """Return the rank of *move*, interpreted; 0 if the game has none, or if it is not a number."""
        try:
            return self._plain.rank(state, move)
        except Exception:
            return 0.0

    def prepare(self, *arguments: Any, digest: str | None = None) -> None:
        """Compile the kernel now for arguments of these types, so that a later `run` starts at once.

        *digest* is the digest of the rules, if the caller has just looked it up.
        """
        if self._kernel is not None and self._ready is None:
            digest = digest or rules_fingerprint(self.game).digest
            self._ready = self._kernel.prepare(self.game, digest, *self._passed(arguments))

    def run(self, state: Any, *arguments: Any) -> Any:
        """Run the kernel on *state*."""
        return self.call(state, *(arguments if self._kernel is None else self._passed(arguments)))

    def call(self, state: Any, *arguments: Any) -> Any:
        """Run the kernel on *state*; each block of memory is given by its handle."""
        if self._kernel is not None:
            if self._ready is None:
                self.prepare(*arguments)
            return self._ready(state, *arguments)
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, DEEP))
        try:
            with rule_errors(self.game):
                return self._function(self._plain, state, *arguments)
        finally:
            sys.setrecursionlimit(limit)

    def _passed(self, arguments: tuple[Any, ...]) -> list[Any]:
        return [self.handle(argument) if hasattr(argument, "ctypes") else argument for argument in arguments]


@cache
def _kernel(function: Callable[..., Any], returns: Returns | None) -> Any:
    import_numba()
    from outplay.compile.kernels import Kernel

    return Kernel(function, returns)
