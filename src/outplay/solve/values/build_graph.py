"""Builds the graph of all states in memory, for games whose states can repeat."""

from typing import Any

import numpy as np

from outplay.compile.engine import Engine
from outplay.runtime.threads import spread
from outplay.solve.progress import Budget, Reporter, graph_bytes
from outplay.solve.states.keyset import Directory
from outplay.solve.states.layers import States
from outplay.solve.states.unfold import Unfolder, all_children_known, chunk_for
from outplay.solve.values.graph import Graph


def graph_of(states: States, engine: Engine, start: Any, *, threads: int, budget: Budget, report: Reporter) -> tuple[Any, Graph]:
    """Return the keys of all *states*, in order, and their graph."""
    keys = states.all_keys()
    number = len(keys)
    directory = Directory(keys, threads=threads, compiled=engine.compiled)
    chunk_size = chunk_for(threads)
    chunks = range(0, number, chunk_size)
    unfolders = [Unfolder(engine, start, states.packing, chunk=chunk_size, again=True) for _ in range(min(threads, len(chunks)))]
    unfolders[0].prepare()
    who, scores, counts = np.empty(number, np.int8), np.empty(number, np.float64), np.empty(number, np.int64)
    kind = np.int32 if number < 1 << 31 else np.int64
    children: list[Any] = [None] * len(chunks)
    chances: list[Any] = [None] * len(chunks)
    rewards: list[Any] = [None] * len(chunks)
    done = edges_done = 0

    def work(worker: int, chunk: int) -> None:
        nonlocal done, edges_done
        at, stop = chunks[chunk], min(chunks[chunk] + chunk_size, number)
        edges, weights, pays = [], [], []
        while at < stop:
            unfolded = unfolders[worker].run(keys, at, stop - at)
            here = slice(at, at + unfolded.number)
            who[here], scores[here], counts[here] = unfolded.who, unfolded.scores, unfolded.counts
            with all_children_known():
                edges.append(directory.places(unfolded.children).astype(kind))
            weights.append(unfolded.chances.copy())
            pays.append(unfolded.rewards.copy())
            at += unfolded.number
        children[chunk], chances[chunk], rewards[chunk] = map(np.concatenate, (edges, weights, pays))
        done, edges_done = done + chunk_size, edges_done + len(children[chunk])

    def watch() -> None:
        report("graph", min(done, number), number, number)
        budget.check(graph_bytes(number, edges_done, chance=states.chance, rewards=engine.game.reward is not None), number)

    watch()
    spread(work, range(len(chunks)), len(unfolders), watch=watch)
    watch()
    first = np.concatenate(([0], np.cumsum(counts)))
    probabilities = np.concatenate(chances) if states.chance else None
    paid = np.concatenate(rewards) if engine.game.reward else None
    return keys, Graph(first, np.concatenate(children), probabilities, who, scores, paid)
