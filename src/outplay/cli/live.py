"""The progress of a search: a line that changes on a terminal, plain lines elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape

from outplay.rules.game import Game
from outplay.rules.text import line_names
from outplay.search.result import Iteration, number

Progress = Callable[[Iteration], None]


@contextmanager
def watching(console: Console, game: Game, state: Any, *, quiet: bool = False) -> Iterator[Progress | None]:
    """Yield what a search is to call after each depth."""
    if quiet:
        yield None
    elif console.is_terminal:
        with console.status("searching ...") as status:
            yield lambda iteration: status.update(escape(_words(game, state, iteration)))
    else:
        yield lambda iteration: console.print(escape(_words(game, state, iteration)), soft_wrap=not console.is_terminal)


def _words(game: Game, state: Any, iteration: Iteration) -> str:
    speed = iteration.nodes / max(iteration.seconds, 1e-9)
    return (
        f"depth {iteration.depth}, value {number(iteration.value)}, {iteration.nodes:,} nodes, {speed:,.0f} a second, "
        f"line {' '.join(line_names(game, state, iteration.line[:12]))}"
    )
