"""Games played to their end, at random: plain Python that also runs compiled.

`game` is an `InterpretedRules` or a `CompiledRules`; `ints` is the memory of this thread, laid out in `playout_layout.py`.
"""

from outplay.rules.bits import bits_of, mix, splitmix
from outplay.rules.game import CHANCE, OVER
from outplay.rules.memory import real_at
from outplay.rules.probabilities import sums_to_one
from outplay.runtime.clock import look
from outplay.runtime.meter import (
    BAD_CHANCES,
    BAD_REWARD,
    BAD_SCORE,
    BAD_TURN,
    BY_NODES,
    MAX_MOVES,
    NEXT_LOOK,
    NO_CHANCES,
    NO_MOVES,
    NODES,
    PLIES,
    TOO_MANY,
    TRAIL,
    TRAIL_LENGTH,
    WHY,
)
from outplay.search.montecarlo.draws import index_below, share
from outplay.search.montecarlo.playout_layout import (
    CUT,
    GAME,
    LAST,
    LENGTHS,
    PLY_LIMIT,
    SCORES,
    SCORES_FULL,
    SEED,
    SLOTS,
    STATE_AT,
    STEP,
    TOP,
    USED,
)

NAN = float("nan")
ROUNDING = 1e-9  # of the scale: what a sum of rewards may be off
WAS_CUT = -1  # as the length of a game


def play_games(game, start, ints):
    """Play the games of this thread from *start*, and count their results; return whether all were played.

    If not, ints[WHY] says why.
    """
    while ints[GAME] < ints[LAST]:
        if ints[USED] > SLOTS * 3 // 4:
            ints[WHY] = SCORES_FULL
            return 0
        value, length = finish(game, start, splitmix(ints[SEED], ints[GAME]), ints[TOP], ints)
        if value != value:
            return 0
        if length == WAS_CUT:
            ints[CUT] += 1
        else:
            ints[LENGTHS + length] += 1
            count_score(ints, bits_of(value + 0.0))
        ints[GAME] += ints[STEP]
    ints[WHY] = BY_NODES
    return 1


def finish(game, state, key, top, ints):
    """Play on from *state* by the random numbers of *key*; return the result to player 0, and how many moves were played.

    The result is the sum of all rewards on the way and the score at the end. A described player's moves count, dice do not. A game of more plies than ints[PLY_LIMIT] is cut: its length is WAS_CUT.
    NaN: the playout was abandoned, and ints[WHY] says why. Moves are written to ints[top:].
    """
    length, limit = 0, ints[PLY_LIMIT]
    total, start = 0.0, state
    here, there = game.room, game.room  # of the state, and of the one after it
    for ply in range(limit + 1):
        # 1. Read the clock here: every position passes.
        nodes = ints[NODES] + 1
        ints[NODES] = nodes
        if nodes >= ints[NEXT_LOOK] and look(ints):
            return NAN, 0

        # 2. The end.
        who = game.turn(state)
        if who == OVER:
            value = game.score(state)
            if not game.low <= value <= game.high:
                ints[WHY], value = BAD_SCORE, NAN
                game.store_state(state, ints, ints[STATE_AT])
            elif game.has_reward:
                value += total
                if not is_total(game, value):
                    value = bad_total(game, start, ply, value, ints)
            return value, length
        if ply == limit:
            break

        # 3. A choice: one of the moves, all equally likely, or an outcome by its probability.
        choice, why = 0, 0
        if who == CHANCE:
            if game.has_chances:
                length += game.cost(state)
                number = game.fill_chances(state, ints, top, ints[MAX_MOVES])
                why = TOO_MANY if number > ints[MAX_MOVES] else 0 if are_probabilities(ints, top, number) else BAD_CHANCES
                if why == 0:
                    choice = ints[top + 4 * outcome_at(ints, top, number, share(splitmix(key, ply)))]
            else:
                why = NO_CHANCES
        elif who == 0 or who == 1:
            length += 1
            number = game.fill_moves(state, ints, top, ints[MAX_MOVES])
            why = TOO_MANY if number > ints[MAX_MOVES] else NO_MOVES if number <= 0 else 0
            if why == 0:
                choice = ints[top + index_below(splitmix(key, ply), number)]
        else:
            why = BAD_TURN
        if why != 0:
            ints[WHY] = why
            game.store_state(state, ints, ints[STATE_AT])
            return NAN, 0
        if game.has_reward:
            reward = game.reward(state, choice)
            if reward - reward != 0.0:  # NaN, or infinite
                return bad_reward(game, state, choice, ints), 0
            total += reward
            if ply < PLIES:
                ints[TRAIL + ply] = choice
        state = game.play(state, choice, there)
        here, there = there, here
    return total, WAS_CUT


def is_total(game, total):
    """Return whether rewards and a score may have this *total*: it is on the scale of the game, but for rounding."""
    slack = ROUNDING * (game.high - game.low)
    return game.low - slack <= total <= game.high + slack


def bad_total(game, start, plies, value, ints):
    """Note the last reward that takes the total of a game from *start* off the scale; *value* is that of all its *plies*.

    The choices are in ints[TRAIL:]. Return the NaN that says so.
    """
    state, here, there, last = start, game.room, game.room, 0
    for ply in range(min(plies, PLIES)):
        if not is_total(game, value):  # of what is still to come here
            last = ply
        value -= game.reward(state, ints[TRAIL + ply])
        state = game.play(state, ints[TRAIL + ply], there)
        here, there = there, here
    ints[WHY], ints[TRAIL_LENGTH] = BAD_REWARD, last + 1
    game.store_state(start, ints, ints[STATE_AT])
    return NAN


def bad_reward(game, state, choice, ints):
    """Note that the reward for *choice* in *state* takes the total off the scale; return the NaN that says so."""
    ints[WHY] = BAD_REWARD
    ints[TRAIL], ints[TRAIL_LENGTH] = choice, 1
    game.store_state(state, ints, ints[STATE_AT])
    return NAN


def are_probabilities(ints, top, number):
    """Return whether the *number* outcomes at *top* have probabilities above 0 that sum to 1."""
    total = 0.0
    for place in range(top, top + 4 * number, 4):
        probability = real_at(ints, place + 1)
        if not probability > 0.0:
            return False
        total += probability
    return sums_to_one(total)


def outcome_at(ints, top, number, point):
    """Return which of the *number* outcomes at *top* has *point*, a share from 0 to 1, in its part of the whole."""
    for index in range(number - 1):
        point -= real_at(ints, top + 4 * index + 1)
        if point < 0.0:
            return index
    return number - 1


def count_score(ints, bits):
    """Count a game whose score has these *bits*."""
    slot = mix(0, bits) & SLOTS - 1
    while ints[SCORES + 2 * slot + 1] != 0 and ints[SCORES + 2 * slot] != bits:
        slot = slot + 1 & SLOTS - 1
    place = SCORES + 2 * slot
    if ints[place + 1] == 0:
        ints[place] = bits
        ints[USED] += 1
    ints[place + 1] += 1
