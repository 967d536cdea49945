"""Can't Stop, drawn: columns with their steps, the marks of both players and the runners; dice and buttons below."""

from outplay.pictures.pieces import button, die, discs
from outplay.pictures.scene import MARGIN, TOP, WIDTH, Scene
from outplay.pictures.shapes import anchor, box, centred, dots, squares
from outplay.rules.game import OVER

STEP = 17  # the height of a step
GAP = 8
DIE = 38
TALL = 46  # of a button


def painter(scene: Scene, heights: list[int], steps_of, at_top):
    """Return the `draw` of Can't Stop. *heights* of the columns; *steps_of* an int: the steps by column; *at_top*: a bit for each column won."""
    room = WIDTH - 2 * MARGIN
    wide = min(46, room / len(heights))
    left = (WIDTH - wide * len(heights)) / 2
    bottom = TOP + 24 + STEP * (max(heights) + 1)
    dice_at = bottom + 12 + DIE / 2
    buttons_at = dice_at + DIE / 2 + 10
    height = buttons_at + 3 * (TALL + GAP) + 4

    def place(column, step):
        """Return the middle of a step, counted from 1; 0 is below the column."""
        return left + (column + 0.5) * wide, bottom - (step - 0.5) * STEP - STEP

    def draw(state):
        parts = [columns()]
        sides = [steps_of(state.first), steps_of(state.second)]
        own = sides[state.player]
        for player, (side, won) in enumerate(zip(sides, (at_top(state.first), at_top(state.second)), strict=True)):
            marks = []
            for column, steps in enumerate(side):
                x, y = place(column, steps)
                if won >> 4 * column & 1:
                    tall = STEP * heights[column]
                    parts.append(
                        box(x - wide / 2 + 2, bottom - STEP - tall, wide - 4, tall, ("first", "second")[player], corner=5)
                    )
                    parts.append(centred(x, bottom - STEP - tall / 2, "XO"[player], "glyph", size=15, bold=True))
                elif steps:
                    marks.append((x - 0.22 * wide + 0.44 * wide * player, y))
            parts.append(discs(marks, 6.5, player))
        runners = [place(column, own[column] + made) for column, made in enumerate(steps_of(state.runners)) if made]
        parts.append(dots(runners, 7, "card") + dots(runners, 7, "last", line=3))
        if scene.turn(state) != OVER:
            faces = [int(face) for face in str(state.roll)] if state.roll else [0] * 4
            parts += [die(WIDTH / 2 + (DIE + 8) * (number - 1.5), dice_at, DIE, face) for number, face in enumerate(faces)]
        parts.append(buttons(scene.legal(state)))
        return scene.picture(
            state, WIDTH, height, *parts, notes=[count(side) for side in (state.first, state.second)], mover=state.player
        )

    def count(side):
        won = bin(at_top(side)).count("1")
        return f"{won} won"

    def columns():
        steps = [place(column, step) for column, tall in enumerate(heights) for step in range(1, tall + 1)]
        size = min(wide, STEP) - 2
        parts = [squares([(x - size / 2, y - size / 2) for x, y in steps], size, "cell")]
        if wide > STEP + 6:
            parts = [box(x - wide / 2 + 2, y - size / 2, wide - 4, size, "cell", corner=3) for x, y in steps]
        for column, tall in enumerate(heights):
            x, y = place(column, tall)
            parts.append(centred(x, y - STEP, column + 2, size=13, bold=True))
            parts.append(centred(x, bottom - STEP / 2, column + 2, "faint", size=12))
        return "".join(parts)

    def buttons(legal):
        """Return buttons for the pairs, and for what follows; together they name a move."""
        if legal == [0]:  # the one move where nothing fits
            return button(MARGIN, buttons_at, room, TALL, "nothing fits: pass", legal)
        pairs = list(dict.fromkeys(move >> 1 for move in legal))
        parts = []
        across = (room - 2 * GAP) / 3
        for number, pair in enumerate(pairs):
            x, y = MARGIN + number % 3 * (across + GAP), buttons_at + number // 3 * (TALL + GAP)
            text = f"{pair >> 4} + {pair & 15}" if pair >> 4 else str(pair & 15)
            moves = [move for move in legal if move >> 1 == pair]
            plain = button(x, y, across, TALL, text, moves, label=f"climb {text}")
            parts.append(plain.replace(' data-anchor=""', ""))
            parts += [anchor(x + across * (0.25 if move & 1 == 0 else 0.75), y + TALL / 2, [move]) for move in moves]
        half = (room - GAP) / 2
        y = buttons_at + 2 * (TALL + GAP)
        for text, stops in (("roll again", 0), ("stop", 1)):
            moves = [move for move in legal if move & 1 == stops]
            parts.append(button(MARGIN + stops * (half + GAP), y, half, TALL, text, moves).replace(' data-anchor=""', ""))
        return "".join(parts)

    return draw
