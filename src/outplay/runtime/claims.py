"""Claims: each thread announces the move that it searches, so that others begin with different moves."""

from outplay.rules.bits import mix
from outplay.rules.memory import block
from outplay.runtime.meter import CLAIMS, CLAIMS_AT


def claimed(ints, key, move):
    """Claim *move* of the state with *key* for this thread; return the claim, never 0."""
    claim = mix(key, move) | 1 << 62
    block(ints, CLAIMS_AT)[claim & CLAIMS - 1] = claim
    return claim


def unclaim(ints, claim):
    """Withdraw *claim*."""
    block(ints, CLAIMS_AT)[claim & CLAIMS - 1] = 0


def is_claimed(ints, key, move):
    """Return whether a thread, perhaps this one, is searching *move* of the state with *key*."""
    claim = mix(key, move) | 1 << 62
    return block(ints, CLAIMS_AT)[claim & CLAIMS - 1] == claim
