"""A value and a distance as one number, the code of a state in a solved table.

Without chance, every value is a score, and a game has few scores. A code is the place of the score in order times `span`,
plus the distance to the end (or span - 1 less the distance, where player 0 is ahead). So the greater code is always better
for player 0, who hastens a win and delays a loss. Where chance acts, and where rewards are paid, a code is the value itself,
a float64, and there is no distance.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np

CLOSE = 1e-6  # an error below it is one of accuracy, and values that differ by less are taken for equal
ROUNDING = 1e-14  # of a value: what sums of products may be off


@dataclass(frozen=True)
class Scale:
    """What the codes of one table mean."""

    scores: tuple[float, ...]  # in order; empty where codes are values
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
        """Return the scale of codes that are values."""
        return cls((), 0, float(endless), "float64")

    @property
    def level(self) -> tuple[int, int]:
        """The places of the first score that is not below `endless`, and of the first above it."""
        return bisect_left(self.scores, self.endless), bisect_right(self.scores, self.endless)

    def holds(self, code: Any) -> bool:
        """Return whether *code* is valid."""
        return 0 <= int(code) < len(self.scores) * self.span if self.span else bool(np.isfinite(code))

    def value(self, code: Any) -> float:
        """Return the value to player 0."""
        return self.scores[int(code) // self.span] if self.span else float(code)

    def distance(self, code: Any) -> int | None:
        """Return the number of moves to the end, or None where the value equals `endless` or chance acts."""
        if not self.span:
            return None
        place, rest = divmod(int(code), self.span)
        behind, ahead = self.level
        return rest if place < behind else self.span - 1 - rest if place >= ahead else None

    def best(self, codes: list[Any], who: int, error: float) -> list[bool]:
        """Return for each of *codes* whether it is best for player *who*, who chooses; all False for chance."""
        if who not in (0, 1):
            return [False] * len(codes)
        sign = 1 - 2 * who
        worth = [sign * (int(code) if self.span else float(code)) for code in codes]
        best = max(worth)
        # Rounding is relative to the best value: beside a huge loss, small values still differ.
        slack = 0 if self.span else max(error if error < CLOSE else 0.0, ROUNDING * abs(best))
        return [held >= best - slack for held in worth]

    def codes(self, values: Any, distances: Any) -> Any:
        """Return arrays of values and distances as codes."""
        if not self.span:
            return values
        places = np.searchsorted(np.array(self.scores), values)
        behind, ahead = self.level
        rest = np.where(places < behind, distances, np.where(places >= ahead, self.span - 1 - distances, 0))
        return (places * self.span + rest).astype(self.dtype)


def back_up(who, counts, scores, places, after, ladder, span, behind, ahead, codes):
    """Write the codes of states to *codes*; their children are at *places* in the next layer, whose codes are *after*."""
    place = 0
    for index in range(len(who)):
        if counts[index] == 0:
            rung = np.searchsorted(ladder, scores[index])
            codes[index] = rung * span + (span - 1 if rung >= ahead else 0)
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
            codes[index] = best


def back_up_reals(who, counts, scores, places, after, chances, rewards, codes):
    """Write the values of states to *codes*, as `back_up` does. *rewards*: the reward of each child; empty if there are none."""
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
        codes[index] = value
