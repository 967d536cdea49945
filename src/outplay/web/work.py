"""What the jobs do, each in its own thread: search, analyse, trace, solve."""

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

from outplay.agents.agent import Agent, Clock, choice_of
from outplay.agents.named import agent
from outplay.agents.search import SearchAgent
from outplay.agents.solved import SolvedAgent
from outplay.errors import OptionError, TooLarge
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.opponents import Policy, opponent_of
from outplay.rules.text import choice_name
from outplay.search.analysis import Analysis
from outplay.search.search import analyse, prepare, search
from outplay.search.trace import Trace, trace
from outplay.solve.progress import Progress
from outplay.solve.solution import Solution
from outplay.solve.solve import solve
from outplay.trees.tree import Tree, tree
from outplay.web import limits, messages
from outplay.web.jobs import Event, Job
from outplay.web.limits import Caps
from outplay.web.positions import Place, Positions

LOOK = 0.25  # seconds from one look at whether another one still compiles to the next
OFTEN = 0.04  # seconds from one analysis that is sent to the next
DEFAULT_SECONDS = 1.0
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


class Work:
    """The work of one server's jobs; what is found once and used again is kept here."""

    def __init__(self, positions: Positions, caps: Caps) -> None:
        self.positions, self.offered, self.caps = positions, positions.offered, caps
        self._lock, self._compiling = threading.Lock(), threading.Lock()  # only one compiles at a time
        self._ready: set[tuple[str, str, int]] = set()
        self._solutions: OrderedDict[tuple[str, str], tuple[Game, Solution]] = OrderedDict()

    def lane(self, asked: messages.Lengthy) -> str:
        """Return what a job has to wait for: the place of a search, of a trace or of a solve."""
        if isinstance(asked, messages.Move) and asked.agent == "solved" and (asked.game, asked.start) not in self._solutions:
            return "solve"
        if isinstance(asked, messages.Trace | messages.Tree) or (isinstance(asked, messages.Ladder) and asked.tree):
            return "trace"
        return "search"

    def prepare(self, job: Job, asked: messages.Prepare) -> Event:
        """Load or compile what a search of a game takes."""
        game = self.offered.game(asked.game)
        self._prepare(job, game, game.start)
        return {"event": "ready"}

    def _prepare(self, job: Job, game: Game, state: Any, opponent: Policy = "best", label: str = "best") -> None:
        if game.acting(state) == OVER:
            return
        self.offered.admit(game, label)
        variant = (game.loaded_as or game.name, label, 0 if game.loaded_as else id(game))
        with job.compiling(game.name), nullcontext() if variant in self._ready else self._alone(job):
            prepare(game, state, opponent=opponent)
            self._ready.add(variant)

    @contextmanager
    def _alone(self, job: Job) -> Iterator[None]:
        """Let only one compile at a time; but whoever takes too long, for a rule may never return, is waited for no more."""
        began, lock = time.monotonic(), self._compiling
        while not lock.acquire(timeout=LOOK):
            job.check()
            with self._lock:
                if lock is not self._compiling:
                    began, lock = time.monotonic(), self._compiling
                elif time.monotonic() - began > self.caps.compile_seconds:
                    lock = self._compiling = threading.Lock()
        try:
            job.check()  # whoever has left while another one compiled
            yield
        finally:
            lock.release()

    def analyse(self, job: Job, asked: messages.Analyse) -> Event:
        """Search every move of a position, deeper and deeper, and say so."""
        place = self.positions.place(asked)
        self._prepare(job, place.game, place.state)
        sent = [0.0]
        kept: list[Analysis] = []

        def progress(found: Analysis) -> None:
            kept[:] = [found]
            flush(OFTEN)

        def flush(after: float) -> None:
            if kept and time.monotonic() - sent[0] >= after:
                sent[0] = time.monotonic()
                job.post(_analysis(kept.pop(), done=False))

        def tick(nodes: int, seconds: float) -> None:
            flush(0)
            job.visited(nodes)
            job.post({"event": "tick", "nodes": nodes, "seconds": seconds, "rate": nodes / max(seconds, 1e-6)})

        job.searching = True
        job.check()
        job.searches(asked.seconds, lambda: self._interpreted(place.game, place.state), watched=True)
        found = analyse(
            place.game, place.state,
            seconds=asked.seconds, table_mb=self.caps.table_mb, progress=progress, tick=tick, stopper=job.stopper,
        )  # fmt: skip
        return _analysis(found, done=True, stopped_by="busy" if job.hurried else found.stopped_by)

    def _interpreted(self, game: Game, state: Any, opponent: Policy = "best") -> None:
        """Search as the compiled kernel does, in its order, until the rule that does not return is met."""
        search(game, state, seconds=limits.REPLAY_SECONDS, nodes=limits.REPLAY_NODES, opponent=opponent, compiled=False)

    def graph(self, job: Job, asked: messages.Graph) -> Event:
        """Search every position of a game for a moment."""
        place = self.positions.place(asked)
        each = min(asked.seconds, limits.GRAPH_SECONDS / len(place.states))
        for ply, state in enumerate(place.states):
            job.check()
            if job.hurried:
                return {"event": "done", "stopped_by": "busy"}
            if place.game.acting(state) == OVER:
                job.post({"event": "point", "ply": ply, "value": float(place.game.score(state)), "depth": 0, "proven": True})
                continue
            if ply == 0:
                self._prepare(job, place.game, state)
            job.searches(each, lambda state=state: self._interpreted(place.game, state))  # type: ignore[misc]
            found = search(place.game, state, seconds=each, table_mb=self.caps.table_mb, stopper=job.stopper)
            job.check()
            job.post({"event": "point", "ply": ply, "value": found.value, "depth": found.depth, "proven": found.proven})
        return {"event": "done"}

    def move(self, job: Job, asked: messages.Move) -> Event:
        """Let an agent choose."""
        place = self.positions.place(asked)
        if place.game.acting(place.state) in (CHANCE, OVER):
            raise OptionError("no player is to move here, so there is nothing to choose")
        chooser = self._agent(job, asked, place)
        if isinstance(chooser, SearchAgent):
            self._prepare(job, place.game, place.state, chooser.opponent, _label(chooser.opponent))
            seconds = min(chooser.seconds or limits.MOVE_SECONDS, limits.MOVE_SECONDS)
            job.searches(seconds, lambda: self._interpreted(place.game, place.state, chooser.opponent))
        clock = Clock(limits.MOVE_SECONDS)
        choice = choice_of(chooser.choose(place.game, place.state, clock, random.Random(), stopper=job.stopper))
        job.check()
        return {
            "event": "moved",
            "choice": choice.move,
            "name": choice_name(place.game, place.state, choice.move),
            "value": choice.value,
            "depth": choice.depth,
            "nodes": choice.nodes,
            "seconds": choice.seconds,
            "proven": choice.proven,
        }

    def _agent(self, job: Job, asked: messages.Move, place: Place) -> Agent:
        """Return the agent that a page asks for, within what a page may take."""
        if asked.agent == "solved":
            return SolvedAgent(self._solution(job, asked.game, asked.start, place))
        if asked.agent.startswith("solved:"):
            raise OptionError(f"{asked.agent!r}: on the page the agent is 'solved'; a table in a file is for the command line")
        chooser = agent(asked.agent, place.game, seconds=DEFAULT_SECONDS, files=False)
        if isinstance(chooser, SearchAgent):
            if chooser.threads != 1:
                raise OptionError(f"{asked.agent!r}: on the page a search takes one thread; leave threads out")
            return replace(chooser, table_mb=self.caps.table_mb)
        return chooser

    def _solution(self, job: Job, name: str, start: str, place: Place) -> Solution:
        key = (name, start)
        with self._lock:
            if key in self._solutions and self._solutions[key][0] is place.game:  # not the one of a file that has changed since
                self._solutions.move_to_end(key)
                return self._solutions[key][1]
        self.offered.admit(place.game, "solved")
        began = time.monotonic()

        def progress(at: Progress) -> None:
            job.check()
            job.post({"event": "solving", "phase": at.phase, "states": at.states, "seconds": time.monotonic() - began})

        try:
            found = solve(
                place.game, place.states[0], method="cycles", memory_gb=self.caps.solve_gb, threads=1, progress=progress
            )
        except TooLarge:
            raise TooLarge(
                f"{place.game.name!r} has more states than fit the {self.caps.solve_gb:g} GB that the page may take, so 'solved' "
                "cannot play it here; let a search play"
            ) from None
        with self._lock:
            self._solutions[key] = place.game, found
            while len(self._solutions) > self.caps.solutions:
                self._solutions.popitem(last=False)
        return found

    def trace(self, job: Job, asked: messages.Trace) -> Event:
        """Record a search, of fewer nodes than asked for where they have so many choices that the page could not show them."""
        game, state, opponent, deep = self._traced(asked)
        width = max(1, _width(game, state))
        nodes = min(
            asked.nodes, width + 8 * limits.RECORDS // width
        )  # all of the first depth; not all nodes have as many choices
        while True:
            found = trace(
                game, state, depth=asked.depth or deep, nodes=nodes, opponent=opponent, only=asked.only, stopper=job.stopper
            )  # fmt: skip
            job.check()
            if len(found.nodes) <= limits.RECORDS or nodes == 1 or job.hurried:
                return {**_trace(found), "cut": found.cut or job.hurried}
            nodes = max(1, int(0.9 * nodes * limits.RECORDS / len(found.nodes)))

    def _traced(self, asked: messages.Trace | messages.Ladder) -> tuple[Game, Any, Policy, int | None]:
        """Return what is searched, against whom, and how deep it is, if that is known."""
        if asked.tree:
            written = tree(asked.tree)
            game, state, deep = written.game, written.game.start, written.depth
        else:
            place = self.positions.place(asked)
            game, state, deep = place.game, place.state, None
        return game, state, opponent_of(game, asked.opponent), deep

    def ladder(self, job: Job, asked: messages.Ladder) -> Event:
        """Count the nodes of the same search, technique by technique."""
        game, state, opponent, deep = self._traced(asked)
        if not asked.tree:
            self._prepare(job, game, state, opponent, asked.opponent)
        rungs = RUNGS + (CHANCE_RUNGS if game.chances is not None or opponent != "best" else ())
        rows: list[dict[str, Any]] = []
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
            rows.append(
                {
                    "name": name,
                    "only": list(only),
                    "nodes": found.nodes if whole else None,
                    "value": found.value if whole else None,
                }
            )
        return {"event": "ladder", "rows": rows}

    def tree(self, job: Job, asked: messages.Tree) -> Event:
        """Solve a tree written as text."""
        return _tree(tree(asked.text))


def _width(game: Game, state: Any) -> int:
    """Return how many choices there are in *state*."""
    return len(game.choices(state))


def _label(opponent: Policy) -> str:
    return opponent if isinstance(opponent, str) else getattr(opponent, "__qualname__", "policy")


def _analysis(found: Analysis, *, done: bool, stopped_by: str = "") -> Event:
    return {
        "event": "analysis",
        "depth": found.depth,
        "value": found.value,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "rate": found.nodes / max(found.seconds, 1e-6),
        "proven": found.proven,
        "done": done,
        "stopped_by": stopped_by or None,
        "best": found.move,
        "moves": [
            {
                "choice": move.move,
                "name": move.name,
                "value": move.value,
                "depth": move.depth,
                "proven": move.proven,
                "length": move.distance,
                "line": found.named_line(move),
                "probability": move.probability,
            }
            for move in found.candidates
        ],
    }


def _trace(found: Trace) -> Event:
    result = found.result
    return {
        "event": "trace",
        "nodes": [
            {
                "parent": node.parent,
                "choice": node.choice,
                "name": node.name,
                "probability": node.probability,
                "kind": node.kind,
                "alpha": None if node.window is None else node.window[0],  # what is infinite becomes null
                "beta": None if node.window is None else node.window[1],
                "value": node.value,
                "bound": node.bound,
                "why": node.why,
                "note": node.note,
                "entered": node.entered,
                "left": node.left,
                "best": node.best,
                "ply": node.ply,
                "depth": node.depth,
            }
            for node in found.nodes
        ],
        "passes": [{"depth": one.depth, "root": one.root} for one in found.passes],
        "cut": found.cut,
        "counts": dict(found.counts),
        "visited": result.nodes,
        "low": result.game.low,
        "high": result.game.high,
        "value": result.value,
        "move_name": "" if result.move is None else choice_name(result.game, result.state, result.move),
    }


def _tree(found: Tree) -> Event:
    parents, best = [-1], [True]
    for place, node in enumerate(
        found.nodes
    ):  # level by level: the children of a node stand together, after those of the one before
        parents += [place] * len(node.children)
        on_line = node.best or range(len(node.children))  # chance leaves no choice
        best += [best[place] and child in on_line for child in range(len(node.children))]
    plies = [0]
    for parent in parents[1:]:
        plies.append(plies[parent] + 1)
    return {
        "event": "tree",
        "nodes": [
            {
                "parent": parent,
                "choice": None,
                "name": " → ".join(filter(None, (node.label, node.name))),
                "probability": None if node.probability is None else float(node.probability),
                "probability_text": "" if node.probability is None else str(node.probability),
                "kind": node.kind,
                "alpha": None,
                "beta": None,
                "value": float(node.value),
                "value_text": str(node.value),
                "bound": "exact",
                "why": "searched" if node.children else "over",
                "note": "",
                "entered": None,
                "left": None,
                "best": on_line,
                "ply": ply,
                "depth": 0,
            }
            for node, parent, on_line, ply in zip(found.nodes, parents, best, plies, strict=True)
        ],
        "steps": [{"node": step.node, "text": step.text, "index": step.index} for step in found.steps()],
        "value": str(found.value),
        "best": list(found.best),
        "explain": found.explain(),
    }
