"""Solitaires: what agents score in games that each plays alone."""

import html
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from outplay.intervals import clipped, mean_within, plain
from outplay.rules.number_text import signed_margin


@dataclass(frozen=True)
class Solo:
    """One game of one agent: its score, all rewards counted, and how many moves it took.

    `start` is the state that it began with, as text; `choices` are all moves and outcomes from there. `fault` is how the game ended
    if the agent was to blame, which counts as the worst score; `detail` says more.
    """

    score: float
    moves: int
    start: str
    choices: tuple[int, ...]
    fault: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Series:
    """The games of one agent. `scale`: the lowest and the highest score of the game."""

    agent: str
    played: tuple[Solo, ...]
    scale: tuple[float, float] = (-math.inf, math.inf)

    @property
    def scores(self) -> list[float]:
        return [game.score for game in self.played]

    @property
    def mean(self) -> tuple[float, float]:
        """The mean score and the half-width of its 95 % interval, infinite if nothing tells it."""
        return mean_of(self.scores, self.distinct)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean score, within the scale of the game; None if nothing tells it."""
        return clipped(*self.mean, *self.scale)

    @property
    def median(self) -> float:
        return median(self.scores)

    @property
    def best(self) -> float:
        return max(self.scores)

    @property
    def worst(self) -> float:
        return min(self.scores)

    @property
    def faults(self) -> int:
        """How many games ended by a fault of the agent: an illegal move, an exception. They count as the worst score."""
        return sum(bool(game.fault) for game in self.played)

    @property
    def distinct(self) -> int:
        """How many games differ from all before them in the start or the choices."""
        return len({(game.start, game.choices) for game in self.played})

    def __str__(self) -> str:
        games = f"{len(self.played)} game{'s' * (len(self.played) > 1)}"
        mean = mean_text(self.mean[0], self.interval) + no_interval(self.interval, len(self.played))
        return (
            f"{self.agent}, {games}: mean score {mean}, median {self.median:,.6g}, best {self.best:,.6g}, worst {self.worst:,.6g}"
        )


@dataclass(frozen=True)
class SoloMatch:
    """What one agent, or each of two, scored in a game for one player. Two agents play the same starts with the same dice."""

    game: str
    series: tuple[Series, ...]

    @property
    def mean(self) -> tuple[float, float]:
        """The first agent's mean score and the half-width of its 95 % interval."""
        return self.series[0].mean

    @property
    def median(self) -> float:
        """The first agent's median score."""
        return self.series[0].median

    @property
    def best(self) -> float:
        """The first agent's best score."""
        return self.series[0].best

    @property
    def difference(self) -> tuple[float, float] | None:
        """How much more the first agent scores than the second, game by game, with its 95 % interval; None if there is no second."""
        if len(self.series) < 2:
            return None
        first, second = self.series
        margins = [one - other for one, other in zip(first.scores, second.scores, strict=True)]
        return mean_of(margins, max(first.distinct, second.distinct))

    @property
    def difference_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the difference, within what is possible; None if nothing tells it."""
        if self.difference is None:
            return None
        low, high = self.series[0].scale
        return clipped(*self.difference, low - high, high - low)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return {
            "game": self.game,
            "series": [
                {
                    "agent": one.agent,
                    "games": len(one.played),
                    "distinct": one.distinct,
                    "faults": one.faults,
                    "mean": plain(one.mean),
                    "interval": plain(one.interval),
                    "median": one.median,
                    "best": one.best,
                    "worst": one.worst,
                    "played": [asdict(game) for game in one.played],
                }
                for one in self.series
            ],
            "difference": plain(self.difference),
            "difference_interval": plain(self.difference_interval),
        }

    def explain(self) -> str:
        """Return the scores in words: mean, median, best, and how sure the mean is."""
        return str(self)

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(line)}</p>" for line in str(self).splitlines())

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.series[0]}", *map(str, self.series[1:])]
        if self.difference is not None:
            (one, other), (mean, _), interval = self.series, self.difference, self.difference_interval
            if mean < 0:
                one, other, mean = other, one, -mean
                interval = None if interval is None else (-interval[1], -interval[0])
            unknown = no_interval(interval, len(one.played))
            lines.append(f"{one.agent} scores {mean_text(mean, interval, signed=True)} more a game than {other.agent}{unknown}")
        for one in self.series:
            if faulty := [(game.fault, game.detail) for game in one.played if game.fault]:
                lines.append(fault_note(one.agent, faulty))
        return "\n".join(lines)


def fault_note(name: str, faulty: Sequence[tuple[str, str]]) -> str:
    """Return a sentence about the games that ended by a fault of the agent called *name*: how each ended, and what it did."""
    kinds = ", ".join(f"{number} by {kind}" for kind, number in Counter(kind for kind, _ in faulty).most_common())
    return f"{name} lost {len(faulty)} game{'s' * (len(faulty) > 1)} by a fault ({kinds}), first: {faulty[0][1]}"


def mean_of(values: list[float], distinct: int) -> tuple[float, float]:
    """Return the mean and the half-width of its 95 % interval; infinite with fewer than two *distinct* games."""
    if distinct < 2:
        return fmean(values), math.inf
    return mean_within(values)


def no_interval(interval: tuple[float, float] | None, games: int) -> str:
    """Return why a mean of so many *games* has no interval; "" if it has one."""
    return "" if interval else f" (no interval: {'too few games' if games < 2 else 'the games repeat'})"


def mean_text(mean: float, interval: tuple[float, float] | None, *, signed: bool = False) -> str:
    """Return a mean with its 95 % interval, to as many decimals as the interval makes worth while."""
    spread = abs(mean) if interval is None else interval[1] - interval[0]
    decimals = max(0, min(6, 2 - math.floor(math.log10(spread)))) if spread else 0

    def text(number: float) -> str:
        return signed_margin(number, decimals) if signed else f"{number:,.{decimals}f}"

    return text(mean) if interval is None else f"{text(mean)} (95 %: {text(interval[0])} to {text(interval[1])})"
