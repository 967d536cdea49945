"""A rule that writes into its state's array is refused, however rarely it would; a rule that copies first is not."""

import re
from typing import NamedTuple

import numpy as np
import pytest

from outplay import OVER, Game, check, minimax
from outplay.errors import OutplayError
from outplay.search.perft import perft


class State(NamedTuple):
    board: np.ndarray
    moved: int


def turn(state):
    return OVER if state.moved == 6 else state.moved & 1


def moves(state):
    for square in range(6):
        if state.board[square] == 0:
            yield square


def rare(board, move):
    """Hold in 6 of the 1,237 states that can be reached, and only before one move."""
    return board[0] == 1 and board[5] == 2 and board[4] == 1 and move == 3


def copied(board, move, moved):
    board = board.copy()
    board[move] = 1 + (moved & 1)
    return board


def score(state):
    return 1.0 if state.board[2] == state.board[3] else -1.0


def item(state, move):
    if rare(state.board, move):
        state.board[move] = 1 + (state.moved & 1)
        return State(state.board, state.moved + 1)
    return State(copied(state.board, move, state.moved), state.moved + 1)


def alias(state, move):
    board = state.board
    if rare(board, move):
        board[1] = 1
    return State(copied(board, move, state.moved), state.moved + 1)


def by_slice(state, move):
    if rare(state.board, move):
        part = state.board[2:4]
        part[0] = 2
    return State(copied(state.board, move, state.moved), state.moved + 1)


def by_fill(state, move):
    if rare(state.board, move):
        state.board.fill(1)
    return State(copied(state.board, move, state.moved), state.moved + 1)


def write(board, square):
    board[square] = 1


def by_helper(state, move):
    if rare(state.board, move):
        write(state.board, 1)
    return State(copied(state.board, move, state.moved), state.moved + 1)


def in_place(state, move):
    board = state.board
    if rare(board, move):
        board += 1
    return State(copied(board, move, state.moved), state.moved + 1)


def by_part(state, move):
    if rare(state.board, move):
        state.board[1:3] |= 1
    return State(copied(state.board, move, state.moved), state.moved + 1)


def by_output(state, move):
    if rare(state.board, move):
        np.add(state.board, 1, state.board)
    return State(copied(state.board, move, state.moved), state.moved + 1)


def by_sorting(state, move):
    if rare(state.board, move):
        state.board.sort()
    return State(copied(state.board, move, state.moved), state.moved + 1)


def halved(state, move):
    board = copied(state.board, move, state.moved)
    board /= 2
    return State(board, state.moved + 1)


def sound(state, move):
    board = copied(state.board, move, state.moved)
    if rare(state.board, move):
        write(board, move)
        board[move] = 1 + (state.moved & 1)
    return State(board, state.moved + 1)


def old_or_new(state, move):
    if state.board[move] == 0:
        return State(copied(state.board, move, state.moved), state.moved + 1)
    return State(state.board, state.moved + 1)


def made(play):
    return Game(
        name=play.__name__, start=State(np.zeros(6, np.int8), 0), turn=turn, moves=moves, play=play, score=score
    )  # fmt: skip


@pytest.mark.parametrize("play", [item, alias, by_slice, by_fill, by_helper, in_place, by_part, by_output, by_sorting])
def test_a_rare_write_is_refused_with_its_remedy(play):
    with pytest.raises(OutplayError) as raised:
        perft(made(play), depth=6)
    assert re.search(
        r"\n  \w+, line \d+: .*changes the array of a state.*; copy (it|the array) first: board = ", str(raised.value)
    )
    assert not check(made(play)).ok


def test_a_result_that_the_array_cannot_hold_is_told():
    with pytest.raises(OutplayError, match=r"halved, line \d+: an in-place operator has a result that the array cannot"):
        perft(made(halved), depth=6)


@pytest.mark.parametrize("play", [sound, old_or_new])
def test_rules_that_copy_first_are_compiled(play):
    assert minimax(made(play), depth=9) == minimax(made(play), depth=9, compiled=False)
    assert check(made(play)).ok


def test_the_array_of_a_state_cannot_be_written_interpreted_either():
    game = made(sound)
    after = game.after(game.start, (2,))
    with pytest.raises(ValueError, match="read-only"):
        after.board[0] = 1
