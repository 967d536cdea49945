"""The result of a search: frozen, with an explanation in the game's own words."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from outplay.compile.learned_estimate import LearnedEstimate
from outplay.pictures.notebook import beside
from outplay.rules.game import Game
from outplay.rules.number_text import signed_value
from outplay.rules.pickling import Portable
from outplay.rules.text import choice_name, from_here_on, line_names, line_text, moves_counted, sentence
from outplay.search.sampling import Sampling
from outplay.search.words import UNDECIDED, listed, outcomes_listed, undecided, vacuous

Bound = Literal["exact", "at least", "at most", "mean", "unknown"]
StoppedBy = Literal["", "proof", "depth", "time", "nodes", "simulations", "stop"]


LATER = ("line", "candidates")  # parts of a result that may be computed when they are first read


class _Later(NamedTuple):
    make: Callable[..., Any]
    arguments: tuple[Any, ...]


def later(make: Callable[..., Any], *arguments: Any) -> Any:
    """Return a placeholder for a part of a result, computed when it is first read: most callers read only the move."""
    return _Later(make, arguments)


class Outcome(int):
    """A choice of chance in a line: the likeliest outcome. It equals the plain int."""

    def __repr__(self) -> str:
        return f"Outcome({int(self)})"


@dataclass(frozen=True)
class Candidate:
    """A choice in a state and its value: a move, or an outcome of chance with its probability."""

    move: int
    value: float | None  # player 0's; None if the search never came to it
    bound: Bound  # what the value is
    depth: int  # to which it was searched
    proven: bool
    best: bool = False  # no other choice is better
    probability: float | None = None  # of an outcome
    distance: int | None = None  # moves to the end, this one included, both players' counted; None where that is not known
    line: tuple[int, ...] = ()  # the play expected after it, where an analysis tells
    visits: int | None = None  # simulations that went through it, in a Monte Carlo search
    interval: tuple[float, float] | None = None  # 95 % of their mean; see `Result` for what that tells
    namer: Callable[[int], str] = field(default=str, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The choice in the game's words."""
        return self.namer(self.move)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        known: dict[str, Any] = {
            "move": self.move,
            "move_name": self.name,
            "value": self.value,
            "bound": self.bound,
            "depth": self.depth,
            "proven": self.proven,
            "best": self.best,
        }
        more = {
            "probability": self.probability,
            "distance": self.distance,
            "line": [int(choice) for choice in self.line] or None,
            "visits": self.visits,
            "interval": None if self.interval is None else list(self.interval),
        }
        return known | {key: value for key, value in more.items() if value is not None}

    def __str__(self) -> str:
        if self.value is None:
            return "not searched"
        words = {"exact": "", "at least": "at least ", "at most": "at most ", "mean": ""}[self.bound]
        if self.interval is not None:
            low, high = map(signed_value, self.interval)
            words = f"{signed_value(self.value)} ({low} to {high})"
        else:
            words = f"{words}{signed_value(self.value)}{', proven' if self.proven else ''}"
        return words if self.visits is None else f"{words}, {self.visits:,} visit{'s' * (self.visits != 1)}"


@dataclass(frozen=True)
class Iteration:
    """One completed depth of a deepening search, or so many simulations of a Monte Carlo search."""

    depth: int
    value: float
    line: tuple[int, ...]
    nodes: int  # up to its end, all threads together
    seconds: float
    proven: bool
    simulations: int = 0


@dataclass(frozen=True)
class Result(Portable):
    """The best move, and why. Values are player 0's.

    `proven`: the value is exact, for the tree was searched as far as anything could change it. `stopped_by`: "proof", "depth",
    "time", "nodes", "simulations" or "stop". `depth`: the last depth searched to its end. `move` is None where chance acts, and the candidates
    are then the outcomes, each with its probability and its value. `length`: how many
    moves it takes the side that is ahead to come to a proven value, whatever the other side and chance do; None if not known.
    `sampling`: how outcomes of chance were sampled, if they were; `error` is then half the width of a 95 % interval for the value.

    By method "mcts": `simulations` is how often the search went down its tree to a leaf, valued it and told the result to every node on
    the way; `depth` is that of the deepest leaf; `nodes` counts every position visited, in the tree and in playouts; the value is the
    mean of the move's simulations unless it is proven, and each candidate has its `visits`, its mean and an `interval`: 95 % by
    Student's t, as if the simulations were independent. They are not: all of them go down one tree, whose moves improve while it
    grows. In four small games, with 300 and 3,000 simulations and 40 seeds each, the interval of a move held the mean over all seeds in
    74 to 99 of 100 cases, and the true value in 0 to 94. So it compares moves of one search, and bounds no error.
    `notes` are sentences about what limited the search.
    """

    move: int | None
    value: float
    line: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    proven: bool
    stopped_by: StoppedBy
    candidates: tuple[Candidate, ...]
    iterations: tuple[Iteration, ...] = field(repr=False)
    threads: int
    probes: int = field(repr=False)  # of the table
    hits: int = field(repr=False)
    game: Game = field(repr=False, compare=False)
    state: Any = field(repr=False, compare=False)
    length: int | None = None
    sampling: Sampling | None = None
    error: float = 0.0
    method: str = "alpha-beta"
    simulations: int = 0
    notes: tuple[str, ...] = ()

    if not TYPE_CHECKING:  # else any argument and every attribute would be known

        def __init__(self, **parts: Any) -> None:
            """Take all parts at once: the `__init__` of a frozen dataclass sets one after the other, which takes six times as long."""
            for part in LATER:
                if isinstance(parts[part], _Later):
                    parts[f"_{part}"] = parts.pop(part)
            self.__dict__.update(parts)

        def __getattr__(self, part: str) -> Any:
            """Compute a part that is read for the first time; Python calls this for a missing attribute."""
            if part not in LATER or f"_{part}" not in self.__dict__:
                raise AttributeError(f"a {type(self).__name__} has no attribute {part!r}")
            waiting = self.__dict__[f"_{part}"]
            made = self.__dict__[part] = waiting.make(*waiting.arguments)
            return made

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

    def explain(self, *, verbose: bool = False) -> str:
        """Return the result in words: the move, the reason, the line, the figures. *verbose*: with all outcomes where chance acts."""
        return "\n".join(self._paragraphs(verbose))

    def _paragraphs(self, verbose: bool) -> list[str]:
        who = self.game.turn(self.state)
        lines = []
        if self.move is None:
            lines.append(f"Chance acts here; the position is {self._worth()}.")
        else:
            move = self.game.name_move(self.state, self.move)
            lines.append(sentence(f"{self.game.players[who]} should play {move}: {self._worth()}."))
        lines.append(self._certainty() + self._how_long())
        if self.sampling is not None:
            lines.append(self.sampling.explain(self.error))
        if self.line and (expected := line_text(self.game, self.state, self.line)):
            moves = sum(not isinstance(choice, Outcome) for choice in self.line)
            part = "" if not self._how_long() or moves >= (self.length or 0) else ", as far as it is known"
            lines.append(f"Expected play{part}: {expected}")
        if self.candidates and self.move is None:
            lines.append(f"Outcomes, the likeliest first (to {self.game.players[0]}):")
            rows = ((one.name, one.probability or 0.0, self._words_of_outcome(one)) for one in self.candidates)
            lines += outcomes_listed(rows, every=verbose)
        elif self.candidates:
            lines.append(f"Candidates (to {self.game.players[0]}):")
            best_first = sorted(self.candidates, key=lambda candidate: self._order(candidate, who))
            lines += listed((one.name, self._words(one)) for one in best_first)
        lines += self.notes
        if any(one.interval is not None for one in self.candidates):
            lines.append(
                "In brackets: the 95 % interval of the mean, as if simulations were independent, cut off at proven bounds. The true value may lie outside."
            )
        if self.method == "mcts":
            lines.append(self._simulated())
            return lines
        lines.append(
            f"{self.nodes:,} nodes in {self.seconds:.3f} s ({self.nodes / max(self.seconds, 1e-9):,.0f} a second), "
            f"depth {self.depth}, effective branching factor {self.branching:.2f}, "
            f"table hit rate {self.hit_rate:.0%}, {self.threads} thread{'s' * (self.threads > 1)}."
        )
        return lines

    def _simulated(self) -> str:
        return (
            f"{self.simulations:,} simulations, {self.nodes:,} nodes in {self.seconds:.3f} s "
            f"({self.simulations / max(self.seconds, 1e-9):,.0f} simulations a second), tree of depth {self.depth}, "
            f"{self.threads} thread{'s' * (self.threads > 1)}."
        )

    def _words_of_outcome(self, outcome: Candidate) -> str | None:
        """Return *outcome* in words, with the best reply to it where that is known; None if it was not searched."""
        if outcome.value is None:
            return None
        after = self.game.play(self.state, outcome.move)
        known = len(self.line) > 1 and self.line[0] == outcome.move and self.game.turn(after) in (0, 1)
        return self._words(outcome) + (f", then {choice_name(self.game, after, self.line[1])}" if known else "")

    def _words(self, candidate: Candidate) -> str:
        """Return *candidate* in words; an estimate beside a proven value is marked with its depth."""
        if candidate.value is None or self.method == "mcts":
            return str(candidate)
        if vacuous(self.game, candidate.bound, candidate.value):
            return UNDECIDED
        # A bound of 0 that rests on the horizon says as little there as a value of 0.
        words = UNDECIDED if self._undecided(candidate.value, candidate.proven) else str(candidate)
        return f"{words}, at depth {candidate.depth}" if self.proven and not candidate.proven else words

    def _undecided(self, value: float, proven: bool) -> bool:
        return self.method != "mcts" and undecided(self.game, value, proven=proven)

    def _order(self, candidate: Candidate, who: int) -> tuple[Any, ...]:
        if candidate.value is None:
            return (True, True, 0.0)
        # The best first: the bound of another may lie above its value.
        return (False, candidate.move != self.move, -candidate.value if who == 0 else candidate.value)

    def _worth(self) -> str:
        if self._undecided(self.value, self.proven):
            return "undecided so far"
        return f"worth {signed_value(self.value)} to {self.game.players[0]}{from_here_on(self.game)}"

    def _certainty(self) -> str:
        if self.proven:
            return "That is proven: the tree was searched as far as anything could change it."
        if not self.depth and all(candidate.value is None for candidate in self.candidates):
            return "Nothing was searched: the limit was reached before the first move was. It is merely legal."
        reasons = {
            "depth": f"depth {self.depth} was reached",
            "time": "the time was up",
            "nodes": "the nodes were used up",
            "simulations": "the simulations were used up",
            "stop": "it was told to stop",
        }
        why = f"the search ended because {reasons[self.stopped_by]}"
        if self.method == "mcts":
            return f"That is a mean of simulations: {why}."
        if self._undecided(self.value, self.proven):
            known = any(candidate.value for candidate in self.candidates)
            line = "Its line was not" if known else "No decisive line was"
            return f"{line} searched to its end, and the game has no estimate; {why}."
        counted = ", and the game has no estimate: lines without an end count as 0" if self.game.estimate is None else ""
        kind = "a learned estimate" if isinstance(self.game.estimate, LearnedEstimate) else "an estimate"
        return f"That is {kind}: {why}{counted}."

    def _how_long(self) -> str:
        """Return how many moves a certain win takes, or how long a certain loss can be delayed; "" if that is not known."""
        low, high = self.game.low, self.game.high
        certain = self.game.chances is None or self.value in (low, high)
        if self.length is None or not low < 0 < high or not certain:
            return ""
        winner, moves = 0 if self.value > 0 else 1, moves_counted(self.length, alone=self.game.solitaire)
        if self.game.turn(self.state) == 1 - winner:
            return " " + sentence(f"{self.game.players[1 - winner]} can hold out for {moves}.")
        luck = "" if self.game.chances is None else ", whatever chance does"
        return " " + sentence(f"{self.game.players[winner]} wins in {'at most ' if luck else ''}{moves}{luck}.")

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return {
            "game": self.game.name,
            "state": self.game.write_state(self.state),
            "move": self.move,
            "move_name": None if self.move is None else str(self.game.name_move(self.state, self.move)),
            "value": self.value,
            "proven": self.proven,
            "length": self.length,
            "stopped_by": self.stopped_by,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "line": [int(choice) for choice in self.line],
            "line_names": self.named_line(),
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "branching": self.branching,
            "table_hit_rate": self.hit_rate,
            "threads": self.threads,
            **(
                {}
                if self.sampling is None
                else {"samples": self.sampling.samples, "seed": self.sampling.seed, "error": self.error}
            ),
            "method": self.method,
            "simulations": self.simulations,
            "notes": list(self.notes),
        }

    def named_line(self) -> list[str]:
        """Return the line in the game's words; outcomes of chance are in brackets."""
        return line_names(self.game, self.state, self.line)

    def _repr_html_(self) -> str:
        return beside(self.game, self.state, self.explain())
