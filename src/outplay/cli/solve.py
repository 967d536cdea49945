"""`outplay solve` and `outplay verify`: what they print."""

import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from outplay.cli.bar import solving
from outplay.cli.guard import guard
from outplay.cli.position import position
from outplay.cli.printing import say
from outplay.solve.certificate.verify import verify as run_verify
from outplay.solve.solve import solve as run_solve
from outplay.solve.tables.durable import work_folder

CHECKED = (
    "Checked: the checksums of the file; that it was made by the rules as they are now; that every state that can be reached is "
    "in it, and no other; that each one's value follows from those of its children, or from the score."
)


def solve(
    console: Console,
    errors: Console,
    name: str,
    text: str,
    moves: str,
    *,
    file: Path | None,
    accuracy: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Solve the game that *name* names from the state that *text* and *moves* say, and report."""
    game = guard.load(name)
    state = position(game, text, moves)
    there = file is not None and file.exists()
    work = None if file is None else work_folder(file)
    if not as_json:
        console.print(escape(str(game.show(state))))
    if work is not None and work.exists() and not there:
        say(errors, f"{work} is there: what it holds of this solve is used.")
    with solving(errors) as progress:
        try:
            found = run_solve(game, state, file=file, accuracy=accuracy, progress=progress, **options)
        except KeyboardInterrupt:
            say(errors, _interrupted(work, progress.note))
            sys.exit(130)
    if as_json:
        print(json.dumps({**found.to_dict(), "file": None if file is None else str(file)}, indent=2))
        return
    if there:
        say(console, f"{file} is there already, and this is what it says.")
    say(console, found.explain())
    if there and found.error > accuracy:
        say(console, f"To have it to within {accuracy:.1g}, delete {file} and solve again.")
    if file is not None:
        which = "" if game.loaded_as else f" {name}"
        say(console, f"The table is in {file}, {_size(file)}. To check it: outplay verify {file}{which}")


def _interrupted(work: Path | None, note: str) -> str:
    if note:
        return f"Interrupted. The value lies {note}; a proof keeps nothing, and begins anew."
    if work is None:
        return "Interrupted; nothing is kept. A table that is made with --file goes on later where it was."
    if not work.exists():
        return "Interrupted before there was anything to keep."
    return f"Interrupted. {work} holds what is done: the same command goes on from there."


def _size(file: Path) -> str:
    size = file.stat().st_size
    return f"{size / 1e9:.2f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"


def verify(console: Console, errors: Console, file: Path, name: str, *, threads: int | None) -> None:
    """Check the table in *file*; leave with status 1 if something in it is wrong."""
    game = guard.load(name) if name else None
    try:
        with solving(errors) as progress:
            found = run_verify(file, game, threads=threads, progress=progress)
    except KeyboardInterrupt:
        say(errors, "Interrupted; nothing is said of the table.")
        sys.exit(130)
    say(console, CHECKED)
    say(console, found.explain())
    if not found:
        sys.exit(1)
