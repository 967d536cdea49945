"""Coin tic-tac-toe, drawn: four squares, the lines that connect them, the coin."""

from outplay.pictures.pieces import coin, signs
from outplay.pictures.scene import TOP, WIDTH, Scene
from outplay.pictures.shapes import centred, hit, lines, squares, through, words

SIZE, GAP = 104, 28
LEFT = 18
CORNERS = [(LEFT + column * (SIZE + GAP), TOP + 6 + row * (SIZE + GAP)) for row in (0, 1) for column in (0, 1)]
CENTRES = [(x + SIZE / 2, y + SIZE / 2) for x, y in CORNERS]
SIGNS = [(x, y + 12) for x, y in CENTRES]
CONNECTED = ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3))
MARKS = "HTHH"
COIN = (LEFT + 2 * SIZE + GAP + 58, TOP + 6 + SIZE + GAP / 2)


def painter(scene: Scene, sides):
    """Return the `draw` of coin tic-tac-toe; *sides* are the names of the coin's outcomes by their numbers."""

    def draw(state):
        taken, legal = (state.circles, state.crosses), scene.legal(state)
        parts = [lines([(*CENTRES[one], *CENTRES[other]) for one, other in CONNECTED], "grid", line=8)]
        parts.append(squares(CORNERS, SIZE, "cell"))
        for place, ((x, y), mark) in enumerate(zip(CORNERS, MARKS, strict=True)):
            parts.append(words(x + 12, y + 26, mark, "faint", size=20, at="start", bold=True))
            parts.append(words(x + SIZE - 12, y + 24, place + 1, "faint", size=13, at="end"))
        for player, letter in enumerate("OX"):
            mine = [place for place in range(4) if taken[player] >> place & 1]
            parts.append(signs([SIGNS[place] for place in mine], 0.26 * SIZE, player, letter))
            for one, other in CONNECTED:
                if one in mine and other in mine:
                    parts.append(lines([through(SIGNS[one], SIGNS[other])], "last", line=8))
        side = sides.get(state.coin, "")
        parts.append(coin(*COIN, 38, side[:1].upper()))
        parts.append(centred(COIN[0], COIN[1] + 58, side or "in the air", "faint", size=14))
        for move in legal:
            x, y = CORNERS[move - 1]
            parts.append(hit(x, y, SIZE, SIZE, [move], f"square {move}, {MARKS[move - 1]}", corner=0.1 * SIZE))
        return scene.picture(state, WIDTH, TOP + 2 * SIZE + GAP + 18, *parts, mover=state.player)

    return draw
