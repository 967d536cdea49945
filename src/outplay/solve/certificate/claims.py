"""The conditions that every entry of a table must meet: plain functions over arrays, for `verify.py`.

The value of a state follows from its children: the score if the game is over, the largest or the smallest value at a player's
turn, the mean at a chance node. Where states can repeat this is not enough, because two wrong values could support each other.
There the distances must also decrease by one from state to state until the end; with chance, bounds must lead to an end.
"""

from typing import Any

import numpy as np

from outplay.rules.bits import real_of, unmix
from outplay.rules.game import CHANCE, OVER
from outplay.solve.certificate.follow import BAD_TURN, CHILD, HEAD

Array = Any

# What is wrong with an entry, beside the faults of `follow.py`.
MISSING, SCORE, VALUE, DISTANCE, GAP, UNREACHED, STUCK = range(30, 37)

INFINITY = float("inf")


def bits_of_keys(keys: Array) -> Any:
    """Return the bits that are set in any of the unmixed *keys*, and those that are set in all."""
    some, every = 0, -1
    for place in range(keys.size):
        packed = unmix(int(keys[place]))
        some |= packed
        every &= packed
    return some, every


def find(key: int, keys: Array, offsets: Array, shift: int) -> Any:
    """Return the place of *key* in *keys*, or -1; *offsets* hold where the keys with each value of the top bits begin."""
    bucket = (key >> shift) + (offsets.size - 1) // 2
    for place in range(offsets[bucket], offsets[bucket + 1]):
        if keys[place] == key:
            return place
    return -1


def look_up(
    words: Array, number: int, keys: Array, offsets: Array, shift: int, who: Array, scores: Array, first: Array, verdict: Array
) -> Any:
    """Read what `follow` wrote of *number* states; return the places of all children in *keys*, their probabilities and rewards.

    Who acts, the scores and where each state's children begin go to *who*, *scores* and *first*; faults to *verdict*.
    """
    at = total = 0
    for _ in range(number):
        count = words[at + 1]
        total += count
        at += HEAD + CHILD * count
    places, chances, rewards = np.empty(total, np.int64), np.empty(total, np.float64), np.empty(total, np.float64)
    at = filled = 0
    for state in range(number):
        count = words[at + 1]
        who[state], scores[state], first[state] = words[at], real_of(words[at + 2]), filled
        if words[at] >= BAD_TURN:
            verdict[state] = words[at]
        at += HEAD
        for _ in range(count):
            places[filled], chances[filled] = find(words[at], keys, offsets, shift), real_of(words[at + 1])
            rewards[filled] = real_of(words[at + 2])
            if places[filled] < 0 and verdict[state] == 0:
                verdict[state] = MISSING
            filled += 1
            at += CHILD
    first[number] = filled
    return places, chances, rewards


def due(begin: int, end: int, acting: int, places: Array, chances: Array, rewards: Array, below: Array) -> Any:
    """Return the value of a state from its children places[begin:end], whose values are *below*; *acting* is who acts there."""
    best = rewards[begin] + below[places[begin]]
    if acting == CHANCE:
        best = 0.0
        for edge in range(begin, end):
            best += chances[edge] * (rewards[edge] + below[places[edge]])
    else:
        for edge in range(begin, end):
            value = rewards[edge] + below[places[edge]]
            best = max(best, value) if acting == 0 else min(best, value)
    return best


def judge_values(
    who: Array,
    scores: Array,
    first: Array,
    places: Array,
    chances: Array,
    rewards: Array,
    values: Array,
    below: Array,
    margin: float,
    mean_margin: float,
    verdict: Array,
) -> None:
    """Mark in *verdict* each state whose value is not its score, or not within a margin of the value that its children give."""
    for state in range(verdict.size):
        if verdict[state] != 0:
            continue
        if who[state] == OVER:
            if values[state] != scores[state]:
                verdict[state] = SCORE
            continue
        value = due(first[state], first[state + 1], who[state], places, chances, rewards, below)
        if not abs(values[state] - value) <= (mean_margin if who[state] == CHANCE else margin):
            verdict[state] = VALUE


def judge_distances(
    who: Array,
    first: Array,
    places: Array,
    values: Array,
    distances: Array,
    below: Array,
    below_distances: Array,
    endless: float,
    verdict: Array,
) -> None:
    """Mark in *verdict* each state whose distance is not one more than that of the child to which best play leads.

    The side that is ahead goes to the nearest such child, the other to the farthest. Draws have no distance.
    """
    for state in range(verdict.size):
        if verdict[state] != 0:
            continue
        wanted = -1
        if values[state] != endless and who[state] == OVER:
            wanted = 0
        elif values[state] != endless:
            hastens = (values[state] > endless) == (who[state] == 0)
            for edge in range(first[state], first[state + 1]):
                child = places[edge]
                if below[child] != values[state]:
                    continue
                distance = below_distances[child]
                if distance < 0:
                    wanted = -2
                    break
                if wanted < 0 or ((distance + 1 < wanted) if hastens else (distance + 1 > wanted)):
                    wanted = distance + 1
        if distances[state] != wanted:
            verdict[state] = DISTANCE


def borne_out(
    player: int,
    who: Array,
    first: Array,
    places: Array,
    chances: Array,
    rewards: Array,
    values: Array,
    error: float,
    slack: float,
) -> Any:
    """Return bounds: the values, made worse for *player* until each is no better than its children allow.

    For player 0 these are lower bounds, for player 1 upper bounds: the player has a move to a bound as good, and the opponent
    has no move to a worse one. These bounds are the closest possible to *values*; the solver's are no closer.
    """
    sign = 1.0 if player == 0 else -1.0
    bound = values.copy()
    moved, farthest = INFINITY, 0.0
    while moved > 0.0 and farthest <= error + slack:
        moved = 0.0
        for state in range(who.size):
            if who[state] == OVER:
                continue
            given = due(first[state], first[state + 1], who[state], places, chances, rewards, bound)
            excess = sign * (bound[state] - given)
            if excess > slack:
                bound[state] = given
                moved = max(moved, excess)
                farthest = max(farthest, abs(given - values[state]))
    return bound


def judge_bound(values: Array, bound: Array, error: float, verdict: Array) -> None:
    """Mark in *verdict* each state whose *bound* differs from its value by more than *error*."""
    for state in range(verdict.size):
        if verdict[state] == 0 and not abs(values[state] - bound[state]) <= error:
            verdict[state] = GAP


def judge_ways_out(
    player: int,
    who: Array,
    first: Array,
    places: Array,
    rewards: Array,
    bound: Array,
    endless: float,
    slack: float,
    verdict: Array,
) -> None:
    """Mark in *verdict* each state whose *bound* promises *player* more than endless play but cannot be reached.

    He must be able to come, with some probability and by moves that keep the bound, to an end or to where the bound promises no
    more than endless play: then he does so for certain in the long run. The bound is lower for player 0, upper for player 1.
    """
    sign = 1.0 if player == 0 else -1.0
    out = np.empty(verdict.size, np.bool_)
    for state in range(verdict.size):
        out[state] = who[state] == OVER or sign * (bound[state] - endless) <= slack
    changed = True
    while changed:
        changed = False
        for state in range(verdict.size):
            if out[state]:
                continue
            every, some = True, False
            for edge in range(first[state], first[state + 1]):
                child = places[edge]
                if who[state] == player and sign * (rewards[edge] + bound[child] - bound[state]) < -slack:
                    continue
                every = every and out[child]
                some = some or out[child]
            out[state] = every if who[state] == 1 - player else some
            changed = changed or out[state]
    for state in range(verdict.size):
        if not out[state] and verdict[state] == 0:
            verdict[state] = STUCK


def layer_sizes(first: Array, places: Array, root: int) -> Any:
    """Return the number of states first met after each number of moves from *root*, and which states are reached at all."""
    number = first.size - 1
    reached = np.zeros(number, np.bool_)
    queue, sizes = np.empty(number, np.int64), np.zeros(number, np.int64)
    reached[root], queue[0] = True, root
    head, tail, depth = 0, 1, 0
    while head < tail:
        end = tail
        sizes[depth] = end - head
        depth += 1
        while head < end:
            state = queue[head]
            head += 1
            for edge in range(first[state], first[state + 1]):
                child = places[edge]
                if not reached[child]:
                    reached[child] = True
                    queue[tail] = child
                    tail += 1
    return sizes[:depth], reached


def acyclic(first: Array, places: Array) -> Any:
    """Return whether no state can repeat: whether all can be removed one by one, each when no edge leads to it any more."""
    number = first.size - 1
    entering = np.zeros(number, np.int64)
    for edge in range(places.size):
        entering[places[edge]] += 1
    queue = np.empty(number, np.int64)
    head = tail = 0
    for state in range(number):
        if entering[state] == 0:
            queue[tail] = state
            tail += 1
    while head < tail:
        state = queue[head]
        head += 1
        for edge in range(first[state], first[state + 1]):
            child = places[edge]
            entering[child] -= 1
            if entering[child] == 0:
                queue[tail] = child
                tail += 1
    return tail == number


def goes_on(who: Array, first: Array, places: Array) -> Any:
    """Return which states lie in a set that play never has to leave: remove states that must leave until none is left."""
    stays = np.empty(who.size, np.bool_)
    for state in range(who.size):
        stays[state] = who[state] != OVER
    changed = True
    while changed:
        changed = False
        for state in range(who.size):
            if not stays[state]:
                continue
            every, some = True, False
            for edge in range(first[state], first[state + 1]):
                every = every and stays[places[edge]]
                some = some or stays[places[edge]]
            stays[state] = every if who[state] == CHANCE else some
            changed = changed or not stays[state]
    return stays
