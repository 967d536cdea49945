"""Every combination of techniques returns the oracle's value, on thousands of random trees; `make fuzz` has many more."""

import itertools
import os
import time

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_game import estimate, random_game, scaled, start

from outplay import CHANCE, OVER, minimax, search, trace
from outplay.search.kernel import explore, recall
from outplay.search.techniques import TECHNIQUES

seeds = st.integers(min_value=-(2**62), max_value=2**62)
some_techniques = st.sets(st.sampled_from(TECHNIQUES)).map(lambda chosen: tuple(sorted(chosen)))


def examples(number):
    return settings(max_examples=number, suppress_health_check=list(HealthCheck), database=None)


def assert_agrees(state, depth, game=random_game, **options):
    """The value, the candidates, the line and the proof are what the oracle says."""
    told = minimax(game, state, depth=depth).value
    found = search(game, state, depth=depth, **options)
    near = 1e-9 if state.lucky else 0.0
    assert abs(found.value - told) <= near
    for candidate in found.candidates:
        child = game.play(state, candidate.move)
        value = minimax(game, child, depth=candidate.depth - 1).value
        assert candidate.bound != "exact" or abs(candidate.value - value) <= near
        assert candidate.bound != "at least" or value >= candidate.value - near
        assert candidate.bound != "at most" or value <= candidate.value + near
        assert candidate.move != found.move or abs(value - told) <= near
    if found.proven:
        assert abs(minimax(game, state, depth=state.length).value - told) <= near
    game.after(state, found.line)  # every choice in it is legal
    if not state.lucky:
        assert_line_leads_to_value(state, found)
    return found


def assert_line_leads_to_value(state, found):
    """A line followed to its end reaches the value; one that ends early does so at a node of that value."""
    assert found.line[0] == found.move
    for choice in found.line:
        state = random_game.play(state, choice)
    assert minimax(random_game, state, depth=found.depth - len(found.line)).value == found.value


@examples(800)
@given(seeds, st.integers(1, 7), some_techniques, st.integers(1, 8))
def test_any_techniques_give_the_oracle_s_value_without_chance(seed, depth, only, length):
    assert_agrees(start(seed, lucky=False, length=length), depth, only=only)


def knowing(state):
    """Bounds that know everything at the root, and below it what the game knows."""
    if state.ply > 0:
        return random_game.bounds(state)
    value = minimax(random_game, state, depth=state.length).value
    return value, value


@examples(150)
@given(seeds, st.integers(1, 5), some_techniques, st.booleans())
def test_the_move_is_a_best_one_where_bounds_already_know_the_value(seed, length, only, lucky):
    state = start(seed, lucky=lucky, length=length)
    found = search(random_game.replace(bounds=knowing), state, depth=length, only=(*only, "bounds"), compiled=False)
    told = minimax(random_game, state, depth=length).value
    assert abs(found.value - told) <= 1e-9
    after = minimax(random_game, random_game.play(state, found.move), depth=length - 1).value
    assert abs(after - told) <= 1e-9


@examples(800)
@given(seeds, st.integers(1, 6), some_techniques, st.integers(1, 7))
def test_any_techniques_give_the_oracle_s_value_with_chance(seed, depth, only, length):
    assert_agrees(start(seed, lucky=True, length=length), depth, only=only)


def coarse(state):
    return estimate(state) // 5 * 5


def test_bounds_from_some_replies_order_moves_that_opinions_do_not(monkeypatch):
    """Every move is put off until it has a bound, even where there are few moves. Many values are equal."""
    game = random_game.replace(name="random tree of few values", rank=None, estimate=coarse)
    monkeypatch.setitem(explore.__globals__, "BROAD", 1)
    monkeypatch.setitem(explore.__globals__, "AFFORDED", 1 << 30)
    put_off = []
    monkeypatch.setitem(explore.__globals__, "recall", lambda *place: put_off.append(recall(*place)))
    for seed in range(400):
        state, depth = start(seed, lucky=True, length=2 + seed % 7), 2 + seed % 3
        found = assert_agrees(state, depth, game, compiled=False)
        recorded = trace(game, state, depth=depth).result
        assert (recorded.nodes, recorded.candidates) == (found.nodes, found.candidates)
    assert len(put_off) > 50


@examples(150)
@given(seeds, st.integers(1, 4), some_techniques)
def test_each_outcome_at_a_chance_root_has_the_oracle_s_value(seed, depth, only):
    state = start(seed, lucky=True, length=7)
    while random_game.turn(state) not in (CHANCE, OVER):
        state = random_game.play(state, 0)
    assume(random_game.turn(state) == CHANCE)
    found = search(random_game, state, depth=depth, only=only, compiled=False)
    assert sum(one.probability for one in found.candidates) == pytest.approx(1)
    for one in found.candidates:
        told = minimax(random_game, random_game.play(state, one.move), depth=depth, compiled=False)
        assert one.bound == "exact"
        assert one.value == pytest.approx(told.value, abs=1e-9)
        assert not one.proven or told.value == pytest.approx(
            minimax(random_game, random_game.play(state, one.move), depth=8, compiled=False).value, abs=1e-9
        )


@examples(500)
@given(seeds, st.booleans(), st.integers(1, 7))
def test_all_techniques_together_give_the_oracle_s_value(seed, lucky, depth):
    assert_agrees(start(seed, lucky=lucky, length=8), depth)


@pytest.mark.parametrize(
    ("factor", "compiled"), [(1e-9, False), *(pytest.param(factor, True, marks=pytest.mark.fuzz) for factor in (1e-9, 1e5, 1e8))]
)
def test_values_far_apart_or_close_together_are_told_apart(factor, compiled):
    game = scaled(factor)
    for seed in range(500):
        state = start(seed * 7919, lucky=True, length=7)
        if game.turn(state) != OVER:
            found = search(game, state, depth=5, compiled=compiled, check=False)
            assert abs(found.value - minimax(game, state, depth=5, compiled=compiled).value) <= 1e-9 * game.high
            game.after(state, found.line)


@pytest.mark.parametrize("lucky", [False, True])
def test_each_of_the_512_combinations_gives_the_oracle_s_value(lucky):
    trees = [start(seed, lucky=lucky, length=6) for seed in range(2)]
    told = [minimax(random_game, tree, depth=5).value for tree in trees]
    for number in range(len(TECHNIQUES) + 1):
        for only in itertools.combinations(TECHNIQUES, number):
            for tree, value in zip(trees, told, strict=True):
                assert search(random_game, tree, depth=5, only=only).value == pytest.approx(value, abs=1e-9)


@examples(300)
@given(seeds, st.booleans(), st.integers(1, 6))
def test_a_tiny_crowded_table_never_changes_a_value(seed, lucky, depth):
    assert_agrees(start(seed, lucky=lucky, length=7), depth, table_mb=0.0003)  # four buckets


@examples(60)
@given(seeds, st.booleans(), st.integers(1, 5), some_techniques)
def test_interpreted_and_compiled_search_alike(seed, lucky, depth, only):
    state = start(seed, lucky=lucky, length=6)
    compiled = search(random_game, state, depth=depth, only=only)
    interpreted = search(random_game, state, depth=depth, only=only, compiled=False)
    assert (interpreted.value, interpreted.move, interpreted.line) == (compiled.value, compiled.move, compiled.line)
    assert (interpreted.nodes, interpreted.candidates) == (compiled.nodes, compiled.candidates)
    assert minimax(random_game, state, depth=depth, compiled=False) == minimax(random_game, state, depth=depth)


@examples(100)
@given(seeds, st.booleans())
def test_a_search_without_a_depth_ends_by_proof_with_the_true_value(seed, lucky):
    state = start(seed, lucky=lucky, length=7)
    found = search(random_game, state, nodes=10**7)
    assert found.proven
    assert found.stopped_by == "proof"
    assert found.value == pytest.approx(minimax(random_game, state, depth=7).value, abs=1e-9)


@examples(100)
@given(seeds, st.booleans(), st.integers(1, 6))
def test_two_threads_find_the_same_value(seed, lucky, depth):
    assert_agrees(start(seed, lucky=lucky, length=8), depth, threads=2)


@pytest.mark.fuzz
def test_fuzz():
    """`make fuzz`: new trees until the time is up, FUZZ_SECONDS or ten minutes."""
    until, seed = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "600")), time.time_ns()
    number = 0
    while time.monotonic() < until:
        seed, number = seed + 1, number + 1
        chosen = tuple(name for place, name in enumerate(TECHNIQUES) if seed >> place & 1)
        state = start(seed * 0x9E3779B9 % 2**62, lucky=bool(seed & 1024), length=1 + seed % 10)
        if random_game.turn(state) != OVER:
            assert_agrees(state, 1 + seed // 7 % 8, only=chosen, threads=1 + seed // 3 % 2)
    print(f"{number:,} trees agree")
