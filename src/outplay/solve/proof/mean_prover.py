"""`MeanProver`: the exact mean result of best play in a game with chance, one position after another, over one table."""

from collections.abc import Callable
from typing import Any

from outplay.compile.engine import Engine
from outplay.errors import Interrupted
from outplay.rules.game import OVER, Game
from outplay.runtime import meter
from outplay.runtime.growing_table import BUCKET, TABLE_MB, wipe
from outplay.runtime.stopper import Stopper
from outplay.runtime.threads import thread_count
from outplay.solve.proof import layout
from outplay.solve.proof.mean_kernel import expected
from outplay.solve.proof.proof_crew import ProofCrew
from outplay.solve.proof.table import ENTRY, Storage

WIDTH = 5  # words for a child: an outcome and its probability take four, its value one


class MeanWorker:
    """One thread of such a proof, with its memory."""

    def __init__(self, engine: Engine, storage: Storage, number: int) -> None:
        self.engine, self.storage = engine, storage
        self.memory = engine.memory(layout.WORKS + WIDTH * engine.game.max_moves * (meter.PLIES + 1))
        self.memory[meter.MAX_MOVES] = engine.game.max_moves
        self.memory[meter.STRIDE] = meter.FIRST_STRIDE
        self.memory[layout.THREAD] = number
        self.near = storage.near()
        self._handle = engine.handle(self.memory)
        self.lend()

    def lend(self) -> None:
        """Use the tables in their present size."""
        self.storage.lend_to(self.memory, self.near)
        self.memory[layout.NEAR_BUCKETS] = self.storage.smallest * (BUCKET // ENTRY) - 1  # an entry is a bucket here

    def clear(self) -> None:
        """Forget earlier proofs."""
        wipe(self.near)
        self.memory[meter.NODES] = 0

    def run(self, state: Any, who: int) -> float | None:
        """Return the value of *state*, where *who* acts; None if the proof was abandoned."""
        memory = self.memory
        memory[meter.NEXT_LOOK] = memory[meter.NODES] + 1
        memory[meter.WHY] = memory[meter.TRAIL_LENGTH] = 0
        memory[layout.PLY_LIMIT] = meter.PLIES
        value = float(self.engine.run(state, *self.arguments(who)))
        return None if value != value else value

    def arguments(self, who: int) -> tuple[Any, ...]:
        """Return the kernel's arguments after the game and the state."""
        return who, 0, layout.WORKS, self._handle


class MeanProver(ProofCrew[MeanWorker]):
    """Finds values of one game. Its tables help with the next position, until `clear` is called."""

    def __init__(self, game: Game, *, threads: int | None = 1, table_mb: float = TABLE_MB, compiled: bool = True) -> None:
        engine = Engine(game, expected, "value", compiled=compiled)
        storage = Storage(engine, table_mb)
        super().__init__(engine, storage, [MeanWorker(engine, storage, number) for number in range(thread_count(threads))])
        engine.prepare(*self.crew.workers[0].arguments(0))

    def value(self, state: Any = None, *, stopper: Stopper | None = None, progress: Callable[[int], None] | None = None) -> float:
        """Return the value of *state* (the start, if none is given) to player 0. *progress* is told the nodes so far."""
        state = self.game.start if state is None else self.game.state(state)
        who = self.game.acting(state)
        if who == OVER:
            return float(self.game.score(state))
        tick = None if progress is None else lambda: progress(self.nodes)
        return float(self.run_at_length(state, (state, who), stopper, tick))

    def stopped(self) -> BaseException:
        """Return the error that says how far a stopped proof came."""
        return Interrupted(None, f"the proof was stopped after {self.nodes:,} nodes; nothing is known of the value yet")
