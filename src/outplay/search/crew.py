"""The threads of a search: each with its own memory, all over one table. Whoever finishes a depth first has it."""

import math
from queue import SimpleQueue
from typing import Any

from outplay.compile.engine import Engine
from outplay.errors import GameError
from outplay.search import layout
from outplay.search.faults import fault
from outplay.search.stopper import Stopper
from outplay.search.storage import Storage
from outplay.search.threads import large, stack_for

Task = tuple[int, float, float, int, int]


class Worker:
    """One thread's memory, and a search from the root in it."""

    def __init__(self, engine: Engine, state: Any, roots: int, storage: Storage) -> None:
        self.engine, self.state, self.roots, self.storage = engine, state, roots, storage
        self.who = int(engine.game.turn(state))
        self.room = room = engine.game.max_moves
        self.values = layout.ROOT + room
        self.top = layout.ROOT + 2 * room
        self.memory = engine.memory(self.top + 4 * room * layout.PLIES)
        self.memory[layout.MAX_MOVES] = room
        self.memory[layout.STRIDE] = 64

    def run(self, depth: int, alpha: float, beta: float, mode: int, first: int) -> tuple[float, bool]:
        """Search the root *depth* moves ahead within (alpha, beta); NaN if it was abandoned."""
        memory = self.memory
        for place in range(layout.ROOT, layout.ROOT + min(self.roots, self.room)):
            memory[place] = 0
        memory[layout.NEXT_LOOK] = memory[layout.NODES] + 1
        memory[layout.WHY] = memory[layout.TRAIL_LENGTH] = 0
        memory[layout.FIRST], memory[layout.BEST] = first, -1
        self.storage.lend(memory)
        if memory[layout.NODES] >= memory[layout.NODE_LIMIT]:
            memory[layout.WHY] = layout.BY_NODES
            return math.nan, False
        memory[layout.NODES] += 1  # the root; the kernel counts what is below
        value, proven = self.engine.run(self.state, *self.arguments(depth, alpha, beta, mode))
        return float(value), bool(proven)

    def arguments(self, depth: int, alpha: float, beta: float, mode: int) -> tuple[Any, ...]:
        """Return what the kernel takes besides the game and the state."""
        return self.who, depth, 0, self.top, float(alpha), float(beta), mode | layout.LINE, self.memory

    def root_values(self) -> list[tuple[int, float]]:
        """Return of each root move what its value is (kind and proof in a word; 0 if it was not searched), and the value."""
        words = self.engine.words(self.memory, layout.ROOT, self.roots)
        return list(zip(words, self.engine.reals(self.memory, self.values, self.roots), strict=True))


class Crew:
    """The workers of one search. The first works in the caller's thread, the others in their own."""

    def __init__(self, engine: Engine, state: Any, roots: int, threads: int, storage: Storage) -> None:
        self.engine, self.state = engine, state
        self.workers = [Worker(engine, state, roots, storage) for _ in range(threads)]
        self.claims = engine.memory(layout.CLAIMS)
        for worker in self.workers:
            worker.memory[layout.CLAIMS_AT] = engine.address(self.claims)
        self._tasks: list[SimpleQueue[Task | None]] = [SimpleQueue() for _ in range(threads - 1)]
        self._reports: SimpleQueue[tuple[Worker, float, bool, BaseException | None]] = SimpleQueue()

    def __enter__(self) -> "Crew":
        for worker, tasks in zip(self.workers[1:], self._tasks, strict=True):
            large(lambda worker=worker, tasks=tasks: self._serve(worker, tasks), stack_for(self.engine.game))  # type: ignore[misc]
        return self

    def __exit__(self, *_: object) -> None:
        for tasks in self._tasks:
            tasks.put(None)

    def limit(self, deadline: int, nodes: int | None) -> None:
        """Set when all workers must end."""
        for worker in self.workers:
            worker.memory[layout.DEADLINE] = deadline
            worker.memory[layout.NODE_LIMIT] = layout.NEVER if nodes is None else max(nodes // len(self.workers), 1)

    def out_of_time(self) -> None:
        """End all workers, where compiled code cannot read the clock itself."""
        for worker in self.workers:
            worker.memory[layout.STOP] = 1

    def run(self, depth: int, alpha: float, beta: float, mode: int, first: int, stopper: Stopper) -> tuple[Worker, float, bool]:
        """Search one depth by all workers; return the one that finished first, or the first one if none did."""
        task = (depth, alpha, beta, mode | (layout.SHARED if self._tasks and mode & layout.TABLE else 0), first)
        for tasks in self._tasks:
            tasks.put(task)
        self._work(self.workers[0], task)
        reports = [self._reports.get() for _ in self.workers]
        for worker in self.workers:
            worker.memory[layout.STOP] = 0
        if stopper.stopped:  # looked at last: a stop that came in between is not lost
            stopper.stop()
        for _, _, _, error in reports:
            if error is not None:
                raise error
        for worker, value, proven, _ in reports:
            if not math.isnan(value):
                return worker, value, proven
        return self.workers[0], math.nan, False

    def _serve(self, worker: Worker, tasks: "SimpleQueue[Task | None]") -> None:
        while (task := tasks.get()) is not None:
            self._work(worker, task)

    def _work(self, worker: Worker, task: Task) -> None:
        value, proven, error = math.nan, False, None
        try:
            value, proven = worker.run(*task)
        except BaseException as raised:
            error = raised
        abandoned = math.isnan(value) and int(worker.memory[layout.WHY]) in (layout.BY_STOP, layout.BY_NODES)
        if not abandoned:  # found it, or out of time, or at fault: in each case the others need not go on
            for other in self.workers:
                if other is not worker:
                    other.memory[layout.STOP] = 1
        self._reports.put((worker, value, proven, error))

    def nodes(self) -> int:
        """Return how many nodes all workers have visited."""
        return self.total(layout.NODES)

    def total(self, place: int) -> int:
        """Return the sum of one word of the meter over all workers."""
        return sum(int(worker.memory[place]) for worker in self.workers)

    def fault(self, deep_enough: bool) -> GameError | None:
        """Return the error for which a worker had to end, if one had; too deep a tree is none if it is *deep_enough*."""
        for worker in self.workers:
            why = int(worker.memory[layout.WHY])
            if why > layout.BY_STOP and not (why == layout.TOO_DEEP and deep_enough):
                return fault(self.engine.game, self.state, worker.memory)
        return None
