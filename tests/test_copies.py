"""Copies of a network: what threads learn on their own is merged, counts by how much each has learned, and depends on no clock."""

import numpy as np
import pytest

from outplay import Stopper, load
from outplay.learn import copies as copies_module
from outplay.learn import learning
from outplay.learn.copies import Copies, copies_for
from outplay.learn.hidden_layer import new_network
from outplay.learn.progress import Counts
from outplay.learn.selfplay import engine_for
from outplay.learn.session import learn_games
from outplay.learn.settings import Settings
from outplay.runtime.meter import NEVER

noughts = load("tic-tac-toe")


@pytest.fixture
def network():
    return learn_games(noughts, games=20, compiled=False).network.copy(noughts)


@pytest.fixture
def short_rounds(monkeypatch):
    monkeypatch.setattr(learning, "LEAST_MOVES", 100)
    monkeypatch.setattr(learning, "MOVES_PER_WEIGHT", 0.0)


@pytest.mark.parametrize("compiled", [False, True])
def test_what_a_copy_learned_counts_by_the_errors_that_it_learned_from(network, compiled):
    made = Copies(network, 2, compiled=compiled)
    network.weights[20:23] = made.weights[:, 20:23] = 1.0
    network.trust[40:46] = made.trust[:, 40:46] = (0.5, 2.0) * 3
    made.weights[0, 20], made.trust[0, 40:42] = 2.0, (1.5, 3.0)  # learned by one copy alone
    made.weights[:, 21], made.trust[:, 42:44] = (3.0, 5.0), ((1.5, 3.0), (3.5, 5.0))  # by both, from errors of 1 and of 3 in all
    made.merge()
    assert network.weights[20:23].tolist() == [2.0, 1.0 + 0.25 * 2.0 + 0.75 * 4.0, 1.0]
    assert network.trust[40:46].tolist() == [1.5, 3.0, 0.5 + 1.0 + 3.0, 2.0 + 1.0 + 3.0, 0.5, 2.0]
    for copy in range(2):
        assert made.weights[copy, : len(network.weights)].tolist() == network.weights.tolist()
        assert made.trust[copy, : len(network.trust)].tolist() == network.trust.tolist()


@pytest.mark.parametrize("compiled", [False, True])
def test_a_row_of_hidden_weights_counts_by_its_visits(compiled):
    game = load("backgammon")
    network = new_network(game, learn_games(game, games=1).network.shape, seed=1)
    units, (never, often, idle) = network.shape.units, (np.flatnonzero(network.visits < 0)[0], 3, 5)
    network.visits[[often, idle]] = 10.0
    rows = network.hidden.reshape(-1, units)
    rows[[never, often, idle]] = 1.0
    made = Copies(network, 2, compiled=compiled)
    copied = made.hidden[:, : len(network.hidden)].reshape(2, -1, units)
    made.visits[:, often] += 1.0, 3.0
    copied[:, often] = np.array([3.0, 5.0])[:, None]
    made.merge()
    assert (rows[[never, often, idle], 0].tolist(), network.visits[never]) == ([1.0, 1.0 + 0.25 * 2.0 + 0.75 * 4.0, 1.0], -1.0)
    assert network.visits[[often, idle]].tolist() == [14.0, 10.0]
    assert (copied == rows).all()
    assert (made.visits == network.visits).all()


def test_merging_gives_the_same_bits_interpreted_and_compiled(network):
    merged = []
    for compiled in (False, True):
        dice, own = np.random.default_rng(5), network.copy(noughts)
        made = Copies(own, 3, compiled=compiled)
        made.weights[:, 16:400] += dice.standard_normal((3, 384), np.float32)
        made.trust[:, 32:800] += dice.random((3, 768), np.float32)
        made.merge()
        merged.append((own.weights.tolist(), own.trust.tolist()))
    assert merged[0] == merged[1]


def test_copies_count_alike_where_the_size_of_all_errors_no_longer_grows(network):
    made = Copies(network, 2, compiled=False)
    network.weights[20] = made.weights[:, 20] = 1.0
    network.trust[41] = made.trust[:, 41] = 1e9
    made.weights[:, 20] = 3.0, 1.0
    made.merge()
    assert network.weights[20] == made.weights[0, 20] == made.weights[1, 20] == 2.0


def test_copies_count_alike_where_float32_is_too_coarse_to_compare_them(network):
    made = Copies(network, 2, compiled=False)
    network.weights[20] = made.weights[:, 20] = 1.0
    network.trust[40:42] = made.trust[:, 40:42] = 0.0, 2.0**24
    made.weights[:, 20], made.trust[1, 41] = (1.9, 1.1), 2.0**24 + 2  # small errors of the first copy are rounded away
    made.merge()
    assert network.weights[20] == pytest.approx(1.5)
    network.trust[41] = made.trust[:, 41] = 3e38
    made.weights[:, 20], made.trust[1, 41] = (2.5, 2.5), np.inf
    made.merge()
    assert network.weights[20] == 2.5
    assert np.isfinite(network.trust).all()
    assert np.isfinite(made.trust).all()


def test_what_is_saved_in_the_middle_of_a_round_counts_no_game_that_is_not_merged(network):
    engine = engine_for(noughts.replace(estimate=None), compiled=False)
    found = learning.Learning(engine, network, Settings(plies=20, opening=0), Counts(), seed=1, threads=2, base=None)
    found.run(NEVER, 10, Stopper())
    for player in found.crew.workers:
        player.unlimited()
        player.run(30)
    assert (found.progress(NEVER).games, found.merged_counts().games) == (30, 10)


def test_learning_by_two_threads_gives_the_same_weights_interpreted_and_compiled(short_rounds):
    fast, slow = (learn_games(noughts, games=60, threads=2, compiled=compiled).network for compiled in (True, False))
    assert np.array_equal(fast.weights, slow.weights)
    assert np.array_equal(fast.trust, slow.trust)


def test_two_threads_always_give_the_same_weights_but_not_those_of_one_thread(short_rounds):
    once, again = (learn_games(noughts, games=2000, threads=2).network for _ in range(2))
    assert np.array_equal(once.weights, again.weights)
    assert np.array_equal(once.trust, again.trust)
    assert not np.array_equal(once.weights, learn_games(noughts, games=2000).network.weights)


def test_copies_are_merged_several_times_in_a_slice(short_rounds, monkeypatch):
    merged, merge = [], Copies.merge

    def counted(self):
        merged.append(1)
        merge(self)

    monkeypatch.setattr(Copies, "merge", counted)
    found = learn_games(noughts, games=2000, threads=2)
    assert len(merged) > 20 > len(found.history)
    assert found.network.learned > 500


def test_one_thread_needs_no_copies(network):
    assert copies_for(network, 1, compiled=False) is None
    assert copies_for(network, 2, compiled=False).threads == 2


def test_threads_share_the_weights_if_memory_is_too_small_for_copies(network, monkeypatch):
    def refused(self):
        raise AssertionError("there are no copies to merge")

    monkeypatch.setattr(copies_module, "free_memory", lambda: network.weights.nbytes)
    monkeypatch.setattr(Copies, "merge", refused)
    assert copies_for(network, 2, compiled=False) is None
    assert learn_games(noughts, games=400, threads=2).network.learned > 500


def test_threads_share_a_large_network(network, monkeypatch):
    monkeypatch.setattr(copies_module, "MOST_COPIED", len(network.weights))
    assert copies_for(network, 2, compiled=False).threads == 2
    monkeypatch.setattr(copies_module, "MOST_COPIED", len(network.weights) - 1)
    assert copies_for(network, 2, compiled=False) is None
