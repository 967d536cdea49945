"""Figures as a table for people and as a file for programs."""

import json
import os
import platform
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.figure import Figure
from bench.timing import Times

WIDTH = 160  # of a table that goes to a file
STYLES = {"met": "green", "MISSED": "bold red"}


def console() -> Console:
    """Return where the tables go: as wide as the terminal, or wide enough for a file."""
    made = Console()
    return made if made.is_terminal else Console(width=WIDTH)


def machine() -> dict[str, Any]:
    """Return what the figures were measured on."""
    return {
        "cores": os.cpu_count(),
        "usable cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "processor": _processor(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def table(title: str, figures: Sequence[Figure], *, beside: str) -> Table:
    """Return *figures* as a table; *beside* names what ours is measured beside. A column with nothing in it is left out."""
    columns = {
        "figure": [figure.name for figure in figures],
        "ours": [_shown(figure.ours) for figure in figures],
        beside: [_shown(figure.beside) for figure in figures],
        "measured": [measured(figure) for figure in figures],
        "target": [target(figure) for figure in figures],
        "verdict": [_coloured(figure.verdict) for figure in figures],
        "note": [figure.note for figure in figures],
    }
    made = Table(title=f"{title}; times are min / median", title_justify="left", title_style="bold")
    columns = {heading: cells for heading, cells in columns.items() if any(cells)}
    for heading in columns:
        words = heading in ("figure", "verdict", "note")
        made.add_column(heading, justify="left" if words else "right", no_wrap=heading != "note")
    for cells in zip(*columns.values(), strict=True):
        made.add_row(*cells)
    return made


def measured(figure: Figure) -> str:
    """Return the number of *figure* with its unit."""
    return "" if figure.value is None else f"{number(figure.value)} {figure.unit}".rstrip()


def target(figure: Figure) -> str:
    """Return what the number of *figure* should be."""
    if figure.target is None:
        return ""
    return f"{'at least' if figure.at_least else 'at most'} {figure.target:,g}"


def number(value: float) -> str:
    """Return *value* with as many decimals as its size deserves."""
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 20 else f"{value:.2f}"


def save(path: Path, figures: Mapping[str, Sequence[Figure]]) -> None:
    """Write *figures*, by benchmark, and the machine to *path*: whole, or not at all."""
    records = {benchmark: [figure.record() for figure in made] for benchmark, made in figures.items()}
    text = json.dumps({"machine": machine(), "figures": records}, indent=1)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False) as file:
        file.write(text + "\n")
    os.replace(file.name, path)


def _shown(times: Times | None) -> str:
    return "" if times is None else str(times)


def _coloured(verdict: str) -> str:
    return f"[{STYLES[verdict]}]{verdict}[/]" if verdict else ""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
