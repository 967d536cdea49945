"""How long a search may go on."""

import math
from dataclasses import dataclass
from numbers import Integral, Real

from outplay.errors import LimitError
from outplay.search.layout import NEVER, PLIES


@dataclass(frozen=True)
class Limits:
    """Seconds, moves ahead and nodes; None where there is no limit. At least one there must be."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is None and self.depth is None and self.nodes is None:
            raise LimitError("a search needs a limit: give seconds, depth or nodes, or several; such as seconds=1")
        if self.seconds is not None:
            _check("seconds", self.seconds, (int, float))
            if math.isinf(self.seconds):
                raise LimitError("seconds=inf is no limit; give a number of seconds, or depth or nodes")
        if self.depth is not None:
            _check("depth", self.depth, (int,))
            if self.depth > PLIES:
                raise LimitError(f"depth={self.depth} is more than the stack holds; {PLIES} is the deepest")
        if self.nodes is not None:
            _check("nodes", self.nodes, (int,))
            if self.nodes > NEVER:
                raise LimitError(f"nodes={self.nodes} is more than a search can count; leave it out for no limit")


def _check(name: str, value: object, kinds: tuple[type, ...]) -> None:
    if not isinstance(value, (Real if float in kinds else Integral)) or isinstance(value, bool) or value != value or value <= 0:
        what = "a whole number" if kinds == (int,) else "a number"
        raise LimitError(f"{name}={value!r} is no limit; it must be {what} above 0")
