"""Monte Carlo tree search against alpha-beta of the same processor time, in games with and without dice.

A few games first measure the processor time of both. Alpha-beta then gets a limit of nodes that takes it as long as tree search, so
that the games do not depend on what else the machine does. The report states the times that both took. Moves that a search
proves do not count, because the search then ends early.
"""

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from bench.figure import Figure
from outplay import Agent, Choice, Game, SearchAgent, Stopper, load
from outplay.agents.agent import Clock, choice_of
from outplay.arena.match import match_pairs

GAMES = ("connect-four", "othello", "kalah", "three-mens-morris", "einstein", "backgammon")
SIMULATIONS = 10_000
NUMBER, FIRST = 100, 4  # games, and games before them that measure times
FIRST_NODES = 200_000  # of alpha-beta in these


class Timed(Agent):
    """Another agent, and the cost of its moves that are not proven: nodes, and processor time of all threads of the process."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.name = agent, agent.name
        self.moves, self.nodes, self.seconds = 0, 0, 0.0

    @property
    def deterministic(self) -> bool:
        return self.agent.deterministic

    @property
    def mean(self) -> float:
        """Seconds of processor time a move."""
        return self.seconds / max(self.moves, 1)

    def prepare(self, game: Game) -> None:
        self.agent.prepare(game)

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
        began = time.process_time()
        choice = choice_of(self.agent.choose(game, state, clock, dice, stopper=stopper, progress=progress))
        if not choice.proven:
            self.seconds += time.process_time() - began
            self.moves += 1
            self.nodes += choice.nodes
        return choice


def figures(number: int = NUMBER) -> Iterator[Figure]:
    """Yield which share of the points tree search wins in each game, with its 95 % interval."""
    for name in GAMES:
        yield contest(load(name), number)


def contest(game: Game, number: int) -> Figure:
    """Return the result of *number* games; every start is played from both seats, with the same dice."""
    trees, pruned = tree_search(), alpha_beta(FIRST_NODES)
    match_pairs(game, trees, pruned, games=FIRST, seed=0)
    nodes = int(trees.mean * pruned.nodes / pruned.seconds) if pruned.seconds else FIRST_NODES
    trees, pruned = tree_search(), alpha_beta(nodes)
    found = match_pairs(game, trees, pruned, games=number, seed=1)
    share, error = found.rate
    better = "neither is better for sure"
    if abs(share - 0.5) > error:
        better = "tree search is better" if share > 0.5 else "alpha-beta is better"
    spread = f"± {error:.1%} (95 %)" if error else "every pair alike"
    note = (
        f"{spread}, {number} games: {found.wins} won, {found.draws} drawn, {found.losses} lost; {better}; "
        f"processor time a move {1e3 * trees.mean:.1f} ms, alpha-beta {1e3 * pruned.mean:.1f} ms ({nodes:,} nodes at most)"
    )
    return Figure(f"{game.name}, {SIMULATIONS:,} simulations against alpha-beta", 100 * share, "% of the points", note=note)


def tree_search() -> Timed:
    return Timed(SearchAgent(method="mcts", simulations=SIMULATIONS, name="tree search"))


def alpha_beta(nodes: int) -> Timed:
    return Timed(SearchAgent(nodes=nodes, name="alpha-beta"))
