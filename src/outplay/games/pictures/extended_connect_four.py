"""Extended Connect Four, drawn: drops in the columns, pops as buttons below them, both players' points."""

from outplay.games.pictures.connect_four import drop, holes
from outplay.pictures.pieces import button
from outplay.pictures.scene import Frame, Scene
from outplay.pictures.shapes import centred


def painter(scene: Scene, rows: int, columns: int, pop: int, rows_of, points_of):
    """Return the `draw` of Extended Connect Four; a drop is its column, a pop *pop* more; *points_of* the discs of one player."""
    frame = Frame(rows, columns, most=64, edge=2)  # so that eight columns are wide enough for a finger
    cell = frame.cell
    below = frame.bottom + 30

    def draw(state):
        cells, legal = rows_of(state), scene.legal(state)
        parts = [holes(frame, cells)]
        for column in range(columns):
            x, _ = frame.corner(0, column)
            parts.append(centred(x + cell / 2, frame.bottom + 13, column, "faint", size=13))
            if column in legal:
                parts.append(drop(frame, cells, column, column, f"drop into column {column}"))
            if pop + column in legal:
                parts.append(button(x + 2, below, cell - 4, 41, "pop", [pop + column], label=f"pop column {column}", around=2))
        points = points_of(state.first), points_of(state.second)
        pops = state.pops_first, state.pops_second
        notes = [f"{points[player]} \N{MIDDLE DOT} {pops[player]} pop{'s' * (pops[player] != 1)}" for player in (0, 1)]
        return scene.picture(state, frame.width, below + 51, *parts, notes=notes)

    return draw
