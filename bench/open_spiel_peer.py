"""OpenSpiel's searches in Python over its games in C++, each as a function that returns the value to the first player."""

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


def _centre(state: Any) -> float:
    # The history is the cheapest thing to ask: reading the board as text or as a tensor takes the peer longer.
    columns = state.history()
    return (columns[0::2].count(3) - columns[1::2].count(3)) / WIN
