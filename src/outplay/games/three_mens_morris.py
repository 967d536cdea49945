"""Three men's morris and its kin, tapatan and nine holes. Points are named a1 at the bottom left, b1 to its right, a2 above."""

from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.pictures.three_mens_morris import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, lowest
from outplay.rules.game import OVER, Game
from outplay.rules.text import after_moves, board

# One bit a point, row by row from the top left:
#
#     3   0 - 1 - 2
#         |   |   |
#     2   3 - 4 - 5
#         |   |   |
#     1   6 - 7 - 8
#         a   b   c
#
# A man placed is a move of that number, 0 to 8. A man moved is 9 * (from + 1) + to, 9 to 89.
POINTS = 9
MEN = 3
PLAYERS = ("X", "O")
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = 0o777
NAMES = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")

# To which points a man can move from each.
ALONG_ROWS = (0o012, 0o025, 0o042, 0o121, 0o252, 0o424, 0o210, 0o520, 0o240)
ALONG_LINES = (0o032, 0o025, 0o062, 0o121, 0o757, 0o424, 0o230, 0o520, 0o260)
ANYWHERE = (FULL,) * POINTS

REACHES = {"morris": ALONG_ROWS, "tapatan": ALONG_LINES, "nine-holes": ANYWHERE}
DRAWN = {  # the points, and what is drawn between them
    "morris": ("{}-{}-{}", "| | |", "| | |"),
    "tapatan": ("{}-{}-{}", "|\\|/|", "|/|\\|"),
    "nine-holes": ("{} {} {}", "", ""),
}


class State(NamedTuple):
    own: int  # the men of the player to move
    other: int
    player: int


def has_line(men):
    for line in LINES:
        if men & line == line:
            return True
    return False


def turn(state):
    return OVER if has_line(state.other) else state.player


def play(state, move):
    source, point = move // POINTS, move % POINTS
    lifted = 1 << source >> 1  # no man where one is placed: the source is 0 then
    return State(state.other, state.own ^ lifted | 1 << point, 1 - state.player)


def score(state):
    return 1 if state.player else -1  # the other has the line


def estimate(state):
    """The lines still open to player 0 less those still open to player 1, on a scale below that of a win."""
    lead = 0
    for line in LINES:
        if not state.other & line:
            lead += 1
        if not state.own & line:
            lead -= 1
    return -lead / 10 if state.player else lead / 10


def name_move(state, move):
    source, point = move // POINTS, move % POINTS
    return f"{NAMES[source - 1]}-{NAMES[point]}" if source else NAMES[point]


def parts_of(move):
    """From which point a man moves, to which, and where one is taken: never."""
    source, point = move // POINTS, move % POINTS
    return source - 1 if source else None, point, None


def winning(state):
    found = 0
    for line in LINES:
        if state.other & line == line:
            found |= line
    return State(0, found, state.player)


def rows_of(state):
    crosses, noughts = (state.other, state.own) if state.player else (state.own, state.other)
    return [board(crosses, noughts, range(row, row + 3)) for row in (0, 3, 6)]


def write_state(state):
    """Write the rows, top row first, and who moves: X, who is player 0, or O."""
    return "/".join([*rows_of(state), "XO"[state.player]])


def three_mens_morris(variant: str = "morris") -> Game:
    """Three men's morris: place three men each, then move them; three in a row, column or diagonal win.

    A man moves to the next point, if that is free: in "morris" along rows and columns (Murray's smaller merels), in "tapatan"
    along the diagonals too; in "nine-holes" to any free point. Nobody is ever without a move, so there is no rule for it.

    Positions can repeat. The first player wins "morris" by placing a man in the middle, and no other way: a corner draws
    (Dudeney, Amusements in Mathematics, 1917, Ovid's Game). Found by this program, without a source: so it is in "tapatan",
    the middle of a side loses in both, and "nine-holes" is a draw from every point.
    """
    if variant not in REACHES:
        raise OptionError(f"variant={variant!r} of three-mens-morris must be one of {', '.join(REACHES)}")
    reach = REACHES[variant]

    def moves(state):
        free = FULL ^ (state.own | state.other)
        if count(state.own) < MEN:
            while free:
                yield lowest(free)
                free &= free - 1
        else:
            men = state.own
            while men:
                man = lowest(men)
                points = reach[man] & free
                while points:
                    yield POINTS * (man + 1) + lowest(points)
                    points &= points - 1
                men &= men - 1

    def show(state):
        row, upper, lower = DRAWN[variant]
        top, middle, bottom = (row.format(*cells) for cells in rows_of(state))
        drawn = [f"3 {top}", f"  {upper}", f"2 {middle}", f"  {lower}", f"1 {bottom}", "  a b c"]
        if turn(state) == OVER:
            said = f"{'OX'[state.player]} has won"
        else:
            said = f"{'XO'[state.player]} {'places' if count(state.own) < MEN else 'moves'} a man"
        return "\n".join([*filter(str.strip, drawn), said])

    def read_state(text):
        """Read the moves played, such as b2 a3 c3 a1 a2 c2 b2-b1, or a board as `write_state` writes it."""
        return _read_board(text) if "/" in text else after_moves(text, start, turn, moves, play, name_move)

    def _read_board(text):
        *rows, who = text.upper().split("/")
        if len(rows) != 3 or any(len(row) != 3 or set(row) - set("XO.") for row in rows) or who not in ("X", "O"):
            raise StateError(
                f"{text!r} is not a board; write 3 rows of 3 points, X, O or ., top row first, and who moves, X or O, separated by /, "
                f"such as {write_state(start)}"
            )
        cells = "".join(rows)
        crosses = sum((cell == "X") << place for place, cell in enumerate(cells))
        noughts = sum((cell == "O") << place for place, cell in enumerate(cells))
        state = State(crosses, noughts, 0) if who == "X" else State(noughts, crosses, 1)
        placed = cells.count("X"), cells.count("O")
        if placed != (MEN, MEN) and (placed[0] > MEN or placed[0] - placed[1] != state.player):
            raise StateError(
                f"{text!r} has {placed[0]} X and {placed[1]} O, and {who} to move; X places first, and each has {MEN} men"
            )
        if has_line(state.own):
            raise StateError(f"{text!r} has three {who} in line, and {who} to move; the game was over before")
        return state

    start = State(0, 0, 0)
    return Game(
        name="three-mens-morris" if variant == "morris" else f"three-mens-morris {variant}",
        start=start,
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        show=show,
        draw=painter(Scene("Three men's morris", PLAYERS, turn, moves, score), NAMES, reach, rows_of, parts_of),
        players=PLAYERS,
        about=(
            "X moves first. First each places three men in turn, on any free points. Then a move takes one of the own men "
            + {
                "morris": "along a row or a column to the next point, if that is free",
                "tapatan": "along a row, a column or a diagonal to the next point, if that is free",
                "nine-holes": "to any free point",
            }[variant]
            + ". Three men in a row, a column or a diagonal win. A value of +1 is a win for X, −1 a win for O; 0 is a "
            "game without end, "
            "and what lies between is an estimate."
        ),
        name_move=name_move,
        read_state=read_state,
        write_state=write_state,
        winning=winning,
        max_moves=POINTS,
    )
