"""Domineering: player 0 places dominoes vertically, player 1 horizontally. Who cannot place one loses.

Columns are lettered, rows numbered from the top. A move is named by the upper or the left square that its domino covers.
"""

from string import ascii_lowercase
from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.domineering import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, lowest, mix
from outplay.rules.game import OVER, Game

# A row takes columns + 1 bits, the left square lowest; the topmost bit, the sentinel, is always 0, so that no domino
# runs from one row into the next. Three rows of four columns:
#
#      0  1  2  3    4
#      5  6  7  8    9
#     10 11 12 13   14
#
# A horizontal domino covers a square and the next one, a vertical domino a square and the one a row's width on: they
# differ by this step alone. The width is part of the state, so that one compilation serves all sizes.

PLAYERS = ("Vertical", "Horizontal")


class State(NamedTuple):
    free: int  # squares that no domino covers
    width: int  # bits that a row takes
    player: int


def steps(state):
    """The step of the mover's dominoes, and that of the other's."""
    return (1, state.width) if state.player else (state.width, 1)


def spots(squares, step):
    """Where a domino fits: the first of its two squares."""
    return squares & squares >> step


def turn(state):
    own, _ = steps(state)
    return state.player if spots(state.free, own) else OVER


def moves(state):
    own, _ = steps(state)
    left = spots(state.free, own)
    while left:
        yield lowest(left)
        left &= left - 1


def play(state, move):
    own, _ = steps(state)
    return State(state.free & ~(1 << move | 1 << move + own), state.width, 1 - state.player)


def score(state):
    return 1 if state.player else -1  # who is to move cannot


def safe(free, other):
    """The free squares that no domino of that step covers, now or ever."""
    return free & ~(free << other | free >> other)


def fitting(squares, step):
    """How many dominoes fit at once."""
    total, left = 0, spots(squares, step)
    while left:
        first = left & ~(left << step)  # of each run of squares
        total += count(first)
        squares &= ~(first | first << step)
        left = spots(squares, step)
    return total


def decided(state):
    """1 if player 0 is sure to win, -1 if player 1 is, else 0.

    A player's store, the dominoes that fit on safe squares, is taken away by nobody; and nobody makes more moves than
    dominoes fit at once, for free squares only become fewer. So who has more in store than the other can ever place,
    or as many and the other is to move, plays the store out and moves last. And it stays so, whatever the other does.
    """
    own, other = steps(state)
    mover = -1 if state.player else 1
    if fitting(safe(state.free, other), own) > fitting(state.free, other):
        return mover
    if fitting(safe(state.free, own), other) >= fitting(state.free, own):
        return -mover
    return 0


def bounds(state):
    sure = decided(state)
    return (sure, sure) if sure else (-1, 1)


def lead(free, own, other):
    """The moves open to one less those open to the other, safe ones counting twice."""
    own_safe, other_safe = safe(free, other), safe(free, own)
    ahead = count(spots(free, own)) + count(spots(own_safe, own))
    return ahead - count(spots(free, other)) - count(spots(other_safe, other))


def estimate(state):
    """What is decided, or the lead on a scale below that of a win."""
    sure = decided(state)
    return sure if sure else lead(state.free, state.width, 1) / 128


def rank(state, move):
    """The mover's lead after the move."""
    own, other = steps(state)
    return lead(play(state, move).free, own, other)


def turned(word):
    """The board turned by half: its 63 bits in reverse."""
    word = (word & 0x5555555555555555) << 1 | word >> 1 & 0x5555555555555555
    word = (word & 0x3333333333333333) << 2 | word >> 2 & 0x3333333333333333
    word = (word & 0x0F0F0F0F0F0F0F0F) << 4 | word >> 4 & 0x0F0F0F0F0F0F0F0F
    word = (word & 0x00FF00FF00FF00FF) << 8 | word >> 8 & 0x00FF00FF00FF00FF
    word = (word & 0x0000FFFF0000FFFF) << 16 | word >> 16 & 0x0000FFFF0000FFFF
    word = (word & 0x00000000FFFFFFFF) << 32 | word >> 32 & 0x00000000FFFFFFFF
    return word >> 1 & 0x7FFFFFFFFFFFFFFF


def upside_down(free, width):
    """The rows in reverse."""
    flipped = 0
    while free:
        flipped = flipped << width | free & (1 << width) - 1
        free >>= width
    return flipped


def least(free):
    """The less of a board and the same turned by half, each moved to where its first bit is the lowest."""
    back = turned(free)
    return min(free >> lowest(free), back >> lowest(back))


def key(state):
    """The squares that some domino can still cover, wherever they lie, the least of the board's four mirror images."""
    free, width = state.free, state.width
    free &= free << 1 | free >> 1 | free << width | free >> width
    image = min(least(free), least(upside_down(free, width))) if free else 0
    return mix(mix(0, 2 * width + state.player), image)


def name_move(state, move):
    return f"{ascii_lowercase[move % state.width]}{move // state.width + 1}"


def domineering(rows: int = 5, columns: int = 5) -> Game:
    """Domineering: vertical against horizontal dominoes; who cannot place one loses. Any board that fits 63 bits."""
    for name, value in (("rows", rows), ("columns", columns)):
        check_whole("domineering", name, value, 1, len(ascii_lowercase))
    width = columns + 1
    if rows * width - 1 > 63:
        raise OptionError(
            f"a board of {rows} rows and {columns} columns takes rows * (columns + 1) - 1 = {rows * width - 1} bits; 63 are the most"
        )

    def rows_of(state):
        return ["".join(".#"[not state.free >> row * width + column & 1] for column in range(columns)) for row in range(rows)]

    def show(state):
        size = len(str(rows))
        lines = [f"{'':{size}} {' '.join(ascii_lowercase[:columns])}"]
        return "\n".join(lines + [f"{row:{size}} {' '.join(cells)}" for row, cells in enumerate(rows_of(state), 1)])

    def read_state(text):
        """Read a board, . for a free square and # for a covered one, and 1 if player 1 is to move, such as ../.#/.#,1."""
        squares, _, player = text.replace(" ", "").partition(",")
        lines = squares.split("/")
        if (
            len(lines) != rows
            or any(len(line) != columns or set(line) - set(".#") for line in lines)
            or player not in ("", "0", "1")
        ):
            raise StateError(
                f"{text!r} is not a board of {name}; write {rows} rows of {columns} squares, . if free and # if covered, top row first, "
                "separated by /, then ,1 if player 1 is to move"
            )
        places = [row * width + column for row in range(rows) for column in range(columns) if lines[row][column] == "."]
        return State(sum(1 << place for place in places), width, int(player or 0))

    def write_state(state):
        return f"{'/'.join(rows_of(state))},{state.player}"

    name = "domineering" if (rows, columns) == (5, 5) else f"domineering {rows}x{columns}"
    return Game(
        name=name,
        start=State(sum((1 << columns) - 1 << row * width for row in range(rows)), width, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        bounds=bounds,
        rank=rank,
        key=key,
        show=show,
        draw=painter(Scene("Domineering", PLAYERS, turn, moves, score), rows, columns, name_move),
        players=PLAYERS,
        about=(
            "Vertical moves first. In turn each puts a domino on two free squares: Vertical one above the other, "
            "Horizontal side by side. "
            "Whoever cannot loses. A value of +1 is a win for Vertical, −1 a win for Horizontal; there are no draws."
        ),
        name_move=name_move,
        read_state=read_state,
        write_state=write_state,
        max_moves=max((rows - 1) * columns, rows * (columns - 1), 1),
    )
