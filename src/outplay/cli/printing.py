"""Prints what a command has found: as text, or as JSON."""

import json
import sys
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.markup import escape

from outplay.errors import Interrupted


def say(console: Console, text: object, *, style: str | None = None) -> None:
    """Print *text* as it is; lines are broken only where a terminal needs it."""
    console.print(escape(str(text)), soft_wrap=not console.is_terminal, style=style)


def print_result(
    console: Console, run: Callable[[], Any], *, as_json: bool, note: str = "", explain: Callable[[Any], str] | None = None
) -> None:
    """Print what *run* returns, or what it had found when Ctrl-C ended it; the status is then 130.

    *explain* puts it into words; by default, its own `explain` does. A *note* follows text that is not proven.
    """
    interrupted = False
    try:
        found = run()
    except Interrupted as stopped:
        if stopped.result is None:
            raise
        found, interrupted = stopped.result, True
    if as_json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        say(console, found.explain() if explain is None else explain(found))
        if note and not found.proven:
            say(console, note)
    if interrupted:
        sys.exit(130)
