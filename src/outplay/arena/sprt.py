"""The sequential test of A against B: games are played until it is clear enough which of two claims about Elo is true.

The unit is a pair of games, with five possible results for A (0 to 2 points in halves): hence *pentanomial*. The test compares
how likely the observed frequencies are if A's expected share of the points is that of `elo0`, and if it is that of `elo1`. The
probabilities of the five results are otherwise free: in each case those that make the observation most likely are taken.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.arena.ratings import PAIR_POINTS, Floats, expected_score
from outplay.errors import OptionError

UNSEEN = 1e-3  # pairs that a result which never occurred counts as
FEWEST = 3  # pairs before any verdict
OVERSHOOT = 0.4  # standard deviations of the step of a pair; chosen on six simulated tests, the suite looks at others


@dataclass(frozen=True)
class Sprt:
    """A test of `elo0` (A is that much stronger than B, or less) against `elo1` (that much, or more).

    `alpha` is the probability to accept `elo1` wrongly if `elo0` is true, `beta` that to accept `elo0` wrongly if `elo1` is true.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1 or not all(map(math.isfinite, (self.elo0, self.elo1))):
            raise OptionError(f"sprt {self.elo0:g},{self.elo1:g}: the second Elo difference must be larger than the first")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise OptionError(
                f"sprt with error rates {self.alpha:g} and {self.beta:g}: each lies between 0 and 0.5, such as 0.05"
            )

    @classmethod
    def read(cls, text: str) -> "Sprt":
        """Return the test that *text* describes: `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise OptionError(f"sprt {text!r}: write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,10 or 0,10,0.05,0.05")
        return cls(*numbers)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `elo0` and `elo1` are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Any) -> Floats:
        """Return the log-likelihood ratio of `elo1` to `elo0`. *counts[..., k]*: how many pairs gave A k half points."""
        return self._ratio_and_overshoot(counts)[0]

    def _ratio_and_overshoot(self, counts: Any) -> tuple[Floats, Floats]:
        """Return the log-likelihood ratio, and how far beyond a bound it is expected to lie when it has passed it.

        A pair moves the ratio by a step, so that the test does not end at a bound but beyond it, and errs less often than it says.
        For a walk with small steps the overshoot is 0.58 standard deviations of a step (Siegmund, Sequential Analysis, 1985). Here
        the probabilities are themselves found from the pairs, which makes errors a little more frequent; so a part of it is allowed for.
        """
        counts = np.asarray(counts, dtype=np.float64)
        counts = np.where(counts > 0, counts, UNSEEN)
        total = counts.sum(-1)
        shares = counts / total[..., None]
        steps = _tilted(shares, self.elo0) - _tilted(shares, self.elo1)
        mean = (shares * steps).sum(-1)
        varied = np.maximum((shares * steps**2).sum(-1) - mean**2, 0.0)
        return np.asarray(total * mean), np.asarray(OVERSHOOT * np.sqrt(varied))

    def verdict(self, counts: Any) -> Any:
        """Return 1 where `elo1` is accepted, -1 where `elo0` is, and 0 where more games are needed."""
        (ratio, overshoot), (low, high) = self._ratio_and_overshoot(counts), self.bounds
        played = np.asarray(counts).sum(-1) >= FEWEST
        return np.where(played, (ratio >= high - overshoot).astype(int) - (ratio <= low + overshoot).astype(int), 0)

    def decide(self, points: list[float]) -> "SprtResult":
        """Return the state of the test after pairs with so many points for A, in their order; pairs after the verdict do not count."""
        if not points:
            return SprtResult(self, (0,) * len(PAIR_POINTS), 0.0, 0)
        halves = np.round(2 * np.asarray(points)).astype(int)
        counts = np.cumsum(np.eye(len(PAIR_POINTS), dtype=int)[halves], axis=0)  # after each pair
        verdicts = self.verdict(counts)
        used = int(np.argmax(verdicts != 0)) if np.any(verdicts) else len(points) - 1
        ratio, overshoot = self._ratio_and_overshoot(counts[used])
        return SprtResult(
            self, tuple(int(count) for count in counts[used]), float(ratio), int(verdicts[used]), float(overshoot)
        )  # fmt: skip


@dataclass(frozen=True)
class SprtResult:
    """Where a test stands. `counts`: pairs by A's half points. `verdict`: 1 for `elo1`, -1 for `elo0`, 0 while it is open.

    `overshoot`: how much nearer the bounds lie, because a pair moves the ratio by a step.
    """

    test: Sprt
    counts: tuple[int, ...]
    ratio: float
    verdict: int
    overshoot: float = 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends, by the pairs so far."""
        low, high = self.test.bounds
        return low + self.overshoot, high - self.overshoot

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        test = {"elo0": self.test.elo0, "elo1": self.test.elo1, "alpha": self.test.alpha, "beta": self.test.beta}
        said = {-1: "elo0", 0: None, 1: "elo1"}[self.verdict]
        return test | {"bounds": list(self.bounds), "counts": list(self.counts), "ratio": self.ratio, "accepted": said}

    def explain(self) -> str:
        """Return the state of the test in a sentence."""
        low, high = self.bounds
        pairs = f"after {sum(self.counts)} pairs of games the log-likelihood ratio is {self.ratio:.2f}, bounds {low:.2f} and {high:.2f}"
        if self.verdict > 0:
            return (
                f"SPRT: accepted that the difference is {self.test.elo1:g} Elo or more, rather than {self.test.elo0:g}; {pairs}"
            )
        if self.verdict < 0:
            return (
                f"SPRT: accepted that the difference is {self.test.elo0:g} Elo or less, rather than {self.test.elo1:g}; {pairs}"
            )
        return f"SPRT: no verdict yet between {self.test.elo0:g} and {self.test.elo1:g} Elo; {pairs}"

    __str__ = explain


def _tilted(shares: Floats, elo: float) -> Floats:
    """Return, for each result, minus the log of how far its probability moves from its share so that the mean is that of *elo*.

    The likeliest probabilities with a given mean are share / (1 + x (result - mean)), for the one x that gives this mean.
    """
    mean = expected_score(elo)
    distance = PAIR_POINTS / 2 - mean
    low, high = np.full(shares.shape[:-1], -1 / (1 - mean)), np.full(shares.shape[:-1], 1 / mean)
    x = np.zeros(shares.shape[:-1])
    for _ in range(14):  # Newton's method, kept inside an interval that shrinks
        scale = 1 + x[..., None] * distance
        excess = (shares * distance / scale).sum(-1)
        slope = (shares * (distance / scale) ** 2).sum(-1)
        low, high = np.where(excess > 0, x, low), np.where(excess > 0, high, x)
        following = x + excess / slope
        x = np.where((following > low) & (following < high), following, (low + high) / 2)
    return np.asarray(np.log1p(x[..., None] * distance))
