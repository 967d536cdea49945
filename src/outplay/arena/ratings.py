"""Ratings of many agents: Elo by the Bradley-Terry model, with 95 % intervals and the likelihood of superiority.

The unit is a pair of games: same start, same luck, seats exchanged. The two games of a pair are not independent; pairs are.

The ratings maximise the likelihood of the points, a draw counting half, after a correction in the manner of Firth: each pairing
gets imaginary drawn games in proportion to its influence on the fit, a third of a game for each rating in total. So an agent that
won everything has a finite rating, and few games do not exaggerate differences.

An interval holds all ratings for which the best fit is not much less likely: a profile likelihood. It is wider on the side on which
the games say less: above an agent that won nearly everything. How much pairs vary is taken from the games, because they vary less
than coin tosses do where games are drawn or the start decides; until the games tell, they are taken to vary nearly as coin tosses.
The library choix finds ratings too, but has neither intervals nor pairs, and needs SciPy.

All functions take several tournaments at once: the tests simulate thousands to see that the intervals are right. The constants were
chosen on eleven scenes of simulated tournaments; the tests look at others.
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
EXPECTED_VARIANCE = 1.5  # until pairs have shown about this much variance,
EXPECTED_RATIO = 0.85  # they are taken to vary so much as coin tosses do
IMAGINED = 0.35  # drawn games in total for each rating; with Firth's 1, intervals of far stronger agents are too narrow
MOST_STEPS = 200
TOGETHER = 250  # tournaments whose intervals are found at once: memory
LONGEST = 3.0  # log odds that one step may take


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings relative to their mean, by agent. `low` and `high`: the ends of the 95 % intervals.

    `difference_error[i, j]`: about half of the 95 % interval of i minus j; `difference_interval` finds its ends.
    """

    elo: Floats
    low: Floats
    high: Floats
    difference_error: Floats

    @property
    def error(self) -> Floats:
        """Half of the width of the intervals."""
        return np.asarray((self.high - self.low) / 2)

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
    counts, shape = _flat(counts)
    design, centre = _design(agents), np.eye(agents) - 1 / agents
    parts = [_rated(counts[place : place + TOGETHER], design, centre) for place in range(0, max(len(counts), 1), TOGETHER)]
    elo, low, high, differences = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    elo, low, high = (ELO * found.reshape(*shape, agents) for found in (elo, low, high))
    return Ratings(elo, low, high, ELO * differences.reshape(*shape, agents, agents))


def difference_interval(counts: Any, agents: int, one: int, other: int) -> tuple[Floats, Floats]:
    """Return the ends of the 95 % interval of how many Elo agent *one* is stronger than *other*. *counts* are those of `rate`."""
    counts, shape = _flat(counts)
    design, contrast = _design(agents), np.zeros((1, agents))
    contrast[0, one], contrast[0, other] = 1.0, -1.0
    found = []
    for place in range(0, max(len(counts), 1), TOGETHER):
        fit = _Fit(counts[place : place + TOGETHER], design)
        found.append(fit.interval(contrast, fit.dispersion(contrast)))
    low, high = (np.concatenate(ends)[:, 0].reshape(shape) * ELO for ends in zip(*found, strict=True))
    return low, high


def _flat(counts: Any) -> tuple[Floats, tuple[int, ...]]:
    """Return the counts of many tournaments one after the other, and how they were arranged."""
    counts = np.asarray(counts, dtype=np.float64)
    return counts.reshape(-1, *counts.shape[-2:]), counts.shape[:-2]


def _rated(counts: Floats, design: Floats, centre: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return ratings, the ends of their intervals, and the errors of the differences, in log odds."""
    fit = _Fit(counts, design)
    low, high = fit.interval(centre, fit.dispersion(centre))
    spread = np.maximum(np.einsum("ek,bkl,el->be", design, fit.inverse, design, optimize=True), 0.0)
    by_row = CERTAIN * np.sqrt(fit.dispersion(design) * spread)
    agents = design.shape[1]
    differences = np.zeros((len(counts), agents, agents))
    one, other = np.triu_indices(agents, 1)
    differences[:, one, other] = differences[:, other, one] = by_row
    return fit.strengths @ centre.T, low, high, differences


class _Fit:
    """The strengths of agents that fit the counts of tournaments best, and how sure they are. A *contrast* is a sum of strengths."""

    def __init__(self, counts: Floats, design: Floats) -> None:
        self.design = design
        agents = design.shape[1]
        self.fixed = np.full((agents, agents), 1 / agents) + LOOSE * np.eye(agents)  # only differences matter: the mean is held
        self.strengths, information, imagined = _fitted(counts, design, self.fixed)
        self.inverse = np.linalg.inv(information)
        self.points, self.games = counts @ PAIR_POINTS + imagined / 2, 2 * counts.sum(-1) + imagined
        self.shown, self.tossed = _variances(counts, self.strengths, design)
        self.likelihood = self._likelihood(self.strengths[:, None])

    def _likelihood(self, strengths: Floats) -> Floats:
        """Return the log-likelihood of *strengths*, several for each tournament."""
        ahead = strengths @ self.design.T
        fits = (self.points[:, None] * ahead - self.games[:, None] * np.logaddexp(0, ahead)).sum(-1)
        return np.asarray(fits - LOOSE / 2 * (strengths**2).sum(-1))

    def dispersion(self, contrasts: Floats) -> Floats:
        """Return how much pairs vary compared with coin tosses, each pairing counting as much as it moves the contrast.

        The evidence is the variance of as many equal pairings as tell as much: where one pairing decides, little is known.
        """
        moved = (contrasts @ self.inverse @ self.design.T) ** 2
        expected = np.maximum((moved @ self.tossed[..., None])[..., 0], 1e-300)
        ratio = (moved @ self.shown[..., None])[..., 0] / expected
        evidence = expected**2 / np.maximum((moved**2 @ self.tossed[..., None])[..., 0], 1e-300)
        return np.asarray((ratio * evidence + EXPECTED_RATIO * EXPECTED_VARIANCE) / (evidence + EXPECTED_VARIANCE))

    def interval(self, contrasts: Floats, dispersion: Floats) -> tuple[Floats, Floats]:
        """Return the ends of the 95 % intervals of *contrasts*."""
        low, high = (self._end(contrasts, CERTAIN * np.sqrt(dispersion), side) for side in (-1.0, 1.0))
        return low, high

    def _end(self, contrasts: Floats, far: Floats, side: float) -> Floats:
        """Return where the best fit is *far* standard deviations less likely than the best of all, on one *side* of it.

        Newton's method for the place, and inside it for the other strengths, which fit best there.
        """
        variance = np.maximum(np.einsum("ci,bij,cj->bc", contrasts, self.inverse, contrasts, optimize=True), 1e-300)
        place = self.strengths @ contrasts.T
        direction = np.einsum("bij,cj->bci", self.inverse, contrasts) / variance[..., None]
        moved = side * far * np.sqrt(variance)
        strengths = np.repeat(self.strengths[:, None], len(contrasts), axis=1) + direction * moved[..., None]
        place = place + moved
        for number in range(MOST_STEPS):
            for _ in range(2 if number else 4):
                strengths, pull, direction = self._fitted_at(place, contrasts, strengths)
            distance = np.sqrt(np.maximum(2 * (self.likelihood - self._likelihood(strengths)), 1e-12))
            moved = side * np.clip((far - distance) * distance / np.maximum(np.abs(pull), 1e-9), -LONGEST, LONGEST)
            place, strengths = place + moved, strengths + direction * moved[..., None]
            if np.abs(moved).max() < 1e-4:
                break
        return np.asarray(place)

    def _fitted_at(self, place: Floats, contrasts: Floats, strengths: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the strengths after a step towards those that fit best where *contrasts* have the values *place*.

        Also return how fast the likelihood falls there, and how the strengths move with the contrast.
        """
        design, games = self.design, self.games[:, None]
        expected = 1 / (1 + np.exp(-np.clip(strengths @ design.T, -500, 500)))
        slope = (self.points[:, None] - games * expected) @ design - LOOSE * strengths
        information = np.swapaxes((games * expected * (1 - expected))[..., None] * design, -1, -2) @ design + self.fixed
        sides = np.stack([slope, np.broadcast_to(contrasts, slope.shape)], axis=-1)
        step, along = np.moveaxis(np.linalg.solve(information, sides), -1, 0)
        length = (along * contrasts).sum(-1)
        pull = ((step * contrasts).sum(-1) - (place - (strengths * contrasts).sum(-1))) / length
        step = step - pull[..., None] * along
        largest = np.abs(step).max(-1, keepdims=True)
        return strengths + step * np.minimum(1.0, LONGEST / np.maximum(largest, 1e-12)), pull, along / length[..., None]


def _fitted(counts: Floats, design: Floats, fixed: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the strengths of the agents, in log odds, the information matrix there, and the imaginary games of each pairing."""
    pairs, points = counts.sum(-1), counts @ PAIR_POINTS
    strengths = np.zeros((len(counts), design.shape[1]))
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
    return strengths, information, imagined


def _variances(counts: Floats, strengths: Floats, design: Floats) -> tuple[Floats, Floats]:
    """Return, for each pairing, the squared deviations of its pairs, and those that coin tosses would show."""
    expected = 1 / (1 + np.exp(-strengths @ design.T))
    pairs = counts.sum(-1)
    total = pairs.sum(-1, keepdims=True)
    shown = (counts * (PAIR_POINTS - 2 * expected[..., None]) ** 2).sum(-1)
    shown = shown * (total / np.maximum(total - design.shape[1] + 1, 1.0))
    return shown, 2 * pairs * expected * (1 - expected)
