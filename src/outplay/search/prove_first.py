"""A timed search with a learned estimate, for a game without an estimate of its own: one part of the time looks for a proof without it.

Without an estimate, every undecided leaf is worth 0. Such a search cuts nearly everywhere and visits many times as many nodes a
second, so it finds proofs much earlier. Values that it cannot prove come from the search with the estimate.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from outplay.compile.learned_estimate import LearnedEstimate
from outplay.errors import Interrupted
from outplay.rules.game import Game
from outplay.runtime.stopper import Stopper
from outplay.search.analysis import Analysis
from outplay.search.result import Candidate, Iteration, Result
from outplay.search.searcher import Searcher

SHARE = 0.4  # of the time of a search, for the proof
FIRST_TURN = 1.0  # seconds with the estimate and without it; the next turns are twice as long


def proof_pays(game: Game, estimate: Any) -> bool:
    """Return whether a timed search of *game* with *estimate* gains by looking for a proof without it."""
    return game.estimate is None and isinstance(estimate, LearnedEstimate) and estimate.base is None


def prove_first(
    plain: Searcher,
    estimated: Searcher,
    state: Any,
    *,
    seconds: float,
    progress: Callable[[Iteration], None] | None = None,
    stopper: Stopper | None = None,
) -> Result:
    """Search *state* with *plain*, which has no estimate, for a part of the *seconds*; without a proof, use *estimated* for the rest.

    Both take turns, each longer than the one before, so that there is something to show after a second however long the whole takes.
    """
    stopper = stopper or Stopper()
    deepest: Result | None = None
    spent, nodes, length = 0.0, 0, min(FIRST_TURN, seconds)

    def deeper(made: Iteration) -> None:
        if progress is not None and (deepest is None or made.depth > deepest.depth):  # each turn begins with depth 1 again
            progress(made)

    while True:
        if seconds - spent < 2 * length:
            length = seconds - spent  # the last turns take all that is left
        try:
            found = plain.search(state, seconds=SHARE * length, stopper=stopper)
            if found.proven or stopper.stopped:
                return found if found.proven or deepest is None else replace(deepest, stopped_by="stop")
            nodes += found.nodes
            found = estimated.search(state, seconds=(1 - SHARE) * length, progress=deeper, stopper=stopper)
        except Interrupted as interrupted:
            if deepest is not None:
                interrupted.result = replace(deepest, stopped_by="stop")
            raise
        nodes, spent = nodes + found.nodes, spent + length
        if deepest is None or found.proven or found.depth >= deepest.depth:
            deepest = found
        if found.proven or stopper.stopped or spent >= seconds:
            return replace(deepest, nodes=nodes, seconds=spent, stopped_by=found.stopped_by)
        length *= 2


class TwoAnalyses:
    """Two analyses of *state*, with and without the estimate, that take turns. The turns grow, and both may prove values.

    Both searchers keep their tables, so a turn goes on where the last one ended.
    """

    def __init__(self, plain: Searcher, estimated: Searcher, state: Any) -> None:
        self.plain, self.estimated, self.state = plain, estimated, state
        self.nodes, self.seconds = 0, 0.0  # of the turns that are over
        self._deepest: Analysis | None = None  # with the estimate
        self._proven: dict[int, Candidate] = {}  # without it, by move

    def run(
        self, *, seconds: float, progress: Callable[[Analysis], None], tick: Callable[[int, float], None], stopper: Stopper
    ) -> Analysis:  # fmt: skip
        """Analyse for so many *seconds*, until every move is proven, or until *stopper* says so."""
        length = FIRST_TURN
        while True:
            for searcher in (self.estimated, self.plain):
                left = seconds - self.seconds
                whole = self._turn(searcher, min(length, left), progress, tick, stopper)
                if whole.proven or stopper.stopped or self.seconds >= seconds:
                    return replace(whole, stopped_by="proof" if whole.proven else "stop" if stopper.stopped else "time")
            length *= 2

    def _turn(
        self, searcher: Searcher, seconds: float, progress: Callable[[Analysis], None], tick: Callable[[int, float], None],
        stopper: Stopper,
    ) -> Analysis:  # fmt: skip
        def report(found: Analysis) -> None:
            progress(self._merged(searcher, found))

        def on_tick(nodes: int, passed: float) -> None:
            tick(self.nodes + nodes, self.seconds + passed)

        found = searcher.analyse(self.state, seconds=seconds, progress=report, tick=on_tick, stopper=stopper)
        whole = self._merged(searcher, found)
        self.nodes += found.nodes
        self.seconds += max(found.seconds, 1e-3)  # a turn that ends at once counts as well, so that the loop ends
        return whole

    def _merged(self, searcher: Searcher, found: Analysis) -> Analysis:
        """Return the deepest analysis with the estimate and all that is proven without it, after *searcher* has *found* something."""
        if searcher is self.plain:
            self._proven.update((one.move, one) for one in found.candidates if one.proven)
        elif self._deepest is None or found.depth >= self._deepest.depth:  # each turn begins with depth 1 again
            self._deepest = found
        latest = self._deepest
        assert latest is not None  # the first turn has the estimate
        candidates = [one if one.proven else self._proven.get(one.move, one) for one in latest.candidates]
        move, value = latest.move, latest.value
        if move is not None:
            sign = 1.0 if latest.game.turn(latest.state) == 0 else -1.0
            known = [one for one in candidates if one.value is not None]
            best = max(known, key=lambda one: (sign * (one.value or 0.0), one.move == latest.move))
            move, value = best.move, best.value
        elif value is not None:
            value = sum((one.probability or 0.0) * (one.value or 0.0) for one in candidates)
        return replace(
            latest, candidates=tuple(replace(one, best=one.move == move) for one in candidates), move=move, value=value,
            nodes=self.nodes + found.nodes, seconds=self.seconds + found.seconds, proven=all(one.proven for one in candidates), stopped_by="",
        )  # fmt: skip
