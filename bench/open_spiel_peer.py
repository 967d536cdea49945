"""OpenSpiel's searches, in Python or in C++, over its games in C++, each as a function that returns a number to compare."""

import random
from collections.abc import Callable
from typing import Any

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search, expectiminimax

WIN = 1000  # our win in Connect Four, where theirs is 1


def tic_tac_toe() -> Callable[[], float]:
    """Alpha-beta over the whole of tic-tac-toe."""
    game = pyspiel.load_game("tic_tac_toe")
    return lambda: alpha_beta_search(game)[0]


def connect_four(depth: int) -> Callable[[], float]:
    """Alpha-beta over Connect Four, *depth* moves ahead, by the stones in the centre column."""
    game = pyspiel.load_game("connect_four")
    return lambda: alpha_beta_search(game, value_function=_centre, maximum_depth=depth)[0] * WIN


def pig(goal: int, depth: int) -> Callable[[], float]:
    """Expectiminimax over Pig, *depth* moves ahead, by the lead in points banked."""
    game = pyspiel.load_game(f"pig(players=2,winscore={goal},horizon=1000)")

    def lead(state: Any) -> float:
        words = str(state).split()  # Scores: 4 0, Turn total: ...
        return (int(words[1]) - int(words[2][:-1])) / goal

    return lambda: expectiminimax(game.new_initial_state(), depth, lead, 0)[0]


def playouts(name: str, number: int) -> Callable[[], float]:
    """Random games from Python, to their end; their mean result to the first player."""
    game, dice = pyspiel.load_game(name), random.Random(1)

    def play() -> float:
        total = 0.0
        for _ in range(number):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(dice.choices(outcomes, weights)[0])
                else:
                    state.apply_action(dice.choice(state.legal_actions()))
            total += state.returns()[0]
        return total / number

    return play


def tree_search(name: str, simulations: int) -> Callable[[], float]:
    """Monte Carlo tree search in C++, with a random playout at each leaf and proven results backed up; the visits of the root."""
    game = pyspiel.load_game(name)
    megabytes, seed, verbose = 1000, 42, False

    def run() -> float:
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, simulations, megabytes, True, seed, verbose)
        return float(bot.mcts_search(game.new_initial_state()).explore_count)

    return run


def _centre(state: Any) -> float:
    # The history is the cheapest thing to ask: reading the board as text or as a tensor takes the peer longer.
    columns = state.history()
    return (columns[0::2].count(3) - columns[1::2].count(3)) / WIN
