"""The layout of a search's memory: one block of 64-bit words for each thread.

    meter | trail | killers | history | replies | length of each line | the lines | variances | root bounds | root values | moves, ply upon ply

The meter and the trail are every kernel's (`runtime/meter.py`). A node with n moves takes 4 n words on top of
its parent's: the moves themselves, then three reals for each, which `kernel.py` uses as it needs.
"""

from outplay.runtime.meter import BEYOND, METER, OWN, PLIES

LINE_WIDTH = 128  # longer lines are cut
HEATS = 1024  # history counters a player; moves are hashed to them
ANSWERS = 1024  # replies; outcomes are hashed to them

# Words of the meter that only a search has.
PROBES = OWN  # of the transposition table
HITS = OWN + 1
TABLE_MASK = OWN + 2  # buckets of the table, less one
TABLE_AT = OWN + 3  # where the table is
AGE = OWN + 4  # of the entries now written
BOUND = OWN + 5  # what a probed child's value is: one of the bounds below
FIRST = OWN + 6  # the root move to be searched first, or -1
BEST = OWN + 7  # the best root move so far, or -1
SAMPLES = OWN + 8  # outcomes that stand for all at a chance node with more
SAMPLE_SEED = OWN + 9
ROOT_MOVES = OWN + 10  # how many moves the root has; they begin where the moves of ply 0 do
WASTED = OWN + 11  # nodes of this depth that probing spent at last rolls where it settled nothing
REPLY_AT = OWN + 12  # where the best reply to the outcome that led to a node is kept, or 0
ASKER = OWN + 13  # the player who moved last, above a chance node
CHOICES = OWN + 14  # and how many moves that player had
HEATED = OWN + 15  # whether anything was written to killers and history
assert HEATED < METER

KILLERS = BEYOND
HISTORY = KILLERS + 2 * PLIES
REPLIES = HISTORY + 2 * HEATS  # the best move after an outcome of chance, when it was last searched at that ply
LENGTHS = REPLIES + ANSWERS
LINES = LENGTHS + PLIES + 1
VARIANCES = LINES + (PLIES + 1) * LINE_WIDTH  # of the value at each ply, where outcomes are sampled
ROOT = VARIANCES + PLIES + 1  # a bound for each root move, a value for each, then the moves of each ply

# What a value is.
NONE, EXACT, LOWER, UPPER = 0, 1, 2, 3

# The mode of a node: which techniques are on, and where the node stands.
PRUNING, STAR1, STAR2, TABLE, ORDERING, SCOUT, USEFUL, BOUNDS = 1, 2, 4, 8, 16, 32, 64, 128
DEEPENING = 256
LINE = 512  # the best line runs through here: collect it
SHARED = 1024  # several threads search together
PROBE = 2048  # Star2 asks for the first move alone
RACE_0, RACE_1 = 4096, 8192  # can player 0, or 1, come to the value within the depth? A horizon says no
SAMPLED = 16384  # chance nodes with many outcomes are sampled
ASK = 32768  # a chance node is only probed, for a bound by which its move is ordered
