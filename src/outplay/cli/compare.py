"""`outplay compare`: what each technique is worth, as a table, JSON or a plot."""

import json
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from outplay.cli.guard import guard
from outplay.cli.position import position
from outplay.search.compare import check_plot
from outplay.search.compare import compare as run_compare


def compare(
    console: Console,
    errors: Console,
    name: str,
    text: str,
    moves: str,
    *,
    depth: int,
    positions: int,
    nodes: int,
    seed: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Compare the techniques on positions after the state that *text* and *moves* say, and print what is found."""
    if plot is not None:
        check_plot(plot)
    game = guard.load(name)
    state = position(game, text, moves)
    with errors.status("", spinner="dots") as status:
        found = run_compare(
            game, state, depth=depth, positions=positions, nodes=nodes, seed=seed, progress=lambda what: status.update(escape(what))
        )  # fmt: skip
    if plot is not None:
        found.plot(plot)
    if as_json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        console.print(escape(found.explain()), soft_wrap=True)
