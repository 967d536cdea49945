"""Every kind of state field is searched as it should be, and a wrong one is refused in words."""

import math
import pickle
from typing import NamedTuple

import numpy as np
import pytest
from toy_games import Pile, Rows, array_nim, coin, pile, tuple_nim

from outplay import OVER, Game, check, load, minimax, search, solve
from outplay.errors import GameError, StateError
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.text import read_state
from outplay.rules.tuples import put


@pytest.mark.parametrize("make", [array_nim, tuple_nim])
def test_nim_is_lost_where_the_heaps_xor_to_nothing(make):
    assert search(make(1, 2, 3), depth=6).value == -1
    found = search(make(3, 2, 2), depth=7)
    assert (found.value, found.proven) == (1, True)
    assert found.move == 0 * 8 + 3


@pytest.mark.parametrize("make", [array_nim, tuple_nim])
def test_nim_interpreted_is_nim_compiled(make):
    game = make(2, 1, 2)
    compiled, interpreted = search(game, depth=5), search(game, depth=5, compiled=False)
    assert (compiled.value, compiled.nodes, compiled.line) == (interpreted.value, interpreted.nodes, interpreted.line)
    assert minimax(game, depth=5) == minimax(game, depth=5, compiled=False)


def test_a_float_field_starts_as_an_int_and_stays_a_float():
    found = search(coin(), depth=2, compiled=False)
    assert found.move == 10
    assert found.value == minimax(coin(), depth=2).value == pytest.approx(0.6 * 1 - 0.4 * 1)
    assert check(coin()).ok


@pytest.mark.parametrize("game", [pile(), array_nim(2, 1, 2), tuple_nim(2, 1, 2)], ids=lambda game: game.name)
def test_toy_games_are_written_right(game):
    assert str(check(game, games=20)).startswith(f"{game.name}: all is well")


def test_a_read_only_or_strided_array_is_searched_too():
    game = array_nim(2, 1, 2)
    heaps = np.array([2, 9, 1, 9, 2], np.int8)[::2]
    heaps.flags.writeable = False
    assert search(game, game.start._replace(heaps=heaps), depth=5).nodes == search(game, depth=5).nodes


@pytest.mark.parametrize("make", [array_nim, tuple_nim, pile], ids=["array", "tuple", "ints"])
def test_a_state_written_by_its_fields_is_read_again(make):
    game = make() if make is pile else make(2, 1, 2)
    text = game.write_state(game.start)
    assert game.write_state(read_state(game, text)) == text
    fields = text.partition("(")[2][:-1]
    assert game.write_state(read_state(game, fields)) == text


def test_put_changes_one_item_of_a_tuple_compiled_as_interpreted():
    def play(state, move):
        return Rows(put(state.heaps, move // 8, state.heaps[move // 8] - move % 8), 1 - state.player)

    game = tuple_nim(3, 2, 2).replace(play=play)
    assert check(game, games=10).ok
    assert minimax(game, depth=7).nodes == minimax(tuple_nim(3, 2, 2), depth=7).nodes
    with pytest.raises(IndexError):
        put((1, 2), 2, 0)


class Named(NamedTuple):
    name: object


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("text", "holds 'text', a str; a field is int, bool, float, a tuple of ints or a NumPy integer array"),
        ((1, "a"), "a tuple field holds one or more ints"),
        ((), "a tuple field holds one or more ints"),
        (np.zeros(3), "an array of float64; an array field holds integers"),
        (np.zeros(3, np.uint64), "an array of uint64"),
        (1 << 63, "needs more than 63 bits"),
    ],
)
def test_a_field_of_another_kind_is_refused(value, words):
    with pytest.raises(GameError, match="'name'") as raised:
        pile(start=Named(value))
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ((1, 2, 3), "a state of this game is a Pile(stones, player); got (1, 2, 3)"),
        ("text", "a state of this game is a Pile(stones, player); got 'text'"),
        (Pile(1.5, 0), "state field 'stones' must be an int"),
        (Pile(1 << 70, 0), "needs more than 63 bits"),
    ],
)
def test_a_state_that_does_not_fit_is_refused(state, words):
    with pytest.raises(StateError) as raised:
        search(pile(), state, depth=1)
    assert words in str(raised.value)


def test_numpy_integers_are_taken_for_ints():
    assert search(pile(), Pile(np.int64(4), np.int8(0)), depth=4).move == 1


def test_items_of_a_small_array_are_as_wide_interpreted_as_compiled():
    class Grid(NamedTuple):
        cells: np.ndarray
        player: int

    def turn(state):
        return OVER if state.player == 1 else 0

    def moves(state):
        yield 0

    def play(state, move):
        return Grid(np.array([100, 100], np.int8), 1)

    def score(state):
        return 1 if state.cells[0] + state.cells[1] == 200 and sum([item * 2 for item in state.cells]) == 400 else -1

    game = Game(name="wide", start=Grid(np.zeros(2, np.int8), 0), turn=turn, moves=moves, play=play, score=score)
    assert search(game, depth=1, compiled=False).value == minimax(game, depth=1).value == 1
    assert check(game, games=2).ok
    assert game.score(game.after(game.start, [0])) == 1
    assert repr(game.start) == "Grid(cells=array([0, 0], dtype=int8), player=0)"
    assert pickle.loads(pickle.dumps(game.start.cells)).tolist() == [0, 0]


def test_numbers_of_numpy_become_plain_in_states_and_moves_of_interpreted_rules():
    class Sum(NamedTuple):
        total: int
        pair: tuple
        turns: int
        share: float

    weights = np.array([100, 20], np.int8)

    def moves(state):
        yield 0
        yield weights[0]

    def play(state, move):
        return Sum(weights[0] if move else state.total, (weights[0], move), state.turns + 1, move)

    game = Game(
        name="sum",
        start=Sum(0, (0, 0), 0, 0),
        turn=lambda state: OVER if state.turns == 2 else 0,
        moves=moves,
        play=play,
        score=lambda state: state.total * 2 + state.pair[1] * 3,  # as np.int8 these would wrap
        high=1000,
    )
    assert minimax(game, depth=2, compiled=False).value == search(game, depth=2, compiled=False).value == 500
    after = InterpretedRules(game).play(game.start, np.int8(100))
    assert [type(value) for value in (after.total, *after.pair, after.share)] == [int, int, int, float]


def test_a_game_may_say_the_type_of_its_states():
    game = load("nim")
    rules = {"name": "typed", "start": game.start, "turn": game.turn, "moves": game.moves, "play": game.play, "score": game.score}
    assert Game[type(game.start)](**rules).start == game.start


class Weighed(NamedTuple):
    left: int
    weight: float


def test_no_state_holds_minus_zero_which_has_the_key_of_zero():
    def play(state, move):
        return Weighed(state.left - 1, [0.0, -0.0][move] if state.left == 2 else state.weight)

    game = Game(
        name="weighed",
        start=Weighed(2, 0.0),
        turn=lambda state: 1 if state.left else OVER,
        moves=lambda state: (0, 1),
        play=play,
        score=lambda state: math.copysign(1.0, state.weight),
    )
    values = {search(game, depth=4, compiled=compiled, only=only).value for compiled in (True, False) for only in (None, ())}
    values |= {minimax(game, depth=4, compiled=False).value, solve(game, compiled=False).value}
    assert values == {1.0}
    assert math.copysign(1.0, game.state(Weighed(2, -0.0)).weight) == 1.0
