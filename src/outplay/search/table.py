"""The transposition table: a flat block of ints, in buckets of two entries, a cache line each.

    entry   check | value | meta | unused
    meta    age (8 bits) | move index (15) | depth (12) | proven (1) | kind (2)

The check is key ^ value ^ meta. An entry that two threads wrote at once fails it, so it is never believed.
"""

from outplay.rules.bits import bits_of, real_of
from outplay.search.layout import AGE, EXACT

ENTRY = 4
BUCKET = 2 * ENTRY
DEEPEST = (1 << 12) - 1


def find(table, bucket, key):
    """Return the place of *key*'s entry, or -1."""
    if table[bucket] ^ table[bucket + 1] ^ table[bucket + 2] == key and table[bucket + 2] != 0:
        return bucket
    bucket += ENTRY
    if table[bucket] ^ table[bucket + 1] ^ table[bucket + 2] == key and table[bucket + 2] != 0:
        return bucket
    return -1


def kind_of(meta):
    return meta & 3


def proven_of(meta):
    return meta & 4 != 0


def depth_of(meta):
    return meta >> 3 & DEEPEST


def move_of(meta):
    return meta >> 15 & 0x7FFF


def worth(meta, age):
    """Return how much an entry is worth keeping: this age's before older ones, deep before shallow."""
    if meta == 0:
        return -1
    return depth_of(meta) + (DEEPEST + 1 if meta >> 30 == age else 0) + (2 if proven_of(meta) else 0)


def value_of(bits):
    return real_of(bits)


def store(table, bucket, key, value, kind, proven, depth, move, ints):
    """Write an entry over the same key's, or over the one of less worth."""
    age = ints[AGE]
    at = find(table, bucket, key)
    if at >= 0:
        meta = table[at + 2]
        if proven_of(meta) and kind_of(meta) == EXACT and not proven:
            return  # nothing can be known better
    else:
        at = bucket
        if worth(table[bucket + ENTRY + 2], age) < worth(table[bucket + 2], age):
            at = bucket + ENTRY
    bits = bits_of(value + 0.0)
    meta = kind | (4 if proven else 0) | min(depth, DEEPEST) << 3 | move << 15 | age << 30
    table[at] = key ^ bits ^ meta
    table[at + 1] = bits
    table[at + 2] = meta
