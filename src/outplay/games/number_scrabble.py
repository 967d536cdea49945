"""Number Scrabble: take numbers from 1 to 9 in turn; own exactly three that sum to 15, and you win."""

from typing import NamedTuple

from outplay.errors import StateError
from outplay.games.pictures.number_scrabble import painter
from outplay.pictures.scene import Scene
from outplay.rules.game import OVER, Game

# Number n is bit n. The triples that sum to 15 are the lines of the magic square 2 7 6 / 9 5 1 / 4 3 8: the game is tic-tac-toe.
TRIPLES = tuple(
    1 << a | 1 << b | 1 << c for a in range(1, 10) for b in range(a + 1, 10) for c in range(b + 1, 10) if a + b + c == 15
)
ALL = 0b1111111110
WON = 10  # above every estimate, which is 8 at most
PLAYERS = ("player 0", "player 1")


class State(NamedTuple):
    first: int  # the numbers of player 0
    second: int
    player: int


def has_triple(numbers):
    for triple in TRIPLES:
        if numbers & triple == triple:
            return True
    return False


def turn(state):
    if has_triple(state.first) or has_triple(state.second):
        return OVER
    return OVER if state.first | state.second == ALL else state.player


def moves(state):
    taken = state.first | state.second
    for number in range(1, 10):
        if not taken >> number & 1:
            yield number


def play(state, number):
    if state.player == 0:
        return State(state.first | 1 << number, state.second, 1)
    return State(state.first, state.second | 1 << number, 0)


def score(state):
    return WON * (has_triple(state.first) - has_triple(state.second))


def estimate(state):
    """The triples still open to player 0 less those still open to player 1."""
    lead = 0
    for triple in TRIPLES:
        if not state.second & triple:
            lead += 1
        if not state.first & triple:
            lead -= 1
    return lead


def numbers_of(bits):
    return [number for number in range(1, 10) if bits >> number & 1]


def show(state):
    left = ALL & ~(state.first | state.second)
    hands = [f"player {player}: {' '.join(map(str, numbers_of(bits))) or '-'}" for player, bits in enumerate(state[:2])]
    return "\n".join([*hands, f"left: {' '.join(map(str, numbers_of(left))) or '-'}"])


def read_state(text):
    """Read the numbers taken, in turn, player 0 first: `528`."""
    state = State(0, 0, 0)
    for place, letter in enumerate(text.replace(" ", "").replace(",", ""), 1):
        where = f"{text!r}: number {place}, {letter!r},"
        if not letter.isdecimal() or letter == "0":
            raise StateError(f"{where} is none; write the numbers taken in turn, 1 to 9, such as 528")
        if turn(state) == OVER:
            raise StateError(f"{where} comes after the end of the game; leave it out, and all after it")
        if int(letter) not in list(moves(state)):
            raise StateError(f"{where} is taken already; left are {list(moves(state))}")
        state = play(state, int(letter))
    return state


def in_turn(bits):
    """Return the numbers in an order in which they may have been taken: the one that completes a triple comes last."""
    numbers = numbers_of(bits)
    last = max((number for number in numbers if not has_triple(bits & ~(1 << number))), default=0)
    return [number for number in numbers if number != last] + [last] * bool(last)


def write_state(state):
    first, second = in_turn(state.first), in_turn(state.second)
    return "".join(f"{one}{other}" for one, other in zip(first, [*second, ""], strict=False))[: len(first) + len(second)]


def number_scrabble() -> Game:
    """Take numbers from 1 to 9; three of yours that sum to 15 win."""
    return Game(
        name="number-scrabble",
        start=State(0, 0, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        show=show,
        draw=painter(Scene("Number Scrabble", PLAYERS, turn, moves, score), numbers_of, TRIPLES),
        players=PLAYERS,
        about=(
            "Player 0 moves first. In turn each takes one of the numbers from 1 to 9 that are left. Whoever owns three "
            "numbers that sum to 15 "
            "wins; if all are taken and nobody does, it is a draw. A value of +10 is a win for player 0, −10 a win for "
            "player 1; what lies between is an "
            "estimate. (Written in a magic square, this is tic-tac-toe.)"
        ),
        read_state=read_state,
        write_state=write_state,
        low=-WON,
        high=WON,
        max_moves=9,
    )
