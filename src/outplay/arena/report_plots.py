"""Plots of a report: HTML tables whose cells hold small SVGs, in the colours of report.css.

A row is an agent. What is drawn stands at per cents of the width, and letters keep their size: so the same plot is read on a
large screen, on a phone and on paper, and a long one breaks between pages. Every row also says its figures in words.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from outplay.arena.record import Verdict
from outplay.arena.standings import Standing, Tournament, signed_elo

FAULTS = {  # and the class of their colour
    Verdict.ILLEGAL: "illegal",
    Verdict.TIMEOUT: "timeout",
    Verdict.CRASH: "crash",
    Verdict.PROTOCOL: "protocol",
    Verdict.REFUSED: "refused",
}
ROW = 24  # pixels
MATRIX_ROWS = ((10, 34), (20, 26), (1_000, 19))  # pixels of a row of the matrix, for as many agents
DASH = "&ndash;"
FEWEST_SECONDS = 1e-6  # that a logarithmic axis shows

Named = Callable[[str], str]  # an agent's name as HTML


@dataclass(frozen=True)
class Axis:
    """The scale of a plot: its ends, and the numbers that are written beneath it."""

    low: float
    high: float
    ticks: tuple[float, ...]
    logarithmic: bool = False

    def at(self, number: float) -> float:
        """Return where *number* is, in per cents from the left; what lies outside is at the edge."""
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, number = math.log(low), math.log(high), math.log(max(number, FEWEST_SECONDS))
        return 100 * min(max((number - low) / (high - low), 0.0), 1.0)


def linear_axis(numbers: Sequence[float], *, most_ticks: int = 7) -> Axis:
    """Return an axis that shows all *numbers*, with ticks at round ones."""
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    if high - low < 1e-9 * max(1.0, abs(low), abs(high)):
        low, high = low - 1, high + 1
    room = (high - low) * 0.04
    low, high = low - room, high + room
    rough = (high - low) / most_ticks
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough * 0.999)
    first = math.ceil(low / step)
    return Axis(low, high, tuple(round(step * place, 12) for place in range(first, math.floor(high / step) + 1)))


def seconds_axis(numbers: Sequence[float]) -> Axis:
    """Return a logarithmic axis of seconds that shows all *numbers*, with ticks at powers of ten."""
    shown = [max(number, FEWEST_SECONDS) for number in numbers] or [1.0]
    low, high = math.floor(math.log10(min(shown))), math.ceil(math.log10(max(shown)))
    room = 10.0 ** (0.06 * max(1, high - low))
    return Axis(10.0**low / room, 10.0**high * room, tuple(10.0**power for power in range(low, high + 1)), logarithmic=True)


# 1. The parts that all plots have.


def short(number: float) -> str:
    """Return a coordinate as text."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def graph(axis: Axis, marks: Sequence[str], *, zero: bool = False) -> str:
    """Return one row's picture: the grid and its *marks*."""
    grid = "".join(
        f'<line class="grid{" zero" * (zero and tick == 0)}" x1="{short(axis.at(tick))}%" x2="{short(axis.at(tick))}%" y2="100%"/>'
        for tick in axis.ticks
    )
    return f'<svg class="graph" height="{ROW}" aria-hidden="true">{grid}{"".join(marks)}</svg>'


def scale(axis: Axis, written: Callable[[float], str]) -> str:
    """Return the row of numbers beneath a plot; on a narrow screen every other one is left out."""
    said = "".join(
        f'<text class="tick{" odd" * (place % 2)}" x="{short(axis.at(tick))}%" y="14">{written(tick)}</text>'
        for place, tick in enumerate(axis.ticks)
    )
    return f'<svg class="graph scale" height="20" aria-hidden="true">{said}</svg>'


def rows_plot(title: str, rows: Sequence[tuple[str, str, str]], beneath: str, unit: str) -> str:
    """Return a plot of *rows*: a name as HTML, a picture, and the figures in words."""
    body = "".join(f'<tr><th scope="row">{name}</th><td>{picture}</td><td>{said}</td></tr>' for name, picture, said in rows)
    return (
        f'<table class="plot"><caption>{title}</caption><colgroup><col class="of-names"><col><col class="of-figures"></colgroup><tbody>{body}</tbody>'
        f'<tfoot><tr><th scope="row"><span class="unit">{unit}</span></th><td>{beneath}</td><td></td></tr></tfoot></table>'
    )


def _line(axis: Axis, low: float, high: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{short(axis.at(low))}%" x2="{short(axis.at(high))}%" y1="50%" y2="50%"/>'


def _end(axis: Axis, at: float, kind: str, reach: int = 5) -> str:
    where = f"{short(axis.at(at))}%"
    return f'<line class="{kind}" x1="{where}" x2="{where}" y1="{ROW // 2 - reach}" y2="{ROW // 2 + reach}"/>'


def _dot(axis: Axis, at: float, kind: str, radius: float = 5) -> str:
    return f'<circle class="{kind}" cx="{short(axis.at(at))}%" cy="50%" r="{short(radius)}"/>'


def minus(text: str) -> str:
    """Return a number with a true minus sign."""
    return text.replace("-", "−")


# 2. The plots.


def ratings_plot(result: Tournament, named: Named) -> str:
    """Return the ratings with their 95 % intervals."""
    rated = [one for one in result.standings if one.elo is not None and one.elo_low is not None and one.elo_high is not None]
    if not rated:
        return ""
    ends = [end for one in rated for end in (one.elo_low, one.elo_high)]
    axis = linear_axis([0.0, *(float(end) for end in ends if end is not None)])
    rows = [(named(one.agent), _interval(axis, one.elo_low, one.elo, one.elo_high, zero=True), elo_words(one)) for one in rated]
    return rows_plot("Ratings with 95 % intervals", rows, scale(axis, lambda tick: minus(f"{tick:+g}" if tick else "0")), "Elo")


def _interval(axis: Axis, low: float | None, middle: float | None, high: float | None, *, zero: bool = False) -> str:
    assert middle is not None
    bars = [] if low is None or high is None else [_line(axis, low, high, "bar"), _end(axis, low, "bar"), _end(axis, high, "bar")]
    return graph(axis, [*bars, _dot(axis, middle, "point")], zero=zero)


def elo_words(one: Standing) -> str:
    """Return the rating with its interval, or a dash before there is one."""
    if one.elo is None or one.elo_low is None or one.elo_high is None:
        return DASH
    up, down = round(one.elo_high - one.elo), round(one.elo - one.elo_low)
    error = f"± {up}" if up == down else f"+{up}/−{down}"
    return f'{minus(signed_elo(one.elo))} <span class="error">{error}</span>'


def scores_plot(result: Tournament, named: Named) -> str:
    """Return the scores of a solitaire: from the worst to the best, and the mean with its 95 % interval."""
    scored = [one for one in result.standings if one.mean is not None]
    if not scored:
        return ""
    axis = linear_axis(
        [float(end) for one in scored for end in (one.worst, one.best, one.mean_low, one.mean_high) if end is not None]
    )
    rows = []
    for one in scored:
        mean = one.mean or 0.0
        marks = [_line(axis, one.worst or 0.0, one.best or 0.0, "range")]
        if one.mean_low is not None and one.mean_high is not None:
            marks += [
                _line(axis, one.mean_low, one.mean_high, "bar"),
                _end(axis, one.mean_low, "bar"),
                _end(axis, one.mean_high, "bar"),
            ]
        rows.append((named(one.agent), graph(axis, [*marks, _dot(axis, mean, "point")]), minus(f"{mean:,.4g}")))
    return rows_plot(
        "Scores: worst to best, and the mean with its 95 % interval", rows, scale(axis, lambda tick: minus(f"{tick:,g}")), "score"
    )


def time_plot(result: Tournament, named: Named, limit: float | None) -> str:
    """Return the seconds a move: the mean and the longest; *limit*: what a move may take."""
    moved = [one for one in result.standings if one.moves]
    if not moved:
        return ""
    limits = [] if limit is None else [limit]
    axis = seconds_axis([number for one in moved for number in (one.seconds / one.moves, one.longest)] + limits)
    edge = [f'<line class="limit" x1="{short(axis.at(end))}%" x2="{short(axis.at(end))}%" y2="100%"/>' for end in limits]
    rows = []
    for one in moved:
        mean = one.seconds / one.moves
        marks = [
            *edge,
            _line(axis, mean, one.longest, "range"),
            _dot(axis, one.longest, "longest", 3.5),
            _dot(axis, mean, "point", 4.5),
        ]
        rows.append(
            (named(one.agent), graph(axis, marks), f'{seconds(mean)} <span class="error more">≤ {seconds(one.longest)}</span>')
        )
    dashed = "; dashed: the limit" if limit is not None else ""
    return rows_plot(f"Time a move: the mean, and the longest (hollow){dashed}", rows, scale(axis, seconds), "per move")


def seconds(number: float) -> str:
    """Return a time with its unit."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if number >= unit * 0.9995:
            return f"{number / unit:.3g} {name}"
    return "0 s" if number < 1e-7 else "< 1 µs"


def faults_plot(result: Tournament, named: Named) -> str:
    """Return how many games ended by a fault of each agent, by kind; agents without a fault are left out."""
    faulty = sorted((one for one in result.standings if one.fault_count), key=lambda one: (-one.fault_count, one.rank))
    if not faulty:
        return ""
    axis = linear_axis([0.0, max(one.fault_count for one in faulty)])
    axis = Axis(0.0, axis.high, tuple(tick for tick in axis.ticks if tick >= 0 and tick == round(tick)))
    rows = []
    for one in faulty:
        bars, done = [], 0
        for verdict, kind in FAULTS.items():
            if number := one.faults.get(str(verdict), 0):
                left, right = axis.at(done), axis.at(done + number)
                bars.append(f'<rect class="{kind}" x="{short(left)}%" width="{short(right - left)}%" y="5" height="{ROW - 10}"/>')
                done += number
        rows.append((named(one.agent), graph(axis, bars), f'{one.fault_count} <span class="error">of {one.games}</span>'))
    used = [verdict for verdict in FAULTS if any(str(verdict) in one.faults for one in faulty)]
    key = " ".join(f'<span class="key {FAULTS[verdict]}">{verdict}</span>' for verdict in used)
    return rows_plot(
        f'Games that ended by a fault of the agent<br><span class="keys">{key}</span>',
        rows,
        scale(axis, lambda tick: f"{tick:g}"),
        "games",
    )


def results_plot(result: Tournament, named: Named) -> str:
    """Return the matrix of results: in each cell the shares that the row has won, drawn and lost against the column."""
    agents = len(result.standings)
    if result.solitaire or agents < 2:
        return ""
    height = next(pixels for most, pixels in MATRIX_ROWS if agents <= most)
    wide, drawn = 100 / agents, []
    for row, cells in enumerate(result.cross):
        for column, cell in enumerate(cells):
            if not cell.games:
                continue
            left = wide * column
            words = f"{row + 1} against {column + 1}: {cell.wins} won, {cell.draws} drawn, {cell.losses} lost"
            parts = []
            for number, kind in ((cell.wins, "won"), (cell.draws, "drawn"), (cell.losses, "lost")):
                if number:
                    share = wide * number / cell.games
                    parts.append(
                        f'<rect class="{kind}" x="{short(left)}%" y="{row * height}" width="{short(share)}%" height="{height}"/>'
                    )
                    left += share
            drawn.append(f"<g><title>{words}</title>{''.join(parts)}</g>")
    lines = "".join(
        f'<line class="seam" x1="{short(wide * place)}%" x2="{short(wide * place)}%" y2="100%"/>' for place in range(agents + 1)
    )
    lines += "".join(f'<line class="seam" x2="100%" y1="{height * place}" y2="{height * place}"/>' for place in range(agents + 1))
    heads = "".join(
        f'<text class="tick{" odd" * (place % 2 and agents > 12)}" x="{short(wide * (place + 0.5))}%" y="14">{place + 1}</text>'
        for place in range(agents)
    )
    names = "".join(
        f'<li style="height:{height}px">{place} {named(one.agent)}</li>' for place, one in enumerate(result.standings, 1)
    )
    key = '<span class="key won">won</span> <span class="key drawn">drawn</span> <span class="key lost">lost</span>'
    return (
        f'<figure class="matrix"><figcaption>Results of the row against the column<br><span class="keys">{key}</span></figcaption>'
        f'<ol class="names">{names}</ol><div><svg class="graph scale" height="20" aria-hidden="true">{heads}</svg>'
        f'<svg class="graph cells" height="{height * agents}" role="img" aria-label="Results; the cross table says them in numbers">{"".join(drawn)}{lines}</svg>'
        "</div></figure>"
    )
