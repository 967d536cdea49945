"""The place of everything in a drawn tree: columns by the tidy layout, rows by their contents.

Of one row, from top to bottom:

    joint     where the edges from above end; upright from here on, so that no edge crosses a label
    top       of the tallest shape; all shapes of a row have one middle line
    foot      of the tallest shape
    end       of the tallest box; the edges to the children spread from here
"""

from dataclasses import dataclass

from outplay.draw.boxes import Box, Sizes
from outplay.draw.layout import tidy

STEM = 8.0  # the piece of an edge between a label and its shape, and between a box and the row's end


@dataclass(frozen=True)
class Row:
    """The heights of one row, from the top of the drawing."""

    joint: float
    top: float
    foot: float
    end: float


@dataclass(frozen=True)
class Places:
    """The boxes of a tree with their columns and rows."""

    boxes: list[Box]
    columns: list[float]  # the centre of each box
    rows: list[Row]
    right: float
    bottom: float

    def x(self, box: Box) -> float:
        """Return the centre of *box*."""
        return self.columns[box.index]

    def row(self, box: Box) -> Row:
        """Return the row of *box*."""
        return self.rows[box.depth]

    def shape_top(self, box: Box) -> float:
        """Return where the shape of *box* begins."""
        row = self.rows[box.depth]
        return (row.top + row.foot - box.shape_height) / 2

    def foot(self, box: Box) -> float:
        """Return the top of the text and picture beneath the shape of *box*; pictures in a row are aligned."""
        return self.row(box).foot if box.picture else self.shape_top(box) + box.shape_height

    def last(self, box: Box) -> float:
        """Return where *box* ends, and its edges begin."""
        return self.foot(box) + box.below


def place(boxes: list[Box], sizes: Sizes, *, top: float) -> Places:
    """Return where *boxes* stand, from *top* downwards and 0 to the right."""
    children: list[list[int]] = [[] for _ in boxes]
    levels: list[list[Box]] = []
    for box in boxes:
        if box.depth == len(levels):
            levels.append([])
        levels[box.depth].append(box)
        if box.parent >= 0:
            children[box.parent].append(box.index)
    columns = tidy(children, [box.width for box in boxes], gap=sizes.gap)
    rows: list[Row] = []
    for level in levels:
        joint = top
        if rows:
            span = max(abs(columns[box.index] - columns[box.parent]) for box in level)
            # A flat edge would brush the labels beneath it.
            joint = rows[-1].end + min(28 + 0.07 * span, 180)
        labels = max(box.label_height for box in level)
        shapes = joint + labels + (STEM if labels else 0)
        foot = shapes + max(box.shape_height for box in level)
        rows.append(Row(joint, shapes, foot, foot + max(box.below for box in level) + STEM))
    right = max(column + box.width / 2 for column, box in zip(columns, boxes, strict=True))
    return Places(boxes, columns, rows, right, rows[-1].end)
