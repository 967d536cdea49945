"""What both kinds of proof have in common: threads over one table, which grows; a stopper; errors of rules."""

from collections.abc import Callable
from typing import Any, Generic, NoReturn

from outplay.compile.engine import Engine
from outplay.errors import TooLarge
from outplay.rules.pickling import refused
from outplay.runtime import meter
from outplay.runtime.crew import AnyWorker, Crew
from outplay.runtime.growing_table import wipe
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.overdue import SearchWatch
from outplay.runtime.stopper import Stopper
from outplay.search.search import search
from outplay.search.searcher import NODES_TO_REPEAT, SECONDS_TO_REPEAT
from outplay.solve.proof.table import Storage


class ProofCrew(Generic[AnyWorker]):
    """The workers of a proof. Each has `lend` to use the table in its present size, and `clear` to forget."""

    def __init__(self, engine: Engine, storage: Storage, workers: list[AnyWorker]) -> None:
        self.engine, self.game, self.storage = engine, engine.game, storage
        self.crew = Crew(engine, workers)

    def __reduce__(self) -> NoReturn:
        refused("Prover", "it holds threads and the table of its proofs", "make another one with Prover(game)")

    @property
    def nodes(self) -> int:
        """How many nodes were visited since `clear`."""
        return self.crew.nodes()

    def clear(self) -> None:
        """Forget everything."""
        wipe(self.storage.memory)
        for worker in self.crew.workers:
            worker.clear()  # type: ignore[attr-defined]

    def run_at_length(
        self,
        state: Any,
        task: tuple[Any, ...],
        stopper: Stopper | None,
        tick: Callable[[], None] | None,
        *,
        last: int | None = None,
    ) -> Any:
        """Return the first result of *task*, on threads with a large stack. *tick* is called now and then.

        `TooLarge` is raised once *last* nodes are visited.
        """
        stopper = stopper or Stopper()

        def repeat() -> None:
            search(self.game, state, nodes=NODES_TO_REPEAT, seconds=SECONDS_TO_REPEAT, compiled=False, check=False)

        overdue = SearchWatch(self.game, state, self.crew.memories, repeat, compiled=self.engine.compiled)

        def look() -> None:
            overdue.look()
            if tick is not None:
                tick()

        return on_large_stack(
            lambda: self._until_found(state, task, stopper, last), stack_for(self.game), interrupt=stopper.stop, tick=look
        )  # fmt: skip

    def _until_found(self, state: Any, task: tuple[Any, ...], stopper: Stopper, last: int | None) -> Any:
        """Run *task*, each time with a larger table, until it is not abandoned; the table keeps what was found."""
        with self.crew, stopper.watching(self.crew.memories):
            while True:
                enough = self.nodes + self.storage.patience
                self.crew.limit(meter.NEVER, enough if last is None else min(enough, last))
                _, value = self.crew.run(task, stopper)
                if value is not None:
                    return value
                if stopper.stopped:
                    raise self.stopped()
                self.raise_fault(state)
                if last is not None and self.nodes > last - self.crew.threads:  # each thread has its share of them
                    raise TooLarge(f"the value of {self.game.write_state(state)} takes more nodes to prove than are allowed")
                self.storage.grow(stopper)
                for worker in self.crew.workers:
                    worker.lend()  # type: ignore[attr-defined]

    def stopped(self) -> BaseException:
        """Return the error that says how far a stopped proof came."""
        raise NotImplementedError

    def raise_fault(self, state: Any) -> None:
        """Raise the error that ended a worker, unless it ended only for the table to grow."""
        fault = self.crew.fault(state, False)
        if fault is not None:
            raise fault
