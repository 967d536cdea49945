"""How a notebook shows a state with a text, and the report of a check."""

from collections.abc import Sequence
from html import escape
from textwrap import dedent
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from outplay.rules.game import Game


def beside(game: "Game", state: Any, text: str) -> str:
    """Return HTML with the picture of *state* and *text* side by side, or one above the other on a narrow page."""
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 1.5em; align-items: start">'
        f'<div style="width: 15em">{game.picture(state).svg}</div>'
        f'<pre style="margin: 0; flex: 1 1 24em; min-width: 0; white-space: pre-wrap; font-family: monospace">{escape(text)}</pre></div>'
    )


def paragraph(text: str) -> str:
    """Return HTML with *text* alone."""
    return f"<p>{escape(text)}</p>"


def preformatted(text: str) -> str:
    """Return HTML with the lines of *text* alone."""
    return f'<pre style="margin: 0 0 0.6em; white-space: pre-wrap; font-family: monospace">{escape(text)}</pre>'


def report(ok: bool, title: str, problems: Sequence[str], remarks: Sequence[str], saw: Sequence[str] = ()) -> str:
    """Return HTML for the report of a check: *title* in one line, then *problems*, *remarks* and *saw* as lists."""
    sign, colour = (
        ("\N{MULTIPLICATION X}", "#D55E00") if not ok else ("!", "#E69F00") if remarks else ("\N{CHECK MARK}", "#009E73")
    )
    parts = [
        f'<div style="font-weight: 600"><span style="color: {colour}" aria-hidden="true">{sign}</span> {escape(title)}</div>'
    ]
    for heading, entries in (("Problems", problems), ("Remarks", remarks), ("What it saw", saw)):
        if entries:
            items = "".join(map(_item, _with_boards(entries)))
            parts.append(f'<div style="margin-top: 0.6em">{heading}</div><ul style="margin: 0; padding-left: 1.4em">{items}</ul>')
    return f'<div style="border-left: 4px solid {colour}; padding: 0.3em 0 0.3em 1em; max-width: 60em">{"".join(parts)}</div>'


def _with_boards(entries: Sequence[str]) -> list[list[str]]:
    """Return the entries, each with the indented lines after it: the rows of a board."""
    found: list[list[str]] = []
    for entry in entries:
        if entry.startswith(" ") and found:
            found[-1].append(entry)
        else:
            found.append([entry])
    return found


def _item(lines: list[str]) -> str:
    rows = escape(dedent("\n".join(lines[1:])))
    board = f'<pre style="margin: 0.3em 0; font-family: monospace; line-height: 1.3">{rows}</pre>' if rows else ""
    return f'<li style="white-space: pre-wrap; margin: 0.3em 0">{escape(lines[0])}{board}</li>'
