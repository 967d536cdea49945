"""Tic-tac-toe. Squares are numbered 1 to 9, row by row from the top left."""

from typing import NamedTuple

from outplay.errors import StateError
from outplay.games.pictures.tic_tac_toe import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import lowest
from outplay.rules.game import OVER, Game
from outplay.rules.text import board

# One bit a square, square 1 lowest:   0 1 2
#                                      3 4 5
#                                      6 7 8
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = 0o777
TWICE = 1 << 16 | 1  # times a board: the same for both players at once, one 16 bits above the other
PLAYERS = ("X", "O")


class State(NamedTuple):
    crosses: int  # player 0's squares
    noughts: int
    player: int


def has_line(squares):
    """Squares moved onto their neighbours: what three of a row, a column or a diagonal have in common is where it starts."""
    rows = squares & squares >> 1 & squares >> 2 & 0o111 * TWICE
    columns = squares & squares >> 3 & squares >> 6 & 0o007 * TWICE
    falling = squares & squares >> 4 & squares >> 8 & TWICE
    rising = squares >> 2 & squares >> 4 & squares >> 6 & TWICE
    return rows | columns | falling | rising != 0


def turn(state):
    if has_line(state.crosses | (state.noughts & FULL) << 16):
        return OVER
    return OVER if state.crosses | state.noughts == FULL else state.player


def moves(state):
    free = FULL ^ (state.crosses | state.noughts)
    while free != 0:
        yield lowest(free) + 1
        free &= free - 1


def play(state, move):
    square = 1 << move - 1
    if state.player == 0:
        return State(state.crosses | square, state.noughts, 1)
    return State(state.crosses, state.noughts | square, 0)


def score(state):
    return has_line(state.crosses) - has_line(state.noughts)


def estimate(state):
    """The lines still open to player 0 less those still open to player 1, on a scale below that of a win."""
    lead = 0
    for line in LINES:
        if not state.noughts & line:
            lead += 1
        if not state.crosses & line:
            lead -= 1
    return lead / 10


def in_line(squares):
    """The squares that are part of a line."""
    found = 0
    for line in LINES:
        if squares & line == line:
            found |= line
    return found


def winning(state):
    return State(in_line(state.crosses), in_line(state.noughts), state.player)


def show(state):
    cells = [str(place + 1) if cell == "." else cell for place, cell in enumerate(board(state.crosses, state.noughts, range(9)))]
    return "\n---+---+---\n".join(f" {cells[row]} | {cells[row + 1]} | {cells[row + 2]} " for row in (0, 3, 6))


def read_state(text):
    """Read nine squares as X, O and ., such as X...O...., rows optionally separated by /; X has moved first."""
    cells = text.replace("/", "").replace(" ", "").upper()
    if len(cells) != 9 or set(cells) - set("XO."):
        raise StateError(f"{text!r} is not a tic-tac-toe board; write its nine squares as X, O and ., such as X../.O./...")
    crosses = sum(1 << place for place, cell in enumerate(cells) if cell == "X")
    noughts = sum(1 << place for place, cell in enumerate(cells) if cell == "O")
    ahead = cells.count("X") - cells.count("O")
    if ahead not in (0, 1):
        raise StateError(f"{text!r} has {cells.count('X')} X and {cells.count('O')} O; X moves first: as many, or one more")
    return State(crosses, noughts, ahead)


def rows_of(state):
    return [board(state.crosses, state.noughts, range(row, row + 3)) for row in (0, 3, 6)]


def write_state(state):
    return "/".join(rows_of(state))


def tic_tac_toe() -> Game:
    """Three in a row on a board of three by three."""
    return Game(
        name="tic-tac-toe",
        start=State(0, 0, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        show=show,
        draw=painter(Scene("Tic-tac-toe", PLAYERS, turn, moves, score), rows_of),
        players=PLAYERS,
        about=(
            "X moves first. In turn each puts a mark on a free square. Three of one's own in a row, a column or a "
            "diagonal win; a full "
            "board without them is a draw. A value of +1 is a win for X, −1 a win for O, 0 a draw."
        ),
        read_state=read_state,
        write_state=write_state,
        winning=winning,
        max_moves=9,
    )
