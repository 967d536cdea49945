"""How soon a proven value is reached: the side that is ahead takes the shortest way there, the other side the longest.

Player 0 is ahead where the value is above the level, player 1 where it is below: the level is 0, or the end of the scale
nearest to it. The length of a value is the smallest number of moves within which the side that is ahead can make sure of it,
whatever the other side and chance do. At the level nobody is ahead, and no way is too long.

Deepening finds the length by itself: a value that is proven at one depth and was worse at the depth before takes that many
moves. Three things hide it: `bounds` prove a value without playing it out, `useful` may leave the shortest way out, and an
estimate may be as good as the value. Then, for a win by as much as the scale holds, a race follows the proof: depth after
depth, can the side ahead come to the value within so many moves? A position beyond the depth counts as not there yet. The
race is short beside the proof; where it does not come to an end, the length is not known, and the move is any that keeps the value.
"""

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from outplay.compile.clock import now
from outplay.runtime import meter
from outplay.runtime.stopper import Stopper
from outplay.search import layout

if TYPE_CHECKING:
    from outplay.search.driver import Driver, Found

NODES, SHARE = 20_000, 10  # that a race may visit: so many, and one for each so many of the proof's
MORE_NODES = 1_000_000  # where seconds or nodes limit it, too


def timed(driver: "Driver", found: "Found", stopper: Stopper) -> "Found":
    """Return *found*, a proven result, with its length, and with the move that hastens or delays the end."""
    game, mode = driver.game, driver.mode
    level = min(max(0.0, float(game.low)), float(game.high))
    if found.value == level or not mode & layout.DEEPENING or game.reward is not None:  # rewards are collected, not raced for
        return found
    ahead = 0 if found.value > level else 1
    hidden = (mode & layout.BOUNDS and game.bounds is not None) or (mode & layout.USEFUL and game.useful is not None)
    if not hidden and first_to_reach(driver, found, ahead):
        return replace(found, length=found.depth)
    # A value inside the scale says itself how good it is, and often how soon it comes: only a whole win is raced for.
    whole = found.value == (game.high if ahead == 0 else game.low)
    if not whole or not mode & layout.PRUNING or not _open(driver, found, ahead):
        return found
    return _Race(driver, found, ahead).run(stopper)


def first_to_reach(driver: "Driver", found: "Found", ahead: int) -> bool:
    """Return whether the value was worse for the side ahead one depth earlier."""
    if len(driver.iterations) < 2:
        return driver.who in (0, 1)  # where chance acts, the end may take no move at all
    before = driver.iterations[-2].value
    return before < found.value if ahead == 0 else before > found.value


def _open(driver: "Driver", found: "Found", ahead: int) -> bool:
    """Return whether several moves may have the value. The side behind then needs all of them to: a worse one may take longer."""
    if driver.who not in (0, 1):
        return False
    if driver.who != ahead:
        return len(found.roots) > 1
    sign = 1 if driver.who == 0 else -1
    worse = layout.UPPER if driver.who == 0 else layout.LOWER
    rivals = [1 for word, value, _ in found.roots if word & 3 not in (layout.EXACT, worse) or sign * value >= sign * found.value]
    return len(rivals) > 1


class _Race:
    """A search for the shortest way to the value, over a transposition table of its own."""

    def __init__(self, driver: "Driver", found: "Found", ahead: int) -> None:
        self.driver, self.found, self.ahead = driver, found, ahead
        # Star2 would cut at first moves alone, and leave no line.
        self.mode = driver.mode & ~(layout.USEFUL | layout.STAR2) | (layout.RACE_0 if ahead == 0 else layout.RACE_1)
        if driver.crew.threads > 1 and self.mode & layout.TABLE:
            self.mode |= layout.SHARED
        just_worse = math.nextafter(found.value, -math.inf if ahead == 0 else math.inf)
        self.window = (just_worse, found.value) if ahead == 0 else (found.value, just_worse)

    def run(self, stopper: Stopper) -> "Found":
        """Return the result with its length, or unchanged if the race takes too long."""
        driver = self.driver
        limits, nodes = driver.limits, driver.crew.nodes()
        most = nodes + nodes // SHARE + (NODES if limits.seconds is None and limits.nodes is None else MORE_NODES)
        driver.crew.limit(driver.deadline, most if limits.nodes is None else min(limits.nodes, most))
        kept = driver.storage
        driver.use(kept.another())  # what its entries say holds in a race alone
        try:
            return self._race(stopper)
        finally:
            driver.use(kept)

    def _race(self, stopper: Stopper) -> "Found":
        driver, found, slower = self.driver, self.found, self.found.index
        for depth in range(1, (driver.limits.depth or meter.PLIES) + 1):
            nodes = driver.crew.nodes()
            worker, raced = driver.crew.run((depth, *self.window, self.mode, slower), stopper)
            if raced is None:
                fault = driver.crew.fault(driver.state, True)
                if fault is not None:
                    raise fault
                return found if slower == found.index else self._by(found, slower, (driver.roots[slower],), depth)
            index = int(worker.memory[layout.BEST])
            if raced[0] >= found.value if self.ahead == 0 else raced[0] <= found.value:
                return replace(self._by(found, index, driver.line(worker), depth), length=depth)
            if driver.who != self.ahead:
                slower = index  # it is not lost within this depth
            if self.mode & layout.TABLE:
                driver.storage.grow(driver.crew.nodes() - nodes, (driver.deadline - now()) / 1e9, stopper)
        return found

    def _by(self, found: "Found", index: int, line: tuple[int, ...], depth: int) -> "Found":
        """Return *found* with another move of the same value."""
        roots = list(found.roots)
        roots[index] = (layout.EXACT + 4, found.value, max(found.depth, depth))
        return replace(found, move=self.driver.roots[index], index=index, line=line, roots=tuple(roots))
