"""Backgammon, drawn: points with their men, the bar between the halves, men borne off at the right. X has its home below."""

from collections import defaultdict

from outplay.pictures.pieces import die, discs
from outplay.pictures.scene import TOP, Scene
from outplay.pictures.shapes import anchor, box, centred, hit, path, short
from outplay.rules.game import OVER

POINT = 46  # the width of a point: what a finger needs
EDGE, GAP = 10, 4
BAR, TRAY = 48, 58  # the widths
TALL, MIDDLE = 196, 64  # a point with room for its men, and what is between those above and below
RADIUS = 18
STEP = 2 * RADIUS - 1  # from man to man
SHOWN = 5  # men of a stack that are drawn; more are told by their number
LABEL = 18  # the height of a row of numbers
LEFT_HALF = EDGE + GAP
WIDTH = 2 * EDGE + 12 * POINT + BAR + TRAY + 5 * GAP
BOARD = TOP + LABEL
HEIGHT = BOARD + 2 * TALL + MIDDLE + LABEL + EDGE
TIP = 168  # the height of a triangle
BAR_POINT, OFF = 25, 0


def painter(scene: Scene, men_of, steps_of, opening):
    """Return the `draw` of backgammon.

    *men_of* a state: for each player the men on its points, 0 for off and 25 for the bar. *steps_of* a state and a move: the steps as
    (start, end), the one by the higher die first. *opening* is the roll before the first one.
    """

    def draw(state):
        sides = men_of(state)
        parts = [_board(), _places(sides), _numbers(state.player)]
        for player, side in enumerate(sides):
            for point in range(BAR_POINT + 1):
                parts.append(_stack(player, point, side[point]))
        if scene.turn(state) != OVER:
            parts += _dice(max(state.roll, 0), None if state.roll == opening else state.player)
        labels, hits = _clicks(scene, state, steps_of)
        parts.insert(3, labels)
        parts.append(hits)
        notes = [f"{sum(point * number for point, number in enumerate(side))} pips" for side in sides]
        return scene.picture(state, WIDTH, HEIGHT, *parts, notes=notes, mover=None if state.roll == opening else state.player)

    return draw


def _column(point):
    """Return the left end of a point of X, and whether it lies above."""
    place = point - 13 if point > 12 else 12 - point
    right = GAP + BAR if place >= 6 else 0
    return LEFT_HALF + place * POINT + right, point > 12


def _region(player, point):
    """Return the left end, the width and whether it lies above, of a player's point, of the bar or of the tray."""
    if point == BAR_POINT:
        return LEFT_HALF + 6 * POINT + GAP / 2, BAR, player == 0
    if point == OFF:
        return LEFT_HALF + 12 * POINT + BAR + 2 * GAP, TRAY, player == 1
    x, above = _column(point if player == 0 else 25 - point)
    return x, POINT, above


def _board():
    half = 6 * POINT
    tall = 2 * TALL + MIDDLE
    parts = [box(EDGE, BOARD - 2, WIDTH - 2 * EDGE, tall + 4, "grid", corner=8, line=3)]
    for x in (LEFT_HALF, LEFT_HALF + half + GAP + BAR):
        parts.append(box(x, BOARD, half, tall, "cell", corner=4))
    x, width, _ = _region(0, BAR_POINT)
    parts.append(path(f"M{short(x)} {BOARD}v{tall}M{short(x + width)} {BOARD}v{tall}", "grid", line=2))
    x, width, _ = _region(0, OFF)
    parts.append(box(x, BOARD + 4, width - GAP, TALL - 8, "cell", corner=4))
    parts.append(box(x, BOARD + TALL + MIDDLE + 4, width - GAP, TALL - 8, "cell", corner=4))
    for parity, kind in ((0, "#B9A88C"), (1, "#8C6F4E")):
        triangles = []
        for point in range(1, 25):
            x, above = _column(point)
            y, tip = (BOARD, TIP) if above else (BOARD + 2 * TALL + MIDDLE, -TIP)
            if point % 2 == parity:
                triangles.append(f"M{short(x + 2)} {y}l{short(POINT / 2 - 2)} {tip}l{short(POINT / 2 - 2)} {-tip}z")
        parts.append(path("".join(triangles), kind))
    return "".join(parts)


def _numbers(player):
    """Return the numbers of the points, as the player to move counts them."""
    parts = []
    for point in range(1, 25):
        x, above = _column(point)
        y = BOARD - LABEL / 2 - 1 if above else BOARD + 2 * TALL + MIDDLE + LABEL / 2 + 2
        parts.append(centred(x + POINT / 2, y, point if player == 0 else 25 - point, "faint", size=13))
    return "".join(parts)


def _stack(player, point, number):
    if not number:
        return ""
    x, width, above = _region(player, point)
    x += (width - GAP if point == OFF else width) / 2
    y, down = (BOARD, 1) if above else (BOARD + 2 * TALL + MIDDLE, -1)
    if point == OFF:
        slabs = [
            box(x - 22, y + down * (10 + 11.6 * place) - 4.5, 44, 9, ("first", "second")[player], corner=3)
            for place in range(number)
        ]
        return "".join(slabs)
    if point == BAR_POINT:  # nearest to the middle
        y, down = (BOARD + TALL, -1) if above else (BOARD + TALL + MIDDLE, 1)
    shown = min(number, SHOWN)
    centres = [(x, y + down * (RADIUS + 1 + STEP * place)) for place in range(shown)]
    parts = [discs(centres[:-1], RADIUS, player) if shown > 1 else ""]
    if number > SHOWN:
        parts += [discs(centres[-1:], RADIUS, player, mark="none"), centred(*centres[-1], number, "glyph", size=18, bold=True)]
    else:
        parts.append(discs(centres[-1:], RADIUS, player))
    return "".join(parts)


def _places(sides):
    """Return what stands on each place for a man, so that the page can mark those that a move has changed."""
    base, far = BOARD + 2 * TALL + MIDDLE, SHOWN * STEP
    held = defaultdict(str)  # by player, point and place from the foot
    for player, side in enumerate(sides):
        for point, number in enumerate(side):
            for place in range(min(number, SHOWN)):
                held[*_region(player, point), place] = f"{'fs'[player]}{number if place == SHOWN - 1 else ''}"
    grids = []
    for above in (True, False):
        rows = range(SHOWN) if above else range(SHOWN - 1, -1, -1)
        top = BOARD + 1 if above else base - 1 - far
        for half in (range(13, 19), range(19, 25)) if above else (range(12, 6, -1), range(6, 0, -1)):
            columns = [_column(point)[0] for point in half]
            grids.append((columns[0], top, POINT, 6, STEP, [held[x, POINT, above, row] for row in rows for x in columns]))
        x, width, _ = _region(0, BAR_POINT)
        top = BOARD + TALL - 1 - far if above else BOARD + TALL + MIDDLE + 1  # nearest to the middle
        grids.append((x, top, width, 1, STEP, [held[x, width, above, row] for row in reversed(rows)]))
        x, width, _ = _region(0, OFF)
        off = str(sides[1 if above else 0][OFF])
        grids.append((x, BOARD + 4 if above else base - TALL + 4, width - GAP, 1, TALL - 8, [off]))
    return "".join(
        f'<path d="M0 0" fill="none" data-grid="{" ".join(map(short, grid))}" data-cells="{" ".join(text or "." for text in cells)}" data-marked=""/>'
        for *grid, cells in grids
    )


def _dice(roll, player):
    """Return the dice in the half of the player that rolls; before the opening roll, one in each half."""
    y, right, left = BOARD + TALL + MIDDLE / 2, LEFT_HALF + 9 * POINT + BAR + GAP, LEFT_HALF + 3 * POINT
    if player is None:
        return [die(left, y, 38, 0), die(right, y, 38, 0)]
    x = right if player == 0 else left
    faces = [roll // 10, roll % 10]
    if roll % 11 == 0 and roll:
        faces *= 2
    return [die(x + 46 * (place - (len(faces) - 1) / 2), y, 38, face) for place, face in enumerate(faces)]


def _clicks(scene, state, steps_of):
    """Return the dice written beside what is clicked, and what is clicked: each man that moves, at its point.

    A point is divided from its foot to its tip: for the first, second, third and fourth man that a double moves from it, or for
    the higher die and the lower. Every play of a roll moves as many men, so what is clicked names one play.
    """
    listed, anchors = defaultdict(list), defaultdict(list)
    legal = scene.legal(state)
    double = state.roll % 11 == 0
    for move in legal:
        used: dict[int, int] = defaultdict(int)
        steps = steps_of(state, move)
        lower_alone = not double and move & 31 == 0
        for place, (point, _) in enumerate(steps):
            part = used[point] if double else int(place == 1 or lower_alone)
            used[point] += 1
            listed[point, part].append(move)
            if place == 0:
                anchors[point, part].append(move)
    if legal == [0]:
        y = BOARD + TALL + 8
        face = box(LEFT_HALF + 3 * POINT - 46, y, 92, 48, "card", corner=8, edge=True)
        text = centred(LEFT_HALF + 3 * POINT, y + 24, "pass", size=15, bold=True)
        return "", face + text + hit(LEFT_HALF + 3 * POINT - 46, y, 92, 48, [0], "pass", corner=8)
    labels, parts = [], []
    tall = TALL // (4 if double else 2)
    for (point, part), moves in listed.items():
        x, width, above = _region(state.player, point)
        foot_first = part if point != BAR_POINT else (3 - part if double else 1 - part)
        y = BOARD + tall * foot_first if above else BOARD + 2 * TALL + MIDDLE - tall * (foot_first + 1)
        name = "bar" if point == BAR_POINT else str(point)
        with_what = (
            f"man {part + 1} from {name}" if double else f"{name} with a {state.roll // 10 if part == 0 else state.roll % 10}"
        )
        parts.append(hit(x, y, width, tall, moves, with_what, anchored=False))
        if not double:
            labels.append(centred(x + 5, y + tall / 2, state.roll // 10 if part == 0 else state.roll % 10, "faint", size=11))
        parts.append(anchor(x + width / 2, y + tall / 2, anchors[point, part]))
    return "".join(labels), "".join(parts)
