"""A described opponent is a transformation of the game: its turns become chance nodes."""

import inspect
from collections.abc import Callable
from itertools import islice
from typing import Any

from outplay.errors import OptionError, RuleError, RuleRaised
from outplay.rules.fields import is_int
from outplay.rules.game import CHANCE, Game, State, marked
from outplay.rules.pickling import Recipe, made, recipe_of, remember
from outplay.rules.probabilities import ILLEGAL, bad_probabilities, illegal_choice, sums_to_one
from outplay.rules.rule_errors import describe_error

Policy = str | Callable[[Any], Any]


def opponent_of(game: Game, name: str, *, role: str = "opponent") -> Policy:
    """Return the opponent called *name*: "best", "random" or a policy of *game*. An error calls it by its *role*; a "policy" is never "best"."""
    if name in ("best", "random"):
        return name
    if name not in game.policies:
        known = ", ".join([*["best"] * (role == "opponent"), "random", *game.policies])
        raise OptionError(f"{game.name} has no {role} {name!r}; it has {known}")
    return game.policies[name]


def answer(game: Game, state: Any, policy: Callable[[Any], Any], name: str) -> list[tuple[int, float]]:
    """Return the moves that *policy*, called *name*, plays in *state*, with their probabilities; raise if they are wrong."""
    whose, where = f"the policy {name!r} of {game.name!r}", f"in {game.write_state(state)}"
    try:
        several = inspect.isgeneratorfunction(policy)
        said = list(islice(policy(state), game.max_moves + 1)) if several else [(policy(state), 1.0)]
    except Exception as error:
        raise RuleRaised(f"{whose} raised {describe_error(error)}, {where}") from error
    try:
        chosen = [(move, float(probability)) for move, probability in said]
    except (TypeError, ValueError):
        raise RuleError(f"{whose} yields {said} {where}; it must yield pairs of a move and its probability") from None
    legal = game.legal(state)
    for move, _ in chosen:
        if not is_int(move) or move not in legal:
            raise illegal_choice(whose, move, where, legal)
    if not all(probability > 0 for _, probability in chosen) or not sums_to_one(sum(share for _, share in chosen)):
        raise bad_probabilities(whose, chosen, where)
    return [(int(move), probability) for move, probability in chosen]


def facing(game: Game[State], player: int, policy: Policy) -> Game[State]:
    """Return *game* with *player* replaced by *policy*: "random", the name of one of its policies, or a function of the state.

    The function returns a move or yields (move, probability). *player*'s turns become chance nodes
    that count as moves. `useful` and `bounds` hold for two perfect players, so they are dropped. `key` is dropped too,
    because the policy may not share its symmetries ("random" shares them all).
    """
    if player not in (0, 1):
        raise OptionError(f"player must be 0 or 1: the player whom the policy replaces; got {player!r}")
    if policy == "random":
        return _transformed(game, player, policy, _uniform(game.moves), name="random", key=game.key)
    name = policy if isinstance(policy, str) else getattr(policy, "__name__", "policy")
    if isinstance(policy, str):
        policy = opponent_of(game, policy)
    if not callable(policy):
        raise OptionError(f'a described opponent is "random", the name of a policy or a function of the state; got {policy!r}')
    outcomes = _checked(game.moves, policy) if inspect.isgeneratorfunction(policy) else _single(game.moves, policy)
    return _transformed(game, player, policy, outcomes, name=name, key=None)


def _facing(recipe: Recipe, player: int, policy: Policy) -> Game:
    return facing(made(recipe), player, policy)


def _transformed(
    game: Game[State], player: int, policy: Policy, outcomes: Callable[[Any], Any], *, name: str, key: Any
) -> Game[State]:
    inner_turn, inner_chances, inner_cost = game.turn, game.chances, game.cost

    def turn(state):  # type: ignore[no-untyped-def]
        who = inner_turn(state)
        return CHANCE if who == player else who

    if inner_chances is None:
        chances = outcomes
    else:

        def chances(state):  # type: ignore[no-untyped-def]
            if inner_turn(state) == player:
                for move, probability in outcomes(state):
                    yield move, probability
            else:
                for outcome, probability in inner_chances(state):
                    yield outcome, probability

    if inner_cost is None:

        def cost(state):  # type: ignore[no-untyped-def]
            return 1 if inner_turn(state) == player else 0
    else:

        def cost(state):  # type: ignore[no-untyped-def]
            return 1 if inner_turn(state) == player else inner_cost(state)

    found = game.replace(name=f"{game.name} facing {name}", turn=turn, chances=chances, key=key, useful=None, bounds=None)
    remember(found, _facing, recipe_of(game), player, policy)
    return marked(found, cost=cost)


def _uniform(moves: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def outcomes(state):  # type: ignore[no-untyped-def]
        number = 0
        for _ in moves(state):
            number += 1
        for move in moves(state):
            yield move, 1.0 / number

    return outcomes


def _single(moves: Callable[[Any], Any], policy: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def outcomes(state):  # type: ignore[no-untyped-def]
        chosen = policy(state)
        legal = False
        for move in moves(state):
            if move == chosen:
                legal = True
        yield chosen, 1.0 if legal else ILLEGAL

    return outcomes


def _checked(moves: Callable[[Any], Any], policy: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def outcomes(state):  # type: ignore[no-untyped-def]
        for chosen, probability in policy(state):
            legal = False
            for move in moves(state):
                if move == chosen:
                    legal = True
            yield chosen, probability if legal else ILLEGAL

    return outcomes
