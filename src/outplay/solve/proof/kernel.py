"""The kernel of a proof: is a position worth more than a threshold? To the end of the game, by whole scores, without chance.

From outside it is called with ply=OUTSIDE, and narrows the bounds in ints[LOW] and ints[HIGH] until they meet.

Plain Python that also runs compiled, as `search/kernel.py` does.
"""

import math

from outplay.rules.bits import bits_of
from outplay.rules.game import CHANCE, OVER
from outplay.rules.memory import block, prefetch
from outplay.runtime.claims import claimed, is_claimed, unclaim
from outplay.runtime.clock import look
from outplay.runtime.growing_table import BUCKET
from outplay.runtime.meter import (
    BAD_BOUNDS,
    BAD_SCORE,
    BAD_TURN,
    CLAIMS_AT,
    MAX_MOVES,
    NEXT_LOOK,
    NO_CHANCES,
    NO_MOVES,
    NODES,
    TOO_DEEP,
    TOO_MANY,
    TRAIL,
    TRAIL_LENGTH,
    WHY,
)
from outplay.solve.proof.layout import FAILURES, HEATS, HIGH, HISTORY, LOW, NEAR, NOT_WHOLE, PLY_LIMIT, TABLE, WORKS
from outplay.solve.proof.table import MOST, MOST_MOVES, MOVE, find, lower_of, store, upper_of

OUTSIDE = -1  # as a ply
ABANDONED = 1 << 40  # as a value: the search had to end, and ints[WHY] says why
HEAT = 2.0**-30  # what a cut-off counts beside a rank: it decides among equals
LAST = -(1 << 63)  # as a place in the order: after every other
LARGEST = (1 << 63) - 1
ENHANCED = 20  # plies from the root at which the table is asked about every child before the first is searched
NEARBY = 100 << 10  # positions that take fewer nodes go to the small table, which stays in the cache
HALF = 512  # as a share in 1024ths
SHARING = 200 << 10  # positions that take fewer are not worth sharing between threads


def exceeds(game, state, ply, top, threshold, ints):
    """Return a bound on the value of *state* to player 0: above *threshold* a lower one, else an upper one."""
    # 0. From outside: one null window after the other.
    if ply == OUTSIDE:
        while ints[LOW] < ints[HIGH]:
            threshold = between(ints[LOW], ints[HIGH])
            value = exceeds(game, state, 0, top, threshold, ints)
            if value == ABANDONED:
                return ABANDONED
            if value > threshold:
                ints[LOW] = min(value, ints[HIGH])
            else:
                ints[HIGH] = max(value, ints[LOW])
        return ints[LOW]

    # 1. Follow forced moves, until there is a choice, or the rules can tell.
    began = ints[NODES]
    here, there = game.room, game.room  # of the state, and of the one after it
    who, number, low, high, key, bucket, where = 0, 0, -MOST, MOST, 0, 0, TABLE
    while True:
        nodes = ints[NODES] + 1
        ints[NODES] = nodes
        if nodes >= ints[NEXT_LOOK] and look(ints):
            return ABANDONED
        who = game.turn(state)
        if who == OVER:
            score = game.score(state)
            if not game.low <= score <= game.high or score != math.floor(score):
                return abandoned(ints, ply, NOT_WHOLE if game.low <= score <= game.high else BAD_SCORE)
            return int(score)
        if who < 0 or who > 1:
            return abandoned(ints, ply, NO_CHANCES if who == CHANCE else BAD_TURN)
        if ply >= ints[PLY_LIMIT]:
            return abandoned(ints, ply, TOO_DEEP)
        least, most = game.bounds(state)
        if not least <= most:  # or NaN
            return abandoned(ints, ply, BAD_BOUNDS)
        # Rounded outwards: a score with a fraction must not be passed over. Kept to the scale: a bound has 16 bits.
        low, high = math.floor(max(least, game.low)), math.ceil(min(most, game.high))
        if low > threshold:
            return low
        if high <= threshold:
            return high
        key = game.key(state)
        where = TABLE if ints[WORKS + ply] >= NEARBY else NEAR
        bucket = (key & ints[where + 1]) * BUCKET
        prefetch(block(ints, where), bucket)
        number = game.fill_useful(state, ints, top, ints[MAX_MOVES])
        if number != 1:
            break
        ints[TRAIL + ply] = ints[top]
        state = game.play(state, ints[top], there)
        here, there = there, here
        ply += 1
    if number <= 0 or number > ints[MAX_MOVES]:
        return abandoned(ints, ply, NO_MOVES if number <= 0 else TOO_MANY)

    # 2. The table knows enough, or at least a good move.
    table, hint = block(ints, where), -1
    at = find(table, bucket, key)
    payload = table[at + 1]
    if table[at] ^ payload == key and payload != 0:
        low, high = max(low, lower_of(payload)), min(high, upper_of(payload))
        if low > threshold:
            return low
        if high <= threshold:
            return high
        hint = payload >> MOVE & MOST_MOVES

    # 3. The moves, best first: the table's, then by rank, what has cut before deciding among equals.
    places, heats = top + number, HISTORY + who * HEATS
    for index in range(number):
        move = ints[top + index]
        rank = game.rank(state, move) if game.has_rank else 0.0
        ints[places + index] = placed(rank + HEAT * ints[heats + (move & HEATS - 1)], index)
    if 0 <= hint < number:
        ints[places + hint] = placed(math.inf, hint)

    # 4. Near the root: does the table know a child that is good enough? Max and min differ by a sign.
    sign, goal = (-1, -threshold - 1) if who == 1 else (1, threshold)
    if ply < ENHANCED and where == TABLE:
        keys = places + number
        for index in range(number):
            child = game.key(game.play(state, ints[top + index], game.room))
            ints[keys + index] = child
            prefetch(table, (child & ints[TABLE + 1]) * BUCKET)
        for index in range(number):
            value = known(ints[keys + index], who, ints)
            if sign * value > goal and abs(value) < MOST:
                return value

    # 5. One child after the other. Several threads start with different ones.
    best, best_index = -2 * MOST, 0
    shared = ints[CLAIMS_AT] != 0 and ints[WORKS + ply] >= SHARING
    sharing = shared and ints[FAILURES + who] >= HALF
    for step in range(number):
        index = first_of(ints, places, number)
        if sharing and step > 0:
            index = unclaimed(ints, top, number, key, index)
        ints[places + index] = LAST
        choice = ints[top + index]
        ints[TRAIL + ply] = choice
        claim = claimed(ints, key, choice) if sharing else 0
        value = exceeds(game, game.play(state, choice, game.room), ply + 1, places + number, threshold, ints)
        if claim:
            unclaim(ints, claim)
        if value == ABANDONED:
            return ABANDONED
        if sign * value > best:
            best, best_index = sign * value, index
            if best > goal:
                ints[heats + (choice & HEATS - 1)] += 1
                break

    if shared:
        ints[FAILURES + who] += ((0 if best > goal else 2 * HALF) - ints[FAILURES + who]) // 8
    # 6. What was found goes to the table.
    value, work = sign * best, ints[NODES] - began
    if value > threshold:
        low = max(low, value)
    else:
        high = min(high, value)
    ints[WORKS + ply] += (work << 10) - ints[WORKS + ply] >> 6
    store(table, bucket, key, low, high, best_index, work)
    return value


def between(low, high):
    """Return the next threshold: half-way, but far from 0 first, because large wins and losses are quick to prove or refute."""
    middle, nearer_low, nearer_high = (low + high) // 2, -(-low // 2), high // 2
    if middle <= 0 and nearer_low < middle:
        return nearer_low
    return nearer_high if 0 <= middle < nearer_high else middle


def known(key, who, ints):
    """Return the bound that helps player *who* of the position with that *key*, or MOST if the table has none."""
    table, bucket = block(ints, TABLE), (key & ints[TABLE + 1]) * BUCKET
    at = find(table, bucket, key)
    payload = table[at + 1]
    if table[at] ^ payload != key or payload == 0:
        return MOST
    return upper_of(payload) if who == 1 else lower_of(payload)


def placed(order, index):
    """Return *order*, rounded, and *index* as one int: the higher order is the larger int, then the lower index."""
    bits = bits_of(order)
    if bits < 0:
        bits ^= LARGEST
    return bits & ~MOST_MOVES | MOST_MOVES - index


def first_of(ints, places, number):
    """Return the index of the move not yet searched that comes first in order."""
    first = ints[places]
    for place in range(places + 1, places + number):
        first = max(first, ints[place])
    return MOST_MOVES - (first & MOST_MOVES)


def unclaimed(ints, top, number, key, index):
    """Return the first move, from *index* on, that no other thread is searching: it goes last, and its value is then known."""
    for _ in range(number):
        if not is_claimed(ints, key, ints[top + index]):
            break
        ints[top + number + index] = LAST + MOST_MOVES - index
        index = first_of(ints, top + number, number)
    return index


def abandoned(ints, ply, why):
    """Note that the search ends at *ply*, and *why*."""
    ints[WHY], ints[TRAIL_LENGTH] = why, ply
    return ABANDONED
