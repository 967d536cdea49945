"""The progress of a solve, on standard error: a bar on a terminal, now and then a line elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from outplay.solve.progress import Progress

SELDOM = 10.0  # seconds from one line to the next, where there is no terminal
MANY = 1_000_000  # states or nodes: fewer are soon done with, and nothing is said of them
PHASES = {
    "states": "counting states",
    "graph": "linking states",
    "values": "finding values",
    "file": "writing the file",
    "proof": "proving",
    "verify": "verifying",
}


@contextmanager
def solving(errors: Console) -> Iterator["Meter"]:
    """Yield the callback for the progress of a solve."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(20), TextColumn("{task.fields[figures]}"))
    bar = Bar(*columns, TimeElapsedColumn(), console=errors, transient=True)
    try:
        yield Meter(errors, bar)
    finally:
        if bar.tasks:
            bar.stop()


class Meter:
    """The callback for the progress of a solve. `note` is the last report of a proof on the value."""

    def __init__(self, errors: Console, bar: Bar) -> None:
        self.errors, self.bar, self.note = errors, bar, ""
        self._phase, self._next = "", time.monotonic() + SELDOM
        self._room = 0  # states that fit into memory, until it is said

    def __call__(self, progress: Progress) -> None:
        """Show it; of a small solve where there is no terminal, nothing."""
        large = max(progress.done, progress.states) >= MANY
        if progress.phase == "memory":
            self._room = progress.total or 0
            return
        if self._room and large and progress.phase != "proof":
            said = f"Memory allows a table of about {_rounded(self._room)} states."
            self.errors.print(said, soft_wrap=not self.errors.is_terminal)
            self._room = 0
        if progress.phase == "no table":
            said = f"No table: {progress.note}. The value of this one state is proven by a search instead, which may take long."
            self.errors.print(escape(said), soft_wrap=not self.errors.is_terminal)
            return
        elif self.errors.is_terminal:
            self._draw(progress)
        elif large and time.monotonic() >= self._next:
            self._next = time.monotonic() + SELDOM
            self.errors.print(f"{PHASES[progress.phase]}: {_figures(progress)}", soft_wrap=not self.errors.is_terminal)
        self._phase, self.note = progress.phase, progress.note

    def _draw(self, progress: Progress) -> None:
        if not self.bar.tasks:
            if progress.done <= 1:  # what is compiled first is announced in the same place
                return
            self.bar.start()
        if not self.bar.tasks or progress.phase != self._phase:
            for task in self.bar.task_ids:
                self.bar.remove_task(task)
            self.bar.add_task(PHASES[progress.phase], total=None, figures="")
        total = progress.total if progress.done else None  # nothing yet: the bar only moves to and fro
        self.bar.update(self.bar.task_ids[0], completed=progress.done, total=total, figures=_figures(progress))


def _figures(progress: Progress) -> str:
    """Return the numbers in words."""
    what = "node" if progress.phase == "proof" else "state"
    of = f" of {progress.total:,}" if progress.total is not None and progress.done else ""
    number = progress.done or progress.states
    words = [f"{number:,}{of} {what}{'s' * (number != 1 or bool(of))}"]
    if progress.per_second >= 1:
        words.append(f"{progress.per_second:,.0f} a second")
    if progress.seconds_left is not None:
        words.append(f"{time_text(progress.seconds_left)} left")
    if progress.note:
        words.append(f"value {progress.note}")
    return ", ".join(words)


def _rounded(number: int) -> str:
    return f"{number / 1e6:,.0f} million" if number >= 1e7 else f"{number:,}"


def time_text(seconds: float) -> str:
    """Return a time in words."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
