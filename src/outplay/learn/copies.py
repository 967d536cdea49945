"""Copies of a network: each thread of self-play learns on its own, and what the copies learned is merged from time to time.

Threads that share the weights wait for each other: every game begins with the same states, so all threads write to the same
cache lines. With copies, the same seed and the same number of threads also give the same weights, up to a game.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.compile.procedure import procedure
from outplay.learn.network import LINE, Network, aligned_floats, floats
from outplay.runtime.threads import spread
from outplay.solve.progress import free_memory

ROOM = 0.5  # copies take at most this share of the free memory
BLOCK = 1 << 16  # weights that are copied at once
STRETCH = 32  # weights that are compared at once
PARTS = 4  # parts of the weights for each thread that merges them


def merge_weights(weights, trust, copied, copied_trust, first, last):  # type: ignore[no-untyped-def]
    """Merge the weights from *first* to *last* of all copies, a row each, into *weights*, and write the result back to the copies.

    What a copy learned counts by the sizes of the errors that it learned from. Trust adds up.
    """
    number = len(copied)
    for block in range(first, last, STRETCH):
        end = min(block + STRETCH, last)
        changed = False
        for one in range(number):  # most weights have not changed: two loops that a processor runs many items at a time
            for place in range(block, end):
                changed |= copied[one, place] != weights[place]
            for place in range(2 * block, 2 * end):
                changed |= copied_trust[one, place] != trust[place]
        if changed:
            for place in range(block, end):
                merge_weight(weights, trust, copied, copied_trust, place)


def merge_weight(weights, trust, copied, copied_trust, place):  # type: ignore[no-untyped-def]
    """Do what `merge_weights` does, for one weight."""
    number = len(copied)
    weight, drift, size = weights[place], trust[2 * place], trust[2 * place + 1]
    total = 0.0
    for one in range(number):
        total += copied_trust[one, 2 * place + 1] - size
    moved, drifted = 0.0, 0.0
    for one in range(number):
        # A very large float32 no longer grows when a small number is added. Then all copies count alike.
        share = (copied_trust[one, 2 * place + 1] - size) / total if total > 0.0 else 1.0 / number
        moved += share * (copied[one, place] - weight)
        drifted += copied_trust[one, 2 * place] - drift
    weights[place] = weight + moved
    trust[2 * place] = drift + drifted
    trust[2 * place + 1] = size + total
    for one in range(number):
        copied[one, place] = weights[place]
        copied_trust[one, 2 * place] = trust[2 * place]
        copied_trust[one, 2 * place + 1] = trust[2 * place + 1]


def merge_rows(hidden, visits, copied, copied_visits, units):  # type: ignore[no-untyped-def]
    """Do what `merge_weights` does for rows of hidden weights. What a copy learned counts by the number of its visits to the row."""
    number = len(copied)
    for row in range(len(visits)):
        before, total = visits[row], 0.0
        for one in range(number):
            total += copied_visits[one, row] - before
        if total <= 0.0:
            continue
        for place in range(row * units, (row + 1) * units):
            moved = 0.0
            for one in range(number):
                moved += (copied_visits[one, row] - before) / total * (copied[one, place] - hidden[place])
            hidden[place] += moved
            for one in range(number):
                copied[one, place] = hidden[place]
        visits[row] = before + total
        for one in range(number):
            copied_visits[one, row] = visits[row]


class Copies:
    """Copies of *network*, one for each of several threads."""

    def __init__(self, network: Network, threads: int, *, compiled: bool) -> None:
        self.network, self.threads = network, threads
        self._merge_weights = procedure(merge_weights, compiled=compiled)
        self._merge_rows = procedure(merge_rows, compiled=compiled)
        self.weights, self.trust = (_rows(floats, array, threads) for array in (network.weights, network.trust))
        self.hidden = _rows(aligned_floats, network.hidden, threads)
        self.visits = np.tile(network.visits, (threads, 1))
        self.networks = tuple(map(network.over, self.weights, self.trust, self.hidden, self.visits))

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
    """Return *number* rows with the content of *array*, each from the beginning of a cache line on."""
    width = -(-len(array) // LINE) * LINE
    rows = make(number * width).reshape(number, width)
    for first in range(0, len(array), BLOCK):
        part = array[first : first + BLOCK]
        if part.any():  # memory that holds 0 alone is not provided by the system before it is written
            rows[:, first : first + len(part)] = part
    return rows


def copies_for(network: Network, threads: int, *, compiled: bool) -> Copies | None:
    """Return copies of *network* for several *threads*; None for one thread, or if there is no room: threads then share the weights."""
    needed = threads * (network.weights.nbytes + network.trust.nbytes + network.hidden.nbytes)
    if threads == 1 or needed > ROOM * free_memory():
        return None
    return Copies(network, threads, compiled=compiled)
