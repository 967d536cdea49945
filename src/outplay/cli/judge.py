"""`outplay judge`: how well a learned estimate plays, in words or as JSON."""

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from outplay.arena.judge import judge as run_judge
from outplay.cli.guard import guard
from outplay.learn.learned import Learned


def judge(console: Console, errors: Console, name: str, *, learned: Path, as_json: bool, **options: Any) -> None:
    """Judge the estimate in the file *learned* of the game that *name* names, and print what is found."""
    game = guard.load(name)
    estimate = Learned.load(learned, game)
    with Progress(*Progress.get_default_columns(), console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("judging", total=None)
        found = run_judge(
            game, estimate, progress=lambda done, total: bar.update(task, completed=done, total=total), **options
        )  # fmt: skip
    if as_json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        console.print(escape(found.explain()), soft_wrap=not console.is_terminal)
