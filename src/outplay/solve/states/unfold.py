"""The one kernel that knows the game: from the keys of states to who acts there, the scores and the keys of children.

A worker's memory, of 64-bit words:

    meter | base, mask and extent of each word | runs of bits | a state | moves | who | counts | scores | children | chances | rewards
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.compile.engine import Engine
from outplay.errors import RuleError, RuleRaised
from outplay.rules.bits import mix, unmix
from outplay.rules.game import CHANCE, OVER
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory, put_real, real_at
from outplay.rules.probabilities import fair
from outplay.runtime import meter
from outplay.runtime.faults import fault
from outplay.runtime.meter import BAD_CHANCES, BAD_REWARD, BAD_SCORE, BAD_TURN, NO_CHANCES, NO_MOVES, TOO_MANY
from outplay.solve.states.packing import WORD, Extent, Packing

# The meter.
WHY = 0  # the fault for which the kernel ended, or 0
MISFITS = 1  # children that the packing cannot hold
ANY = 2  # the bits that are set in any child, packed but not stirred
ALL = 3  # and in all of them
WORD_NUMBER, RUN_NUMBER, MAX_MOVES, SPACE = 4, 5, 6, 7  # sizes
RUNS_AT, STATE_AT, MOVES_AT, WHO_AT, COUNTS_AT, SCORES_AT, CHILDREN_AT, CHANCES_AT, REWARDS_AT = range(8, 17)  # places
METER = 17

# Of each word: what is subtracted, the bits that may then be set, and the extent of what did not fit.
BASE, ALLOWED, LOW, HIGH, SOME, EVERY = 0, 1, 2, 3, 4, 5
WORD_WIDTH = 6
RUN_WIDTH = 4  # word, place in it, mask, place in the key

FORGETFUL = (
    "the rules led to a state that they had not led to before; "
    "turn, moves, chances and play must depend on the state alone, and never change it"
)

CHUNK = 1 << 14  # states to unfold at a time: what is written then stays in the cache
LEAST = 1 << 13  # a thread is worth its cost from so many states on
MANY = 8  # threads, above which chunks are larger: between chunks Python runs, one thread at a time
CHILDREN = 8  # of a state, for which there is space on average


def chunk_for(threads: int) -> int:
    """Return how many states a thread unfolds at a time if there are so many *threads*."""
    return CHUNK if threads <= MANY else 4 * CHUNK


def threads_for(states: int, threads: int) -> int:
    """Return how many of the *threads* a layer of so many *states* is worth."""
    return min(threads, -(-states // LEAST))


def share(left: int, chunk: int, threads: int) -> int:
    """Return how many of the states that are *left* a thread takes next: fewer at the end, so that all finish together."""
    return min(left, chunk if threads == 1 else min(chunk, max(LEAST, left // (2 * threads))))


def unpack(packed, ints):
    """Unpack the words of a state to its place in memory."""
    at = ints[STATE_AT]
    for word in range(ints[WORD_NUMBER]):
        ints[at + word] = ints[METER + word * WORD_WIDTH + BASE]
    place = ints[RUNS_AT]
    for _ in range(ints[RUN_NUMBER]):
        ints[at + ints[place]] += (packed >> ints[place + 3] & ints[place + 2]) << ints[place + 1]
        place += RUN_WIDTH
    for word in range(ints[WORD_NUMBER]):
        if ints[METER + word * WORD_WIDTH + ALLOWED] < 0:  # the sign may vary, and Python does not wrap by itself
            ints[at + word] = unmix(mix(0, ints[at + word]))


def pack(ints):
    """Return the state's words packed into one; count a state that does not fit, and note its extents."""
    at = ints[STATE_AT]
    unfit = 0
    for word in range(ints[WORD_NUMBER]):
        record = METER + word * WORD_WIDTH
        unfit |= ints[at + word] - ints[record + BASE] & ~ints[record + ALLOWED]
    if unfit != 0:
        note_misfit(ints)
        return 0
    packed = 0
    place = ints[RUNS_AT]
    for _ in range(ints[RUN_NUMBER]):
        word = ints[place]
        distance = ints[at + word] - ints[METER + word * WORD_WIDTH + BASE]
        packed |= (distance >> ints[place + 1] & ints[place + 2]) << ints[place + 3]
        place += RUN_WIDTH
    return packed


pack.inlined = unpack.inlined = True  # type: ignore[attr-defined]


def note_misfit(ints):
    """Add the state's words to the extents of states that did not fit."""
    first = ints[MISFITS] == 0
    ints[MISFITS] += 1
    for word in range(ints[WORD_NUMBER]):
        record = METER + word * WORD_WIDTH
        held = ints[ints[STATE_AT] + word]
        if first:
            ints[record + LOW] = ints[record + HIGH] = ints[record + SOME] = ints[record + EVERY] = held
        ints[record + LOW] = min(ints[record + LOW], held)
        ints[record + HIGH] = max(ints[record + HIGH], held)
        ints[record + SOME] |= held
        ints[record + EVERY] &= held


def unfold(game, state, keys, start, number, ints):
    """Unfold up to *number* states from keys[start] on; return the number done, fewer if the space for children ran out.

    With a fault in ints[WHY] it is the number of states before the faulty one.
    """
    at, moves, limit = ints[STATE_AT], ints[MOVES_AT], ints[MAX_MOVES]
    filled = 0
    some, every = 0, -1
    for index in range(number):
        # 1. The state, and who acts.
        if filled + limit > ints[SPACE]:
            ints[ANY] |= some
            ints[ALL] &= every
            return index
        unpack(unmix(int(keys[start + index])), ints)
        here = game.load_state(ints, at, game.room)
        who = game.turn(here)
        score = 0.0
        step, choices = 1, 0

        # 2. What is open; faults end it here.
        if who == OVER:
            score = game.score(here) + 0.0
            if not game.low <= score <= game.high:
                ints[WHY] = BAD_SCORE
        elif who == CHANCE:
            step = 4
            choices = game.fill_chances(here, ints, moves, limit)
            if not game.has_chances:
                ints[WHY] = NO_CHANCES
            elif choices <= limit and not fair(moves, choices, ints):
                ints[WHY] = BAD_CHANCES
        elif who == 0 or who == 1:
            choices = game.fill_moves(here, ints, moves, limit)
            if choices == 0:
                ints[WHY] = NO_MOVES
        else:
            ints[WHY] = BAD_TURN
        if choices > limit:
            ints[WHY] = TOO_MANY
        if ints[WHY] != 0:
            return index
        ints[ints[WHO_AT] + index] = who
        ints[ints[COUNTS_AT] + index] = choices
        put_real(ints, ints[SCORES_AT] + index, score)

        # 3. The children.
        for choice in range(choices):
            if game.has_reward:
                pay = game.reward(here, ints[moves + step * choice])
                put_real(ints, ints[REWARDS_AT] + filled, pay)
                if pay - pay != 0.0:  # NaN, or infinite
                    ints[WHY] = BAD_REWARD
                    return index
            game.store_state(game.play(here, ints[moves + step * choice], game.room), ints, at)
            packed = pack(ints)
            some |= packed
            every &= packed
            ints[ints[CHILDREN_AT] + filled] = mix(0, packed)
            if who == CHANCE:
                put_real(ints, ints[CHANCES_AT] + filled, real_at(ints, moves + 4 * choice + 1))
            filled += 1
    ints[ANY] |= some
    ints[ALL] &= every
    return number


def plan_of(packing: Packing) -> list[int]:
    """Return the beginning of a worker's memory, up to the place of the state."""
    meter = [0] * METER
    meter[ALL] = -1
    meter[WORD_NUMBER], meter[RUN_NUMBER] = len(packing.words), len(packing.runs)
    meter[RUNS_AT] = METER + WORD_WIDTH * len(packing.words)
    meter[STATE_AT] = meter[RUNS_AT] + RUN_WIDTH * len(packing.runs)
    words = [part for base, allowed in packing.words for part in (base, allowed, 0, 0, 0, 0)]
    return [*meter, *words, *(part for run in packing.runs for part in run)]


@dataclass(frozen=True)
class Unfolded:
    """Some states in order: who acts, the scores of those that are over, and the children of all, one after the other."""

    number: int
    who: Any
    counts: Any
    scores: Any
    children: Any
    chances: Any  # their probabilities; empty in a game without
    rewards: Any  # what coming to each pays; empty in a game without


@contextmanager
def all_children_known() -> Iterator[None]:
    """Turn the KeyError for a child that was not enumerated into the error for rules that are not deterministic."""
    try:
        yield
    except KeyError:
        raise RuleError(FORGETFUL) from None


class Unfolder:
    """The kernel with the memory of one worker."""

    def __init__(self, engine: Engine, state: Any, packing: Packing, *, chunk: int = CHUNK, again: bool = False) -> None:
        """*chunk*: states at a time. *again*: the states were unfolded before, so every child fits."""
        self.chunk = chunk
        self.engine, self.packing, self._state, self._again = engine, packing, state, again
        plan = plan_of(packing)
        limit = engine.game.max_moves
        space = CHILDREN * chunk + limit
        place = len(plan) + len(packing.words)
        for where, size in (
            (MOVES_AT, 4 * limit),
            (WHO_AT, chunk),
            (COUNTS_AT, chunk),
            (SCORES_AT, chunk),
            (CHILDREN_AT, space),
            (CHANCES_AT, space if engine.game.chances else 0),
            (REWARDS_AT, space if engine.game.reward else 0),
        ):
            plan[where] = place
            place += size
        plan[MAX_MOVES], plan[SPACE] = limit, space
        self._plan = plan
        self.memory = engine.memory(place)
        for at, word in enumerate(plan):
            self.memory[at] = word

    def prepare(self) -> None:
        """Compile the kernel now."""
        self.engine.prepare(np.zeros(1, np.int64), 0, 0, self.memory)

    def run(self, keys: Any, start: int, number: int) -> Unfolded:
        """Unfold up to *number* states of *keys* from *start* on."""
        try:
            done = int(self.engine.run(self._state, keys, start, min(number, self.chunk), self.memory))
        except RuleRaised as error:
            if (
                self.engine.compiled and error.place is None
            ):  # the same interpreted raises again, and with the rule's name and line
                self.interpreted(keys, start, number)
            raise
        if self.memory[WHY]:
            raise self._fault(int(keys[start + done]))
        if self._again and self.memory[MISFITS]:
            raise RuleError(FORGETFUL)
        counts = self._ints(COUNTS_AT, done)
        total = int(counts.sum())
        chances = self._reals(CHANCES_AT, total if self.engine.game.chances else 0)
        rewards = self._reals(REWARDS_AT, total if self.engine.game.reward else 0)
        children = self._ints(CHILDREN_AT, total)
        return Unfolded(done, self._ints(WHO_AT, done), counts, self._reals(SCORES_AT, done), children, chances, rewards)

    def interpreted(self, keys: Any, start: int, number: int) -> None:
        """Do the same as `run` with interpreted rules, to find the rule that fails."""
        Unfolder(Engine(self.engine.game, unfold, compiled=False), self._state, self.packing).run(keys, start, number)

    def bits(self) -> tuple[int, int]:
        """Return the bits set in any child since the last call, and in all."""
        found = int(self.memory[ANY]), int(self.memory[ALL])
        self.memory[ANY], self.memory[ALL] = 0, -1
        return found

    def misfits(self) -> list[Extent] | None:
        """Return the extents of the children that did not fit, if there were any."""
        if not self.memory[MISFITS]:
            return None
        records = range(METER, METER + WORD_WIDTH * len(self.packing.words), WORD_WIDTH)
        found = [[int(self.memory[record + part]) for part in (LOW, HIGH, SOME, EVERY)] for record in records]
        return [Extent(low, high, some & WORD, every & WORD) for low, high, some, every in found]

    def _fault(self, key: int) -> Exception:
        rules, memory = InterpretedRules(self.engine.game), Memory(enumerate(self.packing.unpacked(key)))
        state, ended = rules.load_state(memory, 0), Memory({meter.WHY: int(self.memory[WHY])})
        if self.memory[WHY] == BAD_REWARD:
            choices = [choice for choice, _ in self.engine.game.choices(state)]
            ended[meter.TRAIL] = next(choice for choice in choices if not math.isfinite(rules.reward(state, choice)))
            ended[meter.TRAIL_LENGTH] = 1
        return fault(self.engine.game, state, ended)

    def _ints(self, where: int, number: int) -> Any:
        at = self._plan[where]
        if self.engine.compiled:
            return self.memory[at : at + number]
        return np.array(self.engine.words(self.memory, at, number), np.int64)

    def _reals(self, where: int, number: int) -> Any:
        at = self._plan[where]
        if self.engine.compiled:
            return self.memory[at : at + number].view(np.float64)
        return np.array(self.engine.reals(self.memory, at, number), np.float64)


class UnfolderPool:
    """The unfolders of all workers, kept from layer to layer: fresh memory is slow, and one thread would have to clear it for all."""

    def __init__(self, engine: Engine, state: Any, *, chunk: int, again: bool = False) -> None:
        self.engine, self.state, self.chunk, self.again = engine, state, chunk, again
        self._made: list[Unfolder] = []

    def take(self, packing: Packing, number: int) -> list[Unfolder]:
        """Return so many unfolders, the first of them compiled."""
        if self._made and self._made[0].packing is not packing:
            self._made.clear()
        while len(self._made) < number:
            self._made.append(Unfolder(self.engine, self.state, packing, chunk=self.chunk, again=self.again))
        self._made[0].prepare()
        return self._made[:number]
