"""Where things stand in the memory of self-play: one block of 64-bit words for each thread.

    meter | settings and counters | moves | a state

The meter is every kernel's (`runtime/meter.py`); its word NETWORK_AT leads to the view of the thread, see `network_kernel.py`.
A thread has four more blocks. The *trail* has STEP words for each state that a player's move led to in the current game. The
*kept* indexes, LANES for each step of the trail, lead to the weights of these states, which learn once the game is over. The
*record* holds some of the visited states: their number, then for each who acts, whether a game begins there, and its words.
The *path* holds the state before move 0, gap, 2 gap ... of the current game, where the gap is 1 at first. When all SLOTS are taken,
every second state is dropped, and the gap doubles.
"""

from outplay.runtime.meter import BEYOND

# Settings.
GAME = BEYOND  # the number of the game that is being played
LAST = BEYOND + 1  # the number of the game before which to end
STRIDE = BEYOND + 2  # from one game of this thread to the next
SEED = BEYOND + 3
PLY_LIMIT = BEYOND + 4  # a longer game is cut
OPENING = BEYOND + 5  # most random moves at the beginning of a game; below 0: all moves are random
EPSILON = BEYOND + 6  # a real: how often a move is random later on
DECAY = BEYOND + 7  # a real: how much of a later error goes back to an earlier state (lambda)
RATE = BEYOND + 8  # a real: how far a value moves toward its target at first, from 0 to 1
TRAINS = BEYOND + 9  # whether weights change
TRAIL_AT, KEPT_AT = BEYOND + 10, BEYOND + 11  # the trail, and the kept indexes
STEPS = BEYOND + 12  # room of the trail; the first part of a longer game is learned before the game is over
RECORD_AT = BEYOND + 13  # the record
ROOM = BEYOND + 14  # states in the record; when it is full, a new state replaces the oldest
WIDTH = BEYOND + 18  # words of a state in the record, its marks included
EVERY = BEYOND + 15  # every EVERY-th state is recorded; none if 0
TOP = BEYOND + 16  # where moves are written
STATE_AT = BEYOND + 17  # where the state of a fault is written

HIDDEN_RATE = BEYOND + 26  # a real: how far hidden units move a value toward its target at first
SLOWED = BEYOND + 27  # a real: visits of a row of hidden weights after which it learns more slowly
RESTART = BEYOND + 28  # a game of at least so many moves is played again from its middle; 0: no game is
PATH_AT = BEYOND + 29  # the path
RIVAL_AT = BEYOND + 34  # the view of another network, which plays every second game as player 0, the others as player 1; or 0

# Counters, and what is noted of a game.
PLIES = BEYOND + 20  # positions in all games, moves of the opening included
MOVES = BEYOND + 21  # moves that were chosen by the network
ENDLESS = BEYOND + 22  # games that were cut
ERROR = BEYOND + 23  # a real: the sum of all errors
RESULTS = BEYOND + 24  # a real: the sum of all results, rewards included, on the network's scale
COUNTED = BEYOND + 25  # errors in ERROR
KEY = BEYOND + 31  # of the current game: what its random numbers are made from
REPLAYS = BEYOND + 32  # games that led from a game's start to the current replay; 0 if it is no replay
POINTS = BEYOND + 33  # a real: games won against the rival, a draw as a half
MIDDLE = BEYOND + 30  # of the last game: where in the path its middle state begins, or -1 if it is not to be played again
WORDS = BEYOND + 40

SLOTS = 64  # states in the path; an even number

# Words of a step.
OWN, TARGET, FOLLOWS, FLIPPED = range(4)
LEAST_HERE, MOST_HERE = 4, 5  # reals: what the rules prove of the state's value
STEP = 6

# Words of a state in the record, before its own.
WHO, FRESH = 0, 1
MARKS = 2
FIRST = 1  # where the states of the record begin, after their number
