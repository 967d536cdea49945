"""Proofs of Connect Four beside bitbully's, a solver written for that game in C++: the same positions, tables cleared before each.

Clearing is not timed: bitbully's takes longer than most of its proofs. Of its two searches the faster one on each set counts.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.figure import Figure
from bench.timing import Times
from outplay import Game, load
from outplay.rules.text import read_state
from outplay.solve.proof.prover import Prover

SETS = ("L3_R1", "L2_R1", "L1_R1", "L2_R2", "L1_R2", "L1_R3")
HARD = ("24345155", "54431", "216634", "251", "751321", "226763")  # of L1_R3: each takes one thread a while
REPEATS = 3
DATA = Path(__file__).with_name("data") / "connect_four"

Solver = Callable[[str], tuple[int, float, int]]  # columns played -> score to the player to move, seconds, nodes


def figures() -> Iterator[Figure]:
    """Yield the mean time a position of each set beside bitbully's, then what a second thread saves."""
    game = load("connect-four")
    ours, theirs = our_solver(game), [bitbully("mtdf"), bitbully("null_window")]
    for name in SETS:
        lines = [line.split() for line in (DATA / f"{name}.txt").read_text().splitlines()]
        # One solver after the other: clearing bitbully's large table would throw ours out of the cache.
        mine = [ours(columns) for columns, _ in lines]
        peers = [[solve(columns) for columns, _ in lines] for solve in theirs if solve is not None]
        fastest = min(peers, key=lambda found: sum(seconds for _, seconds, _ in found), default=[])
        yield beside(name, [int(score) for _, score in lines], mine, fastest)
    yield from two_threads(game)
    yield empty_board(game)


def our_solver(game: Game) -> Solver:
    """Return a solver that proves by null windows, on one thread."""
    prover = Prover(game)

    def solve(columns: str) -> tuple[int, float, int]:
        state = read_state(game, columns)
        prover.clear()
        began = time.perf_counter()
        value = prover.value(state)
        seconds = time.perf_counter() - began
        return (value if game.turn(state) == 0 else -value), seconds, prover.nodes

    return solve


def bitbully(method: str) -> Solver | None:
    """Return bitbully without its opening book, by one of its searches; None if it is not installed."""
    try:
        from bitbully import BitBully, Board
    except ImportError:
        return None
    agent = BitBully(opening_book=None)

    def solve(columns: str) -> tuple[int, float, int]:
        board = Board()
        assert board.play([int(column) - 1 for column in columns])
        agent.reset_transposition_table()
        agent.reset_node_counter()
        began = time.perf_counter()
        score = getattr(agent, method)(board)
        return score, time.perf_counter() - began, agent.get_node_counter()

    return solve


def beside(name: str, scores: list[int], mine: list[tuple[int, float, int]], peers: list[tuple[int, float, int]]) -> Figure:
    """Return the ratio of the mean times: 1 is as fast as the peer, below is faster."""
    right = sum(found == score for (found, _, _), score in zip(mine, scores, strict=True))
    times = Times.of([seconds for _, seconds, _ in mine])
    mean, nodes = statistics.mean(times.seconds), statistics.mean(count for _, _, count in mine)
    note = f"{right} of {len(scores)} right; mean {mean * 1e3:.3f} ms, {nodes:,.0f} nodes"
    what = f"Connect Four, {name}, against bitbully"
    if not peers:
        return Figure(what, unit="of its time", target=1, at_least=False, ours=times, note=f"{note}; bitbully is not installed")
    peer_times = Times.of([seconds for _, seconds, _ in peers])
    peer_mean = statistics.mean(peer_times.seconds)
    note += f"; bitbully {peer_mean * 1e3:.3f} ms, {statistics.mean(count for _, _, count in peers):,.0f} nodes"
    return Figure(what, mean / peer_mean, "of its time", 1, at_least=False, ours=times, beside=peer_times, note=note)


def empty_board(game: Game) -> Figure:
    """Return how long two threads take to prove what the first player can reach from the start."""
    prover = Prover(game, threads=2)
    began = time.perf_counter()
    value = prover.value(game.start)
    note = f"{prover.nodes:,} nodes; worth {value}: a win with the last stone, as Allen and Allis showed in 1988"
    return Figure("the empty board of 7 by 6, two threads", time.perf_counter() - began, "s", note=note)


def two_threads(game: Game) -> Iterator[Figure]:
    """Yield how many times as fast as one thread two prove hard positions, alternately, by the medians."""
    provers = [Prover(game, threads=threads) for threads in (1, 2)]
    ratios = []
    for columns in HARD:
        state = read_state(game, columns)
        seconds: list[list[float]] = [[], []]
        nodes = [0, 0]
        for _ in range(REPEATS):
            for number, prover in enumerate(provers):
                prover.clear()
                began = time.perf_counter()
                prover.value(state)
                seconds[number].append(time.perf_counter() - began)
                nodes[number] = prover.nodes
        alone, together = Times.of(seconds[0]), Times.of(seconds[1])
        ratios.append(alone.median / together.median)
        note = f"{nodes[0]:,} nodes alone, {nodes[1]:,} together"
        yield Figure(f"two threads, proof of {columns}", ratios[-1], "times", ours=together, beside=alone, note=note)
    yield Figure("two threads, proofs, median speed-up", statistics.median(ratios), "times", 1.6)
