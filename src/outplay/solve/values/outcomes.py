"""How a value and a distance are held in a table.

Without chance, values are scores, and a game has few of them: an outcome is one small number, the place of its score in
order times `span`, plus the distance to the end (or span - 1 less the distance, where player 0 is ahead). So of two
outcomes the greater is the better one for player 0, who hastens a win and delays a loss. Where chance acts, and where rewards
are paid, an outcome is the value itself, a float64, and there is no distance.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np

CLOSE = 1e-6  # an error below it is one of accuracy, and values that differ by less are taken for equal
ROUNDING = 1e-14  # of a value: what sums of products may be off


@dataclass(frozen=True)
class Scale:
    """What the outcomes of one table mean."""

    scores: tuple[float, ...]  # in order; empty where outcomes are values
    span: int  # above every distance; 0 where there are none
    endless: float  # what play without an end is worth: nobody is ahead there, so there is no distance
    dtype: str

    @classmethod
    def of(cls, scores: Any, longest: int, endless: float) -> "Scale":
        """Return the scale of values that are *scores*, with distances up to *longest*."""
        most = len(scores) * (longest + 1)
        dtype = next(kind for kind, limit in (("uint8", 8), ("uint16", 16), ("uint32", 32), ("int64", 63)) if most <= 1 << limit)
        return cls(tuple(map(float, scores)), longest + 1, float(endless), dtype)

    @classmethod
    def of_reals(cls, endless: float) -> "Scale":
        """Return the scale of outcomes that are values."""
        return cls((), 0, float(endless), "float64")

    @property
    def level(self) -> tuple[int, int]:
        """The first score that is not below `endless`, and the first above it, by their places."""
        return bisect_left(self.scores, self.endless), bisect_right(self.scores, self.endless)

    def holds(self, outcome: Any) -> bool:
        """Return whether *outcome* means a value."""
        return 0 <= int(outcome) < len(self.scores) * self.span if self.span else bool(np.isfinite(outcome))

    def value(self, outcome: Any) -> float:
        """Return the value to player 0."""
        return self.scores[int(outcome) // self.span] if self.span else float(outcome)

    def distance(self, outcome: Any) -> int | None:
        """Return the number of moves to the end, or None where nobody hastens it."""
        if not self.span:
            return None
        place, rest = divmod(int(outcome), self.span)
        behind, ahead = self.level
        return rest if place < behind else self.span - 1 - rest if place >= ahead else None

    def best(self, outcomes: list[Any], who: int, error: float) -> list[bool]:
        """Tell of each of *outcomes* whether player *who*, the one to choose, does best with it; chance does not choose."""
        if who not in (0, 1):
            return [False] * len(outcomes)
        sign = 1 - 2 * who
        worth = [sign * (int(outcome) if self.span else float(outcome)) for outcome in outcomes]
        best = max(worth)
        # Rounding is relative to the best value: beside a huge loss, small values still differ.
        slack = 0 if self.span else max(error if error < CLOSE else 0.0, ROUNDING * abs(best))
        return [held >= best - slack for held in worth]

    def outcomes(self, values: Any, distances: Any) -> Any:
        """Return arrays of values and distances as outcomes."""
        if not self.span:
            return values
        places = np.searchsorted(np.array(self.scores), values)
        behind, ahead = self.level
        rest = np.where(places < behind, distances, np.where(places >= ahead, self.span - 1 - distances, 0))
        return (places * self.span + rest).astype(self.dtype)


def back_up(who, counts, scores, places, after, ladder, span, behind, ahead, outcomes):
    """Write the outcomes of states to *outcomes*; their children stand at *places* in the next layer, whose are *after*."""
    place = 0
    for index in range(len(who)):
        if counts[index] == 0:
            rung = np.searchsorted(ladder, scores[index])
            outcomes[index] = rung * span + (span - 1 if rung >= ahead else 0)
        else:
            sign = 1 - 2 * int(who[index])
            best = sign * int(after[places[place]])
            for child in range(place + 1, place + counts[index]):
                best = max(best, sign * int(after[places[child]]))
            best *= sign
            place += counts[index]
            if best >= ahead * span:
                best -= 1
            elif best < behind * span:
                best += 1
            outcomes[index] = best


def back_up_reals(who, counts, scores, places, after, chances, rewards, outcomes):
    """Write the values of states to *outcomes*, as `back_up` does. *rewards*: what each child pays; empty if none does."""
    place, pays = 0, len(rewards) > 0
    for index in range(len(who)):
        value = scores[index]
        if counts[index] > 0:
            if who[index] < 0:
                value = 0.0
                for child in range(place, place + counts[index]):
                    value += chances[child] * (rewards[child] + after[places[child]] if pays else after[places[child]])
            else:
                value = rewards[place] + after[places[place]] if pays else after[places[place]]
                for child in range(place + 1, place + counts[index]):
                    other = rewards[child] + after[places[child]] if pays else after[places[child]]
                    value = max(value, other) if who[index] == 0 else min(value, other)
            place += counts[index]
        outcomes[index] = value
