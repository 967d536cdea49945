"""Yahtzee for one player: three rolls of five dice for each of thirteen boxes, with the bonuses and jokers of the official rules."""

import itertools
import math
import re
from typing import NamedTuple

import numpy as np

from outplay.errors import IllegalMove, OptionError, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.yahtzee import painter
from outplay.rules.game import CHANCE, OVER, Game

# Dice are counted by face, 3 bits each, ones lowest: so rolled dice are added to kept ones. Two sixes, a five and two ones:
#
#      sixes | fives | fours | threes | twos | ones      010 001 000 000 000 010
#
# A move is the dice to keep, while rolls are left, or SCORE and the number of a box.

DICE, FACES = 5, 6
ONES = 0b001_001_001_001_001_001
SCORE = 1 << 20
BOXES = (
    "ones", "twos", "threes", "fours", "fives", "sixes", "three of a kind", "four of a kind", "full house", "small straight",
    "large straight", "yahtzee", "chance",
)  # fmt: skip
THREE, FOUR, HOUSE, SMALL, LARGE, YAHTZEE, CHANCE_BOX = range(6, 13)
UPPER_GOAL, UPPER_BONUS = 63, 35
BONUS = 100  # for a further Yahtzee
HIGHEST = 1575
USUAL = (2.0, 5.0, 8.5, 12.0, 15.5, 19.0, 21.5, 13.0, 22.5, 29.5, 32.5, 16.0, 22.0)  # points that a box brings, roughly


class State(NamedTuple):
    used: int  # boxes that are filled, as bits
    upper: int  # points in the boxes of ones to sixes, 63 at the most
    fifty: bool  # the Yahtzee box holds 50: each further Yahtzee earns a bonus
    dice: int  # all five, or those kept
    left: int  # rolls left after this one
    rolling: bool


def _rolls() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rolls of 0 to 5 dice, counted by face, their probabilities, and where those of each number begin."""
    rolls: list[int] = []
    odds: list[float] = []
    begins = []
    for number in range(DICE + 1):
        begins.append(len(rolls))
        for faces in itertools.combinations_with_replacement(range(FACES), number):
            ways = math.factorial(number)
            for face in range(FACES):
                ways //= math.factorial(faces.count(face))
            rolls.append(sum(1 << 3 * face for face in faces))
            odds.append(ways / FACES**number)
    return np.array(rolls, np.int64), np.array(odds), np.array([*begins, len(rolls)], np.int64)


ROLLS, ODDS, BEGINS = _rolls()


def number_of(dice, face):
    """Return how many dice show a face, counted from 0."""
    return dice >> 3 * face & 7


def size_of(dice):
    """Return how many dice there are."""
    total = 0
    for face in range(FACES):
        total += number_of(dice, face)
    return total


def points(dice, box, joker):
    """Return what five dice score in a *box*; with a *joker*, a Yahtzee counts as a full house and as both straights."""
    if box < FACES:
        return number_of(dice, box) * (box + 1)
    total, most, pairs, there = 0, 0, 0, 0
    for face in range(FACES):
        number = number_of(dice, face)
        total += number * (face + 1)
        most = max(most, number)
        pairs += number == 2
        there |= (number > 0) << face
    if box == HOUSE:
        return 25 if joker or (most == 3 and pairs == 1) else 0
    if box == SMALL:
        return 30 if joker or there & 15 == 15 or there & 30 == 30 or there & 60 == 60 else 0
    if box == LARGE:
        return 40 if joker or there & 31 == 31 or there & 62 == 62 else 0
    if box == YAHTZEE:
        return 50 if most == DICE else 0
    if (box == THREE and most < 3) or (box == FOUR and most < 4):
        return 0
    return total


def face_of_five(dice):
    """Return the face that all five dice show, counted from 0; -1 if they differ."""
    for face in range(FACES):
        if number_of(dice, face) == DICE:
            return face
    return -1


def yahtzee(boxes: str = "all", rolls: int = 3, jokers: int = 1) -> Game:
    """Yahtzee for one player: roll five dice, keep the best, roll the others again, and fill a box each turn.

    *boxes* are all, or some, such as sixes+yahtzee+chance. *jokers*: 1 forced, 2 free, 0 no bonuses and jokers.
    """
    names = {name.replace(" ", "-"): number for number, name in enumerate(BOXES)}
    chosen = list(names) if boxes == "all" else str(boxes).split("+")
    if not set(chosen) <= set(names) or len(set(chosen)) < len(chosen):
        raise OptionError(f"boxes={boxes!r} of yahtzee must be all, or some of {', '.join(names)}, joined by +")
    check_whole("yahtzee", "rolls", rolls, 1, 9)
    if not isinstance(jokers, int) or jokers not in (0, 1, 2):
        raise OptionError(f"jokers={jokers!r} of yahtzee must be 1 (forced), 2 (free) or 0 (none)")
    full = (1 << len(BOXES)) - 1
    missing = full & ~sum(1 << names[name] for name in chosen)
    upper_boxes = (1 << FACES) - 1
    has_upper_bonus = missing & upper_boxes == 0

    def turn(state):
        if state.used == full:
            return OVER
        return CHANCE if state.rolling else 0

    def chances(state):
        number = DICE - size_of(state.dice)
        for place in range(BEGINS[number], BEGINS[number + 1]):
            yield int(ROLLS[place]), float(ODDS[place])

    def open_boxes(state):
        """Return the boxes that may be filled: with a forced joker, its upper box, or else a lower one, or else any."""
        free = full & ~state.used
        face = face_of_five(state.dice)
        if jokers != 1 or face < 0 or state.used >> YAHTZEE & 1 == 0:
            return free
        if free >> face & 1:
            return 1 << face
        return free & ~upper_boxes if free & ~upper_boxes else free

    def is_joker(state):
        """Return whether the dice are a Yahtzee whose own boxes are filled."""
        face = face_of_five(state.dice)
        return jokers > 0 and face >= 0 and state.used >> YAHTZEE & 1 == 1 and state.used >> face & 1 == 1

    def moves(state):
        free = open_boxes(state)
        for box in range(len(BOXES)):
            if free >> box & 1:
                yield SCORE + box
        dice = state.dice
        if state.left > 0:
            for sixes in range(number_of(dice, 5) + 1):
                for fives in range(number_of(dice, 4) + 1):
                    for fours in range(number_of(dice, 3) + 1):
                        upper_three = sixes << 15 | fives << 12 | fours << 9
                        for threes in range(number_of(dice, 2) + 1):
                            for twos in range(number_of(dice, 1) + 1):
                                for ones in range(number_of(dice, 0) + 1):
                                    kept = upper_three | threes << 6 | twos << 3 | ones
                                    if kept != dice:
                                        yield kept

    def play(state, choice):
        used, upper, fifty, dice, left, rolling = state
        if rolling:
            return State(used, upper, fifty, dice + choice, left, False)
        if choice < SCORE:
            return State(used, upper, fifty, choice, left - 1, True)
        box = choice - SCORE
        if box < FACES and has_upper_bonus:
            upper = min(upper + points(dice, box, False), UPPER_GOAL)
        fifty = fifty or (jokers > 0 and box == YAHTZEE and face_of_five(dice) >= 0)
        used |= 1 << box
        if used == full:
            return State(used, upper, fifty, 0, 0, False)
        return State(used, upper, fifty, 0, rolls - 1, True)

    def reward(state, choice):
        """The points of a box when it is filled, with the bonus that it earns."""
        if state.rolling or choice < SCORE:
            return 0
        box = choice - SCORE
        gain = points(state.dice, box, is_joker(state))
        if box < FACES and has_upper_bonus and state.upper < UPPER_GOAL <= state.upper + gain:
            gain += UPPER_BONUS
        if state.fifty and face_of_five(state.dice) >= 0:
            gain += BONUS
        return gain

    def score(state):
        return 0

    def key(state):
        """All fields side by side: rolling, rolls left (4 bits), dice (18), fifty, upper (6), used (13)."""
        roll = (state.rolling << 4 | state.left) << 18 | state.dice
        return ((roll << 1 | state.fifty) << 6 | state.upper) << 13 | state.used

    def estimate(state):
        """What the open boxes usually bring; with five dice, the box that they fit best brings its points."""
        rest, best = 0.0, -100.0
        dealt = not state.rolling
        joker = dealt and is_joker(state)
        free = open_boxes(state) if dealt else full & ~state.used
        for box in range(len(BOXES)):
            if state.used >> box & 1 == 0:
                rest += USUAL[box]
                if dealt and free >> box & 1:
                    best = max(best, points(state.dice, box, joker) - USUAL[box])
        return max(rest + best, 0.0) if dealt else rest

    def faces_of(dice):
        """Return the faces of dice, the highest first."""
        return [face + 1 for face in range(FACES - 1, -1, -1) for _ in range(number_of(dice, face))]

    def show(state):
        kept = " ".join(map(str, faces_of(state.dice))) or "none"
        lines = []
        for box, name in enumerate(BOXES):
            if not missing >> box & 1:
                now = "" if state.rolling or state.used >> box & 1 else f"{points(state.dice, box, is_joker(state)):>4}"
                lines.append(f"{name:16}{'filled' if state.used >> box & 1 else now or '   .'}".rstrip())
        says = f"kept: {kept}; the others roll" if state.rolling else f"dice: {kept}; rolls left: {state.left}"
        bonus = [f"ones to sixes: {state.upper} of {UPPER_GOAL}"] if has_upper_bonus else []
        return "\n".join([*lines, *bonus, "all boxes are filled" if state.used == full else says])

    def name_move(state, move):
        if move >= SCORE:
            return BOXES[move - SCORE]
        return "keep " + (" ".join(map(str, faces_of(move))) or "nothing")

    def read_move(state, text):
        """Read a box, or the dice to keep in any order: full house, keep 6 6 5, 665, roll all."""
        said = " ".join(re.sub("[-,]", " ", text.casefold()).split()).removeprefix("score ").removeprefix("keep ")
        legal = list(moves(state))
        if said in BOXES:
            move = SCORE + BOXES.index(said)
        elif said in ("nothing", "none", "roll all", "reroll all"):
            move = 0
        elif re.fullmatch("[1-6 ]+", said):
            move = sum(1 << 3 * (int(face) - 1) for face in said.replace(" ", ""))
        else:
            move = -1
        if move not in legal:
            boxes_now = ", ".join(name_move(state, move) for move in legal if move >= SCORE)
            dice = " ".join(map(str, faces_of(state.dice)))
            more = f"; or dice to keep of {dice}, such as keep {dice[:3]}" if state.left else ""
            raise IllegalMove(f"{text.strip()!r} is not a legal move here; write a box ({boxes_now}){more}")
        return move

    def name_outcome(state, outcome):
        return " ".join(map(str, faces_of(outcome))) or "nothing"

    def write_state(state):
        """Write the boxes filled, the points in the upper ones, the dice with ? for those that roll, and the rolls left."""
        filled = [name for name, box in names.items() if state.used >> box & 1 and not missing >> box & 1]
        filled = [name + "*" if name == "yahtzee" and state.fifty else name for name in filled]
        faces = "".join(map(str, faces_of(state.dice)))
        dice = faces + "?" * (DICE - len(faces)) if state.used != full else "-"
        return f"{' '.join(filled)} / {state.upper} / {dice} / {state.left}"

    def read_state(text):
        """Read the boxes filled (yahtzee* if it holds 50), the points in ones to sixes, the dice (? for one that rolls), the rolls left."""
        parts = [part.strip() for part in text.casefold().split("/")]
        if len(parts) != 4 or not parts[1].isdecimal() or not parts[3].isdecimal():
            raise StateError(
                f"{text!r} is not a state of yahtzee; write the boxes filled, the points in ones to sixes, the dice and the rolls left, "
                "such as ones yahtzee* / 3 / 66521 / 2"
            )
        used = missing
        for word in parts[0].replace(",", " ").split():
            box = names.get(word.removesuffix("*"), -1)
            if box < 0 or used >> box & 1 or (word.endswith("*") and box != YAHTZEE):
                raise StateError(f"{text!r}: {word!r} is no box, or it is filled already; there are {', '.join(chosen)}")
            used |= 1 << box
        upper, left, fifty = int(parts[1]), int(parts[3]), "yahtzee*" in parts[0]
        if upper > (UPPER_GOAL if has_upper_bonus else 0) or left >= rolls:
            raise StateError(
                f"{text!r}: at most {UPPER_GOAL if has_upper_bonus else 0} points are counted, and {rolls - 1} rolls are left"
            )
        if used == full:
            return State(used, upper, fifty, 0, 0, False)
        dice = parts[2].replace(" ", "")
        if not re.fullmatch("[1-6?]{5}", dice):
            raise StateError(f"{text!r}: write five dice, with ? for one that rolls, such as 66521 or 66???")
        kept = sum(1 << 3 * (int(face) - 1) for face in dice if face != "?")
        return State(used, upper, fifty and jokers > 0, kept, left, "?" in dice)

    usual = (boxes, rolls, jokers) == ("all", 3, 1)
    return Game(
        name="yahtzee" if usual else f"yahtzee with {boxes}, {rolls} rolls" + (", no jokers", "", ", free jokers")[jokers],
        start=State(missing, 0, False, 0, rolls - 1, True),
        turn=turn,
        moves=moves,
        chances=chances,
        play=play,
        reward=reward,
        score=score,
        estimate=estimate,
        key=key,
        show=show,
        draw=painter(turn, moves, BOXES, missing, SCORE, faces_of, reward, has_upper_bonus),
        players=("player",),
        about=(
            f"One player fills {len(chosen)} boxes, one each turn. A turn has {rolls} rolls of five dice. After each roll the player keeps some dice and "
            "rolls the others, or fills a box. Ones to sixes count the dice of that face. Three of a kind, four of a kind and chance count the "
            "sum of all dice. A full house counts 25, a small straight (four in a row) 30, a large straight (five in a row) 40, a Yahtzee (five of a kind) 50. "
            + ("63 points in ones to sixes earn a bonus of 35. " if has_upper_bonus else "")
            + (
                "",
                "If the Yahtzee box is filled, another Yahtzee is a joker. It must go to the box of its face; if that is filled, to a "
                "lower box, where it counts as a full house and as both straights; if all these are filled, to any box. ",
                "If the Yahtzee box and the box of its face are filled, another Yahtzee is a joker: it counts as a full house and as both straights. ",
            )[jokers]
            + ("If the Yahtzee box holds 50, each further Yahtzee earns a bonus of 100. " if jokers else "")
            + "The value is the points that are still to come."
        ),
        name_move=name_move,
        name_outcome=name_outcome,
        read_move=read_move,
        read_state=read_state,
        write_state=write_state,
        low=0,
        high=HIGHEST,
        max_moves=252,
    )
