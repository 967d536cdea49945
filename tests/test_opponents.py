"""Described opponents: expectations worked out by hand."""

import pytest
from toy_games import Pile, pile

from outplay import CHANCE, check, facing, load, minimax, search
from outplay.errors import OptionError, RuleError, RuleRaised, StateError
from outplay.rules.opponents import answer
from outplay.rules.text import read_state

# Against a player who takes one or two of a pile at random, from Pile(n, 0), player 0 to move, best play is worth
#   V(1) = V(2) = 1; the opponent's turn with one stone is -1, with two: 1/2 (V(1)) + 1/2 (-1) = 0, with three: (V(2) + V(1)) / 2 = 1
#   V(3) = max(O(2), O(1)) = 0; V(4) = max(O(3), O(2)) = 1; O(4) = (V(3) + V(2)) / 2 = 1/2; V(5) = max(O(4), O(3)) = 1
#   O(5) = (V(4) + V(3)) / 2 = 1/2; V(6) = max(O(5), O(4)) = 1/2
BY_HAND = {1: 1, 2: 1, 3: 0, 4: 1, 5: 1, 6: 0.5}


@pytest.mark.parametrize(("stones", "value"), BY_HAND.items())
def test_best_play_against_a_random_player_is_worth_what_the_hand_says(stones, value):
    found = search(pile(), Pile(stones, 0), depth=9, opponent="random")
    assert found.value == pytest.approx(value)
    assert found.proven


@pytest.mark.parametrize(("stones", "value"), BY_HAND.items())
def test_the_other_player_s_value_is_the_mirror_image(stones, value):
    assert search(pile(), Pile(stones, 1), depth=9, opponent="random", compiled=False).value == pytest.approx(-value)


def takes_one(state):
    return 1


def mostly_one(state):
    if state.stones > 1:
        yield 1, 0.75
        yield 2, 0.25
    else:
        yield 1, 1.0


def takes_nine(state):
    return 9


def sums_to_more(state):
    yield 1, 0.7
    yield 1, 0.7


def test_a_policy_that_returns_a_move_is_exploited():
    """From three, a perfect opponent wins; one who always takes one loses to taking one."""
    assert search(pile(), Pile(3, 0), depth=3, compiled=False).value == -1
    found = search(pile(), Pile(3, 0), depth=3, opponent=takes_one, compiled=False)
    assert (found.value, found.move, found.proven) == (1, 1, True)


def test_a_policy_that_yields_probabilities_is_averaged():
    """From three: take one, and two are left to the opponent, who takes one of them in three cases of four."""
    found = search(pile(), Pile(3, 0), depth=3, opponent=mostly_one, compiled=False)
    assert (found.move, found.value) == (1, pytest.approx(0.75 * 1 + 0.25 * -1))


def test_a_modelled_move_counts_as_a_move_and_dice_do_not():
    transformed = facing(load("pig:goal=20"), 1, "random")
    rolling = read_state(load("pig:goal=20"), "5,5,3,0,1")
    theirs = read_state(load("pig:goal=20"), "5,5,3,1")
    assert (transformed.cost(rolling), transformed.cost(theirs)) == (0, 1)
    assert (transformed.turn(rolling), transformed.turn(theirs)) == (CHANCE, CHANCE)
    assert dict(transformed.chances(theirs)) == {1: 0.5, 0: 0.5}


@pytest.mark.parametrize("policy", ["random", takes_one, mostly_one])
def test_the_transformed_game_is_a_game_like_any_other(policy):
    game = facing(pile(), 1, policy)
    assert check(game, games=20).ok
    state = Pile(7, 0)
    for depth in range(1, 8):
        told = minimax(game, state, depth=depth)
        found = search(pile(), state, depth=depth, opponent=policy, compiled=policy != takes_one)
        assert found.value == pytest.approx(told.value)
        assert minimax(game, state, depth=depth, compiled=False) == told


def test_interpreted_and_compiled_opponents_agree():
    options = {"depth": 4, "opponent": "random", "check": False}
    game = load("connect-four")
    state = read_state(game, "4")  # as in README.md, player 0 is the random one
    one, other = search(game, state, **options), search(game, state, **options, compiled=False)
    assert (one.value, one.nodes, one.line) == (other.value, other.nodes, other.line)
    assert one.value == pytest.approx(minimax(facing(game, 0, "random"), state, depth=4).value)


def test_useful_and_bounds_speak_of_perfect_players_and_are_dropped():
    game = load("connect-four")
    assert facing(game, 1, "random").useful is None
    assert facing(game, 1, "random").bounds is None
    assert facing(game, 1, "random").key is game.key
    assert facing(game, 1, takes_one).key is None


def test_a_policy_of_the_game_is_faced_by_its_name():
    game = pile(policies={"timid": takes_one})
    assert facing(game, 1, "timid").name == "pile facing timid"
    named = search(game, Pile(3, 0), depth=3, opponent="timid", compiled=False)
    assert (named.value, named.move) == (1, 1)  # as against takes_one, above
    with pytest.raises(OptionError, match="pile has no opponent 'bold'; it has best, random, timid"):
        facing(game, 1, "bold")


def raises(state):
    return 1 // 0


def yields_no_pairs(state):
    yield 1


ANSWERS = {
    takes_nine: r"the policy 'odd' of 'pile' chooses 9 in Pile\(stones=5, player=0\), which is not legal; legal moves: \[1, 2\]",
    sums_to_more: r"the policy 'odd' of 'pile' yields \[\(1, 0.7\), \(1, 0.7\)\] in .*; these sum to 1\.4",
    yields_no_pairs: r"the policy 'odd' of 'pile' yields \[1\] in .*; it must yield pairs of a move and its probability",
    raises: r"the policy 'odd' of 'pile' raised ZeroDivisionError: .* \(in raises, line \d+ of test_opponents.py\), in Pile",
}


@pytest.mark.parametrize(("policy", "words"), ANSWERS.items())
def test_what_a_policy_may_not_answer_is_said_with_its_name(policy, words):
    with pytest.raises(RuleError, match=words):
        answer(pile(), Pile(5, 0), policy, "odd")


def test_bad_opponents_are_refused():
    with pytest.raises(OptionError, match="player must be 0 or 1"):
        facing(pile(), 2, "random")
    with pytest.raises(RuleError, match=r"the policy: chooses 9, which is not legal; legal moves: \[1, 2\].*: Pile\(stones="):
        search(pile(), depth=4, opponent=takes_nine)
    with pytest.raises(
        RuleError, match=r"the policy: returns None, which is no move; let it choose one of \[1, 2\]: Pile\(stones="
    ):
        search(pile(), depth=4, opponent=lambda state: None)
    with pytest.raises(
        RuleRaised, match=r"the policy: <lambda>\(\.\.\.\) is called with the wrong arguments; see its parameters"
    ):
        search(pile(), depth=4, opponent=lambda: 1)
    with pytest.raises(RuleError, match=r"the policy: yields probabilities that sum to 1\.4"):
        search(pile(), depth=4, opponent=sums_to_more)
    with pytest.raises(StateError, match="chance acts here"):
        search(load("pig"), read_state(load("pig"), "0,0,0,0,1"), depth=2, opponent="random")
