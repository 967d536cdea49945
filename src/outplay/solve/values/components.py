"""Strongly connected components: sets of states that can reach one another."""

from typing import Any

import numpy as np

Array = Any


def strong_components(first: Array, successors: Array) -> Any:
    """Return (members, bounds, component) of a graph given as in `graph.Graph`.

    The states of component c are members[bounds[c]:bounds[c + 1]], and component[s] says in which s lies. No edge leads
    to a component with a higher number; within one, a state stands after its children as far as cycles allow.
    """
    number = first.size - 1
    component = np.zeros(number, successors.dtype)
    finished = np.empty(number, successors.dtype)
    count = label_components(first, successors, component, finished)

    bounds = np.zeros(count + 2, np.int64)
    for state in range(number):
        component[state] = number - component[state]
        bounds[component[state] + 2] += 1
    for place in range(count):
        bounds[place + 2] += bounds[place + 1]
    members = np.empty(number, successors.dtype)
    for at in range(number):
        state = finished[at]
        members[bounds[component[state] + 1]] = state
        bounds[component[state] + 1] += 1
    return members, bounds[: count + 1], component


def label_components(first: Array, successors: Array, label: Array, finished: Array) -> Any:
    """Write each state's component to *label*, N for the first to be complete and so on down; return how many there are.

    *finished* takes the states in the order in which the search leaves them. Pearce's form of Tarjan's algorithm, without
    recursion: during the search a label says how early on the path the state, or one that it leads back to, was entered.
    """
    number = first.size - 1
    waiting = np.empty(number, successors.dtype)  # left, but their component is not complete
    path = np.empty(number, successors.dtype)  # from the root of the search to where it is
    entered = np.empty(number, successors.dtype)  # the label that path[i] got first
    cursor = np.empty(number, np.int32)  # the edge of path[i] that is followed
    left = held = 0
    place, found = 1, number
    for root in range(number):
        depth = 0
        if label[root] == 0:
            path[0], entered[0], cursor[0], label[root] = root, place, 0, place
            place += 1
            depth = 1
        while depth > 0:
            state = path[depth - 1]
            edge = first[state] + cursor[depth - 1]
            if edge < first[state + 1]:
                child = successors[edge]
                if label[child] == 0:  # the same edge again, when the search is back from there
                    path[depth], entered[depth], cursor[depth], label[child] = child, place, 0, place
                    place += 1
                    depth += 1
                else:
                    label[state] = min(label[state], label[child])
                    cursor[depth - 1] += 1
                continue
            depth -= 1
            finished[left] = state
            left += 1
            if label[state] < entered[depth]:
                waiting[held] = state
                held += 1
                continue
            while held > 0 and label[waiting[held - 1]] >= label[state]:
                held -= 1
                label[waiting[held]] = found
                place -= 1
            label[state] = found
            place -= 1
            found -= 1
    return number - found
