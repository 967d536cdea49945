"""Where things stand in the memory of a search: one block of 64-bit words for each thread.

    meter | trail | killers | history | length of each line | the lines | root kinds | root values | moves, ply upon ply

The meter comes first: counters, limits and the reason why a search ended. A node with n moves takes 4 n words
on top of its parent's: the moves themselves, then three reals for each, which `kernel.py` uses as it needs.
"""

PLIES = 1024  # deeper than any search gets; a tree that goes further is reported, never followed
LINE_WIDTH = 128  # longer lines are cut
CLAIMS = 1 << 14  # moves that threads can be searching at once
HEATS = 1024  # history counters a player; moves are hashed to them

# The meter.
NODES = 0  # visited so far
NEXT_LOOK = 1  # the node at which to look at the clock again
NODE_LIMIT = 2
DEADLINE = 3  # of the monotonic clock, in nanoseconds
STRIDE = 4  # nodes from one look to the next
LAST_LOOK = 5  # when it was
WHY = 6  # why the search ended: one of the reasons below
STOP = 7  # raised by other threads; read atomically
PROBES = 8  # of the table
HITS = 9
TABLE_MASK = 10  # buckets of the table, less one
AGE = 11  # of the entries now written
BOUND = 12  # what a probed child's value is: one of the kinds below
FIRST = 13  # the root move to be searched first, or -1
BEST = 14  # the best root move so far, or -1
BUSY = 15  # the thread in which the kernel is at work, or 0
MAX_MOVES = 16
TABLE_AT = 17  # where the table is
TRAIL_LENGTH = 18
CLAIMS_AT = 19  # where threads say which moves they are searching
METER = 32

TRAIL = METER  # the choices that led to where a search was abandoned
KILLERS = TRAIL + PLIES
HISTORY = KILLERS + 2 * PLIES
LENGTHS = HISTORY + 2 * HEATS
LINES = LENGTHS + PLIES + 1
ROOT = LINES + (PLIES + 1) * LINE_WIDTH  # a kind for each root move, a value for each, then the moves of each ply

# Why a search ended.
BY_TIME, BY_NODES, BY_STOP = 1, 2, 3
BAD_TURN, BAD_SCORE, BAD_ESTIMATE, BAD_CHANCES = 11, 12, 13, 14
NO_MOVES, NO_CHANCES, TOO_MANY, TOO_DEEP = 15, 16, 17, 18

# What a value is.
NONE, EXACT, LOWER, UPPER = 0, 1, 2, 3

# The mode of a node: which techniques are on, and where the node stands.
PRUNING, STAR1, STAR2, TABLE, ORDERING, SCOUT, USEFUL, BOUNDS = 1, 2, 4, 8, 16, 32, 64, 128
DEEPENING = 256
LINE = 512  # the best line runs through here: collect it
SHARED = 1024  # several threads search together
PROBE = 2048  # Star2 asks for the first move alone
RACE_0, RACE_1 = 4096, 8192  # can player 0, or 1, come to the value within the depth? A horizon says no

NEVER = 1 << 62  # a deadline or a number of nodes that is never reached
