"""Tic-tac-toe, drawn."""

from outplay.pictures.pieces import signs
from outplay.pictures.scene import Frame, Scene, in_line
from outplay.pictures.shapes import hit, lines, squares, through, words


def painter(scene: Scene, rows_of):
    """Return the `draw` of tic-tac-toe; *rows_of* a state are its rows of letters."""
    frame = Frame(3, 3, most=100)
    cell = frame.cell
    places = [divmod(square, 3) for square in range(9)]

    def draw(state):
        rows, legal = rows_of(state), scene.legal(state)
        parts = [squares([(x + 3, y + 3) for x, y in (frame.corner(*place) for place in places)], cell - 6, "cell")]
        for player, letter in enumerate("XO"):
            parts.append(signs(frame.centres(rows, letter), 0.32 * cell, player, letter))
        for line in in_line(rows, 3):
            parts.append(lines([through(frame.centre(*line[0]), frame.centre(*line[2]))], "last", line=8))
        for square, place in enumerate(places, 1):
            x, y = frame.corner(*place)
            if rows[place[0]][place[1]] == ".":
                parts.append(words(x + 12, y + 22, square, "faint", size=13, at="start"))
            if square in legal:
                parts.append(hit(x + 3, y + 3, cell - 6, cell - 6, [square], f"square {square}", corner=0.1 * cell))
        return scene.picture(state, frame.width, frame.bottom + 10, *parts)

    return draw
