"""EinStein würfelt nicht: a die names the stone that moves toward the opposite corner. Who gets there first wins."""

import math
from random import Random
from typing import NamedTuple

from outplay.errors import IllegalMove, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.einstein import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import lowest
from outplay.rules.game import CHANCE, OVER, Game

# The stones of a player share an int, 6 bits each, stone 1 lowest: the square, counted from the top left corner row by row,
# or GONE. On 5 by 5, with stone 2 in the corner and stone 1 gone:
#
#      ... | stone 3 | stone 2 | stone 1      ... 000101 000000 111111
#
# X starts at the top left and moves right, down, or both; O starts at the bottom right and moves left, up, or both.

PLAYERS = ("X", "O")
BITS, GONE = 6, 63
LARGEST, MOST_STONES = 7, 10
ACROSS, DOWN, BOTH = 0, 1, 2


class State(NamedTuple):
    first: int  # the squares of X's stones
    second: int
    player: int
    die: int  # 0 before the roll


def einstein(size: int = 5, stones: int = 6) -> Game:
    """EinStein würfelt nicht: a die names the stone that moves toward the opposite corner. Who gets there first wins.

    The board is a square; the die has as many faces as a player has *stones*.
    """
    check_whole("einstein", "size", size, 2, LARGEST)
    room = size * (size - 1) // 2
    touching = f" on {size} by {size}: the corners of the players must not touch"
    check_whole("einstein", "stones", stones, 1, min(room, MOST_STONES), touching)
    squares = size * size
    goal = squares - 1  # of X; the goal of O is 0
    ones = sum(1 << BITS * stone for stone in range(stones))
    highs = ones << BITS - 1
    nobody = GONE * ones
    corner = sorted(range(squares), key=lambda square: (sum(divmod(square, size)), square))[:stones]

    def on(side, square):
        """Return a bit in the field of the stone that stands on *square*; 0 if there is none."""
        differs = side ^ square * ones
        return differs - ones & ~differs & highs

    def turn(state):
        if state.first == nobody or state.second == nobody or on(state.first, goal) or on(state.second, 0):
            return OVER
        return CHANCE if state.die == 0 else state.player

    def chances(state):
        for face in range(1, stones + 1):
            yield face, 1 / stones

    def moves(state):
        side = state.first if state.player == 0 else state.second
        # The stone that the die names; if it is gone, the next higher and the next lower one.
        lower, higher = state.die, state.die
        while lower > 0 and side >> BITS * lower - BITS & GONE == GONE:
            lower -= 1
        while higher <= stones and side >> BITS * higher - BITS & GONE == GONE:
            higher += 1
        for stone in range(1, stones + 1):
            if stone in (lower, higher):
                square = side >> BITS * stone - BITS & GONE
                if state.player == 1:
                    square = goal - square
                right, below = square % size < size - 1, square < squares - size
                if right:
                    yield 4 * stone + ACROSS
                if below:
                    yield 4 * stone + DOWN
                if right and below:
                    yield 4 * stone + BOTH

    def target_of(side, player, move):
        way = (1, size, size + 1)[move & 3]
        return (side >> BITS * (move >> 2) - BITS & GONE) + (way if player == 0 else -way)

    def without(side, square):
        """Return the stones of a player without the one on *square*."""
        found = on(side, square)
        return side if found == 0 else side | GONE << lowest(found) - BITS + 1

    def play(state, choice):
        first, second, player, die = state
        if die == 0:
            return State(first, second, player, choice)
        own, other = (first, second) if player == 0 else (second, first)
        square = target_of(own, player, choice)
        shift = BITS * (choice >> 2) - BITS
        own = without(own, square) & ~(GONE << shift) | square << shift
        other = without(other, square)
        if player == 0:
            return State(own, other, 1, 0)
        return State(other, own, 0, 0)

    def score(state):
        return 1 if on(state.first, goal) or state.second == nobody else -1

    def way_left(side, player):
        """Return the mean number of moves that the stone nearest to its goal takes, over the faces of the die."""
        total, gap, last = 0, 0, 2 * size
        for stone in range(stones):
            square = side >> BITS * stone & GONE
            if square == GONE:
                gap += 1
                continue
            if player == 0:
                square = goal - square
            left = max(square // size, square % size)
            total += left + gap * min(last, left)
            gap, last = 0, left
        return (total + gap * last) / stones

    def estimate(state):
        """The lead on the way to the goal, with half a move for the player to move."""
        lead = way_left(state.second, 1) - way_left(state.first, 0) + (0.5 if state.player == 0 else -0.5)
        return 0.95 * lead / math.sqrt(1 + lead * lead)

    def name_of(square):
        return f"{'abcdefg'[square % size]}{square // size + 1}"

    def squares_of(state):
        """Return for each player the squares of its stones; None for a stone that is gone."""
        fields = [[side >> BITS * stone & GONE for stone in range(stones)] for side in (state.first, state.second)]
        return [[None if square == GONE else square for square in side] for side in fields]

    def show(state):
        cells = ["." for _ in range(squares)]
        for letter, side in zip(PLAYERS, squares_of(state), strict=True):
            for stone, square in enumerate(side, 1):
                if square is not None:
                    cells[square] = f"{letter}{stone}"
        rows = [f"{row + 1}" + "".join(f"{cell:>4}" for cell in cells[size * row : size * (row + 1)]) for row in range(size)]
        says = f"{PLAYERS[state.player]} to move, the die shows {state.die}" if state.die else f"{PLAYERS[state.player]} to roll"
        letters = " " + "".join(f"{letter:>4}" for letter in "abcdefg"[:size])
        return "\n".join([*rows, letters, says])

    def ends_of(state, move):
        """Return the stone of a move, its square and the square it goes to."""
        side = state.first if state.player == 0 else state.second
        return move >> 2, side >> BITS * (move >> 2) - BITS & GONE, target_of(side, state.player, move)

    def name_move(state, move):
        stone, _, target = ends_of(state, move)
        return f"{stone}-{name_of(target)}"

    def read_move(state, text):
        """Read a stone and a square, such as 2-c3, or the square alone if one stone can go there."""
        names = {name_move(state, move): move for move in moves(state)}
        words = sorted(text.casefold().replace("-", " ").split())
        found = [move for name, move in names.items() if words in (sorted(name.split("-")), name.split("-")[1:])]
        if len(found) != 1:
            raise IllegalMove(f"{text.strip()!r} is not a legal move here; legal moves: {', '.join(names)}")
        return found[0]

    def name_outcome(state, outcome):
        return f"a {outcome}"

    def write_state(state):
        """Write the squares of X's stones, from stone 1, and of O's, a - for a stone that is gone; then who moves, and the die."""
        sides = [" ".join("-" if square is None else name_of(square) for square in side) for side in squares_of(state)]
        return f"{sides[0]} / {sides[1]} / {PLAYERS[state.player]}" + (f" {state.die}" if state.die else "")

    def read_state(text):
        """Read the squares of X's stones, from stone 1, and of O's, then who moves, and the die: a1 b1 a2 / c3 b3 - / X 2."""
        parts = [part.split() for part in text.casefold().replace(",", " ").split("/")]
        if len(parts) != 3 or any(len(part) != stones for part in parts[:2]):
            raise StateError(
                f"{text!r} is not a position of {game_name}; write the squares of the {stones} stones of X, of O, and who moves, "
                f"such as {write_state(start)}"
            )
        known = {"-": GONE, **{name_of(square): square for square in range(squares)}}
        for word in parts[0] + parts[1]:
            if word not in known:
                raise StateError(
                    f"{text!r}: {word!r} is not a square; squares are a1 to {name_of(goal)}, and - for a stone that is gone"
                )
        placed = [known[word] for part in parts[:2] for word in part if word != "-"]
        if len(set(placed)) < len(placed):
            raise StateError(f"{text!r}: two stones are on one square")
        who, *die = parts[2] or [""]
        if who not in ("x", "o") or len(die) > 1 or (die and not (die[0].isdecimal() and 1 <= int(die[0]) <= stones)):
            raise StateError(f"{text!r}: write at the end X or O, who is to roll, or with a die from 1 to {stones}, such as X 2")
        first, second = (packed([known[word] for word in part]) for part in parts[:2])
        state = State(first, second, "xo".index(who), int(die[0]) if die else 0)
        if turn(state) == OVER and state.die:
            raise StateError(f"{text!r}: the game is over; leave out the die")
        return state

    def packed(fields):
        return sum(square << BITS * stone for stone, square in enumerate(fields))

    def placed(first, second):
        """Return a start, with the stones of both players in these orders in their corners."""
        return State(packed([corner[place] for place in first]), packed([goal - corner[place] for place in second]), 0, 0)

    def deal(dice: Random):
        return placed(dice.sample(range(stones), stones), dice.sample(range(stones), stones))

    start = placed(range(stones), range(stones))
    game_name = "einstein" if (size, stones) == (5, 6) else f"einstein {size} by {size} with {stones} stones"
    return Game(
        name=game_name,
        start=start,
        turn=turn,
        moves=moves,
        chances=chances,
        play=play,
        score=score,
        estimate=estimate,
        show=show,
        draw=painter(Scene("EinStein würfelt nicht", PLAYERS, turn, moves, score), size, squares_of, ends_of, name_of),
        players=PLAYERS,
        about=(
            f"Each player has {stones} numbered stones in a corner. In turn, a player rolls a die and moves the stone of that number one square "
            "toward the opposite corner: along the row, along the column, or diagonally. If that stone is gone, the player moves the stone "
            "with the next higher or the next lower number. A stone that stands on the target square is removed, even one's own. A player wins by "
            "reaching the opposite corner or by removing all stones of the other player. The order of the stones in the corners is "
            "part of the start; a deal draws it at random. A value is what X can expect: +1 is a sure win, −1 a sure loss."
        ),
        name_move=name_move,
        name_outcome=name_outcome,
        read_move=read_move,
        read_state=read_state,
        write_state=write_state,
        deal=deal,
        max_moves=max(6, stones),
    )
