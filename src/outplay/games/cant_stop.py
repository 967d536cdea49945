"""Can't Stop: pair four dice, climb the columns of the sums, and stop before a roll fits none. Three columns win."""

import itertools
import re
from collections import Counter
from typing import NamedTuple

import numpy as np

from outplay.errors import IllegalMove, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.cant_stop import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, lowest
from outplay.rules.game import CHANCE, OVER, Game

# Steps are 4 bits for each column, the lowest column lowest: how high a player has climbed for good, and how many steps the
# runners have made in this turn; a runner has made one at least. With dice of six faces there are 11 columns:
#
#      column 12 | ... | column 3 | column 2      0000 ... 0010 0001
#
# A move is one decision: the columns to climb, then to stop or to roll again.
#
#      bits 5 to 8 the lower column, or 0 if only one is climbed | bits 1 to 4 the higher column | bit 0 whether to stop
#
# Where nothing fits, the one move is PASS. It is a move, not part of the roll, because two players who fit nothing in turn
# would make rolls follow each other without end.

PLAYERS = ("X", "O")
RUNNERS = 3
BITS, FIELD = 4, 15
PASS = 0
NEXT = 0.12  # what a roll that fits is worth, in columns


class State(NamedTuple):
    first: int  # steps of X
    second: int
    runners: int  # steps in this turn
    player: int
    roll: int  # four dice in falling order as digits, such as 6531; 0 before the roll


def cant_stop(columns: int = 3, sides: int = 6, shortest: int = 3) -> Game:
    """Can't Stop: pair four dice, climb the columns of their sums, and stop before a roll fits none.

    Who first completes so many *columns* wins. Dice may have fewer than six *sides*. The *shortest* column may have another length;
    the next has two steps more.
    """
    number = 2 * sides - 1 if isinstance(sides, int) else 0
    for name, value, least, most in (
        ("sides", sides, 2, 6),
        ("shortest", shortest, 1, 15 - 2 * ((number - 1) // 2)),
        ("columns", columns, 1, (number + 1) // 2),
    ):
        check_whole("cant-stop", name, value, least, most)
    heights = [shortest + 2 * min(place, number - 1 - place) for place in range(number)]
    tops = sum(height << BITS * place for place, height in enumerate(heights))
    ones = sum(1 << BITS * place for place in range(number))
    rolls, odds = rolls_of(sides)
    fitting = chances_to_fit(sides)
    shares = [min(steps / height, 1) for height in heights for steps in range(16)]
    worths = np.array([share * (0.5 + 0.5 * share) for share in shares])

    def at_top(side):
        """Return 1 in the field of each column that a player has climbed."""
        short = side ^ tops
        return ones & ~(short | short >> 1 | short >> 2 | short >> 3)

    def turn(state):
        if count(at_top(state.first)) >= columns or count(at_top(state.second)) >= columns:
            return OVER
        return CHANCE if state.roll == 0 else state.player

    def chances(state):
        for place in range(len(rolls)):
            yield int(rolls[place]), float(odds[place])

    def usable(state, column):
        """Return whether a runner can climb a *column*, as far as the number of runners allows; 2 if it must be a new one."""
        shift = BITS * (column - 2)
        if (at_top(state.first) | at_top(state.second)) >> shift & 1:
            return 0
        own = state.first if state.player == 0 else state.second
        made = state.runners >> shift & FIELD
        if (own >> shift & FIELD) + made == tops >> shift & FIELD:
            return 0
        return 1 if made else 2

    def free_runners(state):
        runners = state.runners
        return RUNNERS - count(ones & (runners | runners >> 1 | runners >> 2 | runners >> 3))

    def pairing(roll, way):
        """Return the sums of two pairs of dice, the lower one first."""
        one, two, three, four = roll // 1000, roll // 100 % 10, roll // 10 % 10, roll % 10
        partner = two if way == 0 else three if way == 1 else four
        lower = one + partner
        higher = one + two + three + four - lower
        return min(lower, higher), max(lower, higher)

    def climbs(state, way):
        """Return one or two things that a way to pair the dice allows, each as lower and higher column in bits; 0 for none.

        Both columns if possible. With one runner left for two columns without one, either of them.
        """
        lower, higher = pairing(state.roll, way)
        for earlier in range(way):
            if pairing(state.roll, earlier)[0] == lower:
                return 0, 0
        free = free_runners(state)
        low, high = usable(state, lower), usable(state, higher)
        low = 0 if low == 2 and free == 0 else low
        high = 0 if high == 2 and free == 0 else high
        if low == 0 or high == 0:
            return (lower if low else higher) if low + high else 0, 0
        if lower != higher and low + high == 4 and free == 1:
            return lower, higher
        return lower << 4 | higher, 0

    def climbed(state, climb):
        """Return the runners after a climb."""
        runners = state.runners
        own = state.first if state.player == 0 else state.second
        for column in (climb >> 4, climb & 15):
            shift = BITS * (column - 2)
            if column and (own >> shift & FIELD) + (runners >> shift & FIELD) < tops >> shift & FIELD:
                runners += 1 << shift
        return runners

    def moves(state):
        own = state.first if state.player == 0 else state.second
        stuck = True
        for way in range(3):
            one, other = climbs(state, way)
            for climb in (one, other):
                if climb:
                    stuck = False
                    if count(at_top(own + climbed(state, climb))) < columns:  # who has won stops
                        yield 2 * climb
                    yield 2 * climb + 1
        if stuck:
            yield PASS

    def play(state, choice):
        first, second, runners, player, roll = state
        if roll == 0:
            return State(first, second, runners, player, choice)
        if choice == PASS:
            return State(first, second, 0, 1 - player, 0)
        runners = climbed(state, choice >> 1)
        if choice & 1 == 0:
            return State(first, second, runners, player, 0)
        if player == 0:
            first = settled(first + runners, second)
            second = settled(second, first)
        else:
            second = settled(second + runners, first)
            first = settled(first, second)
        return State(first, second, 0, 1 - player, 0)

    def settled(side, other):
        """Return the steps of a player without those in columns that the *other* has climbed."""
        return side & ~(at_top(other) * FIELD)

    def score(state):
        return 1 if count(at_top(state.first)) >= columns else -1

    def height_of(side):
        """Return what a player's steps are worth, in columns."""
        worth = 0.0
        for place in range(number):
            worth += float(worths[16 * place + (side >> BITS * place & FIELD)])
        return worth

    def estimate(state):
        """The lead in columns; steps of this turn count as often as the next roll fits."""
        own, other = (state.first, state.second) if state.player == 0 else (state.second, state.first)
        now = height_of(own)
        gain = NEXT
        if state.runners:
            gain += height_of(own + state.runners) - now
        if state.roll == 0:
            # Open are columns that nobody has won, and whose top the own runner has not reached; without a free runner, only
            # those with one.
            runners = state.runners
            used = ones & (runners | runners >> 1 | runners >> 2 | runners >> 3)
            fields = ones & ~(at_top(own + runners) | at_top(other))
            if count(used) == RUNNERS:
                fields &= used
            fits = 0
            while fields != 0:
                lowest_one = lowest(fields)
                fits |= 1 << lowest_one // BITS
                fields ^= 1 << lowest_one
            gain *= float(fitting[fits])
        lead = min(max(0.9 * (now + gain - height_of(other)) / columns, -0.95), 0.95)
        return lead if state.player == 0 else -lead

    def steps_of(side):
        return [side >> BITS * place & FIELD for place in range(number)]

    def show(state):
        lines = ["column  " + "".join(f"{column:>4}" for column in range(2, number + 2))]
        own = state.first if state.player == 0 else state.second
        runners = [step + made if made else 0 for step, made in zip(steps_of(own), steps_of(state.runners), strict=True)]
        for word, steps in (
            ("steps", heights),
            ("X", steps_of(state.first)),
            ("O", steps_of(state.second)),
            ("runners", runners),
        ):
            lines.append(f"{word:8}" + "".join(f"{step or '.':>4}" for step in steps))
        says = f"{PLAYERS[state.player]} to pair {dice_text(state.roll)}" if state.roll else f"{PLAYERS[state.player]} to roll"
        return "\n".join([*lines, says])

    def name_move(state, move):
        if move == PASS:
            return "pass"
        lower, higher = move >> 5, move >> 1 & 15
        return " ".join([*([str(lower)] if lower else []), str(higher), "stop" if move & 1 else "roll"])

    def read_move(state, text):
        """Read the columns and roll or stop, in any order, such as 6 8 stop; without a word it is roll."""
        words = text.casefold().replace(",", " ").replace("-", " ").replace(" and ", " ").split()
        if not {"stop", "roll", "pass"} & set(words):
            words.append("roll")
        for move in moves(state):
            if sorted(words) == sorted(name_move(state, move).split()):
                return move
        legal = ", ".join(name_move(state, move) for move in moves(state))
        raise IllegalMove(f"{text.strip()!r} is not a legal move here; legal moves: {legal}")

    def name_outcome(state, outcome):
        return dice_text(outcome)

    def write_state(state):
        """Write the steps of X, of O and of the runners in this turn, as column:steps; then who acts, and the dice."""
        sides = [
            " ".join(f"{column}:{steps}" for column, steps in enumerate(steps_of(side), 2) if steps)
            for side in (state.first, state.second, state.runners)
        ]
        return " / ".join([*sides, PLAYERS[state.player] + (f" {state.roll}" if state.roll else "")])

    def read_state(text):
        """Read the steps of X, of O, of the runners in this turn, and who acts, with the dice: 7:3 8:1 / 6:2 / 7:2 / X 6531."""
        parts = text.replace(",", " ").split("/")
        if len(parts) != 4:
            raise StateError(
                f"{text!r} is not a position of cant-stop; write the steps of X, of O, of the runners, and who acts, "
                "such as 7:3 8:1 / 6:2 / 7:2 / X 6531"
            )
        first, second, runners = (_side(text, part.split()) for part in parts[:3])
        who, *roll = parts[3].split() or [""]
        if who.upper() not in PLAYERS or len(roll) > 1 or (roll and not re.fullmatch(f"[1-{sides}]{{4}}", roll[0])):
            raise StateError(
                f"{text!r}: write at the end X or O, who is to roll, or with four dice from 1 to {sides}, such as X 6531"
            )
        player = PLAYERS.index(who.upper())
        own = first if player == 0 else second
        for place in range(number):
            shift = BITS * place
            climbing = (own >> shift & FIELD) + (runners >> shift & FIELD)
            if climbing > heights[place]:
                raise StateError(f"{text!r}: column {place + 2} has {heights[place]} steps")
            if runners >> shift & FIELD and (at_top(first) | at_top(second)) >> shift & 1:
                raise StateError(f"{text!r}: a runner is in column {place + 2}, which is won")
        if at_top(first) & at_top(second) or settled(first, second) != first or settled(second, first) != second:
            raise StateError(f"{text!r}: in a column that one player has won, the other has no steps")
        if sum(step > 0 for step in steps_of(runners)) > RUNNERS:
            raise StateError(f"{text!r}: there are {RUNNERS} runners")
        return State(first, second, runners, player, int("".join(sorted(roll[0], reverse=True))) if roll else 0)

    def _side(text, words):
        side = 0
        for word in words:
            found = re.fullmatch(r"(\d+):(\d+)", word)
            if not found or not 2 <= int(found[1]) <= number + 1 or int(found[2]) > heights[int(found[1]) - 2]:
                raise StateError(
                    f"{text!r}: {word!r} names no steps; write a column from 2 to {number + 1} and the steps in it, such as 7:3"
                )
            side |= int(found[2]) << BITS * (int(found[1]) - 2)
        return side

    usual = (columns, sides, shortest) == (3, 6, 3)
    return Game(
        name="cant-stop" if usual else f"cant-stop to {columns} with dice of {sides}, shortest {shortest}",
        start=State(0, 0, 0, 0, 0),
        turn=turn,
        moves=moves,
        chances=chances,
        play=play,
        score=score,
        estimate=estimate,
        show=show,
        draw=painter(Scene("Can't Stop", PLAYERS, turn, moves, score), heights, steps_of, at_top),
        players=PLAYERS,
        about=(
            "X begins. A player rolls four dice and splits them into two pairs. The sum of each pair is a column, in which a runner climbs "
            "one step from where the player stopped before. There are three runners. A sum that no runner can use is lost; if one runner is left "
            "for two columns, the player chooses one. Then the player either stops and keeps all steps, or rolls again. If no pair can be used, "
            "the player passes: the steps of this turn are lost, and the other player rolls. When a player stops at the top of a column, the player "
            f"wins it, and it is closed to both. Whoever wins {columns} column{'s' if columns > 1 else ''} first wins the game. Both players may stand on the "
            "same step. A value is what X can expect: +1 is a sure win, −1 a sure loss."
        ),
        name_move=name_move,
        name_outcome=name_outcome,
        read_move=read_move,
        read_state=read_state,
        write_state=write_state,
        max_moves=max(12, len(rolls)),
    )


def rolls_of(sides: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rolls of four dice in falling order, as digits, and their probabilities."""
    ways = Counter(tuple(sorted(dice, reverse=True)) for dice in itertools.product(range(1, sides + 1), repeat=4))
    rolls = sorted(ways)
    digits = [int("".join(map(str, dice))) for dice in rolls]
    return np.array(digits, np.int64), np.array([ways[dice] / sides**4 for dice in rolls])


def chances_to_fit(sides: int) -> np.ndarray:
    """Return for each set of columns, as bits from column 2, how likely a roll has a pair with its sum in it."""
    ways: Counter[int] = Counter()
    for dice in itertools.product(range(1, sides + 1), repeat=4):
        ways[sum(1 << total - 2 for total in {one + other for one, other in itertools.combinations(dice, 2)})] += 1
    fits = [sum(number for sums, number in ways.items() if sums & columns) for columns in range(1 << 2 * sides - 1)]
    return np.array(fits) / sides**4


def dice_text(roll):
    return " ".join(str(roll))
