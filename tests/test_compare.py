"""`compare`: the same positions with one technique more each time, and a sentence for what surprises."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from random_game import random_game, start

from outplay import compare, load, search
from outplay.errors import OptionError
from outplay.search.compare import LADDER, Comparison, Row, check_plot, draw_positions, fastest, remarks_on


@pytest.fixture(scope="module")
def board():
    return compare(load("tic-tac-toe"), depth=4, positions=4, nodes=2_000, compiled=False)


def test_every_rung_counts_the_nodes_of_its_search(board):
    game = load("tic-tac-toe")
    states = [game.read_state(text) for text in board.positions]
    for technique, only in (
        ("minimax", ()),
        ("pruning", ("pruning",)),
        ("deepening", ("pruning", "ordering", "table", "scout", "deepening")),
    ):
        for depth in (1, 2, 3):
            found = [search(game, state, depth=depth, only=only, compiled=False) for state in states]
            assert board.row(technique, depth).nodes == sum(one.nodes for one in found)
            assert board.row(technique, depth).value == pytest.approx(sum(one.value for one in found) / len(states))


def test_rungs_that_a_game_has_no_use_for_are_left_out(board):
    assert board.techniques == ("minimax", "pruning", "ordering", "table", "scout", "deepening", "mcts")
    lucky = compare(random_game, start(3, lucky=True, length=5), depth=2, positions=2, compiled=False)
    assert lucky.techniques == ("minimax", *LADDER, "mcts")


def test_a_rung_that_needs_too_many_nodes_ends_there():
    found = compare(load("tic-tac-toe"), depth=5, positions=2, nodes=300, compiled=False)
    cut = [row.depth for row in found.rows if row.technique == "minimax" and row.value is None]
    assert len(cut) == 1
    assert found.row("minimax", cut[0] + 1) is None
    assert "> 300" in found.explain()


def test_monte_carlo_has_the_nodes_of_all_techniques_together(board):
    for depth in (2, 3, 4):
        row = board.row("mcts", depth)
        assert row.beside == depth
        assert row.nodes <= board.row("deepening", depth).nodes
        assert 0 <= row.kept <= 1


def test_the_first_use_of_code_and_memory_is_not_timed():
    found = search(load("tic-tac-toe"), depth=1, compiled=False)
    runs = [replace(found, seconds=seconds) for seconds in (0.04, 0.001, 0.002, 0.0005)]
    assert fastest(iter(runs).__next__).seconds == 0.001
    slow = [replace(found, seconds=seconds) for seconds in (0.4, 0.001)]
    assert fastest(iter(slow).__next__).seconds == 0.4


def test_what_surprises_has_a_sentence(board):
    assert any(remark.startswith("deepening costs nodes") for remark in board.remarks)
    assert "needed anyway" in board.explain()


def test_little_is_not_called_nothing():
    rows = (Row("minimax", 1, 5_115, 0.1, 0.5), Row("star1", 1, 5_026, 0.1, 0.5), Row("star2", 1, 5_026, 0.1, 0.5))
    found = Comparison("dice", 0, ("a",), rows, (), techniques=("minimax", "star1", "star2"))
    little, nothing = remarks_on(random_game, found)
    assert little.startswith("star1 saves little at depth 1 (5,115 nodes without it, 5,026 with it): few partial means")
    assert nothing.startswith("star2 saves nothing at depth 1: ")


def test_the_table_says_what_its_columns_and_rows_are(board):
    lines = board.explain().splitlines()
    assert lines[0].startswith("tic-tac-toe: 4 positions (seed 0), nodes and time of all together. Each row with a + adds")
    assert lines[1].split() == ["depth", "1", "depth", "2", "depth", "3", "depth", "4"]
    assert lines[2].split() == ["nodes", "time"] * 4
    assert [line.split()[0] for line in lines[3:]][:9] == ["minimax", "+", "+", "+", "+", "+", "mcts", "as", "value"]
    assert "Monte Carlo tree search instead, with as many nodes as the row above" in board.explain()


def test_the_same_seed_draws_the_same_positions_and_another_seed_others():
    game = load("connect-four")
    one, same, other = (draw_positions(game, game.start, 8, seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert len(set(one)) == 8


def test_a_comparison_is_plain_data(board):
    found = json.loads(json.dumps(board.to_dict()))
    assert found["rows"][0]["technique"] == "minimax"
    assert found["game"] == "tic-tac-toe"


@pytest.mark.parametrize("bad", [{"depth": 0}, {"positions": 0}, {"nodes": -1}, {"depth": 2.5}])
def test_numbers_are_whole_and_above_0(bad):
    with pytest.raises(OptionError, match="give a whole number, 1 or more"):
        compare(load("tic-tac-toe"), compiled=False, **bad)


def test_a_plot_is_written(board, tmp_path):
    pytest.importorskip("matplotlib")
    board.plot(tmp_path / "plot.svg")
    assert "<svg" in (tmp_path / "plot.svg").read_text()
    with pytest.raises(OptionError, match="the plot cannot be written to"):
        board.plot(tmp_path / "plot.unknown")


def test_a_plot_that_cannot_be_written_is_refused_before_anything_is_measured(tmp_path):
    with pytest.raises(OptionError, match="the name of a plot ends in .svg, .png or .pdf"):
        check_plot(tmp_path / "plot.unknown")
    with pytest.raises(OptionError, match="there is no folder .*nowhere"):
        check_plot(tmp_path / "nowhere" / "plot.svg")
    check_plot(Path("plot.SVG"))
