"""A side that is ahead takes the shortest way to its value, the other side the longest: judged by plain recursion."""

import random
import re
from dataclasses import replace
from functools import cache

import pytest
from random_game import random_game, start

from outplay import CHANCE, OVER, load, minimax, search, solve
from outplay.agents.agent import Clock
from outplay.agents.solved import SolvedAgent
from outplay.rules.text import read_state

LIMIT = 60


def level(game):
    return min(max(0.0, game.low), game.high)


def oracle(game):
    """Return value(state), played to the end, and length(state): the moves within which the side ahead makes sure of it."""

    @cache
    def value(state, depth, ahead):
        """Play *depth* moves on; what is not over then is as bad as can be for the side *ahead*."""
        who = game.turn(state)
        if who == OVER:
            return game.score(state)
        if depth <= 0:
            return game.low if ahead == 0 else game.high
        if who == CHANCE:
            return sum(p * value(game.play(state, outcome), depth, ahead) for outcome, p in game.chances(state))
        return (max, min)[who](value(game.play(state, move), depth - 1, ahead) for move in game.moves(state))

    def length(state):
        true = value(state, LIMIT, 0)
        if true == level(game):
            return None
        ahead = 0 if true > level(game) else 1
        return next(depth for depth in range(LIMIT) if value(state, depth, ahead) == true)

    return lambda state: value(state, LIMIT, 0), length


def play_out(game, state, length, **options):
    """Let a search play both sides: what it says, and how many moves it makes, is what the oracle says."""
    told = length(state)
    for left in range(told, 0, -1):
        found = search(game, state, **options)
        assert found.proven
        assert found.length in (None, left)  # None: no other move has the value, and the length was not looked for
        assert length(state) == left, (game.write_state(state), found)
        state = game.play(state, found.move)
        while game.turn(state) == CHANCE:
            state = game.play(state, max(game.chances(state), key=lambda chance: length_or_0(length, game, state, chance[0]))[0])
    assert game.turn(state) == OVER


def length_or_0(length, game, state, outcome):
    return length(game.play(state, outcome)) or 0


def decided(game, states, length):
    return [state for state in states if game.turn(state) in (0, 1) and length(state)]


def some_states(game, number, seed, *, plies, deal=None):
    """Return states that random play comes to."""
    dice, found = random.Random(seed), []
    while len(found) < number:
        state = game.deal(dice) if deal else game.start
        for _ in range(dice.randint(*plies)):
            if game.turn(state) == OVER:
                break
            state = game.play(state, dice.choice(list(game.moves(state))))
        if game.turn(state) != OVER:
            found.append(state)
    return found


@pytest.mark.parametrize(
    ("name", "plies", "deal"),
    [
        ("tic-tac-toe", (1, 6), False),
        ("nim", (4, 9), False),
        ("chomp:rows=3,columns=4", (0, 4), False),
        ("number-scrabble", (3, 6), False),
        ("blacksin:cards=8", (2, 6), True),
    ],
)
def test_both_sides_play_as_many_moves_as_the_oracle_says(name, plies, deal):
    game = load(name)
    _, length = oracle(game)
    states = decided(game, some_states(game, 40, 1, plies=plies, deal=deal), length)[:8]
    assert states
    for state in states:
        play_out(game, state, length, nodes=10**6, compiled=False)


def test_blacksin_erases_at_once_where_that_wins():
    game = load("blacksin")
    state = read_state(game, "18 12 16 10 7 3 1 17 4 13 9 19 6 2 15 14 11 5 8 21 20 | 18 16 7 1 | 12 | 2 2 | 1")
    found = search(game, state, nodes=10**6, compiled=False)
    assert (found.value, found.length) == (1, 2)
    assert game.name_move(state, found.move) == "erase self"
    assert "Player 0 wins in 2 moves, both players' counted." in found.explain()


def all_knowing():
    """The random trees with rules that know every value: a proof takes no move, and says nothing of the way."""
    value, length = oracle(random_game)
    return random_game.replace(bounds=lambda state: (value(state), value(state)), estimate=lambda state: value(state)), length


@pytest.mark.parametrize("lucky", [False, True])
def test_rules_that_know_every_value_hide_no_way(lucky):
    game, length = all_knowing()
    played = 0
    for seed in range(60):
        state = start(seed * 104729, lucky=lucky, length=7)
        if game.turn(state) in (0, 1) and length(state):
            found = search(game, state, nodes=10**6, compiled=False)
            after = game.play(state, found.move)
            assert found.value == pytest.approx(minimax(random_game, state, depth=7, compiled=False).value)
            if found.length is not None:  # None: no other move has this value, or a loser who must not choose a worse one
                played += 1
                assert found.length == length(state)
                assert length_or_0(length, game, state, found.move) <= found.length - 1 or game.turn(after) == OVER
    assert played > (0 if lucky else 10)  # with dice few values are whole wins, and only those are raced for


@pytest.mark.parametrize("lucky", [False, True])
@pytest.mark.parametrize("options", [{}, {"without": ("bounds", "useful")}, {"only": ("deepening",)}, {"threads": 2}])
def test_a_length_is_the_oracle_s_or_is_not_named(lucky, options):
    _, length = oracle(random_game)
    named = 0
    for seed in range(60):
        state = start(seed * 7919, lucky=lucky, length=6)
        if random_game.turn(state) in (0, 1):
            found = search(random_game, state, nodes=10**6, compiled=False, **options)
            assert found.proven
            if found.length is not None:
                named += 1
                assert found.length == length(state)
    assert named > 3


def test_a_search_without_deepening_names_no_length():
    game = load("tic-tac-toe")
    state = read_state(game, "XX./OO./...")
    assert search(game, state, depth=9, compiled=False).length == 1
    assert search(game, state, depth=9, without=("deepening",), compiled=False).length is None
    assert search(game, depth=9, compiled=False).length is None  # a draw


def test_an_explanation_says_how_long_a_win_takes_and_a_loss_can_be_put_off():
    game = load("tic-tac-toe")
    assert "X wins in 1 move." in search(game, read_state(game, "XX./OO./..."), depth=9, compiled=False).explain()
    assert (
        "O can hold out for 2 moves, both players' counted."
        in search(game, read_state(game, "X.X/.O./X.O"), depth=9, compiled=False).explain()
    )
    assert "moves." not in search(game, depth=9, compiled=False).explain()  # a draw


@pytest.mark.parametrize(("name", "plies"), [("nim", (3, 9)), ("chomp:rows=3,columns=4", (0, 4)), ("tic-tac-toe", (1, 6))])
def test_a_solved_player_takes_as_many_moves_as_the_oracle_says(name, plies):
    game = load(name)
    solution = solve(game, method="cycles", compiled=False)
    agent, dice = SolvedAgent(solution), random.Random(1)
    _, length = oracle(game)
    for state in decided(game, some_states(game, 20, 2, plies=plies), length):
        for left in range(length(state), 0, -1):
            assert (solution[state].distance, length(state)) == (left, left)
            state = game.play(state, agent.choose(game, state, Clock(), dice).move)
        assert game.turn(state) == OVER


def test_a_solved_player_wins_three_mens_morris_without_a_detour():
    game = load("three-mens-morris")
    solution = solve(game, method="cycles")
    agent, dice, played = SolvedAgent(solution), random.Random(1), 0
    for state in some_states(game, 60, 3, plies=(4, 12)):
        left = solution[state].distance
        if left is None:
            continue
        played += 1
        while left:
            state = game.state(game.play(state, agent.choose(game, state, Clock(), dice).move))
            left -= 1
            assert game.turn(state) == OVER or solution[state].distance == left
        assert game.turn(state) == OVER
    assert played > 5


def test_a_line_shorter_than_the_win_says_that_it_is_its_beginning():
    game = load("tic-tac-toe")
    found = search(game, read_state(game, "X.X/.O./X.O"), depth=9, compiled=False)
    assert re.search(r"^Expected play: \d \d$", found.explain(), re.MULTILINE)
    assert "Expected play, as far as it is known: " in replace(found, line=found.line[:1]).explain()
