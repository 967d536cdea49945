"""Drives the kernel: iterative deepening with aspiration windows, and the result of a search that a limit ended."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any

from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.intervals import half_width
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.rule_errors import rule_errors
from outplay.rules.text import choice_name
from outplay.runtime import meter
from outplay.runtime.crew import Crew
from outplay.runtime.limits import Limits
from outplay.runtime.stopper import Stopper
from outplay.search import layout
from outplay.search.race import timed
from outplay.search.result import Bound, Candidate, Iteration, Outcome, Result, StoppedBy, later
from outplay.search.sampling import Sampling
from outplay.search.table import Storage
from outplay.search.worker import Worker

FIRST_WINDOW = 1 / 64  # of the scale, to either side of the last depth's value
WIDER = 8
GROWTH = 1.5  # buckets for the next depth, for each node of the last: most nodes are leaves, and leaves are not kept
BOUNDS: dict[int, Bound] = {layout.NONE: "unknown", layout.EXACT: "exact", layout.LOWER: "at least", layout.UPPER: "at most"}


@dataclass(slots=True)
class Found:
    """What is known so far."""

    move: int | None
    index: int  # of the move among the root's
    value: float
    line: tuple[int, ...]
    depth: int
    proven: bool
    # For each choice of the root: a word with bound and proof, the value, the depth. A move left out of that depth has the word NONE.
    roots: tuple[tuple[int, float, int], ...]
    length: int | None = None  # moves to the end, where that is known; see `race.py`
    error: float = 0.0  # half the width of a 95 % interval, where outcomes are sampled


class Driver:
    """One search, from its first depth to its result. Several drivers may take turns in one *memory*."""

    def __init__(
        self,
        engine: Engine,
        state: Any,
        mode: int,
        limits: Limits,
        *,
        who: int | None = None,
        threads: int = 1,
        storage: Storage,
        memory: tuple[Any, Any] | None = None,
        deadline: int = meter.NEVER,
        sampling: Sampling | None = None,
    ) -> None:
        self.engine, self.game, self.state, self.mode, self.limits = engine, engine.game, state, mode, limits
        self.who = self.game.acting(state) if who is None else int(who)
        # A compiled kernel finds the moves much faster, so they are taken from it after the first depth.
        self._roots: list[int] | None = None if engine.compiled else self._legal()
        self.storage = storage
        self.crew = Crew(engine, [Worker(engine, state, self.who, self.storage, memory) for _ in range(threads)])
        self.iterations: list[Iteration] = []
        self.deadline, self.sampling = deadline, sampling
        if sampling is not None:
            self.mode |= layout.SAMPLED
            for worker in self.crew.workers:
                sampling.write(worker.memory)

    @cached_property
    def outcomes(self) -> list[tuple[int, float | None]]:
        """The outcomes of chance at the root, with their probabilities."""
        with rule_errors(self.game):
            return self.game.choices(self.state)

    def prepare(self, digest: str | None = None) -> None:
        """Compile everything that the search needs; *digest*: that of the rules, if it was just looked up."""
        self.engine.prepare(*self.crew.workers[0].arguments(1, 0.0, 0.0, self.mode), digest=digest)

    def release(self) -> None:
        """Leave the memory to later searches; only after a search that no timer can still stop."""
        for worker in self.crew.workers:
            worker.release()

    @property
    def roots(self) -> list[int]:
        """The moves of the root; none where chance acts."""
        if self._roots is None:
            self._roots = self._legal()
        return self._roots

    def _legal(self) -> list[int]:
        return [] if self.who == CHANCE else self.game.legal(self.state)

    def begin(self, began: int) -> None:
        """Set the limits of the search, which started at *began*, a moment of the clock."""
        self.deadline = self.limits.deadline(began)
        self.crew.limit(self.deadline, self.limits.nodes)

    def below(self, state: Any) -> "Driver":
        """Return a driver for *state*, one choice further on, that works in the same memory by turns with this one."""
        worker = self.crew.workers[0]
        memory = worker.memory, worker.handle
        return Driver(
            self.engine, state, self.mode, self.limits, storage=self.storage, memory=memory, deadline=self.deadline
        )  # fmt: skip

    def use(self, storage: Storage) -> None:
        """Have all workers use another transposition table."""
        self.storage = storage
        for worker in self.crew.workers:
            worker.storage = storage

    def run(self, stopper: Stopper, began: int, progress: Callable[[Iteration], None] | None) -> Result:
        """Search until a limit is reached, the value is proven, or *stopper* stops the search."""
        self.begin(began)
        found: Found | None = None
        stopped_by: StoppedBy = "depth"
        with self.crew, stopper.watching(self.crew.memories):
            for depth in self._depths():
                worker, value, proven = self.deepened(depth, found, stopper)
                if math.isnan(value):
                    fault = self.crew.fault(self.state, self.limits.depth is None and bool(self.iterations))
                    if fault is not None:
                        _ = self.roots  # moves that are wrong at the root itself have an error of their own
                        raise fault
                    found = self._partial(worker, depth, found or self.nothing())
                    stopped_by = self.why(stopper)
                    break
                found = self.found(worker, depth, value, proven)
                self.iterations.append(Iteration(depth, value, found.line, self.crew.nodes(), (now() - began) / 1e9, proven))
                if progress is not None:
                    progress(self.iterations[-1])
                if proven:
                    stopped_by = "proof"
                    found = timed(self, found, stopper)
                    break
            assert found is not None  # a search has at least one depth
            return Result(
                move=found.move,
                value=found.value,
                line=found.line if self.game.chances is None else later(_marked, self.game, self.state, found.line),
                depth=found.depth,
                nodes=self.crew.nodes(),
                seconds=(now() - began) / 1e9,
                proven=found.proven,
                stopped_by=stopped_by,
                candidates=later(
                    _candidates, self.game, self.state, self.who, self.outcomes if self.who == CHANCE else self.roots, found
                ),
                iterations=tuple(self.iterations),
                threads=self.crew.threads,
                probes=self.crew.total(layout.PROBES),
                hits=self.crew.total(layout.HITS),
                game=self.game,
                state=self.state,
                length=found.length,
                sampling=self.sampling,
                error=found.error,
            )

    def _depths(self) -> range:
        deepest = self.limits.depth or meter.PLIES
        return range(1, deepest + 1) if self.mode & layout.DEEPENING else range(deepest, deepest + 1)

    def deepened(self, depth: int, found: Found | None, stopper: Stopper) -> tuple[Worker, float, bool]:
        """Search one depth: first within a narrow window about the value *found* last, then within wider ones."""
        self.storage.age = self.storage.earlier + depth & 0xFF
        mode = self.mode | (layout.SHARED if self.crew.threads > 1 and self.mode & layout.TABLE else 0)
        if depth == self.limits.depth == 2 and self.who != CHANCE and self.storage.untouched:
            # Only the root would be looked up. To make an empty table for that takes longer than many a search of two moves.
            mode &= ~(layout.TABLE | layout.SHARED)
        elif mode & layout.TABLE and depth > 1:
            self.storage.grow(self._expected(), (self.deadline - now()) / 1e9, stopper)
        alpha, beta, first = -math.inf, math.inf, -1 if found is None else found.index
        width = (self.game.high - self.game.low) * FIRST_WINDOW
        if self.mode & layout.PRUNING and self.iterations and found is not None:
            alpha, beta = found.value - width, found.value + width
        while True:
            worker, found_now = self.crew.run((depth, alpha, beta, mode, first), stopper)
            value, proven = found_now or (math.nan, False)
            width *= WIDER
            if value <= alpha:
                alpha = value - width if width < self.game.high - self.game.low else -math.inf
            elif value >= beta:
                beta = value + width if width < self.game.high - self.game.low else math.inf
                first = int(worker.memory[layout.BEST])
            else:
                return worker, value, proven

    def _expected(self) -> float:
        """Return how many buckets the next depth can be expected to use."""
        if not self.mode & layout.DEEPENING:
            most = min(self.storage.largest, self.limits.nodes or self.storage.largest)
            return expected_width(self.game, self.state, (self.limits.depth or meter.PLIES) - 1, most)
        before = self.iterations[-2].nodes if len(self.iterations) > 1 else 0
        return GROWTH * (self.iterations[-1].nodes - before) if self.iterations else 0

    def nothing(self) -> Found:
        """Return the result of a search without time for a single move: a legal move, and depth 0."""
        value = self.engine.estimate(self.state)
        roots = ((layout.NONE, 0.0, 0),) * len(self.roots)
        move = max(self.roots, key=lambda move: self.engine.rank(self.state, move), default=None)
        return Found(move, -1, value, () if move is None else (move,), 0, False, roots)

    def found(self, worker: Worker, depth: int, value: float, proven: bool) -> Found:
        if self._roots is None:
            self._roots = worker.root_moves()
        index = int(worker.memory[layout.BEST]) if self.roots else -1
        if self.who == CHANCE:
            known = worker.outcome_values(len(self.outcomes), sampled=self.sampling is not None)
            values = [known.get(outcome, (layout.NONE, 0.0)) for outcome, _ in self.outcomes]
            roots = tuple((word + 4 * (proven and word > 0), value, depth) for word, value in values)
        else:
            roots = tuple(zip(*worker.root_values(), repeat(depth)))
        move = self.roots[index] if self.roots else None
        error = 0.0
        if self.sampling is not None:
            deviation = math.sqrt(max(self.engine.reals(worker.memory, layout.VARIANCES, 1)[0], 0.0))
            error = min(half_width(deviation, self.sampling.samples), self.game.high - self.game.low)
        return Found(move, index, value, self.line(worker), depth, proven, roots, error=error)

    def _partial(self, worker: Worker, depth: int, before: Found) -> Found:
        """Return *before*, with the better move that an unfinished depth has found, if that depth has searched the old best move again."""
        index = int(worker.memory[layout.BEST])
        words, values = worker.root_values()
        if not self.roots or index < 0 or (before.index >= 0 and not words[before.index]):
            return before
        bound, value = words[index] & 3, values[index]
        if bound == (layout.UPPER if self.who == 0 else layout.LOWER):
            return before  # below the window: a bound from the wrong side
        roots = tuple(
            (word, value, depth) if word else old for word, value, old in zip(words, values, before.roots, strict=True)
        )  # fmt: skip
        return Found(self.roots[index], index, value, self.line(worker), before.depth, False, roots, error=before.error)

    def line(self, worker: Worker) -> tuple[int, ...]:
        return tuple(self.engine.words(worker.memory, layout.LINES, int(worker.memory[layout.LENGTHS])))

    def why(self, stopper: Stopper) -> StoppedBy:
        if stopper.stopped:
            return "stop"
        if self.crew.ended_by(meter.TOO_DEEP):
            return "depth"
        return "time" if now() >= self.deadline else "nodes"


def expected_width(game: Game, state: Any, plies: int, most: int) -> float:
    """Return how many states a tree has *plies* moves below *state*, generously, or *most* if it may have more.

    Two lines of play tell how wide the tree is, by first and by last choices. Others may be wider, so each ply counts twice.
    """
    widest = 1.0
    for which in (0, -1):
        here, width, left = state, 1.0, plies
        while left > 0 and width < most:
            try:
                if game.acting(here) == OVER:
                    break
                choices = game.choices(here)
                chance = game.acting(here) == CHANCE and not (game.cost is not None and game.cost(here))
                here = game.state(game.play(here, choices[which][0]))
            except Exception:  # the search meets the same rule and reports it with its place
                return most
            width *= len(choices) if chance else 2 * len(choices)
            left -= not chance
        widest = max(widest, width)
    return min(widest, most)


def _candidates(game: Game, state: Any, who: int, choices: list[Any], found: Found) -> tuple[Candidate, ...]:
    """Return the *choices* of *state*, moves or outcomes with their probabilities, with what the search *found* about each."""
    made, namer = [], Namer(game, state)
    no_better = (layout.UPPER + 4, game.high) if who == 0 else (layout.LOWER + 4, game.low)
    roots = found.roots or ((layout.NONE, 0.0, 0),) * len(choices)  # no depth was completed at a chance node
    for choice, (word, value, depth) in zip(choices, roots, strict=True):
        choice, probability = choice if isinstance(choice, tuple) else (choice, None)
        if word == layout.NONE and depth > 0 and who != CHANCE:  # the search left it out, because it cannot beat the best one
            word, value = no_better
        bound = BOUNDS[word & 3]
        if (bound == "at least" and value >= game.high) or (bound == "at most" and value <= game.low):
            bound = "exact"
        known = None if bound == "unknown" else float(value)
        made.append(
            Candidate(
                choice, known, bound, depth, bool(word & 4),
                best=choice == found.move, probability=probability, namer=namer,
            )
        )  # fmt: skip
    return tuple(made)


def _marked(game: Game, state: Any, line: tuple[int, ...]) -> tuple[int, ...]:
    """Return *line*, played from *state*, with the outcomes of chance marked."""
    marked = []
    for choice in line:
        marked.append(Outcome(choice) if game.turn(state) == CHANCE else choice)
        state = game.play(state, choice)
    return tuple(marked)


class Namer:
    """Names the choices of *state* in the game's words, each once."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game, self.state = game, state
        self._names: dict[int, str] = {}

    def __call__(self, choice: int) -> str:
        if choice not in self._names:
            with rule_errors(self.game):
                self._names[choice] = choice_name(self.game, self.state, choice)
        return self._names[choice]

    def __reduce__(self) -> tuple[Any, ...]:
        return Namer.remade, (self.game, self.state)  # the game first: it loads the file that has the class of the state

    @classmethod
    def remade(cls, game: Game, state: Any) -> "Namer":
        """Return a namer out of a pickle, in which arrays are not read-only."""
        return cls(game, game.state(state))
