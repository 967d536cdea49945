"""The threads of a search or a proof: each has its own memory, all share one table. The first to finish gives the result."""

import sys
import threading
from collections.abc import Sequence
from queue import SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from outplay.compile.engine import Engine
from outplay.errors import GameError
from outplay.runtime import meter
from outplay.runtime.faults import fault
from outplay.runtime.large_stack import stack_for, start_large
from outplay.runtime.stopper import Stopper

Task = tuple[Any, ...]


class Worker(Protocol):
    """A member of a crew. `run` takes the parts of a task; it returns None if the task was abandoned."""

    memory: Any

    def run(self, *task: Any) -> Any: ...


AnyWorker = TypeVar("AnyWorker", bound=Worker)
Report = tuple[AnyWorker, Any, BaseException | None]


class Crew(Generic[AnyWorker]):
    """The workers of one search. The first works in the caller's thread, the others in their own."""

    def __init__(self, engine: Engine, workers: Sequence[AnyWorker]) -> None:
        self.engine, self.workers = engine, workers
        if len(workers) > 1:
            self.claims = engine.memory(meter.CLAIMS)
            for worker in workers:
                worker.memory[meter.CLAIMS_AT] = engine.address(self.claims)
        self.is_timed = False  # whether a timer may still raise the stop flag after the workers have ended
        self._tasks: list[SimpleQueue[Task | None]] = [SimpleQueue() for _ in workers[1:]]
        self._reports: SimpleQueue[Report[AnyWorker]] = SimpleQueue()

    def __enter__(self) -> "Crew[AnyWorker]":
        for worker, tasks in zip(self.workers[1:], self._tasks, strict=True):
            start_large(lambda worker=worker, tasks=tasks: self._serve(worker, tasks), stack_for(self.engine.game))  # type: ignore[misc]
        return self

    def __exit__(self, *_: object) -> None:
        for tasks in self._tasks:
            tasks.put(None)

    @property
    def threads(self) -> int:
        """How many workers there are, a thread each."""
        return len(self.workers)

    @property
    def memories(self) -> list[Any]:
        """The memory of each worker."""
        return [worker.memory for worker in self.workers]

    def limit(self, deadline: int, nodes: int | None) -> None:
        """Set when all workers must end."""
        for worker in self.workers:
            worker.memory[meter.DEADLINE] = deadline
            worker.memory[meter.NODE_LIMIT] = meter.NEVER if nodes is None else max(nodes // self.threads, 1)

    def watch_time(self, seconds: float) -> None:
        """End all workers in so many *seconds*, where compiled code cannot read the clock itself."""
        if self.engine.compiled and sys.platform == "win32":
            self.is_timed = True
            timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._out_of_time)
            timer.daemon = True
            timer.start()

    def _out_of_time(self) -> None:
        for worker in self.workers:
            worker.memory[meter.STOP] = 1

    def run(self, task: Task, stopper: Stopper) -> tuple[AnyWorker, Any]:
        """Give *task* to all workers; return the worker that finished first and its result, or the first worker and None."""
        for tasks in self._tasks:
            tasks.put(task)
        reports = [self._work(self.workers[0], task)]
        if self._tasks:
            self._reports.put(reports.pop())
            reports = [self._reports.get() for _ in self.workers]
        for worker in self.workers:
            worker.memory[meter.STOP] = 0
        if stopper.stopped:  # looked at last: a stop that came in between is not lost
            stopper.stop()
        errors = [error for _, _, error in reports if error is not None][:1]
        if errors:
            reports.clear()  # a frame and an error that hold each other would keep the memory of the search
            raise errors.pop()
        for worker, found, _ in reports:
            if found is not None:
                return worker, found
        return self.workers[0], None

    def _serve(self, worker: AnyWorker, tasks: "SimpleQueue[Task | None]") -> None:
        while (task := tasks.get()) is not None:
            self._reports.put(self._work(worker, task))

    def _work(self, worker: AnyWorker, task: Task) -> Report[AnyWorker]:
        """Run *task*; return the worker, what it found, and the error that it raised."""
        found, error = None, None
        worker.memory[meter.BUSY] = threading.get_ident()
        try:
            found = worker.run(*task)
        except BaseException as raised:
            error = raised
        finally:
            worker.memory[meter.BUSY] = 0
        abandoned = found is None and error is None and int(worker.memory[meter.WHY]) in (meter.BY_STOP, meter.BY_NODES)
        if self._tasks and not abandoned:  # found it, or out of time, or at fault: in each case the others need not go on
            for other in self.workers:
                if other is not worker:
                    other.memory[meter.STOP] = 1
        try:
            return worker, found, error
        finally:
            error = None  # as in `run`

    def nodes(self) -> int:
        """Return how many nodes all workers have visited."""
        return self.total(meter.NODES)

    def total(self, place: int) -> int:
        """Return the sum of one word of the meter over all workers."""
        total = 0
        for worker in self.workers:  # mostly one: `sum` would take twice as long
            total += int(worker.memory[place])
        return total

    def ended_by(self, why: int) -> bool:
        """Return whether a worker ended for the reason *why*, one of the meter's."""
        return any(int(memory[meter.WHY]) == why for memory in self.memories)

    def fault(self, state: Any, deep_enough: bool) -> GameError | None:
        """Return the error that ended a worker, or None. A tree that is too deep is not an error if the search got *deep_enough*."""
        for worker in self.workers:
            why = int(worker.memory[meter.WHY])
            if why > meter.BY_STOP and not (why == meter.TOO_DEEP and deep_enough):
                return fault(self.engine.game, state, worker.memory)
        return None
