"""The layout of a proof's memory: one block of 64-bit words for each thread.

    meter | trail | work of each ply | history | moves, ply upon ply

The meter and the trail are every kernel's (`runtime/meter.py`). A node with n moves takes 2 n words on top of its parent's: the moves, and the place of each in their order.
"""

from outplay.runtime.meter import BEYOND, METER, OWN, PLIES

HEATS = 1024  # history counters a player; moves are hashed to them

# Words of the meter that only a proof has.
PLY_LIMIT = OWN  # how deep this thread's stack lets a proof go
TABLE, TABLE_BUCKETS = OWN + 1, OWN + 2  # where the table is, and how many buckets it has, less one
NEAR, NEAR_BUCKETS = OWN + 3, OWN + 4  # the same of the small table for what is near the leaves
LOW, HIGH = OWN + 5, OWN + 6  # what the value lies between, both included
FAILURES = OWN + 7  # of each player: how often a position was not good enough lately, in 1024ths
THREAD = OWN + 9  # in a proof with chance, the number of the thread; thread 0 looks at children in the order of the rules
assert THREAD < METER

WORKS = BEYOND  # of each ply: the nodes that a position there takes, on average, in 1024ths
HISTORY = WORKS + PLIES
MOVES = HISTORY + 2 * HEATS

NOT_WHOLE = 31  # why a proof ended, beside what ends a search: a score with a fraction, or too large
