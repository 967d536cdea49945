"""The memory of a proof's tables: a small one a thread, which stays in its cache, and a large one that grows with the proof."""

from typing import Any

from outplay.compile.engine import Engine
from outplay.errors import OptionError
from outplay.rules.memory import Memory
from outplay.solve.proof.layout import NEAR, TABLE
from outplay.solve.proof.table import BUCKET, ENTRY

BUCKET_BYTES = 8 * BUCKET
SMALL = 1 << 14  # buckets of the small table, and of the large one at first: 1 MiB, about what a core's own cache holds
GROWTH = 4
NODES_A_BUCKET = 256  # after so many the large table grows: few positions are worth an entry in it


class Storage:
    """The table that the workers of a proof share, and small ones of their own."""

    def __init__(self, engine: Engine, megabytes: float) -> None:
        if not (isinstance(megabytes, (int, float)) and 0 < megabytes <= 1 << 20):
            raise OptionError(
                f"table_mb={megabytes!r} must lie above 0 and up to {1 << 20:,}: the most memory that the table takes"
            )
        self.engine = engine
        self.largest = 1 << max(int(megabytes * (1 << 20)) // BUCKET_BYTES, 1).bit_length() - 1
        self.buckets = self.small = min(SMALL, self.largest)
        self.table = self.aligned(self.buckets)

    @property
    def patience(self) -> int:
        """After how many more nodes to `grow`."""
        return NODES_A_BUCKET * self.buckets if self.buckets < self.largest else 1 << 61

    def lend(self, memory: Any, near: Any) -> None:
        """Let the proof in *memory* use the table, and the small one *near* by itself."""
        memory[TABLE], memory[TABLE + 1] = self.engine.address(self.table), self.buckets - 1
        memory[NEAR], memory[NEAR + 1] = self.engine.address(near), self.small - 1

    def grow(self) -> None:
        """Have a larger table, within the bound and the machine's memory; everything known is kept."""
        wanted = min(self.buckets * GROWTH, self.largest)
        try:
            table = self.aligned(wanted)
            move = _move_words if isinstance(table, Memory) else _move_array
            move(self.table, table, wanted - 1)
        except MemoryError:
            self.largest = self.buckets
            return
        self.table, self.buckets = table, wanted

    def aligned(self, buckets: int) -> Any:
        """Return memory for so many *buckets*, each in one cache line."""
        memory = self.engine.memory((buckets + 1) * BUCKET)
        if isinstance(memory, Memory):
            return memory
        start = -memory.ctypes.data // 8 % BUCKET
        return memory[start : start + buckets * BUCKET]


def _move_words(old: Memory, new: Memory, mask: int) -> None:
    for at in [place for place in old if place % ENTRY == 0]:
        bucket = ((old[at] ^ old[at + 1]) & mask) * BUCKET
        new[bucket + at % BUCKET], new[bucket + at % BUCKET + 1] = old[at], old[at + 1]


def _move_array(old: Any, new: Any, mask: int) -> None:
    # The low bits of the key chose the bucket and more of them now do: two entries never meet.
    old, new = old.reshape(-1, BUCKET // ENTRY, ENTRY), new.reshape(-1, BUCKET // ENTRY, ENTRY)
    for slot in range(BUCKET // ENTRY):
        entries = old[old[:, slot, 1] != 0, slot]
        new[(entries[:, 0] ^ entries[:, 1]) & mask, slot] = entries


def wipe(table: Any) -> None:
    """Forget what is in *table*; its memory is kept, for fresh memory is slow."""
    if isinstance(table, Memory):
        table.clear()
    else:
        table[:] = 0
