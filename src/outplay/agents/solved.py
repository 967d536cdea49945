"""An agent that plays from a table."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from outplay.agents.agent import Agent, Choice, Clock
from outplay.compile.fingerprint import Fingerprint, value_fingerprint
from outplay.errors import OptionError, TooLarge
from outplay.rules.game import Game
from outplay.rules.text import moves_counted
from outplay.solve.explain import expected_line
from outplay.solve.progress import Progress
from outplay.solve.solution import Solution
from outplay.solve.solve import solve

LINE = 8  # choices of the play that is expected
MEMORY_MB = 2048  # for a table that is made for a game or a match
_fingerprints: WeakKeyDictionary[Game, Fingerprint] = WeakKeyDictionary()


@dataclass(frozen=True)
class SolvedAgent(Agent):
    """Plays perfectly from the table of a solution. If several moves are best, it plays the first.

    A state that cannot be reached from the one that was solved is a StateError.
    """

    solution: Solution = field(repr=False)
    name: str = "solved"

    def __post_init__(self) -> None:
        self.solution[self.solution.state]  # refuses a proof, which has no table, now rather than in the game

    @property
    def deterministic(self) -> bool:
        return True

    def choose(self, game: Game, state: Any, clock: Clock, dice: Random, **_: Any) -> Choice:
        if game is not self.solution.game and _digest(game) != _digest(self.solution.game):
            raise OptionError(
                f"{self.name} knows {self.solution.game.name!r}, and is asked to play {game.name!r} by other rules; solve that one"
            )
        began = time.monotonic()
        entry = self.solution[state]
        over = "" if entry.distance is None else f"; over in {moves_counted(entry.distance)}"
        line = expected_line(self.solution, state, LINE)
        return Choice(
            entry.moves[0], entry.value, entry.distance or 0, line, True, 0, time.monotonic() - began, f"solved{over}"
        )  # fmt: skip


def _digest(game: Game) -> str:
    known = _fingerprints.get(game)
    if known is None or not known.holds():
        known = _fingerprints[game] = value_fingerprint(game)
    return known.digest


def solved_agent(text: str, game: Game, progress: Callable[[Progress], None] | None = None) -> SolvedAgent:
    """Return the agent for `solved:FILE`, which reads a table, or for `solved`, which solves the game now."""
    file = text.partition(":")[2]
    if file:
        return SolvedAgent(Solution.load(file, game), text)
    try:
        # This method makes a table whether states can come back or not.
        return SolvedAgent(solve(game, method="cycles", memory_mb=MEMORY_MB, threads=None, progress=progress), text)
    except TooLarge:
        raise TooLarge(
            f"no table of {game.name!r} can be made in {MEMORY_MB:,} MB, so 'solved' cannot play it; let a search play, "
            "or see whether outplay solve GAME --file FILE can make one, and play solved:FILE"
        ) from None
