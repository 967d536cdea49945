"""Project 001: expectiminimax by hand on coin tic-tac-toe. Its decision is right; two of its 41 values are not."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from outplay.arena.reproduce.row import BETTER, Row, compared
from outplay.games.coin_tic_tac_toe import coin_tic_tac_toe
from outplay.rules.game import OVER, Game
from outplay.search.search import search
from outplay.trees.unfold import tree_of

PROJECT = "001"
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
# The project's values, layer by layer from the top; within a layer the tails child comes first, then heads by square.
# The children of the seventh node of the second layer stand in the project's drawing in the other order.
CLAIMED: tuple[tuple[int | Fraction, ...], ...] = (
    (Fraction(3, 8), Fraction(3, 4), Fraction(3, 8)),
    (-QUARTER, QUARTER, 1, HALF, 1, 1, -QUARTER, 1, QUARTER),
    (0, 1, -HALF, 1, -HALF, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, -HALF, 1, 1, 1, 1, -HALF),
    (0, -1, -1, 0, 0, -1, -1, 0),
)
NAMES = ("after Max's move", "after Min's reply", "after Max's second move", "after the last move")
WHY = "the project averages in the worse of Max's two moves after heads; Max takes the better one"


def experiment(*, quick: bool) -> Iterator[Row]:
    """Yield all 41 values of the tree, then the decision."""
    game = coin_tic_tac_toe()
    heads = game.play(game.start, 1)
    states = [game.play(heads, move) for move in game.legal(heads)]
    for claimed, name in zip(CLAIMED, NAMES, strict=True):
        for claim, state in zip(claimed, states, strict=True):
            yield compared(PROJECT, f"{name}: {game.write_state(state)}", Fraction(claim), tree_of(game, state).value, WHY)
        states = [child for state in states for child in _children(game, state)]
    found = search(game, heads, depth=4)
    yield compared(PROJECT, "the best move after heads", "bottom left", {3: "bottom left"}.get(found.move or 0, str(found.move)))
    yield Row(PROJECT, "before the first toss", "-", str(tree_of(game).value), BETTER, "the project does not say")


def _children(game: Game, state: Any) -> list[Any]:
    """Return the states that follow by a toss and a move; the tossed state itself where it ends the game."""
    tossed = [game.play(state, outcome) for outcome, _ in game.choices(state)]
    found: list[Any] = []
    for side in tossed:
        found += [side] if game.turn(side) == OVER else [game.play(side, move) for move, _ in game.choices(side)]
    return found
