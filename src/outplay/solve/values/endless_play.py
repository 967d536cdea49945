"""Play that never ends: where it is possible, and what that means for the bounds of interval iteration.

Where both players can go round for ever, bounds may hold each other up: a state believes in a value because its child does,
and the child because the state does. A set of states that one side can keep closed shows the way out. If the other side
never leaves it, play is worth `endless`; if it does, at most its best way out. (Deflation, after Eisentraut, Kelmendi,
Kretinsky and Weininger, Value iteration for simple stochastic games, 2022; here for both bounds.)
"""

from typing import Any

import numpy as np

from outplay.rules.game import CHANCE, OVER
from outplay.solve.values.components import strong_components

Array = Any

INFINITY = float("inf")


def kept_up(first: Array, starts: Array, before: Array, who: Array) -> Any:
    """Return which states lie in the largest set that play never has to leave, whatever the dice say, if both players agree."""
    number = first.size - 1
    kept = np.ones(number, np.bool_)
    staying = np.empty(number, np.int32)  # children that are kept
    queue = np.empty(number, before.dtype)
    tail = 0
    for state in range(number):
        staying[state] = first[state + 1] - first[state]
        if who[state] == OVER:
            kept[state] = False
            queue[tail] = state
            tail += 1
    head = 0
    while head < tail:
        state = queue[head]
        head += 1
        for edge in range(starts[state], starts[state + 1]):
            parent = before[edge]
            staying[parent] -= 1
            if kept[parent] and (who[parent] == CHANCE or staying[parent] == 0):
                kept[parent] = False
                queue[tail] = parent
                tail += 1
    return kept


def pull_in(
    states: Array,
    player: int,
    graph: Array,
    kept: Array,
    slot: Array,
    endless: float,
    slack: float,
    lower: Array,
    upper: Array,
) -> float:
    """Tighten the optimistic bound of *player* (upper for 0, lower for 1) where it relies on play without end.

    In each set of *states* that can be kept closed by moves which, for the other player, are best by his own bound: to the
    better of *endless* and the player's best way out. Any set would be right; these are the ones that matter.
    Returns how far a bound was drawn.
    """
    first, successors, _, who, _ = graph
    hoped, feared = (upper, lower) if player == 0 else (lower, upper)
    sign = 1.0 if player == 0 else -1.0
    inside, label = closed_sets(states, player, graph, kept, slot, feared, slack)
    best = np.full(inside.size + 1, sign * endless)  # by label, seen by the player
    for place in range(inside.size):
        state = inside[place]
        if label[place] >= 0 and who[state] == player:
            for edge in range(first[state], first[state + 1]):
                child = successors[edge]
                if not is_in(child, label[place], inside, label, slot):
                    best[label[place]] = max(best[label[place]], sign * hoped[child])
    moved = 0.0
    for place in range(inside.size):
        if label[place] >= 0:
            state = inside[place]
            excess = sign * hoped[state] - best[label[place]]
            if excess > 0.0:
                hoped[state] = sign * best[label[place]]
                moved = max(moved, excess)
    return moved


def is_in(state: int, wanted: int, inside: Array, label: Array, slot: Array) -> Any:
    """Return whether *state* lies in the closed set *wanted*. Stale entries of *slot* do not matter."""
    place = slot[state]
    return 0 <= place < inside.size and inside[place] == state and label[place] == wanted


def closed_sets(states: Array, player: int, graph: Array, kept: Array, slot: Array, feared: Array, slack: float) -> Any:
    """Return (inside, label): the *states* inside a closed set, and the number of that set for each state, -1 for none."""
    first, successors, _, who, _ = graph
    sign = 1.0 if player == 0 else -1.0
    inside = states[kept[states]]
    edges = 0
    for place in range(inside.size):
        slot[inside[place]] = place
        edges += first[inside[place] + 1] - first[inside[place]]
    begins = np.zeros(inside.size + 1, np.int64)
    leads = np.empty(edges, successors.dtype)
    number = 0
    for place in range(inside.size):
        state = inside[place]
        begin, end = first[state], first[state + 1]
        limit = INFINITY
        if who[state] == 1 - player:
            for edge in range(begin, end):
                limit = min(limit, sign * feared[successors[edge]])
            limit += slack
        for edge in range(begin, end):
            child = successors[edge]
            local = slot[child]
            if 0 <= local < inside.size and inside[local] == child and sign * feared[child] <= limit:
                leads[number] = local
                number += 1
            elif who[state] == CHANCE:  # it may leave: it is in no closed set
                number = begins[place]
                break
        begins[place + 1] = number
    chance = who[inside] == CHANCE
    return inside, end_components(begins, leads[:number], chance)


def end_components(first: Array, successors: Array, chance: Array) -> Any:
    """Return the number of each state's maximal end component, or -1: a connected set that no outcome leaves.

    Edges that lead out of components are taken away until none is left; a chance node that loses one loses all.
    """
    number = first.size - 1
    first, successors = first.copy(), successors.copy()
    while True:
        _, _, component = strong_components(first, successors[: first[number]])
        kept = begin = 0
        for state in range(number):
            end, origin = first[state + 1], kept
            first[state] = origin
            for edge in range(begin, end):
                if component[successors[edge]] == component[state]:
                    successors[kept] = successors[edge]
                    kept += 1
                elif chance[state]:
                    kept = origin
                    break
            begin = end
        whole = kept == first[number]
        first[number] = kept
        if whole:
            break
    for state in range(number):
        if first[state] == first[state + 1]:
            component[state] = -1
    return component
