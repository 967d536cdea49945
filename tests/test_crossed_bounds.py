"""Bounds whose low is above their high, or NaN, are an error in every kernel that asks for them, however rare their state."""

import re
from typing import NamedTuple

import pytest

from outplay import CHANCE, OVER, Game, search
from outplay.errors import RuleError
from outplay.solve.proof.prove import prove

NAN = float("nan")


class Coins(NamedTuple):
    ones: int
    turns: int


def coins(wrong, *, luck=False):
    """Return a game of ten moves, 0 or 1; in the state with three ones after five moves `bounds` is *wrong*."""

    def turn(state):
        return OVER if state.turns == 10 else CHANCE if luck and state.turns == 2 else 0 if luck else state.turns % 2

    def moves(state):
        yield 0
        yield 1

    def chances(state):
        yield 0, 0.5
        yield 1, 0.5

    def bounds(state):
        return wrong if state.ones == 3 and state.turns == 5 else (-1, 1)

    return Game(
        name="coins",
        start=Coins(0, 0),
        turn=turn,
        moves=moves,
        play=lambda state, move: Coins(state.ones + move, state.turns + 1),
        score=lambda state: 1 if state.ones % 2 else -1,
        bounds=bounds,
        chances=chances if luck else None,
    )


def told(shown):
    return f"bounds of 'coins' is {re.escape(shown)} in Coins\\(ones=3, turns=5\\); it must return \\(low, high\\), numbers"


@pytest.mark.parametrize("wrong", [(1, -1), (NAN, 1), (-1, NAN)])
def test_wrong_bounds_end_an_interpreted_search(wrong):
    with pytest.raises(RuleError, match=told(repr(wrong))):
        search(coins(wrong), depth=12, compiled=False, check=False)


def test_wrong_bounds_end_a_compiled_search():
    with pytest.raises(RuleError, match=told("(1, -1)")):
        search(coins((1, -1)), depth=12, check=False)


def test_wrong_bounds_end_a_monte_carlo_search():
    with pytest.raises(RuleError, match=told("(1, -1)")):
        search(coins((1, -1)), method="mcts", simulations=2000, compiled=False, check=False)


@pytest.mark.parametrize("luck", [False, True])
def test_wrong_bounds_end_a_proof(luck):
    game = coins((1, -1), luck=luck)
    with pytest.raises(RuleError, match=told("(1, -1)")):
        prove(game, game.start, compiled=False)
