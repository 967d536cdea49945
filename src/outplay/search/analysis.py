"""The result of an analysis: every choice of a state with its value."""

from dataclasses import dataclass, field
from typing import Any

from outplay.pictures.notebook import beside
from outplay.rules.game import CHANCE, Game
from outplay.rules.number_text import signed_value
from outplay.rules.pickling import Portable
from outplay.rules.text import line_names, line_text, moves_counted
from outplay.search.result import Candidate, StoppedBy
from outplay.search.words import UNDECIDED, likelihood, listed, undecided


@dataclass(frozen=True)
class Analysis(Portable):
    """Every choice of a state with its value. Values are player 0's.

    `depth` is the last depth that all choices were searched to, and all values are of that depth, but those proven: they are
    final. `stopped_by` is "" while the analysis goes on. A candidate's value is exact for its depth, never a bound.
    """

    candidates: tuple[Candidate, ...]
    value: float | None
    move: int | None  # the best move; None where chance acts
    depth: int
    nodes: int
    seconds: float
    proven: bool
    stopped_by: StoppedBy
    game: Game = field(repr=False, compare=False)
    state: Any = field(repr=False, compare=False)

    def named_line(self, candidate: Candidate) -> list[str]:
        """Return the play expected after a choice in the game's words."""
        return line_names(self.game, self.game.play(self.state, candidate.move), candidate.line)

    def explain(self) -> str:
        """Return the analysis in words: every choice, the best first, and the figures."""
        who = self.game.turn(self.state)
        order = sorted(
            self.candidates, key=lambda move: (move.value is None, -(move.value or 0.0) if who == 0 else move.value or 0.0)
        )
        moves = order if who != CHANCE else list(self.candidates)
        width = max((len(move.name) for move in moves), default=0)
        lines = [f"{'Moves, the best first' if who != CHANCE else 'Outcomes'} (to {self.game.players[0]}):"]
        for move in moves:
            if move.value is None:
                continue
            worth = signed_value(move.value) + (", proven" if move.proven else "")
            if move.distance is not None:
                worth += f", in {moves_counted(move.distance, alone=self.game.solitaire)}"
            if undecided(self.game, move.value, proven=move.proven):
                worth = UNDECIDED
            chance = "" if move.probability is None else f"  {likelihood(move.probability)}"
            then = line_text(self.game, self.game.play(self.state, move.move), move.line)
            lines.append(f"  {move.name:{width}}{chance}  {worth}{f', then {then}' if then else ''}")
        later = [(move.name, "not searched") for move in moves if move.value is None]
        lines += listed(later, first_alone=False)
        if self.value is not None and undecided(self.game, self.value, proven=self.proven):
            lines.append("Undecided so far: no decisive line was searched to its end, and the game has no estimate.")
        lines.append(f"{self.nodes:,} nodes in {self.seconds:.3f} s, depth {self.depth}.")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return {
            "game": self.game.name,
            "state": self.game.write_state(self.state),
            "move": self.move,
            "value": self.value,
            "proven": self.proven,
            "stopped_by": self.stopped_by,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "candidates": [{**one.to_dict(), "line_names": self.named_line(one)} for one in self.candidates],
        }

    def _repr_html_(self) -> str:
        return beside(self.game, self.state, self.explain())
