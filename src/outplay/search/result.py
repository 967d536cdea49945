"""What a search returns: frozen, explained, and in the game's own words where a person reads it."""

from dataclasses import dataclass, field
from typing import Any

from outplay.rules.game import Game
from outplay.rules.notebook import beside
from outplay.rules.text import line_names


class Outcome(int):
    """A choice in a line that chance makes: the likeliest outcome there. It equals the plain int."""

    def __repr__(self) -> str:
        return f"Outcome({int(self)})"


@dataclass(frozen=True)
class Candidate:
    """A move at the root and what is known of it."""

    move: int
    value: float | None  # player 0's; None if the search never came to it
    kind: str  # "exact", "at least", "at most" or "unknown"
    depth: int  # to which it was searched
    proven: bool

    def __str__(self) -> str:
        if self.value is None:
            return "not searched"
        words = {"exact": "", "at least": "at least ", "at most": "at most "}[self.kind]
        return f"{words}{number(self.value)}{', proven' if self.proven else ''}"


@dataclass(frozen=True)
class Iteration:
    """One completed depth of a deepening search."""

    depth: int
    value: float
    line: tuple[int, ...]
    nodes: int  # up to its end, all threads together
    seconds: float
    proven: bool


@dataclass(frozen=True)
class Result:
    """The best move, and why. Values are player 0's.

    `proven`: the value is exact, for the tree was searched as far as anything could change it. `stopped_by`: "proof", "depth",
    "time", "nodes" or "stop". `depth`: the last depth searched to its end. `move` is None where chance acts.
    """

    move: int | None
    value: float
    line: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    proven: bool
    stopped_by: str
    candidates: tuple[Candidate, ...]
    iterations: tuple[Iteration, ...] = field(repr=False)
    threads: int
    probes: int = field(repr=False)  # of the table
    hits: int = field(repr=False)
    game: Game = field(repr=False, compare=False)
    state: Any = field(repr=False, compare=False)

    @property
    def branching(self) -> float:
        """The effective branching factor: how many moves a node would have in a full tree of as many nodes."""
        nodes = self.iterations[-1].nodes if self.iterations else self.nodes
        if len(self.iterations) > 1:
            nodes -= self.iterations[-2].nodes
        return max(nodes, 1) ** (1 / self.depth) if self.depth else float(nodes)

    @property
    def hit_rate(self) -> float:
        """The share of table look-ups that found something; 0.0 without a table."""
        return self.hits / self.probes if self.probes else 0.0

    def explain(self) -> str:
        """Return the result as a person would read it: the move, why, the line, the figures."""
        return "\n".join(self._paragraphs())

    def _paragraphs(self) -> list[str]:
        who = self.game.turn(self.state)
        lines = []
        if self.move is None:
            lines.append(f"Chance acts here; the position is worth {self._worth(self.value)}.")
        else:
            lines.append(
                f"Player {who} should play {self.game.name_move(self.state, self.move)}: worth {self._worth(self.value)}."
            )
        lines.append(self._certainty())
        if self.line:
            lines.append(f"Expected play: {' '.join(self.named_line())}")
        if self.candidates:
            lines.append("Candidates (to player 0):")
            best_first = sorted(self.candidates, key=lambda candidate: self._order(candidate, who))
            names = [str(self.game.name_move(self.state, candidate.move)) for candidate in best_first]
            width = max(map(len, names))
            lines += [
                f"  {name:{width}}  {candidate}{self._so_far(candidate)}"
                for name, candidate in zip(names, best_first, strict=True)
            ]
        lines.append(
            f"{self.nodes:,} nodes in {self.seconds:.3f} s ({self.nodes / max(self.seconds, 1e-9):,.0f} a second), "
            f"depth {self.depth}, effective branching factor {self.branching:.2f}, "
            f"table hit rate {self.hit_rate:.0%}, {self.threads} thread{'s' * (self.threads > 1)}."
        )
        return lines

    def _so_far(self, candidate: Candidate) -> str:
        """Say of an estimate beside a proven value that it is one."""
        return f", at depth {candidate.depth}" if self.proven and not candidate.proven and candidate.value is not None else ""

    def _order(self, candidate: Candidate, who: int) -> tuple[Any, ...]:
        if candidate.value is None:
            return (1, 0.0, 0)
        return (0, -candidate.value if who == 0 else candidate.value, candidate.move != self.move)

    def _worth(self, value: float) -> str:
        return f"{number(value)} to player 0"

    def _certainty(self) -> str:
        if self.proven:
            return "That is proven: the tree was searched as far as anything could change it."
        if not self.depth and all(candidate.value is None for candidate in self.candidates):
            return "Nothing was searched: the limit was reached before the first move was. It is merely legal."
        reasons = {
            "depth": f"depth {self.depth} was reached",
            "time": "the time was up",
            "nodes": "the nodes were used up",
            "stop": "it was told to stop",
        }
        return f"That is an estimate: the search ended because {reasons[self.stopped_by]}."

    def named_line(self) -> list[str]:
        """Return the line in the game's words; what chance chooses stands in brackets."""
        return line_names(self.game, self.state, self.line)

    def _repr_html_(self) -> str:
        return beside(self.game, self.state, self.explain())


def number(value: float) -> str:
    """Return a value with its sign, whole numbers without decimals; zero has no sign."""
    text = f"{value:+.0f}" if value == int(value) else f"{value:+.4f}"
    return text if float(text) else "0"
