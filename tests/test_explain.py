"""A solution in words."""

import re

import pytest
from toy_games import Pile, array_nim, pile

from outplay import Solution, load, solve
from outplay.rules.number_text import error_bound, exact_value
from outplay.solve.explain import expected_line, expected_play


def solved(name, text=None):
    game = load(name)
    return solve(game, None if text is None else game.read_state(text))


def test_a_win_is_said_with_its_distance_and_every_move():
    assert re.fullmatch(
        r"By best play X wins in 1 move: worth \+1 to X\.\n"
        r"X should play 3\.\n"
        r"Expected play: 3\n"
        r"Moves \(to X; both players' moves counted\):\n"
        r"  3  \+1 in 1 move, best\n"
        r"  6  0\n"
        r"  7  -1 in 2 moves\n"
        r"  8  -1 in 2 moves\n"
        r"  9  -1 in 2 moves\n"
        r"States by depth, the number of moves and outcomes before them:\n"
        r"  0   1    1   5    2  16    3  24    4  18    5   5\n"
        r"Solved by a table: 69 states in [\d.]+ s, [\d,]+ a second\.",
        solved("tic-tac-toe", "XX.OO....").explain(),
    )


def test_a_loss_is_delayed_and_its_moves_stand_in_that_order():
    words = solved("nim:heaps=1-2-3").explain()
    assert words.startswith("By best play player 1 wins in 6 moves, both players' counted: worth -1 to player 0.\n")
    distances = [int(found) for found in re.findall(r" -1 in (\d) moves", words)]
    assert len(distances) == 6
    assert distances == sorted(distances, reverse=True)


def test_a_draw_in_which_every_move_is_as_good():
    words = solved("tic-tac-toe").explain()
    assert "By best play the game is drawn: worth 0 to X.\nAll moves are equally good for X.\n" in words
    assert "  1      9    3    252    5  1,260    7  1,140    9     78\n" in words


def test_several_best_moves_are_all_named():
    words = solved("tic-tac-toe", "....X....").explain()
    assert "O should play 1, 3, 7 or 9.\n" in words


def test_where_chance_acts_the_value_is_an_average_and_the_error_is_said():
    words = solved("pig:goal=20").explain()
    assert words.startswith("By best play the game is worth +0.231117099")
    assert "on average, between -1 and +1; that is 61.56% of the points, a draw counting half.\n" in words
    assert "States can come back.\n" in words
    assert re.search(r"Values are right to within \de-\d\d\.\n", words)
    coin = solved("coin-tic-tac-toe").explain()
    assert "Chance acts here.\n" in coin
    assert "Outcomes (to O):\n  [tails]  +0.25\n  [heads]  +0.75\n" in coin
    assert "within" not in coin


def test_a_proof_has_nodes_and_one_move():
    game = load("tic-tac-toe")
    words = solve(game, game.read_state("XX.OO...."), method="proof").explain()
    assert re.fullmatch(
        r"By best play X wins: worth \+1 to X\.\nX should play 3; other moves may be as good\.\n"
        r"Proven by a search: [\d,]+ nodes in [\d.]+ s, [\d,]+ a second; the values of other states are not kept\.",
        words,
    )


def test_what_is_over_and_what_was_read_from_a_file(tmp_path):
    assert (
        solved("tic-tac-toe", "XXXOO....").explain().startswith("The game is over: worth +1 to X.\nSolved by a table: 1 state ")
    )
    solve(pile()).save(tmp_path / "pile.table")
    assert Solution.load(tmp_path / "pile.table", pile()).explain().endswith("\n10 states, read from a file.")


def test_where_no_score_is_below_zero_nobody_is_said_to_win():
    game = pile(score=lambda state: 7 if state.player == 1 else 2, low=0, high=10)
    assert solve(game).explain().startswith("By best play the game is worth +7 to player 0 in 3 moves, both players' counted.\n")


def test_play_that_goes_round_is_said_once():
    game = pile(play=lambda state, move: Pile(state.stones, 1 - state.player))
    solution = solve(game)
    assert expected_play(solution, game.start) == "1 1 ... (the position repeats)"
    assert "States can come back, and the players can go on for ever.\n" in solution.explain()


def test_expected_play_ends_where_no_outcome_is_the_likeliest():
    coin = load("coin-tic-tac-toe")
    solution = solve(coin, compiled=False)
    assert solution.state == coin.start
    assert expected_play(solution, coin.start) == ""  # the first toss
    assert "Expected play" not in solution.explain()
    assert expected_play(solution, coin.read_state("....h")) == "3 ... (then one of 2 outcomes)"


def test_states_with_arrays_have_a_line_too():
    solution = solve(array_nim(1, 2))
    assert expected_play(solution, solution.state) == "9 1 9"
    assert expected_line(solution, solution.state, 2) == (9, 1)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.25, 0, "+0.25"),
        (0.0, 0, "0"),
        (-0.0, 0, "0"),
        (1e-7, 2e-6, "0"),
        (100, 0, "+100"),
        (1 / 3, 0, "+0.333333333333"),
        (0.123456789, 2e-6, "+0.12346"),
    ],
)
def test_a_value_has_the_decimals_that_are_known(value, error, text):
    assert exact_value(value, error) == text


def test_an_error_is_never_understated():
    assert [error_bound(error) for error in (1.2e-5, 2e-12, 9.5e-12, 0.3)] == ["2e-05", "2e-12", "1e-11", "3e-01"]
