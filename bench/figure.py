"""What a benchmark yields."""

from dataclasses import asdict, dataclass
from typing import Any

from bench.timing import Times


@dataclass(frozen=True)
class Figure:
    """One measured number, what it is measured from, and what it should be."""

    name: str
    value: float | None = None  # what the target speaks of; None where it could not be measured
    unit: str = ""
    target: float | None = None
    at_least: bool = True  # False: the target is the most that it may be
    ours: Times | None = None
    beside: Times | None = None  # the peer's, or what else ours is compared with
    note: str = ""

    @property
    def verdict(self) -> str:
        """'met', 'MISSED', or nothing where there is no target or no number."""
        if self.value is None or self.target is None:
            return ""
        return "met" if (self.value >= self.target if self.at_least else self.value <= self.target) else "MISSED"

    def record(self) -> dict[str, Any]:
        """Return the figure as JSON can hold it."""
        return {**asdict(self), "verdict": self.verdict}
