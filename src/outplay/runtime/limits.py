"""The limits of a search: seconds, depth, nodes; and the check of seeds."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from outplay.errors import LimitError, OptionError
from outplay.runtime.meter import NEVER, PLIES

LONGEST = 3_200_000_000  # seconds: in nanoseconds, and added to the clock, they still fit into 62 bits


@dataclass(frozen=True)
class Limits:
    """Seconds, depth, nodes and simulations; None means no limit. At least one limit is required."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is None and self.depth is None and self.nodes is None and self.simulations is None:
            raise LimitError("a search needs a limit: give seconds, depth or nodes, or several; such as seconds=1")
        if self.seconds is not None:
            _check("seconds", self.seconds, Real)
            if self.seconds > LONGEST:
                raise LimitError(
                    f"seconds={self.seconds!r:.40} is too long; give at most {LONGEST:,} seconds, a hundred years, or depth or nodes"
                )
            object.__setattr__(self, "seconds", float(self.seconds))
        if self.depth is not None:
            _check("depth", self.depth, Integral)
            if self.depth > PLIES:
                raise LimitError(f"depth={self.depth!r:.40} is more than the stack holds; {PLIES} is the deepest")
            if type(self.depth) is not int:
                object.__setattr__(self, "depth", int(self.depth))
        for name, number in (("nodes", self.nodes), ("simulations", self.simulations)):
            if number is not None:
                _check(name, number, Integral)
                if number > NEVER:
                    raise LimitError(f"{name}={number!r:.40} is more than a search can count; leave it out for no limit")
                object.__setattr__(self, name, int(number))

    def deadline(self, began: int) -> int:
        """Return the end of a search that started at *began*, in nanoseconds of the same clock."""
        return NEVER if self.seconds is None else began + int(self.seconds * 1e9)


def check_seconds(seconds: Any) -> None:
    """Refuse *seconds* that are not a time for a move."""
    _check("seconds", seconds, Real)


def check_seed(seed: Any, what: str) -> None:
    """Refuse a *seed* that is not a whole number; *what* names the things that are drawn with it."""
    if not isinstance(seed, Integral) or isinstance(seed, bool):
        raise OptionError(f"seed={seed!r:.40} must be a whole number: it says which {what} are drawn")


def _check(name: str, value: Any, kind: Any) -> None:
    if type(value) is int and value > 0:  # the usual case: to ask for an abstract class takes longer
        return
    if not isinstance(value, kind) or isinstance(value, bool) or not value > 0:  # NaN is not above 0
        what = "a number" if kind is Real else "a whole number"
        raise LimitError(f"{name}={value!r:.40} is not a valid limit; it must be {what} above 0")
