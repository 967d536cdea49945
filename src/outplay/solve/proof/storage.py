"""The memory of a proof's tables: a small one a thread, which stays in its cache, and a large one that grows with the proof."""

from typing import Any

from outplay.compile.engine import Engine
from outplay.runtime.growing_table import GrowingTable
from outplay.solve.proof.layout import NEAR, NEAR_BUCKETS, TABLE, TABLE_BUCKETS
from outplay.solve.proof.table import ENTRY, PARTS

SMALL = 1 << 14  # buckets of the small table, and of the large one at first: 1 MiB, about what a core's own cache holds
GROWTH = 4
NODES_A_BUCKET = 256  # after so many the large table grows: few positions are worth an entry in it


class Storage(GrowingTable):
    """The table that the workers of a proof share."""

    def __init__(self, engine: Engine, megabytes: float) -> None:
        super().__init__(engine, megabytes, entry=ENTRY, parts=PARTS, smallest=SMALL)

    @property
    def patience(self) -> int:
        """After how many more nodes to `grow`."""
        return NODES_A_BUCKET * self.buckets if self.buckets < self.largest else 1 << 61

    def near(self) -> Any:
        """Return the memory of a small table for one worker."""
        return self.aligned(self.smallest)

    def lend_to(self, memory: Any, near: Any) -> None:
        """Let the proof in *memory* use the table, and the small one *near* by itself."""
        self.lend(memory, TABLE, TABLE_BUCKETS)
        memory[NEAR], memory[NEAR_BUCKETS] = self.engine.address(near), self.smallest - 1

    def grow(self) -> None:
        """Have a larger table, within the bound."""
        self.enlarge(min(self.buckets * GROWTH, self.largest))
