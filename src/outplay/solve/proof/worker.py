"""One thread of a proof: its memory, and a proof in it."""

from typing import Any

from outplay.compile.engine import Engine
from outplay.runtime import meter
from outplay.runtime.growing_table import wipe
from outplay.solve.proof import layout
from outplay.solve.proof.kernel import ABANDONED, OUTSIDE
from outplay.solve.proof.table import Storage

UNKNOWN_WORK = 1 << 20  # as the average work of a ply: so much that nothing is thought to be near the leaves


class Worker:
    """Finds the values of states."""

    def __init__(self, engine: Engine, storage: Storage) -> None:
        self.engine, self.storage = engine, storage
        self.memory = engine.memory(layout.MOVES + 2 * engine.game.max_moves * (meter.PLIES + 1))
        self.memory[meter.MAX_MOVES] = engine.game.max_moves
        self.memory[meter.STRIDE] = meter.FIRST_STRIDE
        self.near = storage.near()
        self._handle = engine.handle(self.memory)
        self.lend()
        self.clear()

    def lend(self) -> None:
        """Use the tables in their present size."""
        self.storage.lend_to(self.memory, self.near)

    def clear(self) -> None:
        """Forget earlier proofs."""
        wipe(self.near)
        memory = self.memory
        memory[meter.NODES] = 0
        if isinstance(memory, dict):
            for place in range(layout.HISTORY, layout.MOVES):
                memory.pop(place, None)
            memory.update(dict.fromkeys(range(layout.WORKS, layout.HISTORY), UNKNOWN_WORK))
        else:
            memory[layout.HISTORY : layout.MOVES] = 0
            memory[layout.WORKS : layout.HISTORY] = UNKNOWN_WORK

    def run(self, state: Any, plies: int) -> int | None:
        """Return the value of *state*, or the nearer of its bounds if it lies beyond; None if the proof was abandoned."""
        memory = self.memory
        memory[meter.NEXT_LOOK] = memory[meter.NODES] + 1
        memory[meter.WHY] = memory[meter.TRAIL_LENGTH] = 0
        memory[layout.PLY_LIMIT] = plies
        value = self.engine.run(state, *self.arguments())
        return None if value == ABANDONED else int(value)

    def arguments(self) -> tuple[Any, ...]:
        """Return the kernel's arguments after the game and the state."""
        return OUTSIDE, layout.MOVES, 0, self._handle
