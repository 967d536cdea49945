"""The meter: the first words of a kernel's memory, the same for all kernels, so that they share clock, stop flag and error reports.

    meter | trail | what the kernel itself needs

Words 0 to 12 are the same for all; a kernel uses those from OWN to METER for counters and addresses of its own.
"""

from outplay.rules.memory import NETWORK

PLIES = 1024  # deeper than any search gets; a tree that goes further is reported, never followed
CLAIMS = 1 << 14  # moves that threads can be searching at once

NODES = 0  # visited so far
NEXT_LOOK = 1  # the node at which to look at the clock again
NODE_LIMIT = 2
DEADLINE = 3  # of the monotonic clock, in nanoseconds
STRIDE = 4  # nodes from one look to the next
LAST_LOOK = 5  # when it was
WHY = 6  # why the kernel ended: one of the reasons below
STOP = 7  # raised by other threads; read atomically
BUSY = 8  # the thread in which the kernel is at work, or 0
MAX_MOVES = 9
TRAIL_LENGTH = 10
CLAIMS_AT = 11  # where threads say which moves they are searching
NETWORK_AT = NETWORK  # the address of a learned estimate's view
OWN = 13
METER = 40

TRAIL = METER  # the choices that led to where a search was abandoned
BEYOND = TRAIL + PLIES

# Why a kernel ended.
BY_TIME, BY_NODES, BY_STOP = 1, 2, 3
BAD_TURN, BAD_SCORE, BAD_ESTIMATE, BAD_CHANCES = 11, 12, 13, 14
NO_MOVES, NO_CHANCES, TOO_MANY, TOO_DEEP, BAD_REWARD, BAD_BOUNDS = 15, 16, 17, 18, 19, 20

FIRST_STRIDE = 64
NEVER = 1 << 62  # a deadline or a number of nodes that is never reached
