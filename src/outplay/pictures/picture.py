"""A state as a picture: an SVG text that a notebook shows, a file keeps and the page makes clickable.

A game's `draw(state)` returns a complete `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 W H">...</svg>` with
role="img" and an aria-label that says who is to move. `outplay.grid` writes one for a board of cells, `outplay.pictures.shapes`
helps to write others; a game without `draw` has the board of `boards.py`. All pictures of a game have the same
size, about 360 units wide. They contain no script, style, id or link, so that one page can show several.

*Moves.* An element with `data-moves="3 17 22"` is part of these legal moves. A person clicks elements until only one move
is listed by all of them. A column lists one move. If pieces walk, a piece lists every move from its point, a free point
every move to it, and a piece of the opponent every move that takes it. An element to click has the class `hit` and an
aria-label ("column 4"). It is drawn on top, in the highlight colour, and invisible (fill-opacity="0") until the page puts
a ring around it. The value of a move is written at the centre of the element that lists the move and has `data-anchor`;
the piece that moves has the move in `data-from`, which is empty if the move goes from nowhere. docs/games.md has an example.

*Colours.* Presentation attributes (fill="#0072B2"), so that the picture needs no style sheet, and one class that the
page changes in dark mode:

    filled     board  cell  first  second  glyph (text on a piece)  ink  faint  card  die
    stroked    grid   mark (cross and ring on pieces)   last (the last move, or the winning pieces)

Colour is never the only difference: pieces of player 0 have a cross, pieces of player 1 a ring, or signs of the game.
"""

import os
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from outplay.atomic_write import write_text
from outplay.errors import RuleError
from outplay.pictures.board_text import BoardText, is_huge, value_text
from outplay.pictures.boards import board_svg, has_board
from outplay.pictures.shapes import svg, words

if TYPE_CHECKING:
    from outplay.rules.game import Game

MOVER = ("player", "turn", "mover", "to move")  # fields that say who moves: the page shows that beside the picture
LINE = 40  # letters of a field's value in one line
ROOT = "http://www.w3.org/2000/svg svg"  # the root of a picture, after its namespace


@dataclass(frozen=True)
class Picture:
    """An SVG text; a notebook shows it, `save` writes it to a file."""

    svg: str

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg):,} characters of SVG>"

    def _repr_svg_(self) -> str:
        """Return the picture with its own size; without a size, a notebook would stretch it to its whole width."""
        return re.sub(r'^(<svg [^>]*)viewBox="0 0 ([\d.]+) ([\d.]+)"', self._sized, self.svg, count=1)

    @staticmethod
    def _sized(found: re.Match[str]) -> str:
        start, width, height = found.groups()
        if re.search(r"\s(width|height)=", start):
            return found.group()
        return f'{start}viewBox="0 0 {width} {height}" width="{width}" height="{height}"'

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture to *path*, completely or not at all, and return the path."""
        path = Path(path)
        write_text(path, self._repr_svg_() + "\n")
        return path


def listed_moves(game: "Game", svg: str) -> list[str]:
    """Return the moves in the elements of *svg*, as texts; raise a RuleError if a page cannot show it."""
    parser = expat.ParserCreate(namespace_separator=" ")
    names: list[str] = []
    moves: list[str] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        names.append(name)
        moves.extend(attributes.get("data-moves", "").split())

    parser.StartElementHandler = begin
    try:
        parser.Parse(svg, True)
    except expat.ExpatError as error:
        raise RuleError(f"draw of {game.name!r} returns an SVG that is not well formed: {error}") from None
    if names[0] != ROOT:
        raise RuleError(
            f'draw of {game.name!r} returns something else than an SVG: it must begin <svg xmlns="http://www.w3.org/2000/svg"'
        )
    return moves


def text_picture(game: "Game", state: Any) -> Picture:
    """Return a state of a game without `draw` as a picture: its board, the text of `show`, or a table of its fields."""
    if has_board(game):
        return Picture(board_svg(game, state))
    if isinstance(game.show, BoardText):  # the game has none of its own
        return table_picture(game, state)
    lines = str(game.show(state)).expandtabs().splitlines() or [""]
    width = max(map(len, lines))
    texts = [
        words(12, 24 + 20 * row, line.replace(" ", "\N{NO-BREAK SPACE}"), size=14, at="start", font="monospace")
        for row, line in enumerate(lines)
        if line.strip()
    ]
    return Picture(svg(max(8.5 * width + 24, 120), 20 * len(lines) + 20, game.name, *texts))


def table_picture(game: "Game", state: Any) -> Picture:
    """Return the fields of a state as a picture, one row each, for a game without `draw` and `show`."""
    fields = {name.replace("_", " "): value for name, value in zip(state._fields, state, strict=True)}
    fields = {name: value for name, value in fields.items() if name not in MOVER} or fields
    left = 24 + 8 * max(map(len, fields))
    texts, row, width = [], 0, 0
    for name, value in fields.items():
        texts.append(words(12, 26 + 22 * row, name, "faint", size=14, at="start"))
        for line in _lines(value_text(value) if is_huge(value) else value.tolist() if hasattr(value, "tolist") else value):
            texts.append(words(left, 26 + 22 * row, line, size=14, at="start", font="monospace"))
            row, width = row + 1, max(width, len(line))
    return Picture(svg(max(left + 8.5 * width + 12, 160), 22 * row + 16, game.name, *texts))


def _lines(value: Any) -> list[str]:
    """Return a value as lines of text: one line for each row."""
    if isinstance(value, (list, tuple)):
        if any(isinstance(row, (list, tuple)) for row in value):
            return [line for row in value for line in _lines(row)]
        value = " ".join(map(str, value))
    return textwrap.wrap(str(value), LINE) or [""]
