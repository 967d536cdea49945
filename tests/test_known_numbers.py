"""Node counts, perft and values that everybody knows."""

import pytest

from bench.centre_game import centre_game
from outplay import load, minimax, perft, search


def test_plain_minimax_visits_all_549946_nodes_of_tic_tac_toe():
    game = load("tic-tac-toe")
    found = search(game, depth=9, only=())
    assert (found.nodes, found.value, found.proven) == (549_946, 0, True)
    assert minimax(game, depth=9) == (0, 549_946)


def test_textbook_alpha_beta_visits_18297_nodes_of_tic_tac_toe():
    found = search(load("tic-tac-toe"), depth=9, only=("pruning",))
    assert (found.nodes, found.value) == (18_297, 0)


@pytest.mark.parametrize(("depth", "nodes"), [(6, 7_669), (8, 131_155), (10, 1_829_302)])
def test_textbook_alpha_beta_on_connect_four_with_the_centre_estimate(depth, nodes):
    assert search(centre_game, depth=depth, only=("pruning",)).nodes == nodes


def test_interpreted_alpha_beta_counts_the_same_nodes():
    for game, depth in ((load("tic-tac-toe"), 9), (centre_game, 6)):
        compiled = search(game, depth=depth, only=("pruning",))
        interpreted = search(game, depth=depth, only=("pruning",), compiled=False)
        assert (interpreted.nodes, interpreted.value, interpreted.line) == (compiled.nodes, compiled.value, compiled.line)


def test_connect_four_perft():
    game = load("connect-four")
    counted = [perft(game, depth) for depth in range(1, 10)]
    assert counted == [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572]


def test_tic_tac_toe_perft_counts_its_255168_games_by_length():
    game = load("tic-tac-toe")
    assert [perft(game, depth) for depth in range(10)] == [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
    assert perft(game, 5, compiled=False) == 15_120


def test_pig_perft_counts_rolls_as_plies():
    assert [perft(load("pig"), depth) for depth in range(5)] == [1, 1, 6, 11, 41]
