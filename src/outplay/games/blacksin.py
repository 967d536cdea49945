"""Blacksin: draw from an open deck to come nearest to a target, and erase cards. Any deck of 5 to 60 cards."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.common.parameters import check_whole
from outplay.games.pictures.blacksin import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import count, highest
from outplay.rules.game import OVER, Game

DRAW, STOP, ERASE_SELF, ERASE_OPPONENT = 0, 1, 2, 3
MOVES = ("draw", "stop", "erase self", "erase opponent")
LETTERS = "dseo"
PLAYERS = ("player 0", "player 1")

# A deck is packed into words, the top card lowest: as many cards a word as 60 bits hold. Of 21 cards, 5 bits each:
#
#      word 0    card 11 | ... | card 1 | card 0         word 1    card 20 | ... | card 13 | card 12
#
# Cards leave the deck in its order, so that a hand is a set of bits, one for each place in the deck, and its
# last card is its highest bit.


class State(NamedTuple):
    deck: tuple[int, ...]
    drawn: int  # cards that have left the deck, the deal's four among them
    first: int  # player 0's hand
    second: int
    first_sum: int
    second_sum: int
    first_erases: int  # left
    second_erases: int
    first_stopped: bool
    second_stopped: bool
    player: int


WORD = 60  # bits used of a word; a set of sums, which go up to the target of 60 cards, 119, takes two words


def blacksin(cards: int = 21, order: str = "draw stop erase-self erase-opponent") -> Game:
    """Come nearest to twice the number of cards less one: draw, stop, or erase the last card of a hand."""
    check_size(cards)
    target, erases = 2 * cards - 1, cards // 5
    moves_in_order = _order(order)
    card = _reader(cards)
    wide = target >= WORD
    lower, upper = (1 << min(target + 1, WORD)) - 1, (1 << max(target + 1 - WORD, 0)) - 1  # no sum is above the target

    def turn(state):
        return OVER if state.first_stopped and state.second_stopped else state.player

    def moves(state):
        own, other, left = state.first, state.second, state.first_erases
        if state.player == 1:
            own, other, left = state.second, state.first, state.second_erases
        for move in moves_in_order:
            if move < ERASE_SELF or (left > 0 and (own if move == ERASE_SELF else other) != 0):
                yield move

    def play(state, move):
        deck, drawn, first, second, first_sum, second_sum, first_left, second_left, first_stopped, second_stopped, player = state
        if move == DRAW and drawn == cards:
            first_stopped = second_stopped = True
        elif move == DRAW:
            if player == 0:
                first, first_sum = first | 1 << drawn, first_sum + card(deck, drawn)
            else:
                second, second_sum = second | 1 << drawn, second_sum + card(deck, drawn)
            drawn += 1
        elif move == STOP:
            first_stopped, second_stopped = first_stopped or player == 0, second_stopped or player == 1
        else:
            if player == 0:
                first_left -= 1
            else:
                second_left -= 1
            if (move == ERASE_SELF) == (player == 0):
                last = highest(first)
                first, first_sum = first ^ 1 << last, first_sum - card(deck, last)
            else:
                last = highest(second)
                second, second_sum = second ^ 1 << last, second_sum - card(deck, last)
        player = next_player(player, first_stopped, second_stopped)
        return State(
            deck, drawn, first, second, first_sum, second_sum, first_left, second_left, first_stopped, second_stopped, player
        )

    def score(state):
        return result(state.first_sum, state.second_sum, target)

    def reaches(low, high, least):
        """Whether there is a sum from *least* on in a set of sums: those below WORD in one word, the rest in another."""
        return (low >> least | high) != 0 if least < WORD else high >> least - WORD != 0

    def alone(deck, drawn, own, own_sum, other, other_sum, left):
        """The best result, to that player, of one who acts alone from here on and has so many erases *left*.

        Such a player may erase the last cards of its hand, draw, erase any card just drawn, and spend the rest of
        its erases on the other hand. So it is enough to know which sums it can come to with how many erases used.
        """
        best = 0 if other_sum > target else -1
        low, high, winning = [0] * (erases + 1), [0] * (erases + 1), [0] * (erases + 1)  # winning: the least sum that wins
        for used in range(left, -1, -1):
            if best == -1:
                winning[used] = other_sum + 1
            if other != 0:
                other_sum -= card(deck, highest(other))
                other ^= 1 << highest(other)
        for used in range(left + 1):
            if own_sum <= target:
                low[used] = 1 << own_sum if own_sum < WORD else 0
                high[used] = 1 << own_sum - WORD if own_sum >= WORD else 0
            if own == 0:
                break
            own_sum -= card(deck, highest(own))
            own ^= 1 << highest(own)
        for position in range(drawn, cards + 1):
            any_sum = 0
            for used in range(left + 1):
                if reaches(low[used], high[used], winning[used]):
                    return 1
                if winning[used] > 0 and reaches(low[used], high[used], winning[used] - 1):
                    best = 0
                any_sum |= low[used] | high[used]
            if any_sum == 0 or position == cards:
                break
            new = card(deck, position)
            for used in range(left, -1, -1):  # draw and keep it, or erase it: then one erase fewer was used before
                if wide:
                    high[used] = (high[used] << new | low[used] >> WORD - new) & upper | (high[used - 1] if used > 0 else 0)
                low[used] = low[used] << new & lower | (low[used - 1] if used > 0 else 0)
        return best

    def bounds(state):
        """Each can stop, now or at the next turn, and leave the other alone: so neither does better than alone."""
        deck, drawn, first, second, first_sum, second_sum, first_left, second_left, first_stopped, second_stopped, _ = state
        low, high = -1, 1
        if not second_stopped:
            low = -alone(deck, drawn, second, second_sum, first, first_sum, second_left)
        if not first_stopped:
            high = alone(deck, drawn, first, first_sum, second, second_sum, first_left)
        if first_stopped:
            high = low
        elif second_stopped:
            low = high
        return low, high

    def estimate(state):
        """The middle of what can be proven."""
        low, high = bounds(state)
        return (low + high) / 2

    def deck_of(state):
        return [card(state.deck, position) for position in range(cards)]

    def held(state):
        return hands_of(state, deck_of(state))

    def rest(state):
        return deck_of(state)[state.drawn :]

    def show(state):
        deck = deck_of(state)
        return f"{show_hands(state, deck, target)}\n  deck: {words_of(rest(state)) or 'empty'}"

    def write_state(state):
        return write_hands(state, deck_of(state))

    def read_state(text):
        """Read a deck, top card first, and the moves since the deal (18 5 9 ...; d s e o); or as `write_state` writes it."""
        given, letters, parts = split(text)
        deck = _permutation(given, text, cards)
        if not parts:
            return _played(text, deal(deck), letters)
        return State(deal(deck).deck, *read_hands(text, parts, deck, erases))

    def _played(text, state, letters):
        for number, letter in enumerate(letters, 1):
            state = play(state, read_letter(text, number, letter, [] if turn(state) == OVER else list(moves(state))))
        return state

    return Game(
        name="blacksin" if cards == 21 else f"blacksin with {cards} cards",
        start=deal(cards),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        bounds=bounds,
        show=show,
        draw=painter(Scene("Blacksin", PLAYERS, turn, moves, score), cards, MOVES, held, rest),
        players=PLAYERS,
        about=(
            f"The deck holds the cards 1 to {cards}, in an order that all can see; each player is dealt two. Player 0 "
            "begins. A move draws a card, stops for good, or erases the last card of the own hand or "
            f"of the other's; each player may erase {erases} times. Who has stopped moves no more, and the other goes on "
            "alone. The game ends when both have stopped, or when someone draws from an "
            f"empty deck. The higher sum wins, but a sum above {target} loses to any that is not; equal sums are a draw, and so are two above it. A "
            "value of +1 is a win for player 0, −1 a win for player 1."
        ),
        name_move=name_move,
        read_move=read_move,
        read_state=read_state,
        write_state=write_state,
        deal=lambda dice: deal(dice.sample(range(1, cards + 1), cards)),
        policies={"house": house(cards)},
        max_moves=4,
    )


def deal(cards: int | Sequence[int]) -> State:
    """Return the state after the deal of a deck, top card first, or of the deck of that many cards that games start with."""
    if isinstance(cards, int):
        check_size(cards)
        return deal(Random(0).sample(range(1, cards + 1), cards))
    deck = _permutation(cards, words_of(cards), len(cards))
    bits, room = _packing(len(deck))
    words = [0] * -(-len(deck) // room)
    for place, card in enumerate(deck):
        words[place // room] |= card << bits * (place % room)
    erases = len(deck) // 5
    return State(tuple(words), 4, 0b0101, 0b1010, deck[0] + deck[2], deck[1] + deck[3], erases, erases, False, False, 0)


def house(cards: int = 21) -> Callable[[State], int]:
    """Return the house's policy for so many cards: it looks at the deck's next two cards and no further."""
    check_size(cards)
    target = 2 * cards - 1
    near = target // 7
    card = _reader(cards)

    def house(state):
        next_card = card(state.deck, state.drawn) if state.drawn < cards else 0
        card_after = card(state.deck, state.drawn + 1) if state.drawn + 1 < cards else 0
        own, other, left, hand = target - state.first_sum, target - state.second_sum, state.first_erases, state.second
        if state.player == 1:
            own, other, left, hand = target - state.second_sum, target - state.first_sum, state.second_erases, state.first
        if own < next_card and left == 0:
            return STOP
        if 0 < next_card <= own:
            return DRAW
        if own < 0:
            return ERASE_SELF
        if left > 0 and (other < near or other - card_after < near or other - card_after <= own - next_card or other <= own):
            # Where the other hand is empty, the original passes. It comes to this only if its own hand and the deck are empty
            # too; as nothing can change there, to stop is the same. And play never leads there: the erases of both do not
            # suffice for half of the cards.
            return ERASE_OPPONENT if hand != 0 else STOP
        return STOP

    return house


# What the game with a hidden deck shares.


def result(first_sum, second_sum, target):
    """The result to player 0: the higher sum wins, and one above the target is below all others."""
    first = first_sum if first_sum <= target else -1
    second = second_sum if second_sum <= target else -1
    return (first > second) - (first < second)


def next_player(player, first_stopped, second_stopped):
    """Who acts after *player*; 0 where nobody does."""
    if first_stopped == second_stopped:
        return 0 if first_stopped else 1 - player
    return 1 if first_stopped else 0


def name_move(state, move):
    return MOVES[move]


def read_move(state, text):
    """Read a move by its name, or by the letter d, s, e or o."""
    wanted = text.casefold().replace("-", " ")
    names = [*MOVES, *LETTERS]
    return names.index(wanted) % len(MOVES) if wanted in names else -1


def words_of(cards: Sequence[int]) -> str:
    """Return cards as text."""
    return " ".join(map(str, cards))


def hands_of(state: Any, deck: Sequence[int]) -> list[list[int]]:
    """Return the cards of both hands, each in the order of drawing."""
    return [[card for place, card in enumerate(deck) if hand >> place & 1] for hand in (state.first, state.second)]


def sum_of(hand: int, deck: Sequence[int]) -> int:
    """Return the sum of a hand's cards."""
    return sum(card for place, card in enumerate(deck) if hand >> place & 1)


def show_hands(state: Any, deck: Sequence[int], target: int) -> str:
    """Return both hands with their sums, the erases left, who has stopped and who is to act."""
    over = state.first_stopped and state.second_stopped
    stopped, sums = (state.first_stopped, state.second_stopped), (state.first_sum, state.second_sum)
    left, lines = (state.first_erases, state.second_erases), []
    for player, hand in enumerate(map(words_of, hands_of(state, deck))):
        mark = ">" if player == state.player and not over else " "
        many = f"{left[player]} erase{'s' * (left[player] != 1)} left"
        lines.append(f"{mark} player {player}: {hand or '-'} = {sums[player]} of {target}, {many}{', stopped' * stopped[player]}")
    return "\n".join(lines)


def write_hands(state: Any, deck: Sequence[int]) -> str:
    """Return: the deck | player 0's hand | player 1's | the erases left to each | who has stopped."""
    stopped = ("none", "0", "1", "both")[state.first_stopped + 2 * state.second_stopped]
    hands = map(words_of, hands_of(state, deck))
    return " | ".join([words_of(deck), *hands, f"{state.first_erases} {state.second_erases}", stopped])


def split(text: str) -> tuple[list[int], list[str], list[str]]:
    """Return the cards that *text* begins with, then the letters of the moves after a ; or the parts after a |."""
    cards, *parts = text.split("|")
    cards, semicolon, letters = cards.partition(";")
    given = cards.replace(",", " ").split()
    if not given or not all(word.isdecimal() for word in given) or (semicolon and parts):
        raise StateError(
            f"{text!r} is not a state of blacksin; write the cards in the order of the deck, such as 18 5 9 2, "
            "then, if any, the moves since the deal: ; d s e o (draw, stop, erase self, erase opponent)"
        )
    return [int(word) for word in given], [letter for letter in letters if letter not in ", "], parts


def read_letter(text: str, number: int, letter: str, legal: list[int]) -> int:
    """Return the legal move that a letter stands for."""
    move = LETTERS.find(letter)
    if move in legal:
        return move
    names = ", ".join(f"{LETTERS[move]} ({MOVES[move]})" for move in legal)
    raise StateError(
        f"{text!r}: move {number}, {letter!r}, is none here; "
        + (f"there are {names}" if legal else "the game is over: leave it out, and all after it")
    )


Hands = tuple[int, int, int, int, int, int, int, bool, bool, int]  # the fields of a State but its deck


def read_hands(text: str, parts: list[str], deck: list[int], erases: int) -> Hands:
    """Return what follows the deck in what `write_hands` writes, or say why no play leads there."""
    words = [part.replace(",", " ").split() for part in parts]
    who = {"none": (False, False), "0": (True, False), "1": (False, True), "both": (True, True)}
    if (
        len(parts) != 4
        or not all(word.isdecimal() for part in words[:3] for word in part)
        or len(words[2]) != 2
        or parts[3].strip() not in who
    ):
        raise StateError(
            f"{text!r} is not a state of blacksin; after the deck write | player 0's hand | player 1's | the erases left to each | "
            "who has stopped: none, 0, 1 or both, such as | 18 9 | 5 2 | 4 4 | none"
        )
    left = int(words[2][0]), int(words[2][1])
    if max(left) > erases:
        raise StateError(f"{text!r} leaves a player {max(left)} erases; each has {erases} at first: write at most so many")
    hands = _hand(text, 0, words[0], deck), _hand(text, 1, words[1], deck)
    used = erases - left[0], erases - left[1]
    drawn = count(hands[0] | hands[1]) + sum(used)
    stopped = who[parts[3].strip()]
    player = drawn - 4 + sum(used) & 1 if stopped == (False, False) else 1 if stopped == (True, False) else 0
    _check_history(text, hands, used, drawn, stopped, len(deck))
    return drawn, *hands, sum_of(hands[0], deck), sum_of(hands[1], deck), *left, *stopped, player


def _hand(text: str, player: int, words: list[str], deck: list[int]) -> int:
    """Return a hand as the places of its cards, or say why the deal makes it impossible."""
    cards = [int(word) for word in words]
    foreign = [card for card in cards if card not in deck]
    if foreign:
        raise StateError(f"{text!r}: player {player} holds {foreign[0]}, which is not in the deck; hold only cards that are")
    places = [deck.index(card) for card in cards]
    if places != sorted(set(places)):
        raise StateError(f"{text!r}: write player {player}'s hand in the order of the deck, each card once")
    if 1 - player in places or 3 - player in places:
        raise StateError(
            f"{text!r}: player {player} holds a card dealt to the other; of the first four, "
            f"{deck[player]} and {deck[2 + player]} are player {player}'s"
        )
    if 2 + player in places and player not in places:
        raise StateError(
            f"{text!r}: player {player} holds {deck[2 + player]} without {deck[player]}, which lay below it; "
            "the last card of a hand is erased first, so add the lower one or leave out both"
        )
    return sum(1 << place for place in places)


def _check_history(
    text: str, hands: tuple[int, int], used: tuple[int, int], drawn: int, stopped: tuple[bool, bool], cards: int
) -> None:
    """Say why no play leads from the deal to these hands, if none does."""
    if hands[0] & hands[1]:
        raise StateError(f"{text!r}: both hands hold a card that there is only once; leave it out of one")
    if not 4 <= drawn <= cards or (hands[0] | hands[1]) >> drawn:
        raise StateError(
            f"{text!r} has {count(hands[0] | hands[1])} cards in hand and {sum(used)} erases used, so that {drawn} cards have left "
            f"the deck: that must be 4 to {cards}, and all in hand among them; correct the hands or the erases left"
        )
    made = [count(hand >> 4) + number for hand, number in zip(hands, used, strict=True)]  # moves of each, at the least
    gone = drawn - 4 - count((hands[0] | hands[1]) >> 4)  # cards drawn and erased since, by whom is open
    least, most = made[0] - made[1] - gone, made[0] - made[1] + gone  # how many moves player 0 can be ahead
    # They take turns until one stops; from then on the other goes ahead.
    if (not stopped[0] and most < stopped[1]) or (not stopped[1] and least > 1 - stopped[0]):
        raise StateError(
            f"{text!r}: players take turns until one stops, and no way of doing so leads to these hands; "
            "correct the hands, the erases left or who has stopped"
        )


def check_size(cards: Any) -> None:
    check_whole("blacksin", "cards", cards, 5, 60)


def _order(text: str) -> tuple[int, ...]:
    words = str(text).replace(",", " ").split()
    names = [name.replace(" ", "-") for name in MOVES]
    if sorted(words) != sorted(names):
        raise OptionError(f"order={text!r} of blacksin must name each move once: {' '.join(names)}, in the order to be tried")
    return tuple(names.index(word) for word in words)


def _permutation(cards: Sequence[int], text: str, size: int) -> list[int]:
    """Return *cards* as a list, or say in what they are no deck of *size*."""
    deck = list(cards)
    if len(deck) != size or not 5 <= size <= 60:
        wanted = f"{size}" if 5 <= size <= 60 else "5 to 60"
        raise StateError(f"{text!r} has {len(deck)} cards, and the deck has {wanted}: write each once, top card first")
    twice = sorted({card for card in deck if deck.count(card) > 1})
    strange = [card for card in deck if not isinstance(card, int) or not 1 <= card <= size]
    if strange or twice:
        what = f"{strange[0]!r} is not a card" if strange else f"{twice[0]} comes twice"
        missing = words_of([card for card in range(1, size + 1) if card not in deck])
        raise StateError(f"{text!r} is not a deck: {what}, missing: {missing}; write each of 1 to {size} once")
    return deck


def _packing(cards: int) -> tuple[int, int]:
    """Return the bits that a card takes, and how many cards a word holds."""
    bits = cards.bit_length()
    return bits, WORD // bits


def _reader(cards: int) -> Callable[[tuple[int, ...], int], int]:
    """Return the function that reads a card from a packed deck."""
    bits, room = _packing(cards)
    mask = (1 << bits) - 1

    def card(deck, position):
        return deck[position // room] >> bits * (position % room) & mask

    return card
