"""An agent that searches."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from outplay.agents.agent import Agent, Choice, Clock
from outplay.errors import Interrupted, OutplayError
from outplay.rules.game import CHANCE, Game
from outplay.rules.opponents import Policy
from outplay.runtime.growing_table import TABLE_MB
from outplay.runtime.limits import Limits
from outplay.runtime.stopper import Stopper
from outplay.search.montecarlo.options import TreeOptions
from outplay.search.searcher import Searcher, check_limits, check_method
from outplay.search.words import undecided

Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class SearchAgent(Agent):
    """Plays the move that a search finds. It keeps its transposition table or its tree until it is prepared for a new game.

    *estimate* replaces the game's own estimate; it may be a `Learned`. With *method* "mcts" it draws a seed for each move from the dice, unless *seed*
    is given.
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    opponent: Policy = "best"
    threads: int | None = 1
    name: str = "search"
    estimate: Callable[[Any], float] | None = field(default=None, repr=False)
    table_mb: float = TABLE_MB
    compiled: bool = True
    method: str = "alpha-beta"
    simulations: int | None = None
    leaves: str | None = None
    exploration: float | None = None
    seed: int | None = None
    samples: int | None = None
    _searchers: dict[Game, Searcher] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # What cannot be is refused now rather than in the game.
        check_method(
            self.method, TreeOptions(self.leaves, self.exploration, 0 if self.samples else self.seed or 0), techniques=False
        )
        check_limits(self.method, Limits(self.seconds, self.depth, self.nodes, self.simulations))

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_searchers": {}}  # what it remembers of a game stays here

    @property
    def deterministic(self) -> bool:
        return True  # nearly so by the clock, with threads and by simulations: a proven move is the same whatever the seed

    def prepare(self, game: Game) -> None:
        self._searchers.clear()
        who = game.acting(game.start)
        if who in (0, 1) or (who == CHANCE and self.opponent == "best"):  # else it is open who searches
            self._searcher(game).prepare()

    def choose(
        self,
        game: Game,
        state: Any,
        clock: Clock,
        dice: Random,
        *,
        stopper: Stopper | None = None,
        progress: Callable[[Any], None] | None = None,
    ) -> Choice:
        searcher = self._searcher(game)
        if self.method == "mcts":
            searcher.seed = dice.getrandbits(62) if self.seed is None else self.seed
        try:
            result = searcher.search(
                state, seconds=_least(self.seconds, clock.seconds), depth=self.depth, nodes=_least(self.nodes, clock.nodes),
                simulations=self.simulations, stopper=stopper, progress=progress,
            )  # fmt: skip
        except Interrupted:
            raise
        except OutplayError as error:
            raise type(error)(f"{error} (state: {game.write_state(state)})") from None
        assert result.move is not None  # a player is to move
        by_trees = self.method == "mcts"
        still_open = not by_trees and undecided(searcher.game, result.value, proven=result.proven)
        how = (
            f"{result.simulations:,} simulations" if by_trees else f"{'' if still_open else 'an estimate, '}depth {result.depth}"
        )
        return Choice(
            result.move,
            None if still_open else result.value,
            result.depth,
            result.line,
            result.proven,
            result.nodes,
            result.seconds,
            "proven" if result.proven else how,
            result.simulations,
        )

    def _searcher(self, game: Game) -> Searcher:
        if game not in self._searchers:
            self._searchers[game] = Searcher(
                game, estimate=self.estimate, opponent=self.opponent, threads=self.threads, table_mb=self.table_mb, method=self.method,
                leaves=self.leaves, exploration=self.exploration, samples=self.samples, seed=self.seed or 0, compiled=self.compiled,
            )  # fmt: skip
        return self._searchers[game]


def _least(one: Number | None, other: Number | None) -> Number | None:
    return min((limit for limit in (one, other) if limit is not None), default=None)
