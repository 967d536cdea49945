"""Connect Four with the simplest of opinions: who holds more of the centre column. A win is worth 1000."""

from typing import NamedTuple

from outplay import OVER, Game
from outplay.rules.bits import count

# Seven bits a column, the bottom square lowest; the seventh stays empty, so that no line runs on into the next column.
BOTTOM = sum(1 << 7 * column for column in range(7))
FULL = BOTTOM * 0b111111
CENTRE = 0b111111 << 7 * 3
WIN = 1000


class State(NamedTuple):
    first: int  # player 0's stones
    second: int
    player: int


def has_four(stones):
    for step in (1, 6, 7, 8):  # up, down to the right, right, up to the right
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
        square = landing & 0b111111 << 7 * column
        if square:
            yield square


def play(state, square):
    if state.player == 0:
        return State(state.first | square, state.second, 1)
    return State(state.first, state.second | square, 0)


def score(state):
    return WIN * (has_four(state.first) - has_four(state.second))


def estimate(state):
    return count(state.first & CENTRE) - count(state.second & CENTRE)


centre_game = Game(
    name="connect-four by the centre",
    start=State(0, 0, 0),
    turn=turn,
    moves=moves,
    play=play,
    score=score,
    estimate=estimate,
    low=-WIN,
    high=WIN,
    max_moves=7,
)
