"""Asks the rules about the states of a table, for `verify.py`: who acts, the score, the children. It shares no code with the solver.

For each state the kernel writes these words:

    the fault, or who acts | number of children | score | key, probability, reward | key, probability, reward | ...
"""

from typing import Any

import numpy as np

from outplay.compile.engine import Engine
from outplay.rules.bits import bits_of, mix, unmix
from outplay.rules.game import CHANCE, OVER
from outplay.rules.memory import real_at
from outplay.rules.probabilities import sums_to_one
from outplay.solve.states.packing import Packing
from outplay.solve.states.unfold import MISFITS, STATE_AT, pack, plan_of, unpack

Words = Any

STATES = 4096  # to follow at a time
HEAD, CHILD = 3, 3  # words for a state, and for each of its children

# Faults, where who acts would stand.
BAD_TURN, BAD_SCORE, BAD_CHANCES, NO_MOVES, TOO_MANY, NO_STATE, CHILD_UNFIT = range(10, 17)


def follow(
    game: Any, state: Any, keys: Words, start: int, number: int, limit: int, moves: int, out: int, space: int, ints: Words
) -> Any:
    """Write what the rules say about up to *number* states, from keys[start] on, to ints[out:]; return how many fitted.

    From ints[moves] on there is space for *limit* moves.
    """
    at = ints[STATE_AT]
    top = out
    for index in range(number):
        if top + HEAD + CHILD * limit > out + space:
            return index
        key = int(keys[start + index])
        unpack(unmix(key), ints)  # type: ignore[no-untyped-call]
        here = game.load_state(ints, at, game.room)
        game.store_state(here, ints, at)
        who, count, score = game.turn(here), 0, 0.0
        fault = NO_STATE if mix(0, pack(ints)) != key else 0  # type: ignore[no-untyped-call]
        if who == OVER:
            score = game.score(here)
            if not game.low <= score <= game.high:
                fault = BAD_SCORE
        elif who == CHANCE:
            count = game.fill_chances(here, ints, moves, limit)
            total = 0.0
            for choice in range(min(count, limit)):
                total += real_at(ints, moves + 4 * choice + 1)
            if count == 0 or not sums_to_one(total):
                fault = BAD_CHANCES
        elif who == 0 or who == 1:
            count = game.fill_moves(here, ints, moves, limit)
            if count == 0:
                fault = NO_MOVES
        else:
            fault = BAD_TURN
        if count > limit:
            fault = TOO_MANY
        if fault != 0:
            count = 0
        ints[top + 1], ints[top + 2] = count, bits_of(score + 0.0)
        head = top
        top += HEAD
        for choice in range(count):
            step, chance = (4, real_at(ints, moves + 4 * choice + 1)) if who == CHANCE else (1, 0.0)
            ints[top + 2] = bits_of(game.reward(here, ints[moves + step * choice]))
            game.store_state(game.play(here, ints[moves + step * choice], game.room), ints, at)
            ints[top], ints[top + 1] = mix(0, pack(ints)), bits_of(chance)  # type: ignore[no-untyped-call]
            top += CHILD
        if ints[MISFITS] != 0:
            ints[MISFITS] = 0
            fault = CHILD_UNFIT
        ints[head] = fault if fault != 0 else who
    return number


class Follower:
    """The kernel with the memory of one worker."""

    def __init__(self, engine: Engine, state: Any, packing: Packing) -> None:
        self.engine, self._state = engine, state
        plan = plan_of(packing)
        limit = engine.game.max_moves
        moves = len(plan) + len(packing.words)
        out, space = moves + 4 * limit, STATES * (HEAD + 8 * CHILD) + HEAD + CHILD * limit
        self._sizes = limit, moves, out, space
        self.memory = engine.memory(out + space)
        for place, word in enumerate(plan):
            self.memory[place] = word
        self.prepare()

    def prepare(self) -> None:
        """Compile the kernel now."""
        self.engine.prepare(np.zeros(1, np.int64), 0, 0, *self._sizes, self.memory)

    def run(self, keys: Any, start: int, number: int) -> tuple[int, Any]:
        """Follow up to *number* states of *keys* from *start* on; return their number and the words about them."""
        done = int(self.engine.run(self._state, keys, start, min(number, STATES), *self._sizes, self.memory))
        _, _, out, space = self._sizes
        if self.engine.compiled:
            return done, self.memory[out : out + space]
        return done, np.array(self.engine.words(self.memory, out, space), np.int64)
