"""Blacksin, drawn, with an open deck or a hidden one: both hands, how near they are to the target, the cards to come."""

from outplay.pictures.pieces import button, card, discs, gauge
from outplay.pictures.scene import MARGIN, TOP, WIDTH, Scene
from outplay.pictures.shapes import box, centred, hit, words
from outplay.rules.game import OVER

ROOM = WIDTH - 2 * MARGIN
CARD = 46  # how wide
HAND = 102  # the height of a hand's place on the table
CHIP, ACROSS = 28, 9  # the cards of the deck, small, and how many of them stand in a row
BUTTON = 46


def painter(scene: Scene, cards: int, names, hands_of, deck_of, *, hidden: bool = False):
    """Return the `draw` of Blacksin with so many *cards*.

    *names* of its four moves, by their numbers; *hands_of* a state, as lists; *deck_of* a state: the cards in their order, or
    if they are *hidden*, those that may come, of which a state says with `drawing` that one is about to.
    """
    draw_card, stop, erase_self, erase_opponent = range(4)
    target = 2 * cards - 1
    deck_top = TOP + 2 * (HAND + 8)
    deck_height = max(-(-(cards - 4) // ACROSS) * (CHIP + 4) + 14, 80)
    buttons_top = deck_top + deck_height + 10

    def draw(state):
        legal, hands, deck = scene.legal(state), hands_of(state), deck_of(state)
        over = scene.turn(state) == OVER
        sums = state.first_sum, state.second_sum
        parts = []
        for player, cards_held in enumerate(hands):
            erase = erase_self if player == state.player else erase_opponent
            parts.append(hand(player, cards_held, sums[player], target, [erase] if erase in legal else [], names[erase]))
            parts.append(hand_notes(state, player))
        coming = hidden and state.drawing
        parts.append(box(MARGIN, deck_top, ROOM, deck_height, "cell", corner=10))
        parts.append(card(MARGIN + 8, deck_top + 8, CARD, None if hidden or not deck else deck[0]) if deck else "")
        if coming:
            parts.append(centred(MARGIN + 8 + CARD / 2, deck_top + 8 + 0.7 * CARD, "?", size=30, bold=True))
        if not deck:
            parts.append(words(MARGIN + 14, deck_top + 26, "the deck is empty", "faint", at="start"))
        for place, number in enumerate(deck if hidden else deck[1:]):
            left, top = MARGIN + 60 + place % ACROSS * (CHIP + 2), deck_top + 8 + place // ACROSS * (CHIP + 4)
            parts.append(box(left, top, CHIP, CHIP, "card" if not hidden else "board", corner=5, edge=not hidden))
            parts.append(centred(left + CHIP / 2, top + CHIP / 2, number, size=14))
        if deck and draw_card in legal:
            parts.append(hit(MARGIN + 8, deck_top + 8, CARD, 1.4 * CARD, [draw_card], "draw the next card", anchored=False))
        wide = (ROOM - 8) / 2
        for place, move in enumerate((draw_card, stop, erase_self, erase_opponent)):
            x, y = MARGIN + place % 2 * (wide + 8), buttons_top + place // 2 * (BUTTON + 6)
            parts.append(button(x, y, wide, BUTTON, names[move], [move] if move in legal else []))
        return scene.picture(
            state, WIDTH, buttons_top + 2 * BUTTON + 16, *parts, notes=sums, mover=None if over else state.player
        )

    return draw


def hand(player, numbers, total, target, moves, label):
    """Return a hand, its last card to be clicked where it can be erased, and its sum as a gauge."""
    y = TOP + player * (HAND + 8)
    step = min(CARD + 4, (ROOM - 56 - CARD) / max(len(numbers) - 1, 1))
    parts = [box(MARGIN, y, ROOM, HAND, "cell", corner=10), discs([(MARGIN + 22, y + 36)], 13, player)]
    parts += [card(MARGIN + 46 + place * step, y + 8, CARD, number) for place, number in enumerate(numbers)]
    parts.append(gauge(MARGIN + 10, y + 80, 90, total / target, player, ground="board"))
    said = f"{total} of {target}" if total <= target else f"{total} > {target}"
    parts.append(words(MARGIN + 108, y + 91, said, size=14, at="start", bold=True))
    if numbers:
        x = MARGIN + 46 + (len(numbers) - 1) * step
        parts.append(hit(x, y + 8, CARD, 1.4 * CARD, moves, f"{label}: the {numbers[-1]}", anchored=False))
    return "".join(parts)


def hand_notes(state, player):
    """Return, below a hand, how many erases its player has left, and whether it has stopped."""
    left = (state.first_erases, state.second_erases)[player]
    stopped = (state.first_stopped, state.second_stopped)[player]
    said = f"{left} erase{'s' * (left != 1)}" + " \N{MIDDLE DOT} stopped" * stopped
    y = TOP + player * (HAND + 8) + 91
    return words(WIDTH - MARGIN - 10, y, said, "ink" if stopped else "faint", size=13, at="end")
