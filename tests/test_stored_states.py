"""States with tuples and arrays, which compiled kernels keep in their own memory: right, safe, and without a leak."""

import os
import re
from typing import NamedTuple

import numpy as np
import psutil
import pytest
from board_games import reversi, whist
from toy_games import Rows, tuple_nim

from outplay import OVER, Game, check, playouts, search
from outplay.compile import arena
from outplay.compile.compiled_rules import compiled_rules
from outplay.compile.diagnose import _problem_of
from outplay.compile.engine import _kernel
from outplay.compile.traps import traps_in
from outplay.errors import RuleRaised
from outplay.rules.fields import another_shape
from outplay.rules.tuples import put
from outplay.search.kernel import explore
from outplay.search.minimax import minimax
from outplay.search.montecarlo.playout_kernel import play_games
from outplay.search.perft import perft


def is_stored(game, kernel=explore, returns="searched"):
    return compiled_rules(game).digest not in _kernel(kernel, returns).by_value


@pytest.mark.parametrize("game", [whist(8), reversi(4)], ids=lambda game: game.name)
def test_a_search_of_a_board_in_memory_is_that_of_minimax_and_of_the_interpreted_rules(game):
    assert search(game, depth=3, check=False).value == pytest.approx(minimax(game, depth=3, compiled=False).value)
    compiled, interpreted = (search(game, depth=4, compiled=compiled, check=False) for compiled in (True, False))
    assert (compiled.value, compiled.nodes, compiled.line) == (interpreted.value, interpreted.nodes, interpreted.line)
    played, expected = (playouts(game, number=30, seed=5, compiled=compiled, check=False) for compiled in (True, False))
    assert (played.mean, played.positions) == (expected.mean, expected.positions)
    assert is_stored(game)


class Pair(NamedTuple):
    """Two rows of stones; the player to move owns the first."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    small: tuple[int, int, int]
    player: int


def rows_game():
    """A game whose rules do with tuples what Python can, and swap two of them in every move."""

    def turn(state):
        return OVER if sum(state.own) == 0 or max(state.other) == 0 else state.player

    def moves(state):
        for place, stones in enumerate(state.own):
            if stones > 0:
                yield place

    def play(state, place):
        own = put(state.own, place, state.own[place] - 1)
        first, second, third = state.small
        small = (third, first, second)
        if state.own[-1] == 2 and place == 0:
            own = (0, 1, 0, 2, 0, 1, 0, 0, 1)  # a tuple on one path, a row on the other
        return Pair(state.other, own, small if first != 3 else state.small, 1 - state.player)

    def score(state):
        return 1 if state.player == 1 else -1

    def estimate(state):
        found = 0
        for mine, yours in zip(state.own, state.other):  # noqa: B905  # what rules write
            found += mine - yours
        if state.own == state.other or state.small != (1, 2, 3):
            found += 1
        if 2 in state.own and 7 not in state.other:
            found += min(state.other) + sum(state.own[2:5]) + sum(state.small, 2)
        longer = state.small + state.small + (5,)
        return (found + longer[3] + len(state.own)) / 100

    start = Pair((1, 0, 2, 1, 0, 1, 0, 0, 2), (0, 1, 0, 2, 0, 1, 0, 2, 1), (1, 2, 3), 0)
    return Game(name="rows", start=start, turn=turn, moves=moves, play=play, score=score, estimate=estimate, max_moves=9)


def test_rules_may_do_with_a_tuple_what_python_can():
    game = rows_game()
    assert check(game).ok
    assert search(game, depth=4).value == pytest.approx(minimax(game, depth=4, compiled=False).value)
    # A playout has two places for its states, and each move swaps two tuples from one place to the other.
    played, expected = (playouts(game, number=50, seed=2, compiled=compiled) for compiled in (True, False))
    assert (played.mean, played.positions) == (expected.mean, expected.positions)
    assert is_stored(game)


class Pile(NamedTuple):
    row: tuple[int, int, int, int]
    player: int


def pile_game(score, name):
    return Game(
        name=name,
        start=Pile((1, 2, 1, 2), 0),
        turn=lambda state: OVER if sum(state.row) == 0 else state.player,
        moves=lambda state: tuple_moves(state),
        play=lambda state, place: Pile(put(state.row, place, state.row[place] - 1), 1 - state.player),
        score=score,
        max_moves=4,
    )


def tuple_moves(state):
    for place in range(4):
        if state.row[place] > 0:
            yield place


def test_rules_that_need_a_tuple_of_numba_are_compiled_with_one():
    def score(state):
        return (np.array(state.row).max() + 1) / (100 if state.player == 1 else -100)

    game = pile_game(score, "by value")
    assert minimax(game, depth=6).value == minimax(game, depth=6, compiled=False).value  # it plays between two moves
    played, expected = (playouts(game, number=20, seed=4, compiled=compiled, check=False) for compiled in (True, False))
    assert (played.mean, played.positions) == (expected.mean, expected.positions)
    assert not is_stored(game, play_games, None)


def test_a_rule_that_makes_too_much_in_one_call_ends_the_game():
    def wasteful(state):
        row = state.row
        for turn in range(3_000_000):
            row = put(row, turn & 3, turn & 1)
        return row[0] / 100

    game = pile_game(wasteful, "wasteful")
    with pytest.raises(RuleRaised, match="makes lists, tuples and arrays of more than 64 MB in one call; make fewer of them"):
        playouts(game, number=1, check=False)


def test_thousands_of_searches_leave_no_memory_behind():
    game = reversi(4)
    process = psutil.Process(os.getpid())
    for _ in range(200):
        search(game, depth=3)
    before, arenas = process.memory_info().rss, len(arena._free)
    for _ in range(2000):
        search(game, depth=3)
    assert process.memory_info().rss - before < 8 << 20
    assert len(arena._free) == arenas


def test_an_array_of_another_shape_is_still_an_error():
    class Board(NamedTuple):
        cells: np.ndarray
        player: int

    def play(state, move):
        cells = state.cells.copy()
        cells[move] = 1
        return Board(cells if move < 2 else np.append(cells, cells), 1 - state.player)

    def moves(state):
        for place in range(3):
            if state.cells[place] == 0:
                yield place

    game = Game(
        name="growing",
        start=Board(np.zeros(3, np.int8), 0),
        turn=lambda state: OVER if state.cells.sum() == 3 else state.player,
        moves=moves,
        play=play,
        score=lambda state: 0,
    )
    with pytest.raises(Exception, match=another_shape(game.fields[0]).partition(",")[0].partition(" another")[0]):
        perft(game, depth=3)


class Turned(NamedTuple):
    board: np.ndarray
    turns: int


@pytest.mark.parametrize(
    ("turned", "searched"),
    [
        (lambda board, move: board.T, False),
        (lambda board, move: board[:, ::-1], False),
        (lambda board, move: board.T if move else board, True),
    ],
    ids=["transposed", "reversed", "either"],
)
def test_a_board_that_is_turned_without_a_copy_is_read_in_its_new_order(turned, searched):
    """Its items do not lie side by side: copied as if they did, another board would be searched."""

    def turn(state):
        return OVER if state.turns == 4 else state.turns % 2

    def moves(state):
        yield 0
        yield 1

    def play(state, move):
        return Turned(turned(state.board, move), state.turns + 1)

    def score(state):
        return 8 * state.board[0, 0] + 4 * state.board[0, 1] + 2 * state.board[1, 0] + state.board[1, 1]

    start = Turned(np.array([[1, 2], [3, 4]], np.int8), 0)
    game = Game(name="turned", start=start, turn=turn, moves=moves, play=play, score=score, estimate=score, high=100)
    for depth in (1, 2, 3, 4):
        told = minimax(game, depth=depth, compiled=False).value
        assert minimax(game, depth=depth).value == told
        assert not searched or search(game, depth=depth, check=False).value == told
    played, expected = (playouts(game, number=40, seed=3, compiled=compiled, check=False) for compiled in (True, False))
    assert (played.mean, played.positions) == (expected.mean, expected.positions)


def sliced(state, move):
    heaps = state.heaps
    return Rows(heaps[:move] + (0,) + heaps[move + 1 :], 1 - state.player)  # noqa: RUF005


def shortened(heaps, place):
    return heaps[:place] + (0,) + heaps[place + 1 :]  # noqa: RUF005


def sliced_by_a_helper(state, move):
    return Rows(shortened(state.heaps, move), 1 - state.player)


def test_a_slice_of_a_tuple_under_another_name_is_told_with_its_remedy():
    words = r"{}, line \d+: a slice of a tuple by a variable does not compile; to change one item use put\(items,"
    (trap,) = traps_in(tuple_nim(1, 2, 0).replace(play=sliced))
    assert re.match(words.format("sliced"), str(trap))
    game = tuple_nim(1, 2, 0).replace(play=sliced_by_a_helper)
    assert re.match(words.format("shortened"), _problem_of("play", game, compiled_rules(game)))
