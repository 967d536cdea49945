"""Copies of a network: what threads learn on their own is merged, counts by how much each has learned, and depends on no clock."""

import numpy as np
import pytest

from outplay import load
from outplay.learn import copies as copies_module
from outplay.learn import learning
from outplay.learn.copies import Copies, copies_for
from outplay.learn.session import learn_games

noughts = load("tic-tac-toe")


@pytest.fixture
def network():
    return learn_games(noughts, games=20).network.copy(noughts)


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
    for one in range(2):
        assert made.weights[one, : len(network.weights)].tolist() == network.weights.tolist()
        assert made.trust[one, : len(network.trust)].tolist() == network.trust.tolist()


def test_copies_count_alike_where_the_size_of_all_errors_no_longer_grows(network):
    made = Copies(network, 2, compiled=False)
    network.weights[20] = made.weights[:, 20] = 1.0
    network.trust[41] = made.trust[:, 41] = 1e9
    made.weights[:, 20] = 3.0, 1.0
    made.merge()
    assert network.weights[20] == made.weights[0, 20] == made.weights[1, 20] == 2.0


def test_two_threads_give_the_same_weights_every_time_and_others_than_one():
    once, again = (learn_games(noughts, games=2000, threads=2).network for _ in range(2))
    assert np.array_equal(once.weights, again.weights)
    assert np.array_equal(once.trust, again.trust)
    assert not np.array_equal(once.weights, learn_games(noughts, games=2000).network.weights)


def test_copies_are_merged_between_slices_too(monkeypatch):
    merged = []
    monkeypatch.setattr(learning, "LEAST_MOVES", 100)
    monkeypatch.setattr(learning, "MOVES_A_WEIGHT", 0.0)
    monkeypatch.setattr(Copies, "merge", lambda self, merge=Copies.merge: (merged.append(1), merge(self)))
    found = learn_games(noughts, games=2000, threads=2)
    assert len(merged) > 20 > len(found.history)
    assert found.network.learned > 500


def test_one_thread_needs_no_copies_and_without_memory_threads_share_the_weights(network, monkeypatch):
    assert copies_for(network, 1, compiled=False) is None
    assert copies_for(network, 2, compiled=False).threads == 2
    monkeypatch.setattr(copies_module, "free_memory", lambda: network.weights.nbytes)
    assert copies_for(network, 2, compiled=False) is None
    assert learn_games(noughts, games=400, threads=2).network.learned > 500
