"""Three men's morris and its kin, drawn."""

from outplay.games.pictures.morris import board, clicks, coordinates, men
from outplay.pictures.scene import TOP, WIDTH, Scene, in_line
from outplay.pictures.shapes import dots

LEFT, STEP, MARGIN = 68, 116, 44
POINTS = [(LEFT + STEP * column, TOP + 44 + STEP * row) for row in range(3) for column in range(3)]


def painter(scene: Scene, names, reach, rows_of, parts_of):
    """Return the `draw`: *reach* says to which points a man moves from each; if it is to all, no lines are drawn."""
    joined = [(one, other) for one in range(9) for other in range(one) if reach[one] >> other & 1]
    if len(joined) == 36:
        joined = []

    def draw(state):
        rows = rows_of(state)
        cells = "".join(rows)
        places = [[place for place in range(9) if cells[place] == letter] for letter in "XO"]
        won = [3 * row + column for line in in_line(rows, 3) for row, column in line]
        parts = [
            board(POINTS, joined, MARGIN, 9),
            coordinates(POINTS, names, MARGIN),
            men(POINTS, places, 32),
            dots([POINTS[place] for place in won], 32, "last", line=6),
            clicks(scene, state, POINTS, joined, names, parts_of, 38),
        ]
        return scene.picture(state, WIDTH, TOP + 112 + 2 * STEP, *parts)

    return draw
