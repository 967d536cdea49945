"""Outplay: write a two-player game's rules once, in plain Python, and find the best move at machine speed."""

from typing import TYPE_CHECKING, Any

from outplay.agents.agent import Agent, Choice, Clock
from outplay.agents.policy import PolicyAgent, RandomAgent
from outplay.agents.search import SearchAgent
from outplay.agents.solved import SolvedAgent
from outplay.arena.judge import judge
from outplay.arena.judgement import Judgement
from outplay.arena.match import Match, match
from outplay.checking.check import Report, check
from outplay.errors import Interrupted, OutplayError
from outplay.games.catalogue import load
from outplay.learn.learn import learn
from outplay.learn.learned import Learned
from outplay.pictures.grid import grid
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.opponents import facing
from outplay.runtime.stopper import Stopper, stop
from outplay.search.analysis import Analysis
from outplay.search.compare import compare
from outplay.search.minimax import minimax
from outplay.search.montecarlo.playout_result import Playouts
from outplay.search.montecarlo.playouts import playouts
from outplay.search.montecarlo.tree_trace import TreeTrace
from outplay.search.perft import perft
from outplay.search.result import Candidate, Result
from outplay.search.search import analyse, search
from outplay.search.searcher import Searcher
from outplay.search.trace import Trace, trace
from outplay.solve.certificate.verify import verify
from outplay.solve.proof.prover import Prover
from outplay.solve.solution import Solution
from outplay.solve.solve import solve
from outplay.trees.tree import Tree, tree
from outplay.trees.unfold import tree_of

if TYPE_CHECKING:
    from outplay.arena.standings import Tournament
    from outplay.arena.tournament import tournament

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "OVER",
    "Agent",
    "Analysis",
    "Candidate",
    "Choice",
    "Clock",
    "Game",
    "Interrupted",
    "Judgement",
    "Learned",
    "Match",
    "OutplayError",
    "Playouts",
    "PolicyAgent",
    "Prover",
    "RandomAgent",
    "Report",
    "Result",
    "SearchAgent",
    "Searcher",
    "Solution",
    "SolvedAgent",
    "Stopper",
    "Tournament",
    "Trace",
    "Tree",
    "TreeTrace",
    "analyse",
    "check",
    "compare",
    "facing",
    "grid",
    "judge",
    "learn",
    "load",
    "match",
    "minimax",
    "perft",
    "playouts",
    "search",
    "solve",
    "stop",
    "tournament",
    "trace",
    "tree",
    "tree_of",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Return what is imported only when it is used: ratings need NumPy, which takes time to import."""
    if name == "tournament":
        from outplay.arena.tournament import tournament

        return tournament
    if name == "Tournament":
        from outplay.arena.standings import Tournament

        return Tournament
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
