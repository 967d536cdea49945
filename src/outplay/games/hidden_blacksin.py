"""Blacksin with a hidden deck: a draw is a matter of chance, every card not yet seen being equally likely."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from outplay.errors import StateError
from outplay.games.blacksin import (
    DRAW,
    ERASE_OPPONENT,
    ERASE_SELF,
    MOVES,
    PLAYERS,
    STOP,
    check_size,
    hands_of,
    name_move,
    next_player,
    read_hands,
    read_letter,
    read_move,
    result,
    show_hands,
    split,
    words_of,
    write_hands,
)
from outplay.games.pictures.blacksin import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, highest, mix
from outplay.rules.game import CHANCE, OVER, Game

# The cards seen lie in six planes, in the order in which they came: bit p of plane b is bit b of card p. So one
# layout serves every size of deck. As in open Blacksin a hand is a set of bits, one for each place in that order.


class State(NamedTuple):
    seen: tuple[int, int, int, int, int, int]
    drawn: int  # how many cards have been seen
    first: int  # player 0's hand
    second: int
    first_sum: int
    second_sum: int
    first_erases: int  # left
    second_erases: int
    first_stopped: bool
    second_stopped: bool
    player: int
    unseen: int  # a bit for each card that is still in the deck
    drawing: bool  # the player has reached for a card


def hidden_blacksin(cards: int = 21) -> Game:
    """Blacksin with a deck that nobody sees: come nearest to twice the number of cards less one."""
    check_size(cards)
    target, erases = 2 * cards - 1, cards // 5

    def turn(state):
        if state.first_stopped and state.second_stopped:
            return OVER
        return CHANCE if state.drawing else state.player

    def moves(state):
        own, other, left = state.first, state.second, state.first_erases
        if state.player == 1:
            own, other, left = state.second, state.first, state.second_erases
        yield DRAW
        yield STOP
        if left > 0 and own != 0:
            yield ERASE_SELF
        if left > 0 and other != 0:
            yield ERASE_OPPONENT

    def chances(state):
        number = count(state.unseen)
        for card in range(1, cards + 1):
            if state.unseen >> card & 1:
                yield card, 1 / number

    def play(state, choice):
        (
            seen, drawn, first, second, first_sum, second_sum, first_left, second_left,
            first_stopped, second_stopped, player, unseen, drawing,
        ) = state  # fmt: skip
        if drawing:
            seen = with_card(seen, drawn, choice)
            if player == 0:
                first, first_sum = first | 1 << drawn, first_sum + choice
            else:
                second, second_sum = second | 1 << drawn, second_sum + choice
            drawn, unseen, drawing = drawn + 1, unseen ^ 1 << choice, False
        elif choice == DRAW and unseen == 0:
            first_stopped = second_stopped = True
        elif choice == DRAW:
            drawing = True
        elif choice == STOP:
            first_stopped, second_stopped = first_stopped or player == 0, second_stopped or player == 1
        else:
            if player == 0:
                first_left -= 1
            else:
                second_left -= 1
            if (choice == ERASE_SELF) == (player == 0):
                last = highest(first)
                first, first_sum = first ^ 1 << last, first_sum - card_at(seen, last)
            else:
                last = highest(second)
                second, second_sum = second ^ 1 << last, second_sum - card_at(seen, last)
        if not drawing:
            player = next_player(player, first_stopped, second_stopped)
        return State(
            seen, drawn, first, second, first_sum, second_sum, first_left, second_left,
            first_stopped, second_stopped, player, unseen, drawing,
        )  # fmt: skip

    def score(state):
        return result(state.first_sum, state.second_sum, target)

    def worth(seen, hand, hand_sum, left):
        """A hand brought within the target: the erases then left count most, for they undo what luck has done."""
        while hand_sum > target and left > 0:
            hand_sum -= card_at(seen, highest(hand))
            hand ^= 1 << highest(hand)
            left -= 1
        nearness = hand_sum / target if hand_sum <= target else -1.0
        return 0.1 * nearness + 0.7 * left / erases

    def estimate(state):
        first_left = 0 if state.first_stopped else state.first_erases
        second_left = 0 if state.second_stopped else state.second_erases
        first = worth(state.seen, state.first, state.first_sum, first_left)
        return first - worth(state.seen, state.second, state.second_sum, second_left)

    def bounds(state):
        """One above the target who can erase no more has lost to one who is not; one left alone may stop at once."""
        low, high = -1, 1
        if state.drawing:
            return low, high
        first_over, second_over = state.first_sum > target, state.second_sum > target
        first_gone = first_over and (state.first_stopped or state.first_erases == 0)
        second_gone = second_over and (state.second_stopped or state.second_erases == 0)
        # Whom the other cannot reach any more can stop: a win, or a draw if that one is above the target too.
        if first_gone:
            high = 0 if second_over else -1
        if second_gone:
            low = 0 if first_over else 1
        if state.second_stopped:
            low = max(low, score(state))
        if state.first_stopped:
            high = min(high, score(state))
        return low, high

    def key(state):
        """The unseen cards, both sums, and of each hand the last cards in order, as many as can still be erased."""
        first_left = 0 if state.first_stopped else state.first_erases
        second_left = 0 if state.second_stopped else state.second_erases
        facts = state.first_sum << 24 | state.second_sum << 12 | first_left << 8 | second_left << 4
        facts |= state.first_stopped << 3 | state.second_stopped << 2 | state.player << 1 | state.drawing
        key = mix(mix(0, facts), state.unseen)  # mixed each: as a bare seed, facts would be XORed with unseen
        first, second = state.first, state.second
        for _ in range(first_left + second_left):
            first_last, second_last = 0, 0
            if first != 0:
                first_last = card_at(state.seen, highest(first))
                first ^= 1 << highest(first)
            if second != 0:
                second_last = card_at(state.seen, highest(second))
                second ^= 1 << highest(second)
            key = mix(key, first_last << 6 | second_last)
        return key

    def seen_of(state):
        return [card_at(state.seen, place) for place in range(state.drawn)]

    def unseen_of(state):
        return [card for card in range(1, cards + 1) if state.unseen >> card & 1]

    def held(state):
        return hands_of(state, seen_of(state))

    def name_outcome(state, outcome):
        return f"card {outcome}"

    def show(state):
        drawing = "\n  a card is being drawn ..." if state.drawing else ""
        hands = show_hands(state, seen_of(state), target)
        return f"{hands}\n  unseen: {words_of(unseen_of(state)) or 'none'}{drawing}"

    def write_state(state):
        return write_hands(state, seen_of(state)) + " | drawing" * state.drawing

    def read_state(text):
        """Read the cards in the order seen, the first four dealt, and the moves (18 5 9 2 19; d e); or as it is written."""
        given, letters, parts = split(text)
        if len(given) < 4 or len(set(given)) < len(given) or not set(given) <= set(range(1, cards + 1)):
            raise StateError(
                f"{text!r} must begin with the cards seen: the four dealt, such as 18 5 9 2, and those drawn since, "
                f"each of 1 to {cards} once at most"
            )
        if not parts:
            return _played(text, given, letters)
        drawing = len(parts) == 5 and parts[4].strip() == "drawing"
        hands = read_hands(text, parts[:4] if drawing else parts, given, erases)
        state = State(dealt(given, cards).seen, *hands, dealt(given, cards).unseen, drawing)
        if state.drawn != len(given) or (drawing and (state.unseen == 0 or turn(state) == OVER)):
            raise StateError(
                f"{text!r} names {len(given)} cards, and {state.drawn} have been drawn; name all of these and no more, and leave "
                "out | drawing where there is no card to draw or nobody to draw it"
            )
        return state

    def _played(text, given, letters):
        state = dealt(given[:4], cards)
        for number, letter in enumerate(letters, 1):
            if state.drawing:
                raise StateError(f"{text!r}: move {number - 1} draws a card that is not named; add it to the cards before the ;")
            state = play(state, read_letter(text, number, letter, [] if turn(state) == OVER else list(moves(state))))
            if state.drawing and state.drawn < len(given):
                state = play(state, given[state.drawn])
        if state.drawn < len(given):
            raise StateError(
                f"{text!r} names {len(given)} cards, and only {state.drawn} come up: four are dealt, and each move d draws one; "
                "leave out the others"
            )
        return state

    return Game(
        name="hidden-blacksin" if cards == 21 else f"hidden-blacksin with {cards} cards",
        start=dealt(Random(0).sample(range(1, cards + 1), 4), cards),
        turn=turn,
        moves=moves,
        chances=chances,
        play=play,
        score=score,
        estimate=estimate,
        bounds=bounds,
        key=key,
        show=show,
        draw=painter(Scene("Hidden Blacksin", PLAYERS, turn, moves, score), cards, MOVES, held, unseen_of, hidden=True),
        players=PLAYERS,
        about=(
            f"The deck holds the cards 1 to {cards}, and nobody sees their order; each player is dealt two. Player 0 "
            "begins. A move draws a card, stops for good, or erases the last card of the own hand or "
            f"of the other's; each player may erase {erases} times. Who has stopped moves no more, and the other goes on "
            "alone. The game ends when both have stopped, or when someone draws from an "
            f"empty deck. The higher sum wins, but a sum above {target} loses to any that is not; equal sums are a draw, and so are two above it. A "
            "value of +1 is a win for player 0, −1 a win for player 1."
        ),
        name_move=name_move,
        name_outcome=name_outcome,
        read_move=read_move,
        read_state=read_state,
        write_state=write_state,
        deal=lambda dice: dealt(dice.sample(range(1, cards + 1), 4), cards),
        policies={"cautious": cautious(cards)},
        max_moves=cards,
    )


def dealt(seen: Sequence[int], cards: int) -> State:
    """Return the state in which the cards *seen*, of so many, have come up and the first four of them been dealt."""
    planes = (0, 0, 0, 0, 0, 0)
    unseen = (1 << cards + 1) - 2
    for place, card in enumerate(seen):
        planes = with_card(planes, place, card)
        unseen ^= 1 << card
    erases = cards // 5
    return State(planes, 4, 0b0101, 0b1010, seen[0] + seen[2], seen[1] + seen[3], erases, erases, False, False, 0, unseen, False)


def card_at(seen, place):
    """The card that came up at *place*."""
    first, second, third, fourth, fifth, sixth = seen
    low = first >> place & 1 | (second >> place & 1) << 1 | (third >> place & 1) << 2
    return low | (fourth >> place & 1) << 3 | (fifth >> place & 1) << 4 | (sixth >> place & 1) << 5


def with_card(seen, place, card):
    """The cards seen and one more."""
    first, second, third, fourth, fifth, sixth = seen
    return (
        first | (card & 1) << place,
        second | (card >> 1 & 1) << place,
        third | (card >> 2 & 1) << place,
        fourth | (card >> 3 & 1) << place,
        fifth | (card >> 4 & 1) << place,
        sixth | (card >> 5 & 1) << place,
    )


def cautious(cards: int = 21) -> Callable[[State], int]:
    """Return a policy that sees what a person at the table sees. The first that applies:

    1. above the target: erase the last card of its own hand, or stop if it has no erase left;
    2. the other has stopped and is beaten: stop;
    3. at most half of the unseen cards would take it above the target: draw;
    4. the other is ahead, and it has an erase left: erase the last card of the other's hand;
    5. stop.
    """
    check_size(cards)
    target = 2 * cards - 1

    def cautious(state):
        own, other, left, stopped = state.first_sum, state.second_sum, state.first_erases, state.second_stopped
        if state.player == 1:
            own, other, left, stopped = state.second_sum, state.first_sum, state.second_erases, state.first_stopped
        if own > target:
            return ERASE_SELF if left > 0 else STOP
        ahead = result(own, other, target)
        if stopped and ahead > 0:
            return STOP
        too_high = count(state.unseen >> min(target - own, cards) + 1)
        if state.unseen != 0 and 2 * too_high <= count(state.unseen):
            return DRAW
        return ERASE_OPPONENT if ahead < 0 and left > 0 else STOP

    return cautious
