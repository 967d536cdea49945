"""The history of learning as a small plot: the mean error and the mean result over the number of games."""

import math
from collections.abc import Sequence

from outplay.learn.progress import Moment

WIDTH, HEIGHT, EDGE, ROOM = 380, 120, 24, 90  # *ROOM*: for words at the right
BLUE = "#0072B2"


def history_svg(history: Sequence[Moment]) -> str:
    """Return the mean error and the mean result over the logarithm of the games as SVG; "" if there are fewer than two points."""
    points = [moment for moment in history if moment.games > 0]
    if len(points) < 2:
        return ""
    first, last = math.log(points[0].games), math.log(points[-1].games)
    across = [EDGE + (WIDTH - EDGE - ROOM) * (math.log(moment.games) - first) / max(last - first, 1e-9) for moment in points]
    top = max(moment.error for moment in points) or 1.0
    most = max(abs(moment.result) for moment in points) or 1.0
    error, end = _line(across, [moment.error / top for moment in points])
    # The middle of the plot is a result of 0.
    result, result_end = _line(across, [0.5 + 0.5 * moment.result / most for moment in points])
    if abs(end - result_end) < 11:  # the words would cover each other
        end, result_end = (end - 6, result_end + 6) if end <= result_end else (end + 6, result_end - 6)
    right = WIDTH - ROOM + 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="mean error, from {points[0].error:.3g} to {points[-1].error:.3g}; mean result {points[-1].result:+.2g}" '
        'font-family="sans-serif" font-size="10">'
        f'<polyline points="{result}" fill="none" stroke="{BLUE}" stroke-width="1.5" stroke-dasharray="4 3"/>'
        f'<polyline points="{error}" fill="none" stroke="currentColor" stroke-width="1.5"/>'
        f'<text x="{EDGE}" y="{EDGE - 8}" fill="currentColor">mean error {points[0].error:.3g}</text>'
        f'<text x="{right}" y="{end + 3:.1f}" fill="currentColor">error {points[-1].error:.3g}</text>'
        f'<text x="{right}" y="{result_end + 3:.1f}" fill="{BLUE}">result {points[-1].result:+.2g}</text>'
        f'<text x="{WIDTH - ROOM}" y="{HEIGHT - 8}" text-anchor="end" fill="currentColor">{points[-1].games:,} games</text>'
        f'<text x="{EDGE}" y="{HEIGHT - 8}" fill="currentColor">{points[0].games:,}</text></svg>'
    )


def _line(across: Sequence[float], shares: Sequence[float]) -> tuple[str, float]:
    """Return the points of a line, and the height at which it ends; a share of 1 is at the top."""
    heights = [HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * share for share in shares]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, heights, strict=True)), heights[-1]
