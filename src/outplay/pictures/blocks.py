"""Blocks: the fields of a state that look like boards. A square tuple or a rectangular array is a board; a shorter field is a row of numbers."""

from dataclasses import dataclass
from typing import Any

from outplay.pictures.grid import square_side

MOST_CELLS, MOST_SIDE = 400, 32  # limits for a board that is drawn
MOST_BOARDS = 6
STRIP = 16  # up to so many values are a row of numbers; more are a board


@dataclass(frozen=True)
class Block:
    """A field of a state that is drawn cell by cell."""

    name: str
    rows: int
    columns: int
    cells: tuple[int, ...]
    sure: bool  # whether the field itself has this shape
    strip: bool  # whether it is a row of numbers, in two lines if it is long
    yes_or_no: bool  # whether its values are bools


def blocks_of(state: Any) -> list[Block]:
    """Return the fields of *state* that are drawn cell by cell, in order."""
    found: list[Block] = []
    for name, value in zip(state._fields, state, strict=True):
        is_array = hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0
        shape = tuple(value.shape) if is_array else (len(value),) if isinstance(value, tuple) else ()
        laid_out = _laid_out(shape)
        if laid_out is not None and len(found) < MOST_BOARDS:
            cells = tuple(map(int, value.ravel().tolist() if is_array else value))
            yes_or_no = is_array and value.dtype.kind == "b"
            sure = _sure(shape)
            strip = not sure and len(cells) <= STRIP
            found.append(Block(name.replace("_", " "), *laid_out, cells, sure, strip, yes_or_no))
    return found


def _laid_out(shape: tuple[int, ...]) -> tuple[int, int] | None:
    """Return the rows and columns of a board for values of that *shape*; None if it is not a board, or too large."""
    if len(shape) == 2:
        rows, columns = shape
    elif len(shape) == 1 and shape[0] > 1:
        rows, columns = _broken(shape[0])
    else:
        return None
    fits = 0 < rows <= MOST_SIDE and 0 < columns <= MOST_SIDE and rows * columns <= MOST_CELLS
    return (rows, columns) if fits else None


def _broken(number: int) -> tuple[int, int]:
    """Return rows and columns for *number* values: a square, a row, or a rectangle close to a square."""
    side = square_side(number)
    if side:
        return side, side
    if number <= STRIP:
        return (2, number // 2) if number > 8 and number % 2 == 0 else (1, number)
    columns = next(columns for columns in range(int(number**0.5) + 1, number + 1) if number % columns == 0)
    return (number // columns, columns) if columns <= 2.5 * number // columns else (-(-number // 8), 8)


def _sure(shape: tuple[int, ...]) -> bool:
    return bool(square_side(shape[0])) if len(shape) == 1 else min(shape) > 1
