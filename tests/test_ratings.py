"""Ratings and the sequential test: by hand, at the edges, and calibrated on simulated tournaments."""

import numpy as np
import pytest
import simulated

from outplay.arena.ratings import PAIR_POINTS, difference_interval, expected_score, pairings, rate
from outplay.arena.sprt import Sprt
from outplay.errors import OptionError

# Agents, pairs of each pairing, spread in Elo, draws, starts that decide. The constants of the ratings were chosen on other scenes.
SCENES = [
    (2, 20, 100, 0.3, 0.0),
    (4, 10, 300, 0.3, 0.3),
    (6, 20, 400, 0.0, 0.0),
    (4, 20, 800, 0.3, 0.2),  # perfect and random agents in one class
]
LONG_SCENES = [
    *SCENES,
    (8, 25, 150, 0.6, 0.4),
    (3, 100, 200, 0.5, 0.8),
    (10, 4, 200, 0.2, 0.2),
    (4, 20, 600, 0.3, 0.2),
    (6, 15, 600, 0.0, 0.0),
    (8, 10, 800, 0.2, 0.3),
    (2, 5, 200, 0.3, 0.0),
    (4, 5, 150, 0.5, 0.3),
]


def counted(agents, **results):
    """Return the counts of a tournament; `ab=[...]` are the points that a had of each pair with b."""
    counts = np.zeros((len(pairings(agents)), 5))
    for names, points in results.items():
        row = pairings(agents).index(tuple("abcdef".index(name) for name in names))
        for got in points:
            counts[row, round(2 * got)] += 1
    return counts


def test_three_quarters_of_the_points_are_191_elo():
    found = rate(counted(2, ab=[2] * 500 + [1] * 500), 2)
    assert found.elo[0] - found.elo[1] == pytest.approx(190.85, abs=0.5)
    assert expected_score(190.85) == pytest.approx(0.75, abs=1e-4)


def test_ratings_add_up_to_nothing_and_follow_the_results():
    found = rate(counted(3, ab=[2, 1, 1.5, 2], bc=[1, 2, 1, 1.5], ac=[2, 2, 1.5, 2]), 3)
    assert found.elo.sum() == pytest.approx(0, abs=1e-9)
    assert found.elo[0] > found.elo[1] > found.elo[2]
    assert found.superiority(0, 2) > found.superiority(0, 1) > 0.5
    assert found.superiority(0, 1) + found.superiority(1, 0) == pytest.approx(1)


def test_the_interval_of_the_mean_share_agrees_with_the_one_by_hand():
    """Two agents, many pairs: the interval of the difference is that of the mean of the pairs, put on Elo's scale."""
    points = np.array([2.0] * 300 + [1.5] * 200 + [1.0] * 300 + [0.5] * 100 + [0.0] * 100)
    found = rate(counted(2, ab=points), 2)
    share, error = points.mean() / 2, 1.96 * points.std(ddof=1) / 2 / np.sqrt(len(points))
    slope = 400 / np.log(10) / (share * (1 - share))
    assert found.difference_error[0, 1] == pytest.approx(slope * error, rel=0.01)
    assert found.error[0] == pytest.approx(found.difference_error[0, 1] / 2, rel=0.01)


def test_drawn_games_give_the_same_rating_with_a_narrower_interval():
    drawn, decided = rate(counted(2, ab=[1.0] * 50), 2), rate(counted(2, ab=[2.0, 0.0] * 25), 2)
    assert drawn.elo[0] == pytest.approx(decided.elo[0], abs=1e-6)
    assert drawn.error[0] < 0.5 * decided.error[0]


def test_an_agent_that_won_everything_has_a_finite_rating_and_a_wide_interval():
    few, many = rate(counted(2, ab=[2.0] * 5), 2), rate(counted(2, ab=[2.0] * 500), 2)
    assert 300 < few.elo[0] - few.elo[1] < 800 < many.elo[0] - many.elo[1] < 2000
    assert few.superiority(0, 1) > 0.95  # five pairs won are enough to tell who is stronger
    assert few.error[0] > 100
    assert many.error[0] > 100


def test_the_interval_is_wider_on_the_side_on_which_the_games_say_less():
    found = rate(counted(3, ab=[2.0] * 10, ac=[2.0] * 10, bc=[1.5, 0.5] * 5), 3)
    assert found.high[0] - found.elo[0] > 1.5 * (found.elo[0] - found.low[0])
    low, high = difference_interval(counted(3, ab=[2.0] * 10, ac=[2.0] * 10, bc=[1.5, 0.5] * 5), 3, 0, 1)
    assert 0 < low < found.elo[0] - found.elo[1] < high
    assert difference_interval(counted(2, ab=[1.5, 0.5, 1.0]), 2, 0, 1)[0] == pytest.approx(
        -difference_interval(counted(2, ab=[1.5, 0.5, 1.0]), 2, 1, 0)[1], abs=0.1
    )


def test_agents_that_no_game_connects_have_no_rating_worth_the_name():
    found = rate(counted(4, ab=[2, 1, 2, 1.5]), 4)
    assert found.error[2] > 2000
    assert found.error[0] > 1000
    assert found.superiority(2, 3) == pytest.approx(0.5)
    assert found.superiority(0, 1) > 0.9


def test_one_tournament_and_many_at_once_are_the_same():
    _, counts = simulated.tournaments(5, 4, 6, spread=200, draws=0.3, decided=0.2, source=np.random.default_rng(3))
    together = rate(counts, 4)
    for number in range(5):
        alone = rate(counts[number], 4)
        assert together.elo[number] == pytest.approx(alone.elo, abs=1e-4)
        assert together.low[number] == pytest.approx(alone.low, abs=0.1)
        assert together.high[number] == pytest.approx(alone.high, abs=0.1)


def coverage(number, scene, seed):
    agents, pairs, spread, draws, decided = scene
    source = np.random.default_rng(seed)
    truth, counts = simulated.tournaments(number, agents, pairs, spread=spread, draws=draws, decided=decided, source=source)
    found = rate(counts, agents)
    low, high = difference_interval(counts, agents, 0, agents - 1)
    difference = truth[:, 0] - truth[:, -1]
    return np.mean((found.low <= truth) & (truth <= found.high)), np.mean((low <= difference) & (difference <= high))


@pytest.mark.parametrize("scene", SCENES)
def test_the_intervals_hold_the_truth_95_times_of_100(scene):
    ratings, differences = coverage(1000, scene, seed=14)
    assert 0.93 <= ratings <= 0.97
    assert 0.925 <= differences <= 0.975


@pytest.mark.fuzz
@pytest.mark.parametrize("scene", LONG_SCENES)
def test_fuzz_the_intervals_hold_the_truth_over_ten_thousand_tournaments(scene):
    ratings, differences = coverage(10_000, scene, seed=None)
    print(f"{scene}: {ratings:.2%} of the ratings, {differences:.2%} of the differences")
    assert 0.93 <= ratings <= 0.97
    assert 0.93 <= differences <= 0.97


def error_rates(number, test, draws, decided, seed):
    source = np.random.default_rng(seed)
    false_one, _ = simulated.sequential(test, test.elo0, number, draws=draws, decided=decided, source=source)
    false_zero, _ = simulated.sequential(test, test.elo1, number, draws=draws, decided=decided, source=source)
    return np.mean(false_one > 0), np.mean(false_zero < 0)


TESTS = [(Sprt(0, 50), 0.3, 0.3), (Sprt(-30, 30, 0.1, 0.05), 0.5, 0.0)]
LONG_TESTS = [
    *TESTS,
    (Sprt(-15, 15, 0.1, 0.05), 0.5, 0.0),
    (Sprt(0, 20), 0.3, 0.5),
    (Sprt(0, 100), 0.3, 0.0),
    (Sprt(-50, 50), 0.4, 0.3),
]


@pytest.mark.parametrize(("test", "draws", "decided"), TESTS)
def test_the_sequential_test_errs_as_often_as_it_says(test, draws, decided):
    """With 1,500 tests a rate of 5 % is known to half a point."""
    first, second = error_rates(1500, test, draws, decided, seed=7)
    assert first == pytest.approx(test.alpha, abs=0.02)
    assert second == pytest.approx(test.beta, abs=0.02)


@pytest.mark.fuzz
@pytest.mark.parametrize(("test", "draws", "decided"), LONG_TESTS)
def test_fuzz_the_sequential_test_errs_within_a_point_of_what_it_says(test, draws, decided):
    first, second = error_rates(20_000, test, draws, decided, seed=None)
    print(f"{test}: {first:.2%} and {second:.2%}")
    assert first == pytest.approx(test.alpha, abs=0.01)
    assert second == pytest.approx(test.beta, abs=0.01)


def test_the_ratio_of_likelihoods_is_that_of_the_constrained_fits():
    """Checked by another method: the best five probabilities with a given mean, found by a search over one parameter."""
    counts, test = np.array([4.0, 9.0, 40.0, 21.0, 8.0]), Sprt(0, 30)

    def best(mean):
        grid = np.linspace(-1 / (1 - mean) + 1e-6, 1 / mean - 1e-6, 400_001)
        chances = (counts / counts.sum()) / (1 + grid[:, None] * (PAIR_POINTS / 2 - mean))
        row = chances[np.argmin(np.abs(chances.sum(1) - 1) + 10 * np.abs(chances @ PAIR_POINTS / 2 - mean))]
        return counts @ np.log(row)

    assert test.ratio(counts) == pytest.approx(best(expected_score(30)) - best(expected_score(0)), abs=2e-3)


def test_pairs_after_the_verdict_do_not_count():
    test = Sprt(0, 50)
    won = test.decide([2.0] * 200)
    assert won.verdict == 1
    assert won.ratio >= won.bounds[1] < test.bounds[1]  # a pair moves the ratio by a step: the bound lies a little nearer
    assert sum(won.counts) < 50
    assert test.decide([2.0] * sum(won.counts) + [0.0] * 100) == won
    assert "accepted that the difference is 50 Elo or more" in won.explain()
    lost = test.decide([0.5] * 200)
    assert lost.verdict == -1
    assert "0 Elo or less" in str(lost)
    assert test.decide([2.0, 2.0]).verdict == 0
    assert "no verdict yet" in test.decide([]).explain()
    assert won.to_dict()["accepted"] == "elo1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5", "write ELO0,ELO1"),
        ("a,b", "write ELO0,ELO1"),
        ("10,0", "must be larger than the first"),
        ("0,inf", "must be larger than the first"),
        ("0,10,0.6,0.05", "each lies between 0 and 0.5"),
    ],
)
def test_a_test_that_makes_no_sense_is_refused(text, message):
    with pytest.raises(OptionError, match=message):
        Sprt.read(text)


def test_a_test_is_read_from_text():
    assert Sprt.read("0,10") == Sprt(0, 10, 0.05, 0.05)
    assert Sprt.read("-5,5,0.1,0.2") == Sprt(-5, 5, 0.1, 0.2)
