"""Retrograde analysis: the value of every state of a game without chance whose states can repeat.

From the ends backward, the best score of the side that is ahead first. A state of that side is settled by the first child
that is; one of the other side only when its last child is, for until then it has a way out. Within one score this goes
breadth first, so that it finds the distance too. What is never settled can be kept going for ever.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from outplay.compile.procedure import procedure
from outplay.rules.game import OVER

if TYPE_CHECKING:
    from outplay.solve.values.graph import Graph

Array = Any


def retrograde(
    graph: "Graph", reverse: tuple[Array, Array], endless: float, values: Array, distances: Array, *, compiled: bool
) -> None:
    """Write the value and the distance of every state that is not worth *endless*.

    *values* and *distances* hold those of the states that are over, and elsewhere *endless* and -1.
    """
    missing = np.diff(graph.first).astype(np.int32)
    queue = np.empty(graph.who.size, graph.successors.dtype)
    over = np.flatnonzero(graph.who == OVER).astype(graph.successors.dtype)
    over = over[np.argsort(values[over], kind="stable")]
    run = procedure(settle, compiled=compiled)
    for player, ends in ((0, over[values[over] > endless][::-1]), (1, over[values[over] < endless])):
        run(np.ascontiguousarray(ends), player, *reverse, graph.who, missing, queue, values, distances)


def settle(
    ends: Array,
    ahead: int,
    starts: Array,
    before: Array,
    who: Array,
    missing: Array,
    queue: Array,
    values: Array,
    distances: Array,
) -> None:
    """Settle every state from which player *ahead* can force one of *ends*, which stand in the order of their worth to him.

    missing[s] holds how many children of s are not settled yet. *queue* is working memory.
    """
    begun = 0
    while begun < ends.size:
        score = values[ends[begun]]
        tail = 0
        while begun < ends.size and values[ends[begun]] == score:
            queue[tail] = ends[begun]
            tail += 1
            begun += 1
        head = 0
        while head < tail:
            state = queue[head]
            head += 1
            for edge in range(starts[state], starts[state + 1]):
                parent = before[edge]
                if distances[parent] >= 0:
                    continue
                if who[parent] != ahead:
                    missing[parent] -= 1
                    if missing[parent] > 0:
                        continue
                values[parent] = score
                distances[parent] = distances[state] + 1
                queue[tail] = parent
                tail += 1
