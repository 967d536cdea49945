"""2048, drawn: tiles in colours that darken as they grow, and an arrow at each side to click."""

from outplay.pictures.scene import MARGIN, WIDTH
from outplay.pictures.shapes import box, centred, hit, path, short, squares, svg, words
from outplay.turns import CHANCE, OVER

SIDE = 62  # of a square
BAR = 46  # what is clicked at each side of the board
LEFT = (WIDTH - 4 * SIDE) / 2
TOP = 44 + BAR
HEIGHT = TOP + 4 * SIDE + BAR + MARGIN
# From 2 to 32,768; light tiles have dark numbers.
COLOURS = (
    "#E3DED1", "#D9D0B4", "#E8B873", "#E39A55", "#DD7A45", "#D2553A", "#C9B23F", "#B39A2E",
    "#8FA33B", "#4F9A4E", "#1F8A70", "#1C6E8C", "#2A4D8F", "#4B3A8C", "#3A2A5C",
)  # fmt: skip


def painter(turn, moves, board_of, names):
    """Return the `draw` of 2048. *board_of* a state: its tiles by square; *names* of the four moves: left, right, up and down."""

    def draw(state):
        who = turn(state)
        tiles = board_of(state)
        says = {CHANCE: "a new tile appears", OVER: "no move is left"}.get(who, "slide")
        parts = [words(MARGIN + 4, 29, f"largest tile {max(tiles)}", size=17, at="start", bold=True)]
        parts.append(words(WIDTH - MARGIN - 4, 29, says, "faint", size=15, at="end"))
        corners = [(LEFT + SIDE * (square % 4), TOP + SIDE * (square // 4)) for square in range(16)]
        parts.append(squares([(x + 3, y + 3) for x, y in corners], SIDE - 6, "cell"))
        for tile, (x, y) in zip(tiles, corners, strict=True):
            if tile:
                kind = COLOURS[tile.bit_length() - 2]
                parts.append(box(x + 3, y + 3, SIDE - 6, SIDE - 6, kind, corner=7))
                size = 24 if tile < 1000 else 18 if tile < 10_000 else 15
                parts.append(
                    centred(x + SIDE / 2, y + SIDE / 2, tile, "#2B2620" if tile < 16 else "#FFFFFF", size=size, bold=True)
                )
        parts += [arrow(move, names[move]) for move in moves(state)] if who == 0 else []
        return svg(WIDTH, HEIGHT, f"2048, {says}", *parts)

    return draw


def arrow(move, name):
    """Return an arrow beside the board, and what is clicked there."""
    long = 4 * SIDE
    x, y, wide, tall = (
        (LEFT - BAR, TOP, BAR, long),
        (LEFT + long, TOP, BAR, long),
        (LEFT, TOP - BAR, long, BAR),
        (LEFT, TOP + long, long, BAR),
    )[move]
    middle_x, middle_y = x + wide / 2, y + tall / 2
    turns = ((6, -12, -12, 12, 12, 12), (-6, -12, 12, 12, -12, 12), (-12, 6, 12, -12, 12, 12), (-12, -6, 12, 12, 12, -12))[move]
    start_x, start_y, *rest = turns
    shape = f"M{short(middle_x + start_x)} {short(middle_y + start_y)}l{rest[0]} {rest[1]}l{rest[2]} {rest[3]}"
    return path(shape, "grid", line=5) + hit(x, y, wide, tall, [move], name)
