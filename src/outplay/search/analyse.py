"""`analyse`: a value for every move, not for the best one alone."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.compile.trust import trust_compiled
from outplay.errors import RuleRaised
from outplay.rules.blame import blaming
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.notebook import beside
from outplay.rules.opponents import Policy
from outplay.rules.text import choice_name, line_names
from outplay.search import layout
from outplay.search.driver import Driver, Found
from outplay.search.kernel import explore
from outplay.search.limits import Limits
from outplay.search.overdue import SearchWatch
from outplay.search.result import Iteration, number
from outplay.search.search import NODES_TO_REPEAT, SECONDS_TO_REPEAT, set_out, set_timer
from outplay.search.stopper import Stopper
from outplay.search.storage import Storage
from outplay.search.techniques import mode_of
from outplay.search.threads import on_large_stack, stack_for
from outplay.search.words import UNDECIDED, listed, undecided

EACH = 256  # moves after each of which the first depth reports; then after twice as many as last time


@dataclass(frozen=True)
class Analysed:
    """A move, or an outcome of chance, and what it is worth to player 0. The value is exact for its depth, never a bound."""

    choice: int
    name: str
    probability: float | None  # of an outcome
    value: float | None  # None: not yet searched
    depth: int  # counted from the state, like the analysis'
    proven: bool
    line: tuple[int, ...]  # the play expected after it


@dataclass(frozen=True)
class Analysis:
    """Every choice of a state with its value. Values are player 0's.

    `depth` is the last depth that all choices were searched to, and all values are of that depth, but those proven: they are
    final. `stopped_by` is "" while the analysis goes on.
    """

    moves: tuple[Analysed, ...]
    value: float | None
    best: int | None  # the best move; None where chance acts
    depth: int
    nodes: int
    seconds: float
    proven: bool
    stopped_by: str
    game: Game = field(repr=False, compare=False)
    state: Any = field(repr=False, compare=False)

    def named_line(self, move: Analysed) -> list[str]:
        """Return the play expected after *move* in the game's words."""
        return line_names(self.game, self.game.play(self.state, move.choice), move.line)

    def explain(self) -> str:
        """Return the analysis as a person would read it: every choice, the best first, and the figures."""
        who = self.game.turn(self.state)
        order = sorted(self.moves, key=lambda move: (move.value is None, -(move.value or 0.0) if who == 0 else move.value or 0.0))
        moves = order if who != CHANCE else list(self.moves)
        width = max((len(move.name) for move in moves), default=0)
        lines = [f"{'Moves, the best first' if who != CHANCE else 'Outcomes'} (to {self.game.players[0]}):"]
        for move in moves:
            if move.value is None:
                continue
            worth = number(move.value) + (", proven" if move.proven else "")
            if undecided(self.game, move.value, proven=move.proven):
                worth = UNDECIDED
            chance = "" if move.probability is None else f"  with probability {move.probability:.3g}"
            then = " ".join(self.named_line(move))
            lines.append(f"  {move.name:{width}}{chance}  {worth}{f', then {then}' if then else ''}")
        later = [(move.name, "not searched") for move in moves if move.value is None]
        lines += listed(later, first_alone=False)
        if self.value is not None and undecided(self.game, self.value, proven=self.proven):
            lines.append("Undecided so far: no decisive line was searched to its end, and the game has no estimate.")
        lines.append(f"{self.nodes:,} nodes in {self.seconds:.3f} s, depth {self.depth}.")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return beside(self.game, self.state, self.explain())


def analyse(
    game: Game,
    state: Any = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    opponent: Policy = "best",
    table_mb: float = 64,
    compiled: bool = True,
    check: bool = True,
    progress: Callable[[Analysis], None] | None = None,
    tick: Callable[[int, float], None] | None = None,
    stopper: Stopper | None = None,
) -> Analysis:
    """Return the value of every move of *state*, or of every outcome where chance acts, searched deeper and deeper.

    A limit is required, as for `search`. *progress* is called with what is known whenever a depth is complete, and after
    each move of the first (of more than 256 moves, after 512, 1,024 and so on); *tick*, with nodes and seconds, several times a second.
    *check*: as for `search`.
    """
    limits = Limits(seconds, depth, nodes)
    state, game = set_out(game, state, opponent, check=check)
    if check and compiled:
        trust_compiled(game, state)
    analyst = _Analyst(Engine(game, explore, "searched", compiled=compiled), state, limits, table_mb)
    stopper = stopper or Stopper()

    def repeat() -> None:
        """Do the same interpreted, as far as the compiled search came: a rule that fails then does so with its name and line."""
        if analyst.nodes() <= NODES_TO_REPEAT:
            analyse(
                game, state, seconds=SECONDS_TO_REPEAT, depth=depth, nodes=analyst.nodes() + 1, compiled=False, check=False,
                stopper=stopper,
            )  # fmt: skip

    overdue = SearchWatch(game, state, [analyst.memory], repeat, compiled=compiled)

    def at_tick() -> None:
        overdue.look()
        if tick is not None:
            tick(analyst.nodes(), analyst.seconds())

    if compiled:
        set_timer(limits.seconds, analyst.root.crew.out_of_time)
    try:
        return on_large_stack(lambda: analyst.run(stopper, progress), stack_for(game), interrupt=stopper.stop, tick=at_tick)
    except RuleRaised:
        if compiled:
            repeat()
        raise


class _Branch:
    """One choice at the root and the search below it. What a search needs is made when it comes to the branch."""

    def __init__(self, analyst: "_Analyst", choice: int, probability: float | None) -> None:
        self.analyst, self.choice, self.probability = analyst, choice, probability
        self.rank = 0.0
        self.found: Found | None = None
        self.proven, self.depth, self.value = False, 0, math.nan
        self.settled = 0  # the depth that proved it

    def look(self) -> None:
        """Ask for the rank of the move, and see whether the game is over after it."""
        game = self.analyst.game
        self.rank = 0.0 if self.probability is not None else self.analyst.engine.rank(self.analyst.state, self.choice)
        if game.acting(self.state) == OVER:
            self.value, self.proven = float(game.score(self.state)), True

    @cached_property
    def name(self) -> str:
        with blaming(self.analyst.game):
            return choice_name(self.analyst.game, self.analyst.state, self.choice)

    @cached_property
    def state(self) -> Any:
        game = self.analyst.game
        with blaming(game):
            return game.state(game.play(self.analyst.state, self.choice))

    @cached_property
    def driver(self) -> Driver:
        analyst = self.analyst
        driver = Driver(
            analyst.engine, self.state, analyst.mode, analyst.limits, threads=1, storage=analyst.storage, memory=analyst.memory
        )
        driver.deadline = analyst.deadline
        return driver

    @property
    def known(self) -> bool:
        return self.value == self.value

    def analysed(self) -> Analysed:
        line = () if self.found is None else self.found.line
        value = self.value if self.known else None
        return Analysed(self.choice, self.name, self.probability, value, self.depth, self.proven, line)


class _Analyst:
    """Searches all branches in turn, each one depth further than before, over one table and in one memory."""

    def __init__(self, engine: Engine, state: Any, limits: Limits, table_mb: float) -> None:
        self.engine, self.game, self.state, self.limits = engine, engine.game, state, limits
        self.mode = mode_of(None, ())
        self.storage = Storage(engine, table_mb)
        self.who = self.game.acting(state)
        self.root = Driver(engine, state, self.mode, limits, threads=1, storage=self.storage)
        self.memory = self.root.crew.workers[0].memory
        self.branches: list[_Branch] = []
        self.depth, self.stopped_by, self.cost = 0, "", 1
        engine.prepare(*self.root.crew.workers[0].arguments(1, 0.0, 0.0, self.mode))
        self.began = now()
        self.deadline = limits.deadline(self.began)
        self.root.deadline = self.deadline

    def nodes(self) -> int:
        return self.root.crew.nodes()

    def seconds(self) -> float:
        return (now() - self.began) / 1e9

    def run(self, stopper: Stopper, progress: Callable[[Analysis], None] | None) -> Analysis:
        with stopper.watching([self.memory]):
            self.root.crew.limit(self.deadline, self.limits.nodes)
            if not self._looked(stopper):
                self.branches = [_Branch(self, move, None) for move in self.root.roots]
                return self.analysis(self.stopped_by)
            with blaming(self.game):
                in_time = self._branch(stopper)
            if not in_time:
                return self.analysis(self.stopped_by)
            self.stopped_by = "depth"
            for depth in range(1, (self.limits.depth or layout.PLIES) + 1):
                before = [(branch, branch.value, branch.depth, branch.found) for branch in self.branches]
                if not self._deepen(depth, stopper, progress):
                    if depth > 1:
                        self._take_back(before)
                    break
                self.depth = depth
                if all(branch.proven for branch in self.branches):
                    self.stopped_by = "proof"
                    break
                if progress is not None:
                    progress(self.analysis(""))
            return self.analysis(self.stopped_by)

    def _looked(self, stopper: Stopper) -> bool:
        """Visit every choice, so that rules which fail here are reported as in a search; tell whether there was time for it."""
        _, found = self.root.crew.run((1, -math.inf, math.inf, layout.BOUNDS, -1), stopper)
        if found is None:
            self._end(self.root, self.state, deep_enough=False, stopper=stopper)
        return found is not None

    def _end(self, driver: Driver, state: Any, *, deep_enough: bool, stopper: Stopper) -> None:
        """Note why *driver* had to end, or raise what its rules did wrong."""
        fault = driver.crew.fault(state, deep_enough)
        if fault is not None:
            raise fault
        self.stopped_by = driver.why(stopper)

    def _late(self, stopper: Stopper) -> bool:
        """Return whether the analysis must end, and note why. It is asked before what takes time outside of a search."""
        if stopper.stopped or now() >= self.deadline:
            self.stopped_by = "stop" if stopper.stopped else "time"
            return True
        return False

    def _branch(self, stopper: Stopper) -> bool:
        """Make a branch of every choice, and look at each; tell whether there was time for it."""
        choices: list[tuple[int, float | None]]
        if self.who == CHANCE and self.game.chances is not None:
            choices = [(int(outcome), float(probability)) for outcome, probability in self.game.chances(self.state)]
            self.cost = int(self.game.cost(self.state)) if self.game.cost is not None else 0
        else:
            choices = [(move, None) for move in self.root.roots]
        self.branches = [_Branch(self, choice, probability) for choice, probability in choices]
        for branch in self.branches:
            if self._late(stopper):
                return False
            branch.look()
        return True

    def _deepen(self, depth: int, stopper: Stopper, progress: Callable[[Analysis], None] | None) -> bool:
        """Search every branch to *depth*, the most promising first; tell whether all came through."""
        for place, branch in enumerate(sorted(self.branches, key=self._promise), 1):
            if not branch.proven and (self._late(stopper) or not self._searched(branch, depth, stopper)):
                return False
            branch.depth = depth
            if depth == 1 and progress is not None and (place <= EACH or place.bit_count() == 1):
                progress(self.analysis(""))
        return True

    def _take_back(self, before: list[tuple[_Branch, float, int, Found | None]]) -> None:
        """Leave out what only some branches were searched to: values of different depths cannot be compared, unless proven."""
        for branch, value, depth, found in before:
            if not branch.proven:
                branch.value, branch.depth, branch.found = value, depth, found

    def _promise(self, branch: _Branch) -> tuple[float, float, float]:
        """Return what orders branches, the best first: the value as the mover sees it; a quick win, a slow loss; the game's rank."""
        if not branch.known or self.who == CHANCE:
            return 0.0, 0.0, -branch.rank
        cost = branch.value if self.who == 1 else -branch.value
        return cost, -math.copysign(branch.settled, cost) if cost and branch.proven else 0.0, -branch.rank

    def _searched(self, branch: _Branch, depth: int, stopper: Stopper) -> bool:
        below = depth - self.cost
        if below < 1:
            branch.value = self.engine.estimate(branch.state)
            return True
        driver = branch.driver
        found = branch.found or driver.nothing()
        worker, value, proven = driver.deepened(below, found, stopper)
        if math.isnan(value):
            self._end(driver, branch.state, deep_enough=self.limits.depth is None and depth > 1, stopper=stopper)
            return False
        branch.found, branch.value, branch.proven = driver.found(worker, below, value, proven), value, proven
        branch.settled = depth
        driver.iterations.append(Iteration(below, value, branch.found.line, driver.crew.nodes(), self.seconds(), proven))
        return True

    def analysis(self, stopped_by: str) -> Analysis:
        """Return what is known now."""
        known = [branch for branch in self.branches if branch.known]
        value, best = None, None
        if self.who == CHANCE and len(known) == len(self.branches) > 0:
            value = sum((branch.probability or 0.0) * branch.value for branch in known)
        elif self.who != CHANCE and known:
            chosen = min(known, key=self._promise)
            value, best = chosen.value, chosen.choice
        return Analysis(
            moves=tuple(branch.analysed() for branch in self.branches),
            value=value,
            best=best,
            depth=self.depth,
            nodes=self.nodes(),
            seconds=self.seconds(),
            proven=bool(known) and all(branch.proven for branch in self.branches),
            stopped_by=stopped_by,
            game=self.game,
            state=self.state,
        )
