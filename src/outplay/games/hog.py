"""Hog: choose how many dice to roll at once; their sum counts, unless one of them is a 1. First to the goal wins."""

import re
from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.pictures.hog import painter
from outplay.pictures.scene import Scene
from outplay.rules.game import CHANCE, OVER, Game

MOST = 1_000_000  # the highest goal
MOST_DICE = 20
PLAYERS = ("player 0", "player 1")


class State(NamedTuple):
    first: int  # points of player 0
    second: int
    player: int
    rolling: int  # so many dice are in the air


def hog(goal: int = 100, dice: int = 10) -> Game:
    """Hog, a race to any goal by a number of dice that is chosen for each roll, up to *dice*."""
    for name, value, most in (("goal", goal, MOST), ("dice", dice, MOST_DICE)):
        if not isinstance(value, int) or not 1 <= value <= most:
            raise OptionError(f"{name}={value!r} of hog must be a whole number from 1 to {most:,}")
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
        mark = ["  ", "  "]
        mark[state.player] = "> "
        rolls = f"\n  {dice_text(state.rolling)} in the air ..." if state.rolling else ""
        return f"{mark[0]}player 0: {state.first:3} of {goal}\n{mark[1]}player 1: {state.second:3} of {goal}{rolls}"

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
        words = text.replace(",", " ").split()
        if not all(word.isdecimal() for word in words) or len(words) not in (3, 4):
            raise StateError(f"{text!r} is not a state of hog; write first,second,player, such as 20,15,0")
        first, second, player, rolling = [*map(int, words), 0][:4]
        if player > 1 or rolling > dice:
            raise StateError(f"{text!r}: the player is 0 or 1, and at most {dice} dice are in the air")
        return State(first, second, player, rolling)

    def write_state(state):
        return ",".join(map(str, state))

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
            f"Player 0 begins. A turn is one roll: the player chooses how many dice, from 1 to {dice}, and rolls them at once. If one of "
            "them is a 1 the turn scores nothing, else the sum of all. "
            f"The first to reach {goal} points wins. A value is what player 0 can expect: +1 is a sure win, −1 a sure loss, 0 an even chance."
        ),
        name_move=name_move,
        name_outcome=name_outcome,
        read_move=read_move,
        read_state=read_state,
        write_state=write_state,
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
