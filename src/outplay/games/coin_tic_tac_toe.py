"""Coin tic-tac-toe: four squares, three marked H and one T; a coin says which kind the player must take."""

from typing import NamedTuple

from outplay.errors import StateError
from outplay.games.pictures.coin_tic_tac_toe import painter
from outplay.pictures.scene import Scene
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.text import board

# Squares, their marks and their bits:   1 H   2 T
#                                        3 H   4 H
# Every two squares are connected but the top left with the bottom right.
PAIRS = (0b0011, 0b0101, 0b0110, 0b1010, 0b1100)
HEADS, TAILS = 1, 2  # outcomes of the coin
SIDES = {HEADS: "heads", TAILS: "tails"}
PLAYERS = ("O", "X")
MARKED = (0, 0b1101, 0b0010)  # the squares that may be taken, by outcome


class State(NamedTuple):
    circles: int  # player 0's squares
    crosses: int
    player: int
    coin: int  # HEADS, TAILS, or 0 if it is still to be tossed


def has_pair(squares):
    for pair in PAIRS:
        if squares & pair == pair:
            return True
    return False


def turn(state):
    if has_pair(state.circles) or has_pair(state.crosses):
        return OVER
    if state.coin == 0:
        return CHANCE
    # Without an empty square of the coin's mark the game ends.
    return state.player if MARKED[state.coin] & ~(state.circles | state.crosses) else OVER


def moves(state):
    open_squares = MARKED[state.coin] & ~(state.circles | state.crosses)
    for square in range(4):
        if open_squares >> square & 1:
            yield square + 1


def chances(state):
    yield TAILS, 0.5
    yield HEADS, 0.5


def play(state, choice):
    if state.coin == 0:
        return State(state.circles, state.crosses, state.player, choice)
    square = 1 << choice - 1
    if state.player == 0:
        return State(state.circles | square, state.crosses, 1, 0)
    return State(state.circles, state.crosses | square, 0, 0)


def score(state):
    return has_pair(state.circles) - has_pair(state.crosses)


def winning(state):
    circles = crosses = 0
    for pair in PAIRS:
        circles |= pair if state.circles & pair == pair else 0
        crosses |= pair if state.crosses & pair == pair else 0
    return State(circles, crosses, state.player, state.coin)


def show(state):
    cells = board(state.crosses, state.circles, range(4))
    marks = [f"{cell}{mark}" for cell, mark in zip(cells, "HTHH", strict=True)]
    coin = {0: "the coin is in the air", HEADS: "heads: take an H square", TAILS: "tails: take the T square"}[state.coin]
    return f"{marks[0]} {marks[1]}\n{marks[2]} {marks[3]}\n{coin}"


def name_outcome(state, outcome):
    return SIDES[outcome]


def read_state(text):
    """Read four squares as O (player 0), X and ., then h or t for a coin that lies: `....` or `O..Xh`."""
    squares, coin = text[:4].upper(), text[4:].lower()
    if len(squares) != 4 or set(squares) - set("OX.") or coin not in ("", "h", "t"):
        raise StateError(
            f"{text!r} is not a state of coin tic-tac-toe; write four squares as O, X and ., then h or t if the coin lies"
        )
    ahead = squares.count("O") - squares.count("X")
    if ahead not in (0, 1):
        raise StateError(f"{text!r} has {squares.count('O')} O and {squares.count('X')} X; O moves first: as many, or one more")
    circles = sum(1 << place for place, cell in enumerate(squares) if cell == "O")
    crosses = sum(1 << place for place, cell in enumerate(squares) if cell == "X")
    return State(circles, crosses, ahead, {"": 0, "h": HEADS, "t": TAILS}[coin])


def write_state(state):
    return board(state.crosses, state.circles, range(4)) + ("", "h", "t")[state.coin]


def coin_tic_tac_toe() -> Game:
    """Two in a row on four squares, where a coin says which square may be taken."""
    return Game(
        name="coin-tic-tac-toe",
        start=State(0, 0, 0, 0),
        turn=turn,
        moves=moves,
        chances=chances,
        play=play,
        score=score,
        show=show,
        draw=painter(Scene("Coin tic-tac-toe", PLAYERS, turn, moves, score, marks="ox"), SIDES),
        players=PLAYERS,
        about=(
            "O moves first. Before each move a coin is tossed: on heads the player takes a free square marked H, on tails "
            "the one marked T; "
            "without such a square the game ends in a draw. Two squares of one's own that are connected win: all pairs "
            "are, but for the top "
            "left with the bottom right. A value is what O can expect: +1 is a sure win, −1 a sure loss."
        ),
        name_outcome=name_outcome,
        read_state=read_state,
        write_state=write_state,
        winning=winning,
        max_moves=4,
    )
