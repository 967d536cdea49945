"""A searcher keeps its transposition table from state to state; what it says is what a fresh search says."""

import random
import threading

import pytest
from random_game import random_game, start
from toy_games import Pile, pile

from outplay import Interrupted, Searcher, Stopper, analyse, load, minimax, search, solve
from outplay.errors import GameError, LimitError, OptionError, StateError


def test_a_second_search_needs_fewer_nodes_for_the_same_result():
    game, searcher = load("tic-tac-toe"), Searcher(load("tic-tac-toe"), compiled=False)
    first, second = searcher.search(depth=6), searcher.search(depth=6)
    fresh = search(game, depth=6, compiled=False)
    assert (first.move, first.value, first.nodes) == (fresh.move, fresh.value, fresh.nodes)
    assert second.value == first.value
    assert second.nodes < 0.7 * first.nodes


@pytest.mark.parametrize("seed", range(8))
def test_whatever_was_searched_before_the_value_is_minimax_s(seed):
    dice = random.Random(seed)
    searcher = Searcher(random_game, compiled=False)
    for _ in range(12):
        state, depth = start(dice.randrange(1 << 30), lucky=seed % 2 == 1, length=dice.randrange(3, 7)), dice.randrange(1, 5)
        found = searcher.search(state, depth=depth)
        assert found.value == pytest.approx(minimax(random_game, state, depth=depth, compiled=False).value, abs=1e-12)
        for candidate in searcher.analyse(state, depth=depth).candidates:
            after = random_game.play(state, candidate.move)
            below = minimax(random_game, after, depth=depth - 1, compiled=False).value
            assert candidate.proven or candidate.value == pytest.approx(below, abs=1e-12)


def test_a_race_leaves_nothing_behind_in_the_table():
    """A race asks for something else than a search, so its entries would be wrong answers there."""
    game = pile(bounds=lambda state: (-1.0, 1.0))
    searcher = Searcher(game, compiled=False)
    for stones in range(1, 12):
        state = Pile(stones, 0)
        assert searcher.search(state, depth=20).length == search(game, state, depth=20, compiled=False).length
        assert searcher.search(state, depth=3).value == search(game, state, depth=3, compiled=False).value


def test_clear_forgets():
    searcher = Searcher(load("tic-tac-toe"), compiled=False)
    first = searcher.search(depth=5).nodes
    assert searcher.search(depth=5).nodes < first
    searcher.clear()
    assert searcher.search(depth=5).nodes == first


def test_rules_that_change_in_place_are_searched_anew():
    def score(state):
        return 1.0 if state.player == 1 else -1.0

    game = pile(score=score, start=Pile(4, 0))
    searcher = Searcher(game, compiled=False, check=False)
    before = searcher.search(depth=20).value
    score.__code__ = (lambda state: -1.0 if state.player == 1 else 1.0).__code__
    assert searcher.search(depth=20).value == -before


def test_against_a_described_opponent_each_seat_has_its_own_table():
    game = load("tic-tac-toe")
    searcher = Searcher(game, opponent="random", compiled=False)
    for moves in ((), (5,), (5, 1), ()):
        state = game.after(game.start, moves)
        assert searcher.search(state, depth=3).value == search(game, state, depth=3, opponent="random", compiled=False).value


def test_a_running_analysis_yields_ever_deeper_values_until_it_is_closed():
    searcher = Searcher(pile(start=Pile(400, 0)), compiled=False)
    with searcher.analysis() as running:
        depths = [next(running).depth for _ in range(12)]
    assert depths == sorted(depths)
    assert depths[-1] > depths[0]
    assert searcher.search(depth=2).depth == 2  # it is free again


def test_a_running_analysis_ends_by_itself_where_all_is_proven():
    last = list(Searcher(pile(), compiled=False).analysis())[-1]
    assert (last.proven, last.stopped_by) == (True, "proof")
    assert last.candidates == analyse(pile(), depth=20, compiled=False).candidates


def test_a_running_analysis_raises_what_goes_wrong_where_it_is_iterated():
    running = Searcher(pile(), compiled=False).analysis(Pile(0, 0))
    with pytest.raises(StateError, match="the game is over"):
        next(running)
    assert list(running) == []


def test_two_threads_take_turns():
    searcher, found = Searcher(pile(start=Pile(30, 0)), compiled=False), []
    threads = [threading.Thread(target=lambda: found.append(searcher.search(depth=9).value)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_a_searcher_refuses_what_a_search_refuses():
    with pytest.raises(OptionError, match="threads=0 must be a whole number from 1 to 256"):
        Searcher(pile(), threads=0)
    with pytest.raises(OptionError, match="there is no technique 'luck'"):
        Searcher(pile(), without=("luck",))
    with pytest.raises(LimitError, match="a search needs a limit"):
        Searcher(pile()).search()
    with pytest.raises(GameError, match="a search takes a Game, and got 'pig'; load\\('pig'\\)"):
        Searcher("pig").search(depth=1)


@pytest.mark.parametrize("options", [{"method": "table"}, {"method": "proof"}, {"method": "cycles"}])
@pytest.mark.parametrize("game", [pile(), load("pig:goal=5")])
def test_a_stopper_ends_a_solve(game, options):
    stopper = Stopper()
    stopper.stop()
    with pytest.raises(Interrupted, match="interrupted|stopped"):
        solve(game, compiled=False, check=False, threads=1, stopper=stopper, **options)
