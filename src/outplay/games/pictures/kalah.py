"""Kalah, drawn: pits with their seeds and how many they are, a store at each end. Player 1 sits above."""

import math

from outplay.pictures.pieces import PLAYERS
from outplay.pictures.scene import TOP, WIDTH, Scene
from outplay.pictures.shapes import box, centred, dots, hit

STORE, LEAST = 40, 40  # how wide a store is, and a pit at the least
EDGE = 6  # beside the stores: so six pits are wide enough for a finger
DEEP = 62  # the height of a pit
SHOWN = 24  # seeds: more than these are told by the number alone
TURN = math.pi * (3 - 5**0.5)  # of a sunflower's seeds: they fill a pit evenly, however many


def painter(scene: Scene, houses: int, sides_of):
    """Return the `draw` of Kalah; *sides_of* a state: for each player the seeds of its houses, from house 1, and of its store."""
    beside = 2 * (EDGE + STORE + 1)
    pit = min(70, max(LEAST, (WIDTH - beside) / houses))
    width = max(WIDTH, houses * pit + beside)
    left = (width - houses * pit) / 2
    rows = (TOP + 170, TOP + 54)  # the middles of the pits of player 0, and of player 1

    def place_of(player, house):
        """The middle of a house, counted from 0; player 1 counts from the right."""
        return left + ((house if player == 0 else houses - 1 - house) + 0.5) * pit, rows[player]

    def draw(state):
        sides, legal = sides_of(state), scene.legal(state)
        parts = [box(EDGE - 4, TOP, width - 2 * EDGE + 8, 224, "cell", corner=24)]
        for player, (*seeds, home) in enumerate(sides):
            x = width - EDGE - STORE if player == 0 else EDGE
            parts.append(box(x, TOP + 6, STORE, 212, "board", corner=STORE / 2))
            parts.append(heap(x + STORE / 2, TOP + 92, home, 16, PLAYERS[player], tall=3.6, most=60))
            parts.append(centred(x + STORE / 2, TOP + 192, home, size=20, bold=True))
            for house, number in enumerate(seeds):
                x, y = place_of(player, house)
                outward = 1 if player == 0 else -1
                parts.append(box(x - pit / 2 + 2, y - DEEP / 2, pit - 4, DEEP, "board", corner=18))
                parts.append(heap(x, y, number, 0.36 * min(pit, 46), "faint", tall=1.5))
                parts.append(centred(x, y - outward * 42, number, size=17, bold=number > 0))
                parts.append(centred(x, y + outward * 41, house + 1, "faint", size=12))
                if player == scene.turn(state) and house + 1 in legal:
                    label = f"house {house + 1}, seeds: {number}"
                    parts.append(hit(x - pit / 2, y - DEEP / 2, pit, DEEP, [house + 1], label, corner=18))
        return scene.picture(state, width, TOP + 234, *parts, notes=[sides[0][-1], sides[1][-1]])

    return draw


def heap(x, y, number, radius, kind, *, tall, most=SHOWN):
    """Return seeds about a point, spread like those of a sunflower, and *tall* times as high as wide."""
    shown = min(number, most)
    spread = radius / math.sqrt(max(shown, 9))
    turns = ((spread * math.sqrt(seed + 0.5), seed * TURN) for seed in range(shown))
    return dots([(x + far * math.cos(turn), y + tall * far * math.sin(turn)) for far, turn in turns], 3.4, kind)
