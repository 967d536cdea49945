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


def game_2048(depth: int) -> Callable[[], float]:
    """Expectimax over 2048 after two tiles, *depth* moves ahead, by the score so far."""
    state = pyspiel.load_game("2048").new_initial_state()
    for outcome in (0, 10):
        state.apply_action(outcome)
    return lambda: expectiminimax(state, depth, lambda board: board.returns()[0], 0)[0]


def backgammon(depth: int) -> Callable[[], float]:
    """Expectiminimax over backgammon after an opening of 6 and 2, *depth* moves ahead, by the men on the bar; half a double is a move."""
    state = _opened("backgammon")
    return lambda: expectiminimax(state, depth, _bars, 0)[0]


def backgammon_by_rolls(depth: int) -> Callable[[], float]:
    """The same, with a whole double as one move: the tree that we search."""
    state = _Rolls(_opened("backgammon"))
    return lambda: expectiminimax(state, depth, lambda rolls: _bars(rolls.state), 0)[0]


class _Rolls:
    """A state of backgammon in which a double is one move: a pair of OpenSpiel's."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def clone(self) -> "_Rolls":
        return _Rolls(self.state.clone())

    def legal_actions(self) -> list[tuple[int, ...]]:
        plays: list[tuple[int, ...]] = []
        for action in self.state.legal_actions():
            half = self.state.child(action)
            if half.current_player() == self.state.current_player():
                plays += [(action, other) for other in half.legal_actions()]
            else:
                plays.append((action,))
        return plays

    def apply_action(self, actions: Any) -> None:
        for action in actions if isinstance(actions, tuple) else (actions,):
            self.state.apply_action(action)


def _opened(name: str) -> Any:
    state = pyspiel.load_game(name).new_initial_state()
    for outcome, _ in state.chance_outcomes():
        text = state.action_to_string(pyspiel.PlayerId.CHANCE, outcome)
        if "X starts" in text and ("26" in text or "62" in text):
            return state.child(outcome)
    raise LookupError("OpenSpiel has no opening of 6 and 2")


def _bars(state: Any) -> float:
    return float(state.board(1, 100) - state.board(0, 100)) / 15


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
