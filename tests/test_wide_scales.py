"""Values stay those of plain minimax where `low` and `high` are much wider than the scores: rounding must not decide."""

import itertools
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_game import bounds, hashed, in_band, random_game, scaled, start

from outplay import CHANCE, OVER, Game, minimax, search, solve
from outplay.errors import GameError
from outplay.search.techniques import TECHNIQUES

WIDTHS = (10.0, 1e9, 3e14, 1e16, 1e17, 1e30, 1e100, 1e300, 8e307)
CLOSE = 1e-13  # relative to the largest score: plain minimax itself rounds

seeds = st.integers(min_value=-(2**62), max_value=2**62)
some_techniques = st.sets(st.sampled_from(TECHNIQUES)).map(lambda chosen: tuple(sorted(chosen)))


def examples(number):
    return settings(max_examples=number, suppress_health_check=list(HealthCheck), database=None)


class Dice(NamedTuple):
    ply: int
    spot: int


def dice_game(width):
    """A max node over two dice nodes, worth 5 and 10.25."""
    return Game(
        name=f"dice of {width:g}",
        start=Dice(0, 0),
        turn=lambda state: (0, CHANCE, OVER)[state.ply],
        moves=lambda state: (0, 1),
        chances=lambda state: tuple((outcome, 0.25) for outcome in range(4)),
        play=lambda state, choice: Dice(state.ply + 1, 4 * state.spot + choice),
        score=lambda state: (5, 5, 5, 5, 20, 6, 5, 10)[state.spot],
        low=-width,
        high=width,
        max_moves=4,
    )


def widened(width, *, bounded=False):
    """The random trees on a scale of *width*; where *bounded*, their rules know a little of it."""

    def wide_bounds(state):
        low, high = bounds(state)
        return (-width if low else 0), (width if high else 0)

    return random_game.replace(low=-width, high=width, bounds=wide_bounds if bounded else None)


def mixed(width):
    """The random trees with a few scores as large as the scale among the small ones."""

    def mixed_score(state):
        value = in_band(state, hashed(state, 6) % 21 - 10)
        return value * (width / 10) if hashed(state, 61) % 8 == 0 else value

    return random_game.replace(low=-width, high=width, bounds=None, score=mixed_score, estimate=mixed_score)


GAMES = {(width, bounded): widened(width, bounded=bounded) for width in WIDTHS for bounded in (False, True)}
MIXED = {width: mixed(width) for width in WIDTHS}


def assert_agrees(game, state, depth, largest, **options):
    """The value and every candidate are plain minimax's, to within the rounding of the scores."""
    if game.turn(state) == OVER:
        return
    told = minimax(game, state, depth=depth, compiled=False).value
    found = search(game, state, depth=depth, compiled=False, **options)
    near = CLOSE * largest
    assert abs(found.value - told) <= near
    for candidate in found.candidates:
        value = minimax(game, game.play(state, candidate.move), depth=candidate.depth - 1, compiled=False).value
        assert candidate.bound != "exact" or abs(candidate.value - value) <= near
        assert candidate.bound != "at least" or value >= candidate.value - near
        assert candidate.bound != "at most" or value <= candidate.value + near
        assert candidate.move != found.move or abs(value - told) <= near


@pytest.mark.parametrize("width", WIDTHS[1:])
def test_the_better_of_two_dice_is_found_on_every_scale(width):
    game = dice_game(width)
    for number in range(len(TECHNIQUES) + 1):
        for only in itertools.combinations(TECHNIQUES, number):
            found = search(game, depth=2, only=only, compiled=False)
            assert (found.move, found.value, found.proven) == (1, 10.25, True), (only, width)


@examples(500)
@given(seeds, st.integers(1, 6), some_techniques, st.integers(1, 6), st.sampled_from(WIDTHS), st.booleans())
def test_any_techniques_give_the_oracle_s_value_on_a_wide_scale(seed, depth, only, length, width, bounded):
    assert_agrees(GAMES[width, bounded], start(seed, lucky=True, length=length), depth, 10.0, only=only)


@examples(500)
@given(seeds, st.integers(1, 6), st.integers(1, 6), st.sampled_from(WIDTHS), st.booleans())
def test_all_techniques_together_give_the_oracle_s_value_on_a_wide_scale(seed, depth, length, width, bounded):
    assert_agrees(GAMES[width, bounded], start(seed, lucky=True, length=length), depth, 10.0)


@examples(500)
@given(seeds, st.integers(1, 6), some_techniques, st.integers(1, 6), st.sampled_from(WIDTHS))
def test_large_scores_do_not_blur_small_ones_elsewhere_in_the_tree(seed, depth, only, length, width):
    game, state = MIXED[width], start(seed, lucky=True, length=length)
    if game.turn(state) != OVER:
        told = minimax(game, state, depth=depth, compiled=False).value
        assert search(game, state, depth=depth, only=only, compiled=False).value == pytest.approx(told, rel=CLOSE, abs=0)


def test_compiled_code_cuts_at_the_same_nodes_on_a_wide_scale():
    game = GAMES[1e17, True]
    for seed in range(150):
        state = start(seed * 7919, lucky=True, length=6)
        if game.turn(state) != OVER:
            compiled, interpreted = (search(game, state, depth=5, compiled=compiled, check=False) for compiled in (True, False))
            assert (compiled.value, compiled.nodes) == (interpreted.value, interpreted.nodes)
            assert compiled.value == pytest.approx(minimax(game, state, depth=5).value, abs=CLOSE * 10)


def test_a_search_on_a_wide_scale_still_cuts():
    game, plain = GAMES[1e300, False], 0
    nodes = 0
    for seed in range(60):
        state = start(seed * 7919, lucky=True, length=6)
        if game.turn(state) != OVER:
            nodes += search(game, state, depth=6, compiled=False).nodes
            plain += minimax(game, state, depth=6, compiled=False).nodes
    assert nodes < plain


@pytest.mark.parametrize("factor", [1e-300, 1e-17, 1e300])
def test_scores_as_wide_as_the_scale_are_told_apart(factor):
    game = scaled(factor)
    for seed in range(150):
        state = start(seed * 7919, lucky=True, length=6)
        assert_agrees(game, state, 5, game.high)


@pytest.mark.parametrize(
    ("low", "high"),
    [(-1e308, 1), (-1, 1.7e308), (-1, 10**400), (1, 1), (2, 1), (float("nan"), 1), (0, float("inf")), ("0", 1), (None, 1)],
)
def test_a_scale_that_no_search_can_add_up_is_refused(low, high):
    with pytest.raises(GameError, match="must be finite numbers with low below high, between -8e\\+307 and 8e\\+307"):
        random_game.replace(low=low, high=high)


def test_a_huge_loss_among_the_moves_does_not_make_the_others_equal_in_a_solved_table():
    game = dice_game(1e17).replace(
        moves=lambda state: (0, 1, 2),
        turn=lambda state: OVER if state.ply == 2 or state.spot == 2 else 0 if state.ply == 0 else CHANCE,
        score=lambda state: (5, 5, -1e17, 5, 20, 6, 5, 10)[state.spot],
        chances=lambda state: tuple((outcome, 0.25 if state.spot else 1.0) for outcome in range(4 if state.spot else 1)),
    )
    solution = solve(game, method="cycles", compiled=False)
    assert (solution.value, solution.moves) == (10.25, (1,))
