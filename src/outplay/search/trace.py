"""`trace`: a search that is recorded, node by node, to be looked at."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, overload

from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.draw.dot import tree_dot
from outplay.draw.mermaid import tree_mermaid
from outplay.draw.node import UNSEEN, Node, NodeKind
from outplay.draw.notebook import cell_html, cell_svg
from outplay.draw.svg import tree_svg
from outplay.draw.text import tree_text
from outplay.errors import LimitError, OptionError
from outplay.rules.game import CHANCE, Game, State
from outplay.rules.number_text import probability_text, short_value, signed_value
from outplay.rules.opponents import Policy
from outplay.rules.rule_errors import rule_errors
from outplay.rules.text import choice_name, sentence
from outplay.runtime.growing_table import TABLE_MB
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.limits import Limits
from outplay.runtime.overdue import SearchWatch
from outplay.runtime.stopper import Stopper
from outplay.search.driver import Driver
from outplay.search.layout import USEFUL
from outplay.search.montecarlo.options import TreeOptions
from outplay.search.montecarlo.tree_trace import NODES as TREE_NODES
from outplay.search.montecarlo.tree_trace import SIMULATIONS, TreeTrace, record_simulations
from outplay.search.record import KINDS, Record, Recording, Visit, recorded
from outplay.search.result import Bound, Result
from outplay.search.searcher import check_method, resolve_start
from outplay.search.table import Storage
from outplay.search.techniques import mode_of
from outplay.search.words import undecided, worth_in_words

MOST_NODES = 10_000
CUTS = ("alpha cut", "beta cut", "best cut", "star1 cut")  # Star2 cuts before it has searched anything in full
ALL_CUTS = (*CUTS, "star2 cut")


@dataclass(frozen=True)
class TraceNode:
    """One visit of a node by the search, or a choice that it never visited. Values are player 0's.

    `why` says why the search came back from here: "over" and "horizon" (a leaf), "searched" (all children were),
    "beta cut" (of a max node), "alpha cut" (of a min node), "best cut" (of either, see below), "star1 cut", "star2 cut" (of a
    chance node), "table" (the value was known), "bounds" (the rules prove it), "probed" (Star2 asked for its first move alone),
    "stopped" (a limit was reached below), "never" (never visited) or "left out" (not among the useful moves). `note` says what
    a visit was for: "scout", "again" (after a scout found it better), "probe" (by Star2), or nothing in particular.

    A "best cut" takes the technique `bounds`: the value is the best that the rules allow the player there, so it is exact, and
    no alternative of the other player, higher up, was in its way: it is inside the window on entry or at its edge, or the node
    is the root. Where such an alternative was worth less to the player, it is a "beta cut" or an "alpha cut" as ever.
    """

    index: int
    parent: int  # -1 of a root
    children: tuple[int, ...]  # in order of visit, then those never visited
    choice: int | None  # the move or outcome that leads here
    name: str
    reward: float  # for coming here; 0 in a game without rewards
    probability: float | None
    kind: NodeKind
    state: Any = field(repr=False)
    ply: int
    depth: int  # moves left to look ahead
    window: tuple[float, float] | None  # on entry
    inner: tuple[float, float] | None  # the window in which its children are searched: narrower where the rules prove bounds
    after: tuple[float, float] | None  # the window of its parent, where a player is to move, once this visit has come back
    value: float | None
    bound: Bound
    why: str
    note: str
    entered: int | None  # the step of the search in which it came here, and in which it left
    left: int | None
    best: bool  # on the line of its pass

    @property
    def visited(self) -> bool:
        """Whether the search came here."""
        return self.why not in UNSEEN


@dataclass(frozen=True)
class Pass:
    """One run of the kernel from the root: a depth of a deepening search, perhaps again within a wider window."""

    depth: int
    alpha: float
    beta: float
    root: int  # its node


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """A search and everything it did. Displayed in a notebook, it is the tree of its last pass."""

    result: Result
    nodes: tuple[TraceNode, ...]
    passes: tuple[Pass, ...]

    @property
    def unfinished(self) -> bool:
        """Whether the search ended because it reached its limit of nodes."""
        return self.result.stopped_by == "nodes"

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many nodes there are of each `why`; a node searched again after a scout counts once more."""
        return dict(Counter(node.why for node in self.nodes))

    def explain(self) -> str:
        """Return what the search found and did, one sentence a line."""
        return "\n".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        result, counts = self.result, self.counts
        worth = worth_in_words(result.game, result.value, proven=result.proven)
        if result.move is None:
            yield sentence(f"{worth}.")
        elif any(candidate.value is not None for candidate in result.candidates):
            move = result.game.name_move(result.state, result.move)
            yield f"Best: {move}, {worth}."
        if undecided(result.game, result.value, proven=result.proven):
            yield "No decisive line was searched to its end, and the game has no estimate: a node at the horizon counts as 0."
        cuts = ", ".join(f"{counts[why]:,} {why}{'s' if counts[why] > 1 else ''}" for why in ALL_CUTS if counts.get(why))
        never = counts.get("never", 0)
        yield f"{result.nodes:,} nodes visited, {never:,} branch{'' if never == 1 else 'es'} cut off; {cuts or 'no cuts'}."
        if len(self.passes) > 1:
            depth = self.passes[-1].depth
            yield (
                f"The search went over the tree {len(self.passes)} times, deeper each time; "
                f"the drawing shows the last time, {depth} move{'s' if depth > 1 else ''} deep."
            )
            alpha, beta = self.nodes[self.passes[-1].root].window or (-math.inf, math.inf)
            if alpha > -math.inf or beta < math.inf:
                yield (
                    "The window in brackets at its root is narrow, because the search expects a value near the last one; "
                    "a value outside would be searched again with a wider window."
                )
        if self.unfinished:
            yield f"The tree is incomplete: the search ended after {result.nodes:,} nodes. Allow more nodes, or a smaller depth."

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes; a window without an end has null in its place."""
        return {
            "result": self.result.to_dict(),
            "counts": dict(self.counts),
            "passes": [_plain(asdict(one)) for one in self.passes],
            "nodes": [_plain({name: value for name, value in vars(node).items() if name != "state"}) for node in self.nodes],
        }

    def tree(self, pass_number: int = -1, *, pictures: bool = False) -> Node:
        """Return the drawing of one pass, by default the last."""
        try:
            root = self.passes[pass_number].root
        except IndexError:
            raise OptionError(f"there is no pass {pass_number}; there are {len(self.passes)}, counted from 0") from None
        drawn: dict[int, Node] = {}
        after = next((after.root for after in self.passes if after.root > root), len(self.nodes))
        for node in reversed(self.nodes[root:after]):  # a child comes after its parent
            drawn[node.index] = self._drawn(node, tuple(drawn.pop(child) for child in node.children), pictures)
        return drawn[root]

    def _drawn(self, node: TraceNode, children: tuple[Node, ...], pictures: bool) -> Node:
        signs = {"at least": "≥ ", "at most": "≤ "}
        return Node(
            kind="leaf" if node.why in ("over", "horizon") else node.kind,
            label=f"{node.name} ({signed_value(node.reward)})" if node.reward else node.name,
            probability="" if node.probability is None else probability_text(node.probability),
            value="" if node.value is None else signs.get(node.bound, "") + short_value(node.value),
            window=""
            if node.window is None or not children
            else f"[{short_value(node.window[0])}, {short_value(node.window[1])}]",
            why=node.why,
            best=node.best,
            picture=self.result.game.picture(node.state).svg if pictures else "",
            note=node.note,
            children=children,
            order=-1 if node.entered is None else node.entered,
        )

    def __repr__(self) -> str:
        return f"<Trace of {self.title}>"

    def svg(self, *, pictures: bool = False, windows: bool = True) -> str:
        """Return the tree of the last pass as SVG."""
        return tree_svg(self.tree(pictures=pictures), windows=windows, pictures=pictures, title=self.title)

    def text(self, *, windows: bool = True) -> str:
        """Return the tree of the last pass for a terminal."""
        return tree_text(self.tree(), windows=windows)

    def dot(self) -> str:
        """Return the tree of the last pass for Graphviz."""
        return tree_dot(self.tree())

    def mermaid(self) -> str:
        """Return the tree of the last pass for Mermaid."""
        return tree_mermaid(self.tree())

    @property
    def title(self) -> str:
        """The game, the depth and the number of nodes, as a title."""
        so_far = {"nodes": " so far; the bound on nodes was reached", "stop": " so far; it was told to stop"}
        return f"{self.result.game.name}, {self.result.nodes:,} nodes visited{so_far.get(self.result.stopped_by, '')}"

    def _repr_svg_(self) -> str:
        return cell_svg(self.tree(), title=self.title)

    def _repr_html_(self) -> str | None:
        return cell_html(self.tree(), title=self.title)


@overload
def trace(
    game: Game[State],
    state: State | None = None,
    *,
    depth: int | None = None,
    nodes: int = MOST_NODES,
    opponent: Policy = "best",
    only: Iterable[str] | None = None,
    without: Iterable[str] = (),
    stopper: Stopper | None = None,
) -> Trace: ...


@overload
def trace(
    game: Game[State],
    state: State | None = None,
    *,
    method: Literal["mcts"],
    simulations: int = SIMULATIONS,
    depth: int | None = None,
    nodes: int = ...,
    opponent: Policy = "best",
    leaves: str | None = None,
    exploration: float | None = None,
    seed: int = 0,
    stopper: Stopper | None = None,
) -> TreeTrace: ...


def trace(
    game: Game[State],
    state: State | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    opponent: Policy = "best",
    only: Iterable[str] | None = None,
    without: Iterable[str] = (),
    method: str = "alpha-beta",
    simulations: int | None = None,
    leaves: str | None = None,
    exploration: float | None = None,
    seed: int = 0,
    stopper: Stopper | None = None,
) -> Trace | TreeTrace:
    """Search *state* as `search` does with the same arguments, and record every node that it visits.

    The search ends after *nodes* nodes, and `cut` then says so. It runs interpreted: nothing has to be compiled, and
    a compiled search carries nothing of the recording. By *method* "mcts" it records so many *simulations*, each with its selection,
    expansion, playout and back-up, and returns a `TreeTrace`.
    """
    options = TreeOptions(leaves, exploration, seed)
    check_method(method, options, techniques=only is not None or bool(without))
    if method == "mcts":
        state, game, _, _ = resolve_start(game, state, opponent)
        wanted = Limits(None, depth, TREE_NODES if nodes is None else nodes, SIMULATIONS if simulations is None else simulations)
        return record_simulations(game, state, wanted, options, stopper or Stopper())
    if simulations is not None:
        raise LimitError('simulations limit a Monte Carlo tree search; give method="mcts" too, or depth or nodes')
    limits = Limits(None, depth, MOST_NODES if nodes is None else nodes)
    mode = mode_of(only, without)
    state, game, _, _ = resolve_start(game, state, opponent)
    recording = Recording(game)
    engine = Engine(game, recorded(), "searched", compiled=False, plain=recording)
    driver = Driver(
        engine, state, mode, limits, threads=1, storage=Storage(engine, TABLE_MB)
    )  # the table of `search`, so the same nodes
    stopper = stopper or Stopper()
    watch = SearchWatch(game, state, driver.crew.memories, lambda: None, compiled=False)
    result = on_large_stack(lambda: driver.run(stopper, now(), None), stack_for(game), interrupt=stopper.stop, tick=watch.look)
    with rule_errors(game):  # names are asked for only now, and what was never visited is played now
        return _Collected(recording.record, result, mode).trace()


class _Collected:
    """Turns a record into a trace: adds names, the choices never visited and the best lines."""

    def __init__(self, record: Record, result: Result, mode: int) -> None:
        self.record, self.result, self.game = record, result, result.game
        self.choosy = bool(mode & USEFUL) and self.game.useful is not None
        self.made: list[TraceNode] = []

    def trace(self) -> Trace:
        passes = []
        best = self._best()
        for root, after in zip(self.record.passes, [*self.record.passes[1:], len(self.record.visits)], strict=True):
            window = self.record.visits[root].window
            assert window is not None
            passes.append(Pass(self.record.visits[root].depth, window[0], window[1], len(self.made)))
            self._collect(root, after, best)
        return Trace(self.result, tuple(self.made), tuple(passes))

    def _collect(self, root: int, after: int, best: set[int]) -> None:
        """Number the visits of one pass, and after them the choices that it never visited."""
        index_of: dict[int, int] = {}
        for place in range(root, after):
            if self.record.visits[place].entered is not None:
                index_of[place] = len(self.made) + len(index_of)
        left = {place: self._settle(self.record.visits[place]) for place in reversed(index_of)}  # children before their parents
        unvisited: list[TraceNode] = []
        following = len(self.made) + len(index_of)
        for place, index in index_of.items():
            visit = self.record.visits[place]
            children = [index_of[child] for child in visit.children if child in index_of]
            for why, choice, probability in left[place]:
                children.append(following + len(unvisited))
                unvisited.append(self._never(children[-1], index, visit, choice, probability, why))
            self.made.append(
                TraceNode(
                    index=index,
                    parent=index_of.get(visit.parent, -1),
                    children=tuple(children),
                    choice=visit.choice,
                    name=""
                    if visit.choice is None
                    else choice_name(self.game, self.record.visits[visit.parent].state, visit.choice),
                    reward=visit.reward,
                    probability=visit.probability,
                    kind=KINDS[visit.who],
                    state=visit.state,
                    ply=visit.ply,
                    depth=visit.depth,
                    window=visit.window,
                    inner=visit.inner,
                    after=visit.after,
                    value=visit.value,
                    bound=visit.bound,
                    why=visit.why,
                    note=visit.note,
                    entered=visit.entered,
                    left=visit.left,
                    best=place in best,
                )
            )
        self.made += unvisited

    def _settle(self, visit: Visit) -> list[tuple[str, int, float | None]]:
        """Mark a visit that has searched all its choices, and whether its value is exact; return the choices that it skipped."""
        visits = [self.record.visits[child] for child in visit.children]
        left = self._not_visited(visit, visits)
        if any(why == "never" for why, _, _ in left) or _merely_probed(visits):
            return left
        if visit.why in CUTS:
            visit.why = "searched"  # good enough to cut, but there was nothing left to cut off
        if visit.why == "searched" and _exact(visit, [child for child in visits if child.entered is not None]):
            visit.bound = "exact"
        return left

    def _not_visited(self, visit: Visit, children: list[Visit]) -> list[tuple[str, int, float | None]]:
        """Return the choices that the search has not visited: why not, the choice, its probability."""
        if visit.why in ("over", "horizon", "table", "bounds") or (visit.why == "probed" and not children):
            return []
        done = {child.choice for child in children if child.entered is not None}
        if visit.who == CHANCE and self.game.chances is not None:
            return [("never", outcome, p) for outcome, p in self.game.outcomes(visit.state) if outcome not in done]
        legal = self.game.legal(visit.state)
        useful = set(self.game.useful(visit.state)) if self.choosy and visit.ply > 0 and visit.depth > 1 else set(legal)  # type: ignore[misc]
        return [("never" if move in useful else "left out", move, None) for move in legal if move not in done]

    def _never(self, index: int, parent: int, visit: Visit, choice: int, probability: float | None, why: str) -> TraceNode:
        state = self.game.play(visit.state, choice)
        reward = 0.0 if self.game.reward is None else float(self.game.reward(visit.state, choice))
        return TraceNode(
            index=index, parent=parent, children=(), choice=choice, name=choice_name(self.game, visit.state, choice), reward=reward,
            probability=probability,
            kind=KINDS.get(self.game.turn(state), "leaf"), state=state, ply=visit.ply + 1, depth=0, window=None, inner=None, after=None, value=None,
            bound="unknown", why=why, note="", entered=None, left=None, best=False,
        )  # fmt: skip

    def _best(self) -> set[int]:
        """Return the places of the visits of best play in each pass that came through: of a player one choice, of chance all."""
        lines = {iteration.depth: iteration.line for iteration in self.result.iterations}
        last = {self.record.visits[root].depth: root for root in self.record.passes}  # of several windows, the last held
        found = set(last.values())
        following = [(root, lines[depth]) for depth, root in last.items() if depth in lines]
        while following:
            place, line = following.pop()
            found.add(place)
            visit = self.record.visits[place]
            # Searched again, a visit has the whole window: the last one of a choice counts.
            children = {self.record.visits[child].choice: child for child in visit.children}
            if visit.who == CHANCE:
                following += [(child, line[1:] if line[:1] == (choice,) else ()) for choice, child in children.items()]
            elif line and line[0] in children:
                following.append((children[line[0]], line[1:]))
            elif not line and visit.value is not None:
                same = (child for child in children.values() if self.record.visits[child].worth == visit.value)
                following += [(child, ()) for child in list(same)[:1]]
        return {place for place in found if self.record.visits[place].entered is not None}


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    """Return *data* with lists for tuples and None for infinities, as JSON has it."""

    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return [plain(item) for item in value]
        return None if isinstance(value, float) and math.isinf(value) else value

    return {name: plain(value) for name, value in data.items()}


def _exact(visit: Visit, children: list[Visit]) -> bool:
    """Return whether the values of all children, a bound here or there among them, make the value of *visit* certain."""
    last = {child.choice: child for child in children}.values()  # searched again, a child is better known
    if visit.value is None:
        return False
    if visit.who == CHANCE:
        mean = sum((child.probability or 0.0) * (child.worth or 0.0) for child in last)
        return all(child.bound == "exact" for child in last) and math.isclose(mean, visit.value, rel_tol=1e-9, abs_tol=1e-12)
    known = ("exact", "at most" if visit.who == 0 else "at least")
    return all(child.bound in known for child in last) and any(
        child.worth == visit.value and child.bound == "exact" for child in last
    )


def _merely_probed(visits: list[Visit]) -> bool:
    """Return whether an outcome was only probed and its value is still open: the probe saved a full search."""
    settled = {visit.choice for visit in visits if visit.note != "probe" or visit.bound == "exact"}
    return any(visit.choice not in settled for visit in visits)
