"""Where things stand in a Monte Carlo tree, and in the memory of each thread that grows it.

A tree is one block of 64-bit words: records of eight words, a cache line each, the children of a node side by side.
Record 0 is the header. A record is a choice and the node to which it leads:

    choice | visits | total | squares | link | lower | upper | prior

The value of a choice is what it pays at once plus what the node is worth, to player 0. `total` and `squares` sum the results
of its simulations and their squares, in units of the scale (high - low), so that no scale overflows. `lower` and `upper` are
proven bounds of the value, on the game's own scale; where they meet, it is settled. `prior` is the probability of an outcome,
or how promising a move is before it is tried.

    link    first child (45 bits) | number of children (16) | who acts (3)

The children of a node appear all at once, when its link is published.
"""

from outplay.runtime.meter import BEYOND, METER, PLIES
from outplay.search.montecarlo.playout_layout import STATE_AT

RECORD = 8  # words
CHOICE, VISITS, TOTAL, SQUARES, LINK, LOWER, UPPER, PRIOR = range(8)

# The header.
NEXT, CAPACITY, FULL, LEAST, MOST = 0, 1, 2, 3, 4  # the next free record, how many there are, whether one was wanted in vain,
# and the smallest and the largest result of a simulation, in units of the scale
FIRST = 1  # the first record after the header: the root of a new tree

# Parts of a link.
WHO, NUMBER, CHILD = 7, 3, 19  # a mask, and two shifts
MOST_CHILDREN = 0xFFFF
CLAIMED = 1 << CHILD  # as the first child of a node without any: a thread is writing them
WHO_PLUS = 2  # who acts, plus this, is not negative

IN_FLIGHT = 1 << 40  # in the word of visits: a simulation that has gone through here and not come back
COUNTED = IN_FLIGHT - 1

# Words of the meter that a tree search has; GAME is the number of the simulation.
TREE_AT = STATE_AT + 1
ROOT = STATE_AT + 2  # the record of the root
LEAVES = STATE_AT + 3  # how a leaf is valued: BY_PLAYOUT, BY_ESTIMATE or both
DEPTH_CAP = STATE_AT + 4  # nodes at this depth are not expanded
DEEPEST = STATE_AT + 5
SHARED = STATE_AT + 6  # whether several threads grow the tree
EXPLORATION = STATE_AT + 7  # a real
PATH_LENGTH = STATE_AT + 8  # of the last simulation, and the value of its leaf, a real
RESULT = STATE_AT + 9
RESERVED = STATE_AT + 10  # the next record that this thread may use, and the first that it may not
RESERVED_END = STATE_AT + 11
FOLLOWED = STATE_AT + 12  # the ply down to which the next simulations of this thread repeat the path of the last one,
STAYING = STATE_AT + 13  # and how many more simulations do so
assert STAYING < METER

# Of each ply of a simulation: the record, what its choice paid, and how a result there becomes its parent's (a + b * result);
# and whether the node was told that the simulation is on its way.
PATH = BEYOND
PAID = PATH + PLIES
PLUS = PAID + PLIES
TIMES = PLUS + PLIES
ANNOUNCED = TIMES + PLIES

# Results that this thread has not yet added to busy nodes, by the number of the record: node | visits | total | squares.
PENDING = ANNOUNCED + PLIES
PENDING_SLOTS = 64
PENDING_SLOT = 4  # words
MOVES = PENDING + PENDING_SLOTS * PENDING_SLOT

BY_PLAYOUT, BY_ESTIMATE = 1, 2
