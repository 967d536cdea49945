"""Keys under another packing: plain functions over arrays that know no game."""

from typing import Any

import numpy as np

from outplay.compile.procedure import procedure
from outplay.rules.bits import mix, unmix
from outplay.rules.memory import Memory
from outplay.solve.states.packing import WORD, Packing
from outplay.solve.states.unfold import STATE_AT, WORD_NUMBER, pack, plan_of, unpack


def repack(keys, changed, before, after):
    """Write the keys of the same states under another packing to *changed*."""
    state, other = before[STATE_AT], after[STATE_AT]
    for index in range(len(keys)):
        unpack(unmix(int(keys[index])), before)
        for word in range(before[WORD_NUMBER]):
            after[other + word] = before[state + word]
        changed[index] = mix(0, pack(after))


def note_bits(keys, found):
    """Write the bits set in any of the unmixed *keys*, and those set in all, to *found*."""
    some, every = 0, -1
    for index in range(len(keys)):
        packed = unmix(int(keys[index]))
        some |= packed
        every &= packed
    found[0], found[1] = some, every


def repacked(keys: Any, before: Packing, after: Packing, *, compiled: bool) -> Any:
    """Return the keys, in order, that the states with *keys* have under the packing *after*."""
    changed = np.empty(len(keys), np.int64)
    procedure(repack, compiled=compiled)(keys, changed, _plan(before, compiled), _plan(after, compiled))
    changed.sort()
    return changed


def bits_in(keys: Any, *, compiled: bool) -> tuple[int, int]:
    """Return the bits set in any of the unmixed *keys*, and those set in all."""
    found = np.zeros(2, np.int64)
    procedure(note_bits, compiled=compiled)(keys, found)
    return int(found[0]) & WORD, int(found[1]) & WORD


def _plan(packing: Packing, compiled: bool) -> Any:
    plan = [*plan_of(packing), *([0] * len(packing.words))]
    return np.array(plan, np.int64) if compiled else Memory(enumerate(plan))
