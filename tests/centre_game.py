"""Connect Four, 7 by 6, with the simplest of estimates: stones in the middle column. A win is worth 1000."""

from typing import NamedTuple

from outplay import OVER, Game
from outplay.rules.bits import count

BOTTOM = sum(1 << 7 * column for column in range(7))
FULL = 63 * BOTTOM
CENTRE = 63 << 21


class State(NamedTuple):
    first: int
    second: int
    player: int


def has_four(stones):
    for step in (1, 6, 7, 8):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def turn(state):
    if has_four(state.first) or has_four(state.second):
        return OVER
    return OVER if state.first | state.second == FULL else state.player


def moves(state):
    landing = (state.first | state.second) + BOTTOM & FULL
    for column in range(7):
        if landing >> 7 * column & 63:
            yield column


def play(state, column):
    square = (state.first | state.second) + BOTTOM & 63 << 7 * column
    if state.player == 0:
        return State(state.first | square, state.second, 1)
    return State(state.first, state.second | square, 0)


def score(state):
    return 1000 * (has_four(state.first) - has_four(state.second))


def estimate(state):
    return count(state.first & CENTRE) - count(state.second & CENTRE)


def centre_game():
    return Game(
        name="centre",
        start=State(0, 0, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        low=-1000,
        high=1000,
        max_moves=7,
    )
