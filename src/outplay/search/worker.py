"""One thread of a search: its memory, and a search from the root in it."""

import math
from typing import Any

from outplay.compile.engine import Engine
from outplay.runtime import meter
from outplay.search import layout
from outplay.search.table import Storage

LITTLE = 1e-9  # less than the probability of any outcome in a sample
SPARES = 2  # blocks of memory kept for later searches
SPARE_WORDS = 1 << 24  # of the largest block that is kept; most of it is address space that is never touched

# Memory of searches that ended, with its handle: fresh memory costs more than a short search.
_spare: list[tuple[Any, Any]] = []


class Worker:
    """Searches one state, in which *who* acts, depth after depth.

    *memory*, with its handle for the kernel, is that of another worker, if the two take turns.
    """

    def __init__(self, engine: Engine, state: Any, who: int, storage: Storage, memory: tuple[Any, Any] | None = None) -> None:
        self.engine, self.state, self.who, self.storage = engine, state, int(who), storage
        max_moves = engine.game.max_moves
        self.values = layout.ROOT + max_moves
        self.top = layout.ROOT + 2 * max_moves
        self.memory, self.handle = self._new_memory(self.top + 4 * max_moves * meter.PLIES) if memory is None else memory
        self.memory[meter.MAX_MOVES] = max_moves
        self.memory[meter.STRIDE] = meter.FIRST_STRIDE

    def _new_memory(self, words: int) -> tuple[Any, Any]:
        """Return memory of a search that ended, if there is any, or else fresh memory; and its handle for the kernel."""
        if self.engine.shares_memory and _spare:
            try:
                memory, handle = _spare.pop()
            except IndexError:  # another thread was faster
                memory = ()
            if len(memory) >= words:
                if int(memory[meter.MAX_MOVES]) != self.engine.game.max_moves:
                    memory[layout.ROOT : self.values] = 0  # another game may have had its moves there
                return memory, handle
        memory = self.engine.memory(words)
        return memory, self.engine.handle(memory)

    def release(self) -> None:
        """Leave the memory to later searches. The search must have ended, and nobody else may hold its memory."""
        memory = self.memory
        if self.engine.shares_memory and len(_spare) < SPARES and len(memory) <= SPARE_WORDS:
            # A search writes the rest before it reads it.
            self._forget_roots()
            if memory[layout.HEATED]:
                memory[layout.KILLERS : layout.REPLIES] = 0
            if self.engine.game.chances is not None:
                memory[layout.REPLIES : layout.LENGTHS] = 0
            memory[: meter.METER] = 0
            memory[meter.MAX_MOVES] = self.engine.game.max_moves
            _spare.append((memory, self.handle))

    def run(self, depth: int, alpha: float, beta: float, mode: int, first: int) -> tuple[float, bool] | None:
        """Search the root *depth* moves ahead within (alpha, beta); None if it was abandoned."""
        memory = self.memory
        self._forget_roots()
        nodes = int(memory[meter.NODES])
        memory[meter.NEXT_LOOK] = nodes + 1
        memory[meter.WHY] = memory[meter.TRAIL_LENGTH] = 0
        memory[layout.FIRST], memory[layout.BEST] = first, -1
        memory[layout.WASTED] = 0
        if mode & layout.TABLE and depth > 1:  # a search of one move looks nothing up
            self.storage.lend_to(memory)
        if nodes >= memory[meter.NODE_LIMIT]:
            memory[meter.WHY] = meter.BY_NODES
            return None
        memory[meter.NODES] = nodes + 1  # the root; the kernel counts what is below
        value, proven = self.engine.call(self.state, *self.arguments(depth, alpha, beta, mode))
        return None if math.isnan(value) else (float(value), bool(proven))

    def _forget_roots(self) -> None:
        """Clear what the last search in this memory found about its root moves."""
        number = int(self.memory[layout.ROOT_MOVES])
        if number == 0:
            return
        self.memory[layout.ROOT_MOVES] = 0
        if self.engine.compiled:
            self.memory[layout.ROOT : layout.ROOT + number] = 0
        else:
            for place in range(layout.ROOT, layout.ROOT + number):
                self.memory[place] = 0

    def arguments(self, depth: int, alpha: float, beta: float, mode: int) -> tuple[Any, ...]:
        """Return the kernel's arguments after the game and the state."""
        return self.who, depth, 0, self.top, float(alpha), float(beta), mode | layout.LINE, self.handle

    def root_moves(self) -> list[int]:
        """Return the moves of the root, which the last run has looked up; none where chance acts."""
        return self.engine.words(self.memory, self.top, int(self.memory[layout.ROOT_MOVES]))

    def root_values(self) -> tuple[list[int], list[float]]:
        """Return a word for each root move with bound and proof (0 if it was not searched), and the value of each."""
        number = int(self.memory[layout.ROOT_MOVES])
        words = self.engine.words(self.memory, layout.ROOT, number)
        if self.engine.compiled:  # its own view of the memory: making one takes longer than reading it
            return words, self.handle.reals[self.values : self.values + number].tolist()
        return words, self.engine.reals(self.memory, self.values, number)

    def outcome_values(self, number: int, *, sampled: bool) -> dict[int, tuple[int, float]]:
        """Return for each outcome of a chance root that has *number* of them a word with its bound, and the value.

        The kernel keeps four words for each outcome: itself, its probability and the bounds of its value. Those of a sample come first.
        """
        choices = self.engine.words(self.memory, self.top, 4 * number)[::4]
        reals = self.engine.reals(self.memory, self.top, 4 * number)
        low, found, total = self.engine.game.low, {}, 0.0
        for choice, probability, least, most in zip(choices, reals[1::4], reals[2::4], reals[3::4], strict=True):
            if sampled and total > 1 - LITTLE:
                break
            total += probability
            # The two bounds differ only by rounding.
            found[choice] = (layout.UPPER, most) if least < most else (layout.EXACT, least if least > low else most)
        return found
