"""What more threads save, in the time to a fixed depth."""

import os
import statistics
from collections.abc import Iterator

from bench.figure import Figure
from bench.timing import Times, timed
from outplay import Game, load, search

OPENINGS = ("4", "41", "17", "44", "4444", "3637")  # Connect Four: columns played
DEPTH = 22
REPEATS = 3  # several threads never take quite the same way twice


def figures() -> Iterator[Figure]:
    """Yield how many times as fast as one thread several are, by the medians: for each opening, and over all."""
    game = load("connect-four")
    search(game, depth=1)
    alone = {opening: timing(game, opening, threads=1) for opening in OPENINGS}
    cores = os.cpu_count() or 1
    for threads in [number for number in (2, 4) if number <= cores]:
        ratios = []
        for opening, (nodes, times) in alone.items():
            more_nodes, together = timing(game, opening, threads=threads)
            ratios.append(times.median / together.median)
            note = f"{nodes:,} nodes alone, {more_nodes:,} together"
            name = f"{threads} threads, Connect Four {opening}, depth {DEPTH}"
            yield Figure(name, ratios[-1], "times", ours=together, beside=times, note=note)
        yield Figure(f"{threads} threads, median speed-up", statistics.median(ratios), "times")
    if cores < 2:
        yield Figure("threads", note="one core: nothing to compare")


def timing(game: Game, opening: str, *, threads: int) -> tuple[int, Times]:
    """Return the nodes of the last search from *opening*, and how long each took."""
    state = game.read_state(opening)
    result, times = timed(lambda: search(game, state, depth=DEPTH, threads=threads), repeats=REPEATS)
    return result.nodes, times
