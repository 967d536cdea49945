"""Chomp: bite a square out of a bar of chocolate, and all squares below it and to its right. Who eats the poison loses.

Columns are lettered, rows numbered from the top; the poisoned square is a1. A move is named by the square bitten.
"""

from string import ascii_lowercase
from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.chomp import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import lowest
from outplay.rules.game import OVER, Game

# One bit a square, row by row from the top left, the poison lowest. Three rows of four columns:
#
#      0  1  2  3
#      4  5  6  7
#      8  9 10 11
#
# How many columns there are is part of the state, so that one compilation serves all sizes.

PLAYERS = ("player 0", "player 1")


class State(NamedTuple):
    squares: int  # not yet eaten
    columns: int  # of the whole bar
    player: int


def turn(state):
    return state.player if state.squares else OVER


def moves(state):
    squares = state.squares
    while squares:
        yield lowest(squares)
        squares &= squares - 1


def play(state, move):
    squares, columns, player = state
    column = move % columns
    bite = (1 << columns) - (1 << column)  # of one row
    place = move - column
    while squares >> place:
        squares &= ~(bite << place)
        place += columns
    return State(squares, columns, 1 - player)


def score(state):
    return 1 if state.player == 0 else -1  # the other has eaten the poison


def name_move(state, move):
    return f"{ascii_lowercase[move % state.columns]}{move // state.columns + 1}"


def chomp(rows: int = 3, columns: int = 4) -> Game:
    """Chomp: bite off chocolate, and leave the poisoned square to the other. Any bar of up to 63 squares."""
    for name, value in (("rows", rows), ("columns", columns)):
        check_whole("chomp", name, value, 1, len(ascii_lowercase))
    if rows * columns > 63:
        raise OptionError(f"a bar of {rows} rows and {columns} columns has {rows * columns} squares; 63 are the most")

    def lengths_of(state):
        """How many squares are left of each row."""
        lines = [state.squares >> row * columns & (1 << columns) - 1 for row in range(rows)]
        return [line.bit_length() for line in lines]

    def show(state):
        width = len(str(rows))
        lines = [f"{'':{width}} {' '.join(ascii_lowercase[:columns])}"]
        for row, length in enumerate(lengths_of(state)):
            cells = ["#"] * length + ["."] * (columns - length)
            if row == 0 and length:
                cells[0] = "!"
            lines.append(f"{row + 1:{width}} {' '.join(cells)}")
        return "\n".join(lines)

    def read_state(text):
        """Read how many squares are left of each row, and 1 if player 1 is to move, such as 4-4-2 or 4-1-0,1."""
        words, _, player = text.replace(" ", "").partition(",")
        lengths = [int(word) for word in words.split("-") if word.isdecimal() and len(word) < 3]
        if len(lengths) != rows or len(words.split("-")) != rows or max(lengths) > columns or player not in ("", "0", "1"):
            raise StateError(
                f"{text!r} is not a state of chomp here; write how many squares are left of each of the {rows} rows, 0 to {columns}, "
                f"separated by -, then ,1 if player 1 is to move, such as {'-'.join([str(columns)] * rows)},1"
            )
        if sorted(lengths, reverse=True) != lengths:
            raise StateError(f"{text!r} has a row that is longer than one above it; a bite takes all below it too")
        squares = sum((1 << length) - 1 << row * columns for row, length in enumerate(lengths))
        return State(squares, columns, int(player or 0))

    def write_state(state):
        return f"{'-'.join(map(str, lengths_of(state)))},{state.player}"

    return Game(
        name="chomp" if (rows, columns) == (3, 4) else f"chomp {rows}x{columns}",
        start=State((1 << rows * columns) - 1, columns, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        show=show,
        draw=painter(Scene("Chomp", PLAYERS, turn, moves, score), rows, columns, name_move),
        players=PLAYERS,
        about=(
            "Player 0 moves first. A move bites off a square, and with it all squares below it and to its right. Whoever "
            "has to eat the poisoned "
            "square a1, at the top left, loses. A value of +1 is a win for player 0, −1 a win for player 1; there are no draws."
        ),
        name_move=name_move,
        read_state=read_state,
        write_state=write_state,
        max_moves=rows * columns,
    )
