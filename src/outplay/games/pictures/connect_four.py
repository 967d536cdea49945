"""Connect Four, drawn; and the board of holes that it shares with its extended kin."""

from outplay.pictures.pieces import discs
from outplay.pictures.scene import Frame, Scene, in_line
from outplay.pictures.shapes import box, centred, dots, hit
from outplay.rules.game import OVER


def painter(scene: Scene, rows: int, columns: int, line: int, rows_of):
    """Return the `draw` of Connect Four; *rows_of* a state are its rows of letters."""
    frame = Frame(rows, columns, most=64)

    def draw(state):
        cells = rows_of(state)
        over = scene.turn(state) == OVER
        won = {place for places in in_line(cells, line) for place in places} if over else ()
        parts = [
            holes(frame, cells),
            dots([frame.centre(*place) for place in won], 0.41 * frame.cell, "last", line=0.1 * frame.cell),
            *(centred(frame.centre(0, column)[0], frame.bottom + 15, column + 1, "faint", size=13) for column in range(columns)),
            *(drop(frame, cells, move - 1, move, f"column {move}") for move in scene.legal(state)),
        ]
        return scene.picture(state, frame.width, frame.bottom + 28, *parts)

    return draw


def holes(frame: Frame, cells):
    """Return the board with its discs."""
    x, y = frame.corner(0, 0)
    wall = box(x, y, frame.columns * frame.cell, frame.rows * frame.cell, "cell", corner=0.25 * frame.cell)
    empty = dots(frame.centres(cells, "."), 0.4 * frame.cell, "board")
    return wall + empty + "".join(discs(frame.centres(cells, letter), 0.41 * frame.cell, who) for who, letter in enumerate("XO"))


def drop(frame: Frame, cells, column, move, label):
    """Return the column to click for a move, its value where the disc comes to lie."""
    x, y = frame.corner(0, column)
    landing = max(row for row in range(frame.rows) if cells[row][column] == ".")
    height = frame.rows * frame.cell
    whole = hit(x, y, frame.cell, height, [move], label, corner=0.25 * frame.cell, anchored=False)
    return whole + frame.anchored(landing, column, move)
