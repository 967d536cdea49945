"""Points joined by lines, and men that are placed, moved and taken: the boards of the morris games, drawn."""

from collections import defaultdict

from outplay.pictures.pieces import discs
from outplay.pictures.scene import Scene
from outplay.pictures.shapes import anchor, box, centred, dots, hit_dot, lines


def board(points, joined, margin, size):
    """Return a board with a *margin*, the lines between *joined* points, and the points themselves, of that *size*."""
    x, y = (min(point[axis] for point in points) - margin for axis in (0, 1))
    right, below = (max(point[axis] for point in points) + margin for axis in (0, 1))
    ways = lines([(*points[one], *points[other]) for one, other in joined], "grid", line=4)
    return box(x, y, right - x, below - y, "cell", corner=14) + ways + dots(points, size, "faint")


def coordinates(points, names, margin):
    """Return the letters of the columns, below a board with a *margin*, and the numbers of the rows, to its left."""
    left, below = min(x for x, _ in points) - margin - 10, max(y for _, y in points) + margin + 11
    letters = {name[0]: x for name, (x, _) in zip(names, points, strict=True)}
    numbers = {name[1:]: y for name, (_, y) in zip(names, points, strict=True)}
    across = [centred(x, below, letter, "faint", size=12) for letter, x in letters.items()]
    return "".join(across + [centred(left, y, number, "faint", size=12) for number, y in numbers.items()])


def men(points, sets, radius):
    """Return the men of both players, by the numbers of their points."""
    return "".join(discs([points[place] for place in places], radius, player) for player, places in enumerate(sets))


def clicks(scene: Scene, state, points, joined, names, parts_of, radius):
    """Return what is clicked: men to move, points to go to, men to take. *parts_of* a move are those points, or None each.

    The value of a move stands at the man it takes, on the line along which it steps, or where it ends.
    """
    steps = {frozenset(ends) for ends in joined}
    listed, anchors, whose = defaultdict(list), defaultdict(list), {}
    for move in scene.legal(state):
        source, point, taken = parts_of(move)
        for place, words in ((source, "man on"), (point, "point"), (taken, "take the man on")):
            if place is not None:
                listed[place].append(move)
                whose[place] = f"{words} {names[place]}"
        (x, y), (far_x, far_y) = points[point], points[point if source is None else source]
        on_the_way = ((x + far_x) / 2, (y + far_y) / 2) if frozenset((source, point)) in steps else (x, y)
        anchors[on_the_way if taken is None else points[taken]].append(move)
    hits = []
    for place, moves in listed.items():
        x, y = points[place]
        hits.append(hit_dot(x, y, radius, moves, whose[place], anchored=False))
    return "".join(hits) + "".join(anchor(x, y, moves) for (x, y), moves in anchors.items())
