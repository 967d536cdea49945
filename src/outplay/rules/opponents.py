"""A described opponent is a transformation of the game: its turns become chance nodes."""

import inspect
from collections.abc import Callable
from typing import Any

from outplay.errors import OptionError
from outplay.rules.game import CHANCE, Game

Policy = str | Callable[[Any], Any]

ILLEGAL = -1.0  # as a probability: a move that the rules do not allow; the search stops there and says so


def facing(game: Game, player: int, policy: Policy) -> Game:
    """Return *game* with *player* replaced by *policy*: "random", or a function of the state.

    The function returns a move or yields (move, probability). *player*'s turns become chance nodes
    that count as moves. `useful` and `bounds` speak of two perfect players and are dropped; so is a
    `key` that may fold symmetries which the policy does not share ("random" shares them all).
    """
    if player not in (0, 1):
        raise OptionError(f"player must be 0 or 1, the one whom the policy replaces; got {player!r}")
    if policy == "random":
        return _transformed(game, player, _uniform(game.moves), name="random", key=game.key)
    if not callable(policy):
        raise OptionError(f'an opponent is "best", "random" or a function of the state; got {policy!r}')
    outcomes = _checked(game.moves, policy) if inspect.isgeneratorfunction(policy) else _single(game.moves, policy)
    return _transformed(game, player, outcomes, name=getattr(policy, "__name__", "policy"), key=None)


def _transformed(game: Game, player: int, outcomes: Callable[[Any], Any], *, name: str, key: Any) -> Game:
    inner_turn, inner_chances = game.turn, game.chances

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

    def cost(state):  # type: ignore[no-untyped-def]
        return 1 if inner_turn(state) == player else 0

    return game.replace(
        name=f"{game.name} facing {name}", turn=turn, chances=chances, cost=cost, key=key, useful=None, bounds=None
    )


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
