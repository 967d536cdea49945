"""Nim, drawn: heaps of objects. A click takes an object and those after it."""

from string import ascii_lowercase

from outplay.pictures.scene import MARGIN, TOP, WIDTH, Scene
from outplay.pictures.shapes import Point, box, centred, dots, hit

MOST = 7  # objects in a row: more would be too small for a finger
LEFT = MARGIN + 32
ROOM = WIDTH - MARGIN - 6 - LEFT


def painter(scene: Scene, heaps: tuple[int, ...], unit: int):
    """Return the `draw` of Nim that began with *heaps*; a move is *unit* * heap + objects taken."""
    across = min(max(*heaps, 4), MOST)
    size = min(ROOM / across, 60)

    def draw(state):
        taking = {divmod(move, unit) for move in scene.legal(state)}
        grounds, hits = [], []
        there: list[Point] = []
        gone: list[Point] = []
        y: float = TOP
        for heap, left in enumerate(state.heaps):
            letter, most = ascii_lowercase[heap], max(left, heaps[heap])
            height = -(-most // across) * size + 8
            grounds.append(box(MARGIN, y, WIDTH - 2 * MARGIN, height, "cell", corner=10))
            grounds.append(centred(MARGIN + 18, y + height / 2, letter, "faint", size=17, bold=True))
            for place in range(most):
                x, middle = LEFT + (place % across + 0.5) * size, y + 4 + (place // across + 0.5) * size
                (there if place < left else gone).append((x, middle))
                objects = left - place
                if (heap, objects) in taking:
                    corner = x - size / 2, middle - size / 2
                    hits.append(hit(*corner, size, size, [unit * heap + objects], f"take {objects} of heap {letter}"))
            y += height + 6
        lying = dots(gone, 0.34 * size, "board") + dots(there, 0.4 * size, "ink")
        return scene.picture(state, WIDTH, y + 4, *grounds, lying, *hits)

    return draw
