"""Two-Dice Pig, drawn: both scores, the pot, the dice."""

from outplay.games.pictures.pig import board
from outplay.pictures.scene import Scene


def painter(scene: Scene, goal: int, hold: int, roll: int):
    """Return the `draw` of Two-Dice Pig to a *goal*, with its two moves."""
    return board(scene, goal, hold, roll, dice=2)
