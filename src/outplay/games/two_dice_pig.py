"""Two-Dice Pig: roll two dice as often as you dare; a 1 loses the pot, two 1s lose everything. First to the goal wins."""

from outplay.games.common.dice_race import HIGHEST_GOAL, PLAYERS, scores_text
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.two_dice_pig import painter
from outplay.games.pig import HOLD, ROLL, State, pig, read_pig
from outplay.pictures.scene import Scene
from outplay.rules.game import Game

ONE, TWO_ONES = 0, 2  # outcomes; all others are the sum of two dice without a 1


def two_dice_pig(goal: int = 100) -> Game:
    """Two-Dice Pig, a race by two dice to any goal."""
    check_whole("two-dice-pig", "goal", goal, 1, HIGHEST_GOAL)
    one_die = pig(goal)  # the same turns, moves and scores; the dice differ
    held = one_die.play

    def chances(state):
        yield TWO_ONES, 1 / 36
        yield ONE, 10 / 36
        for total in range(4, 13):
            yield total, (total - 3 if total <= 8 else 13 - total) / 36

    def play(state, choice):
        first, second, pot, player, rolling = state
        if not rolling:
            return held(state, choice)
        if choice == TWO_ONES:
            return State(0 if player == 0 else first, 0 if player == 1 else second, 0, 1 - player, False)
        if choice == ONE:
            return State(first, second, 0, 1 - player, False)
        return State(first, second, pot + choice, player, False)

    def show(state):
        dice = "  the dice roll ..." if state.rolling else ""
        return f"{scores_text(state, goal)}\n  pot: {state.pot}{dice}"

    def name_outcome(state, outcome):
        return {ONE: "a 1", TWO_ONES: "two 1s"}.get(outcome, f"a sum of {outcome}")

    return one_die.replace(
        name="two-dice-pig" if goal == 100 else f"two-dice-pig to {goal}",
        chances=chances,
        play=play,
        show=show,
        draw=painter(Scene("Two-Dice Pig", PLAYERS, one_die.turn, one_die.moves, one_die.score), goal, HOLD, ROLL),
        about=(
            "Player 0 begins. A player rolls two dice as often as they dare. A roll without a 1 adds its sum to the pot. A single 1 loses "
            "the pot and ends the turn; two 1s also lose all banked points. To hold banks the pot and ends the turn. "
            f"The first player to bank {goal} points wins. A value is what player 0 can expect: +1 is a sure win, −1 a sure loss, 0 an "
            "even chance."
        ),
        name_outcome=name_outcome,
        read_state=lambda text: read_pig("two-dice-pig", text),
        max_moves=11,
    )
