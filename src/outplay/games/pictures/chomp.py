"""Chomp, drawn: what is left of the bar, and its poisoned square."""

from outplay.pictures.scene import Frame, Scene
from outplay.pictures.shapes import box, dots, hit, squares

DARK, LIGHT, BONE, HOLE = "#6F4323", "#8A5A33", "#F7F4EC", "#2B1A0E"  # by day and by night


def painter(scene: Scene, rows: int, columns: int, name_move):
    """Return the `draw` of Chomp; a move is the number of a square, row by row."""
    frame = Frame(rows, columns, edge=22)
    cell = frame.cell

    def draw(state):
        left = [place for place in range(rows * columns) if state.squares >> place & 1]
        gone = [frame.corner(*divmod(place, columns)) for place in range(rows * columns) if place not in left]
        corners = [frame.corner(*divmod(place, columns)) for place in left]
        parts = [frame.named(), squares([(x + 2, y + 2) for x, y in gone], cell - 4, "cell")]
        for inset, colour in ((1, DARK), (0.14 * cell, LIGHT)):
            parts.append(squares([(x + inset, y + inset) for x, y in corners], cell - 2 * inset, colour))
        if left:
            parts.append(poison(*frame.centre(0, 0), 0.3 * cell))
        for move in scene.legal(state):
            x, y = frame.corner(*divmod(move, columns))
            parts.append(hit(x, y, cell, cell, [move], f"bite {name_move(state, move)}"))
        return scene.picture(state, frame.width, frame.bottom + 26, *parts)

    return draw


def poison(x, y, size):
    """Return a skull."""
    head = dots([(x, y - 0.15 * size)], 0.8 * size, BONE)
    jaw = box(x - 0.42 * size, y + 0.35 * size, 0.84 * size, 0.6 * size, BONE, corner=0.12 * size)
    eyes = dots([(x - 0.33 * size, y - 0.1 * size), (x + 0.33 * size, y - 0.1 * size)], 0.22 * size, HOLE)
    gaps = [box(x + (place - 0.2) * 0.26 * size, y + 0.66 * size, 0.1 * size, 0.29 * size, HOLE) for place in (-1, 0, 1)]
    return head + jaw + eyes + "".join(gaps)
