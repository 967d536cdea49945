"""Pig: roll as often as you dare; a 1 loses the pot, holding banks it. First to the goal wins."""

from typing import NamedTuple

from outplay.errors import StateError
from outplay.games.common.dice_race import HIGHEST_GOAL, PLAYERS, read_numbers, scores_text, write_numbers
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.pig import painter
from outplay.pictures.scene import Scene
from outplay.rules.game import CHANCE, OVER, Game

HOLD, ROLL = 0, 1


class State(NamedTuple):
    first: int  # points banked by player 0
    second: int
    pot: int  # won in this turn, not yet banked
    player: int
    rolling: bool  # the die is in the air


def pig(goal: int = 100) -> Game:
    """Pig, a race by dice to any goal."""
    check_whole("pig", "goal", goal, 1, HIGHEST_GOAL)

    def turn(state):
        if state.first >= goal or state.second >= goal:
            return OVER
        return CHANCE if state.rolling else state.player

    def moves(state):
        banked = state.first if state.player == 0 else state.second
        if banked + state.pot < goal:  # a pot that wins is banked; to go on would be folly, and without end
            yield ROLL
        if state.pot > 0:
            yield HOLD

    def chances(state):
        for face in range(1, 7):
            yield face, 1 / 6

    def play(state, choice):
        first, second, pot, player, rolling = state
        if rolling and choice == 1:
            return State(first, second, 0, 1 - player, False)
        if rolling:
            return State(first, second, pot + choice, player, False)
        if choice == ROLL:
            return State(first, second, pot, player, True)
        if player == 0:
            return State(first + pot, second, 0, 1, False)
        return State(first, second + pot, 0, 0, False)

    def score(state):
        return 1 if state.first >= goal else -1

    def estimate(state):
        """The lead, a pot counting half: it may be lost."""
        pot = state.pot if state.player == 0 else -state.pot
        lead = (state.first - state.second + pot / 2) / goal
        return min(max(lead, -0.99), 0.99)

    def show(state):
        dice = "  the die rolls ..." if state.rolling else ""
        return f"{scores_text(state, goal)}\n  pot: {state.pot}{dice}"

    def name_move(state, move):
        return "roll" if move == ROLL else "hold"

    def name_outcome(state, outcome):
        return f"a {outcome}"

    return Game(
        name="pig" if goal == 100 else f"pig to {goal}",
        start=State(0, 0, 0, 0, False),
        turn=turn,
        moves=moves,
        chances=chances,
        play=play,
        score=score,
        estimate=estimate,
        show=show,
        draw=painter(Scene("Pig", PLAYERS, turn, moves, score), goal, HOLD, ROLL),
        players=PLAYERS,
        about=(
            "Player 0 begins. A player rolls a die as often as they dare. A 2 to 6 adds to the pot; a 1 loses the pot and ends the turn. "
            "To hold banks the pot and ends the turn. "
            f"The first player to bank {goal} points wins. A value is what player 0 can expect: +1 is a sure win, −1 a sure loss, 0 an "
            "even chance."
        ),
        name_move=name_move,
        name_outcome=name_outcome,
        read_state=lambda text: read_pig("pig", text),
        write_state=write_numbers,
        max_moves=8,
    )


def read_pig(game, text):
    """Read first, second, pot and player, such as 20,15,6,0; a fifth number 1 means that a die is rolling."""
    first, second, pot, player, rolling = read_numbers(game, text, "first,second,pot,player", "20,15,6,0")
    if player > 1 or rolling > 1:
        raise StateError(f"{text!r}: the player, and the mark of a rolling die, are 0 or 1")
    return State(first, second, pot, player, bool(rolling))
