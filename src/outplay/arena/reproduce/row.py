"""One line of a reproduction."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Protocol

AGREES, CORRECTED, BETTER = "agrees", "corrected", "better"


@dataclass(frozen=True)
class Row:
    """What a project claims, what Outplay finds, and the verdict: agrees, corrected or better."""

    project: str
    what: str
    claim: str
    found: str
    verdict: str
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return asdict(self)


class Experiment(Protocol):
    """Runs a project's experiment, yielding rows as they come; *quick* takes fewer games and less time."""

    def __call__(self, *, quick: bool) -> Iterator[Row]: ...


def compared(project: str, what: str, claim: object, found: object, why: str = "") -> Row:
    """Return the row of a claim that is either right or corrected."""
    return Row(project, what, str(claim), str(found), AGREES if claim == found else CORRECTED, "" if claim == found else why)
