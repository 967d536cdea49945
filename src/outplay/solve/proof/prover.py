"""`Prover`: the exact values of one position after another, by null windows over one table."""

import math
from collections.abc import Callable
from typing import Any

from outplay.compile.engine import Engine
from outplay.errors import GameError, Interrupted
from outplay.rules.game import Game
from outplay.runtime import meter
from outplay.runtime.growing_table import TABLE_MB
from outplay.runtime.stopper import Stopper
from outplay.runtime.threads import thread_count
from outplay.solve.proof import layout
from outplay.solve.proof.kernel import exceeds
from outplay.solve.proof.proof_crew import ProofCrew
from outplay.solve.proof.table import MOST, Storage
from outplay.solve.proof.worker import Worker

# A proof no larger runs where it is called, and is spared a thread of its own.
BRIEF_NODES, BRIEF_PLIES, BRIEF_WORDS = 20_000, 128, 16

Closing = Callable[[int, int, int], None]  # told the bounds as they close in, and the nodes so far


class NotWhole(GameError):
    """Raised for a game with other scores than whole numbers: null windows step from one whole score to the next."""


class Prover(ProofCrew[Worker]):
    """Proves values of one game. Its table helps with the next position, until `clear` is called."""

    def __init__(
        self, game: Game, *, threads: int | None = 1, table_mb: float = TABLE_MB, compiled: bool = True, brief: bool = True
    ) -> None:
        """*brief*: small proofs run in the caller's thread, where nothing can end a rule that never returns."""
        threads = thread_count(threads)
        if game.chances is not None or not -MOST < game.low < game.high < MOST:
            raise NotWhole(
                f"{game.name!r} has chance in it, or scores of {MOST:,} and more: null windows cannot prove its values"
            )
        engine = Engine(game, exceeds, "count", compiled=compiled)
        storage = Storage(engine, table_mb)
        super().__init__(engine, storage, [Worker(engine, storage) for _ in range(threads)])
        engine.prepare(*self.crew.workers[0].arguments())
        words = sum(math.inf if field.kind == "array" else field.length or 1 for field in game.fields)
        self._brief = brief and threads == 1 and words <= BRIEF_WORDS

    def value(
        self, state: Any = None, *, nodes: int | None = None, stopper: Stopper | None = None, progress: Closing | None = None
    ) -> int:
        """Return the value of *state* (the start, if none is given) to player 0; `TooLarge` if that takes more than *nodes* nodes."""
        state = self.game.start if state is None else self.game.state(state)
        return self._between(state, math.floor(self.game.low), math.ceil(self.game.high), stopper, progress, nodes)

    def exceeds(self, state: Any, threshold: int, *, stopper: Stopper | None = None) -> bool:
        """Return whether *state* is worth more than *threshold* to player 0."""
        return self._between(state, threshold, threshold + 1, stopper, None) > threshold

    def _between(
        self, state: Any, low: int, high: int, stopper: Stopper | None, progress: Closing | None, nodes: int | None = None
    ) -> int:
        """Return the value of *state*; if it lies outside [low, high], the nearer end."""
        self._bound(low, high)
        last = None if nodes is None else self.nodes + nodes
        if self._brief:
            self.crew.limit(meter.NEVER, self.nodes + min(BRIEF_NODES, nodes or BRIEF_NODES))
            value = self.crew.workers[0].run(state, BRIEF_PLIES)
            if value is not None:
                return value
        tick = None if progress is None else lambda: progress(*self._bounds(), self.nodes)
        return int(self.run_at_length(state, (state, meter.PLIES), stopper, tick, last=last))

    def _bound(self, low: int, high: int) -> None:
        """Tell all workers the bounds of the value."""
        for memory in self.crew.memories:
            memory[layout.LOW], memory[layout.HIGH] = low, high

    def _bounds(self) -> tuple[int, int]:
        """Return the narrowest bounds of the value that a worker has found."""
        memories = self.crew.memories
        return max(int(memory[layout.LOW]) for memory in memories), min(int(memory[layout.HIGH]) for memory in memories)

    def stopped(self) -> BaseException:
        """Return the error that says what the value lies between."""
        low, high = self._bounds()
        return Interrupted(None, f"the proof was stopped; the value lies between {low} and {high}")

    def raise_fault(self, state: Any) -> None:
        """Raise the error that ended a worker, or tell all workers the bounds that were found."""
        if self.crew.ended_by(layout.NOT_WHOLE):
            raise NotWhole(f"{self.game.name!r} has scores with fractions: null windows cannot prove its values")
        super().raise_fault(state)
        self._bound(*self._bounds())
