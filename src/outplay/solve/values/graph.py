"""A game as a graph of states, small enough for memory, and the exact value of each: with or without cycles, with or without chance.

No cycle: children first, each state once. Cycles without chance: `retrograde.py`. Cycles with chance: `components.py` finds
the states that can repeat together, `iteration.py` draws a lower and an upper bound for each to one another.
Play that never ends is worth `endless`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outplay.compile.procedure import procedure
from outplay.errors import RuleError
from outplay.rules.game import CHANCE, OVER
from outplay.solve.values.iteration import Bounds, bounds_of
from outplay.solve.values.retrograde import retrograde

ENDLESS_REWARDS = (
    "states can repeat, and the players can go on for ever while rewards are paid: such play has no value; "
    "put into the state what brings the game to its end, such as a number of moves left"
)

Array = Any  # of NumPy; what a procedure takes and returns is typed by Numba


@dataclass(frozen=True, eq=False)
class Graph:
    """States 0 to N-1; the children of state s are successors[first[s]:first[s + 1]], in the order of its moves or outcomes."""

    first: NDArray[np.int64]
    successors: NDArray[np.int32] | NDArray[np.int64]
    probabilities: NDArray[np.float64] | None  # of each edge, read at chance nodes alone; None where there are none
    who: NDArray[np.int8]  # acts: 0, 1, CHANCE or OVER
    scores: NDArray[np.float64]  # of states that are over; elsewhere never read
    rewards: NDArray[np.float64] | None = None  # of each edge; None where there are none

    @property
    def paid(self) -> NDArray[np.float64]:
        """The rewards as procedures take them: empty where there are none."""
        return np.empty(0) if self.rewards is None else self.rewards

    def __repr__(self) -> str:
        return f"<Graph of {self.who.size:,} states and {self.successors.size:,} edges>"


@dataclass(frozen=True, eq=False)
class GraphValues:
    """The result of `solve_graph`, state by state."""

    values: NDArray[np.float64]  # to player 0
    distances: NDArray[np.int32]  # moves to the end if who is ahead hastens and the other delays; 0: over, -1: none
    cyclic: bool  # a state can come back
    lower: NDArray[np.float64] | None  # proven bounds of the values, where there are cycles with chance
    upper: NDArray[np.float64] | None
    error: float  # the widest gap between the two; 0 where values are exact
    proper: bool  # whatever the players do, the game ends with probability 1

    def __repr__(self) -> str:
        return f"<GraphValues of {self.values.size:,} states, cyclic={self.cyclic}, proper={self.proper}, error={self.error:.3g}>"


def solve_graph(
    graph: Graph,
    *,
    low: float,
    high: float,
    endless: float = 0.0,
    accuracy: float = 1e-9,
    compiled: bool = True,
) -> GraphValues:
    """Return the value of every state of *graph*; play without end is worth *endless*.

    Values are exact but for the rounding of means. In cycles with chance they lie between proven bounds; where the
    game is proper, or one side alone has choices, or no score lies beyond *endless* on one side, the bounds close to
    within *accuracy*. Elsewhere they may stay apart, and `error` says how far.
    """
    starts, before = procedure(predecessors, compiled=compiled)(graph.first, graph.successors)
    order = procedure(children_first, compiled=compiled)(graph.first, starts, before)
    over = graph.who == OVER
    chance = bool((graph.who == CHANCE).any())
    values = np.where(over, graph.scores, float(endless))
    distances = np.where(over, np.int32(0), np.int32(-1))
    cyclic = order.size < graph.who.size
    if not cyclic:
        probabilities = np.empty(0) if graph.probabilities is None else graph.probabilities
        run = procedure(backward, compiled=compiled)
        measured = not chance and graph.rewards is None
        edges = graph.first, graph.successors, probabilities, graph.paid
        run(order, *edges, graph.who, float(endless), measured, values, distances)
        return GraphValues(values, distances, False, None, None, 0.0, True)
    del order
    if not chance and graph.rewards is not None:
        raise RuleError(ENDLESS_REWARDS)
    if not chance:
        retrograde(graph, (starts, before), float(endless), values, distances, compiled=compiled)
        return GraphValues(values, distances, True, None, None, 0.0, False)  # the players can go round a cycle
    bounds: Bounds = bounds_of(graph, (starts, before), low=low, high=high, endless=endless, accuracy=accuracy, compiled=compiled)
    if graph.rewards is not None and not bounds.proper:
        raise RuleError(ENDLESS_REWARDS)
    values[~over] = ((bounds.lower + bounds.upper) / 2)[~over]
    error = float(np.max(np.abs(bounds.upper - bounds.lower)))
    return GraphValues(values, distances, True, bounds.lower, bounds.upper, error, bounds.proper)


def predecessors(first: Array, successors: Array) -> Any:
    """Return (starts, before): the states with an edge to state s are before[starts[s]:starts[s + 1]], once for each edge."""
    number = first.size - 1
    starts = np.zeros(number + 2, np.int64)
    for edge in range(successors.size):
        starts[successors[edge] + 2] += 1
    for state in range(number):
        starts[state + 2] += starts[state + 1]
    before = np.empty(successors.size, successors.dtype)
    for state in range(number):
        for edge in range(first[state], first[state + 1]):
            child = successors[edge]
            before[starts[child + 1]] = state
            starts[child + 1] += 1  # ends where the next begins, once all are in
    return starts[: number + 1], before


def children_first(first: Array, starts: Array, before: Array) -> Any:
    """Return the states in an order with children before parents, without the states that can reach a cycle."""
    number = first.size - 1
    missing = np.empty(number, np.int32)
    order = np.empty(number, before.dtype)
    ready = 0
    for state in range(number):
        missing[state] = first[state + 1] - first[state]
        if missing[state] == 0:
            order[ready] = state
            ready += 1
    at = 0
    while at < ready:
        state = order[at]
        at += 1
        for edge in range(starts[state], starts[state + 1]):
            parent = before[edge]
            missing[parent] -= 1
            if missing[parent] == 0:
                order[ready] = parent
                ready += 1
    return order[:ready]


def backward(
    order: Array,
    first: Array,
    successors: Array,
    probabilities: Array,
    rewards: Array,
    who: Array,
    endless: float,
    measured: bool,
    values: Array,
    distances: Array,
) -> None:
    """Write the value of each state in *order* and, if *measured*, its distance to the end."""
    pays = rewards.size > 0
    for at in range(order.size):
        state = order[at]
        begin, end = first[state], first[state + 1]
        if who[state] == CHANCE:
            mean = 0.0
            for edge in range(begin, end):
                value = values[successors[edge]]
                mean += probabilities[edge] * (rewards[edge] + value if pays else value)
            values[state] = mean
        elif who[state] != OVER:
            best = rewards[begin] + values[successors[begin]] if pays else values[successors[begin]]
            for edge in range(begin + 1, end):
                value = rewards[edge] + values[successors[edge]] if pays else values[successors[edge]]
                if (value > best) if who[state] == 0 else (value < best):
                    best = value
            values[state] = best
            if measured and best != endless:
                hastens = (best > endless) == (who[state] == 0)
                distance = -1
                for edge in range(begin, end):
                    child = successors[edge]
                    if values[child] == best and (
                        distance < 0 or ((distances[child] < distance) if hastens else (distances[child] > distance))
                    ):
                        distance = distances[child]
                distances[state] = distance + 1
