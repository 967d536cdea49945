"""Hog, drawn: both scores, the dice in the air, and a button for each number of dice."""

from outplay.pictures.pieces import button, die, discs, gauge
from outplay.pictures.scene import MARGIN, TOP, WIDTH, Scene
from outplay.pictures.shapes import box, words
from outplay.rules.game import OVER

ACROSS = 5  # buttons in a row
TALL, GAP = 46, 8


def painter(scene: Scene, goal: int, dice: int):
    """Return the `draw` of Hog to a *goal*, with up to so many *dice*."""
    room = WIDTH - 2 * MARGIN
    across = min(dice, ACROSS)
    wide = (room - GAP * (across - 1)) / across
    top = 214
    height = top + (dice + across - 1) // across * (TALL + GAP) + MARGIN

    def draw(state):
        legal, over = scene.legal(state), scene.turn(state) == OVER
        parts = []
        for player, points in enumerate((state.first, state.second)):
            y = TOP + 6 + 46 * player
            parts.append(discs([(MARGIN + 7, y + 7)], 7, player))
            parts.append(words(WIDTH - MARGIN, y + 12, f"{points} of {goal}", size=14, at="end", bold=not over))
            parts.append(gauge(MARGIN, y + 18, room, points / goal, player, height=14))
        parts.append(box(MARGIN, 152, room, 50, "cell", corner=10))
        if state.rolling:
            step = min(40, (room - 50) / max(state.rolling, 1))
            left = WIDTH / 2 - step * (state.rolling - 1) / 2
            parts.extend(die(left + step * place, 177, min(36, 0.9 * step), 0) for place in range(state.rolling))
        elif not over:
            parts.append(words(WIDTH / 2, 182, "how many dice?", "faint", size=16))
        for number in range(1, dice + 1):
            x = MARGIN + (number - 1) % across * (wide + GAP)
            y = top + (number - 1) // across * (TALL + GAP)
            label = "1 die" if number == 1 else f"{number} dice"
            parts.append(button(x, y, wide, TALL, label, [move for move in legal if move == number]))
        return scene.picture(state, WIDTH, height, *parts, mover=state.player)

    return draw
