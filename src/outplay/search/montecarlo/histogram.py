"""Histograms, as text and as SVG."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from outplay.pictures.shapes import COLOURS, FONT, clean, short

WIDTH = 40  # letters of the longest bar
HIGH, ROW, LABEL = 120, 18, 11  # of the SVG: the bars, the line of labels, and the size of letters


@dataclass(frozen=True)
class Bar:
    """One bar: what it stands for, how many there are, and which share of all."""

    label: str
    count: int
    share: float


def bars(counts: Mapping[Any, int], most: int, name: Callable[[Any], str], *, whole: bool = False) -> list[Bar]:
    """Return *counts* as bars: one for each item, or, of more than *most* items, one for each of as many equal intervals.

    *whole*: items are whole numbers, and so are the ends of intervals.
    """
    total = sum(counts.values())
    if len(counts) <= most:
        return [Bar(name(item), times, times / total) for item, times in sorted(counts.items())]
    low, high = min(counts), max(counts)
    width = (high - low) / most
    if whole:
        width = math.ceil((high - low + 1) / most)
        most = math.ceil((high - low + 1) / width)
    sums = [0] * most
    for item, times in counts.items():
        sums[min(int((item - low) / width), most - 1)] += times
    made = []
    for place, times in enumerate(sums):
        first, last = low + place * width, low + (place + 1) * width
        made.append(Bar(f"{name(first)} to {name(last - 1 if whole else last)}", times, times / total))
    return made


def histogram_text(made: list[Bar]) -> list[str]:
    """Return a line for each bar."""
    longest = max(bar.share for bar in made)
    names, numbers = max(len(bar.label) for bar in made), max(len(f"{bar.count:,}") for bar in made)
    return [
        f"  {bar.label:>{names}}  {bar.count:>{numbers},}  {bar.share:6.1%}  {'█' * round(WIDTH * bar.share / longest)}".rstrip()
        for bar in made
    ]


def histogram_svg(made: list[Bar], what: str) -> str:
    """Return the bars as SVG; *what* says what is counted."""
    wide = 360 / len(made)
    longest = max(bar.share for bar in made)
    parts = []
    for place, bar in enumerate(made):
        high = HIGH * bar.share / longest
        left = place * wide
        title = clean(f"{bar.label}: {bar.count:,} games, {bar.share:.1%}")
        parts.append(
            f'<g><title>{title}</title><rect x="{short(left + 1)}" y="{short(ROW + HIGH - high)}" width="{short(wide - 2)}" '
            f'height="{short(high)}" fill="{COLOURS["first"]}"/></g>'
        )
        if len(made) <= 6 or place in (0, len(made) - 1):
            anchor, at = ("middle", left + wide / 2) if len(made) <= 6 else ("start", 0.0) if place == 0 else ("end", 360.0)
            parts.append(
                f'<text x="{short(at)}" y="{ROW + HIGH + 14}" text-anchor="{anchor}" font-size="{LABEL}" '
                f'fill="currentColor">{clean(bar.label)}</text>'
            )
    label = clean(f"games by {what}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 {2 * ROW + HIGH}" role="img" aria-label="{label}" font-family="{FONT}">'
        f'<text x="0" y="12" font-size="{LABEL}" fill="currentColor">{label}</text>{"".join(parts)}</svg>'
    )
