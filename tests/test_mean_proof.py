"""Proofs of one player against chance: the mean result of best play, equal to the oracle's, however small the table and however many the threads."""

import math
import threading
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_game import random_game, start
from reward_game import fractional_rewards

from outplay import CHANCE, OVER, Game, load, minimax, solve
from outplay.errors import Interrupted, OptionError, RuleError, TooDeep
from outplay.runtime.stopper import Stopper
from outplay.solve.proof import table
from outplay.solve.proof.mean_prover import MeanProver
from outplay.solve.proof.prove import prove

seeds = st.integers(min_value=-(2**62), max_value=2**62)


def examples(number):
    return settings(max_examples=number, suppress_health_check=list(HealthCheck), database=None)


@pytest.mark.parametrize("options", [{}, {"table_mb": 0.0005}, {"threads": 2}, {"threads": 3, "table_mb": 0.0005}], ids=str)
@pytest.mark.parametrize("game", [random_game, fractional_rewards], ids=lambda game: game.name)
def test_random_trees_with_chance_have_the_oracle_s_value(game, options):
    prover = MeanProver(game, **options)

    @examples(150)
    @given(seeds, st.integers(1, 8))
    def agrees(seed, length):
        state = start(seed, lucky=True, length=length)
        assert prover.value(state) == pytest.approx(minimax(game, state, depth=length).value, abs=1e-12)

    agrees()


def test_interpreted_and_compiled_visit_the_same_nodes():
    compiled, interpreted = MeanProver(random_game), MeanProver(random_game, compiled=False)
    for seed in range(20):
        state = start(seed, lucky=True, length=7)
        assert compiled.value(state) == interpreted.value(state)
    assert compiled.nodes == interpreted.nodes


class Walk(NamedTuple):
    left: int
    place: int
    rolling: bool


def walk(**changes):
    """Steps to one side or the other, each then doubled or lost by a coin: many ways lead to the same place."""

    def turn(state):
        return OVER if state.left == 0 else CHANCE if state.rolling else 0

    def moves(state):
        yield 1
        yield -1

    def chances(state):
        yield 0, 0.25
        yield 1, 0.75

    def play(state, choice):
        if state.rolling:
            return Walk(state.left - 1, state.place * (1 + choice) % 10_007, False)
        return Walk(state.left, state.place + choice, True)

    def score(state):
        return state.place / 10_007

    rules = {"turn": turn, "moves": moves, "chances": chances, "play": play, "score": score, "max_moves": 4}
    return Game(name="walk", start=Walk(11, 5, False), low=-1, high=1, players=("you",), **{**rules, **changes})


def test_a_value_has_the_same_bits_at_any_number_of_threads():
    game = walk()
    values = {MeanProver(game, threads=threads).value() for threads in (1, 2, 4)}
    assert len(values) == 1
    assert values.pop() == pytest.approx(solve(game, method="table").value, abs=1e-12)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_table_that_grows_keeps_what_it_knows(monkeypatch, compiled):
    monkeypatch.setattr(table, "SMALL", 4)
    monkeypatch.setattr(table, "NODES_A_BUCKET", 100)
    prover = MeanProver(walk(), compiled=compiled)
    value = prover.value()
    assert prover.storage.buckets > 4
    visited = prover.nodes
    assert prover.value() == value
    assert prover.nodes - visited < visited / 10
    prover.clear()
    assert prover.nodes == 0
    assert prover.value() == value


@pytest.mark.parametrize("state", [walk().start, Walk(9, 3, True)], ids=["a move", "an outcome"])
def test_a_proof_against_chance_knows_the_value_of_every_move_and_outcome(state):
    found, told = solve(walk(), state, method="proof"), solve(walk(), state, method="table")
    assert (found.value, found.states, found.table) == (pytest.approx(told.value), 1, None)
    assert (found.moves, len(found.candidates)) == (told.moves, 2)
    for mine, theirs in zip(found.candidates, told.candidates, strict=True):
        assert (mine.move, mine.best, mine.probability) == (theirs.move, theirs.best, theirs.probability)
        assert mine.value == pytest.approx(theirs.value)
    assert ("Outcomes (to you):\n  [0]  +" if state.rolling else "Moves (to you):\n  1   +") in found.explain()
    assert found.explain().endswith("a second; the values of other states are not kept.")
    with pytest.raises(OptionError, match="finds the value of one state and makes no table"):
        found[state]


def coins(first, second):
    def chances(state):
        yield 0, first
        yield 1, second

    return chances


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"score": lambda state: 7}, "score of 'walk' is 7 in Walk.left=0"),
        ({"moves": lambda state: iter(())}, "moves .* of 'walk' yields nothing in Walk.left=11"),
        ({"max_moves": 1}, "more than max_moves=1"),
        ({"turn": lambda state: 5 if state.left < 2 else CHANCE if state.rolling else 0}, "turn of 'walk' is 5"),
        ({"chances": coins(0.5, 0.6)}, "probabilities must be above 0 and sum to 1; these sum to 1.1"),
        ({"chances": coins(1.5, -0.5)}, "probabilities must be above 0 and sum to 1"),
        ({"chances": lambda state: iter(())}, "chances of 'walk' yields nothing in Walk.left="),
        ({"reward": lambda state, choice: math.inf if state.left == 3 else 0}, "reward of 'walk' is inf for 0 in Walk.left=3"),
    ],
)
def test_a_proof_against_chance_names_the_rule_that_misbehaves(changes, words):
    with pytest.raises(RuleError, match=words):
        prove(walk(**changes), walk().start, compiled=False)


def test_a_proof_against_chance_without_end_is_reported():
    def play(state, choice):
        return Walk(state.left, state.place, not state.rolling)

    with pytest.raises(TooDeep, match='goes on for more than 1024 plies, perhaps for ever.*method="cycles"'):
        prove(walk(play=play), walk().start)


def test_a_proof_against_chance_can_be_stopped_from_another_thread():
    game, stopper = load("yahtzee"), Stopper()
    timer = threading.Timer(0.5, stopper.stop)
    timer.start()
    with pytest.raises(Interrupted, match="stopped after [0-9,]+ nodes; nothing is known of the value yet"):
        prove(game, game.start, stopper=stopper)
    timer.join()
