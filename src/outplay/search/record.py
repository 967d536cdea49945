"""Records a search node by node. It runs a copy of the kernel, interpreted, in which recording is switched on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from outplay.draw.node import NodeKind
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.search.driver import BOUNDS
from outplay.search.kernel import explore
from outplay.search.layout import EXACT, NONE
from outplay.search.result import Bound

KINDS: dict[int, NodeKind] = {0: "max", 1: "min", CHANCE: "chance", OVER: "leaf"}


@dataclass
class Visit:
    """One visit of a node, or a choice that was never visited."""

    parent: int
    state: Any
    choice: int | None
    probability: float | None
    ply: int
    depth: int
    window: tuple[float, float] | None
    note: str = ""
    reward: float = 0.0  # for coming here
    inner: tuple[float, float] | None = None
    after: tuple[float, float] | None = None
    who: int = OVER
    value: float | None = None
    bound: Bound = "unknown"
    why: str = "stopped"
    entered: int | None = None
    left: int | None = None
    children: list[int] = field(default_factory=list)

    @property
    def worth(self) -> float | None:
        """What coming here is worth to player 0: the reward and the value."""
        return None if self.value is None else self.reward + self.value


class Record:
    """The visits of a search so far, and the roots of its passes."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.visits: list[Visit] = []
        self.passes: list[int] = []
        self._open: list[int] = []  # the visits now searched, root first
        self._step = 0
        self._why = ""

    def enter(self, state: Any, who: int, depth: int, ply: int, alpha: float, beta: float) -> None:
        """A node is searched within (alpha, beta): the root, or the child announced last, perhaps once more."""
        if ply == 0:
            self._open.clear()
            self.passes.append(len(self.visits))
            self.visits.append(Visit(-1, state, None, None, 0, depth, None))
        elif self.visits[-1].entered is not None:
            before = self.visits[self.visits[self._open[-1]].children[-1]]
            self.child(state, before.choice, depth, before.probability, alpha, beta, "again", before.reward)
        visit = self.visits[-1]
        visit.who, visit.window, visit.entered = who, (alpha, beta), self._next()
        self._open.append(len(self.visits) - 1)

    def inside(self, alpha: float, beta: float) -> None:
        """The children of the node are searched within (alpha, beta), which the rules may have narrowed."""
        self.visits[self._open[-1]].inner = (alpha, beta)

    def child(
        self,
        state: Any,
        choice: int | None,
        depth: int,
        probability: float | None,
        alpha: float,
        beta: float,
        note: str,
        reward: float,
    ) -> None:
        """The next child is about to be visited."""
        parent = self._open[-1]
        self.visits[parent].children.append(len(self.visits))
        self.visits.append(Visit(parent, state, choice, probability, len(self._open), depth, (alpha, beta), note, reward))

    def leaf(self, value: float, why: str) -> None:
        """The child needs no search; NaN: the search must end before it is visited."""
        visit = self.visits[-1]
        if value == value:
            visit.who = OVER if why == "over" else self.game.turn(visit.state)
            visit.value, visit.bound, visit.why = value, "exact", why
            visit.entered = visit.left = self._next()

    def came_back(self, who: int, near: float, far: float) -> None:
        """The child has come back to a player, and leaves this of the window, as the player sees it."""
        child = self.visits[self.visits[self._open[-1]].children[-1]]
        child.after = (-far, -near) if who == 1 else (near, far)

    def ended(self, who: int, cut: bool, probing: bool, alone: bool) -> None:
        """The node's children are finished: all of them, those before a cut, or the first *alone*."""
        if cut:
            self._why = "beta cut" if who == 0 else "alpha cut" if who == 1 else "star2 cut" if probing else "star1 cut"
        else:
            self._why = "probed" if alone else "searched"

    def leave(self, value: float, bound: int, why: str = "") -> None:
        """The node has its value, or a bound."""
        visit = self.visits[self._open.pop()]
        why = why or self._why
        if why in ("alpha cut", "beta cut") and bound == EXACT and _undisputed(visit, value):
            why = "best cut"
        visit.why, visit.bound, visit.left = why, BOUNDS[bound], self._next()
        visit.value = None if bound == NONE else value

    def _next(self) -> int:
        self._step += 1
        return self._step - 1


def _undisputed(visit: Visit, value: float) -> bool:
    """Return whether *value*, the best possible for the player here, is inside the window or at its edge."""
    assert visit.window is not None
    alpha, beta = visit.window
    return visit.parent < 0 or (value <= beta if visit.who == 0 else value >= alpha)


class Recording(InterpretedRules):
    """The rules of a game as the kernel calls them, and the record to which the kernel writes."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.record = Record(game)


def recorded() -> Callable[..., Any]:
    """Return the recording kernel: the same code with its own globals."""
    scope = {**explore.__globals__, "RECORDING": True}
    scope["explore"] = FunctionType(explore.__code__, scope, explore.__name__, explore.__defaults__, explore.__closure__)
    return scope["explore"]  # type: ignore[no-any-return]
