"""The progress of a solve while it runs, and the memory that it may take."""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from outplay.errors import Interrupted, OptionError, TooLarge
from outplay.runtime.stopper import Stopper

OFTEN = 0.2  # seconds from one report to the next
STATE_BYTES = 24  # about what a state takes while its table is made: its key, its value, and the keys of its children
GRAPH_STATE_BYTES = 64  # a state in a graph: key, turn, score, value, distance, places in lists
EDGE_BYTES = 16  # an edge of a graph, held forwards and backwards; once more for a probability, and once more for a reward
SHARE = 0.8  # of the free memory that a solve may take by default


Phase = Literal["memory", "states", "graph", "values", "file", "verify", "proof", "no table"]


@dataclass(frozen=True)
class Progress:
    """How far a solve is.

    `phase`: "memory" (before the start: `total` is how many states fit), "states" (being counted, `total` unknown), "graph",
    "values", "file", "verify" or "proof"; "no table" where a proof takes the place of a table, and `note` says why.
    """

    phase: Phase
    done: int
    total: int | None
    states: int  # known so far
    per_second: float
    seconds_left: float | None
    note: str = ""  # of a proof: what the value lies between


class Reporter:
    """Calls *progress* now and then, and checks whether *stopper* ends the solve."""

    def __init__(self, progress: Callable[[Progress], None] | None, stopper: Stopper | None = None) -> None:
        self._progress, self._stopper = progress, stopper
        self._phase, self._began, self._first, self._next = "", 0.0, 0, 0.0

    def __call__(self, phase: Phase, done: int, total: int | None, states: int, *, now: bool = False) -> None:
        """Report that *done* of *total* states are finished; *now* skips the usual delay. A stopped solve raises `Interrupted`."""
        if self._stopper is not None and self._stopper.stopped:
            raise Interrupted
        if self._progress is None:
            return
        time_now = time.monotonic()
        if phase != self._phase:
            self._phase, self._began, self._first = phase, time_now, done
        elif time_now < self._next and not now:
            return
        self._next = time_now + OFTEN
        elapsed = time_now - self._began
        speed = (done - self._first) / elapsed if elapsed > 0 else 0.0
        left = (total - done) / speed if total is not None and speed > 0 else None
        self._progress(Progress(phase, done, total, states, speed, left))


def graph_bytes(states: int, edges: int, *, chance: bool, rewards: bool = False) -> int:
    """Return about how much memory a graph takes while its values are found."""
    return GRAPH_STATE_BYTES * states + EDGE_BYTES * (1 + chance + rewards) * edges


class Budget:
    """The limits of a solve: memory in bytes, and the number of states."""

    def __init__(self, memory_mb: float | None, name: str, most: int | None = None) -> None:
        if memory_mb is not None and not (isinstance(memory_mb, (int, float)) and 0 < memory_mb < math.inf):
            raise OptionError(f"memory_mb={memory_mb!r} must be above 0: it is the most memory that the solve may take")
        self.bytes = int(free_memory() * SHARE) if memory_mb is None else int(memory_mb * (1 << 20))
        self.name, self.most = name, most

    @property
    def states(self) -> int:
        """About how many states fit."""
        return self.bytes // STATE_BYTES

    def check(self, held: int, states: int) -> None:
        """Raise `TooLarge` if *held* bytes or *states* states exceed the limits."""
        if self.most is not None and states > self.most:
            raise TooLarge(f"{self.name!r} has more than {self.most:,} states")
        if held > self.bytes:
            raise TooLarge(
                f"{self.name!r} has {states:,} states and more, and their table needs more than {self.bytes / (1 << 20):,.4g} MB: "
                'give a larger memory_mb, a state nearer to the end, or method="proof" for the value of one state'
            )


def free_memory() -> int:
    """Return how many bytes of memory are free."""
    import psutil

    free = int(psutil.virtual_memory().available)
    with suppress(OSError, ValueError):  # a container may have less
        group = Path("/sys/fs/cgroup")
        free = min(free, int((group / "memory.max").read_text()) - int((group / "memory.current").read_text()))
    return max(free, 0)
