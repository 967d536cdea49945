"""A search node by node, and what each technique saves: the work of the room Search."""

from typing import Any

from outplay.errors import LimitError
from outplay.rules.game import Game
from outplay.rules.opponents import Policy, opponent_of
from outplay.rules.text import choice_name
from outplay.runtime.limits import Limits
from outplay.search.montecarlo.options import TreeOptions
from outplay.search.montecarlo.tree_trace import record_simulations
from outplay.search.search import search
from outplay.search.searcher import resolve_start
from outplay.search.trace import Trace, TraceNode, trace
from outplay.trees.tree import Tree, tree
from outplay.web import answers, limits, messages
from outplay.web.limits import Caps
from outplay.web.positions import Positions
from outplay.web.preparation import Preparation
from outplay.web.simulations import simulations_answer
from outplay.web.work import Work

LADDER_DEPTH = 4

# Each rung adds its technique to those before it.
RUNGS = (
    ("plain", ()),
    ("alpha-beta", ("pruning",)),
    ("ordering", ("ordering",)),
    ("table", ("table",)),
    ("scout", ("scout",)),  # before Star2, which pays only within a scout's window
)
CHANCE_RUNGS = (("star1", ("star1",)), ("star2", ("star2",)))


class Traces:
    """Records searches for the jobs of one server."""

    def __init__(self, positions: Positions, preparation: Preparation, caps: Caps) -> None:
        self.positions, self.preparation, self.caps = positions, preparation, caps

    def trace(self, job: Work, asked: messages.Trace) -> answers.Trace:
        """Record a search, of fewer nodes than asked for where they have so many choices that the page could not show them."""
        game, state, opponent, deep = self._searched(asked)
        width = max(1, len(game.choices(state)))
        # All of the first depth; not all nodes have as many choices.
        nodes = min(asked.nodes, width + 8 * limits.RECORDS // width)
        while True:
            found = trace(
                game, state, depth=asked.depth or deep, nodes=nodes, opponent=opponent, only=asked.only, stopper=job.stopper
            )  # fmt: skip
            job.check()
            if len(found.nodes) <= limits.RECORDS or nodes == 1 or job.hurried:
                return _trace(found, cut=found.unfinished or job.hurried)
            nodes = max(1, int(0.9 * nodes * limits.RECORDS / len(found.nodes)))

    def _searched(self, asked: messages.Searched) -> tuple[Game, Any, Policy, int | None]:
        """Return what is searched, against whom, and how deep it is, if that is known."""
        if asked.tree:
            written = tree(asked.tree)
            game, state, deep = written.game, written.game.start, written.depth
        else:
            place = self.positions.place(asked)
            game, state, deep = place.game, place.state, None
        return game, state, opponent_of(game, asked.opponent), deep

    def lane(self, asked: messages.Ladder) -> str:
        """Return what the ladder has to wait for: the searches of a tree are interpreted, as a trace is."""
        return "trace" if asked.tree else "search"

    def ladder(self, job: Work, asked: messages.Ladder) -> answers.Ladder:
        """Count the nodes of the same search, technique by technique."""
        game, state, opponent, deep = self._searched(asked)
        if not asked.tree:
            self.preparation.compile(job, game, state, opponent)
        rungs = RUNGS + (CHANCE_RUNGS if game.chances is not None or opponent != "best" else ())
        rows: list[answers.Rung] = []
        only: tuple[str, ...] = ()
        for name, added in rungs:
            only += added
            found = search(
                game, state, depth=asked.depth or deep or LADDER_DEPTH, nodes=self.caps.ladder_nodes,
                seconds=self.caps.ladder_seconds, opponent=opponent, only=only, compiled=not asked.tree,
                table_mb=self.caps.table_mb, stopper=job.stopper,
            )  # fmt: skip
            job.check()
            whole = found.stopped_by in ("depth", "proof")
            nodes, value = (found.nodes, found.value) if whole else (None, None)
            rows.append(answers.Rung(name=name, only=list(only), nodes=nodes, value=value))
        return answers.Ladder(rows=rows)

    def simulate(self, job: Work, asked: messages.Simulate) -> answers.Simulations:
        """Record a Monte Carlo search. It has fewer simulations than asked for if its tree gets too large or it takes too long."""
        if not 0 < asked.simulations <= limits.SIMULATIONS:
            raise LimitError(
                f"{asked.simulations:,} simulations cannot be shown; choose a number from 1 to {limits.SIMULATIONS:,}"
            )
        game, state, opponent, _ = self._searched(asked)
        state, game, _, _ = resolve_start(game, state, opponent)
        options, simulations = TreeOptions("playout" if asked.tree else None, seed=asked.seed), asked.simulations
        while True:
            bounds = Limits(limits.SIMULATION_SECONDS, None, None, simulations)
            found = record_simulations(game, state, bounds, options, job.stopper)
            job.check()
            if len(found.nodes) <= limits.SIMULATION_NODES or simulations == 1:
                return simulations_answer(found, asked.simulations, hurried=job.hurried)
            # The same seed plays the same simulations, so the tree ends before the one that made it too large.
            simulations = max(1, next(node.born for node in found.nodes if node.index == limits.SIMULATION_NODES))

    def tree(self, job: Work, asked: messages.Tree) -> answers.Tree:
        """Solve a tree written as text."""
        return _tree(tree(asked.text))


def _trace(found: Trace, *, cut: bool) -> answers.Trace:
    result = found.result
    return answers.Trace(
        nodes=[_node(node) for node in found.nodes],
        passes=[answers.Pass(depth=one.depth, root=one.root) for one in found.passes],
        cut=cut,
        counts=dict(found.counts),
        visited=result.nodes,
        low=result.game.low,
        high=result.game.high,
        value=result.value,
        move_name="" if result.move is None else choice_name(result.game, result.state, result.move),
    )


def _node(node: TraceNode) -> answers.Node:
    return answers.Node(
        parent=node.parent,
        choice=node.choice,
        name=node.name,
        probability=node.probability,
        kind=node.kind,
        alpha=None if node.window is None else node.window[0],
        beta=None if node.window is None else node.window[1],
        inner=node.inner,
        after=node.after,
        value=node.value,
        bound=node.bound,
        why=node.why,
        note=node.note,
        entered=node.entered,
        left=node.left,
        best=node.best,
        ply=node.ply,
        depth=node.depth,
    )


def _tree(found: Tree) -> answers.Tree:
    parents, best = [-1], [True]
    # Level by level: the children of a node stand together, after those of the node before.
    for place, node in enumerate(found.nodes):
        parents += [place] * len(node.children)
        on_line = node.best or range(len(node.children))  # chance leaves no choice
        best += [best[place] and child in on_line for child in range(len(node.children))]
    plies = [0]
    for parent in parents[1:]:
        plies.append(plies[parent] + 1)
    return answers.Tree(
        nodes=[
            answers.SolvedNode(
                parent=parent,
                choice=None,
                name=" → ".join(filter(None, (node.label, node.name))),
                probability=None if node.probability is None else float(node.probability),
                probability_text="" if node.probability is None else str(node.probability),
                kind=node.kind,
                alpha=None,
                beta=None,
                value=float(node.value),
                value_text=str(node.value),
                bound="exact",
                why="searched" if node.children else "over",
                note="",
                entered=None,
                left=None,
                best=on_line,
                ply=ply,
                depth=0,
            )
            for node, parent, on_line, ply in zip(found.nodes, parents, best, plies, strict=True)
        ],
        steps=[answers.Step(node=step.node, text=step.text, index=step.index) for step in found.steps()],
        value=str(found.value),
        best=list(found.best),
        explain=found.explain(),
    )
