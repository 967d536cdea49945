"""Dots and Boxes, drawn. A state tells which boxes are taken and by how many one player leads, and not whose each is."""

from string import ascii_lowercase

from outplay.pictures.scene import Frame, Scene
from outplay.pictures.shapes import centred, dots, hit_path, lines, short, squares


def painter(scene: Scene, rows: int, columns: int, down: int, name_move):
    """Return the `draw` of Dots and Boxes; an edge across is the place of its left dot, one down of its upper dot, *down* more."""
    frame = Frame(rows, columns, edge=40, top=70, most=110, least=40)
    cell, width = frame.cell, columns + 1
    across = [(row, column) for row in range(rows + 1) for column in range(columns)]
    upright = [(row, column) for row in range(rows) for column in range(columns + 1)]
    boxes = [(row, column) for row in range(rows) for column in range(columns)]

    def ends(row, column, is_down):
        return *frame.corner(row, column), *frame.corner(row + is_down, column + 1 - is_down)

    def draw(state):
        taken = [frame.corner(*place) for place in boxes if not state.boxes >> place[0] * width + place[1] & 1]
        edges = [(*place, 0, state.across) for place in across] + [(*place, 1, state.down) for place in upright]
        drawn = [ends(row, column, is_down) for row, column, is_down, bits in edges if not bits >> row * width + column & 1]
        undrawn = [ends(row, column, is_down) for row, column, is_down, bits in edges if bits >> row * width + column & 1]
        parts = [
            squares([frame.corner(*place) for place in boxes], cell, "cell"),
            squares([(x + 0.25 * cell, y + 0.25 * cell) for x, y in taken], 0.5 * cell, "faint"),
            lines(undrawn, "grid", line=1).replace("<path", '<path stroke-dasharray="2 6"'),
            lines(drawn, "grid", line=6),
            dots([frame.corner(row, column) for row in range(rows + 1) for column in range(width)], 7, "ink"),
        ]
        parts += [
            centred(frame.corner(0, column)[0], frame.bottom + 20, ascii_lowercase[column], "faint", size=13)
            for column in range(width)
        ]
        parts += [
            centred(frame.corner(0, 0)[0] - 22, frame.corner(row, 0)[1], row + 1, "faint", size=13) for row in range(rows + 1)
        ]
        for move in scene.legal(state):
            one, other, far, low = ends(*divmod(move % down, width), move // down)
            # A lozenge between the dots and the middles of the boxes at its sides: these leave no gaps and never overlap.
            half, middle = cell / 2, ((one + far) / 2, (other + low) / 2)
            shape = f"M{short(middle[0] - half)} {short(middle[1])}l{short(half)} -{short(half)}l{short(half)} {short(half)}l-{short(half)} {short(half)}z"
            parts.append(hit_path(shape, [move], f"edge {name_move(state, move)}"))
        number = rows * columns - sum(state.boxes >> row * width + column & 1 for row, column in boxes)
        notes = [(number + state.margin) // 2, (number - state.margin) // 2]
        return scene.picture(state, frame.width, frame.bottom + 34, *parts, notes=notes)

    return draw
