"""Playouts and Monte Carlo tree search beside OpenSpiel's, in games that both know, and what a second thread adds."""

import os
from collections.abc import Iterator

from bench.figure import Figure
from bench.peers import MISSING, peer
from bench.timing import Times, timed
from outplay import Game, load, playouts, search

# Ours, theirs, and the games that each plays in one measurement.
GAMES = (
    ("connect-four", "connect_four", 20_000, 100),
    ("tic-tac-toe", "tic_tac_toe", 50_000, 300),
    ("pig:goal=100", "pig", 2000, 10),
)
SIMULATIONS, THEIR_SIMULATIONS = 20_000, 2000
REPEATS, LEAST = 20, 1.0  # and seconds: a busy moment of the machine is then not all that is measured


def figures() -> Iterator[Figure]:
    """Yield playouts and simulations a second, how many times as many as the peer's, and what two threads add."""
    for ours, theirs, number, their_number in GAMES:
        game = load(ours)
        times = played(game, number)
        if ours == "connect-four":
            speed = number / times.best / 1e6
            yield Figure("Connect Four, random playouts on one core", speed, "M/s", 1, ours=times, note=f"{number:,} games")
        yield ratio(
            f"{game.name}, random playouts, against OpenSpiel from Python", number, times, their_number,
            peer("open_spiel_peer", "playouts", name=theirs, number=their_number), target=50,
        )  # fmt: skip
    for ours, theirs, _, _ in GAMES:
        if ours == "tic-tac-toe":  # proven before the simulations are used up
            continue
        game = plain(load(ours))
        yield ratio(
            f"{game.name}, simulations of a tree search, against OpenSpiel's in C++", SIMULATIONS, simulated(game), THEIR_SIMULATIONS,
            peer("open_spiel_peer", "tree_search", name=theirs, simulations=THEIR_SIMULATIONS), target=1,
        )  # fmt: skip
    if (os.cpu_count() or 1) < 2:
        yield Figure("threads", note="one core: nothing to compare")
        return
    game = load("connect-four")
    alone, together = played(game, 200_000), played(game, 200_000, threads=2)
    yield Figure("2 threads, playouts of Connect Four", alone.best / together.best, "times", 1.8, ours=together, beside=alone)
    alone, together = simulated(game), simulated(game, threads=2)
    yield Figure("2 threads, simulations of Connect Four", alone.best / together.best, "times", 1.8, ours=together, beside=alone)


def plain(game: Game) -> Game:
    """Return *game* with nothing but its rules, as the peer knows it: a leaf is valued by a playout alone."""
    return game.replace(name=f"plain {game.name}", rank=None, useful=None, bounds=None, estimate=None)


def played(game: Game, number: int, threads: int = 1) -> Times:
    """Measure so many playouts, once they are compiled."""
    playouts(game, number=10, threads=threads)
    return timed(lambda: playouts(game, number=number, threads=threads), repeats=REPEATS, least=LEAST)[1]


def simulated(game: Game, threads: int = 1) -> Times:
    """Measure a tree search of SIMULATIONS from the start, once it is compiled; it must not end by proof."""
    search(game, method="mcts", simulations=10, threads=threads)
    return timed(lambda: search(game, method="mcts", simulations=SIMULATIONS, threads=threads), repeats=REPEATS, least=LEAST)[1]


def ratio(
    name: str, number: int, times: Times, their_number: int, theirs: tuple[float, Times] | None, *, target: float
) -> Figure:
    """Return how many times as many of something a second ours does as the peer."""
    note = f"{number / times.best:,.0f} a second"
    if theirs is None:
        return Figure(name, unit="times", target=target, ours=times, note=f"{note}; {MISSING}")
    their_times = theirs[1]
    value = number / times.best / (their_number / their_times.best)
    return Figure(
        name,
        value,
        "times",
        target,
        ours=times,
        beside=their_times,
        note=f"{note}, theirs {their_number / their_times.best:,.0f}",
    )
