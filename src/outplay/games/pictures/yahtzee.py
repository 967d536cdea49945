"""Yahtzee, drawn: five dice, each to keep or to roll again, and the boxes with what they would score."""

from outplay.pictures.pieces import die
from outplay.pictures.scene import MARGIN, WIDTH
from outplay.pictures.shapes import anchor, box, centred, hit, svg, words
from outplay.turns import OVER

DIE, STEP = 46, 66
KEEP = 66  # the middle of the dice
ROLL = 118  # the middle of what is clicked to roll a die again
BOXES_AT = 150
TALL, GAP = 46, 4


def painter(turn, moves, names, missing, score, faces_of, reward, has_upper_bonus):
    """Return the `draw` of Yahtzee. *names* of the boxes, *missing* ones as bits; a move from *score* on fills a box."""
    upper = [number for number in range(6) if not missing >> number & 1]
    lower = [number for number in range(6, len(names)) if not missing >> number & 1]
    rows = max(len(upper) + has_upper_bonus, len(lower))
    height = BOXES_AT + rows * (TALL + GAP) + MARGIN
    wide = (WIDTH - 3 * MARGIN) / 2

    def draw(state):
        over = turn(state) == OVER
        legal = [] if over or state.rolling else [int(move) for move in moves(state)]
        left = "all boxes are filled" if over else f"rolls left: {state.left}"
        parts = [words(MARGIN + 4, 28, left, size=16, at="start", bold=not over)]
        if any(move < score for move in legal):
            parts.append(words(WIDTH - MARGIN - 4, 28, "keep or roll each die, or score", "faint", size=13, at="end"))
        if not over:
            parts += dice(state, legal)
        for column, numbers in enumerate((upper, lower)):
            for row, number in enumerate(numbers):
                parts.append(field(state, number, MARGIN + column * (wide + MARGIN), BOXES_AT + row * (TALL + GAP), legal))
        if has_upper_bonus:
            y = BOXES_AT + len(upper) * (TALL + GAP) + TALL / 2
            parts.append(words(MARGIN + 10, y + 5, "bonus 35 from 63", "faint", size=13, at="start"))
            parts.append(words(MARGIN + wide - 10, y + 5, f"{state.upper}", size=15, at="end"))
        says = (
            "Yahtzee, all boxes are filled"
            if over
            else "Yahtzee, the dice roll"
            if state.rolling
            else "Yahtzee, keep dice or fill a box"
        )
        return svg(WIDTH, height, says, *parts)

    def field(state, number, x, y, legal):
        fits = [move for move in legal if move == score + number]
        filled = state.used >> number & 1
        parts = [box(x, y, wide, TALL, "card" if fits else "cell", corner=8, edge=bool(fits))]
        parts.append(words(x + 10, y + 28, names[number], "faint" if filled else "ink", size=14, at="start"))
        if fits:
            parts.append(words(x + wide - 10, y + 29, f"+{reward(state, fits[0])}", "faint", size=15, at="end"))  # not yet scored
        elif filled:
            parts.append(words(x + wide - 10, y + 28, "filled", "faint", size=12, at="end"))
        return "".join(parts) + hit(x, y, wide, TALL, fits, names[number], corner=8)

    def dice(state, legal):
        """Return the dice: a click keeps one, or rolls it again. Of equal dice, the first ones are kept."""
        faces = faces_of(state.dice)
        keeps = [move for move in legal if move < score]
        parts = []
        left = WIDTH / 2 - 2 * STEP
        for place in range(5):
            x, face = left + STEP * place, faces[place] if place < len(faces) else 0
            parts.append(die(x, KEEP, DIE, face))
            if not keeps:
                continue
            copy = faces[:place].count(face)
            kept = [move for move in keeps if faces_of(move).count(face) > copy]
            rolled = [move for move in keeps if move not in kept]
            parts.append(box(x - 30, ROLL - 22, 60, 44, "cell", corner=8) if rolled else "")
            parts.append(centred(x, ROLL, "roll", "faint", size=13) if rolled else "")
            parts.append(hit(x - 30, KEEP - 27, 60, 54, kept, f"keep die {place + 1}, a {face}", anchored=False))
            parts.append(hit(x - 30, ROLL - 22, 60, 44, rolled, f"roll die {place + 1}, a {face}, again", anchored=False))
        parts.append(anchor(WIDTH / 2, KEEP, keeps))
        return parts

    return draw
