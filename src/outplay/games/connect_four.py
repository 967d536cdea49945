"""Connect Four on a board of any size that fits 63 bits. Columns are numbered from 1."""

from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.connect_four import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, lowest
from outplay.rules.game import OVER, Game
from outplay.rules.text import board

PLAYERS = ("X", "O")

# A column takes rows + 1 bits, the bottom square lowest; the topmost bit, the sentinel, is always 0, so that
# no line runs from one column into the next. Seven columns of six rows:
#
#      6 13 20 27 34 41 48    sentinels
#      5 12 19 26 33 40 47    top row
#      ...
#      0  7 14 21 28 35 42    bottom row


class State(NamedTuple):
    mover: int  # the stones of the player to move
    stones: int  # all stones
    played: int  # how many there are; player 0 moves when it is even


def connect_four(columns: int = 7, rows: int = 6, line: int = 4) -> Game:
    """Connect Four: drop stones, line up four. Faster wins score higher.

    A win with the winner's last stone is worth 1, with the one before it 2, and so on.
    """
    for name, value, least in (("columns", columns, 1), ("rows", rows, 1), ("line", line, 2)):
        check_whole("connect-four", name, value, least)
    height = rows + 1
    if line > max(columns, rows, 4):
        raise OptionError(
            f"line={line} of connect-four does not fit on {columns} columns and {rows} rows; take {max(columns, rows, 4)} at the most"
        )
    if columns * height > 63:
        raise OptionError(
            f"a board of {columns} columns and {rows} rows takes columns * (rows + 1) = {columns * height} bits; 63 are the most"
        )
    bottom = sum(1 << height * column for column in range(columns))
    full = bottom * ((1 << rows) - 1)
    column_mask = (1 << rows) - 1
    both = min(columns, rows) >= line
    # Up, down to the right, right, up to the right: those in which a line fits, for a shift by 64 bits or more has no meaning.
    steps = tuple(
        step for step, fits in ((1, rows >= line), (rows, both), (height, columns >= line), (height + 1, both)) if fits
    ) or (1,)  # the least shift, and it finds nothing
    squares = columns * rows
    # Where every column has an even number of squares left, these are the lower ones of each pair.
    lower = sum(1 << height * column + row for column in range(columns) for row in range(rows) if (rows - row) % 2 == 0)

    def has_line(stones):
        for step in steps:
            runs, length = stones, 1
            while 2 * length <= line:
                runs &= runs >> length * step
                length *= 2
            if runs & runs >> (line - length) * step:
                return True
        return False

    def threats(own, stones):
        """The empty squares that would complete a line of *own*."""
        found = 0
        for step in steps:
            for before in range(line):
                squares_left = full ^ stones
                for distance in range(1, before + 1):
                    squares_left &= own << distance * step
                for distance in range(1, line - before):
                    squares_left &= own >> distance * step
                found |= squares_left
        return found

    def threats_of_four(own, stones):
        """The same for lines of four, written out: three in a row, or two and one beside a gap."""
        found = own << 1 & own << 2 & own << 3
        for step in (rows, height, height + 1):
            above, below = own << step & own << 2 * step, own >> step & own >> 2 * step
            found |= above & (own << 3 * step | own >> step) | below & (own >> 3 * step | own << step)
        return found & (full ^ stones)

    if line == 4 and both:
        threats = threats_of_four

    def worth(stones_played):
        """The score of a win that leaves *stones_played* on the board."""
        return (squares + 2 - stones_played) // 2

    def turn(state):
        if has_line(state.stones ^ state.mover) or state.played == squares:
            return OVER
        return state.played & 1

    def moves(state):
        landing = state.stones + bottom & full
        for column in range(columns):
            if landing >> height * column & column_mask:
                yield column + 1

    def play(state, move):
        square = state.stones + (1 << height * (move - 1)) & column_mask << height * (move - 1)
        return State(state.stones ^ state.mover, state.stones | square, state.played + 1)

    def score(state):
        if has_line(state.stones ^ state.mover):
            return worth(state.played) if state.played & 1 else -worth(state.played)
        return 0

    def safe(landing, own, other):
        """Of the *landing* squares those that win at once, if there are any; else those that do not lose at once."""
        wins = landing & own
        if wins:
            return wins
        forced = landing & other
        if forced & forced - 1:
            return 0  # two to stop, and one stone
        if forced:
            landing = forced
        return landing & ~(other >> 1)

    def useful(state):
        """A winning move, or those that do not lose at once; where all lose, they lose alike."""
        landing = state.stones + bottom & full
        squares_left = safe(landing, threats(state.mover, state.stones), threats(state.stones ^ state.mover, state.stones))
        if squares_left == 0:
            squares_left = landing & -landing
        while squares_left:
            yield lowest(squares_left) // height + 1
            squares_left &= squares_left - 1

    def bounds(state):
        """A win or a loss that is one stone away is certain; otherwise it is two stones away at least.

        Who answers each stone with one on top of it gets the upper squares, of an even number left in a column; that can be
        kept up where all columns have an even number left, and in one more where the chase ends before its top.
        """
        best, worst = max(worth(state.played + 3), 0), -max(worth(state.played + 4), 0)
        opponent, empty, landing = state.stones ^ state.mover, full & ~state.stones, state.stones + bottom & full
        own, other = threats(state.mover, state.stones), threats(opponent, state.stones)
        odd = landing & ~lower  # in columns with an odd number of squares left
        if not odd and not has_line(state.mover | empty & lower):
            best = 0  # the opponent answers each stone
        if odd and not odd & odd - 1:
            if not has_line(opponent | empty & lower):  # the mover plays there, and then answers each stone
                worst = 1 if has_line(state.mover | odd | empty & ~lower) else 0
            column = column_mask << lowest(odd) // height * height
            if other & lower & column and not has_line(state.mover | empty & (lower ^ column)):
                best = -1  # the opponent answers each stone, until the mover must play below that threat
        squares_left = safe(landing, own, other)
        if squares_left == 0:
            best = worst = -worth(state.played + 2)
        elif squares_left & own:
            best = worst = worth(state.played + 1)
        if state.played & 1:
            return -best, -worst
        return worst, best

    def rank(state, move):
        """Threats made, then nearness to the middle."""
        square = state.stones + (1 << height * (move - 1)) & column_mask << height * (move - 1)
        made = count(threats(state.mover | square, state.stones | square))
        return 2 * columns * made - abs(2 * move - columns - 1)

    def key(state):
        """The stones of the mover and the height of each column, or those of the mirrored board if lower."""
        here = state.mover + state.stones + bottom
        mirrored = 0
        for column in range(columns):
            mirrored = mirrored << height | here >> height * column & 2 * column_mask + 1
        return min(here, mirrored)

    def stones_of(state):
        other = state.stones ^ state.mover
        return (other, state.mover) if state.played & 1 else (state.mover, other)

    def rows_of(state):
        crosses, noughts = stones_of(state)
        return [board(crosses, noughts, range(row, columns * height, height)) for row in reversed(range(rows))]

    def winning(state):
        stones, found = state.stones ^ state.mover, 0
        for step in steps:
            runs = stones
            for distance in range(1, line):
                runs &= stones >> distance * step
            for distance in range(line):
                found |= runs << distance * step
        return State(0, found, state.played)

    def show(state):
        width = len(str(columns))
        lines = [" ".join(f"{cell:>{width}}" for cell in row) for row in rows_of(state)]
        return "\n".join([*lines, " ".join(f"{column + 1:>{width}}" for column in range(columns))])

    def write_state(state):
        return "/".join(rows_of(state))

    def read_state(text):
        """Read the columns played, from 1 (44353, or 4,4,3 with commas), or a board as `write_state` writes it."""
        return _read_board(text) if set(text) & set("XxOo./") else _read_columns(text)

    def _read_columns(text):
        names = text.replace(",", " ").split() if set(text) & set(", ") else list(text)
        state = State(0, 0, 0)
        for number, name in enumerate(names, 1):
            where = f"{text!r}: move {number}, {name!r},"
            if not name.isdecimal() or not 1 <= int(name) <= columns:
                raise StateError(f"{where} is not a column; write the columns played, 1 to {columns}, such as 44353")
            if turn(state) == OVER:
                raise StateError(f"{where} comes after the end of the game; leave it out, and all after it")
            if int(name) not in list(moves(state)):
                raise StateError(f"{where} goes to a full column; open columns: {', '.join(map(str, moves(state)))}")
            state = play(state, int(name))
        return state

    def _read_board(text):
        lines = text.upper().split("/")
        if len(lines) != rows or any(len(row) != columns or set(row) - set("XO.") for row in lines):
            raise StateError(
                f"{text!r} is not a board; write {rows} rows of {columns} squares, X, O or ., top row first, separated by /"
            )
        crosses = noughts = 0
        for height_above, row in enumerate(reversed(lines)):
            for column, cell in enumerate(row):
                place = column * height + height_above
                crosses |= (cell == "X") << place
                noughts |= (cell == "O") << place
        stones = crosses | noughts
        if (stones + bottom) & stones:
            raise StateError(f"{text!r} has a stone above an empty square; every stone rests on another or on the bottom")
        ahead = count(crosses) - count(noughts)
        if ahead not in (0, 1):
            raise StateError(f"{text!r} has {count(crosses)} X and {count(noughts)} O; X moves first: as many, or one more")
        return State(noughts if ahead else crosses, stones, count(stones))

    size = "" if (columns, rows, line) == (7, 6, 4) else f" {columns}x{rows}, {line} in line"
    return Game(
        name="connect-four" + size,
        start=State(0, 0, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        useful=useful,
        bounds=bounds,
        rank=rank,
        key=key,
        show=show,
        draw=painter(Scene("Connect Four", PLAYERS, turn, moves, score), rows, columns, line, rows_of),
        players=PLAYERS,
        about=(
            f"X moves first. In turn each drops a stone into one of {columns} columns, where it falls to the lowest free "
            "square. "
            f"{line} in line, in any direction, win at once; a full board without them is a draw. The sooner a win, the "
            "more it is worth: "
            "+1 if X wins with the last stone that X has, +2 with the one before it, and so on; negative values are wins "
            "for O. "
            "So +3 says that X wins with two stones still in hand."
        ),
        read_state=read_state,
        write_state=write_state,
        winning=winning,
        low=min(-worth(2 * line), -1),
        high=max(worth(2 * line - 1), 1),
        max_moves=columns,
    )
