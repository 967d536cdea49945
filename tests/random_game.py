"""Games made of hashes: every seed is another tree, with or without chance, and one compilation serves them all.

Trees share nodes (few spots a ply), a player may move twice in a row, and scores and estimates are hashed.
"""

from typing import NamedTuple

from outplay import CHANCE, OVER, Game
from outplay.rules.bits import mix

SPOTS = 12  # a ply; few, so that lines meet again
MOST = 10


class State(NamedTuple):
    seed: int
    lucky: bool  # whether there are chance nodes
    length: int  # plies
    ply: int
    spot: int
    band: int  # 0: any score is possible; 1: none below 0; -1: none above 0


def hashed(state, salt):
    return mix(mix(mix(state.seed, state.ply * SPOTS + state.spot), state.band), salt)


def turn(state):
    if state.ply >= state.length or (state.ply > 0 and hashed(state, 1) % 12 == 0):
        return OVER
    if state.lucky and state.ply > 0 and hashed(state, 2) % 3 == 0:
        return CHANCE
    return hashed(state, 3) & 1


def moves(state):
    for move in range(1 + hashed(state, 4) % 4):
        yield move


def chances(state):
    number = 1 + hashed(state, 5) % 4
    total = 0
    for outcome in range(number):
        total += 1 + hashed(state, 10 + outcome) % 5
    for outcome in range(number):
        yield outcome, (1 + hashed(state, 10 + outcome) % 5) / total


def play(state, choice):
    after = hashed(state, 20 + choice)
    band = state.band
    if band == 0 and after % 7 == 0:
        band = 1 if after & 64 else -1
    return State(state.seed, state.lucky, state.length, state.ply + 1, after % SPOTS, band)


def in_band(state, value):
    return value if state.band == 0 else abs(value) * state.band


def score(state):
    return in_band(state, hashed(state, 6) % (2 * MOST + 1) - MOST)


def estimate(state):
    return in_band(state, hashed(state, 7) % (2 * MOST + 1) - MOST)


def rank(state, move):
    return hashed(state, 30 + move) % 8


def useful(state):
    """Each child once: a move to where an earlier one leads adds nothing."""
    number = 1 + hashed(state, 4) % 4
    for move in range(number):
        fresh = True
        for earlier in range(move):
            if play(state, earlier) == play(state, move):
                fresh = False
        if fresh:
            yield move


def bounds(state):
    return (-MOST if state.band <= 0 else 0), (MOST if state.band >= 0 else 0)


def start(seed, *, lucky, length):
    return State(seed, lucky, length, 0, 0, 0)


random_game = Game(
    name="random tree",
    start=start(1, lucky=False, length=6),
    turn=turn,
    moves=moves,
    chances=chances,
    play=play,
    score=score,
    estimate=estimate,
    rank=rank,
    useful=useful,
    bounds=bounds,
    low=-MOST,
    high=MOST,
    max_moves=4,
)


def scaled(factor):
    """The same trees with values that are far apart or close together, and mostly 0: what rounding could confuse."""

    def sparse(state, salt):
        value = in_band(state, hashed(state, salt) % (2 * MOST + 1) - MOST)
        return value * factor if hashed(state, salt + 50) % 3 == 0 else 0.0

    def scaled_score(state):
        return sparse(state, 6)

    def scaled_estimate(state):
        return sparse(state, 7)

    def scaled_bounds(state):
        low, high = bounds(state)
        return low * factor, high * factor

    changes = {
        "score": scaled_score,
        "estimate": scaled_estimate,
        "bounds": scaled_bounds,
        "low": -MOST * factor,
        "high": MOST * factor,
    }
    return random_game.replace(name=f"random tree by {factor:g}", **changes)
