"""Playouts: right by a chi-squared test, the same at any number of threads, interpreted and compiled, and honest about what was cut."""

import json
import math
from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest
from random_game import random_game, start
from toy_games import array_nim, coin, pile
from typer.testing import CliRunner

from outplay import CHANCE, OVER, Game, Interrupted, Playouts, Stopper, load, playouts
from outplay.cli.main import app
from outplay.errors import GameError, LimitError, OptionError, RuleError, RuleRaised, StateError


@cache
def exact(game, state, policy=None):
    """Return the probability of each (score, length) where both players play any legal move, all equally likely, or by *policy*."""
    who = game.turn(state)
    if who == OVER:
        return Counter({(float(game.score(state)), 0): 1.0})
    if who == CHANCE:
        choices, moved = list(game.chances(state)), 0
    else:
        legal = list(game.moves(state))
        choices, moved = list(policy(state)) if policy else [(move, 1 / len(legal)) for move in legal], 1
    found = Counter()
    for choice, probability in choices:
        for (score, length), share in exact(game, game.play(state, choice), policy).items():
            found[score, length + moved] += probability * share
    return found


def chi_squared(counts, expected):
    """Return Pearson's statistic, and the value that it exceeds once in 1,000 times (by Wilson and Hilferty).

    Items that are expected fewer than five times are taken together.
    """
    assert set(counts) <= set(expected)
    number = sum(counts.values())
    cells = [(counts.get(item, 0), number * share) for item, share in expected.items()]
    rare = [cell for cell in cells if cell[1] < 5]
    cells = [cell for cell in cells if cell[1] >= 5]
    if rare:
        cells.append((sum(seen for seen, _ in rare), sum(hoped for _, hoped in rare)))
    statistic = sum((seen - hoped) ** 2 / hoped for seen, hoped in cells)
    free = len(cells) - 1
    return statistic, free * (1 - 2 / (9 * free) + 3.0902 * math.sqrt(2 / (9 * free))) ** 3


def by_score_and_by_length(expected):
    scores, lengths = Counter(), Counter()
    for (score, length), share in expected.items():
        scores[score] += share
        lengths[length] += share
    return scores, lengths


@pytest.mark.parametrize("seed", range(12))
def test_scores_and_lengths_of_random_trees_are_as_likely_as_they_should_be(seed):
    state = start(seed, lucky=seed % 2 == 0, length=6)
    scores, lengths = by_score_and_by_length(exact(random_game, state))
    found = playouts(random_game, state, number=20_000, seed=seed)
    for counts, expected in ((found.counts, scores), (found.lengths.counts, lengths)):
        if len(expected) > 1:
            statistic, critical = chi_squared(counts, expected)
            assert statistic < critical
    mean = sum(score * share for score, share in scores.items())
    low, high = found.interval
    assert abs(found.mean - mean) <= 2 * (high - low) / 2 + 1e-12  # four standard errors


def test_the_chi_squared_test_tells_a_biased_player():
    state = start(3, lucky=True, length=6)
    scores, _ = by_score_and_by_length(exact(random_game, state))
    biased = playouts(random_game, state, number=2_000, policy=lambda state: 0, compiled=False)
    statistic, critical = chi_squared(biased.counts, scores)
    assert statistic > critical


def test_tic_tac_toe_at_random():
    """X wins 0.58492 of random games, O 0.28810, as enumeration tells."""
    game = load("tic-tac-toe")
    expected, _ = by_score_and_by_length(exact(game, game.start))
    assert expected[1.0] == pytest.approx(0.584920, abs=1e-5)
    found = playouts(game, number=50_000)
    statistic, critical = chi_squared(found.counts, expected)
    assert statistic < critical


@pytest.mark.parametrize("lucky", [False, True])
def test_a_seed_gives_the_same_games_on_one_thread_and_on_two_interpreted_and_compiled(lucky):
    state = start(5, lucky=lucky, length=7)
    one = playouts(random_game, state, number=501, seed=9)
    for options in ({"threads": 2}, {"compiled": False}, {"compiled": False, "threads": 2}):
        other = playouts(random_game, state, number=501, seed=9, **options)
        assert (other.counts, other.lengths, other.mean, other.interval) == (one.counts, one.lengths, one.mean, one.interval)
        assert other.positions == one.positions
    assert playouts(random_game, state, number=501, seed=10).counts != one.counts


def test_more_games_of_a_seed_contain_the_fewer():
    state = start(5, lucky=True, length=7)
    few, many = (playouts(random_game, state, number=number, compiled=False) for number in (50, 80))
    assert all(many.counts[score] >= times for score, times in few.counts.items())


def hesitant(state):
    """Takes one stone three times in four."""
    if state.stones > 1:
        yield 1, 0.75
        yield 2, 0.25
    else:
        yield 1, 1.0


def test_a_policy_plays_both_sides_and_its_moves_count():
    game = pile(policies={"hesitant": hesitant})
    expected = exact(game, game.start, hesitant)
    found = playouts(game, number=20_000, policy="hesitant")
    scores, lengths = by_score_and_by_length(expected)
    assert chi_squared(found.counts, scores)[0] < chi_squared(found.counts, scores)[1]
    assert chi_squared(found.lengths.counts, lengths)[0] < chi_squared(found.lengths.counts, lengths)[1]
    assert found.policy == "hesitant"
    by_function = playouts(game, number=20_000, policy=hesitant)
    assert by_function.counts == found.counts


def test_a_policy_that_returns_one_move_plays_one_game():
    found = playouts(pile(), number=10, policy=lambda state: 1, compiled=False)
    assert dict(found.counts) == {1.0: 10}
    assert (found.lengths.least, found.lengths.mean, found.lengths.most) == (5, 5.0, 5)
    assert "All of 10 games by the policy '<lambda>' ended with +1 to player 0." in found.explain()


def test_states_with_arrays_and_floats_are_played():
    assert playouts(array_nim(2, 1), number=200).finished == 200
    found = playouts(coin(), number=4000, compiled=False)
    assert found.mean == pytest.approx(0.11, abs=0.03)  # 0.2 of a bet of 0.55 on average
    assert len(found.counts) == 20


class Walk(NamedTuple):
    place: int


def walk(**changes):
    """A walk that ends at once with probability 1/4, else goes on."""
    rules = {
        "name": "walk",
        "start": Walk(0),
        "turn": lambda state: OVER if state.place < 0 else 0,
        "moves": lambda state: iter((0, 1, 2, 3)),
        "play": lambda state, move: Walk(-1) if move == 0 else Walk(state.place + 1),
        "score": lambda state: 1,
    }
    return Game(**{**rules, **changes})


def test_a_game_that_is_too_long_is_cut_and_counted_apart():
    found = playouts(walk(), number=2000, plies=3, compiled=False, check=False)
    assert found.number == 2000
    assert found.finished + found.cut == 2000
    assert found.cut / 2000 == pytest.approx(0.75**3, abs=0.05)
    assert sum(found.counts.values()) == found.finished
    assert f"{found.cut:,} of 2,000 games were cut at 3 plies; they have no score and are not in the mean." in found.explain()
    assert found.to_dict()["cut"] == found.cut


def test_a_game_without_an_end_is_cut_and_has_no_mean():
    endless = pile(turn=lambda state: state.player, play=lambda state, move: state)
    found = playouts(endless, number=3, compiled=False, check=False)
    assert (found.number, found.cut, found.mean, found.interval) == (3, 3, None, None)
    assert found.explain().startswith("No game was finished: all were cut.")
    assert "3 of 3 games were cut at 10,000 plies; check that turn returns OVER at the end" in found.explain()


def test_one_game_is_told_in_the_singular():
    said = playouts(pile(), number=1, compiled=False).explain()
    assert "1 random game is worth" in said
    assert "1 game, " in said


def test_more_different_scores_than_slots_are_all_counted(monkeypatch):
    from outplay.search.montecarlo import playout_kernel, playout_layout

    state = start(4, lucky=True, length=7)
    whole = playouts(random_game, state, number=300, compiled=False)
    assert len(whole.counts) > 6
    for module in (playout_layout, playout_kernel):
        monkeypatch.setattr(module, "SLOTS", 4)
    monkeypatch.setattr(playout_layout, "LENGTHS", playout_layout.SCORES + 8)
    monkeypatch.setattr(playout_kernel, "LENGTHS", playout_layout.SCORES + 8)
    assert playouts(random_game, state, number=300, compiled=False).counts == whole.counts


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({}, LimitError, "playouts need a limit: give number or seconds, or both; such as number=10_000"),
        ({"number": 0}, LimitError, "number=0 is not a valid limit; it must be a whole number of games above 0"),
        ({"number": 2.5}, LimitError, "number=2.5 is not a valid limit"),
        ({"number": True}, LimitError, "number=True is not a valid limit"),
        ({"seconds": -1}, LimitError, "seconds=-1 is not a valid limit; it must be a number above 0"),
        ({"number": 1, "seed": "x"}, OptionError, "seed='x' must be a whole number"),
        ({"number": 1, "plies": 0}, OptionError, "plies=0 must be a whole number from 1 to 10,000,000"),
        ({"number": 1, "threads": 0}, OptionError, "threads=0 must be a whole number from 1 to 256"),
        ({"number": 1, "policy": "clever"}, OptionError, "pile has no opponent 'clever'"),
        ({"number": 1, "policy": 7}, OptionError, 'a described opponent is "random", the name of a policy or a function'),
        ({"number": 1, "policy": lambda state: 5}, RuleError, "which is not legal"),
        ({"number": 1, "state": pile().start._replace(stones=0)}, StateError, "the game is over, and there is nothing to play"),
    ],
)
def test_bad_input_is_refused_in_words(options, error, words):
    with pytest.raises(error) as raised:
        playouts(pile(), options.pop("state", None), compiled=False, check=False, **options)
    assert words in str(raised.value)


def test_what_is_no_game_is_refused():
    with pytest.raises(GameError, match="playouts take a Game, and got 'pig'; load\\('pig'\\) gives the one of that name"):
        playouts("pig", number=1)


def dice(**changes):
    return coin().replace(**changes)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (dice(chances=lambda state: iter(())), "chances of 'coin' yields nothing in"),
        (dice(chances=lambda state: iter(((1, 1.5), (0, -0.5)))), "probabilities must be above 0 and sum to 1"),
        (dice(chances=lambda state: iter(((1, 0.5), (0, 0.4)))), "these sum to 0.9"),
        (dice(chances=None), "returns CHANCE in Fortune(wealth=0.0, bet="),
        (pile(turn=lambda state: 7), "turn of 'pile' is 7 in"),
        (pile(score=lambda state: 3), "score of 'pile' is 3 in"),
        (pile(moves=lambda state: iter(())), "yields nothing in"),
        (pile(max_moves=1), "has more than max_moves=1 moves or outcomes in"),
    ],
)
def test_a_wrong_rule_is_named_with_its_state(game, words):
    with pytest.raises(RuleError) as raised:
        playouts(game, number=5, compiled=False, check=False)
    assert words in str(raised.value)


def test_a_rule_that_raises_is_named_with_its_line_even_where_compiled():
    def play(state, move):
        return type(state)(state.stones - move, (1 - state.player) // (0 if state.stones == 3 else 1))

    with pytest.raises(RuleRaised, match="ZeroDivisionError"):
        playouts(pile(play=play), number=5, compiled=False, check=False)


def test_compiled_faults_are_told_with_their_state_too():
    with pytest.raises(RuleError, match="score of 'random tree' is .* in State\\(seed="):
        playouts(random_game.replace(low=-1, high=1), number=200, check=False)


def test_a_stopper_ends_playouts_with_what_was_played():
    stopper = Stopper()
    stopper.stop()
    found = playouts(pile(), seconds=600, compiled=False, stopper=stopper)
    assert (found.number, found.stopped_by, found.mean) == (0, "stop", None)
    assert found.explain().startswith("No game was finished: the limit was reached before.")


def test_seconds_end_playouts():
    found = playouts(pile(), seconds=0.05, compiled=False)
    assert found.stopped_by == "time"
    assert found.number == sum(found.counts.values())


def test_the_result_is_plain_data_and_shows_itself():
    found = playouts(random_game, start(5, lucky=True, length=7), number=400, compiled=False)
    assert isinstance(found, Playouts)
    data = json.loads(json.dumps(found.to_dict()))
    assert sum(entry["games"] for entry in data["counts"]) == data["number"] == 400
    assert sum(entry["games"] for entry in data["lengths"]["counts"]) == 400
    html = found._repr_html_()
    assert html.count("<svg") == 3  # the state and two histograms
    assert "games by score" in html
    assert "random games are worth" in found.explain()
    with pytest.raises(TypeError):
        found.counts[0.0] = 1
    with pytest.raises(AttributeError):
        found.mean = 1


def test_the_command_line_plays_and_prints_json():
    shown = CliRunner().invoke(app, ["playouts", "tic-tac-toe", "XOX.O....", "--number", "200", "--seed", "3"])
    assert shown.exit_code == 0
    assert "200 random games are worth" in shown.output
    printed = CliRunner().invoke(app, ["playouts", "tic-tac-toe", "--number", "200", "--threads", "2", "--json"])
    data = json.loads(printed.output)
    assert (data["number"], data["stopped_by"], data["seed"]) == (200, "number", 0)
    assert data["counts"] == playouts(load("tic-tac-toe"), number=200).to_dict()["counts"]


def test_the_command_line_takes_a_policy_of_the_game():
    printed = CliRunner().invoke(app, ["playouts", "blacksin", "--number", "20", "--policy", "house", "--json"])
    assert json.loads(printed.output)["policy"] == "house"
    with pytest.raises(OptionError, match="playouts have no best policy: name random, a policy of the game"):
        CliRunner().invoke(app, ["playouts", "blacksin", "--policy", "best"], catch_exceptions=False)


def test_ctrl_c_carries_what_was_played(monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("outplay.runtime.overdue.SearchWatch.look", stop)
    with pytest.raises(Interrupted) as raised:
        playouts(pile(), number=10**9, compiled=False)
    assert raised.value.result.stopped_by == "stop"
    assert raised.value.result.number > 0
