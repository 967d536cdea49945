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
