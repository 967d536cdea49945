"""The kernel of a proof of one player against chance: the mean result of best play, to the end of the game.

Nothing is pruned, because a mean needs all outcomes. Instead, a position that took much work is valued only once: its value
goes to the table that all threads share. The many positions near the leaves go to a small table of each thread, which stays in
the processor's cache; some of them are valued again.

Threads share work only through the table. Each looks at the children in its own order, so it finds values that others have
stored (Stivala and others, Lock-free parallel dynamic programming, 2010). Means are added up in the order of the rules, so a
value does not depend on the number of threads.

Plain Python that also runs compiled, as `search/kernel.py` does.
"""

from outplay.rules.bits import bits_of, mix, real_of
from outplay.rules.game import CHANCE, OVER
from outplay.rules.memory import block, put_real, real_at
from outplay.rules.probabilities import fair
from outplay.runtime.clock import look
from outplay.runtime.growing_table import BUCKET
from outplay.runtime.meter import (
    BAD_BOUNDS,
    BAD_CHANCES,
    BAD_REWARD,
    BAD_SCORE,
    BAD_TURN,
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
from outplay.solve.proof.layout import NEAR, NEAR_BUCKETS, PLY_LIMIT, TABLE, THREAD
from outplay.solve.proof.table import ENTRY

NAN = float("nan")  # as a value: the proof had to end, and ints[WHY] says why
INFINITY = float("inf")
LARGEST = (1 << 63) - 1
WORTH_SHARING = 256  # a position that takes fewer nodes goes only to the small table


def expected(game, state, who, ply, top, ints):
    """Return the value of *state*, where *who* acts, to player 0."""
    # 1. The clock, and the stack; the rules may know the value.
    nodes = ints[NODES] + 1
    ints[NODES] = nodes
    if nodes >= ints[NEXT_LOOK] and look(ints):
        return NAN
    if ply >= ints[PLY_LIMIT]:
        return ended(ints, ply, TOO_DEEP)
    if game.has_bounds:
        least, most = game.bounds(state)
        if not least <= most:  # or NaN
            return ended(ints, ply, BAD_BOUNDS)
        if least == most:
            return least + 0.0

    # 2. What can happen next.
    width, number = 1, 0
    if who == CHANCE and game.has_chances:
        width = 4
        number = game.fill_chances(state, ints, top, ints[MAX_MOVES])
        if number <= ints[MAX_MOVES] and not fair(top, number, ints):
            return ended(ints, ply, BAD_CHANCES)
    elif who == 0 or who == 1:
        number = game.fill_useful(state, ints, top, ints[MAX_MOVES])
        if number <= 0:
            return ended(ints, ply, NO_MOVES)
    else:
        return ended(ints, ply, NO_CHANCES if who == CHANCE else BAD_TURN)
    if number > ints[MAX_MOVES]:
        return ended(ints, ply, TOO_MANY)

    # 3. The value of each child: its score, what a table knows, or what follows from its own children.
    values = top + width * number
    index = (mix(ints[THREAD], nodes) & LARGEST) % number if ints[THREAD] != 0 else 0
    for _ in range(number):
        choice = ints[top + width * index]
        child = game.play(state, choice, game.room)
        next_turn = game.turn(child)
        if next_turn == OVER:
            ints[NODES] += 1
            value = game.score(child) + 0.0
            if not game.low <= value <= game.high:
                ints[TRAIL + ply] = choice
                return ended(ints, ply + 1, BAD_SCORE)
        else:
            key = game.key(child)
            near, at = block(ints, NEAR), (key & ints[NEAR_BUCKETS]) * ENTRY
            if near[at] == key and near[at + 1] != 0:
                ints[NODES] += 1
                value = real_of(~near[at + 1])
            else:
                value = shared(ints, key)
                if value != value:
                    before = ints[NODES]
                    ints[TRAIL + ply] = choice
                    value = expected(game, child, next_turn, ply + 1, values + number, ints)
                    if value != value:
                        return NAN
                    if ints[NODES] - before >= WORTH_SHARING:
                        share(ints, key, value)
                else:
                    ints[NODES] += 1
                near[at], near[at + 1] = key, ~bits_of(value)
        if game.has_reward:
            pay = game.reward(state, choice)
            if pay - pay != 0.0:  # NaN, or infinite
                ints[TRAIL + ply] = choice
                return ended(ints, ply + 1, BAD_REWARD)
            value += pay
        put_real(ints, values + index, value)
        index += 1
        if index == number:
            index = 0

    # 4. Their mean, or the best of them.
    if width == 4:
        mean = 0.0
        for index in range(number):
            mean += real_at(ints, top + 4 * index + 1) * real_at(ints, values + index)
        return mean
    best = real_at(ints, values)
    for place in range(values + 1, values + number):
        value = real_at(ints, place)
        best = max(best, value) if who == 0 else min(best, value)
    return best


def shared(ints, key):
    """Return the value of the position with that *key* in the table that all threads share; NaN if it is not there."""
    table, bucket = block(ints, TABLE), (key & ints[TABLE + 1]) * BUCKET
    for at in range(bucket, bucket + BUCKET, ENTRY):
        payload = table[at + 1]
        if table[at] ^ payload == key and payload != 0:
            return real_of(~payload)
    return NAN


def share(ints, key, value):
    """Write *value* to the table that all threads share: to a free entry of its bucket, or else over another value."""
    table, bucket = block(ints, TABLE), (key & ints[TABLE + 1]) * BUCKET
    chosen = bucket + (key >> 40 & BUCKET // ENTRY - 1) * ENTRY
    for at in range(bucket, bucket + BUCKET, ENTRY):
        if table[at + 1] == 0:
            chosen = at
            break
    payload = ~bits_of(value)  # never 0, for 0 is the complement of a NaN
    table[chosen] = key ^ payload
    table[chosen + 1] = payload


def ended(ints, ply, why):
    """Note that the proof ends at *ply*, and *why*."""
    ints[WHY], ints[TRAIL_LENGTH] = why, ply
    return NAN
