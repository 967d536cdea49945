"""What playouts return: frozen, explained, with a histogram for notebooks."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outplay.intervals import clipped, half_width
from outplay.pictures.notebook import beside
from outplay.rules.frozen_mapping import FrozenMapping
from outplay.rules.game import Game
from outplay.rules.number_text import short_value, signed_value
from outplay.rules.pickling import Portable
from outplay.rules.text import sentence
from outplay.search.montecarlo.histogram import Bar, bars, histogram_svg, histogram_text

BARS = 12  # of a histogram, at most


@dataclass(frozen=True)
class Lengths:
    """How long the finished games were, in the players' moves; dice are free. None where no game was finished."""

    least: int | None
    mean: float | None
    most: int | None
    counts: Mapping[int, int] = field(repr=False)  # games by length

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> "Lengths":
        """Return the lengths of games with these *counts*."""
        ordered = dict(sorted(counts.items()))
        number = sum(ordered.values())
        mean = sum(length * times for length, times in ordered.items()) / number if number else None
        return cls(min(ordered, default=None), mean, max(ordered, default=None), FrozenMapping(ordered))


@dataclass(frozen=True)
class Playouts(Portable):
    """What came of many games. Scores are player 0's.

    `number` games were played: `cut` of them were cut at `plies` plies and have no score; all others are in `counts`, which maps each
    score to how many games ended with it. `mean` is the mean score, `interval` the 95 % interval of the expected one,
    within the game's scale (by Student's t); both are None where too few games were finished. `positions`: how many were visited.
    `stopped_by`: "number", "time" or "stop".
    """

    number: int
    counts: Mapping[float, int]
    mean: float | None
    interval: tuple[float, float] | None
    lengths: Lengths
    cut: int
    plies: int
    policy: str
    seed: int
    threads: int
    positions: int
    seconds: float
    stopped_by: str
    game: Game = field(repr=False, compare=False)
    state: Any = field(repr=False, compare=False)

    @classmethod
    def of(cls, game: Game, state: Any, policy: str, scores: Mapping[float, int], lengths: Lengths, **known: Any) -> "Playouts":
        """Return the result of games with these *scores* and *lengths*."""
        counts = dict(sorted(scores.items()))
        finished = sum(counts.values())
        mean, interval = mean_and_interval(counts, game.low, game.high)
        return cls(
            finished + known["cut"], FrozenMapping(counts), mean, interval, lengths,
            policy=policy, game=game, state=state, **known,
        )  # fmt: skip

    @property
    def finished(self) -> int:
        """How many games were played to their end."""
        return self.number - self.cut

    def explain(self) -> str:
        """Return the result as a person would read it."""
        lines = [self._first()]
        if self.finished:
            if self.game.low < 0 < self.game.high and not self.game.solitaire:
                lines.append(self._shares())
            lines.append(f"Scores (to {self.game.players[0]}):")
            lines += histogram_text(self.score_bars())
            lengths = self.lengths
            lines.append(f"A game took {lengths.mean:.1f} moves on average, {lengths.least} to {lengths.most}.")
        if self.cut:
            lines.append(
                f"{self.cut:,} of {self.number:,} games were cut at {self.plies:,} plies; "
                + (
                    "they have no score and are not in the mean."
                    if self.finished
                    else "check that turn returns OVER at the end, and that play leads there."
                )
            )
        lines.append(
            f"{self.number:,} game{'s' * (self.number != 1)}, {self.positions:,} positions in {self.seconds:.3f} s "
            f"({self.number / max(self.seconds, 1e-9):,.0f} games a second), seed {self.seed}, "
            f"{self.threads} thread{'s' * (self.threads > 1)}."
        )
        return "\n".join(lines)

    def _first(self) -> str:
        games, are = ("game", "is") if self.finished == 1 else ("games", "are")
        how = f"random {games}" if self.policy == "random" else f"{games} by the policy {self.policy!r}"
        if self.mean is None:
            return f"No game was finished: {'all were cut' if self.cut else 'the limit was reached before'}."
        to = f"to {self.game.players[0]}"
        if len(self.counts) == 1 and self.finished > 1:
            return f"All of {self.finished:,} {how} ended with {signed_value(self.mean)} {to}."
        within = ""
        if self.interval is not None:
            low, high = self.interval
            within = f" (95 % interval {signed_value(low)} to {signed_value(high)})"
        return f"{self.finished:,} {how} {are} worth {signed_value(self.mean)} {to} on average{within}."

    def _shares(self) -> str:
        """Say how many games each player won."""
        won = [sum(times for score, times in self.counts.items() if score * sign > 0) for sign in (1, -1)]
        drawn = self.finished - sum(won)
        parts = [f"{player} won {number / self.finished:.1%}" for player, number in zip(self.game.players, won, strict=True)]
        if drawn:
            parts.append(f"{drawn / self.finished:.1%} were drawn")
        return sentence(", ".join(parts) + ".")

    def score_bars(self) -> list[Bar]:
        """Return the histogram of the scores."""
        whole = all(score == int(score) for score in self.counts)
        return bars(self.counts, BARS, short_value, whole=whole)

    def length_bars(self) -> list[Bar]:
        """Return the histogram of the lengths."""
        return bars(self.lengths.counts, BARS, str, whole=True)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return {
            "game": self.game.name,
            "state": self.game.write_state(self.state),
            "number": self.number,
            "finished": self.finished,
            "cut": self.cut,
            "plies": self.plies,
            "mean": self.mean,
            "interval": None if self.interval is None else list(self.interval),
            "counts": [{"score": score, "games": times} for score, times in self.counts.items()],
            "lengths": {
                "least": self.lengths.least,
                "mean": self.lengths.mean,
                "most": self.lengths.most,
                "counts": [{"moves": length, "games": times} for length, times in self.lengths.counts.items()],
            },
            "policy": self.policy,
            "seed": self.seed,
            "threads": self.threads,
            "positions": self.positions,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
        }

    def _repr_html_(self) -> str:
        panels = [("score", self.score_bars()), ("moves", self.length_bars())] if self.finished else []
        pictures = "".join(f'<div style="width: 22em">{histogram_svg(made, what)}</div>' for what, made in panels)
        return f'{beside(self.game, self.state, self.explain())}<div style="display: flex; flex-wrap: wrap; gap: 1.5em">{pictures}</div>'


def mean_and_interval(counts: Mapping[float, int], low: float, high: float) -> tuple[float | None, tuple[float, float] | None]:
    """Return the mean of scores with these *counts*, and the 95 % interval of the expected score, within [*low*, *high*].

    None where too few are known.
    """
    number = sum(counts.values())
    if number == 0:
        return None, None
    mean = math.fsum(score * (times / number) for score, times in counts.items())
    if number == 1:
        return mean, None
    variance = math.fsum((score - mean) ** 2 * times for score, times in counts.items()) / (number - 1)
    return mean, clipped(mean, half_width(math.sqrt(variance / number), number), low, high) or (mean, mean)
