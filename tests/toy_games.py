"""Small games with known values, one for each kind of state field."""

from random import Random
from typing import NamedTuple

import numpy as np

from outplay import CHANCE, OVER, Game
from outplay.rules.tuples import put


class Pile(NamedTuple):
    """Take one or two; who takes the last one wins. Lost for the player to move where the pile divides by three."""

    stones: int
    player: int


def pile_turn(state):
    return OVER if state.stones <= 0 else state.player


def pile_moves(state):
    yield 1
    if state.stones > 1:
        yield 2


def pile_play(state, move):
    return Pile(state.stones - move, 1 - state.player)


def pile_score(state):
    return 1 if state.player == 1 else -1


def pile(**changes):
    rules = {"turn": pile_turn, "moves": pile_moves, "play": pile_play, "score": pile_score, "start": Pile(5, 0), "name": "pile"}
    return Game(**{**rules, **changes})


class Heaps(NamedTuple):
    """Nim, its heaps in an array. A move is heap * 8 + how many to take."""

    heaps: np.ndarray
    first_moves: bool


def array_nim(*sizes):
    def turn(state):
        return OVER if state.heaps.sum() == 0 else 0 if state.first_moves else 1

    def moves(state):
        for heap in range(len(state.heaps)):
            for take in range(1, state.heaps[heap] + 1):
                yield heap * 8 + take

    def play(state, move):
        heaps = state.heaps.copy()
        heaps[move // 8] -= move % 8
        return Heaps(heaps, not state.first_moves)

    def score(state):
        return -1 if state.first_moves else 1

    start = Heaps(np.array(sizes, np.int8), True)
    return Game(name="array nim", start=start, turn=turn, moves=moves, play=play, score=score)


class Rows(NamedTuple):
    """The same, its heaps in a tuple."""

    heaps: tuple[int, int, int]
    player: int


def tuple_nim(*sizes):
    def turn(state):
        return OVER if state.heaps == (0, 0, 0) else state.player

    def moves(state):
        for heap in range(3):
            for take in range(1, state.heaps[heap] + 1):
                yield heap * 8 + take

    def play(state, move):
        first, second, third = state.heaps
        take = move % 8
        if move // 8 == 0:
            first -= take
        elif move // 8 == 1:
            second -= take
        else:
            third -= take
        return Rows((first, second, third), 1 - state.player)

    def score(state):
        return 1 if state.player == 1 else -1

    return Game(name="tuple nim", start=Rows(tuple(sizes), 0), turn=turn, moves=moves, play=play, score=score)


class Fortune(NamedTuple):
    """Bet once on a coin that shows heads with probability 0.6: its state holds a float."""

    wealth: float
    bet: float
    done: bool


def coin():
    def turn(state):
        return OVER if state.done else CHANCE if state.bet > 0 else 0

    def moves(state):
        for tenths in range(1, 11):
            yield tenths

    def chances(state):
        yield 1, 0.6
        yield 0, 0.4

    def play(state, choice):
        if state.bet == 0:
            return Fortune(state.wealth, choice / 10, False)
        return Fortune(state.wealth + (state.bet if choice == 1 else -state.bet), 0, True)

    def score(state):
        return state.wealth

    return Game(name="coin", start=Fortune(0, 0, False), turn=turn, moves=moves, chances=chances, play=play, score=score)


class Pawns(NamedTuple):
    board: tuple[int, ...]
    player: int


def pawn_moves(state):
    own, ahead = state.player + 1, -3 if state.player == 0 else 3
    for cell in range(9):
        if state.board[cell] == own and 0 <= cell + ahead < 9:
            for aside in (-1, 0, 1):
                to = cell + ahead + aside
                if 0 <= cell % 3 + aside < 3 and state.board[to] == (3 - own if aside else 0):
                    yield 9 * cell + to


def pawn_turn(state):
    for cell in range(3):
        if state.board[cell] == 1 or state.board[6 + cell] == 2:
            return OVER
    for _move in pawn_moves(state):
        return state.player
    return OVER


hexapawn = Game(
    name="hexapawn",
    start=Pawns((2, 2, 2, 0, 0, 0, 1, 1, 1), 0),
    turn=pawn_turn,
    moves=pawn_moves,
    play=lambda state, move: Pawns(put(put(state.board, move // 9, 0), move % 9, state.player + 1), 1 - state.player),
    score=lambda state: 1 if state.player else -1,
)


def states_of_play(game, number, seed=1):
    """Return states of random games in which a player or chance acts."""
    dice, found = Random(seed), []
    while len(found) < number:
        state = game.start
        while game.turn(state) != OVER:
            found.append(state)
            state = game.play(state, dice.choice([choice for choice, _ in game.choices(state)]))
    return found[:number]
