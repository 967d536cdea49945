"""Rewards on the way: every search, trace and solution adds them as the oracle does."""

import json
import math
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_game import random_game, start
from reward_game import fractional_rewards, rewarded, whole_rewards

from outplay import CHANCE, OVER, Game, analyse, check, facing, match, minimax, search, solve, trace, tree_of
from outplay.agents.agent import Clock
from outplay.agents.policy import PolicyAgent
from outplay.agents.solved import SolvedAgent
from outplay.errors import GameError, OptionError, RuleError
from outplay.search.techniques import TECHNIQUES

seeds = st.integers(min_value=-(2**62), max_value=2**62)
some_techniques = st.sets(st.sampled_from(TECHNIQUES)).map(lambda chosen: tuple(sorted(chosen)))


def examples(number):
    return settings(max_examples=number, suppress_health_check=list(HealthCheck), database=None)


class Walk(NamedTuple):
    steps: int
    paid: int
    dice: bool


def walk_turn(state):
    if state.steps == 0:
        return OVER
    return CHANCE if state.dice else 0


def walk_moves(state):
    yield 1
    yield 2


def walk_chances(state):
    yield 0, 0.5
    yield 6, 0.5


def walk_play(state, choice):
    if state.dice:
        return Walk(state.steps - 1, 0, False)
    return Walk(state.steps, choice, True) if choice == 2 else Walk(state.steps - 1, 0, False)


def walk_reward(state, choice):
    return choice if state.dice else 2.0 if choice == 1 else -0.5


walk = Game(
    name="walk", start=Walk(3, 0, False), turn=walk_turn, moves=walk_moves, chances=walk_chances, play=walk_play,
    score=lambda state: 0, reward=walk_reward, low=-10, high=30,
)  # fmt: skip


def test_a_value_by_hand():
    """Each step pays 2 for sure, or -0.5 and then 0 or 6: 2.5 on average. Three steps are worth 7.5."""
    assert minimax(walk, depth=4, compiled=False).value == 7.5
    found = search(walk, depth=4, compiled=False)
    assert (found.value, found.move, found.proven) == (7.5, 2, True)
    assert [candidate.value for candidate in analyse(walk, depth=4, compiled=False).candidates] == [7.0, 7.5]
    assert tree_of(walk).value == 7.5
    assert solve(walk, compiled=False).value == 7.5


@examples(500)
@given(seeds, st.booleans(), st.integers(1, 6), some_techniques, st.integers(1, 7))
def test_any_techniques_give_the_oracle_s_value(seed, lucky, depth, only, length):
    state = start(seed, lucky=lucky, length=length)
    told = minimax(whole_rewards, state, depth=depth)
    found = search(whole_rewards, state, depth=depth, only=only)
    near = 1e-9 if lucky else 0.0
    assert abs(found.value - told.value) <= near
    for candidate in found.candidates:
        child = random_game.play(state, candidate.move)
        value = whole_rewards.reward(state, candidate.move) + minimax(whole_rewards, child, depth=candidate.depth - 1).value
        assert candidate.bound != "exact" or abs(candidate.value - value) <= near
        assert candidate.bound != "at least" or value >= candidate.value - near
        assert candidate.bound != "at most" or value <= candidate.value + near
        assert candidate.move != found.move or abs(value - told.value) <= near
    if not only:
        assert found.nodes == told.nodes


@examples(400)
@given(seeds, st.integers(1, 6), some_techniques)
def test_rewards_that_are_rounded_give_the_oracle_s_very_value(seed, depth, only):
    state = start(seed, lucky=False, length=7)
    assert (
        search(fractional_rewards, state, depth=depth, only=only).value == minimax(fractional_rewards, state, depth=depth).value
    )


def test_interpreted_and_compiled_visit_the_same_nodes():
    for seed in range(40):
        state = start(seed, lucky=seed % 2 == 1, length=6)
        one, other = search(whole_rewards, state, depth=5), search(whole_rewards, state, depth=5, compiled=False)
        assert (one.value, one.nodes, one.line) == (other.value, other.nodes, other.line)


def test_an_analysis_has_the_oracle_s_value_of_every_move():
    for seed in range(60):
        state = start(seed, lucky=seed % 2 == 1, length=6)
        if whole_rewards.turn(state) != OVER:
            for candidate in analyse(whole_rewards, state, depth=4).candidates:
                after = minimax(whole_rewards, whole_rewards.play(state, candidate.move), depth=3).value
                assert candidate.value == pytest.approx(whole_rewards.reward(state, candidate.move) + after, abs=1e-9)


def test_an_opponent_s_moves_are_paid_for_too():
    game = facing(whole_rewards, 1, "random")
    state = start(11, lucky=False, length=6)
    assert search(game, state, depth=6, compiled=False).value == pytest.approx(
        minimax(game, state, depth=6, compiled=False).value
    )


@pytest.mark.parametrize("lucky", [False, True])
def test_a_solution_has_the_oracle_s_value_of_every_state(lucky):
    for seed in range(8):
        state = start(seed, lucky=lucky, length=6)
        solution = solve(whole_rewards, state)
        assert solution.distance is None
        waiting, seen = [state], set()
        while waiting:
            here = waiting.pop()
            if here not in seen:
                seen.add(here)
                told = minimax(whole_rewards, here, depth=8).value
                assert solution[here].value == pytest.approx(told, abs=1e-9)
                for candidate in solution[here].candidates:
                    child = whole_rewards.play(here, candidate.move)
                    after = whole_rewards.reward(here, candidate.move) + minimax(whole_rewards, child, depth=8).value
                    assert candidate.value == pytest.approx(after, abs=1e-9)
                waiting += [whole_rewards.play(here, choice) for choice, _ in whole_rewards.choices(here)]
        assert len(seen) == solution.states


def test_a_proof_counts_rewards():
    state = start(5, lucky=False, length=8)
    assert solve(whole_rewards, state, method="proof").value == minimax(whole_rewards, state, depth=8).value


def test_a_tree_unfolded_has_the_search_s_value():
    for seed in range(12):
        state = start(seed, lucky=seed % 2 == 1, length=4)
        told = minimax(whole_rewards, state, depth=8, compiled=False).value
        assert float(tree_of(whole_rewards, state, nodes=100_000).value) == pytest.approx(told)


def test_a_trace_names_the_rewards():
    recorded = trace(walk, depth=1, only=("pruning",))
    assert "2 (-0.5000)" in recorded.text()
    assert "1 (+2)" in recorded.text()
    paid = {node.name: node.reward for node in recorded.nodes if node.ply == 1}
    assert paid == {"1": 2.0, "2": -0.5}


def searched_all(game):
    for seed in range(200):
        search(game, start(seed, lucky=False, length=8), depth=8, compiled=False, check=False)


def test_a_total_beyond_the_scale_is_an_error_that_says_so():
    narrow = rewarded(whole_rewards.reward).replace(low=-10, high=10)
    wanted = r"reward of .* is .* takes the total beyond low=-10 and high=10: give the Game a low and a high"
    with pytest.raises(RuleError, match=wanted):
        searched_all(narrow)


def test_a_reward_takes_a_state_and_a_choice():
    with pytest.raises(GameError, match=r"reward of 'walk' must take \(state, choice\)"):
        walk.replace(reward=lambda state: 1)


def test_check_asks_for_rewards():
    assert check(walk).ok
    assert "reward" in check(walk.replace(reward=lambda state, choice: None)).explain()
    lucky = check(walk.replace(reward=lambda state, choice: "2"))
    assert not lucky.ok
    assert "reward" in lucky.explain()
    high = check(walk.replace(high=5))
    assert not high.ok
    assert "rewards" in high.explain()


def hasty(state):
    return 1


def test_a_game_whose_turn_is_never_1_is_a_solitaire():
    assert walk.solitaire
    assert walk.replace(players=("you",)).solitaire
    assert not whole_rewards.solitaire
    assert not walk.replace(players=("you", "them")).solitaire


def test_moves_of_a_solitaire_are_not_counted_as_both_players():
    game = Game(
        name="wait", start=Walk(3, 0, False), turn=lambda state: 0 if state.steps else OVER, moves=walk_moves,
        play=lambda state, move: Walk(state.steps - 1, state.paid + move, False), score=lambda state: state.paid, high=6, players=("you",),
    )  # fmt: skip
    solution = solve(game, compiled=False)
    assert solution.explain().startswith("By best play the game is worth +6 to you in 3 moves.\n")
    thought = SolvedAgent(solution).choose(game, game.start, Clock(), Random(1)).why
    for words in (solution.explain(), solution[game.start].explain(), analyse(game, depth=5, compiled=False).explain(), thought):
        assert "in 3 moves" in words
        assert "both players" not in words


def test_a_solitaire_s_match_reports_scores():
    found = match(walk, PolicyAgent(hasty, "hasty"), games=5)
    assert (found.mean, found.median, found.best) == ((6.0, math.inf), 6.0, 6.0)
    assert "mean score 6.00 (no interval: the games repeat), median 6" in found.explain()
    two = match(walk, "random", PolicyAgent(hasty, "hasty"), games=40, seed=3)
    scores = [game.score for game in two.series[0].played]
    assert two.mean[0] == pytest.approx(sum(scores) / 40)
    assert two.difference[0] == pytest.approx(sum(scores) / 40 - 6.0)
    assert two.best == max(scores)
    assert two.explain().count("no interval") == 1  # for the agent whose games repeat, not for the other and the difference
    assert json.loads(json.dumps(two.to_dict()))["series"][1]["mean"] == [6.0, None]


def test_a_match_of_two_players_needs_two_agents():
    with pytest.raises(OptionError, match="has two players; name a second agent"):
        match(whole_rewards, "random", games=2)


def test_players_are_one_or_two_names():
    with pytest.raises(GameError, match="two names, .* or one name for a game of one player"):
        walk.replace(players=("a", "b", "c"))
