"""Where things stand in the memory of playouts: one block of 64-bit words for each thread.

    meter | trail | scores with their counts | counts by length | moves | a state

The meter is every kernel's (`runtime/meter.py`). A kernel that fails writes the state to the end of its memory, because a
playout may be longer than the trail. Only the choices of a game with rewards are in the trail: the wrong reward is found by them.
"""

from outplay.runtime.meter import BEYOND, METER, OWN

# Words of the meter that playouts have.
GAME = OWN  # the number of the game that is being played
LAST = OWN + 1  # and of the game at which to end
STEP = OWN + 2  # from one game of this thread to the next
SEED = OWN + 3
PLY_LIMIT = OWN + 4  # a longer game is cut
CUT = OWN + 5  # games that were cut
USED = OWN + 6  # slots of the scores that are in use
TOP = OWN + 7  # where moves are written
STATE_AT = OWN + 8  # where the state of a fault is written
assert STATE_AT < METER

SLOTS = 1 << 12  # for different scores; the driver empties them when three quarters are in use
SCORES = BEYOND  # the bits of a score and its count, slot after slot
LENGTHS = SCORES + 2 * SLOTS

SCORES_FULL = 31  # why a kernel ended: the driver must empty the scores
