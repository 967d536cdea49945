"""Interval iteration: the values of a game with cycles and chance, between a lower and an upper bound that converge.

The bounds start at the ends of the scale. Each sweep computes the bounds of a state from those of its children, so they remain
bounds. Components are processed one after the other, each after all components that it leads to.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from outplay.compile.procedure import procedure
from outplay.rules.game import CHANCE, OVER
from outplay.solve.values.components import strong_components
from outplay.solve.values.endless_play import kept_up, pull_in

if TYPE_CHECKING:
    from outplay.solve.values.graph import Graph

Array = Any

VISITS = 20_000_000  # states swept in one call: between two, Python can be interrupted
SWEEPS = 16  # between two looks at play that never ends


class Bounds(NamedTuple):
    """A lower and an upper bound for the value of each state, and whether every play ends."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    proper: bool


def bounds_of(
    graph: "Graph",
    reverse: tuple[Array, Array],
    *,
    low: float,
    high: float,
    endless: float,
    accuracy: float,
    compiled: bool,
) -> Bounds:
    """Return bounds for the values of *graph*, iterated until they are within *accuracy* or no longer change."""
    over = graph.who == OVER
    kept = procedure(kept_up, compiled=compiled)(graph.first, *reverse, graph.who)
    members, bounds, component = procedure(strong_components, compiled=compiled)(graph.first, graph.successors)
    ends = np.append(graph.scores[over], endless)
    if graph.rewards is None:
        low, high = max(float(low), ends.min()), min(float(high), ends.max())
    lower = np.where(over, graph.scores, float(low))
    upper = np.where(over, graph.scores, float(high))
    # Gaps add up along a chain of components, the longest of which has at most all with more than one state. A state alone,
    # which may repeat itself, is cheap enough to be closed altogether.
    tolerance = float(accuracy) / max(1, int((np.diff(bounds) > 1).sum()))
    edges = graph.first, graph.successors, graph.probabilities, graph.who, graph.paid
    proper = not kept.any()
    more: tuple[Any, ...] = ()
    if proper:
        run = procedure(close, compiled=compiled)
    else:  # another procedure, for it takes some seconds to compile, and most games have no need of it
        run = procedure(close_endless, compiled=compiled)
        more = (kept, np.empty(graph.who.size, graph.successors.dtype), float(endless))
    at = 0
    while at < bounds.size - 1:
        at = run(at, VISITS, (members, bounds, component), edges, tolerance, lower, upper, *more)
    return Bounds(lower, upper, proper)


def close(at: int, visits: int, components: Array, graph: Array, tolerance: float, lower: Array, upper: Array) -> int:
    """Iterate in component *at* and the following ones until *visits* are used up; return the component to continue with."""
    members, bounds, component = components
    while at < bounds.size - 1 and visits > 0:
        states = members[bounds[at] : bounds[at + 1]]
        enough = (tolerance if states.size > 1 else 0.0) + inherited(at, states, component, graph, lower, upper)
        done = False
        while visits > 0 and not done:
            visits -= states.size
            moved, gap = sweep(states, graph, lower, upper)
            done = gap <= enough or moved == 0.0
        if done:
            at += 1
    return at


def close_endless(
    at: int,
    visits: int,
    components: Array,
    graph: Array,
    tolerance: float,
    lower: Array,
    upper: Array,
    kept: Array,
    slot: Array,
    endless: float,
) -> int:
    """Do the same as `close` where play may never end, in the states *kept*."""
    members, bounds, component = components
    while at < bounds.size - 1 and visits > 0:
        states = members[bounds[at] : bounds[at + 1]]
        enough = (tolerance if states.size > 1 else 0.0) + inherited(at, states, component, graph, lower, upper)
        endures = kept[states].any()
        done = False
        while visits > 0 and not done:
            moved, gap = 1.0, 0.0
            for _ in range(SWEEPS):
                visits -= states.size
                moved, gap = sweep(states, graph, lower, upper)
                done = gap <= enough or moved == 0.0
                if done:
                    break
            if endures and gap > enough:
                pulled = 0.0
                for player in range(2):
                    pulled += pull_in(states, player, graph, kept, slot, endless, tolerance, lower, upper)
                done = moved == 0.0 and pulled == 0.0
        if done:
            at += 1
    return at


def inherited(at: int, states: Array, component: Array, graph: Array, lower: Array, upper: Array) -> float:
    """Return the widest gap at a child outside component *at*: it cannot be closed from here."""
    first, successors = graph[0], graph[1]
    widest = 0.0
    for place in range(states.size):
        for edge in range(first[states[place]], first[states[place] + 1]):
            child = successors[edge]
            if component[child] != at:
                widest = max(widest, upper[child] - lower[child])
    return widest


def sweep(states: Array, graph: Array, lower: Array, upper: Array) -> Any:
    """Compute the bounds of each state from its children; return the largest change, and the widest remaining gap."""
    first, successors, probabilities, who, rewards = graph
    pays = rewards.size > 0
    moved = gap = 0.0
    for place in range(states.size):
        state = states[place]
        begin, end = first[state], first[state + 1]
        if who[state] == OVER:
            continue
        if who[state] == CHANCE:
            least = most = 0.0
            for edge in range(begin, end):
                pay = rewards[edge] if pays else 0.0
                least += probabilities[edge] * (pay + lower[successors[edge]])
                most += probabilities[edge] * (pay + upper[successors[edge]])
        else:
            pay = rewards[begin] if pays else 0.0
            least, most = pay + lower[successors[begin]], pay + upper[successors[begin]]
            for edge in range(begin + 1, end):
                child = successors[edge]
                pay = rewards[edge] if pays else 0.0
                if who[state] == 0:
                    least, most = max(least, pay + lower[child]), max(most, pay + upper[child])
                else:
                    least, most = min(least, pay + lower[child]), min(most, pay + upper[child])
        # Rounding must not widen what was proven.
        if least > lower[state]:
            moved = max(moved, least - lower[state])
            lower[state] = least
        if most < upper[state]:
            moved = max(moved, upper[state] - most)
            upper[state] = most
        gap = max(gap, upper[state] - lower[state])
    return moved, gap
