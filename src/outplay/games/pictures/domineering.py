"""Domineering, drawn. A state tells which squares are covered, and not how the dominoes lie."""

from outplay.pictures.scene import Frame, Scene
from outplay.pictures.shapes import hit, squares


def painter(scene: Scene, rows: int, columns: int, name_move):
    """Return the `draw` of Domineering; a move is the place of its upper or left square, columns + 1 places a row."""
    frame = Frame(rows, columns, edge=22)
    cell, width = frame.cell, columns + 1
    places = [(row, column) for row in range(rows) for column in range(columns)]

    def tiles(corners, kind):
        return squares([(x + 2, y + 2) for x, y in corners], cell - 4, kind)

    def draw(state):
        free = [place for place in places if state.free >> place[0] * width + place[1] & 1]
        covered = [frame.corner(*place) for place in places if place not in free]
        parts = [frame.named(), tiles([frame.corner(*place) for place in free], "cell"), tiles(covered, "faint")]
        down, right = (1, 0) if state.player == 0 else (0, 1)
        for move in scene.legal(state):
            row, column = divmod(move, width)
            # Between the middles of its two squares: so no two dominoes have a spot in common.
            x, y = frame.corner(row, column)
            x, y = x + right * cell / 2, y + down * cell / 2
            parts.append(hit(x, y, cell, cell, [move], f"domino at {name_move(state, move)}"))
        return scene.picture(state, frame.width, frame.bottom + 26, *parts)

    return draw
