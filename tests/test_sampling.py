"""Sampled chance: a fixed sample of outcomes stands for all, and the result says so with its error."""

import math
from typing import NamedTuple

import pytest

from outplay import CHANCE, OVER, Game, minimax, search
from outplay.errors import OptionError
from outplay.rules.bits import mix
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.search.kernel import thin_out

FACES = 40


class State(NamedTuple):
    luck: int  # which values the outcomes have
    rolls: int  # that are left
    rolling: bool
    total: int


def turn(state):
    if state.rolls == 0:
        return OVER
    return CHANCE if state.rolling else 0


def moves(state):
    yield 0
    yield 1


def chances(state):
    for face in range(FACES):
        yield face, (face + 1) / (FACES * (FACES + 1) / 2)


def play(state, choice):
    if not state.rolling:
        return State(state.luck, state.rolls, True, 2 * state.total + choice)
    return State(state.luck, state.rolls - 1, False, state.total + mix(state.luck, choice) % 100)


def score(state):
    return mix(state.luck, state.total) % 1000 / 1000


dice = Game(
    name="many faces", start=State(1, 1, False, 0), turn=turn, moves=moves, chances=chances, play=play, score=score, low=0, high=1
)


def with_samples(samples, seed):
    """The same game with the sampled outcomes as its chances: what a sampled search must be equal to."""
    rules = InterpretedRules(dice)

    def sampled(state):
        memory = {}
        for place, (outcome, probability) in enumerate(chances(state)):
            memory[4 * place], memory[4 * place + 1] = outcome, probability
        kept = thin_out(memory, 0, FACES, samples, mix(seed, rules.key(state)))
        for place in range(kept):
            yield memory[4 * place], memory[4 * place + 1]

    return dice.replace(chances=sampled)


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_a_sampled_search_is_the_search_of_the_sampled_game(seed):
    told = minimax(with_samples(5, seed), State(3, 2, False, 0), depth=5, compiled=False).value
    for only in (None, (), ("pruning", "star1"), ("star2", "pruning", "scout", "table")):
        found = search(dice, State(3, 2, False, 0), depth=5, samples=5, seed=seed, compiled=False, only=only)
        assert found.value == pytest.approx(told, abs=1e-12)
        assert not found.proven


@pytest.mark.parametrize("compiled", [False, True])
def test_outcomes_outside_the_sample_are_not_searched(compiled):
    state = State(3, 1, True, 0)
    found = search(dice, state, depth=3, samples=5, compiled=compiled)
    known = {one.move: one.value for one in found.candidates if one.value is not None}
    assert len(found.candidates) == FACES
    assert known == {face: score(play(state, face)) for face in known}
    sampled = list(with_samples(5, 0).chances(state))
    assert set(known) == {face for face, _ in sampled}
    assert found.value == pytest.approx(sum(share * known[face] for face, share in sampled))
    assert found.candidates[0].probability == pytest.approx(2 / (FACES * (FACES + 1)))


def test_compiled_and_interpreted_draw_the_same_samples():
    for luck in range(5):
        one = search(dice, State(luck, 2, False, 0), depth=5, samples=6, seed=luck)
        other = search(dice, State(luck, 2, False, 0), depth=5, samples=6, seed=luck, compiled=False)
        assert (one.value, one.move, one.nodes, one.error) == (other.value, other.move, other.nodes, other.error)


def test_an_outcome_is_drawn_as_often_as_it_is_likely():
    number, samples = 2000, 7
    sums = [0.0] * FACES
    for seed in range(number):
        memory = {}
        for place, (outcome, probability) in enumerate(chances(None)):
            memory[4 * place], memory[4 * place + 1] = outcome, probability
        kept = thin_out(memory, 0, FACES, samples, mix(seed, 99))
        assert sum(memory[4 * place + 1] for place in range(kept)) == pytest.approx(1)
        for place in range(kept):
            sums[memory[4 * place]] += memory[4 * place + 1]
    for outcome, probability in chances(None):
        # A sample holds floor or ceiling of samples * p, so each mean has this deviation at most.
        deviation = math.sqrt(samples * probability / number) / samples
        assert abs(sums[outcome] / number - probability) < 4.5 * deviation


def test_the_interval_holds_the_true_value_as_often_as_it_says():
    held = 0
    for luck in range(200):
        state = State(luck, 1, True, 0)
        found = search(dice, state, depth=1, samples=12, seed=luck, compiled=False, check=False)
        held += abs(found.value - minimax(dice, state, depth=1, compiled=False).value) <= found.error
    assert 180 <= held <= 200  # 95 % of 200 is 190; samples at even distances do somewhat better


def test_all_outcomes_are_looked_at_where_there_are_no_more_than_samples():
    found = search(dice, State(3, 1, False, 0), depth=3, samples=FACES, compiled=False)
    assert found.proven
    assert found.error == 0.0


def test_the_result_says_that_it_is_sampled():
    found = search(dice, State(3, 1, False, 0), depth=3, samples=4, seed=9, compiled=False)
    assert "a sample of 4 stands for all (seed 9)" in found.explain()
    assert "± " in found.explain()
    assert (found.to_dict()["samples"], found.to_dict()["seed"]) == (4, 9)
    assert "samples" not in search(dice, State(3, 1, False, 0), depth=3, compiled=False).to_dict()


@pytest.mark.parametrize("samples", [0, 1, -3, 2.5, "six"])
def test_samples_are_a_whole_number_of_two_or_more(samples):
    with pytest.raises(OptionError, match=r"samples=.*: give a whole number of outcomes, 2 or more"):
        search(dice, depth=3, samples=samples, compiled=False)


def test_monte_carlo_takes_no_samples():
    with pytest.raises(OptionError, match="samples is for alpha-beta"):
        search(dice, seconds=1, samples=4, method="mcts", compiled=False)
