"""In which order moves are searched where chance acts and the game ranks none."""

import random

import pytest

from outplay import load, search
from outplay.rules.game import CHANCE, OVER
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory
from outplay.search.kernel import rank_by_opinion


def some_states(game, number):
    """States in which a player has several moves."""
    dice, found = random.Random(3), []
    while len(found) < number:
        state = game.start
        for _ in range(dice.randrange(1, 12)):
            who = game.turn(state)
            if who == OVER:
                break
            state = game.play(state, game.roll(state, dice) if who == CHANCE else dice.choice(game.legal(state)))
        if game.turn(state) in (0, 1) and len(game.legal(state)) > 1:
            found.append(state)
    return found


def ranks(game, state):
    rules, memory = InterpretedRules(game), Memory()
    number = rules.fill_moves(state, memory, 100, game.max_moves)
    rank_by_opinion(rules, state, memory, 100, number, game.turn(state))
    return [memory[100 + number + index] for index in range(number)]


@pytest.mark.parametrize("name", ["einstein", "backgammon", "backgammon:variant=hypergammon"])
def test_moves_before_a_roll_are_ranked_by_the_opinion_of_their_mover(name):
    game = load(name)
    for state in some_states(game, 8):
        sign = -1 if game.turn(state) == 1 else 1
        after = [game.play(state, move) for move in game.legal(state)]
        worth = [game.score(child) if game.turn(child) == OVER else game.estimate(child) for child in after]
        assert ranks(game, state) == [sign * value for value in worth]


def test_opinions_are_not_compared_where_a_player_may_be_next():
    game = load("pig")
    for state in some_states(game, 8):
        assert not any(ranks(game, state))


def test_ordering_saves_nodes_where_dice_decide_the_moves():
    game = load("einstein:size=4")
    states = some_states(game, 4)
    ordered = sum(search(game, state, depth=3, compiled=False).nodes for state in states)
    unordered = sum(search(game, state, depth=3, compiled=False, without=("ordering",)).nodes for state in states)
    assert ordered < unordered


def test_a_reply_that_was_best_after_a_roll_saves_nodes_before_the_last_moves():
    game = load("backgammon")
    for roll in (31, 43):
        state = game.after(game.start, [roll])
        found = search(game, state, depth=2)
        plain = search(game, state, depth=2, only=())
        assert found.value == pytest.approx(plain.value, abs=1e-12)
        assert found.nodes < plain.nodes / 3


def test_last_rolls_are_not_probed_where_the_same_player_moves_again():
    """In Pig a roller goes on: its own first move bounds nothing, so probing ends after one chance node of each depth."""
    game = load("pig:goal=20")
    for text in ("14,19,5,0,1", "10,12,4,1", "3,8,6,0"):
        state = game.read_state(text)
        probed = search(game, state, depth=5, compiled=False).nodes
        assert probed <= 1.05 * search(game, state, depth=5, compiled=False, without=("star2",)).nodes + 64
