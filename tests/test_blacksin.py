"""Blacksin, its deck open or hidden: rules, the seed's printed games, exact values, the policies, text."""

import itertools
import random
import statistics

import pytest

from outplay import CHANCE, OVER, check, facing, load, minimax, search
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.games import blacksin as open_deck
from outplay.games import hidden_blacksin as hidden
from outplay.games.blacksin import DRAW, ERASE_OPPONENT, ERASE_SELF, STOP, deal, house
from outplay.games.hidden_blacksin import cautious
from outplay.rules.text import read_move, read_state

# What seed 003 prints of its five games: the deck, the moves (the house's as capitals), and both hands before
# each move of the player and at the end, the player's first. The player wins all five.
PRINTED = [
    (
        "18 5 9 2 19 11 13 21 14 17 15 16 10 4 7 6 8 1 3 20 12",
        "eDeDoDoSdds",
        "18 9/5 2, 18/5 2 19, /5 2 19 11, /5 2 19 13, /5 2 19, 21/5 2 19, 21 14/5 2 19, 21 14/5 2 19",
    ),
    (
        "6 15 12 10 17 13 16 7 1 21 4 9 8 3 11 20 14 19 5 18 2",
        "eSeoods",
        "6 12/15 10, 6/15 10, /15 10, /15, /, 17/, 17/",
    ),
    (
        "12 14 18 13 20 17 7 10 9 11 21 1 8 6 19 3 4 5 2 16 15",
        "eSeoods",
        "12 18/14 13, 12/14 13, /14 13, /14, /, 20/, 20/",
    ),
    (
        "10 19 13 7 16 17 2 12 4 21 14 5 15 8 18 11 20 9 3 6 1",
        "eSeoods",
        "10 13/19 7, 10/19 7, /19 7, /19, /, 16/, 16/",
    ),
    (
        "20 18 13 10 1 4 6 11 21 2 15 7 9 5 14 16 3 8 12 19 17",
        "eDeDdSeodds",
        "20 13/18 10, 20/18 10 1, /18 10 1 4, 6/18 10 1 4, /18 10 1 4, /18 10 1, 11/18 10 1, 11 21/18 10 1, 11 21/18 10 1",
    ),
]


def decks(number, cards=21, seed=1):
    dice = random.Random(seed)
    return [dice.sample(range(1, cards + 1), cards) for _ in range(number)]


def random_states(game, games=20, seed=0):
    """The states of games played at random, each from a deal of its own."""
    dice = random.Random(seed)
    for _ in range(games):
        state = game.deal(dice)
        while True:
            yield state
            who = game.turn(state)
            if who == OVER:
                break
            open_to = [outcome for outcome, _ in game.chances(state)] if who == CHANCE else game.legal(state)
            state = game.state(game.play(state, dice.choice(open_to)))


@pytest.mark.parametrize(
    "name",
    ["blacksin:cards=9", "blacksin:cards=60", "hidden-blacksin:cards=5"],  # those of 21: test_games.py
)
def test_blacksin_of_any_size_is_written_right(name):
    report = check(name, games=30)
    assert report.ok, str(report)


# The open deck


@pytest.mark.parametrize(("deck", "moves", "hands"), PRINTED, ids=range(1, 6))
def test_the_games_that_the_seed_prints_are_played_alike(deck, moves, hands):
    game, policy = load("blacksin"), house()
    state, printed = read_state(game, deck), iter(hands.split(", "))
    for letter in moves:
        assert game.turn(state) == letter.isupper()
        if letter.islower():
            assert_hands(game, state, next(printed))
        else:
            assert policy(state) == "dseo".index(letter.lower())
        state = game.after(state, ["dseo".index(letter.lower())])
    assert_hands(game, state, next(printed))
    assert (game.turn(state), game.score(state), list(printed)) == (OVER, 1, [])
    assert read_state(game, f"{deck}; {moves.lower()}") == state


def assert_hands(game, state, printed):
    hands = [hand.split() for hand in printed.split("/")]
    assert [part.split() for part in game.write_state(state).split("|")[1:3]] == hands
    assert [state.first_sum, state.second_sum] == [sum(map(int, hand)) for hand in hands]


class Table:
    """The rules with lists, as one would play at a table."""

    def __init__(self, deck):
        self.deck, self.hands = list(deck[4:]), [[deck[0], deck[2]], [deck[1], deck[3]]]
        self.erases, self.stopped, self.player = [len(deck) // 5] * 2, [False, False], 0

    def legal(self):
        erasable = [hand for hand in (self.player, 1 - self.player) if self.erases[self.player] and self.hands[hand]]
        return [DRAW, STOP, *(ERASE_SELF if hand == self.player else ERASE_OPPONENT for hand in erasable)]

    def play(self, move):
        if move == DRAW and not self.deck:
            self.stopped = [True, True]
        elif move == DRAW:
            self.hands[self.player].append(self.deck.pop(0))
        elif move == STOP:
            self.stopped[self.player] = True
        else:
            self.erases[self.player] -= 1
            self.hands[self.player if move == ERASE_SELF else 1 - self.player].pop()
        if not self.stopped[1 - self.player]:
            self.player = 1 - self.player


@pytest.mark.parametrize("cards", [5, 21, 60])
def test_random_games_go_as_at_a_table(cards):
    game, dice = load(f"blacksin:cards={cards}"), random.Random(cards)
    for deck in decks(100, cards):
        state, table = deal(deck), Table(deck)
        while game.turn(state) != OVER:
            assert (game.turn(state), game.legal(state)) == (table.player, table.legal())
            move = DRAW if dice.random() < 0.5 else dice.choice(table.legal())
            state = game.state(game.play(state, move))
            table.play(move)
            assert [state.first_sum, state.second_sum] == [sum(hand) for hand in table.hands]
            assert open_deck.hands_of(state, deck) == [list(hand) for hand in table.hands]
            assert [state.first_erases, state.second_erases] == table.erases
            assert [state.first_stopped, state.second_stopped] == table.stopped
        assert all(table.stopped)


def test_a_stopped_player_s_cards_can_still_be_erased():
    game = load("blacksin")
    state = read_state(game, f"{PRINTED[0][0]}; soo")
    assert (game.turn(state), state.first_stopped, state.first, state.second_erases) == (1, True, 0, 2)
    assert game.legal(state) == [DRAW, STOP, ERASE_SELF]  # nothing is left to erase in the other hand


def test_without_an_erase_left_none_is_offered():
    game = load("blacksin:cards=5")
    assert game.legal(read_state(game, "1 2 3 4 5; eo")) == [DRAW, STOP]


def test_drawing_from_an_empty_deck_stops_both():
    game = load("blacksin:cards=5")
    state = read_state(game, "1 2 3 4 5; dd")
    assert (game.turn(state), game.score(state)) == (OVER, 1)  # 1 + 3 + 5 is 9, the target
    state = read_state(game, "1 2 3 5 4; dd")
    assert game.score(state) == 1  # 8 to 7


@pytest.mark.parametrize(
    ("first_sum", "second_sum", "score"),
    [(41, 40, 1), (40, 41, -1), (41, 41, 0), (42, 41, -1), (41, 42, 1), (50, 42, 0), (0, 42, 1), (0, 1, -1), (0, 0, 0)],
)
def test_the_nearer_to_the_target_wins_and_above_it_one_loses(first_sum, second_sum, score):
    game = load("blacksin")
    assert game.score(game.start._replace(first_sum=first_sum, second_sum=second_sum)) == score


def test_moves_come_in_the_order_asked_for():
    game = load("blacksin:order=erase-self erase-opponent stop draw")
    assert game.legal(game.start) == [ERASE_SELF, ERASE_OPPONENT, STOP, DRAW]
    assert load("blacksin").legal(load("blacksin").start) == [DRAW, STOP, ERASE_SELF, ERASE_OPPONENT]


def assert_worth_what_the_oracle_says(game, state, compiled):
    found = search(game, state, depth=30, compiled=compiled, check=False)
    assert found.proven
    assert found.value == pytest.approx(minimax(game, state, depth=30, compiled=compiled).value, abs=1e-9)


def test_every_deal_of_five_cards_is_worth_what_the_oracle_says():
    for deck in itertools.permutations(range(1, 6)):
        assert_worth_what_the_oracle_says(load("blacksin:cards=5"), deal(deck), compiled=False)


@pytest.mark.parametrize(("cards", "compiled"), [(6, False), (7, False), (8, False), (9, False), (9, True), (10, False)])
def test_small_deals_are_worth_what_the_oracle_says(cards, compiled):
    game = load(f"blacksin:cards={cards}")  # a small tree is walked before its rules are compiled
    for deck in decks(30 if cards < 10 else 3, cards):
        assert_worth_what_the_oracle_says(game, deal(deck), compiled)


@pytest.mark.parametrize("cards", [21, 40])
def test_bounds_change_no_value_where_both_hands_are_near_the_target(cards):
    """The sums of 40 cards take two words, those of 21 one."""
    game, dice = load(f"blacksin:cards={cards}"), random.Random(3)
    values = []
    for deck in decks(150, cards):
        drawn = cards - 6
        places = dice.sample(range(drawn), 8)
        hands = [sum(1 << place for place in places[half : half + dice.randint(2, 4)]) for half in (0, 4)]
        sums = [open_deck.sum_of(hand, deck) for hand in hands]
        left = dice.choices(range(4), k=2)
        state = open_deck.State(deal(deck).deck, drawn, *hands, *sums, *left, False, False, dice.randint(0, 1))
        found = search(game, state, depth=30, check=False)
        assert (found.value, found.proven) == (search(game, state, depth=30, without=("bounds",), check=False).value, True)
        values.append(found.value)
    assert set(values) == {-1, 0, 1}


def test_an_open_deal_is_solved():
    game = load("blacksin")
    found = [search(game, deal(deck), depth=60, check=False) for deck in decks(40)]
    assert all(result.proven for result in found)
    assert statistics.median(result.nodes for result in found) <= 250_000
    assert [sum(result.value == value for result in found) for value in (1, 0, -1)] == [16, 6, 18]


def test_the_order_of_moves_changes_no_value():
    orders = ["draw stop erase-self erase-opponent", "erase-opponent erase-self draw stop"]
    first, second = (load(f"blacksin:cards=11,order={order}") for order in orders)
    for deck in decks(10, 11):
        found = [search(game, deal(deck), depth=30, compiled=False) for game in (first, second)]
        assert found[0].value == found[1].value


def test_a_best_response_beats_the_house_on_every_deck():
    game, policy = load("blacksin"), house()
    faced = facing(game, 1, policy)
    for deck in decks(60):
        found = search(faced, deal(deck), depth=60, check=False)
        assert (found.value, found.proven) == (1, True)
        state = game.after(deal(deck), found.line)  # chance has one outcome here: the line is the game
        assert (game.turn(state), game.score(state)) == (OVER, 1)


def test_a_best_response_is_found_anew_at_each_turn():
    game, policy = load("blacksin"), house()
    for deck in decks(3):
        state = deal(deck)
        while (who := game.turn(state)) != OVER:
            state = game.play(
                state, policy(state) if who == 1 else search(game, state, depth=60, opponent=policy, check=False).move
            )
        assert game.score(state) == 1


def original_house(deck, own, other, erases, target):
    """What the house does by GAMES.md, where an erase may be named that is impossible."""
    following, after = [*deck, 0, 0][:2]
    room, other_room = target - own, target - other
    if room < following and erases == 0:
        return STOP
    if following and room >= following:
        return DRAW
    if room < 0 and erases > 0:
        return ERASE_SELF
    near = target // 7
    if erases > 0 and (
        other_room < near or other_room - after < near or other_room - after <= room - following or other_room <= room
    ):
        return ERASE_OPPONENT
    return STOP


def test_the_house_does_as_the_original_in_every_state():
    """The original passes where it cannot erase. That takes both hands and the deck to be empty, and erases do not suffice."""
    for cards, deals in ((5, list(itertools.permutations(range(1, 6)))), (10, decks(2, 10))):
        game, policy = load(f"blacksin:cards={cards}"), house(cards)
        for deck in deals:
            waiting, seen = [deal(deck)], set()
            while waiting:
                state = waiting.pop()
                if state in seen or game.turn(state) == OVER:
                    continue
                seen.add(state)
                waiting += [game.play(state, move) for move in game.legal(state)]
                own, other, erases = state.first_sum, state.second_sum, state.first_erases
                if state.player == 1:
                    own, other, erases = state.second_sum, state.first_sum, state.second_erases
                wanted = original_house(deck[state.drawn :], own, other, erases, 2 * cards - 1)
                assert policy(state) == wanted
                assert wanted in game.legal(state)


@pytest.mark.parametrize("cards", [5, 21, 60])
def test_the_house_could_pass_only_where_both_hands_and_the_deck_are_empty(cards):
    """So says a sum of 0 against every own sum, every two cards to come and any number of erases."""
    target, passes = 2 * cards - 1, []
    coming = [(), *((card,) for card in range(1, cards + 1)), *itertools.permutations(range(1, cards + 1), 2)]
    for own, following in itertools.product(range(target + cards + 1), coming):
        if original_house(following, own, 0, 1, target) == ERASE_OPPONENT:
            passes.append((own, following))
    assert passes == [(0, ())]
    empty = deal(cards)._replace(drawn=cards, first=0, second=0, first_sum=0, second_sum=0)
    assert house(cards)(empty) == STOP  # nothing can change there: it is a draw


def test_the_shown_state_tells_all():
    game = load("blacksin")
    assert game.show(read_state(game, f"{PRINTED[0][0]}; eds")) == (
        "  player 0: 18 = 18 of 41, 3 erases left, stopped\n"
        "> player 1: 5 2 19 = 26 of 41, 4 erases left\n"
        "  deck: 11 13 21 14 17 15 16 10 4 7 6 8 1 3 20 12"
    )
    assert [game.name_move(game.start, move) for move in range(4)] == ["draw", "stop", "erase self", "erase opponent"]
    assert [read_move(game, game.start, text) for text in ("d", "Stop", "erase-self", "o")] == [0, 1, 2, 3]
    with pytest.raises(IllegalMove, match="legal moves: draw, stop, erase self, erase opponent"):
        read_move(game, game.start, "x")


@pytest.mark.parametrize(
    "name", ["blacksin", "blacksin:cards=5", "blacksin:cards=60", "hidden-blacksin", "hidden-blacksin:cards=60"]
)
def test_every_state_is_read_as_it_is_written(name):
    game = load(name)
    for state in random_states(game):
        assert read_state(game, game.write_state(state)) == state
        assert game.show(state)


def test_a_deck_may_be_dealt_from_any_sequence():
    assert deal((1, 2, 3, 4, 5)) == read_state(load("blacksin:cards=5"), "1,2,3,4,5")
    assert deal(21) == load("blacksin").start
    assert len(deal(60).deck) == 6


FIVE = "1 2 3 4 5"
SIX = "1 2 3 4 5 6"


@pytest.mark.parametrize(
    ("cards", "text", "words"),
    [
        (5, "1 2 3 4", "has 4 cards, and the deck has 5"),
        (5, "1 2 3 4 4", "4 comes twice, missing: 5; write each of 1 to 5 once"),
        (5, "1 2 3 4 6", "6 is not a card, missing: 5"),
        (5, "0 2 3 4 5", "0 is not a card, missing: 1"),
        (5, "one two", "is not a state of blacksin; write the cards in the order of the deck"),
        (5, "", "is not a state of blacksin"),
        (5, f"{FIVE}; dx", "move 2, 'x', is none here; there are d \\(draw\\), s \\(stop\\), e"),
        (5, f"{FIVE}; eoe", "move 3, 'e', is none here; there are d \\(draw\\), s \\(stop\\)$"),
        (5, f"{FIVE}; ssd", "move 3, 'd', is none here; the game is over"),
        (5, f"{FIVE} | 1 3", "after the deck write"),
        (5, f"{FIVE}; d | 1 3 | 2 4 | 1 1 | none", "is not a state of blacksin"),
        (5, f"{FIVE} | 1 3 | 2 4 | 2 1 | none", "leaves a player 2 erases; each has 1 at first"),
        (5, f"{FIVE} | 1 3 | 2 4 | 1 1 | nobody", "who has stopped: none, 0, 1 or both"),
        (5, f"{FIVE} | 1 3 7 | 2 4 | 1 1 | none", "player 0 holds 7, which is not in the deck"),
        (5, f"{FIVE} | 3 1 | 2 4 | 1 1 | none", "player 0's hand in the order of the deck"),
        (5, f"{FIVE} | 1 3 | 3 4 | 1 1 | none", "holds a card dealt to the other; of the first four, 2 and 4 are player 1's"),
        (5, f"{FIVE} | 3 | 2 4 | 0 1 | none", "player 0 holds 3 without 1, which lay below it"),
        (5, f"{FIVE} | 1 3 5 | 2 4 5 | 1 1 | 0", "both hands hold a card that there is only once"),
        (5, f"{FIVE} | 1 | 2 4 | 1 1 | none", "has 3 cards in hand and 0 erases used, so that 3 cards have left"),
        (6, f"{SIX} | 1 3 6 | 2 4 | 1 1 | none", "all in hand among them"),
        (6, f"{SIX} | 1 3 | 2 4 5 | 1 1 | none", "players take turns until one stops"),
        (6, f"{SIX} | 1 3 5 | 2 4 | 1 1 | 0", "players take turns until one stops"),
        (6, f"{SIX} | 1 3 | 2 4 5 | 1 1 | 1", "players take turns until one stops"),
    ],
)
def test_what_is_no_deck_and_no_hand_is_refused(cards, text, words):
    with pytest.raises(StateError, match=words):
        read_state(load(f"blacksin:cards={cards}"), text)


def test_a_deal_of_what_is_no_deck_is_refused():
    with pytest.raises(StateError, match="has 3 cards, and the deck has 5 to 60"):
        deal([1, 2, 3])
    with pytest.raises(StateError, match="'a' is not a card"):
        deal([1, 2, 3, 4, "a"])


@pytest.mark.parametrize("make", [open_deck.blacksin, hidden.hidden_blacksin, house, cautious, deal])
def test_a_deck_that_is_too_small_or_too_large_is_refused(make):
    for cards in (4, 61):
        with pytest.raises(OptionError, match=f"cards={cards} of blacksin must be a whole number from 5 to 60"):
            make(cards)


@pytest.mark.parametrize("order", ["draw stop", "draw stop erase-self erase-self", "draw stop erase-self pass"])
def test_an_order_that_does_not_name_each_move_once_is_refused(order):
    with pytest.raises(OptionError, match="must name each move once: draw stop erase-self erase-opponent"):
        load(f"blacksin:order={order}")


# The hidden deck


def test_hidden_golden_playthrough():
    game = load("hidden-blacksin")
    state = read_state(game, "18 5 9 2")
    state = game.after(state, [ERASE_SELF, DRAW])
    assert game.turn(state) == CHANCE
    assert [outcome for outcome, _ in game.chances(state)] == [card for card in range(1, 22) if card not in (2, 5, 9, 18)]
    assert {probability for _, probability in game.chances(state)} == {1 / 17}
    assert state == read_state(game, "18 5 9 2; ed")
    assert game.write_state(state) == "18 5 9 2 | 18 | 5 2 | 3 4 | none | drawing"
    state = game.after(state, [19])
    assert state == read_state(game, "18 5 9 2 19; ed")
    assert game.show(state) == (
        "> player 0: 18 = 18 of 41, 3 erases left\n"
        "  player 1: 5 2 19 = 26 of 41, 4 erases left\n"
        "  unseen: 1 3 4 6 7 8 10 11 12 13 14 15 16 17 20 21"
    )


def test_drawing_where_no_card_is_unseen_stops_both():
    game = load("hidden-blacksin:cards=5")
    state = read_state(game, "1 2 3 4 5; dd")
    assert (game.turn(state), game.score(state)) == (OVER, 1)


@pytest.mark.parametrize(("cards", "compiled"), [(5, False), (5, True), (6, False), (7, False), (8, False)])
def test_small_hidden_deals_are_worth_what_the_oracle_says(cards, compiled):
    game, dice = load(f"hidden-blacksin:cards={cards}"), random.Random(cards)
    for start in [game.deal(dice) for _ in range(20 if cards < 8 else 3)]:
        assert_worth_what_the_oracle_says(game, start, compiled)


def test_a_hidden_deal_of_five_cards_is_worth_as_much_as_the_open_one():
    """One card is unseen, so there is nothing to guess."""
    hidden_game, open_game = load("hidden-blacksin:cards=5"), load("blacksin:cards=5")
    for deck in itertools.permutations(range(1, 6)):
        dealt = hidden.dealt(deck[:4], 5)
        expected = minimax(hidden_game, dealt, depth=20, compiled=False).value
        assert expected == minimax(open_game, deal(deck), depth=20, compiled=False).value


def test_only_what_matters_is_in_the_key():
    game = load("hidden-blacksin")

    def key(text):
        return game.key(read_state(game, text))

    # Player 0 draws 7 and 8, in either order, and loses each at once.
    assert key("18 5 9 2 7 8; dodo") == key("18 5 9 2 8 7; dodo")
    # The last cards of a hand, and their order, matter as long as there are erases.
    assert key("18 5 9 2 7 8; dd") != key("18 5 9 2 8 7; dd")
    assert key("18 5 9 2; d") != key("18 5 9 2")
    assert key("18 5 9 2; s") != key("18 5 9 2")


def test_a_move_in_a_second_looks_two_of_the_player_s_draws_ahead():
    game = load("hidden-blacksin")
    found = search(game, nodes=40_000, compiled=False)  # a twentieth of a second
    assert found.depth >= 3
    draws, state = 0, found.state
    for choice in found.line:
        draws += game.turn(state) == 0 and choice == DRAW
        state = game.play(state, int(choice))
    assert draws >= 2


def test_the_cautious_policy_does_as_its_docstring_says():
    game, policy = load("hidden-blacksin"), cautious()
    for text, move in [
        ("18 5 9 2", DRAW),  # 27: cards to 14 are welcome
        ("20 5 14 2", STOP),  # 34, ahead, and most cards are above 7
        ("20 18 13 17", ERASE_OPPONENT),  # 33 to 35
        ("20 5 19 2 21 1; dd", ERASE_SELF),  # 60
        ("20 18 13 17 21 19 16 15 14; sdedededed", STOP),  # above, its four erases used
        ("2 5 3 6", DRAW),
        ("2 5 3 6; s", STOP),  # the other has stopped and is beaten
    ]:
        assert policy(read_state(game, text)) == move


def test_a_search_faces_the_cautious_policy():
    game = load("hidden-blacksin")
    found = search(game, depth=4, opponent=cautious(), compiled=False)
    assert found.value > search(game, depth=4, compiled=False).value  # it is no best player
    assert found.depth == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 3", "must begin with the cards seen: the four dealt"),
        ("1 2 3 3", "each of 1 to 21 once at most"),
        ("1 2 3 22", "each of 1 to 21 once at most"),
        ("1 2 3 4; dd", "move 1 draws a card that is not named; add it"),
        ("1 2 3 4 5", "names 5 cards, and only 4 come up"),
        ("1 2 3 4; dx", "move 1 draws a card"),
        ("1 2 3 4; x", "move 1, 'x', is none here"),
        ("1 2 3 4 5 | 1 3 | 2 4 | 4 4 | none", "names 5 cards, and 4 have been drawn"),
        ("1 2 3 4 | 1 3 | 2 4 | 4 4 | both | drawing", "leave out | drawing"),
        ("1 2 3 4 | 1 3 | 2 4 | 4 4 | none | waiting", "after the deck write"),
    ],
)
def test_what_is_no_state_of_hidden_blacksin_is_refused(text, words):
    with pytest.raises(StateError, match=words):
        read_state(load("hidden-blacksin"), text)
