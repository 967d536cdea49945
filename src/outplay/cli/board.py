"""A board in the terminal: its text with some cells marked, by colour, or by brackets where there is none."""

import re
from typing import Any

from rich.text import Text

from outplay.rules.game import OVER, Game

Span = tuple[int, int, int]  # a line of the text, the first letter that is marked, and the one behind the last

PROSE = re.compile(r"[^\W\d_]{3}")  # a line with such a word says something of the board, and is none of its rows
EDGES = " -|"  # what a bracket may stand in place of
MARKS = (("X", "bold red"), ("O", "bold yellow"))
LAST, WON = "reverse", "bold green reverse"


def board(game: Game, state: Any, before: Any = None, *, colours: bool) -> Text:
    """Return *state* as text with the winning cells marked, or else the cells that changed since *before*."""
    shown = str(game.show(state))
    won = winning_cells(game, state, shown)
    spans = won or (changed(str(game.show(before)), shown) if before is not None else [])
    if not colours:
        return Text(bracketed(shown, spans))
    text = Text("\n".join(f" {line}" for line in shown.split("\n")))
    for letter, style in MARKS:
        text.highlight_regex(rf"\b{letter}\b", style)
    starts = _starts(text.plain)
    for line, first, end in spans:
        text.stylize(WON if won else LAST, starts[line] + 1 + first, starts[line] + 1 + end)
    return text


def winning_cells(game: Game, state: Any, shown: str) -> list[Span]:
    """Return the winning cells, if the game is over and has `winning`."""
    if game.winning is None or game.turn(state) != OVER:
        return []
    return changed(str(game.show(game.start)), str(game.show(game.winning(state))), shown)


def changed(before: str, after: str, where: str | None = None) -> list[Span]:
    """Return the cells of *after* that differ from *before*; with *where*, only those that are the same there."""
    old, new = before.split("\n"), after.split("\n")
    same = new if where is None else where.split("\n")
    if not len(old) == len(new) == len(same):
        return []
    spans = []
    for number, (one, other, third) in enumerate(zip(old, new, same, strict=True)):
        if PROSE.search(other) or PROSE.search(third):
            continue
        letters = zip(one.ljust(len(other)), other, third.ljust(len(other)), strict=False)
        differs = "".join("#" if a != b != " " and b == c else " " for a, b, c in letters)
        spans += [(number, *cell.span()) for cell in re.finditer("#+", differs)]
    return spans


def bracketed(shown: str, spans: list[Span]) -> str:
    """Return *shown* with brackets around the cells in *spans*, in place of the spaces and lines beside them."""
    lines = [f" {line} " for line in shown.split("\n")]
    for number, first, end in _joined([_roomy(lines[line], line, first + 1, end + 1) for line, first, end in spans]):
        line = lines[number]
        lines[number] = f"{line[: first - 1]}[{line[first:end]}]{line[end + 1 :]}"
    return "\n".join(line.rstrip() for line in lines)


def _roomy(line: str, number: int, first: int, end: int) -> Span:
    """Return the cell, or the whole word around it, if there is no room for brackets beside the cell."""
    if line[first - 1] in EDGES and line[end] in EDGES:
        return number, first, end
    return number, line.rfind(" ", 0, first) + 1, line.find(" ", end)


def _joined(spans: list[Span]) -> list[Span]:
    """Return *spans*, those with a single letter between them made one: there is no room for two brackets."""
    joined: list[Span] = []
    for line, first, end in spans:
        if joined and joined[-1][0] == line and first - joined[-1][2] <= 1:
            joined[-1] = (line, joined[-1][1], end)
        else:
            joined.append((line, first, end))
    return joined


def _starts(text: str) -> list[int]:
    """Return where each line of *text* begins."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts
