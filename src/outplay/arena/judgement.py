"""The result of `judge`: how well a learned estimate plays."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from outplay.arena.match import Match
from outplay.arena.solo import SoloMatch
from outplay.intervals import clipped, plain, share_within
from outplay.pictures.notebook import paragraph

BY = {"table": "a solved table", "proof": "proofs"}


@dataclass(frozen=True)
class Level:
    """How the choices compare with exact values.

    A position is `decisive` if at least one move gives the result away; in `kept` of these the choice did not, and a random move
    keeps it in the share `kept_by_chance`. `best` counts choices with the best value, of all positions. `loss` is the mean of what a
    choice gives away, and `loss_error` the half-width of its 95 % interval. `most_loss` is the
    width of the game's scale. `by_sign`: the result is who wins; else it is the value.
    """

    positions: int
    decisive: int
    kept: int
    kept_by_chance: float
    best: int
    loss: float
    loss_error: float
    by_sign: bool
    most_loss: float = math.inf

    @property
    def rate(self) -> float:
        """The share of decisive positions in which the result is kept; 1.0 if there are none."""
        return self.kept / self.decisive if self.decisive else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `rate`, by Wilson's method, which also holds near 0 and 1."""
        return share_within(self.kept, self.decisive)

    @property
    def loss_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of `loss`, which is never below 0 or above the width of the game's scale; None if nothing tells it."""
        return clipped(self.loss, self.loss_error, 0.0, self.most_loss)


@dataclass(frozen=True)
class Judgement:
    """How well a search of `depth` moves plays with an estimate that was learned from `learned` games.

    If `by` is "table" or "proof", `level` compares its choices with exact values. If `by` is "match", `match` is the match against
    `against`. `plies`: the least, the mean and the most plies from the start to a judged position. `left_out` says how many of the
    positions that were drawn were not judged, and why.
    """

    game: str
    learned: int
    depth: int
    by: str
    level: Level | None = None
    against: str | None = None
    match: Match | SoloMatch | None = None
    seed: int = 0
    opening: int | None = None
    plies: tuple[int, float, int] = (0, 0.0, 0)
    draws: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
    stopped: bool = False
    seconds: float = 0.0

    def explain(self) -> str:
        """Return the judgement in words: the figures, and how the positions were drawn."""
        return "\n".join(
            [f"{self.game}: depth {self.depth} with an estimate learned from {self.learned:,} games.", *self._lines()]
        )

    def _lines(self) -> list[str]:
        if self.level is None:
            why = "the game's own estimate" if self.against == "estimate" else "no estimate"
            lines = [f"Judged by a match against the same depth with {why}:", str(self.match)]
            if self.draws:
                reasons = ", ".join(f"{number:,} {reason}" for reason, number in self.left_out)
                lines.append(f"Exact values could not be had: of {self.draws:,} positions drawn by random play, {reasons}.")
            return lines
        level, (low, high) = self.level, self.level.interval
        result = "the result (won, drawn or lost)" if level.by_sign else "the value"
        lines = []
        if level.decisive:
            lines.append(
                f"It keeps {result} in {level.kept:,} of {level.decisive:,} positions in which some move gives it away: "
                f"{level.rate:.1%} (95 %: {low:.1%} to {high:.1%}); a random move keeps it in {level.kept_by_chance:.1%}."
            )
        else:
            lines.append(f"In none of these positions could a move give {result} away.")
        within = "" if level.loss_interval is None else f" (95 %: {level.loss_interval[0]:.3g} to {level.loss_interval[1]:.3g})"
        lines.append(
            f"It plays a best move in {level.best:,} of {level.positions:,} positions ({level.best / level.positions:.1%}), and gives away "
            f"{level.loss:.4g}{within} a move."
        )
        return [*lines, *self._drawn()]

    def _drawn(self) -> list[str]:
        assert self.level is not None
        least, mean, most = self.plies
        at = f"{self.opening} plies" if self.opening is not None else f"{least} to {most} plies, {mean:.1f} on average,"
        lines = [
            f"Positions: {self.level.positions:,}, drawn by random play from the start, {at} after it (seed {self.seed}); their values "
            f"are exact, by {BY[self.by]}."
        ]
        if self.left_out:
            reasons = ", ".join(f"{number:,} {reason}" for reason, number in self.left_out)
            missing = self.draws - self.level.positions
            lines.append(f"Of {self.draws:,} positions drawn by random play, {missing:,} were left out: {reasons}.")
        if any("not proven" in reason for reason, _ in self.left_out):
            lines.append("Positions that take long to prove are missing, so these are easier than positions of a whole game.")
        if self.stopped:
            lines.append("It was stopped before all positions were drawn.")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        level = None
        if self.level is not None:
            level = {
                **asdict(self.level),
                "rate": self.level.rate,
                "interval": plain(self.level.interval),
                "loss_interval": plain(self.level.loss_interval),
            }
            level |= {key: None for key in ("loss_error", "most_loss") if math.isinf(level[key])}
        return {
            "game": self.game, "learned": self.learned, "depth": self.depth, "by": self.by, "level": level, "against": self.against,
            "match": None if self.match is None else self.match.to_dict(), "seed": self.seed, "opening": self.opening,
            "plies": list(self.plies), "draws": self.draws, "left_out": dict(self.left_out), "stopped": self.stopped,
            "seconds": self.seconds,
        }  # fmt: skip

    def __str__(self) -> str:
        return self.explain()

    def _repr_html_(self) -> str:
        return "".join(map(paragraph, self.explain().split("\n")))
