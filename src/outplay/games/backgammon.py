"""Backgammon: a race of fifteen men by two dice, in which a lone man may be hit. Gammons count 2, backgammons 3; no cube."""

import math
import re
from collections import Counter
from typing import NamedTuple

from outplay.errors import IllegalMove, OptionError, StateError
from outplay.games.pictures.backgammon import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, highest
from outplay.rules.game import CHANCE, OVER, Game

# Each player counts the points from 1, in the own home, to 24; 25 is the bar. So both move down, and point p of one player is
# point 25 - p of the other. The men of a player are two ints of two planes each: bit p of plane k is bit k of the number of
# men on point p. Men borne off are in no plane.
#
#      men     plane 1 (twos) in bits 33 to 57 | plane 0 (ones) in bits 1 to 25
#      more    plane 3 (eights)                | plane 2 (fours)
#
# So a few operations answer where a player stands, which points are closed, and from which points a die can be played.
#
# A move is a whole roll: 5 bits for each man that moves, the point it starts from. Of two different dice, the lowest 5 bits
# are the start of the higher die, the next 5 of the lower die; 0 is a die that cannot be played. Of a double there are up to
# four starts, in falling order: each play has one such order, for the higher man can always move first. The order in which
# dice are played changes nothing else, so a move says all, and two moves never lead to the same position.
#
# A double spreads four steps over fifteen men: there are at most C(18, 4) = 3,060 plays. Different dice have at most
# 15 * 15 of them for two men, and 2 * 15 for one.

PLAYERS = ("X", "O")
HALF = 32  # where the upper plane of an int begins
POINTS = (1 << 26) - 2
BAR = 25
ON_BOARD = POINTS ^ 1 << BAR
HOME = 6
OPENING = -1  # the roll that decides who begins
PASS = 0
MOST = 3060
STARTS = {
    "standard": ((24, 24, 13, 13, 13, 13, 13, 8, 8, 8, 6, 6, 6, 6, 6), "backgammon"),
    "nackgammon": ((24, 24, 23, 23, 13, 13, 13, 13, 8, 8, 8, 6, 6, 6, 6), "nackgammon"),
    "hypergammon": ((24, 23, 22), "hypergammon"),
}
CHAIN = re.compile(r"(b|bar|\d+)((?:[/-](?:o|off|\d+)\*?)+)(?:\((\d)\))?")


class State(NamedTuple):
    own: int  # men of the player to move: ones and twos
    own_more: int  # fours and eights
    other: int
    other_more: int
    roll: int  # 10 * higher die + lower die; 0 before a roll, OPENING before the first one
    player: int  # who is to roll or to move


def backgammon(variant: str = "standard", start: str = "") -> Game:
    """Backgammon, Nackgammon or Hypergammon, from their start or from a position by text."""
    if variant not in STARTS:
        raise OptionError(f"variant={variant!r} of backgammon is unknown; there are {', '.join(STARTS)}")
    placed, name = STARTS[variant]
    men_each = len(placed)

    def turn(state):
        if state.other | state.other_more == 0:
            return OVER
        return CHANCE if state.roll <= 0 else state.player

    def chances(state):
        for higher in range(1, 7):
            for lower in range(1, higher + 1):
                if state.roll != OPENING:
                    yield 10 * higher + lower, 1 / 36 if higher == lower else 1 / 18
                elif lower < higher:
                    yield 10 * higher + lower, 1 / 30
                    yield 10 * lower + higher, 1 / 30

    def moves(state):
        own, more = state.own, state.own_more
        higher, lower = state.roll // 10, state.roll % 10
        there = occupied(own, more)
        closed = mirrored(taken_twice(state.other, state.other_more))
        found = False
        if higher == lower:
            # 1. A double: starts in falling order, as many as can be played.
            shut = closed << higher
            for length in range(4, 0, -1):
                firsts = starts(there, shut, higher)
                while firsts != 0:
                    first = highest(firsts)
                    firsts ^= 1 << first
                    if length == 1:
                        found = True
                        yield first
                        continue
                    own_1, more_1 = moved(own, more, first, higher)
                    seconds = starts(occupied(own_1, more_1), shut, higher) & (2 << first) - 1
                    while seconds != 0:
                        second = highest(seconds)
                        seconds ^= 1 << second
                        two = first | second << 5
                        if length == 2:
                            found = True
                            yield two
                            continue
                        own_2, more_2 = moved(own_1, more_1, second, higher)
                        thirds = starts(occupied(own_2, more_2), shut, higher) & (2 << second) - 1
                        while thirds != 0:
                            third = highest(thirds)
                            thirds ^= 1 << third
                            three = two | third << 10
                            if length == 3:
                                found = True
                                yield three
                                continue
                            own_3, more_3 = moved(own_2, more_2, third, higher)
                            fourths = starts(occupied(own_3, more_3), shut, higher) & (2 << third) - 1
                            while fourths != 0:
                                fourth = highest(fourths)
                                fourths ^= 1 << fourth
                                found = True
                                yield three | fourth << 15
                if found:
                    return
            yield PASS
            return

        # 2. Both dice, the higher one first, and moves that hit before the others, for they are often best. A man that goes on by the lower die and the higher is left out if it can do so by
        # the higher and the lower, and hits nobody on the way.
        shut_high, shut_low = closed << higher, closed << lower
        alone = own & ~taken_twice(own, more)
        blots = mirrored(state.other & ~taken_twice(state.other, state.other_more))
        hits_high, hits_low = blots << higher, blots << lower
        hit_on_the_way = hits_low | hits_high
        highs, lows = starts(there, shut_high, higher), starts(there, shut_low, lower)
        firsts = highs
        while firsts != 0:
            first = highest(firsts & hits_high if firsts & hits_high else firsts)
            firsts ^= 1 << first
            seconds = starts(stepped(there, alone, first, higher), shut_low, lower)
            while seconds != 0:
                second = highest(seconds & hits_low if seconds & hits_low else seconds)
                seconds ^= 1 << second
                same = False
                if second - lower == first and second > higher and (highs & ~hit_on_the_way) >> second & 1:
                    after = stepped(there, alone, second, higher)
                    same = starts(after, shut_low, lower) >> second - higher & 1 != 0
                if not same:
                    found = True
                    yield first | second << 5

        # 3. Both dice, the lower one first: only what leads to other positions.
        outside = there >> HOME + 1
        if there >> BAR == 0 and outside & outside - 1 != 0:
            # No man enters, and none is borne off: points outside the home stay occupied. All that is new is a man that goes on.
            ways = lows & -(2 << higher + lower) & ~(shut_high << lower) & ~(there << lower) & (shut_high | hit_on_the_way)
            while ways != 0:
                second = highest(ways)
                ways ^= 1 << second
                found = True
                yield second - lower | second << 5
        else:
            seconds = lows
            while seconds != 0:
                second = highest(seconds)
                seconds ^= 1 << second
                firsts = starts(stepped(there, alone, second, lower), shut_high, higher)
                while firsts != 0:
                    first = highest(firsts)
                    firsts ^= 1 << first
                    same = False
                    if highs >> first & 1:  # the same two steps
                        after = stepped(there, alone, first, higher)
                        same = starts(after, shut_low, lower) >> second & 1 != 0
                    if not same and highs >> second & 1:
                        after = starts(stepped(there, alone, second, higher), shut_low, lower)
                        if first == second - lower and second > higher:  # the same man
                            same = after >> second - higher & 1 != 0 and hit_on_the_way >> second & 1 == 0
                        elif second <= lower and first <= lower:  # both borne off, each by the other's die
                            same = after >> first & 1 != 0
                    if not same:
                        found = True
                        yield first | second << 5
        if found:
            return

        # 4. One die alone: the higher one if possible.
        shift, firsts = 0, highs
        if highs == 0:
            shift, firsts = 5, lows
        if firsts == 0:
            yield PASS
        while firsts != 0:
            first = highest(firsts)
            firsts ^= 1 << first
            yield first << shift

    def play(state, choice):
        own, more, other, other_more, roll, player = state
        if roll == OPENING:
            first, second = choice // 10, choice % 10
            if first > second:
                return State(own, more, other, other_more, choice, 0)
            return State(other, other_more, own, more, 10 * second + first, 1)
        if roll == 0:
            return State(own, more, other, other_more, choice, player)
        die, next_die = roll // 10, roll % 10
        while choice != 0:
            point = choice & 31
            own, more = moved(own, more, point, die)
            opposite = 1 << BAR >> point << (die & 7) & ON_BOARD
            if other & opposite:  # one man, or the point would be closed
                other, other_more = added(other ^ opposite, other_more, 1 << BAR)
            choice >>= 5
            die = next_die
        return State(other, other_more, own, more, 0, 1 - player)

    def score(state):
        """The player to move has lost: 1, 2 with no man borne off, 3 with one of these on the bar or in the winner's home."""
        lost = 1
        if men_on(state.own, state.own_more) == men_each:
            lost = 3 if occupied(state.own, state.own_more) >> 25 - HOME else 2
        return -lost if state.player == 0 else lost

    def estimate(state):
        value = opinion(state.own, state.own_more, state.other, state.other_more, state.roll, men_each)
        return value if state.player == 0 else -value

    def bounds(state):
        """Who has borne off a man loses no gammon."""
        own = 1 if men_on(state.own, state.own_more) < men_each else 3
        other = 1 if men_on(state.other, state.other_more) < men_each else 3
        return (-own, other) if state.player == 0 else (-other, own)

    def men_of(state):
        """Return for each player the number of men on each of its points, 1 to 25 (the bar), and of those borne off as 0."""
        sides = []
        for men, more in ((state.own, state.own_more), (state.other, state.other_more)):
            side = [number_on(men, more, point) for point in range(BAR + 1)]
            side[0] = men_each - sum(side)
            sides.append(side)
        return sides if state.player == 0 else sides[::-1]

    def show(state):
        return shown(state, men_of(state))

    def name_move(state, move):
        return play_name(state, move)

    def read_move(state, text):
        return read_play(state, text, list(moves(state)))

    def name_outcome(state, outcome):
        if state.roll == OPENING:
            return f"X {outcome // 10} O {outcome % 10}"
        return str(outcome)

    def write_state(state):
        """Write the men of X and of O, each by its own points, then who is to roll or move, and the roll."""
        sides = [side_text(side) for side in men_of(state)]
        acts = "opening" if state.roll == OPENING else PLAYERS[state.player] + (f" {state.roll}" if state.roll else "")
        return " / ".join([*sides, acts])

    def read_state(text):
        """Read men by points, such as 24x2 13x5 8x3 6x5 / 24x2 13x5 8x3 6x5 / X 31; men that are not named have been borne off."""
        parts = [part.split() for part in text.replace(",", " ").split("/")]
        if len(parts) != 3:
            raise StateError(
                f"{text!r} is not a position of {name}; write the men of X, of O, and who is to roll or move, "
                f"such as {write_state(game_start)}"
            )
        sides = [_side(text, words) for words in parts[:2]]
        for point in range(1, 25):
            if sides[0][point] and sides[1][25 - point]:
                raise StateError(f"{text!r}: both players have men on point {point} of X, which is point {25 - point} of O")
        words = [word.casefold() for word in parts[2]]
        if words == ["opening"]:
            return State(*packed(sides[0]), *packed(sides[1]), OPENING, 0)
        if not words or words[0] not in ("x", "o") or len(words) > 2:
            raise StateError(f"{text!r}: write at the end X or O, who is to roll, or with a roll, such as X 31, or opening")
        player, roll = "xo".index(words[0]), words[1] if len(words) == 2 else "0"
        if roll != "0" and not re.fullmatch("[1-6]{2}", roll):
            raise StateError(f"{text!r}: {roll!r} is not a roll; write two dice, such as 31")
        roll = int("".join(sorted(roll, reverse=True)))
        if not any(sides[player]) or (not any(sides[1 - player]) and roll):
            raise StateError(f"{text!r}: a player without men has won; then the other is to move, and there is no roll")
        return State(*packed(sides[player]), *packed(sides[1 - player]), roll, player)

    def _side(text, words):
        side = [0] * (BAR + 1)
        for word in words:
            found = re.fullmatch(r"(bar|\d+)(?:[x:*](\d+))?", word.casefold())
            point = 0 if not found else BAR if found[1] == "bar" else int(found[1])
            if not found or not 1 <= point <= BAR:
                raise StateError(f"{text!r}: {word!r} names no men; write a point and their number, such as 13x5 or barx1")
            side[point] += int(found[2] or 1)
        if sum(side) > men_each:
            raise StateError(f"{text!r} has {sum(side)} men on one side; in {name} a player has {men_each}")
        return side

    side = [placed.count(point) for point in range(BAR + 1)]
    game_start = State(*packed(side), *packed(side), OPENING, 0)
    if start:
        game_start = read_state(str(start))
    return Game(
        name=name + (" from a position" if start else ""),
        start=game_start,
        turn=turn,
        moves=moves,
        chances=chances,
        play=play,
        score=score,
        estimate=estimate,
        bounds=bounds,
        show=show,
        draw=painter(Scene("Backgammon", PLAYERS, turn, moves, score), men_of, steps_of, OPENING),
        players=PLAYERS,
        about=(
            f"Each player has {men_each} men and moves them from point 24 toward point 1 and then off the board. The two players go in "
            "opposite directions: point 24 of one is point 1 of the other. For the opening each player rolls one die; the higher one begins with both "
            "dice. Each die moves one man, and both may move the same man. A double is played four times. A man cannot land on a point with two "
            "or more men of the other player. A man who is alone on a point and is hit goes to the bar, and must enter again before "
            "any other man of that player moves. When all men of a player are on points 1 to 6, they are borne off; a die that is larger than the "
            "highest point bears off a man from that point. A player must use as many dice as possible; if only one of "
            "the two can be used, it must be the higher one where that is possible. The first player to bear off all men wins 1 point; 2 (a gammon) if "
            "the other has borne off none; 3 (a backgammon) if the other also has a man on the bar or in the winner's home. The "
            "value is the average number of points that X wins."
        ),
        name_move=name_move,
        name_outcome=name_outcome,
        read_move=read_move,
        read_state=read_state,
        write_state=write_state,
        low=-3,
        high=3,
        max_moves=MOST,
    )


# Men as planes. These compile.


def occupied(men, more):
    """Return the points with men."""
    return (men | men >> HALF | more | more >> HALF) & POINTS


def taken_twice(men, more):
    """Return the points with two men or more."""
    return (men >> HALF | more | more >> HALF) & POINTS


def number_on(men, more, point):
    """Return how many men are on a point."""
    return men >> point & 1 | (men >> point + HALF & 1) << 1 | (more >> point & 1) << 2 | (more >> point + HALF & 1) << 3


def men_on(men, more):
    """Return how many men are on the board and the bar."""
    return count(men & POINTS) + 2 * count(men >> HALF) + 4 * count(more & POINTS) + 8 * count(more >> HALF)


def added(men, more, point):
    """Return the planes with one man more; *point* is a bit."""
    twos = men & point & POINTS
    fours = men >> HALF & twos
    eights = more & fours
    return men ^ point ^ twos << HALF, more ^ fours ^ eights << HALF


def moved(men, more, point, die):
    """Return the planes with a man moved from *point* by a *die*, or borne off; unchanged if *point* is 0.

    Start and end are different points, so both changes follow from the planes as they were: neither waits for the other.
    """
    start = 1 << (point & 31) & POINTS
    end = start >> (die & 7) & POINTS  # nothing, if the man is borne off
    twos = start & ~men | end & men
    fours = twos & (start & ~(men >> HALF) | end & men >> HALF)
    eights = fours & (start & ~more | end & more)
    return men ^ start ^ end ^ twos << HALF, more ^ fours ^ eights << HALF


def stepped(there, alone, point, die):
    """Return the points with men after one from *point* has moved; *alone* are the points with one man."""
    there &= ~(alone & 1 << point)
    return there | (1 << point - die if point > die else 0)


def starts(there, shut, die):
    """Return the points from which a *die* can be played; from *shut* points it would end on a closed one."""
    if there >> BAR:
        return 1 << BAR & ~shut
    found = there & ~shut & -(2 << die)
    if there >> HOME + 1 == 0:
        if there >> die:
            found |= there & 1 << die
        elif there != 0:
            found |= 1 << highest(there)
    return found


def mirrored(points):
    """Return points as the other player counts them; the bar is left out."""
    points &= POINTS ^ 1 << BAR
    points = (points & 0xFFFF) << 16 | points >> 16
    points = (points & 0x00FF00FF) << 8 | points >> 8 & 0x00FF00FF
    points = (points & 0x0F0F0F0F) << 4 | points >> 4 & 0x0F0F0F0F
    points = (points & 0x33333333) << 2 | points >> 2 & 0x33333333
    points = (points & 0x55555555) << 1 | points >> 1 & 0x55555555
    return points >> 6


# The opinion of a position. Bits of a point's number, as sets of points: pips are counted by planes.

ONES, TWOS, FOURS, EIGHTS, SIXTEENS = (sum(1 << point for point in range(1, 26) if point >> bit & 1) for bit in range(5))
AT_HOME = (1 << HOME + 1) - 2
DISTANT = POINTS & -(1 << 19)  # the other's home, and the bar


def pips_in(plane):
    return (
        count(plane & ONES)
        + 2 * count(plane & TWOS)
        + 4 * count(plane & FOURS)
        + 8 * count(plane & EIGHTS)
        + 16 * count(plane & SIXTEENS)
    )


def pips(men, more):
    """Return how far all men have to go."""
    return pips_in(men & POINTS) + 2 * pips_in(men >> HALF) + 4 * pips_in(more & POINTS) + 8 * pips_in(more >> HALF)


def squashed(lead):
    """Return a number between -1 and 1: the larger the *lead*, the nearer to 1."""
    return lead / math.sqrt(1 + lead * lead)


def gammon_danger(own, more, men_each, rolls):
    """Return how likely a player bears off no man within so many *rolls* of the winner."""
    if men_on(own, more) < men_each:
        return 0.0
    outside = -(1 << HOME + 1)
    far_own = own & (POINTS & outside | (POINTS & outside) << HALF)
    far_more = more & (POINTS & outside | (POINTS & outside) << HALF)
    needed = (pips(far_own, far_more) - HOME * men_on(far_own, far_more)) / 8 + 1.5
    return 0.5 + 0.5 * squashed(0.7 * (needed - rolls))


def shape(own, more, other, other_more):
    """Return what the position of a player's men is worth, in pips: points held and joined, less blots and men on the bar."""
    held = taken_twice(own, more) & ~(1 << BAR)
    theirs = mirrored(occupied(other, other_more)) | other >> BAR & 1
    their_points = count(taken_twice(other, other_more) & AT_HOME)
    # 1. Points held at home, an anchor in the other's home, and walls of four or more before men of the other.
    worth = 2.5 * count(held & AT_HOME) + 1.5 * count(held & 0b1110000) + 0.7 * count(held & 0b11110000000)
    if held & DISTANT:
        worth += 4.0
    pairs = held & held >> 1
    fours = pairs & pairs >> 2
    if fours != 0 and theirs & (fours & -fours) - 1:
        worth += 3.0 * count(fours) + 4.0 * count(fours & held >> 4) + 6.0 * count(pairs & pairs >> 2 & pairs >> 4)
    # 2. Blots that a man of the other can hit with one die lose their way; it is worse the more points the other holds at home.
    near = theirs << 1 | theirs << 2 | theirs << 3
    near |= near << 3
    blots = own & ~taken_twice(own, more) & POINTS & ~(1 << BAR)
    open_blots = blots & near
    danger = 0.25 + 0.06 * their_points
    worth -= danger * (25 * count(open_blots) - pips_in(open_blots)) + 0.8 * count(blots & ~near & theirs << 7)
    # 3. A man on the bar waits.
    return worth - (1.0 + 1.6 * their_points) * number_on(own, more, BAR)


def opinion(own, more, other, other_more, roll, men_each):
    """Return what the player to move can expect: by the race and, while men can still meet, by the shape of both positions."""
    own_pips, other_pips = pips(own, more), pips(other, other_more)
    lead = other_pips - own_pips + 4.0
    there, theirs = occupied(own, more), occupied(other, other_more)
    if highest(there) + highest(theirs) > BAR:
        lead += shape(own, more, other, other_more) - shape(other, other_more, own, more)
        return 1.35 * squashed(lead / 40)
    # Each man left takes a die, however short its way.
    lead += 2.0 * (men_on(other, other_more) - men_on(own, more))
    ahead = squashed(lead / (2.6 * math.sqrt(own_pips + 4.0)))
    own_rolls, other_rolls = own_pips / 8 + 1, other_pips / 8 + 1
    wins = (1 + gammon_danger(other, other_more, men_each, own_rolls)) * (0.5 + 0.5 * ahead)
    return wins - (1 + gammon_danger(own, more, men_each, other_rolls)) * (0.5 - 0.5 * ahead)


# For people.


def packed(side: list[int]) -> tuple[int, int]:
    """Return the planes of a list of numbers of men, by point."""
    men = sum((number & 1) << point | (number >> 1 & 1) << point + HALF for point, number in enumerate(side) if point)
    more = sum((number >> 2 & 1) << point | (number >> 3 & 1) << point + HALF for point, number in enumerate(side) if point)
    return men, more


def side_text(side):
    words = [f"{'bar' if point == BAR else point}x{side[point]}" for point in range(BAR, 0, -1) if side[point]]
    return " ".join(words)


def steps_of(state, move):
    """Return the steps of a move as (start, end); 25 is the bar, 0 is off. The first step is by the higher die."""
    dice = [state.roll // 10] + 3 * [state.roll % 10]
    points = [move >> 5 * place & 31 for place in range(4)]
    return [(point, max(point - die, 0)) for point, die in zip(points, dice, strict=True) if point]


def hits_of(state, steps):
    """Return the points on which *steps* hit a man."""
    lone = mirrored(state.other & ~taken_twice(state.other, state.other_more))
    return {end for _, end in steps if end and lone >> end & 1}


def chains_of(steps: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the ways of the men, each a list of points: steps of which one ends where the next starts are one way."""
    chains: list[list[int]] = []
    for start, end in steps if len(steps) != 2 or steps[0][0] != steps[1][1] else steps[::-1]:
        for chain in chains:
            if chain[-1] == start:
                chain.append(end)
                break
        else:
            chains.append([start, end])
    return sorted(map(tuple, chains), reverse=True)


def play_name(state, move):
    """Return a play as it is usually written: 8/5 6/5, bar/22, 24/18*/13, 6/off(2)."""
    if move == PASS:
        return "pass"
    steps = steps_of(state, move)
    hits = hits_of(state, steps)
    words = []
    for chain, number in Counter(chains_of(steps)).items():
        text = "bar" if chain[0] == BAR else str(chain[0])
        for place, point in enumerate(chain[1:], 1):
            if point in hits or place == len(chain) - 1:
                text += f"/{point or 'off'}" + "*" * (point in hits)
                hits.discard(point)
        words.append(text + (f"({number})" if number > 1 else ""))
    return " ".join(words)


def net_of(steps):
    """Return how many men each point gains or loses."""
    net = Counter(end for _, end in steps)
    net.subtract(start for start, _ in steps)
    return {point: number for point, number in net.items() if number}


def read_play(state, text, legal):
    """Return the play that *text* means, in any order, with or without stars and points on the way."""
    said = re.sub(r"\s*/\s*", "/", text.strip().casefold().replace(",", " "))
    if said in ("pass", "no move", "none", "-"):
        said = "pass"
    names = ", ".join(play_name(state, move) for move in legal[:40]) + (" ..." if len(legal) > 40 else "")
    if said == "pass" and legal == [PASS]:
        return PASS
    words = said.split()
    found = [way for word in words if (way := CHAIN.fullmatch(word))]
    if not words or len(found) < len(words):
        raise IllegalMove(
            f"{text.strip()!r} is not a play; write each man's way, such as 8/5 6/5, bar/22 or 6/off. Legal: {names}"
        )
    steps, through, stars = [], set(), set()
    for way in found:
        points = [BAR if way[1] in ("b", "bar") else int(way[1])]
        for stop, star in re.findall(r"[/-](off|o|\d+)(\*?)", way[2]):
            points.append(0 if stop in ("o", "off") else int(stop))
            stars |= {points[-1]} if star else set()
        through |= set(points[1:-1])
        steps += int(way[3] or 1) * [(points[0], points[-1])]
    meant = []
    for move in legal:
        ways = steps_of(state, move)
        hits = hits_of(state, ways)
        if net_of(ways) == net_of(steps) and through <= {end for _, end in ways} and stars <= hits:
            meant.append((hits != stars, move))
    meant.sort()
    if not meant:
        raise IllegalMove(f"{text.strip()!r} is not a legal play of {state.roll}; legal: {names}")
    if len(meant) > 1 and meant[0][0] == meant[1][0]:
        raise IllegalMove(f"{text.strip()!r} means several plays; write the men that are hit: {names}")
    return meant[0][1]


def shown(state, sides):
    """Return the board as text; the points are numbered as the player to move counts them."""

    def cell(point):  # of X
        number, letter = (sides[0][point], "X") if sides[0][point] else (sides[1][25 - point], "O")
        return f"{number}{letter}" if number else "."

    def row(points):
        own = [point if state.player == 0 else 25 - point for point in points]
        numbers, men = (
            "".join(f"{word:>4}" for word in words[:6]) + "  | |" + "".join(f"{word:>4}" for word in words[6:])
            for words in (own, [cell(point) for point in points])
        )
        return numbers, men

    numbers_above, above = row(range(13, 25))
    numbers_below, below = row(range(12, 0, -1))
    beside = [f"{letter}: bar {side[BAR]}, off {side[0]}" for letter, side in zip(PLAYERS, sides, strict=True)]
    acts = f"{PLAYERS[state.player]} to play {state.roll}" if state.roll > 0 else f"{PLAYERS[state.player]} to roll"
    if state.roll == OPENING:
        acts = "the opening roll"
    if state.other | state.other_more == 0:
        acts = f"{PLAYERS[1 - state.player]} has won"
    return "\n".join([numbers_above, above, "", below, numbers_below, "", f"{beside[0]}   {beside[1]}", acts])
