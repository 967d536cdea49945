"""How states and moves are read and written if a game has no functions of its own for that."""

import ast
import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from outplay.errors import IllegalMove, StateError

if TYPE_CHECKING:
    from outplay.rules.game import Game

CONSTANTS = {"inf": math.inf, "nan": math.nan}  # as repr writes them


class Reader:
    """A function of a Game with a default. A game without a function of its own gets the default, bound to itself.

    `replace` hands the bound default to another game; it is then bound to that game.
    """

    def __init__(self, default: Callable[..., Any]) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, game: Any, owner: type | None = None) -> Any:
        if game is None:
            return None  # what `dataclass` takes as the field's default
        return vars(game)[self.name] or partial(self.default, game)

    def __set__(self, game: Any, function: Any) -> None:
        inherited = isinstance(function, partial) and function.func is self.default
        vars(game)[self.name] = None if inherited else function


def written(state: Any) -> str:
    """Return *state* as text that `read_fields` reads: `State(stones=3, player=0)`."""
    fields = (f"{name}={_plain(value)!r}" for name, value in zip(state._fields, state, strict=True))
    return f"{type(state).__name__}({', '.join(fields)})"


def _plain(value: Any) -> Any:
    """Return a field without NumPy's types: nobody would type their repr."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def read_fields(game: "Game", text: str) -> Any:
    """Return the state whose fields *text* lists: `1,2,0`, `a=1, b=2` or `State(a=1, b=2)`."""
    names = [field.name for field in game.fields]
    try:
        call = ast.parse(text.strip() if _is_call(game, text) else f"State({text})", mode="eval").body
        if not isinstance(call, ast.Call):
            raise ValueError
        given = dict(zip(names, map(_literal, call.args), strict=False))
        given |= {word.arg: _literal(word.value) for word in call.keywords if word.arg}
        if len(call.args) > len(names) or set(given) != set(names):
            raise ValueError
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise StateError(f"{text!r} is not a state of {game.name}; write all its fields, such as {written(game.start)}") from None
    return game.state(tuple(_array_like(game, name, given[name]) for name in names))


def _is_call(game: "Game", text: str) -> bool:
    return text.strip().startswith(f"{type(game.start).__name__}(")


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id in CONSTANTS:
        return CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Name):
        return -_literal(node.operand)
    return ast.literal_eval(node)


def _array_like(game: "Game", name: str, value: Any) -> Any:
    """Return *value* as an array, if the field is an array at the start."""
    model = getattr(game.start, name)
    if not hasattr(model, "dtype") or not isinstance(value, (list, tuple)):
        return value
    import numpy

    try:
        made = numpy.array(value, model.dtype)
        if made.tolist() != numpy.array(value, object).tolist():  # NumPy would cut 1.5 to 1
            raise ValueError
        return made
    except (ValueError, TypeError, OverflowError):
        numbers = ""
        if model.dtype.itemsize < 8:
            held = numpy.iinfo(model.dtype) if model.dtype.kind in "iu" else None
            numbers = f" of whole numbers from {held.min} to {held.max}" if held else " of 0 and 1"
        raise StateError(
            f"state field {name!r} of {game.name} is an array of {model.dtype} of shape {model.shape}; "
            f"{value!r:.60} does not fit: write nested lists{numbers}, such as {model.tolist()!r:.60}"
        ) from None


def read_name(game: "Game", state: Any, text: str) -> int:
    """Return the legal move that *text* names, or raise an IllegalMove that lists the legal moves.

    Case, spaces, commas and dashes do not matter: "A 1" is a1, and "b1 a1" is a1-b1 if no other move fits.
    """
    names = [str(game.name_move(state, move)) for move in game.legal(state)]
    place = matching(names, text)
    if place is None:
        raise IllegalMove(f"{text.strip()!r} is not a legal move here; legal moves: {', '.join(names)}")
    return game.legal(state)[place]


def matching(names: list[str], text: str) -> int | None:
    """Return the index of the one name that *text* means; None if it means no name, or several."""
    for form in (_as_typed, _without_gaps, _in_any_order):
        wanted = form(text)
        found = [place for place, name in enumerate(names) if form(name) == wanted]
        if len(found) == 1:
            return found[0]
    return None


GAP = re.compile(r"(?<=\w)[\s,;]*[-\u2013\u2014][\s,;]*(?=\w)|[\s,;]+")  # a minus sign has no letter before it


def _as_typed(text: str) -> str:
    return text.strip().casefold()


def _without_gaps(text: str) -> str:
    """Return *text* without gaps, except between two numbers: 1 12 is not 11 2."""
    return re.sub(r"(?<!\d) | (?!\d)", "", GAP.sub(" ", _as_typed(text)))


def _in_any_order(text: str) -> list[str]:
    """Return the words in alphabetical order; 1a counts as a1."""
    return sorted(_words(text))


def _words(text: str) -> Iterator[str]:
    for word in GAP.split(_as_typed(text)):
        turned = re.fullmatch(r"(\d+)([^\W\d_]+)", word)
        yield turned[2] + turned[1] if turned else word


MOVE_READER, STATE_READER = Reader(read_name), Reader(read_fields)
