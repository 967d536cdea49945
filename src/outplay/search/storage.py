"""The transposition table's memory: small at first, larger as a search grows, never above its bound."""

import math
from typing import Any

from outplay.compile.engine import Engine
from outplay.errors import OptionError
from outplay.rules.memory import Memory
from outplay.search.layout import AGE, TABLE_AT, TABLE_MASK
from outplay.search.table import BUCKET, ENTRY

SMALLEST = 1 << 10  # buckets
BUCKET_BYTES = 8 * BUCKET
BYTES_A_SECOND = 100 << 20  # that a table may grow for each second left: memory never touched before is slow


class Storage:
    """A table that workers share. A fresh large one costs more in page faults than a short search takes."""

    def __init__(self, engine: Engine, megabytes: float) -> None:
        if not (isinstance(megabytes, (int, float)) and 0 < megabytes <= 1 << 20):
            raise OptionError(
                f"table_mb={megabytes!r} must lie above 0 and up to {1 << 20:,}: the most memory that the table takes"
            )
        self.engine = engine
        self.largest = 1 << max(int(megabytes * (1 << 20)) // BUCKET_BYTES, 1).bit_length() - 1
        self.age = 0
        self.renew()

    def renew(self) -> None:
        """Forget everything, and be small again."""
        self.buckets = min(SMALLEST, self.largest)
        self.memory = self.engine.memory(self.buckets * BUCKET)

    def lend(self, memory: Any) -> None:
        """Let the search in *memory* use the table."""
        memory[TABLE_AT] = self.engine.address(self.memory)
        memory[TABLE_MASK] = self.buckets - 1
        memory[AGE] = self.age

    def grow(self, buckets: float, seconds: float = math.inf) -> None:
        """Have about so many *buckets*, as far as the bound and the *seconds* left allow; everything known is kept.

        Where the machine has no more memory, the table stays as it is.
        """
        wanted = self.buckets
        while wanted < min(buckets, self.largest) and 2 * wanted * BUCKET_BYTES < seconds * BYTES_A_SECOND:
            wanted *= 2
        if wanted == self.buckets:
            return
        try:
            memory = self.engine.memory(wanted * BUCKET)
            move = _move_words if isinstance(memory, Memory) else _move_array
            move(self.memory, memory, wanted - 1)
        except MemoryError:
            self.largest = self.buckets
            return
        self.memory, self.buckets = memory, wanted


def _move_words(old: Memory, new: Memory, mask: int) -> None:
    for at in [place for place in old if place % ENTRY == 0]:
        words = [old[at], old[at + 1], old[at + 2]]
        bucket = ((words[0] ^ words[1] ^ words[2]) & mask) * BUCKET
        for place, word in enumerate(words):
            new[bucket + at % BUCKET + place] = word


def _move_array(old: Any, new: Any, mask: int) -> None:
    # The low bits of the key chose the bucket and more of them now do: two entries never meet.
    old, new = old.reshape(-1, 2, ENTRY), new.reshape(-1, 2, ENTRY)
    for half in (0, 1):
        entries = old[old[:, half, 2] != 0, half]
        new[(entries[:, 0] ^ entries[:, 1] ^ entries[:, 2]) & mask, half] = entries
