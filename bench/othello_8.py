"""Othello on a board of 8 by 8, whose 64 squares do not fit into one int, with an estimate by positional weights.

The built-in game has 6 by 6 at the most. Here the discs of a player are two ints, the upper and the lower four rows.
"""

from typing import NamedTuple

from outplay import OVER, Game
from outplay.rules.bits import count, lowest

# A row takes nine bits, its left square lowest; the ninth is not a square and always 0, so that no line runs from one row into
# the next. A move is the place of its square, 36 more in the lower half, or PASS.
PASS = -1
ROW = 9
WIDTH = 4 * ROW
SQUARES = sum(0xFF << ROW * row for row in range(4))
STEPS = (1, ROW - 1, ROW, ROW + 1)
LONGEST = 6  # discs of a run between two others

# The weights of a quarter of the board, from its corner on; the same on all sides. They are common in programs for beginners.
QUARTER = ((100, -20, 10, 5), (-20, -50, -2, -2), (10, -2, -1, -1), (5, -2, -1, -1))
WEIGHTS = tuple(
    tuple((QUARTER[min(row, 7 - row)][min(column, 7 - column)]) for column in range(8)) for row in range(8)
)  # fmt: skip
# For each different weight: its squares in the upper and in the lower half.
KINDS = tuple(
    (
        weight,
        sum(1 << ROW * row + column for row in range(4) for column in range(8) if WEIGHTS[row][column] == weight),
        sum(1 << ROW * (row - 4) + column for row in range(4, 8) for column in range(8) if WEIGHTS[row][column] == weight),
    )
    for weight in sorted({weight for row in WEIGHTS for weight in row})
)
SCALE = 10  # points of weight for one disc


class State(NamedTuple):
    own_upper: int  # the discs of the player to move
    own_lower: int
    other_upper: int
    other_lower: int
    player: int  # 0 is Black, who begins


def forward(upper, lower, step):
    """Return a board shifted by *step* squares toward its end."""
    return upper << step & (1 << WIDTH) - 1, (lower << step | upper >> WIDTH - step) & (1 << WIDTH) - 1


def back(upper, lower, step):
    """Return a board shifted by *step* squares toward its beginning."""
    return (upper >> step | lower << WIDTH - step) & (1 << WIDTH) - 1, lower >> step


def open_to(own_upper, own_lower, other_upper, other_lower):
    """Return the squares that a player can move to: each ends a run of the other's discs that begins beside an own one."""
    upper, lower = 0, 0
    for step in STEPS:
        for way in range(2):
            ahead_upper, ahead_lower = own_upper, own_lower
            run_upper, run_lower = 0, 0
            for _ in range(LONGEST):
                if way == 0:
                    ahead_upper, ahead_lower = forward(ahead_upper, ahead_lower, step)
                else:
                    ahead_upper, ahead_lower = back(ahead_upper, ahead_lower, step)
                ahead_upper &= other_upper
                ahead_lower &= other_lower
                run_upper |= ahead_upper
                run_lower |= ahead_lower
            if way == 0:
                end_upper, end_lower = forward(run_upper, run_lower, step)
            else:
                end_upper, end_lower = back(run_upper, run_lower, step)
            upper |= end_upper
            lower |= end_lower
    return upper & SQUARES & ~(own_upper | other_upper), lower & SQUARES & ~(own_lower | other_lower)


def turned(state, square_upper, square_lower):
    """Return the discs that a disc of the player to move on a square turns over."""
    own_upper, own_lower, other_upper, other_lower, _ = state
    upper, lower = 0, 0
    for step in STEPS:
        for way in range(2):
            ahead_upper, ahead_lower = square_upper, square_lower
            run_upper, run_lower = 0, 0
            for _ in range(LONGEST + 1):
                if way == 0:
                    ahead_upper, ahead_lower = forward(ahead_upper, ahead_lower, step)
                else:
                    ahead_upper, ahead_lower = back(ahead_upper, ahead_lower, step)
                if ahead_upper & own_upper or ahead_lower & own_lower:
                    upper |= run_upper
                    lower |= run_lower
                ahead_upper &= other_upper
                ahead_lower &= other_lower
                run_upper |= ahead_upper
                run_lower |= ahead_lower
    return upper, lower


def othello_8() -> Game:
    """Othello, 8 by 8; the score is the difference in discs."""

    def turn(state):
        upper, lower = open_to(state.own_upper, state.own_lower, state.other_upper, state.other_lower)
        if upper | lower:
            return state.player
        upper, lower = open_to(state.other_upper, state.other_lower, state.own_upper, state.own_lower)
        return state.player if upper | lower else OVER

    def moves(state):
        upper, lower = open_to(state.own_upper, state.own_lower, state.other_upper, state.other_lower)
        if upper | lower == 0:
            yield PASS
        while upper:
            yield lowest(upper)
            upper &= upper - 1
        while lower:
            yield WIDTH + lowest(lower)
            lower &= lower - 1

    def play(state, move):
        own_upper, own_lower, other_upper, other_lower, player = state
        if move == PASS:
            return State(other_upper, other_lower, own_upper, own_lower, 1 - player)
        square_upper = 1 << move if move < WIDTH else 0
        square_lower = 1 << move - WIDTH if move >= WIDTH else 0
        upper, lower = turned(state, square_upper, square_lower)
        return State(
            other_upper ^ upper, other_lower ^ lower, own_upper | upper | square_upper, own_lower | lower | square_lower, 1 - player
        )  # fmt: skip

    def score(state):
        lead = count(state.own_upper) + count(state.own_lower) - count(state.other_upper) - count(state.other_lower)
        return lead if state.player == 0 else -lead

    def estimate(state):
        """Positional weights."""
        lead = 0
        for weight, upper, lower in KINDS:
            own = count(state.own_upper & upper) + count(state.own_lower & lower)
            lead += weight * (own - count(state.other_upper & upper) - count(state.other_lower & lower))
        value = min(max(lead / SCALE, -64.0), 64.0)
        return value if state.player == 0 else -value

    middle = 1 << 3 * ROW + 3, 1 << 3 * ROW + 4  # d4 and e4; d5 and e5 are the same places of the first row below
    return Game(
        name="othello 8 by 8",
        start=State(middle[1], 1 << 3, middle[0], 1 << 4, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        low=-64,
        high=64,
        max_moves=60,
    )
