"""How sure a mean is: 95 % intervals, which also hold for few values."""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist, fmean, stdev

CONFIDENCE = 0.95
NORMAL = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # 1.96: standard deviations to either side of a mean
MANY = 100  # degrees of freedom; from here on a series is exact to 10 digits


@lru_cache(maxsize=256)
def student(freedom: int) -> float:
    """Return how many standard errors to either side of a mean hold 95 %, by Student's t with *freedom* degrees of freedom.

    A standard error that is itself found from few values is uncertain, so it takes more of them: 12.7 for two values, 2.26 for ten.
    """
    if freedom >= MANY:
        return _by_series(freedom)
    low, high = 0.0, math.pi / 2  # angles, by bisection: the tangent of one is t over the root of freedom
    while (middle := (low + high) / 2) not in (low, high):
        if _probability_within(middle, freedom) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return math.sqrt(freedom) * math.tan(high)


def _probability_within(angle: float, freedom: int) -> float:
    """Return the probability that Student's t lies between -t and t, where t is sqrt(freedom) * tan(angle): a finite sum."""
    cosine, odd = math.cos(angle), freedom % 2
    term, total = (cosine if odd else 1.0), 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= cosine * cosine * (power + 1) / (power + 2)
    total *= math.sin(angle)
    return (angle + total) * 2 / math.pi if odd else total


def _by_series(freedom: int) -> float:
    """Return the quantile by the first terms of its series in 1 / *freedom*, which begins with the normal one."""
    z, square = NORMAL, NORMAL * NORMAL
    terms = (
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return z + z * math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def half_width(standard_error: float, number: int) -> float:
    """Return the half-width of the 95 % interval of a mean of *number* values; infinite of fewer than two."""
    return student(number - 1) * standard_error if number > 1 else math.inf


def mean_within(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of independent *values* and the half-width of its 95 % interval; infinite of fewer than two values."""
    if len(values) < 2:
        return fmean(values), math.inf
    return fmean(values), half_width(stdev(values) / math.sqrt(len(values)), len(values))


def clipped(mean: float, half: float, low: float, high: float) -> tuple[float, float] | None:
    """Return the interval mean ± *half*, cut off where no mean can be: below *low* and above *high*.

    None if there is no interval: too few values, or values that are all alike, which would claim certainty.
    """
    if not 0 < half < math.inf:
        return None
    return max(mean - half, min(low, mean)), min(mean + half, max(high, mean))


def share_within(counted: int, number: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, *counted* of *number*, by Wilson's method, which also holds near 0 and 1."""
    if not number:
        return 0.0, 1.0
    share, extra = counted / number, NORMAL * NORMAL / number
    middle = (share + extra / 2) / (1 + extra)
    half = NORMAL * math.sqrt(share * (1 - share) / number + extra / (4 * number)) / (1 + extra)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def plain(numbers: Sequence[float] | None) -> list[float | None] | None:
    """Return *numbers* as JSON takes them: a list in which None stands for what is not finite."""
    return None if numbers is None else [number if math.isfinite(number) else None for number in numbers]
