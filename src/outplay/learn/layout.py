"""Where things stand in the memory of self-play: one block of 64-bit words for each thread.

    meter | settings and counters | moves | a state

The meter is every kernel's (`runtime/meter.py`); its word NETWORK_AT leads to the view of the thread, see `network_kernel.py`.
Two blocks more belong to a thread. The *trail* has STEP words for each state that the game at hand came to by a player's
move, and behind it stand the indexes of its weights, so that it can be learned from once the game is over. The *record* holds
states as they were met: how many there were, then for each who acted, whether the game began there, and its words.
"""

from outplay.runtime.meter import BEYOND

# Settings.
GAME = BEYOND  # the number of the game that is being played
LAST = BEYOND + 1  # and of the game at which to end
STRIDE = BEYOND + 2  # from one game of this thread to the next
SEED = BEYOND + 3
PLY_LIMIT = BEYOND + 4  # a longer game is cut
OPENING = BEYOND + 5  # games begin with so many random moves at most
EPSILON = BEYOND + 6  # a real: how often a move is random later on
DECAY = BEYOND + 7  # a real: how much of a later error goes back to an earlier state (lambda)
RATE = BEYOND + 8  # a real: how far a value goes to its target at first
TRAINS = BEYOND + 9  # whether weights change
TRAIL_AT, KEPT_AT = BEYOND + 10, BEYOND + 11  # the trail, and the indexes behind it
STEPS = BEYOND + 12  # of a trail; of a longer game, the first part is learned before it is over
RECORD_AT = BEYOND + 13  # the record
ROOM = BEYOND + 14  # states that it has room for: of more, the latest
WIDTH = BEYOND + 18  # words of a state there, its marks included
EVERY = BEYOND + 15  # it gets every so many-th state, or none if 0
TOP = BEYOND + 16  # where moves are written
STATE_AT = BEYOND + 17  # where the state of a fault is written

# Counters.
PLIES = BEYOND + 20  # positions in all games, moves of the opening included
MOVES = BEYOND + 21  # moves that were chosen by the network
ENDLESS = BEYOND + 22  # games that were cut
ERROR = BEYOND + 23  # a real: the sum of all errors
RESULTS = BEYOND + 24  # a real: the sum of all results, rewards included, on the network's scale
COUNTED = BEYOND + 25  # errors in ERROR
WORDS = BEYOND + 32

# Words of a step.
OWN, TARGET, FOLLOWS, FLIPPED = range(4)
STEP = 4

# Words of a state in the record, before its own.
WHO, FRESH = 0, 1
MARKS = 2
FIRST = 1  # of the record: behind the number of states
