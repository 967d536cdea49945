"""How long something takes."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Found = TypeVar("Found")


@dataclass(frozen=True)
class Times:
    """Seconds, shortest first; at least one."""

    seconds: tuple[float, ...]

    @classmethod
    def of(cls, seconds: list[float]) -> "Times":
        """Return *seconds*, put in order."""
        return cls(tuple(sorted(seconds)))

    @property
    def best(self) -> float:
        return self.seconds[0]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def worst(self) -> float:
        return self.seconds[-1]

    def within(self, share: float) -> float:
        """Return the time that *share* of all do not exceed: 0.99 for the 99th percentile, by nearest rank."""
        return self.seconds[max(-int(-share * len(self.seconds) // 1), 1) - 1]

    def __str__(self) -> str:
        scale, unit = (1e3, "ms") if self.median < 1 else (1, "s")
        return f"{self.best * scale:.2f} / {self.median * scale:.2f} {unit}"


def timed(work: Callable[[], Found], *, repeats: int, least: float = 0.0, most: float = 30.0) -> tuple[Found, Times]:
    """Return what *work* returns, and how long each call took.

    *repeats* calls: more until they took *least* seconds together, fewer once they took *most*.
    """
    seconds: list[float] = []
    spent = 0.0
    while not seconds or ((len(seconds) < repeats or spent < least) and spent < most):
        began = time.perf_counter()
        found = work()
        seconds.append(time.perf_counter() - began)
        spent += seconds[-1]
    return found, Times.of(seconds)
