"""Nine men's morris, also mill or merels. Points are named a1 at the bottom left to g7 at the top right.

A move is written d6 (a man placed), d6-d5 (a man moved), and either with the man that it takes: d6xa1, d6-d5xa1.
"""

from typing import NamedTuple

from outplay.errors import StateError
from outplay.games.common.parameters import check_whole, is_true
from outplay.games.pictures.nine_mens_morris import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, lowest, mix
from outplay.rules.game import OVER, Game
from outplay.rules.text import after_moves, board

# One bit a point, eight bits a square, the outer square lowest; in each, clockwise from its corner at the top left.
# So corners have even places, and what is 8 further is the next point inward:
#
#     7    0 ---------- 1 ---------- 2
#          |            |            |
#     6    |    8 ----- 9 ---- 10    |
#          |    |       |       |    |
#     5    |    |  16 -17- 18   |    |
#          |    |   |       |   |    |
#     4    7 - 15 -23      19 -11 -- 3
#          |    |   |       |   |    |
#     3    |    |  22 -21- 20   |    |
#          |    |       |       |    |
#     2    |   14 ---- 13 ---- 12    |
#          |            |            |
#     1    6 ---------- 5 ---------- 4
#          a    b   c   d   e   f    g
FULL = 0xFFFFFF
CORNERS, MIDDLES = 0x555555, 0xAAAAAA
SQUARES = 0x010101  # times the points of the outer square: the same of all three

# A move has three parts of five bits: to which point, from which, and where a man is taken. The latter two are one more
# than the place of the point, and 0 where a man is placed or none is taken. So `1 << part >> 1` is the man's bit or none:
#
#     14 ... 10   9 ... 5   4 ... 0
#         taken      from        to
PART = 0b11111
FROM, TAKEN = 5, 10
PLAYERS = ("X", "O")
YOUNG = 8  # men on the board: later, positions that are mirror images hardly ever meet

NAMES = (
    "a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4",
    "b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4",
    "c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4",
)  # fmt: skip
PLACES = tuple(sorted(range(24), key=lambda place: (-int(NAMES[place][1]), NAMES[place])))  # row by row from the top
ROWS = (3, 3, 3, 6, 3, 3, 3)  # points in each
DRAWN = """\
7 {}-----{}-----{}
  |     |     |
6 | {}---{}---{} |
  | |   |   | |
5 | | {}-{}-{} | |
  | | |   | | |
4 {}-{}-{}   {}-{}-{}
  | | |   | | |
3 | | {}-{}-{} | |
  | |   |   | |
2 | {}---{}---{} |
  |     |     |
1 {}-----{}-----{}
  a b c d e f g"""


class State(NamedTuple):
    own: int  # the men of the player to move
    other: int
    hand: int  # men that both have still to place; they place in turn
    player: int


def clockwise(men):
    """Every man a point further on its square."""
    return men << 1 & 0xFEFEFE | men >> 7 & 0x010101


def anticlockwise(men):
    return men >> 1 & 0x7F7F7F | men << 7 & 0x808080


def beside(men):
    """The points next to a man."""
    middles = men & MIDDLES
    return (clockwise(men) | anticlockwise(men) | middles << 8 | middles >> 8) & FULL


def sides(men):
    """The mills on the sides of squares, each as its middle point."""
    return men & clockwise(men) & anticlockwise(men) & MIDDLES


def spokes(men):
    """The mills across squares, each as its outer point."""
    return men & men >> 8 & men >> 16 & MIDDLES


def in_mills(men):
    """The men that stand in a mill."""
    middles = sides(men)
    return middles | clockwise(middles) | anticlockwise(middles) | spokes(men) * SQUARES


def closing(men):
    """The points at which one more man closes a mill."""
    before, after = clockwise(men), anticlockwise(men)
    ends = before & clockwise(before) | after & anticlockwise(after)
    across = men >> 8 & men >> 16 | men << 8 & men >> 8 | men << 8 & men << 16
    return ends & CORNERS | (before & after | across) & MIDDLES


def open_to_take(men):
    """The men that a mill of the other takes one of: those in no mill, or all if there are none."""
    outside = men & ~in_mills(men)
    return outside if outside else men


def play(state, move):
    point, lifted, taken = 1 << (move & PART), 1 << (move >> FROM & PART) >> 1, 1 << (move >> TAKEN) >> 1
    return State(state.other ^ taken, state.own ^ lifted ^ point, max(state.hand - 1, 0), 1 - state.player)


def score(state):
    return 1 if state.player else -1  # who is to move has lost


def worth(men, free):
    """Eight points for a man, two for a mill, one for a free point beside a man."""
    return 8 * count(men) + 2 * (count(sides(men)) + count(spokes(men))) + count(beside(men) & free)


def estimate(state):
    """Men, mills and room to move, on a scale below that of a win; who is to move has the odd man in hand."""
    free = FULL ^ (state.own | state.other)
    lead = worth(state.own, free) - worth(state.other, free) + 8 * (state.hand & 1)
    return -lead / 128 if state.player else lead / 128


def rank(state, move):
    """Mills first, then what leaves the other the fewest mills to close, and the mover the most."""
    other, own, _, _ = play(state, move)
    free = FULL ^ (own | other)
    return 64 * (move >> TAKEN > 0) + count(closing(own) & free) - 2 * count(closing(other) & free)


# The board has sixteen images. These make one of two boards at once, the men of one player 24 bits above the other's.


def turned(boards):
    """The boards turned by a quarter."""
    return boards << 2 & 0xFCFCFCFCFCFC | boards >> 6 & 0x030303030303


def mirrored(boards):
    """The boards mirrored on the diagonal from the top left: the first corner of a square stays, and the third."""
    corners = boards & 0x111111111111 | (boards & 0x040404040404) << 4 | boards >> 4 & 0x040404040404
    top_and_left = (boards & 0x020202020202) << 6 | boards >> 6 & 0x020202020202
    right_and_bottom = (boards & 0x080808080808) << 2 | boards >> 2 & 0x080808080808
    return corners | top_and_left | right_and_bottom


def inside_out(boards):
    """The boards with the outer square exchanged for the inner."""
    return boards & 0x00FF0000FF00 | (boards & 0x0000FF0000FF) << 16 | boards >> 16 & 0x0000FF0000FF


def key(state):
    """As long as few men are on the board, all its images have one key, that of the least."""
    boards = state.own << 24 | state.other
    least = boards
    if count(boards) <= YOUNG:
        for _ in range(2):
            for _ in range(2):
                for _ in range(4):
                    boards = turned(boards)
                    least = min(least, boards)
                boards = mirrored(boards)
            boards = inside_out(boards)
    return mix(2 * state.hand + state.player, least)


def name_move(state, move):
    source, taken = move >> FROM & PART, move >> TAKEN
    name = f"{NAMES[source - 1]}-" if source else ""
    return f"{name}{NAMES[move & PART]}" + (f"x{NAMES[taken - 1]}" if taken else "")


def parts_of(move):
    """From which point a man moves, to which, and where one is taken; None where a man is placed or none is taken."""
    source, taken = move >> FROM & PART, move >> TAKEN
    return source - 1 if source else None, move & PART, taken - 1 if taken else None


def sets_of(state):
    """The men of X and of O, and how many each has in hand."""
    more, less = (state.hand + 1) // 2, state.hand // 2
    if state.player:
        return state.other, state.own, (less, more)
    return state.own, state.other, (more, less)


def cells_of(state):
    crosses, noughts, _ = sets_of(state)
    return board(crosses, noughts, PLACES)


def write_state(state):
    """Write the rows, top row first, who moves, X, who is player 0, or O, and how many men are still to be placed."""
    cells = iter(cells_of(state))
    rows = ["".join(next(cells) for _ in range(length)) for length in ROWS]
    return "/".join([*rows, "XO"[state.player], str(state.hand)])


def nine_mens_morris(men: int = 9, flying: bool = True) -> Game:
    """Nine men's morris: three men in line, a mill, take one of the other's. Who has two left, or no move, loses.

    All men are placed first; then they move to the next point on a line, or, of a player with three men and if flying, to any.
    A mill takes a man that stands in none, if there is one; two mills closed at once take one man. These are Gasser's rules,
    and with nine men the game is a draw (R. Gasser, Solving Nine Men's Morris, Games of No Chance, 1996).

    Positions can repeat, and no rule ends the game then. With fewer men, three to eight, it is the same game on the same board.
    With three the first player wins, or nobody if they do not fly: found by this program, without a source.
    """
    check_whole("nine-mens-morris", "men", men, 3, 9)
    fewest_walking = 4 if is_true("nine-mens-morris", "flying", flying) else 3

    def turn(state):
        on_board = count(state.own)
        if on_board + (state.hand + 1) // 2 < 3:
            return OVER
        if state.hand or on_board < fewest_walking or beside(state.own) & ~state.other & ~state.own:
            return state.player
        return OVER

    def moves(state):
        free = FULL ^ (state.own | state.other)
        prey = open_to_take(state.other)
        walking = state.hand == 0 and count(state.own) >= fewest_walking
        men_left = 1 if state.hand else state.own << 1  # as the bits 1 << part: a man in hand is the lowest
        while men_left:
            man = men_left & -men_left
            lifted = man >> 1
            points = beside(lifted) & free if walking else free
            mills = closing(state.own ^ lifted)
            while points:
                point = points & -points
                step = lowest(point) | lowest(man) << FROM
                taken = prey if mills & point else 0
                if taken == 0:
                    yield step
                while taken:
                    yield step | lowest(taken) + 1 << TAKEN
                    taken &= taken - 1
                points ^= point
            men_left ^= man

    def show(state):
        cells = cells_of(state)
        in_hand = sets_of(state)[2]
        if turn(state) == OVER:
            said = f"{'OX'[state.player]} has won"
        elif state.hand:
            said = f"{'XO'[state.player]} places a man; in hand X {in_hand[0]}, O {in_hand[1]}"
        else:
            said = f"{'XO'[state.player]} moves; X {cells.count('X')}, O {cells.count('O')}"
        return f"{DRAWN.format(*cells)}\n{said}"

    def read_state(text):
        """Read the moves played, such as d6 f4 d2 f6 d7 a1 d5xa1, or a board as `write_state` writes it."""
        return _read_board(text) if "/" in text else after_moves(text, start, turn, moves, play, name_move)

    def _read_board(text):
        *rows, who, hand = text.upper().split("/")
        if tuple(map(len, rows)) != ROWS or set("".join(rows)) - set("XO.") or who not in ("X", "O") or not hand.isdecimal():
            raise StateError(
                f"{text!r} is not a board; write the points of its 7 rows, X, O or ., top row first, who moves, X or O, "
                f"and how many men are still to be placed, separated by /, such as {write_state(start)}"
            )
        cells = "".join(rows)
        crosses = sum((cell == "X") << place for place, cell in zip(PLACES, cells, strict=True))
        noughts = sum((cell == "O") << place for place, cell in zip(PLACES, cells, strict=True))
        state = State(crosses, noughts, int(hand), 0) if who == "X" else State(noughts, crosses, int(hand), 1)
        if state.hand and state.hand % 2 != state.player:
            raise StateError(f"{text!r} has {hand} men to be placed, and {who} to move; X places first: it is the other's turn")
        if count(state.own) + (state.hand + 1) // 2 > men or count(state.other) + state.hand // 2 > men:
            raise StateError(f"{text!r} has more than {men} men of one player, on the board and to be placed")
        if count(state.other) + state.hand // 2 < 3:
            raise StateError(f"{text!r} has fewer than 3 men of one player, and the other to move; the game was over before")
        return state

    start = State(0, 0, 2 * men, 0)
    few = "" if men == 9 else f" {men} men"
    return Game(
        name=f"nine-mens-morris{few}{'' if fewest_walking == 4 else ' without flying'}",
        start=start,
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        rank=rank,
        key=key,
        show=show,
        draw=painter(Scene("Nine men's morris", PLAYERS, turn, moves, score), NAMES, parts_of, sets_of, in_mills),
        players=PLAYERS,
        about=(
            f"X moves first. First each places {men} men in turn, on any free points; then a move takes an own man along "
            "a line to the next point, if that is free"
            + (", and a player with only three men left may move one to any free point. " if fewest_walking == 4 else ". ")
            + "Three own men in a line are a mill: who closes one takes a man of the other, one that stands in no mill if "
            "there is such a man. "
            "Whoever is left with two men, or cannot move, loses. A value of +1 is a win for X, −1 a win for O; 0 is a "
            "game without end, and what lies between is an estimate."
        ),
        name_move=name_move,
        read_state=read_state,
        write_state=write_state,
        max_moves=32 * 9,  # a man has at most one way along each of 32 lines, and nine men to take
    )
