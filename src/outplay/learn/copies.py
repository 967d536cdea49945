"""Copies of a network: each thread of self-play learns on its own, and what the copies learned is merged from time to time.

All games begin with the same states, so threads that shared the weights would write to the same cache lines and wait for each
other. Copies also make learning reproducible: the same seed and number of threads give the same weights after the same number of
games.

A network with many weights is shared: threads seldom meet in it, while merging takes long. It is also shared if memory is too small.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.compile.procedure import procedure
from outplay.learn.network import LINE, Network, aligned_floats, floats
from outplay.runtime.threads import spread
from outplay.solve.progress import free_memory

LEAST_GROWTH = 2.0**-20  # of the size of all errors: below, float32 is too coarse to compare what the copies added
MOST_COPIED = 1 << 23  # weights of a network that is copied; a larger one is shared
MEMORY_SHARE = 0.5  # copies take at most this share of the free memory
BLOCK = 1 << 16  # weights that are copied at once
STRETCH = 32  # weights that are compared at once
PARTS = 4  # parts of the weights for each thread that merges them


def merge_weights(weights, trust, copied_weights, copied_trust, first, last):  # type: ignore[no-untyped-def]
    """Merge what the copies learned of weights *first* ... *last* - 1 into *weights* and *trust*, and write the result to all copies.

    Row i of *copied_weights* and *copied_trust* belongs to copy i.
    """
    for start in range(first, last, STRETCH):
        end = min(start + STRETCH, last)
        changed = False
        for copy in range(len(copied_weights)):  # few weights have changed; a processor compares many at a time
            for place in range(start, end):
                changed |= copied_weights[copy, place] != weights[place]
            for place in range(2 * start, 2 * end):
                changed |= copied_trust[copy, place] != trust[place]
        if changed:
            for place in range(start, end):
                merge_weight(weights, trust, copied_weights, copied_trust, place)  # type: ignore[no-untyped-call]


def merge_weight(weights, trust, copied_weights, copied_trust, place):  # type: ignore[no-untyped-def]
    """Merge what the copies learned of one weight.

    It changes by the mean of its changes in the copies, each weighted by the sizes of the errors that the copy learned from since
    the last merge. What the copies added to the trust is added up.
    """
    copies = len(copied_weights)
    # Sums are float64, also compiled, where float() would leave a float32 as it is.
    weight, drift, size = np.float64(weights[place]), np.float64(trust[2 * place]), np.float64(trust[2 * place + 1])
    total = 0.0
    for copy in range(copies):
        total += np.float64(copied_trust[copy, 2 * place + 1]) - size
    # A very large float32 hardly grows when small numbers are added. Then all copies count alike.
    grown = copies * size * LEAST_GROWTH < total < np.inf
    moved, drifted = 0.0, 0.0
    for copy in range(copies):
        share = (np.float64(copied_trust[copy, 2 * place + 1]) - size) / total if grown else 1.0 / copies
        moved += share * (np.float64(copied_weights[copy, place]) - weight)
        drifted += np.float64(copied_trust[copy, 2 * place]) - drift
    weights[place] = weight + moved
    if total < np.inf:
        trust[2 * place] = drift + drifted
        trust[2 * place + 1] = size + total
    for copy in range(copies):
        copied_weights[copy, place] = weights[place]
        copied_trust[copy, 2 * place] = trust[2 * place]
        copied_trust[copy, 2 * place + 1] = trust[2 * place + 1]


def merge_rows(hidden, visits, copied_hidden, copied_visits, units):  # type: ignore[no-untyped-def]
    """Do what `merge_weights` does for all rows of hidden weights. What a copy learned counts by its visits to the row."""
    copies = len(copied_hidden)
    for row in range(len(visits)):
        before, total = visits[row], 0.0
        for copy in range(copies):
            total += copied_visits[copy, row] - before
        if total <= 0.0:
            continue
        for place in range(row * units, (row + 1) * units):
            weight, moved = np.float64(hidden[place]), 0.0
            for copy in range(copies):
                moved += (copied_visits[copy, row] - before) / total * (np.float64(copied_hidden[copy, place]) - weight)
            hidden[place] = weight + moved
            for copy in range(copies):
                copied_hidden[copy, place] = hidden[place]
        visits[row] = before + total
        for copy in range(copies):
            copied_visits[copy, row] = visits[row]


class Copies:
    """Copies of *network*, one for each of several threads."""

    def __init__(self, network: Network, threads: int, *, compiled: bool) -> None:
        self.network, self.threads = network, threads
        self._merge_weights = procedure(merge_weights, compiled=compiled)
        self._merge_rows = procedure(merge_rows, compiled=compiled)
        self.weights, self.trust = (_rows(floats, array, threads) for array in (network.weights, network.trust))
        self.hidden = _rows(aligned_floats, network.hidden, threads)
        self.visits = np.tile(network.visits, (threads, 1))
        self.networks = tuple(map(network.with_arrays, self.weights, self.trust, self.hidden, self.visits))

    def merge(self) -> None:
        """Merge what the copies have learned into the network; all copies go on from there."""
        network, number = self.network, len(self.network.weights)
        width = -(-number // (PARTS * self.threads))

        def work(_: int, first: int) -> None:
            self._merge_weights(network.weights, network.trust, self.weights, self.trust, first, min(first + width, number))

        spread(work, range(0, number, width), self.threads)
        if network.shape.units:
            self._merge_rows(network.hidden, network.visits, self.hidden, self.visits, network.shape.units)


def _rows(make: Callable[[int], Any], array: Any, number: int) -> Any:
    """Return *number* copies of *array* as rows, whose length is a whole number of cache lines."""
    width = -(-len(array) // LINE) * LINE
    rows = make(number * width).reshape(number, width)
    for first in range(0, len(array), BLOCK):
        part = array[first : first + BLOCK]
        if part.any():  # zeros that are never written take no memory
            rows[:, first : first + len(part)] = part
    return rows


def copies_for(network: Network, threads: int, *, compiled: bool) -> Copies | None:
    """Return copies of *network* for *threads* threads, or None if there is one thread, or if threads are to share the network."""
    needed = threads * (network.weights.nbytes + network.trust.nbytes + network.hidden.nbytes)
    if threads == 1 or len(network.weights) > MOST_COPIED or needed > MEMORY_SHARE * free_memory():
        return None
    return Copies(network, threads, compiled=compiled)
