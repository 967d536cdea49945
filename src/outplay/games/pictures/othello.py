"""Othello, drawn. The squares open to a move have a small dot."""

from outplay.pictures.pieces import button, discs
from outplay.pictures.scene import Frame, Scene
from outplay.pictures.shapes import dots, hit, squares


def painter(scene: Scene, size: int, stride: int, passing: int, rows_of, name_move):
    """Return the `draw` of Othello; a move is the place of its square, *stride* a row, or *passing*."""
    frame = Frame(size, size, edge=26)
    cell = frame.cell
    corners = [frame.corner(row, column) for row in range(size) for column in range(size)]

    def draw(state):
        rows, legal = rows_of(state), scene.legal(state)
        open_to = {move: divmod(move, stride) for move in legal if move != passing}
        parts = [
            frame.named(),
            squares([(x + 1.5, y + 1.5) for x, y in corners], cell - 3, "cell"),
            *(discs(frame.centres(rows, letter), 0.4 * cell, player) for player, letter in enumerate("XO")),
            dots([frame.centre(*place) for place in open_to.values()], 0.08 * cell, "faint"),
        ]
        for move, place in open_to.items():
            x, y = frame.corner(*place)
            parts.append(hit(x + 1.5, y + 1.5, cell - 3, cell - 3, [move], name_move(state, move)))
        if passing in legal:
            parts.append(button(frame.width / 2 - 75, (frame.top + frame.bottom) / 2 - 24, 150, 48, "pass", [passing]))
        notes = [sum(row.count(letter) for row in rows) for letter in "XO"]
        return scene.picture(state, frame.width, frame.bottom + 26, *parts, notes=notes)

    return draw
