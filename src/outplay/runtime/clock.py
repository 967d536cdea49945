"""Checks the clock, the stop flag and the node limit from inside a kernel."""

from outplay.compile.clock import now, raised
from outplay.runtime.meter import BY_NODES, BY_STOP, BY_TIME, DEADLINE, LAST_LOOK, NEXT_LOOK, NODE_LIMIT, NODES, STOP, STRIDE, WHY

LOOK_EVERY = 100_000  # nanoseconds
LONGEST_STRIDE = 4096  # nodes


def look(ints):
    """Return whether the search must end, and note why; if not, set the node at which to look again."""
    if raised(ints, STOP):
        ints[WHY] = BY_STOP
        return True
    if ints[NODES] > ints[NODE_LIMIT]:
        ints[NODES] -= 1  # this one is not visited any more
        ints[WHY] = BY_NODES
        return True
    moment = now()
    if moment >= ints[DEADLINE]:
        ints[WHY] = BY_TIME
        return True
    # Slow rules are watched more closely than fast ones.
    if moment - ints[LAST_LOOK] > LOOK_EVERY:
        ints[STRIDE] = max(ints[STRIDE] // 2, 1)
    else:
        ints[STRIDE] = min(ints[STRIDE] * 2, LONGEST_STRIDE)
    ints[LAST_LOOK] = moment
    ints[NEXT_LOOK] = min(ints[NODES] + ints[STRIDE], ints[NODE_LIMIT] + 1)
    return False
