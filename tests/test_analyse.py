"""A value for every move."""

import pytest
from random_game import State as RandomState
from random_game import random_game

from outplay import Stopper, analyse, load, minimax, search
from outplay.errors import LimitError, StateError
from outplay.rules.text import read_state


@pytest.mark.parametrize("seed", range(8))
def test_every_move_has_the_value_that_minimax_gives_it(seed):
    state = RandomState(seed, bool(seed % 2), 8, 0, 0, 0)
    found = analyse(random_game, state, depth=4, compiled=False)
    for move in found.moves:
        after = random_game.play(state, move.choice)
        assert move.value == pytest.approx(minimax(random_game, after, depth=3, compiled=False).value)
    assert found.value == pytest.approx(search(random_game, state, depth=4, compiled=False).value)


def test_compiled_and_interpreted_agree():
    game = load("tic-tac-toe")
    state = read_state(game, "X...O....")
    interpreted, compiled = (analyse(game, state, depth=9, compiled=way) for way in (False, True))
    assert interpreted.moves == compiled.moves
    assert compiled.proven
    assert compiled.stopped_by == "proof"


def test_outcomes_are_analysed_where_chance_acts():
    found = analyse(load("coin-tic-tac-toe"), depth=9, compiled=False)
    assert found.best is None
    assert found.value == 0.5
    assert [(move.name, move.probability, move.value) for move in found.moves] == [("tails", 0.5, 0.25), ("heads", 0.5, 0.75)]


def test_progress_comes_after_each_move_and_then_after_each_depth():
    told = []
    analyse(load("kalah"), depth=3, compiled=False, progress=told.append)
    assert sum(move.value is not None for move in told[0].moves) == 1
    assert [each.depth for each in told[-3:]] == [1, 2, 3]
    assert all(each.stopped_by == "" for each in told)


def test_an_analysis_ends_by_nodes_and_when_told_to():
    found = analyse(load("kalah"), nodes=5_000, compiled=False)
    assert found.stopped_by == "nodes"
    assert found.nodes <= 5_000
    stopper = Stopper()
    found = analyse(
        load("kalah"), depth=30, compiled=False, stopper=stopper, progress=lambda each: each.depth == 2 and stopper.stop()
    )
    assert found.stopped_by == "stop"
    assert found.depth == 2


def test_an_analysis_is_explained_best_first():
    found = analyse(load("coin-tic-tac-toe"), read_state(load("coin-tic-tac-toe"), "....h"), depth=9, compiled=False)
    lines = found.explain().splitlines()
    assert lines[0] == "Moves, the best first (to player 0):"
    assert lines[1].split(",")[0].split() == ["3", "+0.7500"]
    assert "<svg" in found._repr_html_()


def test_of_equal_moves_the_one_that_the_game_ranks_highest_is_best():
    game = load("connect-four")
    assert analyse(game, depth=2, compiled=False).best == search(game, depth=2, compiled=False).move


def test_a_random_opponent_is_an_expectation():
    game = load("tic-tac-toe")
    state = read_state(game, "XO..X.O..")
    found = analyse(game, state, depth=9, opponent="random", compiled=False)
    result = search(game, state, depth=9, opponent="random", compiled=False)
    assert found.value == pytest.approx(result.value)
    assert found.best == result.move
    assert found.named_line(found.moves[0])


def test_an_analysis_needs_a_limit_and_a_game_that_goes_on():
    with pytest.raises(LimitError, match="needs a limit"):
        analyse(load("nim"))
    with pytest.raises(StateError, match="the game is over"):
        analyse(load("tic-tac-toe"), read_state(load("tic-tac-toe"), "XXXOO...."), depth=1)
