"""Hog: choose how many dice to roll at once; their sum counts, unless one of them is a 1. First to the goal wins."""

import re
from typing import NamedTuple

from outplay.errors import StateError
from outplay.games.common.dice_race import HIGHEST_GOAL, PLAYERS, read_numbers, scores_text, write_numbers
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.hog import painter
from outplay.pictures.scene import Scene
from outplay.rules.game import CHANCE, OVER, Game

MOST_DICE = 20


class State(NamedTuple):
    first: int  # points of player 0
    second: int
    player: int
    rolling: int  # so many dice are in the air


def hog(goal: int = 100, dice: int = 10) -> Game:
    """Hog: choose how many dice to roll at once; their sum counts, unless one of them is a 1. First to the goal wins.

    A roll has up to *dice* dice.
    """
    check_whole("hog", "goal", goal, 1, HIGHEST_GOAL)
    check_whole("hog", "dice", dice, 1, MOST_DICE)
    probabilities = tuple(tuple(sums(number)) for number in range(dice + 1))
    odds = tuple(chance for row in probabilities for chance in row)  # of every sum, for 0, 1, 2, ... dice
    begins = tuple(sum(map(len, probabilities[:number])) for number in range(dice + 1))

    def turn(state):
        if state.first >= goal or state.second >= goal:
            return OVER
        return CHANCE if state.rolling else state.player

    def moves(state):
        for number in range(1, dice + 1):
            yield number

    def chances(state):
        """Nothing if there is a 1; else the sum of the dice, each from 2 to 6."""
        number = state.rolling
        yield 0, 1 - (5 / 6) ** number
        for extra in range(4 * number + 1):
            yield 2 * number + extra, odds[begins[number] + extra]

    def play(state, choice):
        first, second, player, rolling = state
        if rolling == 0:
            return State(first, second, player, choice)
        if player == 0:
            return State(first + choice, second, 1, 0)
        return State(first, second + choice, 0, 0)

    def score(state):
        return 1 if state.first >= goal else -1

    def estimate(state):
        """The lead, with half a turn for the player to move."""
        ahead = 4 if state.player == 0 else -4
        lead = (state.first - state.second + ahead) / goal
        return min(max(lead, -0.99), 0.99)

    def show(state):
        rolls = f"\n  {dice_text(state.rolling)} in the air ..." if state.rolling else ""
        return scores_text(state, goal) + rolls

    def name_move(state, move):
        return dice_text(move)

    def read_move(state, text):
        """Read a number of dice, such as 4, 4 dice or roll 4."""
        found = re.fullmatch(r"(?:roll\s+)?(\d+)(?:\s*(?:die|dice))?", text.strip().casefold())
        if not found:
            raise ValueError(f"{text.strip()!r} is not a number of dice; write 1 to {dice}, such as 4 dice")
        return int(found[1])

    def name_outcome(state, outcome):
        return f"a sum of {outcome}" if outcome else "a 1"

    def read_state(text):
        """Read first, second and player, such as 20,15,0; a fourth number is that of the dice in the air."""
        first, second, player, rolling = read_numbers("hog", text, "first,second,player", "20,15,0")
        if player > 1 or rolling > dice:
            raise StateError(f"{text!r}: the player is 0 or 1, and at most {dice} dice are in the air")
        return State(first, second, player, rolling)

    return Game(
        name="hog" if (goal, dice) == (100, 10) else f"hog to {goal} with {dice_text(dice)}",
        start=State(0, 0, 0, 0),
        turn=turn,
        moves=moves,
        chances=chances,
        play=play,
        score=score,
        estimate=estimate,
        show=show,
        draw=painter(Scene("Hog", PLAYERS, turn, moves, score), goal, dice),
        players=PLAYERS,
        about=(
            f"Player 0 begins. A turn is one roll: the player chooses how many dice to roll, from 1 to {dice}. If one of the dice shows a 1, the "
            "turn scores nothing; otherwise it scores the sum of all dice. "
            f"The first player to reach {goal} points wins. A value is what player 0 can expect: +1 is a sure win, −1 a sure loss, 0 an even chance."
        ),
        name_move=name_move,
        name_outcome=name_outcome,
        read_move=read_move,
        read_state=read_state,
        write_state=write_numbers,
        max_moves=4 * dice + 2,
    )


def sums(number: int) -> list[float]:
    """Return the probability of each sum of so many dice, from twice their number on, with no 1 among them."""
    ways = [1]
    for _ in range(number):
        ways = [sum(ways[max(0, total - 4) : total + 1]) for total in range(len(ways) + 4)]
    return [way / 6**number for way in ways]


def dice_text(number):
    return "1 die" if number == 1 else f"{number} dice"
