"""What results say to people: players by their names, what is undecided, and no more lines than are worth reading."""

import dataclasses

import pytest
from toy_games import Pile, pile

from outplay import analyse, load, search, solve
from outplay.rules.text import line_text
from outplay.search.result import Candidate

NAMES = ("the fox", "the goose")
NO_END = "No decisive line was searched to its end, and the game has no estimate; the search ended because depth 2 was reached."


def wide(**changes):
    """Take any number from 1 to 40 of very many stones: no search comes to an end."""
    return pile(start=Pile(9999, 0), moves=lambda state: range(1, 41), **changes)


def found(game, **limits):
    return search(game, compiled=False, **limits)


def test_a_result_calls_the_players_what_the_game_calls_them():
    text = found(pile(players=NAMES), depth=9).explain()
    assert text.startswith("The fox should play 2: worth +1 to the fox.\nThat is proven")
    assert "Candidates (to the fox):\n" in text
    goose = found(pile(players=NAMES, start=Pile(5, 1), score=lambda state: 2 * state.player - 1), depth=9).explain()
    assert goose.startswith("The goose should play 2: worth -1 to the fox.\n")
    assert found(pile(), depth=9).explain().startswith("Player 0 should play 2: worth +1 to player 0.\n")


def test_an_analysis_and_a_solution_call_the_players_what_the_game_calls_them():
    assert analyse(pile(players=NAMES), depth=9, compiled=False).explain().startswith("Moves, the best first (to the fox):\n")
    text = solve(pile(players=NAMES)).explain()
    assert text.startswith(
        "By best play the fox wins in 3 moves, both players' counted: worth +1 to the fox.\nThe fox should play 2.\n"
    )
    assert "Moves (to the fox; both players' moves counted):\n" in text


def test_without_an_estimate_what_no_line_decides_is_undecided():
    text = found(wide(), depth=2).explain()
    assert text.startswith(f"Player 0 should play 1: undecided so far.\n{NO_END}\n")
    assert "worth" not in text
    assert "an estimate:" not in text
    assert found(wide(estimate=lambda state: 0), depth=2).explain().startswith("Player 0 should play 1: worth 0 to player 0.\n")


def test_where_only_losses_are_known_the_best_move_is_undecided():
    game = pile(start=Pile(9999, 0), turn=lambda state: -2 if state.stones == 9998 else state.player, score=lambda state: -1)
    text = found(game, depth=2).explain()
    assert text.startswith("Player 0 should play 2: undecided so far.\nIts line was not searched to its end, and the game")
    assert "  2  undecided\n  1  -1, proven\n" in text


def test_an_average_over_lines_without_an_end_says_so():
    result = dataclasses.replace(found(wide(), depth=2), value=0.25)
    assert "the game has no estimate: lines without an end count as 0." in result.explain()


def test_an_analysis_says_what_is_undecided_and_counts_what_was_not_searched():
    text = analyse(wide(), depth=1, compiled=False).explain()
    assert "  1   undecided\n" in text
    assert "\nUndecided so far: no decisive line was searched to its end, and the game has no estimate.\n" in text
    start = analyse(wide(), nodes=50, compiled=False)
    unsearched = dataclasses.replace(
        start, candidates=tuple(dataclasses.replace(move, value=None) for move in start.candidates), value=None
    )
    assert "  40 moves: not searched\n" in unsearched.explain()


def test_many_candidates_of_which_the_same_is_said_are_one_line():
    text = found(wide(estimate=lambda state: 0), depth=2).explain()
    assert text.count("at most 0") == 1
    assert "  1  0\n  39 other moves: at most 0\n" in text
    few = found(load("tic-tac-toe").replace(estimate=lambda state: 0), depth=1).explain()
    assert "  1  0\n  2, 3, 4, 5, 6, 7, 8, 9: " in few


def of(*candidates, game=None):
    result = found(game or wide(estimate=lambda state: 0), depth=1)
    return dataclasses.replace(result, candidates=candidates, move=candidates[0].move, value=candidates[0].value).explain()


def test_a_bound_that_the_scale_implies_is_not_printed():
    text = of(
        Candidate(1, 0.5, "exact", 2, False), Candidate(2, 1.0, "at most", 2, False), Candidate(3, -1.0, "at least", 2, False)
    )
    assert "at most +1" not in text
    assert "at least -1" not in text
    assert "  1  +0.5000\n  2  undecided\n  3  undecided\n" in text  # the best first, whatever bounds others have
    assert "at most +1\n" in of(
        Candidate(1, 0.5, "exact", 2, False), Candidate(2, 1.0, "at most", 2, False), game=wide(estimate=lambda state: 0, high=5)
    )


@pytest.mark.parametrize("names", [["1", "2", "3"], [f"a{number}" for number in range(15)]])
def test_names_that_fit_on_a_line_are_listed(names):
    from outplay.search.words import listed

    text = ", ".join(names)
    assert listed([("best", "+1"), *((name, "0") for name in names)]) == [
        "  best  +1",
        f"  {text}: 0" if len(text) <= 60 else "  15 other moves: 0",
    ]


def test_a_line_in_which_a_position_comes_back_is_told_once():
    game = pile(play=lambda state, move: Pile(state.stones, 1 - state.player))
    result = found(game, depth=9)
    assert len(result.line) == 9
    assert "Expected play: 1 1 ... (the position repeats; 7 more follow)\n" in result.explain()
    assert len(result.named_line()) == len(result.to_dict()["line_names"]) == 9  # data are whole
    assert line_text(game, game.start, (1, 1)) == "1 1 ... (the position repeats)"
    text = analyse(game, depth=4, compiled=False).explain()
    assert "then 1 1 ... (the position repeats; 1 more follows)" in text


def test_outcomes_of_chance_are_listed_by_probability_with_the_reply_and_the_rest_is_counted():
    from outplay.search.words import outcomes_listed

    pig = load("pig:goal=20")
    rolled = search(pig, pig.read_state("14,11,4,0,1"), depth=2, compiled=False)
    assert "Outcomes, the likeliest first (to player 0):\n  a 1  with probability 1/6: " in rolled.explain()
    assert ", then " in rolled.explain()  # the reply to the outcome that the line follows
    rows = [(f"r{number}", 0.01 * (1 + number % 2), None if number > 17 else "0") for number in range(20)]
    text = outcomes_listed(rows, every=False)
    assert text[0] == "  r1   with probability 1/50: 0"
    assert text[-2:] == ["  and 6 more; explain(verbose=True) lists all", "  not searched: r19, r18"]
    assert len(outcomes_listed(rows, every=True)) == 18 + 1
    assert outcomes_listed([(f"r{number}", 0.01, None) for number in range(100)], every=False) == ["  not searched: 100 outcomes"]


def test_the_expected_play_ends_where_no_outcome_of_chance_is_the_likeliest():
    pig = load("pig:goal=20")
    result = search(pig, depth=3, compiled=False)
    assert len(result.line) > 2  # the data follow the first of the likeliest
    assert "Expected play: roll ... (then one of 6 outcomes)\n" in result.explain()
    pile = load("coin-tic-tac-toe")
    assert line_text(pile, pile.start, (0, 1)) == ""  # heads or tails
    facing_random = search(load("tic-tac-toe"), depth=2, opponent="random", compiled=False)
    assert " ... (then one of 8 moves)\n" in facing_random.explain()


def test_without_an_estimate_a_bound_of_0_from_the_horizon_is_undecided():
    text = found(wide(), depth=2).explain()
    assert "at most 0" not in text
    assert "  1  undecided\n  39 other moves: undecided\n" in text


def test_a_long_line_is_cut_and_the_rest_counted():
    game = pile(start=Pile(100, 0))
    assert line_text(game, game.start, (1,) * 31) == " ".join("1" * 31)  # no shorter with "1 more"
    assert line_text(game, game.start, (1,) * 42) == f"{' '.join('1' * 30)} ... and 12 more"
