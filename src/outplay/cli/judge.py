"""`outplay judge`: how well a learned estimate plays, in words or as JSON."""

from typing import Any

from rich.console import Console
from rich.progress import Progress

from outplay.arena.judge import judge as run_judge
from outplay.arena.judgement import Judgement
from outplay.cli.estimates import SHIPPED
from outplay.cli.guard import guard
from outplay.cli.printing import print_result
from outplay.learn.learned import Learned


def judge(console: Console, errors: Console, name: str, *, learned: str, as_json: bool, **options: Any) -> None:
    """Judge the estimate in the file *learned*, or the one that ships, of the game that *name* names, and print what is found."""
    game = guard.load(name)
    estimate = Learned.shipped(game) if learned == SHIPPED else Learned.load(learned, game)

    def run() -> Judgement:
        with Progress(*Progress.get_default_columns(), console=errors, transient=True, disable=not errors.is_terminal) as bar:
            task = bar.add_task("judging", total=None)

            def progress(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            return run_judge(game, estimate, progress=progress, **options)

    print_result(console, run, as_json=as_json)
