"""`Prover`: the exact values of one position after another, by null windows over one table."""

import math
from collections.abc import Callable
from typing import Any

from outplay.compile.engine import Engine
from outplay.errors import GameError, Interrupted, TooLarge
from outplay.rules.game import Game
from outplay.runtime import meter
from outplay.runtime.crew import Crew
from outplay.runtime.growing_table import TABLE_MB, wipe
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.overdue import SearchWatch
from outplay.runtime.stopper import Stopper
from outplay.runtime.threads import thread_count
from outplay.search.search import search
from outplay.search.searcher import NODES_TO_REPEAT
from outplay.solve.proof import layout
from outplay.solve.proof.kernel import exceeds
from outplay.solve.proof.table import MOST, Storage
from outplay.solve.proof.worker import Worker

# A proof no larger runs where it is called, and is spared a thread of its own.
BRIEF_NODES, BRIEF_PLIES, BRIEF_WORDS = 20_000, 128, 16

Closing = Callable[[int, int, int], None]  # told the bounds as they close in, and the nodes so far


class NotWhole(GameError):
    """Raised for a game with other scores than whole numbers: null windows step from one whole score to the next."""


class Prover:
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
        self.game = game
        self.engine = Engine(game, exceeds, "count", compiled=compiled)
        self.storage = Storage(self.engine, table_mb)
        self.crew = Crew(self.engine, [Worker(self.engine, self.storage) for _ in range(threads)])
        self.engine.prepare(*self.crew.workers[0].arguments())
        words = sum(math.inf if field.kind == "array" else field.length or 1 for field in game.fields)
        self._brief = brief and threads == 1 and words <= BRIEF_WORDS

    @property
    def nodes(self) -> int:
        """How many nodes were visited since `clear`."""
        return self.crew.nodes()

    def clear(self) -> None:
        """Forget everything."""
        wipe(self.storage.memory)
        for worker in self.crew.workers:
            worker.clear()

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
        stopper = stopper or Stopper()

        def repeat() -> None:
            search(self.game, state, nodes=NODES_TO_REPEAT, compiled=False, check=False)

        overdue = SearchWatch(self.game, state, self.crew.memories, repeat, compiled=self.engine.compiled)

        def tick() -> None:
            overdue.look()
            if progress is not None:
                progress(*self._bounds(), self.nodes)

        return on_large_stack(
            lambda: self._at_length(state, stopper, last), stack_for(self.game), interrupt=stopper.stop, tick=tick
        )  # fmt: skip

    def _at_length(self, state: Any, stopper: Stopper, last: int | None) -> int:
        with self.crew, stopper.watching(self.crew.memories):
            while True:
                if last is not None and self.nodes >= last:
                    raise TooLarge(f"the value of {self.game.write_state(state)} takes more nodes to prove than are allowed")
                enough = self.nodes + self.storage.patience
                self.crew.limit(meter.NEVER, enough if last is None else min(enough, last))
                _, value = self.crew.run((state, meter.PLIES), stopper)
                if value is not None:
                    return int(value)
                if stopper.stopped:
                    low, high = self._bounds()
                    raise Interrupted(None, f"the proof was stopped; the value lies between {low} and {high}")
                self._raise_fault(state)
                self._bound(*self._bounds())
                if last is not None and self.nodes >= last:
                    continue
                self.storage.grow(stopper)
                for worker in self.crew.workers:
                    worker.lend()

    def _bound(self, low: int, high: int) -> None:
        """Tell all workers the bounds of the value."""
        for memory in self.crew.memories:
            memory[layout.LOW], memory[layout.HIGH] = low, high

    def _bounds(self) -> tuple[int, int]:
        """Return the narrowest bounds of the value that a worker has found."""
        memories = self.crew.memories
        return max(int(memory[layout.LOW]) for memory in memories), min(int(memory[layout.HIGH]) for memory in memories)

    def _raise_fault(self, state: Any) -> None:
        """Raise the error that ended a worker, unless it ended only for the table to grow."""
        if self.crew.ended_by(layout.NOT_WHOLE):
            raise NotWhole(f"{self.game.name!r} has scores with fractions: null windows cannot prove its values")
        fault = self.crew.fault(state, False)
        if fault is not None:
            raise fault
