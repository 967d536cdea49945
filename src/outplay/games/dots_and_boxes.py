"""Dots and Boxes: draw an edge between two dots. Who draws a box's fourth edge takes the box and moves again.

Dots are lettered by column and numbered by row, from the top left. A move is named by the dots that its edge joins: a1-b1.
"""

from string import ascii_lowercase
from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.dots_and_boxes import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, lowest, mix
from outplay.rules.game import OVER, Game

# One bit a dot, row by row from the top left. An edge across stands at the bit of its left dot, an edge down at that of its
# upper dot, a box at that of its upper left dot. One row of two boxes, three dots wide:
#
#      0---1---2        across: 0 1 3 4
#      | 0 | 1 |        down:   0 1 2
#      3---4---5        boxes:  0 1
#
# The width and the boxes left are part of the state, so that one compilation serves all sizes.

DOWN = 64  # an edge across is the number of its bit, an edge down 64 more
MOST = 48  # boxes, six by eight
PLAYERS = ("player 0", "player 1")


class State(NamedTuple):
    across: int  # open edges: those not yet drawn
    down: int
    boxes: int  # not yet taken
    width: int  # dots in a row
    margin: int  # boxes of player 0 less those of player 1
    player: int


def turn(state):
    return state.player if state.boxes else OVER


def moves(state):
    edges = state.across
    while edges:
        yield lowest(edges)
        edges &= edges - 1
    edges = state.down
    while edges:
        yield DOWN + lowest(edges)
        edges &= edges - 1


def drawn(state, move):
    """The open edges, across and down, after a move."""
    if move < DOWN:
        return state.across ^ 1 << move, state.down
    return state.across, state.down ^ 1 << move - DOWN


def some_open(across, down, width):
    """The boxes with an open edge."""
    return across | across >> width | down | down >> 1


def two_open(across, down, width):
    """The boxes with two open edges or more."""
    lower, right = across >> width, down >> 1
    return across & lower | down & right | (across | lower) & (down | right)


def play(state, move):
    boxes, width, player = state.boxes, state.width, state.player
    across, down = drawn(state, move)
    taken = boxes & ~some_open(across, down, width)
    if taken == 0:
        return State(across, down, boxes, width, state.margin, 1 - player)
    gain = -count(taken) if player else count(taken)
    return State(across, down, boxes ^ taken, width, state.margin + gain, player)


def score(state):
    return state.margin


def reach(state):
    """How many boxes the mover can take at once, one after the other."""
    across, down, left, width = state.across, state.down, state.boxes, state.width
    ready = left & ~two_open(across, down, width)
    while ready:
        left ^= ready
        across &= ~(ready | ready << width)
        down &= ~(ready | ready << 1)
        ready = left & ~two_open(across, down, width)
    return count(state.boxes ^ left)


def estimate(state):
    """The margin once the mover has taken all that is within reach."""
    return state.margin - reach(state) if state.player else state.margin + reach(state)


def bounds(state):
    """The mover can take what is within reach; the rest may go to either."""
    left, sure = count(state.boxes), reach(state)
    if state.player:
        return state.margin - left, state.margin + left - 2 * sure
    return state.margin + 2 * sure - left, state.margin + left


def rank(state, move):
    """Boxes taken, then boxes not given away: left with one open edge where there were two."""
    across, down = drawn(state, move)
    taken = state.boxes & ~some_open(across, down, state.width)
    ready = state.boxes & ~two_open(across, down, state.width)
    return 4 * count(taken) - count(ready)


def key(state):
    """The open edges between boxes, how many each box has at the rim, the margin and the player.

    An edge at the rim touches one box alone: which of a box's own are open does not matter, only how many. All four
    are where there is a single box, at the start: nothing else looks so, and two bits will do.
    """
    across, down, boxes, width = state.across, state.down, state.boxes, state.width
    upper, lower = across & boxes & ~(boxes << width), across >> width & boxes & ~(boxes >> width)
    left, right = down & boxes & ~(boxes << 1), down >> 1 & boxes & ~(boxes >> 1)
    odd = upper ^ lower ^ left ^ right
    two = upper & lower ^ left & right ^ (upper ^ lower) & (left ^ right)
    rest = (state.margin + MOST) * 256 + 2 * width + state.player
    return mix(mix(mix(mix(mix(0, rest), odd), two), across & boxes & boxes << width), down & boxes & boxes << 1)


def name_move(state, move):
    row, column = divmod(move % DOWN, state.width)
    end = (row, column + 1) if move < DOWN else (row + 1, column)
    return "-".join(f"{ascii_lowercase[right]}{below + 1}" for below, right in ((row, column), end))


def dots_and_boxes(rows: int = 2, columns: int = 2) -> Game:
    """Dots and Boxes: draw edges, complete boxes. Scored by the margin of boxes. Any board of up to 63 dots."""
    for name, value in (("rows", rows), ("columns", columns)):
        check_whole("dots-and-boxes", name, value, 1, len(ascii_lowercase) - 1)
    width = columns + 1
    if (rows + 1) * width > 63:
        raise OptionError(
            f"{rows} rows of {columns} boxes have {rows + 1} * {width} = {(rows + 1) * width} dots; 63 are the most"
        )

    line = (1 << columns) - 1
    boxes = sum(line << row * width for row in range(rows))
    start = State(boxes | line << rows * width, (1 << rows * width) - 1, boxes, width, 0, 0)

    def lines_of(state):
        """The rows of edges, across and down in turn: - or | if drawn, else a dot."""
        lines = []
        for row in range(rows + 1):
            places = range(row * width, row * width + width)
            lines.append("".join(".-"[not state.across >> place & 1] for place in places[:-1]))
            lines.append("".join(".|"[not state.down >> place & 1] for place in places))
        return lines[:-1]

    def show(state):
        size = len(str(rows + 1))
        lines = [f"{'':{size}} {'   '.join(ascii_lowercase[:width])}"]
        for number, edges in enumerate(line.replace(".", " ") for line in lines_of(state)):
            if number % 2:
                lines.append(f"{'':{size}} {'   '.join(edges)}".rstrip())
            else:
                lines.append(f"{number // 2 + 1:{size}} +{'+'.join(3 * edge for edge in edges)}+")
        mover = f", player {state.player} is to move" if state.boxes else ""
        return "\n".join([*lines, f"margin {state.margin}{mover}"])

    def read_state(text):
        """Read the rows of edges, the margin and the player, such as --/|../.-/..|/..,0,1; see `write_state`."""
        edges, *rest = text.replace(" ", "").split(",")
        lines, empty = edges.split("/"), lines_of(start)
        if (
            [len(line) for line in lines] != [len(line) for line in empty]
            or set("".join(lines[::2])) - set(".-")
            or set("".join(lines[1::2])) - set(".|")
        ):
            raise StateError(
                f"{text!r} is not a board of {name}; write its rows of edges from the top, separated by /: {columns} across, - if drawn "
                f"and a dot if open, then {width} down, | or a dot, and so on, such as {'/'.join(empty)},0,0"
            )
        across, down = _open(lines[::2], width), _open(lines[1::2], width)
        left = boxes & some_open(across, down, width)
        complete = count(boxes ^ left)
        margins = [str(margin) for margin in range(-complete, complete + 1, 2)]
        margin, player = rest if len(rest) == 2 else ("", "") if rest else ("0", "0")
        if margin not in margins or player not in ("0", "1"):
            raise StateError(
                f"{text!r} has {complete} complete boxes; behind the edges write player 0's less player 1's, one of "
                f"{', '.join(margins)}, and who is to move, 0 or 1, such as {edges},{margins[-1]},0"
            )
        return State(across, down, left, width, int(margin), int(player))

    def write_state(state):
        return f"{'/'.join(lines_of(state))},{state.margin},{state.player}"

    name = "dots-and-boxes" if (rows, columns) == (2, 2) else f"dots-and-boxes {rows}x{columns}"
    return Game(
        name=name,
        start=start,
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        bounds=bounds,
        rank=rank,
        key=key,
        show=show,
        draw=painter(Scene("Dots and Boxes", PLAYERS, turn, moves, score), rows, columns, DOWN, name_move),
        players=PLAYERS,
        about=(
            "Player 0 moves first. A move draws one edge between two neighbouring dots. Whoever draws the fourth edge of "
            "a box takes the box and "
            "moves again. The game ends when all boxes are taken. The value is the boxes of player 0 less those of player 1."
        ),
        name_move=name_move,
        read_state=read_state,
        write_state=write_state,
        low=-MOST,  # of every size, so that they share what is compiled
        high=MOST,
        max_moves=(rows + 1) * columns + rows * width,
    )


def _open(lines: list[str], width: int) -> int:
    """Return the dots among rows of edges as bits."""
    return sum(1 << row * width + column for row, line in enumerate(lines) for column, edge in enumerate(line) if edge == ".")
