"""Extended Connect Four: a run of four ends nothing but earns points, and discs can be popped out at the bottom.

Columns are numbered from 0. A move is written 3, a drop into column 3, or 3p, a pop of its bottom disc.
"""

from itertools import pairwise
from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.extended_connect_four import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, lowest
from outplay.rules.game import OVER, Game

# A column takes rows + 1 bits, the bottom square lowest; the topmost bit, the sentinel, is always 0, so that no
# run goes on from one column into the next. As many whole columns as fit 63 bits share a word, and words follow
# each other as if they were one long number. Twelve rows take three words, of columns 0 to 3, 4 to 7 and 8 to 11:
#
#     12 25 38 51    12 25 38 51    12 25 38 51    sentinels
#     11 24 37 50    11 24 37 50    11 24 37 50    top row
#     ...
#      0 13 26 39     0 13 26 39     0 13 26 39    bottom row

MOST = 12  # rows, and columns
MOST_POPS = 10
POP = 16  # a drop into a column is its number, a pop 16 more

# The estimate "windows" counts windows of two to four squares that hold discs of one player, none of the other, and
# empty squares. One is worth its weight / (its empty squares * 2 ** (discs to drop until all of those are filled)).
WEIGHTS = {2: 3, 3: 7, 4: 20}
ESTIMATES = ("points", "windows")
PLAYERS = ("X", "O")


class State(NamedTuple):
    first: tuple[int, ...]  # player 0's discs
    second: tuple[int, ...]
    pops_first: int  # how many player 0 has left
    pops_second: int
    player: int


def earned(run: int) -> int:
    """Return the points of a run of so many discs that nothing makes longer."""
    return (0, 0, 2, 5)[run % 4] + 20 * (run // 4)


# A run of n discs holds n - k + 1 stretches of k. A stretch of k >= 2 that counts GAINS[k % 4] makes their sum what
# the run earns: so runs need not be told apart, and their stretches are counted all at once.
GAINS = tuple(earned(length) - 2 * earned(length - 1) + earned(length - 2) for length in (4, 5, 2, 3))


def extended_connect_four(rows: int = 6, columns: int = 8, pops: int = 6, estimate: str = "points") -> Game:
    """Extended Connect Four: drop discs or pop them, line up more than the other. The score is the margin of points.

    The estimate is that margin too, or with "windows" adds the chances that each player still has.
    """
    _check_options(rows, columns, pops, estimate)
    stride = rows + 1
    per_word = 63 // stride
    words = -(-columns // per_word)
    width = per_word * stride  # bits of a word
    column_mask = (1 << rows) - 1
    full = [0, 0, 0]
    for column in range(columns):
        full[column // per_word] |= column_mask << column % per_word * stride
    low_full, middle_full, high_full = full
    steps = (1, rows, stride, stride + 1)  # up, down to the right, right, up to the right

    def spread(own):
        """Return three words, whatever the number of them: those that there are not cost nothing when compiled."""
        if words == 1:
            return own[0], 0, 0
        if words == 2:
            return own[0], own[1], 0
        return own[0], own[1], own[2]

    def flipped(own, word, change):
        """Return *own* with the bits of *change* flipped in one word."""
        if words == 1:
            return (own[0] ^ change,)
        low = own[0] ^ change if word == 0 else own[0]
        middle = own[1] ^ change if word == 1 else own[1]
        if words == 2:
            return low, middle
        return low, middle, own[2] ^ change if word == 2 else own[2]

    def longer(board, step):
        """Return where a stretch starts that is longer by one than those which start at *board*."""
        low, middle, high = board
        back = width - step
        # A word's own bits mask what is shifted in from the next one.
        return low & (low >> step | middle << back), middle & (middle >> step | high << back), high & high >> step

    def points(own):
        """Return what all runs of *own* earn."""
        total = 0
        for step in steps:
            low, middle, high = longer(spread(own), step)
            length = 2
            while low | middle | high:
                total += GAINS[length % 4] * (count(low) + count(middle) + count(high))
                low, middle, high = longer((low, middle, high), step)
                length += 1
        return total

    def taken(state, column):
        """Return the filled squares of a column, the bottom one lowest."""
        word = column // per_word
        return (state.first[word] | state.second[word]) >> column % per_word * stride & column_mask

    def turn(state):
        low, middle, high = spread(state.first)
        low_second, middle_second, high_second = spread(state.second)
        room = low_full ^ (low | low_second) | middle_full ^ (middle | middle_second) | high_full ^ (high | high_second)
        if room or (state.pops_second if state.player else state.pops_first):
            return state.player
        return OVER

    def moves(state):
        for column in range(columns):
            if taken(state, column) != column_mask:
                yield column
        if state.pops_second if state.player else state.pops_first:
            for column in range(state.player, columns, 2):
                if taken(state, column):
                    yield POP + column

    def play(state, move):
        first, second, pops_first, pops_second, player = state
        column = move & POP - 1
        word, place = column // per_word, column % per_word * stride
        if move < POP:
            disc = taken(state, column) + 1 << place
            if player == 0:
                return State(flipped(first, word, disc), second, pops_first, pops_second, 1)
            return State(first, flipped(second, word, disc), pops_first, pops_second, 0)
        first = flipped(first, word, fallen(first[word] >> place & column_mask) << place)
        second = flipped(second, word, fallen(second[word] >> place & column_mask) << place)
        if player == 0:
            return State(first, second, pops_first - 1, pops_second, 1)
        return State(first, second, pops_first, pops_second - 1, 0)

    def fallen(discs):
        """Return the bits that change where the *discs* of a column fall by one."""
        return discs ^ discs >> 1

    def score(state):
        return points(state.first) - points(state.second)

    # The worth of a window is a whole number of units, and the sum of all has less than 53 bits: it is exact.
    deepest = 3 * rows  # the most discs that a window can lack: three squares at the top of empty columns
    unit = 6 << deepest
    # What a window of two, three or four is worth before its lacking discs halve it, by its empty squares: eight bits each.
    worth_2, worth_3, worth_4 = (
        sum(6 * weight // missing << 8 * missing for missing in range(1, length)) for length, weight in WEIGHTS.items()
    )

    def heights_of(state):
        """Return how many discs each column holds, four bits a column."""
        heights = 0
        for column in range(columns):
            heights |= count(taken(state, column)) << 4 * column
        return heights

    def lacking(row, heights):
        """Return how many discs the lowest column of *heights* takes until *row* is filled, and 64 if that is any."""
        discs = max(row + 1 - (heights & 15), 0)
        return discs + 64 * min(discs, 1)

    def worth(starts, place, worths, lacks):
        """Return what the window at *place* is worth, in units, or 0 if none of *starts* is there."""
        # Without branches: which windows there are is nothing that a processor can foresee.
        return (worths >> 8 * (lacks >> 6) & -(starts >> place & 1) & 255) << max(deepest - (lacks & 63), 0)

    def worth_of(twos, threes, fours, word, step, heights):
        """Return what the windows of two, three and four squares are worth that start at the bits of one word."""
        right = 0 if step == 1 else 1
        up = step - right * stride
        starts = twos | threes | fours
        total = 0
        while starts:
            place = lowest(starts)
            starts &= starts - 1
            row, near = place % stride, heights >> 4 * (word * per_word + place // stride)
            lacks = lacking(row, near) + lacking(row + up, near >> 4 * right)
            total += worth(twos, place, worth_2, lacks)
            lacks += lacking(row + 2 * up, near >> 8 * right)
            total += worth(threes, place, worth_3, lacks)
            lacks += lacking(row + 3 * up, near >> 12 * right)
            total += worth(fours, place, worth_4, lacks)
        return total

    def mixed(own, empty, free):
        """Return the *free* windows that are neither all *own* nor all *empty*."""
        return free[0] ^ (own[0] | empty[0]), free[1] ^ (own[1] | empty[1]), free[2] ^ (own[2] | empty[2])

    def windows(own, other, heights):
        """Return what all windows of *own* are worth: those with some of its discs, and none of the other's."""
        low, middle, high = spread(own)
        low_other, middle_other, high_other = spread(other)
        low_free, middle_free, high_free = low_full ^ low_other, middle_full ^ middle_other, high_full ^ high_other
        total = 0
        for step in steps:
            discs, free = longer((low, middle, high), step), longer((low_free, middle_free, high_free), step)
            empty = longer((low_free ^ low, middle_free ^ middle, high_free ^ high), step)
            twos = mixed(discs, empty, free)
            discs, empty, free = longer(discs, step), longer(empty, step), longer(free, step)
            threes = mixed(discs, empty, free)
            discs, empty, free = longer(discs, step), longer(empty, step), longer(free, step)
            fours = mixed(discs, empty, free)
            for word in range(words):
                total += worth_of(twos[word], threes[word], fours[word], word, step, heights)
        return total

    def score_and_windows(state):
        heights = heights_of(state)
        own, other, ahead = state.second, state.first, 0
        for _ in range(2):  # one call of windows, and so one inlined copy: two take twice as long to compile
            ahead = windows(own, other, heights) - ahead
            own, other = other, own
        return score(state) + ahead / unit

    def rank(state, move):
        """Nearness to the middle."""
        return -abs(2 * (move & POP - 1) - columns + 1)

    def name_move(state, move):
        return str(move) if move < POP else f"{move - POP}p"

    def cells_of(state):
        """Return the rows from the top, each a list of 0, 1 and 2."""
        cells = [[0] * columns for _ in range(rows)]
        for column in range(columns):
            word, place = column // per_word, column % per_word * stride
            for row in range(rows):
                first, second = state.first[word] >> place + row & 1, state.second[word] >> place + row & 1
                cells[rows - 1 - row][column] = first + 2 * second
        return cells

    def letters_of(state):
        return ["".join(".XO"[cell] for cell in row) for row in cells_of(state)]

    def show(state):
        size = len(str(columns - 1))
        lines = [" ".join(f"{letter:>{size}}" for letter in row) for row in letters_of(state)]
        lines.append(" ".join(f"{column:>{size}}" for column in range(columns)))
        for player, (own, left) in enumerate(((state.first, state.pops_first), (state.second, state.pops_second))):
            mark, parity = "> " if player == state.player else "  ", ("even", "odd")[player]
            lines.append(f"{mark}{'XO'[player]}: {points(own)} points, pops left in {parity} columns: {left}")
        return "\n".join(lines)

    def write_state(state):
        """Write a start file in one line, / for each line end; its first part is K, or both players' pops and who moves."""
        _, _, pops_first, pops_second, player = state
        first_line = f"{pops_first}" if (pops_first, player) == (pops_second, 0) else f"{pops_first} {pops_second} {player}"
        return "/".join([first_line, *(" ".join(map(str, row)) for row in cells_of(state))])

    def read_state(text):
        """Read the content of a start file, with line ends or / between lines; see `write_state`."""
        pops_first, pops_second, player, cells = _read_position(text, rows, columns)
        discs = [[0] * words, [0] * words]
        for height, row in enumerate(reversed(cells)):
            for column, cell in enumerate(row):
                if cell:
                    discs[cell - 1][column // per_word] |= 1 << column % per_word * stride + height
        return State(tuple(discs[0]), tuple(discs[1]), pops_first, pops_second, player)

    most = _most_points(rows, columns) + (_most_windows(rows, columns) if estimate == "windows" else 0)
    changed = (rows, columns, pops) != (6, 8, 6)
    return Game(
        name="extended-connect-four"
        + (f" {rows}x{columns}, {pops} pops" if changed else "")
        + (", windows" if estimate == "windows" else ""),
        start=State((0,) * words, (0,) * words, pops, pops, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=score_and_windows if estimate == "windows" else score,
        rank=rank,
        show=show,
        draw=painter(Scene("Extended Connect Four", PLAYERS, turn, moves, score), rows, columns, POP, letters_of, points),
        players=PLAYERS,
        about=(
            "X moves first. A move drops a disc into a column, or pops the bottom disc out of one, whoever's it is, and "
            "the rest of the "
            f"column falls. Each player has {pops} pops; X pops columns 0, 2, 4 and so on, O the others. It ends when "
            "whoever is to move can do neither, "
            "the board being full and their pops gone. Every run of one's own, in any direction, earns points: 2 discs "
            "earn 2, 3 earn 5, 4 earn 20, "
            "5 earn 20, 6 earn 22, and so on. The value is the points of X less those of O."
        ),
        name_move=name_move,
        read_state=read_state,
        write_state=write_state,
        low=-most,
        high=most,
        max_moves=columns + columns // 2,
    )


def _check_options(rows: int, columns: int, pops: int, estimate: str) -> None:
    for name, value, least, most in (("rows", rows, 2, MOST), ("columns", columns, 2, MOST), ("pops", pops, 0, MOST_POPS)):
        check_whole("extended-connect-four", name, value, least, most)
    if columns % 2:
        raise OptionError(
            f"columns={columns} of extended-connect-four must be even, for one player pops even columns and the other "
            f"odd ones; take {columns - 1} or {columns + 1}"
        )
    if estimate not in ESTIMATES:
        raise OptionError(f"estimate={estimate!r} of extended-connect-four is unknown; there are {' and '.join(ESTIMATES)}")


def _lines(rows: int, columns: int) -> list[int]:
    """Return the lengths of all rows, columns and diagonals."""
    diagonals = [min(rows + min(offset, 0), columns - max(offset, 0)) for offset in range(1 - rows, columns)]
    return [columns] * rows + [rows] * columns + 2 * diagonals


def _most_points(rows: int, columns: int) -> int:
    """Return the points of a full board of one colour: no other has more, for runs joined earn no less than apart."""
    return sum(earned(length) for length in _lines(rows, columns))


def _most_windows(rows: int, columns: int) -> float:
    """Return a bound on what "windows" adds: no window is worth more than half its weight, which is one disc short."""
    lines = _lines(rows, columns)
    return sum(max(line - length + 1, 0) * weight / 2 for line in lines for length, weight in WEIGHTS.items())


def _read_position(text: str, rows: int, columns: int) -> tuple[int, int, int, list[list[int]]]:
    """Return the pops of both players, who moves, and the cells from the top, all of them checked."""
    lines = text.replace("/", "\n").rstrip().splitlines()
    pops_first, pops_second, player = _read_first_line(lines[0] if lines else "")
    cells = _read_cells(lines)
    size = f"line {len(lines)}: the board ends after {len(cells)} rows of {len(cells[0])} cells"
    if len(cells) > MOST or len(cells[0]) > MOST:
        raise StateError(f"{size}; {MOST} by {MOST} is the most: leave rows or columns out")
    if (len(cells), len(cells[0])) != (rows, columns):
        raise StateError(
            f"{size}, and this game has {rows} rows of {columns}; correct it, or take the game of that size, "
            f"extended-connect-four:rows={len(cells)},columns={len(cells[0])}, where columns are even and both are from 2 to {MOST}"
        )
    for number, (row, below) in enumerate(pairwise(cells), 2):
        for column, (cell, support) in enumerate(zip(row, below, strict=True)):
            if cell and not support:
                raise StateError(
                    f"line {number}: the disc in column {column} floats above an empty square; "
                    "every disc rests on another or on the bottom: move it down"
                )
    return pops_first, pops_second, player, cells


def _read_first_line(line: str) -> tuple[int, int, int]:
    """Return the pops of both players and who moves."""
    numbers = [int(word) for word in line.split() if word.removeprefix("-").isdecimal() and len(word) < 10]
    if len(numbers) != len(line.split()) or len(numbers) not in (1, 3):
        raise StateError(
            f"line 1: {line!r} does not say how many pops there are; write one number for both players, "
            "such as 6, or in the course of a game the pops left to each and who moves, 0 or 1, such as 5 6 1"
        )
    pops_first, pops_second, player = numbers if len(numbers) == 3 else [*numbers, *numbers, 0]
    for pops in (pops_first, pops_second):
        if not 0 <= pops <= MOST_POPS:
            raise StateError(f"line 1: {pops} pops cannot be left to a player; write a number from 0 to {MOST_POPS}")
    if player not in (0, 1):
        raise StateError(f"line 1: {player} is not a player; write 0 if the first one moves, 1 if the second")
    return pops_first, pops_second, player


def _read_cells(lines: list[str]) -> list[list[int]]:
    """Return the cells of all lines but the first, as many in each."""
    cells: list[list[int]] = []
    for number, line in enumerate(lines[1:], 2):
        for column, cell in enumerate(line.split()):
            if cell not in ("0", "1", "2"):
                raise StateError(
                    f"line {number}: {cell!r} in column {column} is not a cell; write 0 for an empty square, "
                    "1 for a disc of the first player, 2 of the second, spaces between them"
                )
        cells.append([int(cell) for cell in line.split()])
        if not cells[-1]:
            raise StateError(f"line {number} is blank; leave it out, or write its row of cells")
        if len(cells[-1]) != len(cells[0]):
            raise StateError(
                f"line {number}: a row of {len(cells[-1])} cells, and the one in line 2 has {len(cells[0])}; "
                "give all rows the same number"
            )
    if not cells:
        raise StateError("line 2: there is no board; below the pops write a line for each row, the top row first")
    return cells
