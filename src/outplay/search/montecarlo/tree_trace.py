"""A Monte Carlo tree search that is recorded, simulation by simulation, to be drawn and stepped through."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.draw.dot import tree_dot
from outplay.draw.mermaid import tree_mermaid
from outplay.draw.node import Node, NodeKind
from outplay.draw.notebook import cell_html, cell_svg
from outplay.draw.svg import tree_svg
from outplay.draw.text import tree_text
from outplay.errors import OptionError
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.number_text import probability_text, short_value, signed_value
from outplay.rules.rule_errors import rule_errors
from outplay.rules.text import choice_name
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.limits import Limits
from outplay.runtime.overdue import SearchWatch
from outplay.runtime.stopper import Stopper
from outplay.search.montecarlo import layout, tree_layout
from outplay.search.montecarlo.options import TreeOptions
from outplay.search.montecarlo.replay import playout_choices
from outplay.search.montecarlo.tree import Branch, Tree
from outplay.search.montecarlo.tree_driver import PLIES, TreeDriver
from outplay.search.montecarlo.tree_kernel import grow
from outplay.search.result import Iteration, Result

SIMULATIONS, NODES = 50, 100_000  # that are recorded, if nothing is said
TREE_MB = 4  # memory of the tree: 65,536 choices
KINDS: dict[int, NodeKind] = {0: "max", 1: "min", CHANCE: "chance", OVER: "leaf"}


@dataclass(frozen=True)
class TreeNode:
    """A node of the tree: what never changes of it."""

    index: int
    parent: int  # -1 of the root
    choice: int | None  # that leads here
    name: str
    probability: float | None  # of an outcome
    prior: float | None  # of a move
    kind: NodeKind
    state: Any = field(repr=False)
    born: int  # the simulation that added it; -1 of the root


@dataclass(frozen=True)
class Figures:
    """What is known of a node after a simulation. Values are player 0's; `mean` is None before the first visit."""

    visits: int
    mean: float | None
    lower: float
    upper: float

    @property
    def proven(self) -> bool:
        """Whether the value is proven."""
        return self.lower >= self.upper


@dataclass(frozen=True)
class Simulation:
    """One simulation: `path` was selected, from the root to the leaf; `expanded` nodes were added below one of its nodes;
    the leaf was valued by `playout`, the choices of a random game to its end (empty if it was proven or estimated), with
    `result` to player 0; and `changes` has the new figures of every node to which that was told.
    """

    number: int
    path: tuple[int, ...]
    expanded: tuple[int, ...]
    playout: tuple[int, ...]
    result: float
    proven: bool  # the leaf is: nothing had to be simulated
    changes: dict[int, Figures] = field(repr=False)

    @property
    def leaf(self) -> int:
        """The node that was valued."""
        return self.path[-1]


@dataclass(frozen=True, eq=False, repr=False)
class TreeTrace:
    """A Monte Carlo tree search and everything it did. Displayed in a notebook, it is the tree after the last simulation."""

    result: Result
    nodes: tuple[TreeNode, ...]
    simulations: tuple[Simulation, ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each node, all that it ever gets."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for node in self.nodes[1:]:
            found[node.parent].append(node.index)
        return tuple(map(tuple, found))

    def figures(self, step: int = -1) -> dict[int, Figures]:
        """Return what is known of each node after simulation number *step*, the last one if none is said."""
        known: dict[int, Figures] = {}
        for simulation in self.simulations[: self._step(step) + 1]:
            known |= simulation.changes
        return known

    def _step(self, step: int) -> int:
        number = len(self.simulations)
        if not -number <= step < number:
            raise OptionError(f"there is no simulation {step}; there are {number}, counted from 0")
        return step % number

    def tree(self, step: int = -1, *, pictures: bool = False) -> Node:
        """Return the tree after simulation *step* as it is drawn; the path of that simulation is marked."""
        step = self._step(step)
        known, simulation = self.figures(step), self.simulations[step]
        path, added = set(simulation.path), set(simulation.expanded)
        drawn: dict[int, Node] = {}
        for node in reversed(self.nodes):  # a child comes after its parent
            if node.born <= step:
                figures = known.get(node.index)
                below = tuple(drawn.pop(child) for child in self.children[node.index] if child in drawn)
                drawn[node.index] = self._drawn(node, figures, below, pictures)
                if node.index in path:
                    note = "leaf" if node.index == simulation.leaf else "selected"
                    drawn[node.index] = replace(drawn[node.index], best=True, note=note)
                elif node.index in added:
                    drawn[node.index] = replace(drawn[node.index], note="new")
        return drawn[0]

    def _drawn(self, node: TreeNode, figures: Figures | None, children: tuple[Node, ...], pictures: bool) -> Node:
        value, why = "", "never"
        if figures is not None and figures.proven:
            value, why = f"{short_value(figures.lower)} proven", "over" if node.kind == "leaf" else ""
        elif figures is not None and figures.mean is not None:
            value, why = short_value(figures.mean), ""
        if figures is not None and figures.visits:
            value = f"{value}, {figures.visits}×"
        return Node(
            kind=node.kind,
            label=node.name,
            probability="" if node.probability is None else probability_text(node.probability),
            value=value,
            why=why,
            picture=self.result.game.picture(node.state).svg if pictures else "",
            children=children,
            order=node.born,
        )

    def explain(self, step: int = -1) -> str:
        """Return what simulation *step* did, in four sentences: selection, expansion, playout, back-up."""
        simulation = self.simulations[self._step(step)]
        game = self.result.game
        names = [self.nodes[index].name for index in simulation.path[1:]]
        lines = [f"Selection: {' '.join(names)}." if names else "Selection: the root itself is the leaf."]
        if simulation.expanded:
            parent = self.nodes[self.nodes[simulation.expanded[0]].parent]
            where = parent.name or "the root"
            lines.append(f"Expansion: {where} gets {len(simulation.expanded)} children.")
        else:
            lines.append("Expansion: none; the leaf was not visited before, or may get no children.")
        result = f"{signed_value(simulation.result)} to {game.players[0]}"
        if simulation.proven:
            lines.append(f"Value: proven, {result}.")
        elif simulation.playout:
            lines.append(f"Playout: {len(simulation.playout)} choices to the end; the leaf is valued {result}.")
        else:
            lines.append(f"Value: an estimate, {result}.")
        root = simulation.changes[0]
        mean = "" if root.mean is None else f"; the root's mean is {signed_value(root.mean)} after {root.visits}"
        lines.append(f"Back-up: to {len(simulation.path)} node{'s' * (len(simulation.path) > 1)}{mean}.")
        return "\n".join(lines)

    @property
    def title(self) -> str:
        """The game and the number of simulations, as a title."""
        return f"{self.result.game.name}, {len(self.simulations):,} simulations"

    def __repr__(self) -> str:
        return f"<TreeTrace of {self.title}>"

    def svg(self, step: int = -1, *, pictures: bool = False) -> str:
        """Return the tree after simulation *step* as SVG."""
        return tree_svg(self.tree(step, pictures=pictures), windows=False, pictures=pictures, title=self.title)

    def text(self, step: int = -1) -> str:
        """Return the tree after simulation *step* for a terminal."""
        return tree_text(self.tree(step), windows=False)

    def dot(self, step: int = -1) -> str:
        """Return the tree after simulation *step* for Graphviz."""
        return tree_dot(self.tree(step))

    def mermaid(self, step: int = -1) -> str:
        """Return the tree after simulation *step* for Mermaid."""
        return tree_mermaid(self.tree(step))

    def _repr_svg_(self) -> str:
        return cell_svg(self.tree(), title=self.title)

    def _repr_html_(self) -> str | None:
        return cell_html(self.tree(), title=self.title)


def record_simulations(game: Game, state: Any, limits: Limits, options: TreeOptions, stopper: Stopper) -> TreeTrace:
    """Search *state* by simulations, interpreted, and record each."""
    engine = Engine(game, grow, compiled=False)
    driver = TreeDriver(engine, state, limits, tree=Tree(engine, TREE_MB), options=options)
    recorder = _Recorder(driver, options)
    watch = SearchWatch(game, state, driver.crew.memories, lambda: None, compiled=False)
    result = on_large_stack(
        lambda: driver.run(stopper, now(), recorder.record, every=1), stack_for(game), interrupt=stopper.stop, tick=watch.look
    )
    return TreeTrace(result, tuple(recorder.nodes), tuple(recorder.simulations))


class _Recorder:
    """Reads after each simulation what it did, from the memory of the search."""

    def __init__(self, driver: TreeDriver, options: TreeOptions) -> None:
        self.driver, self.tree, self.game = driver, driver.tree, driver.game
        self.memory = driver.crew.memories[0]
        self.simulates = bool(options.leaf_mode(driver.game) & tree_layout.BY_PLAYOUT)
        root = self.tree.branch(self.tree.root)
        self.nodes = [TreeNode(0, -1, None, "", None, None, KINDS[root.who], driver.state, -1)]
        self.index_of = {self.tree.root: 0}
        self.simulations: list[Simulation] = []

    def record(self, iteration: Iteration) -> None:
        """Add the simulation that has just ended; one that was abandoned is left out."""
        number = len(self.simulations)
        if iteration.simulations <= number:
            return
        length = int(self.memory[tree_layout.PATH_LENGTH])
        records = [int(self.memory[tree_layout.PATH + ply]) // tree_layout.RECORD for ply in range(length)]
        branches = [self.tree.branch(record) for record in records]
        expanded: list[int] = []
        changes: dict[int, Figures] = {}
        for branch in branches:
            for child in self.tree.children(branch):
                if child.record not in self.index_of:
                    expanded.append(self._add(branch, child, number))
                changes[self.index_of[child.record]] = _figures(child)
        for branch in branches:
            changes[self.index_of[branch.record]] = _figures(branch)
        path = tuple(self.index_of[record] for record in records)
        proven = branches[-1].settled
        leaf = self.nodes[path[-1]].state
        playout: tuple[int, ...] = ()
        if self.simulates and not proven:
            with rule_errors(self.game):
                playout = playout_choices(self.game, leaf, int(self.memory[layout.SEED]), number, PLIES)
        result = float(self.memory[tree_layout.RESULT])
        self.simulations.append(Simulation(number, path, tuple(expanded), playout, result, proven, changes))

    def _add(self, parent: Branch, child: Branch, number: int) -> int:
        above = self.nodes[self.index_of[parent.record]]
        by_chance = parent.who == CHANCE
        with rule_errors(self.game):
            name, state = choice_name(self.game, above.state, child.choice), self.game.play(above.state, child.choice)
        index = self.index_of[child.record] = len(self.nodes)
        self.nodes.append(
            TreeNode(
                index,
                above.index,
                child.choice,
                name,
                child.prior if by_chance else None,
                None if by_chance else child.prior,
                KINDS[child.who],
                state,
                number,
            )
        )
        return index


def _figures(branch: Branch) -> Figures:
    return Figures(branch.visits, branch.mean if branch.visits else None, branch.lower, branch.upper)
