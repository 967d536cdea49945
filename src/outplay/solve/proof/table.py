"""The table of a proof: a lower and an upper bound of each position, in buckets of four entries, a cache line each.

    entry    check | payload
    payload  work (6 bits) | move index (15) | lower bound + BIAS (16) | upper bound + BIAS (16)

The check is key ^ payload. An entry that two threads wrote at once fails it, so it is never believed.
"""

from typing import Any

from outplay.compile.engine import Engine
from outplay.rules.bits import highest
from outplay.runtime.growing_table import BUCKET, GrowingTable
from outplay.runtime.stopper import Stopper
from outplay.solve.proof.layout import NEAR, NEAR_BUCKETS, TABLE, TABLE_BUCKETS

ENTRY = 2
PARTS = 2  # words that are XORed to the key

BIAS = 1 << 15
MOST = BIAS - 1  # no bound is larger: it says that nothing is known
LOWER, MOVE, WORK = 16, 32, 47  # where in the payload each part stands
MOST_MOVES = 0x7FFF


def find(table, bucket, key):
    """Return the place of *key*'s entry in the bucket; if it has none, that of the entry of least worth."""
    least, chosen = 1 << 62, bucket
    for at in range(bucket, bucket + BUCKET, ENTRY):
        payload = table[at + 1]
        if table[at] ^ payload == key:
            return at
        if payload >> WORK < least:
            least, chosen = payload >> WORK, at
    return chosen


def lower_of(payload):
    """Return the lower bound in *payload*."""
    return (payload >> LOWER & 0xFFFF) - BIAS


def upper_of(payload):
    """Return the upper bound in *payload*."""
    return (payload & 0xFFFF) - BIAS


def store(table, bucket, key, lower, upper, move, nodes):
    """Write an entry over the same key's, or over the one that took the fewest *nodes* to find."""
    at = find(table, bucket, key)
    payload = highest(nodes) + 1 << WORK | move << MOVE | lower + BIAS << LOWER | upper + BIAS
    table[at] = key ^ payload
    table[at + 1] = payload


SMALL = 1 << 14  # buckets of the small table, and of the large one at first: 1 MiB, about what a core's own cache holds
GROWTH = 4
NODES_A_BUCKET = 256  # after so many the large table grows: few positions are worth an entry in it


class Storage(GrowingTable):
    """The table that the workers of a proof share."""

    def __init__(self, engine: Engine, megabytes: float) -> None:
        super().__init__(engine, megabytes, entry=ENTRY, parts=PARTS, smallest=SMALL)

    @property
    def patience(self) -> int:
        """The number of nodes after which to `grow`."""
        return NODES_A_BUCKET * self.buckets if self.buckets < self.largest else 1 << 61

    def near(self) -> Any:
        """Return the memory of a small table for one worker."""
        return self.aligned(self.smallest)

    def lend_to(self, memory: Any, near: Any) -> None:
        """Let the proof in *memory* use the shared table, and the small table *near* of its own."""
        self.lend(memory, TABLE, TABLE_BUCKETS)
        memory[NEAR], memory[NEAR_BUCKETS] = self.engine.address(near), self.smallest - 1

    def grow(self, stopper: Stopper | None = None) -> None:
        """Make the table larger, up to its limit."""
        self.enlarge(min(self.buckets * GROWTH, self.largest), stopper)
