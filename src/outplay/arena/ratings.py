"""Ratings of many agents: Elo by the Bradley-Terry model, with 95 % intervals and the likelihood of superiority.

The unit is a pair of games: same start, same luck, seats exchanged. The two games of a pair are not independent; pairs are.

The ratings maximise the likelihood of the points, a draw counting half, after a correction in the manner of Firth: each pairing
gets imaginary drawn games in proportion to its influence on the fit, half a game for each rating in total. So an agent that won
everything has a finite rating, and few games do not exaggerate differences. The intervals follow from how much the pairs really
vary, which is less than coin tosses do where games are drawn or the start decides. The library choix finds ratings too, but has
neither intervals nor pairs, and needs SciPy; this is one Newton iteration.

All functions take several tournaments at once: the tests simulate thousands to see that the intervals are right.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PAIR_POINTS = np.array([0.0, 0.5, 1.0, 1.5, 2.0])  # that one agent can have of a pair of games
ELO = 400 / np.log(10)  # Elo points for one unit of log odds
CERTAIN = NormalDist().inv_cdf(0.975)
LOOSE = 0.001  # so weak a pull to the mean that it tells only for agents that no game connects
EXPECTED_VARIANCE = 2.0  # pairs are taken to vary as coin tosses do until they have shown this much variance
IMAGINED = 0.5  # drawn games in total for each rating; with Firth's 1, intervals of far stronger agents are too narrow
MOST_STEPS = 200


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings relative to their mean, by agent. `error`: half of the 95 % interval. `difference_error[i, j]`: the same for i minus j."""

    elo: Floats
    error: Floats
    difference_error: Floats

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood that agent *one* is stronger than *other*."""
        difference = float(self.elo[one] - self.elo[other])
        spread = float(self.difference_error[one, other]) / CERTAIN
        return NormalDist().cdf(difference / spread) if spread > 0 else 0.5


def expected_score(elo: float) -> float:
    """Return the share of the points that an agent is expected to have against one that is *elo* points weaker."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def pairings(agents: int) -> list[tuple[int, int]]:
    """Return all pairings of *agents* agents, in the order of the rows that `rate` takes."""
    return list(combinations(range(agents), 2))


@cache
def _design(agents: int) -> Floats:
    """Return a row for each pairing: 1 for its first agent, -1 for its second."""
    rows = np.zeros((agents * (agents - 1) // 2, agents))
    for row, (one, other) in enumerate(pairings(agents)):
        rows[row, one], rows[row, other] = 1.0, -1.0
    return rows


def rate(counts: Any, agents: int) -> Ratings:
    """Return the ratings of *agents* agents. *counts[..., row, k]*: how many pairs of a pairing gave its first agent k half points."""
    counts = np.asarray(counts, dtype=np.float64)
    design = _design(agents)
    strengths, information = _fitted(counts, design)
    centre = np.eye(agents) - 1 / agents
    inverse = centre @ np.linalg.inv(information) @ centre
    varied = _variances(counts, strengths, design)
    error = np.sqrt(_dispersion(inverse @ design.T, np.abs(design).T, *varied) * np.diagonal(inverse, axis1=-2, axis2=-1))
    contrasts = design @ inverse
    spread = np.maximum(np.einsum("...ek,ek->...e", contrasts, design), 0.0)
    concerned = ((np.abs(design) @ np.abs(design).T) > 0).astype(np.float64)
    by_row = np.sqrt(_dispersion(contrasts @ design.T, concerned, *varied) * spread)
    differences = np.zeros_like(information)
    one, other = np.triu_indices(agents, 1)
    differences[..., one, other] = differences[..., other, one] = by_row
    return Ratings(ELO * (strengths - strengths.mean(-1, keepdims=True)), ELO * CERTAIN * error, ELO * CERTAIN * differences)


def _fitted(counts: Floats, design: Floats) -> tuple[Floats, Floats]:
    """Return the strengths of the agents, in log odds, and the information matrix there."""
    pairs, points = counts.sum(-1), counts @ PAIR_POINTS
    agents = design.shape[1]
    fixed = np.full((agents, agents), 1 / agents) + LOOSE * np.eye(agents)  # only differences matter: the mean is held
    strengths = np.zeros((*counts.shape[:-2], agents))
    for _ in range(MOST_STEPS):
        expected = 1 / (1 + np.exp(-strengths @ design.T))
        weights = 2 * pairs * expected * (1 - expected)
        information = np.swapaxes(weights[..., None] * design, -1, -2) @ design + fixed
        imagined = IMAGINED * weights * np.einsum("ek,...kl,el->...e", design, np.linalg.inv(information), design, optimize=True)
        slope = (points - 2 * pairs * expected + imagined * (0.5 - expected)) @ design - LOOSE * strengths
        curved = (2 * pairs + imagined) * expected * (1 - expected)
        step = np.linalg.solve(np.swapaxes(curved[..., None] * design, -1, -2) @ design + fixed, slope[..., None])[..., 0]
        largest = np.abs(step).max(-1, keepdims=True)
        strengths = strengths + step * np.minimum(1.0, 1.0 / np.maximum(largest, 1e-12))
        if largest.max() < 1e-7:
            break
    return strengths, information


def _variances(counts: Floats, strengths: Floats, design: Floats) -> tuple[Floats, Floats]:
    """Return, for each pairing, the squared deviations of its pairs, and those that coin tosses would show."""
    expected = 1 / (1 + np.exp(-strengths @ design.T))
    pairs = counts.sum(-1)
    total = pairs.sum(-1, keepdims=True)
    shown = (counts * (PAIR_POINTS - 2 * expected[..., None]) ** 2).sum(-1)
    shown = shown * (total / np.maximum(total - design.shape[1] + 1, 1.0))
    return shown, 2 * pairs * expected * (1 - expected)


def _dispersion(influence: Floats, concerned: Floats, shown: Floats, tossed: Floats) -> Floats:
    """Return how much more the pairs vary than coin tosses, for each row of *influence*: by how much each pairing moves what is asked.

    *concerned* says which pairings a row is about; until those show some variance, the answer stays near 1.
    """
    squared = influence**2
    ratio = (squared @ shown[..., None])[..., 0] / np.maximum((squared @ tossed[..., None])[..., 0], 1e-300)
    evidence = (concerned @ tossed[..., None])[..., 0]
    return (ratio * evidence + EXPECTED_VARIANCE) / (evidence + EXPECTED_VARIANCE)
