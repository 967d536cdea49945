"""EinStein würfelt nicht, drawn: numbered stones on a board of squares, and the die below."""

from collections import defaultdict

from outplay.pictures.pieces import die, tile
from outplay.pictures.scene import WIDTH, Frame, Scene
from outplay.pictures.shapes import anchor, box, centred, hit, squares
from outplay.rules.game import OVER

EDGE = 26
DIE = 44


def painter(scene: Scene, size: int, squares_of, ends_of, name_of):
    """Return the `draw` of EinStein würfelt nicht.

    *squares_of* a state: for each player the squares of its stones, or None. *ends_of* a state and a move: the stone, where it stands
    and where it goes. *name_of* a square is what people call it.
    """
    frame = Frame(size, size, edge=EDGE)
    height = frame.bottom + 32 + DIE + 12

    def corner(square):
        return frame.corner(*divmod(square, size))

    def centre(square):
        return frame.centre(*divmod(square, size))

    def draw(state):
        cell = frame.cell
        parts = [squares([(x + 1.5, y + 1.5) for x, y in map(corner, range(size * size))], cell - 3, "cell"), frame.named()]
        for player, goal in ((0, size * size - 1), (1, 0)):  # the corner where a player wins
            x, y = corner(goal)
            parts.append(box(x + 5, y + 5, cell - 10, cell - 10, "grid", corner=8, line=1.5))
            parts.append(centred(x + cell / 2, y + cell / 2, "XO"[player], "faint", size=0.4 * cell))
        for player, side in enumerate(squares_of(state)):
            for stone, square in enumerate(side, 1):
                if square is not None:
                    x, y = corner(square)
                    kind = ("first", "second")[player]
                    inset = 0.1 * cell
                    parts.append(tile(x + inset, y + inset, cell - 2 * inset, stone, kind))
                    parts.append(centred(x + 0.24 * cell, y + 0.24 * cell, "xo"[player], "glyph", size=0.17 * cell))
        if scene.turn(state) != OVER:
            y = frame.bottom + 28 + DIE / 2
            if state.die > 6:
                parts.append(tile(WIDTH / 2 - DIE / 2, y - DIE / 2, DIE, state.die))
            else:
                parts.append(die(WIDTH / 2, y, DIE, state.die))
        parts.append(clicks(state))
        return scene.picture(state, frame.width, height, *parts, mover=state.player)

    def clicks(state):
        said: dict[int, str] = {}
        listed, anchors = defaultdict(list), []
        for move in scene.legal(state):
            stone, source, target = ends_of(state, move)
            for square, words in ((source, f"stone {stone}"), (target, name_of(target))):
                listed[square].append(move)
                said.setdefault(square, words)
            (x, y), (far_x, far_y) = centre(source), centre(target)
            anchors.append(anchor(0.4 * x + 0.6 * far_x, 0.4 * y + 0.6 * far_y, [move]))
        hits = []
        for square, moves in listed.items():
            x, y = corner(square)
            starts = [move for move in moves if ends_of(state, move)[1] == square]
            hits.append(hit(x, y, frame.cell, frame.cell, moves, said[square], anchored=False, start=starts))
        return "".join(hits + anchors)

    return draw
