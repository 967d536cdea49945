"""Sorted sets of keys: made of many keys with repetitions, and looked up. Plain functions over arrays that know no game.

Keys are spread evenly over all 64-bit numbers, so their top bits say how far along in order they stand. Keys are put
together by parts of the range: within a part they go into a hash table that keeps its keys in order (Amble and Knuth,
1974), from which they are read off sorted, each once.
"""

from typing import Any

import numpy as np

from outplay.compile.procedure import procedure
from outplay.runtime.threads import spread

EMPTY = (1 << 63) - 1  # a free slot: no key is above it, so one comparison tells
PART_BITS = 8
PARTS = 1 << PART_BITS
SMALL = 1 << 16  # keys that are sorted at once
BATCH = 256  # look-ups that go on together
TAIL = 256  # slots behind the last one, into which keys may be pushed


def group(keys, grouped, bounds):
    """Write *keys* part by part to *grouped*, and where each part begins to *bounds*, which is one longer."""
    shift, half = 64 - PART_BITS, PARTS // 2
    places = np.zeros(PARTS + 1, np.int64)
    for index in range(len(keys)):
        places[(keys[index] >> shift) + half + 1] += 1
    for part in range(PARTS):
        places[part + 1] += places[part]
    bounds[:] = places
    for index in range(len(keys)):
        part = (keys[index] >> shift) + half
        grouped[places[part]] = keys[index]
        places[part] += 1


def insert(slots, first, shift, keys, found):
    """Put *keys* into *slots*, in order; found[0] counts the new ones, found[1] those that equal EMPTY.

    A key belongs to slot (key >> shift) - first or a later one. Return False if the slots do not suffice.
    """
    for index in range(len(keys)):
        key = keys[index]
        if key == EMPTY:
            found[1] = 1
            continue
        slot = (key >> shift) - first
        while slots[slot] < key:
            slot += 1
        if slots[slot] == key:
            continue
        found[0] += 1
        while key != EMPTY:  # those behind it move on, each to the next slot
            slots[slot], key = key, slots[slot]
            slot += 1
            if slot == len(slots):
                return False
    return True


def read_off(slots, keys):
    """Write the keys in *slots* to *keys*, in order."""
    place = 0
    for slot in range(len(slots)):
        if slots[slot] != EMPTY:
            keys[place] = slots[slot]
            place += 1


def index_keys(keys, start, stop, bucket, end, shift, directory):
    """Write to directory[bucket:end] where in keys[start:stop] the keys with each value of the top bits begin."""
    half = (len(directory) - 1) // 2
    for index in range(start, stop):
        held = (keys[index] >> shift) + half
        while bucket <= held:
            directory[bucket] = index
            bucket += 1
    while bucket < end:
        directory[bucket] = stop
        bucket += 1


def locate(wanted, keys, directory, shift, places):
    """Write to *places* where each of *wanted* is in *keys*; return how many are missing.

    In three sweeps, so that many look-ups wait for memory at once.
    """
    half = (len(directory) - 1) // 2
    missing = 0
    for start in range(0, len(wanted), BATCH):
        stop = min(start + BATCH, len(wanted))
        for index in range(start, stop):
            places[index] = directory[(wanted[index] >> shift) + half]
        for index in range(start, stop):
            places[index] += keys[min(places[index], len(keys) - 1)] < wanted[index]
        for index in range(start, stop):
            place, last = places[index], directory[(wanted[index] >> shift) + half + 1] - 1
            while place < last and keys[place] < wanted[index]:
                place += 1
            if place > last or keys[place] != wanted[index]:
                missing += 1
                place = -1
            places[index] = place
    return missing


class Directory:
    """A sorted array of keys with an index for look-ups."""

    def __init__(self, keys: Any, *, threads: int = 1, compiled: bool) -> None:
        bits = max(1, min(40, (len(keys) // 4).bit_length()))
        self.keys, self.shift = keys, 64 - bits
        self.offsets = np.empty((1 << bits) + 1, np.int32 if len(keys) < 1 << 31 else np.int64)
        self.offsets[-1] = len(keys)
        index = procedure(index_keys, compiled=compiled)
        parts, width = (1, 1 << bits) if bits < PART_BITS else (PARTS, 1 << bits - PART_BITS)
        bounds = Run.sorted(keys).bounds if parts > 1 else [0, len(keys)]

        def work(_: int, part: int) -> None:
            index(keys, bounds[part], bounds[part + 1], part * width, (part + 1) * width, self.shift, self.offsets)

        spread(work, range(parts), min(threads, parts))
        self._locate = procedure(locate, compiled=compiled)

    def places(self, wanted: Any) -> Any:
        """Return the place of each of *wanted*; raise a KeyError if one is missing."""
        found = np.empty(len(wanted), np.int64)
        if self._locate(wanted, self.keys, self.offsets, self.shift, found):
            raise KeyError("a key that is not in the set")
        return found


class Run:
    """Keys grouped by parts, with repetitions."""

    def __init__(self, keys: Any, bounds: Any) -> None:
        self.keys, self.bounds = keys, bounds

    @classmethod
    def of(cls, keys: Any, *, compiled: bool) -> "Run":
        """Return *keys*, in any order, grouped."""
        grouped, bounds = np.empty(len(keys), np.int64), np.empty(PARTS + 1, np.int64)
        procedure(group, compiled=compiled)(keys, grouped, bounds)
        return cls(grouped, bounds)

    @classmethod
    def sorted(cls, keys: Any) -> "Run":
        """Return *keys*, which are sorted and therefore already grouped."""
        limits = (np.arange(1, PARTS, dtype=np.int64) - PARTS // 2) << 64 - PART_BITS
        return cls(keys, np.concatenate(([0], np.searchsorted(keys, limits), [len(keys)])))


class Scratch:
    """Memory that one worker reuses: fresh memory is slow."""

    def __init__(self) -> None:
        self.keys, self.slots = np.empty(0, np.int64), np.empty(0, np.int64)

    def joined(self, pieces: list[Any]) -> Any:
        """Return *pieces* one after the other."""
        number = sum(map(len, pieces))
        if len(self.keys) < number:
            self.keys = np.empty(number + number // 4, np.int64)
        return np.concatenate(pieces, out=self.keys[:number])

    def free_slots(self, number: int) -> Any:
        """Return so many free slots."""
        if len(self.slots) < number:
            self.slots = np.empty(number, np.int64)
        slots = self.slots[:number]
        slots.fill(EMPTY)
        return slots


def part_of(runs: list[Run], part: int, scratch: Scratch, *, compiled: bool) -> Any:
    """Return the keys of one part of all *runs*, sorted, each once."""
    keys = scratch.joined([run.keys[run.bounds[part] : run.bounds[part + 1]] for run in runs])
    bits = max(1, (2 * len(keys) - 1).bit_length())
    slots = scratch.free_slots((1 << bits) + TAIL)
    shift, first = 64 - PART_BITS - bits, part - PARTS // 2 << bits
    found = np.zeros(2, np.int64)
    if not procedure(insert, compiled=compiled)(slots, first, shift, keys, found):
        return np.unique(keys)
    result = np.full(int(found.sum()), EMPTY, np.int64)  # the key that looks like a free slot is the last one
    procedure(read_off, compiled=compiled)(slots, result)
    return result


def without(keys: Any, others: Any) -> Any:
    """Return the *keys* that are not in *others*; both are sorted sets."""
    if not len(keys) or not len(others):
        return keys
    places = np.minimum(np.searchsorted(others, keys), len(others) - 1)
    fresh = others[places] != keys
    return keys if fresh.all() else keys[fresh]


def merged(keys: Any, others: Any) -> Any:
    """Return the union of two sorted sets that have nothing in common."""
    places = np.searchsorted(keys, others)
    return np.insert(keys, places, others)
