"""An agent that plays from a table."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from outplay.agents.agent import Agent, Choice, Clock
from outplay.compile.fingerprint import Fingerprint, value_fingerprint
from outplay.errors import OptionError, TooLarge
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.text import moves_counted
from outplay.solve.explain import expected_line
from outplay.solve.progress import Progress
from outplay.solve.solution import Solution
from outplay.solve.solve import solve

LOOKUPS, DEPTHS = 3000, 60  # states and moves that are looked ahead for the shortest way
LINE = 8  # choices of the play that is expected
MEMORY_MB = 2048  # for a table that is made for a game or a match
_fingerprints: WeakKeyDictionary[Game, Fingerprint] = WeakKeyDictionary()


@dataclass(frozen=True)
class SolvedAgent(Agent):
    """Plays perfectly from the table of a solution.

    A table without chance holds distances: the best moves hasten a win or delay a loss, and the agent plays the first of them.
    A table with chance holds none. If a win is certain there, the agent looks ahead for the shortest way, at most `LOOKUPS` states.
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
        over = "" if entry.distance is None else f"; over in {moves_counted(entry.distance, alone=game.solitaire)}"
        move = entry.moves[0]
        if game.chances is not None and game.reward is None and len(entry.moves) > 1:
            move = _Hurry(self.solution).move(state, entry)
        after = game.state(game.play(state, move))
        line = (move, *expected_line(self.solution, after, LINE - 1))
        return Choice(move, entry.value, entry.distance or 0, line, True, 0, time.monotonic() - began, f"solved{over}")


class _Hurry:
    """Finds the shortest way to a certain win, and the longest way to a certain loss, in a table that holds no distances.

    A win is certain if it is worth as much as the scale holds: then no outcome of chance may spoil it.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution, self.game = solution, solution.game
        self.left = LOOKUPS

    def move(self, state: Any, entry: Any) -> int:
        """Return one of the best moves of *state*: the soonest to win, the last to lose, or the first if nothing is certain."""
        moves: tuple[int, ...] = entry.moves
        if entry.value not in (self.game.low, self.game.high):
            return moves[0]
        self.winner, self.won = (0 if entry.value == self.game.high else 1), entry.value
        ahead = self.game.acting(state) == self.winner
        waiting = list(moves)  # those that do not end within the depth
        for depth in range(DEPTHS):
            ended = []
            for move in waiting:
                found = self._ends(self.game.state(self.game.play(state, move)), depth)
                if found is None:
                    return waiting[0]
                if found:
                    ended.append(move)
            if ended and ahead:
                return ended[0]
            if len(ended) == len(waiting):
                return waiting[0]
            waiting = [move for move in waiting if move not in ended]
        return waiting[0]

    def _ends(self, state: Any, depth: int) -> bool | None:
        """Return whether the winner can end the game within *depth* moves, whatever the others do; None if it takes too long."""
        game = self.game
        self.left -= 1
        who = game.acting(state)
        if who == OVER:
            return True
        if self.left < 0:
            return None
        if who == CHANCE:
            return self._all((outcome for outcome, _ in game.outcomes(state)), state, depth)
        if depth == 0:
            return False
        if who != self.winner:
            return self._all(game.legal(state), state, depth - 1)
        for move in game.legal(state):
            after = game.state(game.play(state, move))
            if self.solution[after].value == self.won and (found := self._ends(after, depth - 1)) is not False:
                return found
        return False

    def _all(self, choices: Iterable[int], state: Any, depth: int) -> bool | None:
        for choice in choices:
            found = self._ends(self.game.state(self.game.play(state, choice)), depth)
            if not found:
                return found
        return True


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
