"""`outplay learn`: learns a game by self-play, writes the estimate to a file, and shows its progress on a terminal."""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from outplay.cli.guard import guard
from outplay.cli.live import shorten
from outplay.errors import Interrupted, NotSaved, OutplayError
from outplay.learn.learn import learn as run_learn
from outplay.learn.learned import Learned
from outplay.learn.progress import Progress

BARS = "▁▂▃▄▅▆▇█"
COLUMNS = 20  # of the plot in the live line


def learn(
    console: Console,
    errors: Console,
    name: str,
    *,
    file: Path,
    seconds: float,
    threads: int,
    upon: str,
    seed: int,
    as_json: bool,
) -> None:
    """Learn the game that *name* names, and say what was learned."""
    game = guard.load(name)
    before = file.exists()
    interrupted = False
    with learning(errors) as progress:
        try:
            found = run_learn(
                game, seconds=seconds, threads=threads, upon=upon, file=file, seed=seed, progress=progress
            )  # fmt: skip
        except Interrupted as stopped:
            if stopped.result is None:
                raise
            found, interrupted = stopped.result, True
        except NotSaved as error:
            raise NotSaved(_rescued(error, file), error.result) from None
    if as_json:
        print(json.dumps({**found.to_dict(), "file": str(file)}, indent=2))
    else:
        _say(console, found.explain())
        _say(
            console,
            f"It is in {file}, which {'was there before and ' * before}holds all {found.games:,} games. {_use(name, file)}",
        )
    if interrupted:
        _say(errors, f"Interrupted. {file} holds what was learned: the same command goes on from there.")
        sys.exit(130)


@contextmanager
def learning(errors: Console) -> Iterator[Callable[[Progress], None] | None]:
    """Yield the callback for the progress of learning; None if there is no terminal."""
    if not errors.is_terminal:
        yield None
        return
    with errors.status("learning ...") as status:
        seen: list[float] = []

        def show(progress: Progress) -> None:
            if progress.error:  # 0: none was counted since the last look
                seen.append(progress.error)
            room = errors.width - 3  # beside the spinner, on one line
            status.update(Text(shorten(words(progress, seen, room), room)))

        yield show


def words(progress: Progress, errors: Sequence[float], room: int) -> str:
    """Return the progress of learning in one line; a plot of *errors*, the mean errors so far, takes what is left of the *room*."""
    if progress.phase == "looking":
        return "looking at random games ..."
    said = [f"{progress.games:,} games", f"{progress.moves_per_second:,.0f} moves/s"]
    if progress.seconds_left is not None:
        said.insert(0, f"{progress.seconds_left:.0f} s left")
    if progress.strength is not None:
        said.append(f"{progress.strength:.0%} against its start")
    elif progress.result is not None:
        said.append(f"mean result {progress.result:{',.0f' if abs(progress.result) >= 1000 else '.3g'}}")
    line = ", ".join([*said, "error "] if errors else said)
    return line + plot(errors, min(COLUMNS, room - len(line)))


def plot(values: Sequence[float], columns: int = COLUMNS) -> str:
    """Return *values* as a row of bars; where there are more than *columns*, each bar is the mean of several."""
    if not values or columns <= 0:
        return ""
    columns = min(columns, len(values))
    edges = [len(values) * column // columns for column in range(columns + 1)]
    means = [sum(values[low:high]) / (high - low) for low, high in pairwise(edges)]
    top = max(means) or 1.0
    return "".join(BARS[min(int(mean / top * len(BARS)), len(BARS) - 1)] for mean in means)


def _rescued(error: NotSaved, file: Path) -> str:
    """Save what was learned to a temporary folder, because *file* could not be written; return the message about it."""
    why, _, _ = str(error).partition("; what was learned is in the result")
    found = error.result
    assert isinstance(found, Learned)
    try:
        place = Path(tempfile.mkdtemp(prefix="outplay-")) / file.name
        found.save(place)
    except (OSError, OutplayError):
        return f"{why}. What was learned is lost"
    return f"{why}. What was learned is in {place}: move it to where there is room"


def _use(name: str, file: Path) -> str:
    return f"To use it: outplay best {name} --learned {file}"


def _say(console: Console, text: str) -> None:
    console.print(escape(text), soft_wrap=not console.is_terminal)
