"""The small games of the projects: coin tic-tac-toe and Number Scrabble, by their golden numbers."""

from fractions import Fraction

import pytest

from outplay import CHANCE, OVER, check, load, minimax, search
from outplay.errors import StateError
from outplay.rules.text import read_state

# Coin tic-tac-toe: the tree as the exercise draws it, a node for each state in which the coin is to be tossed or the game is
# over; the tails child comes first, then heads by square.


def children(game, state):
    """The states that follow *state* by a toss and a move; the tossed state itself where it ends the game."""
    if game.turn(state) == OVER:
        return []
    tossed = [game.play(state, outcome) for outcome, _ in game.chances(state)]
    return [[game.play(side, move) for move in game.moves(side)] if game.turn(side) != OVER else [side] for side in tossed]


def exact(game, state):
    """The value of *state* as a fraction."""
    who = game.turn(state)
    if who == OVER:
        return Fraction(game.score(state))
    if who == CHANCE:
        return sum(Fraction(probability) * exact(game, game.play(state, outcome)) for outcome, probability in game.chances(state))
    values = [exact(game, game.play(state, move)) for move in game.moves(state)]
    return max(values) if who == 0 else min(values)


def layers(game, states):
    """The values of the tree below *states*, layer by layer."""
    found = []
    while states:
        found.append([exact(game, state) for state in states])
        states = [child for state in states for side in children(game, state) for child in side]
    return found


def test_the_whole_tree_of_the_exercise_has_its_41_values():
    game = load("coin-tic-tac-toe")
    heads = read_state(game, "....h")
    found = layers(game, [game.play(heads, move) for move in game.moves(heads)])
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert [len(layer) for layer in found] == [3, 9, 21, 8]
    assert found[0] == [Fraction(3, 8), Fraction(3, 4), Fraction(3, 8)]
    assert found[1] == [half, quarter, 1, half, 1, 1, half, 1, quarter]
    # The project has the children of one node, the seventh of the layer above, in the other order: 0, 1, -1/2.
    assert found[2] == [0, 1, -half, 1, -half, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, -half, 1, 1, 1, 1, -half]
    assert found[3] == [0, -1, -1, 0, 0, -1, -1, 0]


def test_coin_tic_tac_toe_is_worth_a_half_and_bottom_left_three_quarters():
    game = load("coin-tic-tac-toe")
    assert search(game, depth=4, compiled=False).value == 0.5
    found = search(game, read_state(game, "....h"), depth=4, without=("pruning",), compiled=False)
    assert (found.move, found.value, found.proven) == (3, 0.75, True)
    assert [candidate.value for candidate in found.candidates] == [0.375, 0.75, 0.375]


def test_the_tree_has_42_nodes_after_heads_and_56_before_the_first_toss():
    game = load("coin-tic-tac-toe")
    heads = read_state(game, "....h")
    assert 1 + sum(map(len, layers(game, [game.play(heads, move) for move in game.moves(heads)]))) == 42
    assert sum(map(len, layers(game, [game.start]))) == 56


@pytest.mark.parametrize("name", ["coin-tic-tac-toe", "number-scrabble", "tic-tac-toe"])
def test_the_project_games_are_written_right(name):
    report = check(name, games=50)
    assert report.ok, str(report)


@pytest.mark.parametrize("text", ["O", "OO..", "O..Z", "....x"])
def test_coin_tic_tac_toe_refuses_what_is_no_state(text):
    with pytest.raises(StateError):
        read_state(load("coin-tic-tac-toe"), text)


# Number Scrabble


@pytest.mark.parametrize("name", ["number-scrabble", "tic-tac-toe"])
def test_the_full_tree_has_549946_nodes_and_is_drawn(name):
    assert minimax(load(name), depth=9) == (0, 549_946)
    assert search(load(name), depth=9, only=("pruning",), check=False).value == 0


def test_the_estimate_of_the_first_number_is_4_for_5_3_for_an_even_one_2_for_another_odd_one():
    game = load("number-scrabble")
    found = {number: game.estimate(game.play(game.start, number)) for number in range(1, 10)}
    assert found == {5: 4, 2: 3, 4: 3, 6: 3, 8: 3, 1: 2, 3: 2, 7: 2, 9: 2}
    assert search(game, depth=1, check=False).move == 5


@pytest.mark.parametrize(("first", "replies"), [(5, {2, 4, 6, 8}), (2, {5}), (1, {5, 6, 8, 9})])
def test_only_these_replies_draw(first, replies):
    game = load("number-scrabble")
    state = game.play(game.start, first)
    drawing = {reply for reply in game.moves(state) if search(game, game.play(state, reply), depth=7, check=False).value == 0}
    assert drawing == replies


def test_a_won_state_outranks_every_estimate():
    game = load("number-scrabble")
    state = read_state(game, "5238")  # 5 and 3 against 2 and 8: seven wins
    found = search(game, state, depth=2, check=False)
    assert (found.move, found.value) == (7, 10)


def test_number_scrabble_golden_playthrough():
    game = load("number-scrabble")
    state = read_state(game, "52864")
    assert game.show(state) == "player 0: 4 5 8\nplayer 1: 2 6\nleft: 1 3 7 9"
    assert search(game, state, depth=4, check=False).move == 7  # 2 + 6 + 7
    over = read_state(game, "52867")
    assert game.turn(over) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [("50", "is none"), ("55", "is taken already"), ("5142689", "comes after the end"), ("5x", "is none")],
)
def test_number_scrabble_refuses_what_is_no_state(text, words):
    with pytest.raises(StateError, match=words):
        read_state(load("number-scrabble"), text)
