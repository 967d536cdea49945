"""States as text: what games share in reading, writing and showing them."""

import ast
from collections.abc import Iterable
from typing import Any

from outplay.errors import IllegalMove, StateError
from outplay.rules.game import CHANCE, OVER, Game, Rule, written


def board(crosses: int, noughts: int, places: Iterable[int]) -> str:
    """Return X, O or . for each place of two sets of bits."""
    return "".join("X" if crosses >> place & 1 else "O" if noughts >> place & 1 else "." for place in places)


def after_moves(text: str, start: Any, turn: Rule, moves: Rule, play: Rule, name_move: Rule) -> Any:
    """Return the state after the moves that *text* names, parted by spaces or commas, from a *start* with a field `player`."""
    state = start
    for number, name in enumerate(text.lower().replace(",", " ").split(), 1):
        where = f"{text!r}: move {number}, {name!r},"
        if turn(state) == OVER:
            raise StateError(f"{where} comes after the end of the game; leave it and what follows out")
        legal = {name_move(state, move): move for move in moves(state)}
        if name not in legal:
            raise StateError(f"{where} is no move of {'XO'[state.player]}; there are {', '.join(legal)}")
        state = play(state, legal[name])
    return state


def read_state(game: Game, text: str) -> Any:
    """Return the state that *text* says: in the game's own way, or as its fields, `1,2,0` or `State(a=1, b=2)`."""
    if game.read_state is not None:
        return game.state(game.read_state(text))
    names = [field.name for field in game.fields]
    example = written(game.start)
    try:
        call = ast.parse(text if text.strip().startswith(type(game.start).__name__) else f"State({text})", mode="eval").body
        if not isinstance(call, ast.Call):
            raise ValueError
        given = dict(zip(names, map(ast.literal_eval, call.args), strict=False))
        given |= {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
        if len(call.args) > len(names) or set(given) != set(names):
            raise ValueError
    except (SyntaxError, ValueError):
        raise StateError(f"{text!r} is no state of {game.name}; write all its fields, such as {example}") from None
    return game.state(tuple(_array_like(value, given[name]) for name, value in zip(names, game.start, strict=True)))


def _array_like(model: Any, value: Any) -> Any:
    """Return *value* as the array that *model* is, if it is one."""
    if not hasattr(model, "dtype") or not isinstance(value, (list, tuple)):
        return value
    import numpy

    return numpy.array(value, model.dtype)


def read_move(game: Game, state: Any, text: str) -> int:
    """Return the legal move that *text* names, or raise an IllegalMove that lists those there are."""
    legal = game.legal(state)
    names = {game.name_move(state, move).casefold(): move for move in legal}
    wanted = text.strip()
    if game.read_move is not None:
        move = game.read_move(state, wanted)
        if move in legal:
            return int(move)
    elif wanted.casefold() in names:
        return names[wanted.casefold()]
    raise IllegalMove(f"{wanted!r} is no legal move here; legal are {', '.join(game.name_move(state, move) for move in legal)}")


def choice_name(game: Game, state: Any, choice: int) -> str:
    """Return a move or an outcome of *state* in the game's words; what a modelled player chooses is a move."""
    modelled = game.cost is not None and game.cost(state)
    name = game.name_outcome if game.turn(state) == CHANCE and not modelled else game.name_move
    return str(name(state, int(choice)))


def line_names(game: Game, state: Any, line: Iterable[int]) -> list[str]:
    """Return the choices of *line* from *state* on in the game's words; what chance chooses stands in brackets."""
    names = []
    for choice in line:
        name = choice_name(game, state, choice)
        names.append(f"[{name}]" if game.turn(state) == CHANCE else name)
        state = game.play(state, int(choice))
    return names
