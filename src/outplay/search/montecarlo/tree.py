"""The tree of a Monte Carlo search: its memory, its records as Python reads them, and a new root inside it."""

import heapq
import math
from typing import Any, NamedTuple

from outplay.compile.engine import Engine
from outplay.errors import OptionError
from outplay.rules.bits import bits_of
from outplay.rules.game import CHANCE
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory
from outplay.runtime.growing_table import MOST_MB
from outplay.search.montecarlo import tree_layout as layout

RECORD_BYTES = 8 * layout.RECORD
TRIED = 500  # nodes that are looked at to find a state in the tree
AHEAD = 8  # plies below the old root, at most


class Branch(NamedTuple):
    """A record: a choice, and what is known of it. Values are player 0's.

    A report reads some hundred of them, so what few readers ask for is computed when it is asked for.
    """

    record: int
    choice: int
    visits: int
    total: float  # the sum of the results, and of their squares, in units of the scale
    squares: float
    lower: float
    upper: float
    prior: float
    who: int  # who acts after it
    first: int  # its first child
    number: int  # of its children
    span: float  # of the scale

    @property
    def settled(self) -> bool:
        """Whether the value is proven."""
        return self.lower >= self.upper

    @property
    def mean(self) -> float:
        """The mean of the simulations, within the bounds."""
        mean = self.total / self.visits * self.span if self.visits else 0.0
        return min(max(mean, self.lower), self.upper)

    @property
    def error(self) -> float | None:
        """The standard error of the mean; None if there were fewer than two simulations."""
        if self.visits < 2:
            return None
        share = self.total / self.visits
        variance = max(self.squares / self.visits - share * share, 0.0) * self.visits / (self.visits - 1)
        return math.sqrt(variance / self.visits) * self.span

    @property
    def value(self) -> float:
        """The value, as far as it is known."""
        return self.lower if self.settled else self.mean


class Tree:
    """The tree of one game, of up to so many *megabytes*. It is kept from search to search, until `clear`."""

    def __init__(self, engine: Engine, megabytes: float) -> None:
        if not (isinstance(megabytes, (int, float)) and 0 < megabytes <= MOST_MB):
            raise OptionError(
                f"table_mb={megabytes!r} must lie above 0 and up to {MOST_MB:,}: the most memory that the tree takes"
            )
        self.engine, self.game = engine, engine.game
        self.rules = InterpretedRules(engine.game)
        self.span = float(self.game.high) - float(self.game.low)
        self.capacity = max(int(megabytes * (1 << 20)) // RECORD_BYTES, 2 + self.game.max_moves)
        self.memory = self._aligned(self.capacity)
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.root, self.state, self.simulations = 0, None, 0

    @property
    def full(self) -> bool:
        """Whether a node could not be given children for want of memory."""
        return bool(self.memory[layout.FULL])

    @property
    def records(self) -> int:
        """How many choices it holds."""
        return int(self.memory[layout.NEXT]) - layout.FIRST

    def begin(self, state: Any) -> None:
        """Have *state* at the root: with all that is known of it, if it is in the tree, else in a new tree."""
        found = 0 if self.root == 0 else self._find(state)
        if found == 0:
            self._renew(state)
        else:
            self.root = found
            if int(self.memory[layout.NEXT]) > self.capacity // 2:
                self._compact()
        self.memory[layout.FULL] = 0
        self.state = state
        self._free_root()

    def branch(self, record: int) -> Branch:
        """Return the *record* as Python reads it."""
        return self._branches(record, 1)[0]

    def children(self, branch: Branch) -> list[Branch]:
        """Return the choices after *branch*, in the order of the rules."""
        return self._branches(branch.first, branch.number) if branch.number else []

    def _branches(self, first: int, number: int) -> list[Branch]:
        size, span = layout.RECORD, self.span
        words = self.engine.words(self.memory, first * size, number * size)
        reals = self.engine.reals(self.memory, first * size, number * size)
        made = []
        for at in range(0, number * size, size):
            link = words[at + layout.LINK]
            made.append(
                Branch(
                    first + at // size, words[at + layout.CHOICE], words[at + layout.VISITS] & layout.COUNTED,
                    reals[at + layout.TOTAL], reals[at + layout.SQUARES],
                    reals[at + layout.LOWER], reals[at + layout.UPPER], reals[at + layout.PRIOR],
                    (link & layout.WHO) - layout.WHO_PLUS, link >> layout.CHILD, link >> layout.NUMBER & layout.MOST_CHILDREN, span,
                )
            )  # fmt: skip
        return made

    def _aligned(self, records: int) -> Any:
        memory = self.engine.memory((records + 1) * layout.RECORD)
        if isinstance(memory, Memory):
            return memory
        start = -memory.ctypes.data // 8 % layout.RECORD
        return memory[start : start + records * layout.RECORD]

    def _put(self, place: int, real: float) -> None:
        self.memory[place] = real if isinstance(self.memory, Memory) else bits_of(real)

    def _renew(self, state: Any) -> None:
        memory, at = self.memory, layout.FIRST * layout.RECORD
        memory[layout.NEXT], memory[layout.CAPACITY] = layout.FIRST + 1, self.capacity
        self._put(layout.LEAST, math.inf)
        self._put(layout.MOST, -math.inf)
        memory[at + layout.VISITS] = 0
        self._put(at + layout.TOTAL, 0.0)
        self._put(at + layout.SQUARES, 0.0)
        memory[at + layout.LINK] = int(self.game.turn(state)) + layout.WHO_PLUS
        self.root, self.simulations = layout.FIRST, 0

    def _free_root(self) -> None:
        """Let what is known of the root follow from its children alone: the search must find a move that attains its value."""
        at, root = self.root * layout.RECORD, self.branch(self.root)
        known = self.children(root)
        lower, upper = float(self.game.low), float(self.game.high)
        if known and root.who == CHANCE:
            lower, upper = (sum(one.prior * getattr(one, side) for one in known) for side in ("lower", "upper"))
        elif known:
            best = max if root.who == 0 else min
            lower, upper = best(one.lower for one in known), best(one.upper for one in known)
        self._put(at + layout.LOWER, lower)
        self._put(at + layout.UPPER, upper)
        if known and self.game.reward is not None:  # what was paid to come here counts no more
            self.memory[at + layout.VISITS] = sum(one.visits for one in known)
            self._put(at + layout.TOTAL, sum(one.mean * one.visits for one in known) / self.span)

    def _find(self, state: Any) -> int:
        """Return the record of *state* in the tree; 0 if it is not found near the root, where the next position is."""
        wanted, count = self._words(state), 0
        queue: list[tuple[int, int, int, int, Any]] = [(0, 0, 0, self.root, self.state)]
        while queue and count < TRIED:
            _, _, ply, record, reached = heapq.heappop(queue)
            if self._words(reached) == wanted:
                return record
            if ply < AHEAD:
                for child in self.children(self.branch(record)):
                    if child.visits and child.number:
                        count += 1
                        after = self.rules.play(reached, child.choice)
                        heapq.heappush(queue, (-child.visits, count, ply + 1, child.record, after))
        return 0

    def _words(self, state: Any) -> list[Any]:
        words = Memory()
        self.rules.store_state(state, words, 0)
        return [words[place] for place in range(sum(field.words for field in self.game.fields))]

    def _compact(self) -> None:
        """Move the subtree of the root to the front of the memory, so that what lies beside it makes room."""
        if isinstance(self.memory, Memory):
            self._compact_words()
            return
        import numpy

        size = layout.RECORD
        old = self.memory.reshape(-1, size)
        parts = [old[self.root : self.root + 1].copy()]
        free = layout.FIRST + 1
        while True:  # level by level: the children of one level are the next
            links = parts[-1][:, layout.LINK]
            numbers = links >> layout.NUMBER & layout.MOST_CHILDREN
            total = int(numbers.sum())
            if total == 0:
                break
            firsts = (links >> layout.CHILD)[numbers > 0]
            counted = numbers[numbers > 0]
            ends = numpy.cumsum(counted)
            places = numpy.repeat(firsts - (ends - counted), counted) + numpy.arange(total)
            parts[-1][numbers > 0, layout.LINK] += (free + ends - counted - firsts) << layout.CHILD
            parts.append(old[places])
            free += total
        moved = numpy.concatenate(parts)
        old[layout.FIRST : layout.FIRST + len(moved)] = moved
        self.memory[layout.NEXT], self.root = free, layout.FIRST

    def _compact_words(self) -> None:
        size, old = layout.RECORD, self.memory
        moved, level, free = Memory(), [self.root], layout.FIRST + 1
        for place in range(size):
            moved[place] = old[place]
        at = layout.FIRST
        while level:
            following: list[int] = []
            for record in level:
                for word in range(size):
                    moved[at * size + word] = old[record * size + word]
                link = old[record * size + layout.LINK]
                number, first = link >> layout.NUMBER & layout.MOST_CHILDREN, link >> layout.CHILD
                if number:
                    moved[at * size + layout.LINK] = link + ((free - first) << layout.CHILD)
                    following += range(first, first + number)
                    free += number
                at += 1
            level = following
        old.clear()
        old.update(moved)
        old[layout.NEXT], self.root = free, layout.FIRST
