"""Number Scrabble, drawn: the numbers as tiles, each in the colour of who has taken it, and both hands."""

from outplay.pictures.pieces import PLAYERS, discs, tile
from outplay.pictures.scene import MARGIN, TOP, WIDTH, Scene
from outplay.pictures.shapes import box, hit, words

SIZE, GAP = 72, 10
LEFT = (WIDTH - 3 * SIZE - 2 * GAP) / 2
CORNERS = [(LEFT + column * (SIZE + GAP), TOP + row * (SIZE + GAP)) for row in range(3) for column in range(3)]
HANDS = TOP + 3 * (SIZE + GAP) + 2  # where they begin
HAND = 40  # the height of one


def painter(scene: Scene, numbers_of, triples):
    """Return the `draw` of Number Scrabble; *numbers_of* bits, and the *triples* that win, as bits."""

    def draw(state):
        taken, legal = (state.first, state.second), scene.legal(state)
        won = {number for triple in triples for bits in taken if bits & triple == triple for number in numbers_of(triple)}
        parts = []
        for number, (x, y) in enumerate(CORNERS, 1):
            owner = [player for player in (0, 1) if taken[player] >> number & 1]
            parts.append(tile(x, y, SIZE, number, PLAYERS[owner[0]] if owner else "card"))
            if owner:
                parts.append(discs([(x + SIZE - 14, y + 14)], 12, owner[0]))
            if number in won:
                parts.append(box(x, y, SIZE, SIZE, "last", corner=SIZE / 7, line=6))
            if number in legal:
                parts.append(hit(x, y, SIZE, SIZE, [number], f"number {number}", corner=SIZE / 7))
        for player, bits in enumerate(taken):
            y = HANDS + player * (HAND + 6)
            parts.append(box(MARGIN, y, WIDTH - 2 * MARGIN, HAND, "cell", corner=10))
            parts.append(discs([(MARGIN + 22, y + HAND / 2)], 10, player))
            for place, number in enumerate(numbers_of(bits)):
                parts.append(tile(MARGIN + 44 + 38 * place, y + 4, HAND - 8, number, PLAYERS[player]))
            if player == 0 and not bits:
                parts.append(words(MARGIN + 44, y + 26, "three that make 15 win", "faint", size=14, at="start"))
        return scene.picture(state, WIDTH, HANDS + 2 * HAND + 18, *parts)

    return draw
