"""The history of learning as a small plot: the mean error over the number of games."""

import math
from collections.abc import Sequence

from outplay.learn.progress import Moment

WIDTH, HEIGHT, EDGE = 320, 120, 24


def history_svg(history: Sequence[Moment]) -> str:
    """Return the mean error over the logarithm of the games as SVG; an empty text if there are fewer than two points."""
    points = [moment for moment in history if moment.games > 0]
    if len(points) < 2:
        return ""
    first, last = math.log(points[0].games), math.log(points[-1].games)
    top = max(moment.error for moment in points) or 1.0
    spots = []
    for moment in points:
        across = EDGE + (WIDTH - 2 * EDGE) * (math.log(moment.games) - first) / max(last - first, 1e-9)
        down = HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * moment.error / top
        spots.append(f"{across:.1f},{down:.1f}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="mean error, from {points[0].error:.3g} to {points[-1].error:.3g}" font-family="sans-serif" font-size="10">'
        f'<polyline points="{" ".join(spots)}" fill="none" stroke="currentColor" stroke-width="1.5"/>'
        f'<text x="{EDGE}" y="{EDGE - 8}" fill="currentColor">mean error {top:.3g}</text>'
        f'<text x="{WIDTH - EDGE}" y="{HEIGHT - 8}" text-anchor="end" fill="currentColor">{points[-1].games:,} games</text>'
        f'<text x="{EDGE}" y="{HEIGHT - 8}" fill="currentColor">{points[0].games:,}</text></svg>'
    )
