"""Nine men's morris, drawn."""

from outplay.games.pictures.morris import board, clicks, coordinates, men
from outplay.pictures.scene import TOP, WIDTH, Scene
from outplay.pictures.shapes import dots

STEP, LEFT, EDGE, MARGIN = 46, 54, 36, 24
# Round each square from its corner at the top left, and inward from the middle of each side.
ROUND = [(square * 8 + place, square * 8 + (place + 1) % 8) for square in range(3) for place in range(8)]
INWARD = [(square * 8 + place, square * 8 + 8 + place) for square in range(2) for place in (1, 3, 5, 7)]


def painter(scene: Scene, names, parts_of, sets_of, in_mills):
    """Return the `draw` of nine men's morris.

    *names* of its points, *parts_of* a move, *sets_of* a state: the men of each player as bits, and how many each has in hand.
    """
    points = [(LEFT + STEP * (ord(name[0]) - ord("a")), TOP + EDGE - 12 + STEP * (7 - int(name[1]))) for name in names]

    def draw(state):
        *both, hands = sets_of(state)
        places = [[place for place in range(24) if bits >> place & 1] for bits in both]
        mills = [points[place] for bits in both for place in range(24) if in_mills(bits) >> place & 1]
        parts = [
            board(points, ROUND + INWARD, MARGIN, 6),
            coordinates(points, names, MARGIN),
            men(points, places, 20),
            dots(mills, 20, "last", line=4),
            clicks(scene, state, points, ROUND + INWARD, names, parts_of, 22.5),
        ]
        notes = [f"{hands[player]} in hand" if any(hands) else f"{len(places[player])} men" for player in (0, 1)]
        return scene.picture(state, WIDTH, TOP + 2 * EDGE + 6 * STEP, *parts, notes=notes)

    return draw
