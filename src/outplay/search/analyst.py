"""The analyst: searches below every choice of a state, one depth further each time."""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

from outplay.compile.clock import now
from outplay.rules.game import CHANCE, OVER
from outplay.rules.rule_errors import rule_errors
from outplay.runtime import meter
from outplay.runtime.stopper import Stopper
from outplay.search import layout
from outplay.search.analysis import Analysis
from outplay.search.driver import Driver, Found, Namer
from outplay.search.race import first_to_reach
from outplay.search.result import Candidate, Iteration, StoppedBy

EACH = 256  # moves after each of which the first depth reports; then after twice as many as last time


class _Branch:
    """One choice at the root, and the search below it. The search is prepared only when the branch is searched."""

    def __init__(self, analyst: "Analyst", choice: int, probability: float | None) -> None:
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
            self.value, self.proven = self.pay + float(game.score(self.state)), True

    @cached_property
    def state(self) -> Any:
        game = self.analyst.game
        with rule_errors(game):
            return game.state(game.play(self.analyst.state, self.choice))

    @cached_property
    def pay(self) -> float:
        """What the choice pays at once."""
        game = self.analyst.game
        if game.reward is None:
            return 0.0
        with rule_errors(game):
            return float(game.reward(self.analyst.state, self.choice))

    @cached_property
    def driver(self) -> Driver:
        return self.analyst.root.below(self.state)

    @property
    def known(self) -> bool:
        return self.value == self.value

    def candidate(self, best: int | None) -> Candidate:
        """Return the choice as a Candidate."""
        return Candidate(
            self.choice,
            self.value if self.known else None,
            "exact" if self.known else "unknown",
            self.depth,
            self.proven,
            best=self.choice == best,
            probability=self.probability,
            line=() if self.found is None else self.found.line,
            distance=self._distance(),
            namer=self.analyst.namer,
        )

    def _distance(self) -> int | None:
        """Return how many moves a proven win takes; None if nobody wins, or if chance, `bounds` or `useful` may hide the length."""
        game = self.analyst.game
        level = min(max(0.0, float(game.low)), float(game.high))
        if not self.proven or self.value == level or game.chances or game.reward or self.analyst.who == CHANCE:
            return None
        if self.found is None:
            return 1  # it ends the game
        sure = first_to_reach(self.driver, self.found, 0 if self.value > level else 1)
        return self.settled if sure and game.bounds is None and game.useful is None else None


class Analyst:
    """Searches all branches in turn, each one depth further than before, over one table and in one memory."""

    def __init__(self, root: Driver) -> None:
        """*root* drives the search of the state itself, and lends its memory to the searches below every choice."""
        self.root, self.engine, self.game, self.state, self.limits = root, root.engine, root.game, root.state, root.limits
        self.who = root.who
        self.branches: list[_Branch] = []
        self.namer = Namer(self.game, self.state)
        self.depth, self.cost = 0, 1
        self.stopped_by: StoppedBy = ""
        self.began = now()
        root.begin(self.began)

    def seconds(self) -> float:
        return (now() - self.began) / 1e9

    def run(self, stopper: Stopper, progress: Callable[[Analysis], None] | None) -> Analysis:
        with stopper.watching(self.root.crew.memories):
            if not self._looked(stopper):
                self.branches = [_Branch(self, move, None) for move in self.root.roots]
                return self.analysis(self.stopped_by)
            with rule_errors(self.game):
                in_time = self._branch(stopper)
            if not in_time:
                return self.analysis(self.stopped_by)
            self.stopped_by = "depth"
            for depth in range(1, (self.limits.depth or meter.PLIES) + 1):
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
        """Visit every choice once, to report rules that fail here as a search does; return whether there was time."""
        _, found = self.root.crew.run((1, -math.inf, math.inf, layout.BOUNDS, -1), stopper)
        if found is None:
            self._end(self.root, self.state, deep_enough=False, stopper=stopper)
        return found is not None

    def _end(self, driver: Driver, state: Any, *, deep_enough: bool, stopper: Stopper) -> None:
        """Note why *driver* ended, or raise the error of its rules."""
        fault = driver.crew.fault(state, deep_enough)
        if fault is not None:
            raise fault
        self.stopped_by = driver.why(stopper)

    def _late(self, stopper: Stopper) -> bool:
        """Return whether the analysis must end, and note why. It is called before slow work outside a search."""
        if stopper.stopped or now() >= self.root.deadline:
            self.stopped_by = "stop" if stopper.stopped else "time"
            return True
        return False

    def _branch(self, stopper: Stopper) -> bool:
        """Make a branch of every choice, and look at each; return whether there was time for it."""
        if self.who == CHANCE:
            self.cost = int(self.game.cost(self.state)) if self.game.cost is not None else 0
        self.branches = [_Branch(self, choice, probability) for choice, probability in self.game.choices(self.state)]
        for branch in self.branches:
            if self._late(stopper):
                return False
            branch.look()
        return True

    def _deepen(self, depth: int, stopper: Stopper, progress: Callable[[Analysis], None] | None) -> bool:
        """Search every branch to *depth*, the most promising first; return whether every branch was searched."""
        for place, branch in enumerate(sorted(self.branches, key=self._promise), 1):
            if not branch.proven and (self._late(stopper) or not self._searched(branch, depth, stopper)):
                return False
            branch.depth = depth
            if depth == 1 and progress is not None and (place <= EACH or place.bit_count() == 1):
                progress(self.analysis(""))
        return True

    def _take_back(self, before: list[tuple[_Branch, float, int, Found | None]]) -> None:
        """Restore the values of the last complete depth: values of different depths cannot be compared, unless they are proven."""
        for branch, value, depth, found in before:
            if not branch.proven:
                branch.value, branch.depth, branch.found = value, depth, found

    def _promise(self, branch: _Branch) -> tuple[float, float, float]:
        """Return the sort key of a branch, best first: the value to the player to move, then a fast win or slow loss, then the rank."""
        if not branch.known or self.who == CHANCE:
            return 0.0, 0.0, -branch.rank
        cost = branch.value if self.who == 1 else -branch.value
        return cost, -math.copysign(branch.settled, cost) if cost and branch.proven else 0.0, -branch.rank

    def _searched(self, branch: _Branch, depth: int, stopper: Stopper) -> bool:
        below = depth - self.cost
        if below < 1:
            branch.value = branch.pay + self.engine.estimate(branch.state)
            return True
        driver = branch.driver
        worker, value, proven = driver.deepened(below, branch.found, stopper)
        if math.isnan(value):
            self._end(driver, branch.state, deep_enough=self.limits.depth is None and depth > 1, stopper=stopper)
            return False
        branch.found, branch.value, branch.proven = driver.found(worker, below, value, proven), branch.pay + value, proven
        branch.settled = depth
        driver.iterations.append(Iteration(below, value, branch.found.line, driver.crew.nodes(), self.seconds(), proven))
        return True

    def analysis(self, stopped_by: StoppedBy) -> Analysis:
        """Return the analysis so far."""
        known = [branch for branch in self.branches if branch.known]
        value, best = None, None
        if self.who == CHANCE and len(known) == len(self.branches) > 0:
            value = sum((branch.probability or 0.0) * branch.value for branch in known)
        elif self.who != CHANCE and known:
            chosen = min(known, key=self._promise)
            value, best = chosen.value, chosen.choice
        return Analysis(
            candidates=tuple(branch.candidate(best) for branch in self.branches),
            value=value,
            move=best,
            depth=self.depth,
            nodes=self.root.crew.nodes(),
            seconds=self.seconds(),
            proven=bool(known) and all(branch.proven for branch in self.branches),
            stopped_by=stopped_by,
            game=self.game,
            state=self.state,
        )
