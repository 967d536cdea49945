"""Drives a Monte Carlo tree search: gives simulations to the threads, reports progress, and builds the result."""

import threading
from collections.abc import Callable
from typing import Any

from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.errors import GameError
from outplay.intervals import clipped, half_width
from outplay.rules.bits import bits_of, splitmix
from outplay.rules.game import CHANCE
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.rule_errors import rule_errors
from outplay.runtime import meter
from outplay.runtime.crew import Crew
from outplay.runtime.faults import fault
from outplay.runtime.limits import Limits
from outplay.runtime.stopper import Stopper
from outplay.search.driver import Namer
from outplay.search.montecarlo import playout_layout, tree_layout
from outplay.search.montecarlo.options import TreeOptions
from outplay.search.montecarlo.replay import call_rules, playout_choices
from outplay.search.montecarlo.tree import Branch, Tree
from outplay.search.result import Bound, Candidate, Iteration, Outcome, Result, StoppedBy

FIRST_REPORT = 128  # simulations; then twice as many, and so on
PLIES = 2000  # a longer playout is cut, and the leaf estimated
LINE = 64  # choices of the line, at most
LARGEST_PART, LEAST_PART = 1024, 16  # simulations that a thread takes at once, where there are several threads
PARTS_LEFT = 4  # a part is at most 1 / (PARTS_LEFT * threads) of what is left, so that all threads end at about the same time


class SimulationCounter:
    """Numbers the simulations of a search. Each thread takes the next part of them when it is ready."""

    def __init__(self, first: int, last: int, threads: int) -> None:
        self.next, self.last, self.threads = first, last, threads
        self.most = LARGEST_PART  # simulations in a part, so that the next report is not late
        self._lock = threading.Lock()

    def take(self) -> tuple[int, int]:
        """Return the numbers of the next part, as (first, end); they are equal if no simulation is left."""
        with self._lock:
            first, left, most = self.next, self.last - self.next, self.most
            if self.threads > 1:
                most = max(min(most, LARGEST_PART, left // (PARTS_LEFT * self.threads)), LEAST_PART)
            self.next += min(left, most)
            return first, self.next


class TreeWorker:
    """One thread that grows a tree."""

    def __init__(self, engine: Engine, state: Any, tree: Tree, options: TreeOptions, depth: int | None, *, shared: bool) -> None:
        self.engine, self.state = engine, state
        room = engine.game.max_moves
        self.memory = memory = engine.memory(tree_layout.MOVES + 4 * room + sum(field.words for field in engine.game.fields))
        memory[meter.MAX_MOVES], memory[meter.STRIDE] = room, meter.FIRST_STRIDE
        memory[playout_layout.TOP], memory[playout_layout.STATE_AT] = tree_layout.MOVES, tree_layout.MOVES + 4 * room
        memory[playout_layout.PLY_LIMIT] = PLIES
        memory[playout_layout.SEED] = splitmix(options.seed, 1)
        memory[playout_layout.STEP] = 1
        memory[tree_layout.TREE_AT] = engine.address(tree.memory)
        memory[tree_layout.ROOT] = tree.root
        memory[tree_layout.LEAVES] = options.leaf_mode(engine.game)
        memory[tree_layout.DEPTH_CAP] = depth or meter.PLIES
        memory[tree_layout.SHARED] = int(shared)
        exploration = options.weight(engine.game)
        memory[tree_layout.EXPLORATION] = bits_of(exploration) if engine.compiled else exploration
        self.simulations = 0  # of finished parts; the current part is not counted
        self.after_part: Callable[[], None] | None = None

    def run(self, counter: SimulationCounter) -> bool | None:
        """Run simulations until none are left; True if the root is proven, None if not."""
        memory = self.memory
        while True:
            first, end = counter.take()
            memory[playout_layout.GAME], memory[playout_layout.LAST] = first, end
            memory[meter.WHY], memory[meter.TRAIL_LENGTH] = meter.BY_NODES, 0
            if first == end:
                return None
            memory[meter.NEXT_LOOK] = memory[meter.NODES] + 1
            proven = self.engine.run(self.state, memory)
            self.simulations += int(memory[playout_layout.GAME]) - first
            if proven or self.abandoned:
                return True if proven else None
            if self.after_part is not None:
                thread, memory[meter.BUSY] = int(memory[meter.BUSY]), 0  # the watch must not take a slow report for a rule
                self.after_part()
                memory[meter.BUSY] = thread

    @property
    def abandoned(self) -> bool:
        """Whether it ended before it had run all simulations of its part."""
        return int(self.memory[playout_layout.GAME]) < int(self.memory[playout_layout.LAST])


class TreeDriver:
    """One search by simulations, from the first to its result."""

    def __init__(self, engine: Engine, state: Any, limits: Limits, *, tree: Tree, options: TreeOptions, threads: int = 1) -> None:
        self.engine, self.game, self.state, self.limits = engine, engine.game, state, limits
        self.tree, self.options = tree, options
        self.who = self.game.acting(state)
        self.roots = [] if self.who == CHANCE else self.game.legal(state)
        tree.begin(state)
        workers = [TreeWorker(engine, state, tree, options, limits.depth, shared=threads > 1) for _ in range(threads)]
        self.crew = Crew(engine, workers)
        self.iterations: list[Iteration] = []
        self.deadline = meter.NEVER

    def prepare(self, digest: str | None = None) -> None:
        """Compile what the search takes; *digest*: that of the rules, if it was just looked up."""
        self.engine.prepare(self.crew.memories[0], digest=digest)

    def run(
        self, stopper: Stopper, began: int, progress: Callable[[Iteration], None] | None, *, every: int | None = None
    ) -> Result:
        """Search until a limit is reached, the value is proven, or *stopper* says so.

        *progress* is called after every *every* simulations; by default after 128, 256, 512, ... With several threads, a call may come
        later.
        """
        self.deadline = self.limits.deadline(began)
        self.crew.limit(self.deadline, self.limits.nodes)
        first, last = self.tree.simulations, self.limits.simulations or meter.NEVER
        counter = SimulationCounter(first, min(first + last, meter.NEVER), self.crew.threads)
        until = every or FIRST_REPORT

        def report_if_due() -> None:
            nonlocal until
            done = self._simulations()
            if until <= done < last:
                self._report(began, progress)
                while until <= done:
                    until += every or until
            counter.most = -(-(until - done) // self.crew.threads)

        report_if_due()
        self.crew.workers[0].after_part = report_if_due  # the other threads go on meanwhile
        try:
            with self.crew, stopper.watching(self.crew.memories):
                _, proven = self.crew.run((counter,), stopper)
        finally:
            self.tree.simulations = max(first, *(int(memory[playout_layout.GAME]) for memory in self.crew.memories))
        self._raise_fault()
        abandoned = any(worker.abandoned for worker in self.crew.workers)
        stopped_by: StoppedBy = "proof" if proven else self._why(stopper) if abandoned else "simulations"
        self._report(began, progress)
        return self._result(began, stopped_by)

    def repeat(self) -> None:
        """Play the simulations at hand again, interpreted: there a rule that fails does so with its line."""
        for worker in self.crew.workers:
            memory, state = worker.memory, self.state
            with rule_errors(self.game):
                for ply in range(1, int(memory[tree_layout.PATH_LENGTH])):
                    record = int(memory[tree_layout.PATH + ply]) // tree_layout.RECORD
                    state = self.game.play(state, self.tree.branch(record).choice)
            call_rules(self.game, state)
            number = int(memory[playout_layout.GAME])
            with rule_errors(self.game):
                choices = playout_choices(self.game, state, int(memory[playout_layout.SEED]), number, PLIES)
            for choice in choices:
                call_rules(self.game, state)
                state = self.game.play(state, choice)

    def _simulations(self) -> int:
        return sum(worker.simulations for worker in self.crew.workers)

    def _why(self, stopper: Stopper) -> StoppedBy:
        return "stop" if stopper.stopped else "time" if now() >= self.deadline else "nodes"

    def _raise_fault(self) -> None:
        for worker in self.crew.workers:
            if int(worker.memory[meter.WHY]) > meter.BY_STOP:
                raise self._fault(worker)

    def _fault(self, worker: TreeWorker) -> GameError:
        """Return the error for which *worker* ended; its memory holds the state."""
        self.tree.clear()
        state = InterpretedRules(self.game).load_state(worker.memory, int(worker.memory[playout_layout.STATE_AT]))
        return fault(self.game, state, worker.memory)

    def _report(self, began: int, progress: Callable[[Iteration], None] | None) -> None:
        root = self.tree.branch(self.tree.root)
        line = self._line(root)
        made = Iteration(
            self._depth(), self._value(root), line, self.crew.nodes(), (now() - began) / 1e9, root.settled,
            simulations=self._simulations(),
        )  # fmt: skip
        self.iterations.append(made)
        if progress is not None:
            progress(made)

    def _result(self, began: int, stopped_by: StoppedBy) -> Result:
        tree = self.tree
        root = tree.branch(tree.root)
        children = tree.children(root)
        best = self._best(root, children)
        move = None if self.who == CHANCE else best.choice if best is not None else self._merely_legal()
        return Result(
            move=move,
            value=self._value(root),
            line=self._line(root) or (() if move is None else (move,)),
            depth=self._depth(),
            nodes=self.crew.nodes(),
            seconds=(now() - began) / 1e9,
            proven=root.settled,
            stopped_by=stopped_by,
            candidates=self._candidates(children, move),
            iterations=tuple(self.iterations),
            threads=self.crew.threads,
            probes=0,
            hits=0,
            game=self.game,
            state=self.state,
            method="mcts",
            simulations=self._simulations(),
            notes=self._notes(),
        )

    def _depth(self) -> int:
        return max(int(memory[tree_layout.DEEPEST]) for memory in self.crew.memories)

    def _merely_legal(self) -> int:
        return max(self.roots, key=lambda move: self.engine.rank(self.state, move))

    def _best(self, node: Branch, children: list[Branch]) -> Branch | None:
        """Return the choice to expect at *node*; None if nothing tells one.

        At a player's node the one that was visited most, for a mean of few simulations says little; a proven choice that is better comes first,
        and one that is proven worse than another is out. At a chance node it is the likeliest outcome.
        """
        if node.who == CHANCE:
            return max(children, key=lambda one: one.prior, default=None)
        sign = -1.0 if node.who == 1 else 1.0

        def sure(one: Branch) -> float:
            return one.lower if node.who == 0 else -one.upper

        def hoped(one: Branch) -> float:
            return one.upper if node.who == 0 else -one.lower

        floor = max(map(sure, children), default=0.0)
        known = [one for one in children if one.settled and sure(one) == floor]
        still_open = [one for one in children if not one.settled and hoped(one) > floor and one.visits]
        tried = max(still_open, key=lambda one: (one.visits, sign * one.mean), default=None)
        if known and (tried is None or floor >= sign * tried.mean):
            return max(known, key=lambda one: one.visits)
        return tried

    def _value(self, root: Branch) -> float:
        if root.settled:
            return root.lower
        if self.who == CHANCE:
            return root.mean if root.visits else self.engine.estimate(self.state)
        best = self._best(root, self.tree.children(root))
        return self.engine.estimate(self.state) if best is None else best.value

    def _line(self, root: Branch) -> tuple[int, ...]:
        line: list[int] = []
        node: Branch | None = root
        while node is not None and node.number and len(line) < LINE:
            who = node.who
            node = self._best(node, self.tree.children(node))
            if node is not None and (node.visits or node.settled):
                line.append(Outcome(node.choice) if who == CHANCE else node.choice)
            else:
                break
        return tuple(line)

    def _candidates(self, children: list[Branch], move: int | None) -> tuple[Candidate, ...]:
        namer, made = Namer(self.game, self.state), []
        known = {one.choice: one for one in children}
        for choice in self.roots or known:
            one = known.get(choice)
            if one is None or not (one.visits or one.settled):
                bound: Bound = "unknown"
                made.append(Candidate(choice, None, bound, 0, False, visits=0, best=choice == move, namer=namer))
                continue
            interval = None
            if not one.settled and one.error:  # results that were all alike tell no error
                interval = clipped(one.mean, half_width(one.error, one.visits), one.lower, one.upper)
            made.append(
                Candidate(
                    choice,
                    one.value,
                    "exact" if one.settled else "mean",
                    0,
                    one.settled,
                    best=choice == move,
                    probability=one.prior if self.who == CHANCE else None,
                    visits=one.visits,
                    interval=interval,
                    namer=namer,
                )
            )
        return tuple(made)

    def _notes(self) -> tuple[str, ...]:
        notes = []
        if self.tree.full:
            notes.append(
                f"The tree filled its memory ({self.tree.capacity * 64 / (1 << 20):,.0f} MB) and grew no further; "
                "a larger table_mb lets it grow."
            )
        cut = self.crew.total(playout_layout.CUT)
        if cut:
            what = "valued by the estimate" if self.game.estimate is not None else "counted as 0, or the score next to it"
            notes.append(f"{cut:,} playouts were cut at {PLIES:,} plies and {what}.")
        return tuple(notes)
