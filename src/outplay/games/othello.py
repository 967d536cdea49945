"""Othello on a board of 4 by 4 or 6 by 6. Squares are named a1 at the top left, b1 to its right, a2 below."""

import re
from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.pictures.othello import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, lowest, mix
from outplay.rules.game import OVER, Game
from outplay.rules.text import board

PASS = -1  # as a move; any other is the place of its square
YOUNG = 10  # discs: later, positions that are mirror images hardly ever meet

# A row takes size + 1 bits, its left square lowest; the last bit is not a square and always 0, so that no line runs from one
# row into the next. Six by six, a move is such a number too:
#
#       0  1  2  3  4  5 |  6     row 1
#       7  8  9 10 11 12 | 13     row 2
#      ...
#      35 36 37 38 39 40 | 41     row 6

PLAYERS = ("X", "O")


class State(NamedTuple):
    own: int  # the discs of the player to move
    other: int
    player: int  # 0 is Black, who begins


def othello(size: int = 6) -> Game:
    """Othello: enclose the other's discs to turn them over. Scored by the difference in discs.

    Squares left empty count for nobody. It matters: four by four is lost by 8, with two squares empty, and would be lost by
    10 if they went to the winner. Six by six is lost by 4, the board full (Feinstein 1993).
    """
    if not isinstance(size, int) or size not in (4, 6):
        squares = f", for its {size * size} squares need more than the 63 bits of an int" if size == 8 else ""
        raise OptionError(f"size={size!r} of othello must be 4 or 6{squares}")
    stride = size + 1
    full = sum((1 << size) - 1 << stride * row for row in range(size))
    steps = (1, stride - 1, stride, stride + 1)  # right, down to the left, down, down to the right; and back
    corners = sum(1 << place for place in (0, size - 1, stride * (size - 1), stride * (size - 1) + size - 1))
    most = size * size
    # The squares right of the diagonal from a1 by so many columns; and those above the other diagonal by so many rows.
    right_of = tuple(sum(1 << stride * row + row + distance for row in range(size - distance)) for distance in range(size))
    above = tuple(
        sum(1 << (stride - 1) * row + size - 1 - distance for row in range(size - distance)) for distance in range(size)
    )

    def open_to(own, other):
        """Return the squares that *own* can move to: each ends a run of the other's discs that begins beside an own one."""
        found = 0
        for step in steps:
            after, before = own << step & other, own >> step & other
            for _ in range(size - 3):  # a run has size - 2 discs at most
                after |= after << step & other
                before |= before >> step & other
            found |= after << step | before >> step
        return found & full & ~(own | other)

    def turned(own, other, square):
        """Return the discs that a disc of *own* on *square* turns over."""
        found = 0
        for step in steps:
            after, before = square << step & other, square >> step & other
            for _ in range(size - 3):
                after |= after << step & other
                before |= before >> step & other
            if after << step & own:
                found |= after
            if before >> step & own:
                found |= before
        return found

    def turn(state):
        if open_to(state.own, state.other) or open_to(state.other, state.own):
            return state.player
        return OVER

    def moves(state):
        squares = open_to(state.own, state.other)
        if squares == 0:
            yield PASS
        while squares:
            yield lowest(squares)
            squares &= squares - 1

    def play(state, move):
        own, other, player = state
        if move == PASS:
            return State(other, own, 1 - player)
        flipped = turned(own, other, 1 << move)
        return State(other ^ flipped, own | flipped | 1 << move, 1 - player)

    def score(state):
        lead = count(state.own) - count(state.other)
        return lead if state.player == 0 else -lead

    def estimate(state):
        """Moves to choose from, and corners, which stay; the number of discs says little before the end."""
        lead = count(open_to(state.own, state.other)) - count(open_to(state.other, state.own))
        lead += 4 * (count(state.own & corners) - count(state.other & corners))
        lead = min(max(lead, -most), most)
        return lead if state.player == 0 else -lead

    def rank(state, move):
        """Corners first, then what leaves the other the fewest moves."""
        if move == PASS:
            return 0
        square = 1 << move
        flipped = turned(state.own, state.other, square)
        left = count(open_to(state.other ^ flipped, state.own | flipped | square))
        return most * count(square & corners) - left

    def mirrored(discs, squares, step):
        """Return *discs* with those on either side of a diagonal exchanged: from *squares*, by so many *step* as they are off it."""
        found = discs & squares[0]
        for distance in range(1, size):
            shift = distance * step
            found |= (discs & squares[distance]) << shift | discs >> shift & squares[distance]
        return found

    def key(state):
        """As long as the game is young, mirrored positions have one key: the start is symmetric, and so all four first moves."""
        own, other, player = state
        found = mix(mix(player, own), other)
        if count(own | other) <= YOUNG:
            for mirror in range(3):  # on one diagonal, both, the other
                squares, step = (above, stride + 1) if mirror == 1 else (right_of, stride - 1)
                own, other = mirrored(own, squares, step), mirrored(other, squares, step)
                found = min(found, mix(mix(player, own), other))
        return found

    def name_move(state, move):
        return "pass" if move == PASS else f"{chr(ord('a') + move % stride)}{move // stride + 1}"

    def rows_of(state):
        black, white = (state.own, state.other) if state.player == 0 else (state.other, state.own)
        return [board(black, white, range(stride * row, stride * row + size)) for row in range(size)]

    def show(state):
        rows = rows_of(state)
        letters = " ".join(chr(ord("a") + column) for column in range(size))
        lines = [f"{number} {' '.join(row)}" for number, row in enumerate(rows, 1)]
        who = "the game is over" if turn(state) == OVER else f"{'XO'[state.player]} moves"
        discs = "".join(rows)
        return "\n".join([f"  {letters}", *lines, f"X {discs.count('X')}, O {discs.count('O')}; {who}"])

    def write_state(state):
        """Write the rows, top row first, and who moves: X, who is player 0, or O."""
        return "/".join([*rows_of(state), "XO"[state.player]])

    def read_state(text):
        """Read the moves played, such as c2b4c5, passes left out or not, or a board as `write_state` writes it."""
        return _read_board(text) if "/" in text else _read_moves(text)

    def _read_moves(text):
        state = start
        for number, name in enumerate(re.findall(r"pass|[a-z]\d|[^\s,]", text.lower()), 1):
            where = f"{text!r}: move {number}, {name!r},"
            if name != "pass" and name not in squares_by_name:
                raise StateError(f"{where} is not a square; write the moves played, a1 to {last_name}, such as {example}")
            if turn(state) == OVER:
                raise StateError(f"{where} comes after the end of the game; leave it out, and all after it")
            if list(moves(state)) == [PASS] and name != "pass":
                state = play(state, PASS)
            legal = [name_move(state, move) for move in moves(state)]
            if name not in legal:
                fault = "passes over moves" if name == "pass" else "turns no disc of the other over"
                raise StateError(f"{where} {fault}; open to {'XO'[state.player]} are {', '.join(legal)}")
            state = play(state, PASS if name == "pass" else squares_by_name[name])
        return state

    def _read_board(text):
        *rows, who = text.upper().split("/")
        if len(rows) != size or any(len(row) != size or set(row) - set("XO.") for row in rows) or who not in ("X", "O"):
            raise StateError(
                f"{text!r} is not a board; write {size} rows of {size} squares, X, O or ., top row first, and who moves, "
                f"X or O, separated by /, such as {write_state(start)}"
            )
        black = white = 0
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                black |= (cell == "X") << stride * row + column
                white |= (cell == "O") << stride * row + column
        return State(black, white, 0) if who == "X" else State(white, black, 1)

    middle = stride * (size // 2 - 1) + size // 2 - 1  # of four squares the upper left
    start = State(2 << middle | 1 << middle + stride, 1 << middle | 2 << middle + stride, 0)
    squares_by_name = {name_move(start, place): place for place in range(stride * size) if full >> place & 1}
    last_name, example = name_move(start, stride * size - 2), "b1a1a2" if size == 4 else "c2b4c5"
    return Game(
        name="othello" if size == 6 else f"othello {size}x{size}",
        start=start,
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        rank=rank,
        key=key,
        show=show,
        draw=painter(Scene("Othello", PLAYERS, turn, moves, score), size, stride, PASS, rows_of, name_move),
        players=PLAYERS,
        about=(
            "X moves first. A disc is put where it encloses, in a straight line with another of one's own, a run of the "
            "other's discs; all discs so "
            "enclosed turn over. Who cannot do so passes; when neither can, the game ends. The value is the discs of X "
            "less those of O; empty squares "
            "count for nobody."
        ),
        name_move=name_move,
        read_state=read_state,
        write_state=write_state,
        low=-most,
        high=most,
        max_moves=most,
    )
