"""The progress of a search: a line that changes on a terminal, or a line for each depth."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from outplay.rules.game import Game
from outplay.rules.number_text import signed_value
from outplay.rules.text import line_text
from outplay.search.result import Iteration
from outplay.search.words import UNDECIDED, undecided

Progress = Callable[[Iteration], None]


@contextmanager
def watching(
    console: Console, game: Game, state: Any, *, quiet: bool = False, verbose: bool = False
) -> Iterator[Progress | None]:
    """Yield the callback for each depth of a search: None if *quiet*, or if there is no terminal and not *verbose*."""
    if verbose and not quiet:
        yield lambda iteration: console.print(escape(_words(game, state, iteration)), soft_wrap=not console.is_terminal)
    elif quiet or not console.is_terminal:
        yield None
    else:
        with console.status("searching ...") as status:
            room = console.width - 3  # beside the spinner, on one line
            yield lambda iteration: status.update(Text(shorten(_words(game, state, iteration), room)))


def shorten(text: str, room: int) -> str:
    """Return *text*, its end left out if there is no *room* for it."""
    return text if len(text) <= room else f"{text[: max(room - 4, 0)]} ..."


def _words(game: Game, state: Any, iteration: Iteration) -> str:
    speed = iteration.nodes / max(iteration.seconds, 1e-9)
    value = f"value {signed_value(iteration.value)} to {game.players[0]}"
    if iteration.simulations:
        return (
            f"{iteration.simulations:,} simulations, {value}, {iteration.simulations / max(iteration.seconds, 1e-9):,.0f} a second, "
            f"line {line_text(game, state, iteration.line[:12])}"
        )
    return (
        f"depth {iteration.depth}, {UNDECIDED if undecided(game, iteration.value, proven=iteration.proven) else value}, "
        f"{iteration.nodes:,} nodes, {speed:,.0f} a second, line {line_text(game, state, iteration.line[:12])}"
    )
