"""Where things stand in the memory of a proof: one block of 64-bit words for each thread.

    meter | trail | work of each ply | history | moves, ply upon ply

The meter and the trail are those of a search (`search/layout.py`), so that the same clock, stop flag and faults serve. A
node with n moves takes 2 n words on top of its parent's: the moves, and the place of each in their order.
"""

from outplay.search.layout import HEATS, METER, PLIES, TRAIL

# Words of the meter that a search does not have.
PLY_LIMIT = 20  # how deep this thread's stack lets a proof go
TABLE, TABLE_BUCKETS = 21, 22  # where the table is, and how many buckets it has, less one
NEAR, NEAR_BUCKETS = 23, 24  # the same of the small table for what is near the leaves
LOW, HIGH = 25, 26  # what the value lies between, both included
FAILURES = 27  # of each player: how often a position was not good enough lately, in 1024ths
assert FAILURES + 1 < METER

WORKS = TRAIL + PLIES  # of each ply: the nodes that a position there takes, on average, in 1024ths
HISTORY = WORKS + PLIES
MOVES = HISTORY + 2 * HEATS

NOT_WHOLE = 31  # why a proof ended, beside what ends a search: a score with a fraction, or too large
