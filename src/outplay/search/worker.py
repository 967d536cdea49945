"""One thread of a search: its memory, and a search from the root in it."""

import math
from typing import Any

from outplay.compile.engine import Engine
from outplay.runtime import meter
from outplay.search import layout
from outplay.search.table import Storage

LITTLE = 1e-9  # less than the probability of one in a sample


class Worker:
    """Searches one state, depth after depth; in the *memory* of another worker if there is one, by turns with it."""

    def __init__(self, engine: Engine, state: Any, roots: int, storage: Storage, memory: Any = None) -> None:
        self.engine, self.state, self.roots, self.storage = engine, state, roots, storage
        self.who = int(engine.game.turn(state))
        self.max_moves = max_moves = engine.game.max_moves
        self.values = layout.ROOT + max_moves
        self.top = layout.ROOT + 2 * max_moves
        self.memory = engine.memory(self.top + 4 * max_moves * meter.PLIES) if memory is None else memory
        self.memory[meter.MAX_MOVES] = max_moves
        self.memory[meter.STRIDE] = meter.FIRST_STRIDE

    def run(self, depth: int, alpha: float, beta: float, mode: int, first: int) -> tuple[float, bool] | None:
        """Search the root *depth* moves ahead within (alpha, beta); None if it was abandoned."""
        memory = self.memory
        for place in range(layout.ROOT, layout.ROOT + min(self.roots, self.max_moves)):
            memory[place] = 0
        memory[meter.NEXT_LOOK] = memory[meter.NODES] + 1
        memory[meter.WHY] = memory[meter.TRAIL_LENGTH] = 0
        memory[layout.FIRST], memory[layout.BEST] = first, -1
        self.storage.lend_to(memory)
        if memory[meter.NODES] >= memory[meter.NODE_LIMIT]:
            memory[meter.WHY] = meter.BY_NODES
            return None
        memory[meter.NODES] += 1  # the root; the kernel counts what is below
        value, proven = self.engine.run(self.state, *self.arguments(depth, alpha, beta, mode))
        return None if math.isnan(value) else (float(value), bool(proven))

    def arguments(self, depth: int, alpha: float, beta: float, mode: int) -> tuple[Any, ...]:
        """Return the kernel's arguments after the game and the state."""
        return self.who, depth, 0, self.top, float(alpha), float(beta), mode | layout.LINE, self.memory

    def root_values(self) -> list[tuple[int, float]]:
        """Return for each root move a word with bound and proof (0 if it was not searched), and the value."""
        words = self.engine.words(self.memory, layout.ROOT, self.roots)
        return list(zip(words, self.engine.reals(self.memory, self.values, self.roots), strict=True))

    def outcome_values(self, number: int, *, sampled: bool) -> dict[int, tuple[int, float]]:
        """Return what `root_values` does for the outcomes of a chance root that has *number* of them, without the proof.

        The kernel keeps four words for each outcome: itself, its probability and the bounds of its value. Those of a sample come first.
        """
        choices = self.engine.words(self.memory, self.top, 4 * number)[::4]
        reals = self.engine.reals(self.memory, self.top, 4 * number)
        low, found, total = self.engine.game.low, {}, 0.0
        for choice, probability, least, most in zip(choices, reals[1::4], reals[2::4], reals[3::4], strict=True):
            if sampled and total > 1 - LITTLE:
                break
            total += probability
            # Where the two bounds differ, rounding has kept them apart.
            found[choice] = (layout.UPPER, most) if least < most else (layout.EXACT, least if least > low else most)
        return found
