"""Pig, drawn: both scores, the pot, the die."""

from outplay.pictures.pieces import button, die, discs, gauge
from outplay.pictures.scene import MARGIN, TOP, WIDTH, Scene
from outplay.pictures.shapes import box, path, words
from outplay.rules.game import OVER

HEIGHT = 288


def painter(scene: Scene, goal: int, hold: int, roll: int):
    """Return the `draw` of Pig to a *goal*, with its two moves."""
    return board(scene, goal, hold, roll, dice=1)


def board(scene: Scene, goal: int, hold: int, roll: int, *, dice: int):
    """Return the `draw` of Pig with so many *dice*."""
    room = WIDTH - 2 * MARGIN

    def draw(state):
        legal, over = scene.legal(state), scene.turn(state) == OVER
        parts = []
        for player, points in enumerate((state.first, state.second)):
            y, pot = TOP + 6 + 46 * player, state.pot if state.player == player and not over else 0
            parts.append(discs([(MARGIN + 7, y + 7)], 7, player))
            gain = f" + {pot}" if pot else ""
            parts.append(words(WIDTH - MARGIN, y + 12, f"{points}{gain} of {goal}", size=14, at="end", bold=not over))
            parts.append(gauge(MARGIN, y + 18, room, points / goal, player, more=pot / goal, height=14))
        parts.append(box(MARGIN, 156, room, 64, "cell", corner=10))
        parts.append(words(MARGIN + 20, 194, "pot", "faint", size=16, at="start"))
        parts.append(words(MARGIN + 58, 201, state.pot, size=36, at="start", bold=True))
        if state.rolling:
            wider = 50 * (dice - 1)
            says = "it rolls" if dice == 1 else "they roll"
            parts.append(words(WIDTH - 100 - wider, 194, f"{says} \N{HORIZONTAL ELLIPSIS}", "faint", size=14, at="end"))
            parts.append(path(f"M{WIDTH - 90 - wider} 170q-6 10 -2 20M{WIDTH - 24} 206q6 -10 2 -20", "grid", line=2.5))
            parts.extend(die(WIDTH - 56 - 50 * place, 188, 44, 0) for place in range(dice))
        wide = (room - MARGIN) / 2
        parts.append(button(MARGIN, 230, wide, 46, "roll", [move for move in legal if move == roll]))
        parts.append(button(2 * MARGIN + wide, 230, wide, 46, "hold", [move for move in legal if move == hold]))
        parts.append(die(MARGIN + 30, 253, 24, 5))
        return scene.picture(state, WIDTH, HEIGHT, *parts, mover=state.player)

    return draw
