"""`outplay reproduce`: the projects' experiments, row by row."""

import json
from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from outplay.arena.reproduce.experiments import EXPERIMENTS
from outplay.arena.reproduce.row import AGREES, BETTER, CORRECTED, Row
from outplay.errors import OptionError

STYLES = {AGREES: "green", CORRECTED: "yellow", BETTER: "cyan"}


def reproduce(console: Console, errors: Console, project: str, *, quick: bool, as_json: bool) -> None:
    """Run the experiments of *project*, or of all, and print what they find."""
    if project and project not in EXPERIMENTS:
        raise OptionError(f"there is no project {project!r}; there are {', '.join(EXPERIMENTS)}")
    chosen = [project] if project else list(EXPERIMENTS)
    found: list[Row] = []
    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=len(chosen))  # in projects: rows differ too much in cost
        for name in chosen:
            rows: list[Row] = []
            for row in _watched(EXPERIMENTS[name](quick=quick), bar, task, name):
                rows.append(row)
                if not as_json and not console.is_terminal:
                    _line(console, row)  # a pipe sees each row as it comes
            found += rows
            bar.advance(task)
            if not as_json and console.is_terminal:
                console.print(_table(name, rows))
    if as_json:
        print(json.dumps([row.to_dict() for row in found], indent=2))
    else:
        counts = ", ".join(_counted(sum(row.verdict == verdict for row in found), verdict) for verdict in STYLES)
        console.print(f"{len(found)} row{'s' * (len(found) != 1)}: {counts}.")


def _counted(number: int, verdict: str) -> str:
    return f"{number} {'agree' if verdict == AGREES and number != 1 else verdict}"


def _watched(rows: Iterator[Row], bar: Progress, task: object, name: str) -> Iterator[Row]:
    for number, row in enumerate(rows, 1):
        bar.update(task, description=f"project {name}: row {number}, {row.what}")  # type: ignore[arg-type]
        yield row


def _table(name: str, rows: list[Row]) -> Table:
    table = Table("what", "the project", "Outplay", "verdict", title=f"project {name}", title_justify="left", header_style="bold")
    for row in rows:
        verdict = f"[{STYLES[row.verdict]}]{row.verdict}[/]" + (f": {row.why}" if row.why else "")
        table.add_row(row.what, row.claim, row.found, verdict)
    return table


def _line(console: Console, row: Row) -> None:
    why = f" ({row.why})" if row.why else ""
    console.print(
        f"{row.project}  {row.what}: the project {row.claim}; Outplay {row.found}: {row.verdict}{why}",
        soft_wrap=True,
        markup=False,
    )
