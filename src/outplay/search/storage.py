"""The memory of the transposition table: it grows with the search, as far as there is time to touch fresh memory."""

import math
from typing import Any

from outplay.compile.engine import Engine
from outplay.runtime.growing_table import BUCKET_BYTES, GrowingTable
from outplay.search.layout import AGE, TABLE_AT, TABLE_MASK
from outplay.search.table import ENTRY, PARTS

SMALLEST = 1 << 10  # buckets
BYTES_A_SECOND = 100 << 20  # that a table may grow for each second left: memory never touched before is slow


class Storage(GrowingTable):
    """A transposition table that workers share. A fresh large one costs more in page faults than a short search takes."""

    def __init__(self, engine: Engine, megabytes: float) -> None:
        super().__init__(engine, megabytes, entry=ENTRY, parts=PARTS, smallest=SMALLEST)
        self.age = self.earlier = 0  # of the entries now written, and of those that earlier searches wrote last

    def another(self) -> "Storage":
        """Return an empty table that may grow as large."""
        return Storage(self.engine, self.largest * BUCKET_BYTES / (1 << 20))

    def lend_to(self, memory: Any) -> None:
        """Let the search in *memory* use the table."""
        self.lend(memory, TABLE_AT, TABLE_MASK)
        memory[AGE] = self.age

    def grow(self, buckets: float, seconds: float = math.inf) -> None:
        """Have about so many *buckets*, as far as the bound and the *seconds* left allow."""
        wanted = self.buckets
        while wanted < min(buckets, self.largest) and 2 * wanted * BUCKET_BYTES < seconds * BYTES_A_SECOND:
            wanted *= 2
        if wanted > self.buckets:
            self.enlarge(wanted)
