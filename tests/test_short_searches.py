"""Short searches cost little besides the nodes they visit: what they share must not show in what they say."""

import copy
import pickle
import threading

import numpy as np
import pytest
from toy_games import Pile, pile, pile_moves

from outplay import OVER, Game, Searcher, Stopper, analyse, load, search
from outplay.compile.fingerprint import Fingerprint
from outplay.compile.watchdog import Errand
from outplay.errors import RuleError
from outplay.rules.game import CHANCE
from outplay.search import worker


@pytest.fixture
def spare(monkeypatch):
    """No memory of earlier searches, and what the test's own leave."""
    kept = []
    monkeypatch.setattr(worker, "_spare", kept)
    return kept


def told(found):
    return found.move, found.value, found.nodes, found.line, found.candidates, found.proven


def test_a_search_in_the_memory_of_another_says_what_a_fresh_one_says(spare):
    games = [load(name) for name in ("tic-tac-toe", "connect-four", "pig:goal=20")]
    fresh = []
    for game in games:
        fresh.append(told(search(game, depth=6)))
        spare.clear()
    for game, known in 2 * list(zip(games, fresh, strict=True)):
        for _ in range(2):  # after another game, and after the same one
            assert told(search(game, depth=6)) == known
            assert len(spare) == 1


def test_only_a_search_that_ended_by_itself_leaves_its_memory(spare):
    def refuse(found):
        raise LookupError

    search(pile(), depth=3)
    assert len(spare) == 1
    spare.clear()
    with pytest.raises(LookupError):
        search(pile(), depth=3, progress=refuse)
    assert not spare


def test_memory_that_is_too_small_or_too_many_is_let_go(spare):
    few, many = pile(max_moves=2), pile(max_moves=64)
    search(few, depth=3)
    small = spare[0][0]
    assert search(many, depth=3).value == search(few, depth=3).value
    assert not any(kept is small for kept, _ in spare)
    threads = [threading.Thread(target=search, args=(few,), kwargs={"depth": 3, "threads": 2}) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(spare) <= worker.SPARES


def test_a_stopped_search_leaves_no_stop_behind(spare):
    stopper = Stopper()
    stopper.stop()
    assert search(load("tic-tac-toe"), depth=9, stopper=stopper).stopped_by == "stop"
    assert search(load("tic-tac-toe"), depth=9).stopped_by == "proof"
    assert analyse(load("tic-tac-toe"), depth=3).stopped_by == "depth"


def test_a_result_is_the_same_whenever_its_parts_are_made():
    game = load("coin-tic-tac-toe")
    state = game.play(game.start, game.outcomes(game.start)[0][0])
    one, other, third = (search(game, state, depth=3, compiled=False) for _ in range(3))
    assert "candidates" not in vars(one)
    assert copy.copy(one).candidates == one.candidates == other.candidates
    assert one.line == third.line
    assert "candidates" in vars(one)
    assert "candidates=(Candidate(" in repr(other)
    with pytest.raises(AttributeError, match="no attribute 'moves'"):
        _ = one.moves


def test_a_result_of_rules_that_can_be_pickled_can_be_pickled():
    found = search(pile(), depth=3, compiled=False)
    again = pickle.loads(pickle.dumps(found))
    assert (again.move, again.line, again.candidates) == (found.move, found.line, found.candidates)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "pig:goal=20", "nim"])
def test_the_candidates_are_the_legal_moves_in_their_order(name):
    game = load(name)
    state = game.start
    for _ in range(5):
        if game.turn(state) == CHANCE:
            state = game.play(state, game.outcomes(state)[0][0])
        found = search(game, state, depth=2)
        assert [candidate.move for candidate in found.candidates] == game.legal(state)
        state = game.play(state, found.move)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_root_without_moves_is_told_as_before(compiled):
    def moves(state):
        if state.stones != 4:
            yield 1

    with pytest.raises(RuleError, match="moves of 'pile' yields nothing in"):
        search(pile(moves=moves), Pile(4, 0), depth=2, check=False, compiled=compiled)


@pytest.mark.parametrize("writable", [True, False])
def test_a_table_that_nobody_can_write_into_is_not_compared(writable):
    class Counted(np.ndarray):
        compared = 0

        def tobytes(self, *options):
            Counted.compared += 1
            return super().tobytes(*options)

    table = Counted((4,), np.int64)
    table[:] = 7
    table.setflags(write=writable)
    scope = {"TABLE": table}
    exec("def rule(state): return TABLE[0]", scope)
    known, Counted.compared = Fingerprint(scope["rule"]), 0
    assert known.holds()
    assert Counted.compared == int(writable)
    table.setflags(write=True)
    table[0] = 8
    assert not known.holds()


def test_a_name_that_hides_a_builtin_from_now_on_is_noticed():
    scope = {"pile_moves": pile_moves}
    exec("def rule(state): return len((1, 2))", scope)
    known = Fingerprint(scope["rule"])
    assert known.holds()
    scope["len"] = max
    assert not known.holds()


def test_waiting_for_an_errand_tells_when_it_is_done():
    go = threading.Event()
    errand = Errand(lambda: go.wait(60))
    thread = threading.Thread(target=errand.run)
    thread.start()
    assert not errand.wait(0.01)
    go.set()
    assert errand.wait(60)
    assert errand.wait(60)  # and it stays so
    thread.join()
    assert errand.result() is True


def test_a_search_that_is_cut_short_does_not_read_the_moves_of_another_game(spare):
    """A game with fewer moves has its values where one with many has its moves: the memory must be cleared as far as the next game reads."""

    few_moves, many_moves, no_scores = range(3)  # what Pile.player says here: the three games share their rules

    def turn(state):
        return OVER if state.stones > 40 else state.stones % 2

    def moves(state):
        if state.player == few_moves:
            yield 5
            yield 7
        else:
            for choice in range(1, 10):
                yield choice

    def play(state, move):
        return Pile(state.stones + move, state.player)

    def score(state):
        return 0.0 if state.player == no_scores else state.stones % 13 / 13 - 0.5

    few, rich, flat = (
        Game(name=name, start=start, turn=turn, moves=moves, play=play, score=score, max_moves=most)
        for name, start, most in (
            ("few", Pile(0, few_moves), 2),
            ("rich", Pile(31, many_moves), 16),
            ("flat", Pile(0, no_scores), 16),
        )
    )
    fresh = told(search(flat, nodes=4))
    spare.clear()
    search(rich, depth=9, only=())
    search(few, depth=9)
    assert spare
    assert told(search(flat, nodes=4)) == fresh


@pytest.mark.parametrize("compiled", [True, False])
def test_a_search_of_two_moves_makes_no_table_and_uses_one_that_is_there(compiled):
    game = load("connect-four")
    alone = search(game, depth=2, compiled=compiled)
    assert alone.probes == 0
    assert told(alone) == told(search(game, depth=2, without=("table",), compiled=compiled))
    searcher = Searcher(game, compiled=compiled)
    searcher.search(depth=3)
    assert searcher.search(depth=2).probes > 0
