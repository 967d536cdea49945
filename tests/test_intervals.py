"""95 % intervals: Student's t against published tables, coverage of few values, and ends that are possible."""

import math
from random import Random
from statistics import NormalDist

import pytest

from outplay import SearchAgent, load, match, playouts, search
from outplay.arena.judgement import Level
from outplay.arena.match import Match, Played
from outplay.arena.solo import Series, Solo, SoloMatch
from outplay.intervals import clipped, half_width, mean_within, plain, share_within, student

# Two-sided 95 %, as tables of Student's t print it.
PUBLISHED = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228, 11: 2.201, 12: 2.179,
    13: 2.160, 14: 2.145, 15: 2.131, 16: 2.120, 17: 2.110, 18: 2.101, 19: 2.093, 20: 2.086, 21: 2.080, 22: 2.074, 23: 2.069,
    24: 2.064, 25: 2.060, 26: 2.056, 27: 2.052, 28: 2.048, 29: 2.045, 30: 2.042, 40: 2.021, 50: 2.009, 60: 2.000, 80: 1.990,
    100: 1.984, 120: 1.980,
}  # fmt: skip


@pytest.mark.parametrize(("freedom", "published"), PUBLISHED.items())
def test_students_t_is_that_of_published_tables(freedom, published):
    assert round(student(freedom), 3) == published


def test_the_sum_and_the_series_meet_and_the_series_ends_at_the_normal_quantile():
    below, at, above = student(99), student(100), student(101)
    assert below > at > above
    assert below - at == pytest.approx(at - above, rel=0.03)  # no step where one method follows the other
    assert student(10**12) == pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-11)
    assert student(1) == pytest.approx(math.tan(0.95 * math.pi / 2), rel=1e-12)  # the Cauchy distribution
    assert student(2) == pytest.approx(0.95 * math.sqrt(2 / (1 - 0.95**2)), rel=1e-12)


def test_an_interval_of_four_values_holds_the_mean_in_95_of_100_cases():
    draw, held, held_by_normal, rounds = Random(1), 0, 0, 4000
    for _ in range(rounds):
        mean, half = mean_within([draw.gauss(0, 1) for _ in range(4)])
        held += abs(mean) <= half
        held_by_normal += abs(mean) <= half * 1.96 / student(3)
    assert held / rounds == pytest.approx(0.95, abs=0.012)
    assert held_by_normal / rounds < 0.9  # what 1.96 standard errors would hold


def test_fewer_than_two_values_tell_no_interval():
    assert mean_within([3.0]) == (3.0, math.inf)
    assert half_width(0.5, 1) == math.inf
    assert clipped(3.0, math.inf, 0, 5) is None
    assert clipped(3.0, 0.0, 0, 5) is None  # values that are all alike would claim certainty


def test_an_interval_ends_where_no_mean_can_be():
    assert clipped(0.9, 0.3, 0, 1) == (pytest.approx(0.6), 1)
    assert clipped(0.1, 0.3, 0, 1) == (0, pytest.approx(0.4))
    assert clipped(1.5, 0.25, 0, 1) == (1.25, 1.5)  # a mean outside its scale is never outside its interval


def test_a_share_near_its_end_has_an_interval_of_its_own():
    low, high = share_within(10, 10)  # Wilson's: 1 / (1 + z² / n)
    assert (low, high) == (pytest.approx(0.72247, abs=1e-5), 1.0)
    assert share_within(0, 0) == (0.0, 1.0)


def test_plain_numbers_have_no_infinity():
    assert plain((0.5, math.inf)) == [0.5, None]
    assert plain(None) is None


def test_a_match_of_few_games_says_no_more_than_is_possible():
    played = tuple(Played(score, number % 2, 5) for number, score in enumerate([1, -1, 1, 1, -1, -1, 1, -1]))
    found = Match("toy", "a", "b", played, scale=(-1, 1))
    assert found.rate_interval == (pytest.approx(0.75 - 3.182446 * 0.28868 / 2, abs=1e-4), 1.0)
    assert found.margin_interval == (pytest.approx(0.5 - 2 * 3.182446 * 0.28868 / 2, abs=1e-4), 1.0)
    assert "75.0% of the points (95 %: 29.1% to 100.0%); mean margin +0.50 (95 %: -0.42 to +1.00)" in str(found)
    assert found.to_dict()["rate_interval"] == list(found.rate_interval)


def test_a_played_match_knows_the_scale_of_its_game():
    found = match(load("connect-four:columns=4,rows=4"), SearchAgent(depth=1, compiled=False), "random", games=8, seed=6)
    assert found.scale == (-5.0, 5.0)
    low, high = found.margin_interval
    assert -5 <= low <= found.margin[0] <= high <= 5


def test_scores_of_a_solitaire_stay_on_the_scale_too():
    def series(agent, *scores):
        return Series(agent, tuple(Solo(score, 1, "start", (place,)) for place, score in enumerate(scores)), (0.0, 10.0))

    one, other = series("a", 9, 10, 7), series("b", 0, 3, 0)
    assert one.interval == (pytest.approx(8.6667 - 4.302653 * 1.527525 / math.sqrt(3), abs=1e-3), 10.0)
    assert other.interval[0] == 0.0
    found = SoloMatch("toy", (one, other))
    low, high = found.difference_interval
    assert -10 <= low < found.difference[0] < high <= 10
    assert "a, 3 games: mean score 8.67 (95 %: 4.87 to 10.00), median 9" in str(found)
    assert "a scores +7.67 (95 %: +4.80 to +10.00) more a game than b" in str(found)
    assert "a scores +7.67 (95 %: +4.80 to +10.00) more a game than b" in str(SoloMatch("toy", (other, one)))


def test_what_a_choice_gives_away_is_never_less_than_nothing():
    level = Level(
        positions=3, decisive=3, kept=2, kept_by_chance=0.5, best=2, loss=0.1, loss_error=0.4, by_sign=True, most_loss=2.0
    )
    assert level.loss_interval == (0.0, 0.5)


def test_playouts_and_simulations_have_such_intervals_too():
    game = load("tic-tac-toe")
    found = playouts(game, number=3, seed=1, compiled=False)
    assert found.interval is not None
    low, high = found.interval
    assert -1 <= low < found.mean < high <= 1
    by_normal = 1.96 * math.sqrt(sum((score - found.mean) ** 2 * times for score, times in found.counts.items()) / 2 / 3)
    assert low == -1 or found.mean - low > 2 * by_normal
    tried = search(game, method="mcts", simulations=40, compiled=False)
    for one in tried.candidates:
        if one.interval is not None:
            assert -1 <= one.interval[0] <= one.value <= one.interval[1] <= 1
