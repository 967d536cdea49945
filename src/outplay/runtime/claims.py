"""Claims: threads say which moves they are searching, so that others begin with different ones."""

from outplay.rules.bits import mix
from outplay.rules.memory import block
from outplay.runtime.meter import CLAIMS, CLAIMS_AT


def claimed(ints, key, move):
    """Note that this thread is searching *move* of the state with *key*; return the note, never 0."""
    claim = mix(key, move) | 1 << 62
    block(ints, CLAIMS_AT)[claim & CLAIMS - 1] = claim
    return claim


def unclaim(ints, claim):
    """Take the note *claim* back."""
    block(ints, CLAIMS_AT)[claim & CLAIMS - 1] = 0


def is_claimed(ints, key, move):
    """Return whether a thread, perhaps this one, is searching *move* of the state with *key*."""
    claim = mix(key, move) | 1 << 62
    return block(ints, CLAIMS_AT)[claim & CLAIMS - 1] == claim
