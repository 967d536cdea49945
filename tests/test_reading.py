"""States and moves as people type them: the games' own ways, and the defaults."""

from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from toy_games import Heaps, Pile, array_nim, pile

from outplay import Game, facing, load
from outplay.errors import IllegalMove, StateError
from outplay.games import catalogue
from outplay.rules.game import CHANCE, OVER
from outplay.rules.text import after_names, read_move


def walk(game, seed, most=60):
    """Yield the states of a random game."""
    dice = Random(seed)
    state = game.state(game.deal(dice) if game.deal else game.start)
    for _ in range(most):
        yield state
        who = game.turn(state)
        if who == OVER:
            return
        choices = [outcome for outcome, _ in game.chances(state)] if who == CHANCE else game.legal(state)
        state = game.state(game.play(state, dice.choice(choices)))


def same(one, other):
    return type(one) is type(other) and all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


class Mixed(NamedTuple):
    """A state with a field of each kind."""

    board: np.ndarray
    seen: np.ndarray
    heaps: tuple[int, ...]
    pot: float
    rolling: bool
    player: int


def mixed_play(state, move):
    board, seen = state.board.copy(), state.seen.copy()
    board[move // 3, move % 3] = -7 * (state.player + 1)
    seen[move % 2] = not seen[move % 2]
    heaps = (np.int64(state.heaps[0] + 1), state.heaps[1])
    return Mixed(board, seen, heaps, float("-inf") if move == 3 else state.pot + 0.1, not state.rolling, 1 - state.player)


def mixed():
    return Game(
        name="mixed",
        start=Mixed(np.zeros((2, 3), np.int8), np.zeros(2, np.bool_), (3, 0), 1.5, False, 0),
        turn=lambda state: OVER if np.all(state.board) else state.player,
        moves=lambda state: (place for place in range(6) if not state.board.flat[place]),
        play=mixed_play,
        score=lambda state: 0,
    )


@pytest.mark.parametrize("name", [*catalogue.names(), "domineering:rows=3,columns=4", "dots-and-boxes:rows=1,columns=3"])
def test_every_built_in_game_reads_the_states_that_it_writes(name):
    game = load(name)
    for state in (state for seed in range(6) for state in walk(game, seed)):
        assert same(game.state(game.read_state(game.write_state(state))), state)


@pytest.mark.parametrize("game", [pile(start=Pile(19, 1)), array_nim(3, 4, 5), mixed()], ids=lambda game: game.name)
def test_a_game_without_read_state_reads_the_states_that_it_writes(game):
    assert len({game.write_state(state) for seed in range(20) for state in walk(game, seed)}) > 5
    for state in (state for seed in range(20) for state in walk(game, seed)):
        assert same(game.read_state(game.write_state(state)), state)


def test_a_state_may_be_typed_by_its_fields_alone():
    assert pile().read_state("3,1") == pile().read_state("player=1, stones=3") == pile().read_state(" Pile(3, 1) ") == Pile(3, 1)
    assert same(array_nim(1, 1).read_state("[2, 0], False"), Heaps(np.array([2, 0], array_nim(1, 1).start.heaps.dtype), False))


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        (pile(), "3", "'3' is not a state of pile; write all its fields, such as Pile(stones=5, player=0)"),
        (pile(), "__import__('os'), 0", "is not a state of pile"),
        (pile(), "x" * 10, "is not a state of pile"),
        (array_nim(1, 1), "[[1], [2, 3]], True", "does not fit: write nested lists of whole numbers from -128 to 127, such as"),
        (array_nim(1, 1), "[300, 0], True", "does not fit: write nested lists of whole numbers from -128 to 127, such as"),
        (array_nim(1, 1), "[1.5, 0], True", "[1.5, 0] does not fit"),
        (array_nim(1, 1), f"[{2**70}, 0], True", "does not fit"),
        (array_nim(1, 1), "[1, 2, 3], True", "must be an array of"),
    ],
)
def test_a_state_that_cannot_be_read_is_refused(game, text, words):
    with pytest.raises(StateError) as raised:
        game.read_state(text)
    assert words in str(raised.value)


def test_a_game_made_of_another_reads_with_its_own_start():
    class Other(NamedTuple):
        left: int
        right: int
        player: int

    small = pile()
    assert facing(small, 1, "random").read_state("3,1") == Pile(3, 1)
    other = small.replace(start=Other(1, 2, 0))
    assert other.read_state("4,5,1") == Other(4, 5, 1)
    taken = pile(start=Other(1, 2, 0), read_state=small.read_state)  # a default that is handed on is no reading of its own
    assert taken.read_state("4,5,1") == Other(4, 5, 1)
    assert small.read_state("3,1") == Pile(3, 1)
    assert pile(read_state=None).read_state("3,1") == Pile(3, 1)


def test_a_game_keeps_its_own_reading_when_it_is_replaced():
    game = pile(read_state=lambda text: Pile(len(text), 0), read_move=lambda state, text: len(text))
    for again in (game, game.replace(name="again"), facing(game, 0, "random")):
        assert again.read_state("|||") == Pile(3, 0)
        assert again.read_move(again.start, "||") == 2


def named(*names):
    return pile(moves=lambda state: range(len(names)), name_move=lambda state, move: names[move])


@pytest.mark.parametrize(
    ("names", "typed", "meant"),
    [
        (("a1", "b1"), "A 1", "a1"),
        (("a1", "b1"), "1b", "b1"),
        (("a1-b1", "a1-a2"), "B1 a1", "a1-b1"),
        (("a1-b1", "a1-a2"), "a1a2", "a1-a2"),
        (("a1-b1", "b1-a1"), "b1, a1", "b1-a1"),
        (("d5xa1", "d5"), "D5 x A1", "d5xa1"),
        (("1-12", "11-2"), "11 2", "11-2"),
        (("1-12", "11-2"), "1 - 12", "1-12"),
        (("two stones", "three stones"), "Two  Stones", "two stones"),
        (("-1", "1"), "-1", "-1"),
        (("3 from B",), "b: 3", None),
        (("3 from B", "4 from B"), "from b 3", "3 from B"),
        (("-1", "0"), "1", None),
        (("12", "3"), "1 2", None),
        (("a1-b2", "a2-b1"), "b a 1 2", None),
        (("a", "b"), "", None),
    ],
)
def test_a_move_is_understood_in_any_usual_order_and_case(names, typed, meant):
    game = named(*names)
    if meant is None:
        with pytest.raises(IllegalMove, match="is not a legal move here; legal moves:"):
            game.read_move(game.start, typed)
    else:
        assert names[game.read_move(game.start, typed)] == meant


def refusing(state, text):
    raise ValueError("write it in Roman numerals")


@pytest.mark.parametrize("own", [lambda state, text: {"I": 1}[text], lambda state, text: 77, refusing])
def test_a_game_that_reads_moves_in_its_own_way_reads_their_names_too(own):
    game = pile(read_move=own, name_move=lambda state, move: f"take {move}")
    assert read_move(game, game.start, "TAKE 2") == 2
    with pytest.raises(
        ValueError, match="Roman" if own is refusing else "'take 3' is not a legal move here; legal moves: take 1, take 2"
    ):
        read_move(game, game.start, "take 3")


@pytest.mark.parametrize(
    ("name", "text", "written"),
    [
        ("connect-four", "4 4 3", "......./......./......./......./...O.../..XX..."),
        ("connect-four", "4,4,3", "......./......./......./......./...O.../..XX..."),
        ("connect-four", "", "......./......./......./......./......./......."),
        ("three-mens-morris", "B2 a3 C3, A1 A2 c2 b2 b1", None),
        ("pig:goal=20", "roll, a 3, roll 5 hold", "8,0,0,1,0"),
        ("coin-tic-tac-toe", "Heads 1 tails 2 1", None),
        ("dots-and-boxes", "b1 a1 a1-a2, b2 b1", None),
    ],
)
def test_a_position_is_come_to_by_the_names_of_moves_and_outcomes(name, text, written):
    game = load(name)
    state = after_names(game, game.start, text)
    assert written is None or game.write_state(state) == written
    if name == "dots-and-boxes":
        assert same(state, after_names(game, game.start, "a1-b1 a1-a2 b1-b2"))
    if name == "three-mens-morris":
        assert same(state, game.read_state("b2 a3 c3 a1 a2 c2 b2-b1"))


def test_moves_may_be_called_by_several_words_and_begin_anywhere():
    game = pile(name_move=lambda state, move: f"take {move}", read_move=lambda state, text: {"one": 1}[text])
    assert after_names(game, Pile(5, 1), "take 2 Take 1") == Pile(2, 1)
    assert after_names(game, Pile(5, 1), "one, take 2 one") == Pile(1, 0)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("tic-tac-toe", "1 2 1", "'1 2 1': move 3, '1', is not a legal move of X; legal moves: 3, 4, 5, 6, 7, 8, 9"),
        ("tic-tac-toe", "1 4 2 5 3 6", "move 6, '6', comes after the end of the game; leave it out, and all after it"),
        ("pig:goal=20", "roll, a 9", "move 2, 'a 9', is not an outcome of chance; outcomes: a 1, a 2, a 3, a 4, a 5, a 6"),
    ],
)
def test_a_move_that_cannot_be_is_named_with_its_number_and_what_is_legal(name, text, words):
    game = load(name)
    with pytest.raises(StateError) as raised:
        after_names(game, game.start, text)
    assert words in str(raised.value)
