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
from outplay.search.montecarlo import playout_layout, tree_layout
from outplay.search.montecarlo.options import TreeOptions
from outplay.search.montecarlo.replay import playout_choices
from outplay.search.montecarlo.selection import Child, Selection, chance_options, player_options
from outplay.search.montecarlo.tree import Branch, Tree
from outplay.search.montecarlo.tree_driver import PLIES, TreeDriver
from outplay.search.montecarlo.tree_kernel import grow, spread
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
    `result` to player 0; and `changes` has the new figures of every node that it changed.

    `selections` has the numbers behind each step of the path. `backed_up` is what each node of the path was told: the result, with the rewards
    on the way and the share that proven children have in it. `estimate` is the game's, if the leaf was valued by it, alone or together
    with the playout.
    """

    number: int
    path: tuple[int, ...]
    selections: tuple[Selection, ...] = field(repr=False)
    expanded: tuple[int, ...]
    playout: tuple[int, ...]
    estimate: float | None
    result: float
    proven: bool  # the leaf is: nothing had to be simulated
    backed_up: tuple[float, ...]
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

    @cached_property
    def line(self) -> tuple[int, ...]:
        """The nodes of the play that the search expects in the end, the root first."""
        found = [0]
        for choice in self.result.line:
            after = next((child for child in self.children[found[-1]] if self.nodes[child].choice == choice), None)
            if after is None:
                break
            found.append(after)
        return tuple(found)

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
        lines = [f"Selection: {', '.join(names)}." if names else "Selection: the root itself is the leaf."]
        if simulation.expanded:
            where = self._called(self.nodes[simulation.expanded[0]].parent)
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

    def _called(self, index: int) -> str:
        """Return the name of node *index*, with the choices before it where other nodes have the same name."""
        name, before = self.nodes[index].name or "the root", self.nodes[index].parent
        if sum(node.name == name for node in self.nodes) < 2 or before <= 0:
            return name
        way: list[str] = []
        while before > 0:
            way.insert(0, self.nodes[before].name)
            before = self.nodes[before].parent
        return f"{name} after {', '.join(way)}"

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
        self.leaves = options.leaf_mode(driver.game)
        self.weight = options.weight(driver.game) * self.tree.span
        self.width = self._width()
        root = self.tree.branch(self.tree.root)
        self.nodes = [TreeNode(0, -1, None, "", None, None, KINDS[root.who], driver.state, -1)]
        self.index_of = {self.tree.root: 0}
        self.before: dict[int, Child] = {self.tree.root: self._child(root)}  # every record as the last simulation left it
        self.figures: dict[int, Figures] = {}
        self.simulations: list[Simulation] = []

    def record(self, iteration: Iteration) -> None:
        """Add the simulation that has just ended; one that was abandoned is left out."""
        number = len(self.simulations)
        if iteration.simulations <= number:
            return
        length = int(self.memory[tree_layout.PATH_LENGTH])
        records = [int(self.memory[tree_layout.PATH + ply]) // tree_layout.RECORD for ply in range(length)]
        branches = [self.tree.branch(record) for record in records]
        below = [self.tree.children(branch) for branch in branches]
        expanded = [
            self._add(branch, child, number)
            for branch, children in zip(branches, below, strict=True)
            for child in children
            if child.record not in self.index_of
        ]
        path = tuple(self.index_of[record] for record in records)
        selections = tuple(
            self._selection(branch, children, path[ply + 1], ply)
            for ply, (branch, children) in enumerate(zip(branches[:-1], below, strict=False))
        )
        changes: dict[int, Figures] = {}
        for branch in (*branches, *(child for children in below for child in children)):
            index, figures = self.index_of[branch.record], _figures(branch)
            if self.figures.get(index) != figures:
                self.figures[index] = changes[index] = figures
            self.before[branch.record] = self._child(branch)
        self.width = self._width()
        proven = branches[-1].settled
        leaf = self.nodes[path[-1]].state
        playout: tuple[int, ...] = ()
        estimate: float | None = None
        if not proven:
            with rule_errors(self.game):
                if self.leaves & tree_layout.BY_PLAYOUT:
                    playout = playout_choices(self.game, leaf, int(self.memory[playout_layout.SEED]), number, PLIES)
                if self.leaves & tree_layout.BY_ESTIMATE:
                    estimate = float(self.game.estimate(leaf))  # type: ignore[misc]  # leaf_mode has seen that there is one
        result = self._real(tree_layout.RESULT)
        backed_up = self._backed_up(branches, result)
        self.simulations.append(
            Simulation(number, path, selections, tuple(expanded), playout, estimate, result, proven, backed_up, changes)
        )

    def _width(self) -> float:
        """Return the weight of exploration on the game's scale: it is measured by how far results differ so far."""
        return float(self.weight * spread(self.tree.memory))  # type: ignore[no-untyped-call]

    def _real(self, place: int) -> float:
        return float(self.memory[place])

    def _child(self, branch: Branch) -> Child:
        total = float(self.tree.memory[branch.record * tree_layout.RECORD + tree_layout.TOTAL]) * self.tree.span
        return Child(branch.visits, total, branch.lower, branch.upper, branch.prior)

    def _selection(self, branch: Branch, children: list[Branch], chosen: int, ply: int) -> Selection:
        """Return what the node of *branch* saw when it went on with node *chosen*."""
        was = self.before[branch.record]
        # A new child has had at most this one visit, and nothing has changed its bounds yet.
        known = {
            self.index_of[child.record]: self.before.get(child.record) or Child(0, 0.0, child.lower, child.upper, child.prior)
            for child in children
        }
        if branch.who == CHANCE:
            return Selection(self.index_of[branch.record], chosen, None, chance_options(was.visits, known))
        options = player_options(branch.who, was.visits, was.total, known, width=self.width, by_rank=self.game.rank is not None)
        settled = None
        if self._real(tree_layout.TIMES + ply) == 0.0:
            told = (self.index_of[child.record] for child in children if child.visits > known[self.index_of[child.record]].visits)
            settled = next((index for index in told if index != chosen), None)
        return Selection(self.index_of[branch.record], chosen, settled, options)

    def _backed_up(self, branches: list[Branch], result: float) -> tuple[float, ...]:
        """Return what each node of the path was told, as step 4 of the kernel's `simulate` has it."""
        told, value = [0.0] * len(branches), result
        for ply in reversed(range(len(branches))):
            value = min(max(value + self._real(tree_layout.PAID + ply), branches[ply].lower), branches[ply].upper)
            told[ply] = value
            value = self._real(tree_layout.PLUS + ply - 1) + self._real(tree_layout.TIMES + ply - 1) * value if ply else 0.0
        return tuple(told)

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
