"""The transposition table: a flat block of ints, in buckets of two entries, a cache line each.

    entry   check | value | meta | unused
    meta    age (8 bits) | move index (15) | depth (12) | proven (1) | kind (2)

The check is key ^ value ^ meta. An entry that two threads wrote at once fails it, so it is never believed.
"""

from outplay.search.layout import EXACT

ENTRY = 4
PARTS = 3  # words that are XORed to the key

# Where in the meta word each part stands, and how large it can be.
KIND, PROVEN, DEPTH, MOVE, AGED = 3, 4, 3, 15, 30
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


def store(table, bucket, key, bits, kind, proven, depth, move, age):
    """Write an entry over the same key's, or over the one of less worth; *bits* are the value's."""
    at = find(table, bucket, key)
    meta = table[at + 2]
    if table[at] ^ table[at + 1] ^ meta == key and meta != 0:
        if meta & PROVEN and meta & KIND == EXACT and not proven:
            return  # nothing can be known better
    else:
        at = bucket
        if worth(table[bucket + ENTRY + 2], age) < worth(table[bucket + 2], age):
            at = bucket + ENTRY
    meta = kind | (PROVEN if proven else 0) | min(depth, DEEPEST) << DEPTH | move << MOVE | age << AGED
    table[at] = key ^ bits ^ meta
    table[at + 1] = bits
    table[at + 2] = meta
