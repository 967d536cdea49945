"""The transposition table: the functions with which the kernel reads and writes entries, and `Storage`, its memory.

It is a flat block of ints, in buckets of two entries, a cache line each.

    entry   check | value | meta | unused
    meta    age (8 bits) | move index (15) | depth (12) | proven (1) | bound (2)

The check is key ^ value ^ meta. An entry that two threads wrote at once fails it, so it is never believed.
"""

import math
from typing import Any

from outplay.compile.engine import Engine
from outplay.runtime.growing_table import BUCKET_BYTES, GrowingTable
from outplay.runtime.stopper import Stopper
from outplay.search.layout import AGE, EXACT, TABLE_AT, TABLE_MASK

ENTRY = 4
PARTS = 3  # words that are XORed to the key

# Where in the meta word each part stands, and how large it can be.
BOUND_BITS, PROVEN, DEPTH, MOVE, AGED = 3, 4, 3, 15, 30
DEEPEST, MOST_MOVES = 0xFFF, 0x7FFF


def find(table, bucket, key):
    """Return the place of *key*'s entry in the bucket; if it has none, that of the bucket's other entry."""
    if table[bucket] ^ table[bucket + 1] ^ table[bucket + 2] == key:
        return bucket
    return bucket + ENTRY


def worth(meta, age):
    """Return how much an entry is worth keeping: this age's before older ones, deep before shallow."""
    if meta == 0:
        return -1
    return (meta >> DEPTH & DEEPEST) + (2 * DEEPEST if meta >> AGED == age else 0) + (2 if meta & PROVEN else 0)


def store(table, bucket, key, bits, bound, proven, depth, move, age):
    """Write an entry over the same key's, or over the one of less worth; *bits* are the value's."""
    at = find(table, bucket, key)
    meta = table[at + 2]
    if table[at] ^ table[at + 1] ^ meta == key and meta != 0:
        if meta & PROVEN and meta & BOUND_BITS == EXACT and not proven:
            return  # nothing can be known better
    else:
        at = bucket
        if worth(table[bucket + ENTRY + 2], age) < worth(table[bucket + 2], age):
            at = bucket + ENTRY
    meta = bound | (PROVEN if proven else 0) | min(depth, DEEPEST) << DEPTH | move << MOVE | age << AGED
    table[at] = key ^ bits ^ meta
    table[at + 1] = bits
    table[at + 2] = meta


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

    def grow(self, buckets: float, seconds: float = math.inf, stopper: Stopper | None = None) -> None:
        """Have about so many *buckets*, as far as the bound and the *seconds* left allow, unless *stopper* stops the search."""
        wanted = self.buckets
        while wanted < min(buckets, self.largest) and 2 * wanted * BUCKET_BYTES < seconds * BYTES_A_SECOND:
            wanted *= 2
        if wanted > self.buckets:
            self.enlarge(wanted, stopper)
