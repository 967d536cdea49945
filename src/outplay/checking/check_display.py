"""Checks of what a game shows to people, and of its policies, in one state."""

import traceback
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from outplay.checking.problem import raised_in
from outplay.errors import OutplayError, RuleError, RuleRaised, StateError
from outplay.pictures.picture import listed_moves
from outplay.rules.game import CHANCE, FOR_PEOPLE, OVER, Game, written
from outplay.rules.key import key_of
from outplay.rules.opponents import answer

DEALS = 10  # starts that `deal` draws


def told(game: Game, error: BaseException) -> str:
    """Return which function for people of *game* raised *error*, with the line, what is wrong and the remedy; "" if none did."""
    functions = {getattr(getattr(game, rule), "__code__", None): rule for rule in FOR_PEOPLE}
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code in functions:  # the first frame is the function that we called
            return str(raised_in(game, functions[frame.f_code], error, ""))
    return ""


def wrong_for_people(game: Game, state: Any, who: int) -> Iterator[tuple[str, str]]:
    """Yield each function for people that fails in *state*, where *who* acts, and the error."""
    looks: list[tuple[str, Callable[[], object]]] = [
        ("write_state", lambda: _said(game, "write_state", state)),
        ("show", lambda: _said(game, "show", state)),
    ]
    if who == CHANCE and game.chances is not None:
        outcomes = [outcome for outcome, _ in game.outcomes(state)]
        looks.append(("name_outcome", lambda: _named_apart(game, "name_outcome", state, outcomes)))
    elif who != OVER:
        looks.append(("name_move", lambda: _named_apart(game, "name_move", state, game.legal(state))))
    if game.draw is not None:
        looks.append(("draw", lambda: _drawn(game, state, game.legal(state) if who in (0, 1) else [])))
    if game.winning is not None and who == OVER:
        looks.append(("winning", lambda: _shown_alone(game, state)))
    for function, look in looks:
        try:
            look()
        except OutplayError as error:
            yield function, str(error)
            if function == "write_state":
                return  # the other errors need it


def wrong_deals(game: Game) -> Iterator[str]:
    """Yield what is wrong with the starts that `deal` draws; only the first mistake."""
    for seed in range(DEALS if game.deal is not None else 0):
        try:
            drawn, again = game.deal(Random(seed)), game.deal(Random(seed))  # type: ignore[misc]
        except Exception as error:
            yield str(raised_in(game, "deal", error, ""))
            return
        code = getattr(game.deal, "__code__", None)
        place = f"deal, line {code.co_firstlineno}" if code else "deal"
        try:
            differs = key_of(game.state(drawn)) != key_of(game.state(again))
        except StateError as error:
            yield f"{place}: returns a wrong start: {error}"
            return
        if differs:
            yield f"{place}: draws two different starts from the same dice; draw all luck from dice, such as dice.randrange(6)"
            return


def wrong_policies(game: Game, state: Any) -> Iterator[tuple[str, str]]:
    """Yield each policy that makes a mistake in *state*, where a player is to move, and the error."""
    for name, policy in game.policies.items():
        try:
            answer(game, state, policy, name)
        except OutplayError as error:
            code = getattr(policy, "__code__", None)
            yield name, f"{error}{f' (line {code.co_firstlineno})' if code else ''}"


def _said(game: Game, rule: str, state: Any, *more: int) -> str:
    try:
        text = getattr(game, rule)(state, *more)
    except Exception as error:
        raise RuleRaised(str(raised_in(game, rule, error, written(state)))) from error
    if not isinstance(text, str):
        raise RuleError(f"{rule} returns {text!r:.60}; it must return a str, in {written(state)}")
    return text


def _shown_alone(game: Game, state: Any) -> None:
    try:
        pieces = game.state(game.winning(state)) if game.winning else state
    except StateError as error:
        raise RuleError(f"winning must return a state with only the pieces that won: {error}, in {written(state)}") from None
    except Exception as error:
        raise RuleRaised(str(raised_in(game, "winning", error, written(state)))) from error
    _said(game, "show", pieces)


def _named_apart(game: Game, rule: str, state: Any, choices: list[int]) -> None:
    known: dict[str, int] = {}
    for choice in choices:
        name = _said(game, rule, state, choice)
        other = known.setdefault(name.casefold(), choice)
        if other != choice:
            raise RuleError(f"{rule} calls {other} and {choice} both {name!r}; nobody can tell them apart, in {written(state)}")


def _drawn(game: Game, state: Any, legal: list[int]) -> None:
    try:
        svg = game.picture(state).svg
    except RuleRaised as error:
        raise RuleRaised(str(raised_in(game, "draw", error.__cause__ or error, written(state)))) from error
    for move in listed_moves(game, svg):
        if move not in map(str, legal):
            raise RuleError(
                f"draw lists {move!r} in data-moves, which is not a legal move in {written(state)}; legal moves: {legal}"
            )
