"""`tree_of`: the tree of a game from one of its states, written out in full."""

from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from itertools import repeat
from typing import Any

from outplay.errors import LimitError, RuleError, TooLarge
from outplay.rules.game import CHANCE, OVER, Game, State
from outplay.rules.probabilities import bad_probabilities, sums_to_one
from outplay.rules.rule_errors import rule_errors
from outplay.rules.text import choice_name
from outplay.trees.brackets import MOST_NESTED
from outplay.trees.parse import Draft
from outplay.trees.tokens import MOST_LETTERS
from outplay.trees.tree import Tree, made

SIMPLE = 1_000_000  # the largest denominator of a simple fraction


def tree_of(game: Game[State], state: State | None = None, *, depth: int | None = None, nodes: int = 2_000) -> Tree:
    """Return the whole tree of *game* beneath *state* (its start, if none is given), solved with exact fractions.

    *depth* limits it to so many of the players' moves, with the game's estimate at the leaves; otherwise it goes to the end. A
    tree of more than *nodes* nodes raises `TooLarge`. Labels are the game's own names of moves and outcomes. A leaf includes all
    rewards that were paid on the way to it.
    """
    if depth is not None and depth < 0:
        raise LimitError(f"depth={depth}: a tree cannot look back; give 0 or more")
    begin = game.start if state is None else game.state(state)
    with rule_errors(game):
        return made(_unfolded(game, begin, depth, nodes))


def _unfolded(game: Game, begin: Any, depth: int | None, most: int) -> Draft:
    root = Draft()
    number = 1
    waiting = deque([(root, begin, depth, 0, 0.0)])
    while waiting:
        draft, at, left, ply, paid = waiting.popleft()
        who = game.acting(at)
        if who == OVER or (left is not None and left <= 0):
            draft.number = simplest(paid + _worth(game, at, over=who == OVER))
            continue
        if who not in (0, 1, CHANCE):
            raise RuleError(f"turn of {game.name!r} returns {who!r}; it must return 0, 1, CHANCE or OVER")
        draft.kind = "chance" if who == CHANCE else "max" if who == 0 else "min"
        cost = int(game.cost(at)) if who == CHANCE and game.cost else int(who != CHANCE)
        for choice, label, probability in _choices(game, at, who):
            child = Draft(label=" ".join(label.split())[:MOST_LETTERS], probability=probability)
            draft.children.append(child)
            total = paid if game.reward is None else paid + float(game.reward(at, choice))
            waiting.append((child, game.state(game.play(at, choice)), None if left is None else left - cost, ply + 1, total))
        number += len(draft.children)
        if number > most or ply == MOST_NESTED:
            what = f"more than {most:,} nodes" if number > most else f"more than {MOST_NESTED} levels"
            raise TooLarge(
                f"the tree of {game.name!r} from {game.write_state(begin)} has "
                f"{what}; look fewer moves ahead by depth=…, begin nearer to the end, or give more nodes than {most:,}"
            )
    return root


def _worth(game: Game, state: Any, *, over: bool) -> float:
    if over:
        return float(game.score(state))
    return float(game.estimate(state)) if game.estimate else 0.0


def _choices(game: Game, state: Any, who: int) -> Iterator[tuple[int, str, Fraction | None]]:
    """Yield each move or outcome with its name, and its probability if it is an outcome."""
    weights = _weights(game, state) if who == CHANCE else repeat(None)
    for (choice, _), weight in zip(game.choices(state), weights, strict=False):
        yield choice, choice_name(game, state, choice), weight


def _weights(game: Game, state: Any) -> list[Fraction]:
    """Return the probabilities as fractions that add up to 1: simple ones if those do, else the exact floats, scaled."""
    outcomes = game.outcomes(state)
    weights = [simplest(probability) for _, probability in outcomes]
    total = sum(weights, Fraction(0))
    if any(weight <= 0 for weight in weights) or not sums_to_one(float(total)):
        raise bad_probabilities(f"chances of {game.name!r}", outcomes, f"in {game.write_state(state)}")
    return weights if total == 1 else [weight / total for weight in weights]


def simplest(number: float) -> Fraction:
    """Return the simple fraction whose nearest float is *number*, if there is one; else the exact value of the float."""
    exact = Fraction(number)
    simple = exact.limit_denominator(SIMPLE)
    return simple if float(simple) == number else exact
