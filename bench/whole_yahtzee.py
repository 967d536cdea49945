"""The whole Yahtzee by proof: its value, how long that takes, and in how much memory."""

from collections.abc import Iterator

from bench.figure import Figure
from bench.tables import made

WHOLE, FEW_BOXES = "yahtzee:jokers=2", "yahtzee:boxes=yahtzee+chance"
PUBLISHED = 254.5896  # with free jokers
HOUR = 3600


def figures(name: str = WHOLE, known: float | None = PUBLISHED) -> Iterator[Figure]:
    """Yield how far the value of the game of that *name* is from the *known* one, the time, and the memory."""
    states, value, _, seconds, memory = made(name, FEW_BOXES, "proof")
    note = f"{value:.7f} points by best play; {states or 0:,} states"
    if known is not None:
        yield Figure(f"{name}, off the published value", abs(value - known), "points", 5e-5, at_least=False, note=note)
    else:
        yield Figure(f"{name}, value", value, "points", note=note)
    yield Figure("the same, time", seconds, "s", HOUR, at_least=False)
    yield Figure("the same, memory", memory / 1e9, "GB", 3, at_least=False)
