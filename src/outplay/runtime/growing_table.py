"""A hash table that threads share: small at first, it grows with the search up to a limit.

A bucket is a cache line of eight words, which holds several entries of *entry* words each. The first *parts* words
of an entry, XORed, give its key; the last of them is 0 in an empty entry. So an entry that two threads
wrote at once is recognised, and a table moves to a larger one without its user's help.
"""

import threading
from typing import Any

from outplay.compile.engine import Engine
from outplay.errors import OptionError
from outplay.rules.memory import Memory
from outplay.runtime.stopper import Stopper

BUCKET = 8  # words
BUCKET_BYTES = 8 * BUCKET
PIECE = 1 << 15  # buckets that move to a larger table in one step; a search can be stopped between two steps
MOST_MB = 1 << 20
TABLE_MB = 128  # the largest transposition table of a search, an analysis or a prover, unless the caller says otherwise


class GrowingTable:
    """The memory of a table that starts with *smallest* buckets and grows to at most *megabytes*."""

    def __init__(self, engine: Engine, megabytes: float, *, entry: int, parts: int, smallest: int) -> None:
        if not (isinstance(megabytes, (int, float)) and 0 < megabytes <= MOST_MB):
            raise OptionError(
                f"table_mb={megabytes!r} must lie above 0 and up to {MOST_MB:,}: it is the most memory that the transposition table may take"
            )
        self.engine, self.entry, self.parts = engine, entry, parts
        self.largest = 1 << max(int(megabytes * (1 << 20)) // BUCKET_BYTES, 1).bit_length() - 1
        self.smallest = min(smallest, self.largest)
        self._making = threading.Lock()
        self.renew()

    def renew(self) -> None:
        """Forget everything, and start small again."""
        self.buckets = self.smallest
        self._memory: Any = None

    @property
    def untouched(self) -> bool:
        """Whether no search has used the table yet."""
        return self._memory is None

    @property
    def memory(self) -> Any:
        """The table itself. It is made when it is first asked for: the shortest searches look nothing up."""
        if self._memory is None:
            with self._making:  # one thread makes it for all; otherwise each would have its own
                if self._memory is None:
                    self._memory = self.aligned(self.buckets)
        return self._memory

    def aligned(self, buckets: int) -> Any:
        """Return memory for *buckets* buckets, each in one cache line."""
        memory = self.engine.memory((buckets + 1) * BUCKET)
        if isinstance(memory, Memory):
            return memory
        start = -memory.ctypes.data // 8 % BUCKET
        return memory[start : start + buckets * BUCKET]

    def lend(self, memory: Any, address: int, mask: int) -> None:
        """Write the table's address, and the number of its buckets less one, to two words of a kernel's *memory*."""
        memory[address], memory[mask] = self.engine.address(self.memory), self.buckets - 1

    def enlarge(self, buckets: int, stopper: Stopper | None) -> None:
        """Grow to so many *buckets* and keep all entries. Without more memory, or if *stopper* stops it, the table stays as it is."""
        try:
            memory = self.aligned(buckets)
            for first in range(0, self.buckets, PIECE):
                if stopper is not None and stopper.stopped:
                    return
                self._move(first, memory, buckets - 1)
        except MemoryError:
            self.largest = self.buckets
            return
        self._memory, self.buckets = memory, buckets

    def _move(self, first: int, new: Any, mask: int) -> None:
        """Copy the entries of the buckets from *first* on, one piece of the table, to a *new* one."""
        # The low bits of the key chose the bucket and more of them now do: two entries never meet.
        old, entry, parts = self.memory, self.entry, self.parts
        if isinstance(old, Memory):
            for at in [place for place in old if place % entry == 0 and first <= place // BUCKET < first + PIECE]:
                words = [old[at + part] for part in range(parts)]
                key = 0
                for word in words:
                    key ^= word
                for part, word in enumerate(words):
                    new[(key & mask) * BUCKET + at % BUCKET + part] = word
            return
        from numpy import bitwise_xor

        old = old[first * BUCKET : (first + PIECE) * BUCKET].reshape(-1, BUCKET // entry, entry)
        new = new.reshape(-1, BUCKET // entry, entry)
        for slot in range(BUCKET // entry):
            entries = old[old[:, slot, parts - 1] != 0, slot]
            new[bitwise_xor.reduce(entries[:, :parts], axis=1) & mask, slot] = entries


def wipe(table: Any) -> None:
    """Clear the memory of a *table*, but keep it: fresh memory is slow."""
    if isinstance(table, Memory):
        table.clear()
    else:
        table[:] = 0
