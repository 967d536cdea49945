"""How much later than its deadline a search returns."""

import random
import time
from collections.abc import Iterator
from itertools import cycle
from threading import Timer
from typing import Any

from bench.figure import Figure
from bench.timing import Times
from outplay import CHANCE, OVER, Game, Stopper, load, search

SEARCHES = {10: 1000, 100: 300, 1000: 40}  # for each budget in milliseconds
FULL = 1000
TARGET = 5.0  # milliseconds
STOPS, STOP_TARGET = 100, 50.0
STONES = (4, 12)  # played in a midgame; with many more, the search proves its value before the time is up


def figures(*, full: bool = False) -> Iterator[Figure]:
    """Yield the overshoot over each budget: from call to return, less the budget. *full*: 1,000 searches for each."""
    for budget, usual in SEARCHES.items():
        searches = FULL if full else usual
        times, proven = overshoots(budget / 1000, searches)
        p50, p99, worst = (1000 * value for value in (times.within(0.5), times.within(0.99), times.worst))
        note = f"p50 {p50:.2f}, p99 {p99:.2f}, max {worst:.2f} ms over {searches:,} searches"
        if proven:
            note += f"; {proven:,} more ended early by proof"
        yield Figure(f"overshoot over {budget:,} ms, p99", p99, "ms", TARGET, at_least=False, ours=times, note=note)

    times = stops(STOPS)
    note = f"p50 {1000 * times.within(0.5):.2f}, max {1000 * times.worst:.2f} ms over {STOPS} searches"
    yield Figure("stop() to return, p99", 1000 * times.within(0.99), "ms", STOP_TARGET, at_least=False, ours=times, note=note)


def stops(searches: int) -> Times:
    """Return how long searches by two threads take to return once another thread has stopped them."""
    game = load("connect-four")
    took: list[float] = []
    for _ in range(searches):
        stopper, called = Stopper(), [0.0]

        def press(stopper: Stopper = stopper, called: list[float] = called) -> None:
            called[0] = time.perf_counter()
            stopper.stop()

        Timer(0.05, press).start()
        search(game, seconds=10, threads=2, stopper=stopper)
        took.append(time.perf_counter() - called[0])
    return Times.of(took)


def overshoots(seconds: float, searches: int) -> tuple[Times, int]:
    """Return by how much *searches* searches that ran out of time overran, and how many others had a proof before."""
    source = random.Random(searches)
    games = [load("connect-four"), load("pig")]
    for game in games:
        search(game, depth=1)  # compiles
    late: list[float] = []
    proven = 0
    for game in cycle(games):
        if len(late) == searches:
            break
        state = midgame(game, source)
        began = time.perf_counter()
        result = search(game, state, seconds=seconds)
        took = time.perf_counter() - began
        if result.stopped_by == "time":
            late.append(took - seconds)
        else:
            proven += 1
    return Times.of(late), proven


def midgame(game: Game, source: random.Random) -> Any:
    """Return a state in which a player is to move, a few random moves from the start."""
    while True:
        state, moves = game.start, source.randint(*STONES)
        while (who := game.turn(state)) == CHANCE or (who != OVER and moves):
            state = game.play(state, source.choice(_choices(game, state)))
            moves -= who != CHANCE
        if who != OVER:
            return state


def _choices(game: Game, state: Any) -> list[int]:
    if game.turn(state) == CHANCE and game.chances is not None:
        return [outcome for outcome, _ in game.chances(state)]
    return game.legal(state)
