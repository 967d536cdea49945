"""The values of a layered game, from the last layer back to the first, each from the one after it."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from outplay.compile.engine import Engine
from outplay.compile.procedure import procedure
from outplay.runtime.threads import spread
from outplay.solve.progress import Reporter
from outplay.solve.states.keyset import Directory
from outplay.solve.states.layers import States
from outplay.solve.states.unfold import Unfolded, UnfolderPool, all_children_known, chunk_for, share, threads_for
from outplay.solve.values.value_codes import Scale, back_up, back_up_reals


def codes_of_layers(
    states: States,
    scale: Scale,
    engine: Engine,
    start: Any,
    *,
    threads: int,
    report: Reporter,
    known: dict[int, Any],
    keep: Callable[[int, Any], None],
) -> list[Any]:
    """Return the codes of each layer. Layers in *known* are reused; *keep* receives each new one."""
    codes: list[Any] = [None] * len(states.layers)
    following, after = np.zeros(1, np.int64), np.zeros(1, scale.dtype)  # none follows the last, and nothing is looked up there
    done, total = 0, states.number
    pool = UnfolderPool(engine, start, chunk=chunk_for(threads), again=True)
    report("values", done, total, total)
    for depth in reversed(range(len(states.layers))):
        if depth in known:
            codes[depth] = known[depth]
        else:
            settling = LayerSolver(scale, pool, states, depth, following, after, threads)
            codes[depth] = settling.run(report, done, total)
            keep(depth, codes[depth])
        following, after = states.layers[depth].keys, codes[depth]
        done += states.counts[depth]
    report("values", done, total, total, now=True)
    return codes


class LayerSolver:
    """Finds the values of one layer from those of the next."""

    def __init__(
        self, scale: Scale, pool: UnfolderPool, states: States, depth: int, following: Any, after: Any, threads: int
    ) -> None:
        self.scale, self.after, self.compiled = scale, after, pool.engine.compiled
        self.keys = states.layers[depth].keys
        self.chunk = pool.chunk
        self.threads = threads_for(len(self.keys), threads)
        self.unfolders = pool.take(states.packing, self.threads)
        self.directory = Directory(following, threads=threads, compiled=self.compiled)
        self.ladder = np.array(scale.scores, np.float64)
        self.codes = np.empty(len(self.keys), scale.dtype)
        self.place = 0  # up to which states are being valued

    def run(self, report: Reporter, done: int, total: int) -> Any:
        """Return the codes of the layer; *done* of all *total* states were finished before."""

        def watch() -> None:
            report("values", done + self.place, total, total)

        spread(self._work, self._chunks(), self.threads, watch=watch)
        return self.codes

    def _chunks(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of states."""
        while self.place < len(self.keys):
            start = self.place
            self.place += share(len(self.keys) - start, self.chunk, self.threads)
            yield start, self.place

    def _work(self, worker: int, chunk: tuple[int, int]) -> None:
        start, stop = chunk
        while start < stop:
            unfolded = self.unfolders[worker].run(self.keys, start, stop - start)
            self._settle(unfolded, self.codes[start : start + unfolded.number])
            start += unfolded.number

    def _settle(self, unfolded: Unfolded, codes: Any) -> None:
        with all_children_known():
            places = self.directory.places(unfolded.children)
        states = (unfolded.who, unfolded.counts, unfolded.scores, places, self.after)
        if self.scale.span:
            behind, ahead = self.scale.level
            procedure(back_up, compiled=self.compiled)(*states, self.ladder, self.scale.span, behind, ahead, codes)
        else:
            procedure(back_up_reals, compiled=self.compiled)(*states, unfolded.chances, unfolded.rewards, codes)
