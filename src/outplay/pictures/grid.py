"""`grid`: a board of cells as a picture, for a `draw` with two lines."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

from outplay.errors import OptionError
from outplay.pictures.pieces import PLAYERS, discs, signs
from outplay.pictures.scene import MARGIN, Frame
from outplay.pictures.shapes import COLOURS, anchor, centred, clean, dots, hit, short, squares, svg, words

MOST_CELLS = 1024
FINGER = 44  # the least side of a cell: 40 pixels on a telephone, with a bar beside the board
DISCS = {"×": "x", "○": "o"}  # marks that are drawn, with the line of a player's disc
EMPTY = ("", ".", " ", "_")  # marks of an empty cell


@dataclass(frozen=True)
class Look:
    """The look of a cell: its text, and a class ("first" and "second" are the players) or a colour."""

    text: str
    kind: str = "ink"


NOTHING = Look("")


def grid(
    cells: Iterable[Any],
    *,
    columns: int | None = None,
    marks: Sequence[str] | Mapping[Any, str] = (),
    colours: Sequence[str] | Mapping[Any, str] = (),
    moves: Iterable[int] | Mapping[int, int | Iterable[int]] = (),
    labels: bool = False,
    last: Iterable[int] = (),
    title: str = "",
    note: str = "",
) -> str:
    """Return a board of *cells* as an SVG text, for a game's `draw`: `return grid(state.board, marks=".XO", moves=moves(state))`.

    *cells*: the values row by row, or rows of values. *columns*: the number of cells in a row; by default a square, or one row.
    *marks*: the text of each value, by place (".XO": 0 is empty, 1 is X, 2 is O) or by value ({0: "", 9: "#"}); a value
    without a mark is its own text. *colours*: by place or by value; "first" and "second" are the colours of the players. If
    there are two marks, the first one belongs to player 0. *moves*: the moves that a click makes, each the number of its
    cell, counted from 0; or a mapping from each move to its cell or cells, such as {move: move - 1} or {move: (start, end)}.
    *labels*: letters for the columns and numbers for the rows. *last*: cells with a ring. *title* and *note*: a line above
    and a line below the board.
    """
    rows = _rows(cells, columns)
    flat = [value for row in rows for value in row]
    looks = _looks(flat, marks, colours)
    if labels and len(rows[0]) > len(ascii_lowercase):
        raise OptionError(
            f"labels of a grid name at most {len(ascii_lowercase)} columns, and this grid has {len(rows[0])}; leave them out"
        )
    top = 44 if title else MARGIN
    frame = Frame(len(rows), len(rows[0]), least=FINGER, top=top, edge=28 if labels else MARGIN)
    free = {place for place, look in enumerate(looks) if look.text == ""}
    parts = [words(frame.width / 2, 30, title, size=16, bold=True)] if title else []
    parts += drawn_cells(frame, looks)
    parts.append(rings(frame, _inside(last, flat, "last")))
    parts.append(frame.named() if labels else "")
    parts += clicks(frame, _targets(moves, flat), free)
    bottom = frame.bottom + (26 if labels else MARGIN)
    if note:
        parts.append(words(frame.width / 2, bottom + 12, note, "faint", size=14))
    return svg(frame.width, bottom + (26 if note else 0), title or "a board", *parts)


def drawn_cells(frame: Frame, looks: Sequence[Look]) -> list[str]:
    """Return the cells of a board, row by row, with their contents."""
    cell = frame.cell
    gap = 0.03 * cell
    places = [divmod(place, frame.columns) for place in range(len(looks))]
    empty = squares([(x + gap, y + gap) for x, y in (frame.corner(*place) for place in places)], cell - 2 * gap, "cell")
    # The content of each cell, so that the page can find the cells that a move has changed.
    held = " ".join(re.sub(r"\s", "_", f"{look.kind[:1]}{look.text}") for look in looks)
    where = " ".join(map(short, (*frame.corner(0, 0), cell, frame.columns)))
    parts = [empty.replace("<path", f'<path data-grid="{where}" data-cells="{clean(held)}"', 1)]
    for look in dict.fromkeys(looks):
        if look.text:
            centres = [frame.centre(*place) for place, other in zip(places, looks, strict=True) if other == look]
            parts.append(_pieces(centres, look, cell))
    return parts


def _pieces(centres: list[tuple[float, float]], look: Look, cell: float) -> str:
    text = look.text if len(look.text) <= 9 else look.text[:8] + "…"
    if look.kind in PLAYERS:
        if text in ("X", "O"):
            return signs(centres, 0.32 * cell, PLAYERS.index(look.kind), text)
        if text in DISCS:
            return discs(centres, 0.4 * cell, PLAYERS.index(look.kind), mark=DISCS[text])
        size = min(0.42 * cell, cell / len(text))
        return dots(centres, 0.4 * cell, look.kind) + "".join(
            centred(x, y, text, "glyph", size=size, bold=True) for x, y in centres
        )
    size = min(0.46 * cell, 1.35 * cell / len(text))
    return "".join(centred(x, y, text, look.kind, size=size, bold=look.kind != "faint") for x, y in centres)


def rings(frame: Frame, places: Iterable[int]) -> str:
    """Return rings around cells."""
    return dots(
        [frame.centre(*divmod(place, frame.columns)) for place in places], 0.43 * frame.cell, "last", line=0.07 * frame.cell
    )


def clicks(
    frame: Frame, targets: Mapping[int, Sequence[int]], free: Iterable[int], names: Mapping[int, str] = MappingProxyType({})
) -> list[str]:
    """Return the elements to click for moves. The value of a move is written on the last of its cells that is *free*."""
    listing: dict[int, list[int]] = {}
    for move, places in targets.items():
        for place in places:
            listing.setdefault(place, []).append(move)
    free = set(free)
    homes = {move: next((place for place in reversed(places) if place in free), places[-1]) for move, places in targets.items()}
    whole = {move for move, places in targets.items() if len(places) > 1 and _is_column(frame, places, listing)}
    parts: list[str] = []
    anchored: set[int] = set()
    for move in sorted(whole):
        column = targets[move][0] % frame.columns
        x, y = frame.corner(0, column)
        label = names.get(move) or f"column {column + 1}"
        parts.append(hit(x, y, frame.cell, frame.rows * frame.cell, [move], label, corner=0.1 * frame.cell, anchored=False))
    for place, moves in sorted(listing.items()):
        if whole.isdisjoint(moves):
            x, y = frame.corner(*divmod(place, frame.columns))
            at_home = all(homes[move] == place for move in moves)
            anchored |= set(moves) if at_home else set()
            label = names.get(moves[0], "") if len(moves) == 1 else ""
            label = label or "row {}, column {}".format(*(1 + at for at in divmod(place, frame.columns)))
            start = [move for move in moves if targets[move][0] == place != targets[move][-1] and place not in free]
            fills = any(len(targets[move]) > 1 and free.issuperset(targets[move]) for move in moves)
            told = start if start or fills else None
            parts.append(hit(x, y, frame.cell, frame.cell, moves, label, corner=0.1 * frame.cell, anchored=at_home, start=told))
    for move, home in homes.items():
        if move not in anchored:
            parts.append(anchor(*frame.centre(*divmod(home, frame.columns)), [move]))
    return parts


def _is_column(frame: Frame, places: Sequence[int], listing: Mapping[int, list[int]]) -> bool:
    """Return whether *places* are a whole column that belongs to one move alone."""
    column = range(places[0] % frame.columns, frame.rows * frame.columns, frame.columns)
    return sorted(places) == list(column) and all(len(listing[place]) == 1 for place in places)


def _rows(cells: Iterable[Any], columns: int | None) -> list[list[Any]]:
    """Return *cells* as rows of one length."""
    listed = cells.tolist() if hasattr(cells, "tolist") else cells
    if isinstance(listed, Iterable):
        listed = [list(row) if isinstance(row, (list, tuple)) else row for row in listed]
    if not isinstance(listed, list) or not listed:
        raise OptionError(f"grid needs the values of the cells, such as state.board; got {cells!r:.60}")
    if isinstance(listed[0], list):
        if len({len(row) if isinstance(row, list) else -1 for row in listed}) > 1 or not listed[0]:
            raise OptionError("the rows of a grid must be equally long, and not empty")
        if any(isinstance(value, (list, tuple)) for row in listed for value in row):
            raise OptionError("grid draws rows of cells, but the cells of these rows are rows themselves; draw one layer")
        rows = listed
    else:
        across = columns if columns is not None else square_side(len(listed)) or len(listed)
        if isinstance(across, bool) or not isinstance(across, int) or across < 1 or len(listed) % across:
            raise OptionError(f"columns={columns!r} of a grid of {len(listed)} cells must be a number that divides it")
        rows = [listed[first : first + across] for first in range(0, len(listed), across)]
    if len(rows) * len(rows[0]) > MOST_CELLS:
        raise OptionError(f"a grid has at most {MOST_CELLS:,} cells; this one has {len(rows) * len(rows[0]):,}")
    return rows


def square_side(number: int) -> int:
    """Return the side of a square board with *number* cells; 0 if it is not a square. Four values are rarely a board."""
    side = isqrt(number)
    return side if side * side == number and side > 2 else 0


def _looks(cells: list[Any], marks: Sequence[str] | Mapping[Any, str], colours: Sequence[str] | Mapping[Any, str]) -> list[Look]:
    """Return how each cell is drawn."""
    named, painted = _by_value(marks, "marks"), _by_value(colours, "colours")
    if unknown := [kind for kind in painted.values() if kind not in COLOURS and not kind.startswith("#")]:
        raise OptionError(
            f'{unknown[0]!r} is not a colour of a grid; write "first", "second", "ink", "faint" or one such as "#884400"'
        )
    painted = {"X": PLAYERS[0], "O": PLAYERS[1]} | painted  # for cells that are letters
    pieces = [value for value, mark in named.items() if mark not in EMPTY]
    if len(pieces) == 2:
        painted = dict(zip(pieces, PLAYERS, strict=True)) | painted
    known: dict[Any, Look] = {}
    for value in cells:
        if value not in known:
            text = named.get(value, "" if value is None else str(value))
            known[value] = NOTHING if text in EMPTY else Look(text, painted.get(value, "ink"))
    zero = known.get(0)
    if zero is not None and 0 not in named and 0 not in painted:
        known[0] = replace(zero, kind="faint")
    return [known[value] for value in cells]


def _by_value(given: Sequence[str] | Mapping[Any, str], what: str) -> dict[Any, str]:
    try:
        found: dict[Any, str] | None = dict(given) if isinstance(given, Mapping) else dict(enumerate(given))
    except TypeError:
        found = None
    if found is None or not all(isinstance(text, str) for text in found.values()):
        example = '".XO"' if what == "marks" else '("cell", "first", "second")'
        raise OptionError(f"{what} of a grid are texts by value, such as {example} or a dict; got {given!r:.60}")
    return found


def _targets(moves: Iterable[int] | Mapping[int, int | Iterable[int]], cells: list[Any]) -> dict[int, list[int]]:
    """Return the cells that each move is made on."""
    if isinstance(moves, Mapping):
        listed = {move: [at] if isinstance(at, int) else list(at) for move, at in moves.items()}
    else:
        listed = {int(move): [int(move)] for move in moves}
    for move, places in listed.items():
        if not places or any(isinstance(place, bool) or not 0 <= place < len(cells) for place in places):
            raise OptionError(
                f"move {move} of a grid stands on cell {', '.join(map(str, places)) or 'none'}, but the cells are 0 to {len(cells) - 1}; "
                "hand over a dict of each move and its cell, such as moves={move: move - 1 for move in moves(state)}"
            )
    return listed


def _inside(places: Iterable[int], cells: list[Any], what: str) -> list[int]:
    found = [int(place) for place in places]
    if any(not 0 <= place < len(cells) for place in found):
        raise OptionError(f"{what}={found} of a grid must be cells, from 0 to {len(cells) - 1}")
    return found
