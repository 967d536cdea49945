"""Enumeration: from one layer to the next, on all threads."""

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from outplay.compile.engine import Engine
from outplay.compile.watchdog import STILL, Watchdog
from outplay.rules.game import CHANCE, OVER
from outplay.runtime.overdue import endless_in
from outplay.runtime.threads import spread
from outplay.solve.progress import Budget, Reporter
from outplay.solve.states.keyset import PARTS, SMALL, Run, Scratch, part_of
from outplay.solve.states.layers import Layer, States
from outplay.solve.states.packing import WORD, Extent
from outplay.solve.states.unfold import Unfolded, Unfolder, UnfolderPool, chunk_for, share, threads_for

BLOCK = 1 << 20  # keys that a worker collects before it groups them
SWEEP = 1 << 25  # keys that all workers collect before they are put together


class Misfit(Exception):
    """Raised for children that do not fit the packing; holds their extents."""

    def __init__(self, extents: list[Extent]) -> None:
        self.extents = extents


def enumerate_states(
    states: States,
    engine: Engine,
    start: Any,
    *,
    threads: int,
    budget: Budget,
    report: Reporter,
    keep: Callable[[States], None],
) -> None:
    """Add layers to *states* until there are no new states; call *keep* after each layer and after a change of packing."""
    done = states.number - states.counts[-1]
    pool = UnfolderPool(engine, start, chunk=chunk_for(threads))
    while True:
        layer = states.layers[-1]
        try:
            following = Expansion(states, pool, threads, budget, report, done).following()
        except Misfit as misfit:
            states.widen(misfit.extents, engine.game.name, compiled=engine.compiled)
            keep(states)
            continue
        done += len(layer.keys)
        if not states.add(following):
            break
        keep(states)
    report("states", done, None, states.number, now=True)


class Expansion:
    """The last layer of *states* being unfolded."""

    def __init__(self, states: States, pool: UnfolderPool, threads: int, budget: Budget, report: Reporter, before: int) -> None:
        engine = pool.engine
        self.states, self.engine, self.budget, self.report = states, engine, budget, report
        self.keys = states.layers[-1].keys
        self.chunk = pool.chunk
        self.threads = threads_for(len(self.keys), threads)
        self.collectors = [Collector(unfolder) for unfolder in pool.take(states.packing, self.threads)]
        self.before = before  # states of earlier layers
        self.place = 0  # up to which states are being unfolded
        self.known = np.empty(0, np.int64)
        self.overdue = SlowChunks(self.collectors) if engine.compiled else Watchdog([engine.game])

    def following(self) -> Layer:
        """Return the layer of all children, whether seen before or not."""
        while self.place < len(self.keys):
            spread(self._work, self._chunks(), self.threads, watch=self._watch)
            spread(lambda _, collector: collector.close(), self.collectors, self.threads, watch=self._watch)
            self._refuse_misfits()
            self._put_together()
        bits = [collector.unfolder.bits() for collector in self.collectors]
        some, every = 0, WORD
        for any_bits, all_bits in bits:
            some, every = some | any_bits & WORD, every & all_bits
        states = self.states
        states.edges += sum(collector.edges for collector in self.collectors)
        states.chance |= any(collector.chance for collector in self.collectors)
        states.scores = np.unique(np.concatenate([states.scores, *(collector.scores for collector in self.collectors)]))
        return Layer(self.known, some, every)

    def _chunks(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of states until their children fill a sweep."""
        while self.place < len(self.keys) and sum(collector.held for collector in self.collectors) < SWEEP:
            start = self.place
            self.place += share(len(self.keys) - start, self.chunk, self.threads)
            yield start, self.place

    def _work(self, worker: int, chunk: tuple[int, int]) -> None:
        self.collectors[worker].take(self.keys, *chunk)

    def _watch(self) -> None:
        self.overdue.look()
        new = sum(collector.held for collector in self.collectors)
        self.budget.check(self.states.bytes + self.known.nbytes + 8 * new, self.states.number)
        self.report("states", self.before + self.place, None, self.states.number)

    def _refuse_misfits(self) -> None:
        found = [extents for collector in self.collectors if (extents := collector.unfolder.misfits()) is not None]
        if found:
            joined = found[0]
            for extents in found[1:]:
                joined = [one.joined(other) for one, other in zip(joined, extents, strict=True)]
            raise Misfit(joined)

    def _put_together(self) -> None:
        """Join the keys collected in this sweep to the known ones."""
        runs = [run for collector in self.collectors for run in collector.runs]
        total = sum(len(run.keys) for run in runs)
        for collector in self.collectors:
            collector.runs, collector.held = [], 0
        self.budget.check(self.states.bytes + 2 * self.known.nbytes + 2 * 8 * total, self.states.number + len(self.known))
        if len(self.known) + total < SMALL or not self.engine.compiled:
            self.known = np.unique(np.concatenate([self.known, *(run.keys for run in runs)]))
            return
        runs.append(Run.sorted(self.known))
        parts: list[Any] = [None] * PARTS
        scratch = [Scratch() for _ in range(self.threads)]

        def put_together(worker: int, part: int) -> None:
            parts[part] = part_of(runs, part, scratch[worker], compiled=self.engine.compiled)

        spread(put_together, range(PARTS), self.threads, watch=self._watch)
        places = np.concatenate(([0], np.cumsum([len(part) for part in parts])))
        self.known = np.empty(places[-1], np.int64)

        def write(worker: int, part: int) -> None:
            self.known[places[part] : places[part + 1]] = parts[part]

        spread(write, range(PARTS), self.threads, watch=self._watch)


class SlowChunks:
    """Detects a rule that does not return: a slow chunk is unfolded again, interpreted, under a watchdog."""

    def __init__(self, collectors: "list[Collector]") -> None:
        self.collectors, self.patience = collectors, STILL

    def look(self) -> None:
        """Raise an Endless if a rule does not return for a state of the slowest chunk."""
        collector = min(self.collectors, key=lambda collector: collector.began)
        if time.monotonic() - collector.began < self.patience:
            return
        found = endless_in(collector.unfolder.engine.game, collector.repeat)
        if found is not None:
            raise found
        self.patience *= 4  # the rules are slow, and no more


class Collector:
    """One worker's part of a layer's children."""

    def __init__(self, unfolder: Unfolder) -> None:
        self.unfolder, self.compiled = unfolder, unfolder.engine.compiled
        self.runs: list[Run] = []
        self.held = 0  # keys in the runs and the block
        self.edges, self.chance, self.scores = 0, False, np.empty(0, np.float64)
        self._block, self._filled = np.empty(0, np.int64), 0
        self.began = math.inf  # when it began with what it is unfolding
        self.repeat: Callable[[], object] = lambda: None  # does the same interpreted

    def take(self, keys: Any, start: int, stop: int) -> None:
        """Unfold the states from *start* to *stop*."""
        while start < stop:
            self.repeat = partial(self.unfolder.interpreted, keys, start, stop - start)
            self.began = time.monotonic()
            unfolded = self.unfolder.run(keys, start, stop - start)
            self.began = math.inf
            self._note(unfolded)
            self._collect(unfolded.children)
            start += unfolded.number

    def _note(self, unfolded: Unfolded) -> None:
        self.edges += len(unfolded.children)
        over = unfolded.scores[unfolded.who == OVER]
        if len(over):
            places = np.minimum(np.searchsorted(self.scores, over), max(len(self.scores) - 1, 0))
            if not len(self.scores) or (self.scores[places] != over).any():
                self.scores = np.unique(np.concatenate([self.scores, over]))
        self.chance = self.chance or bool((unfolded.who == CHANCE).any())

    def _collect(self, children: Any) -> None:
        if self._filled + len(children) > len(self._block):
            self.close()
            if len(self._block) < max(BLOCK, len(children)):  # fresh memory is slow, so a block is used again
                self._block = np.empty(max(BLOCK, len(children)), np.int64)
        self._block[self._filled : self._filled + len(children)] = children
        self._filled += len(children)
        self.held += len(children)

    def close(self) -> None:
        """Group the rest of the block."""
        if self._filled:
            self.runs.append(Run.of(self._block[: self._filled], compiled=self.compiled))
            self._filled = 0
