"""Games in `pickle`: as the call that makes the game again, or part by part.

Functions that were made inside another function have no name that `pickle` could write down. So a game by `load`, `facing`,
`replace` or a tree remembers how it was made: `remember` stores a function and its arguments.
"""

import pickle
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NoReturn

from outplay.errors import NotPickled

if TYPE_CHECKING:
    from outplay.rules.game import Game

Recipe = tuple[Callable[..., Any], tuple[Any, ...]]
RECIPE = "_recipe"


def remember(game: "Game", make: Callable[..., "Game"], *arguments: Any) -> None:
    """Store on a *game* that was just made that *make*, called with *arguments*, makes it again."""
    object.__setattr__(game, RECIPE, (make, arguments))


def recipe_of(game: "Game") -> Recipe:
    """Return how to make *game* again. A recipe does not hold the game, so that caches of derived games do not keep it in memory."""
    parts = {name: part for name, part in vars(game).items() if name != "solitaire"}
    found: Recipe = parts.get(RECIPE) or (_made, (type(game), parts))
    return found


def remember_replaced(game: "Game", original: "Game", changes: Mapping[str, Any]) -> None:
    """Store how `replace` made *game*. If `replace` made *original* as well, both changes become one change of the first game."""
    make, arguments = recipe = recipe_of(original)
    if make is _replaced:
        recipe, changes = arguments[0], {**arguments[1], **changes}
    if make is not _made:
        remember(game, _replaced, recipe, dict(changes))


def made(recipe: Recipe) -> "Game":
    """Return the game of a *recipe*."""
    make, arguments = recipe
    game: Game = make(*arguments)
    return game


def _replaced(recipe: Recipe, changes: Mapping[str, Any]) -> "Game":
    return made(recipe).replace(**changes)


def _made(kind: Any, parts: dict[str, Any]) -> "Game":
    game: Game = kind.__new__(kind)
    vars(game).update(parts)
    object.__setattr__(game, "start", game.state(game.start))  # its arrays are read-only again
    return game


def reduced(game: "Game") -> Recipe:
    """Return what `pickle` writes of *game*, or raise a NotPickled that names the rule that `pickle` refuses."""
    recipe = recipe_of(game)
    _check(game, recipe, "")
    return recipe


def _check(game: "Game", part: Any, name: str) -> None:
    """Raise a NotPickled if *part*, or what is in it, is a function or a state that `pickle` refuses."""
    if isinstance(part, dict):
        for key, value in part.items():
            _check(game, value, str(key))
    elif type(part) in (tuple, list):
        for value in part:
            _check(game, value, name or "policy")
    elif callable(part) or isinstance(part, tuple):
        try:
            pickle.dumps(part)
        except NotPickled:
            raise
        except Exception as error:
            raise NotPickled(
                f"{game.name!r} cannot be pickled, because its {name} is {_called(part)} ({error}); "
                "define it at the top level of a module, or keep to_dict() of what was found"
            ) from None


def _called(part: Any) -> str:
    name = getattr(part, "__qualname__", type(part).__qualname__)
    if name.endswith("<lambda>"):
        return "a lambda"
    kind = "a state of a class" if isinstance(part, tuple) else "a function"
    return f"{kind} inside a function" if "<locals>" in name else kind


class Portable:
    """Makes a result, a dataclass with a game and a state, work with `pickle`: lazy parts are computed before they are written."""

    def __getstate__(self) -> dict[str, Any]:
        # The game is the first part, because it loads the file that has the class of the states.
        return {name: getattr(self, name) for name in ("game", *(part.name for part in fields(self)))}  # type: ignore[arg-type]

    def __setstate__(self, parts: dict[str, Any]) -> None:
        vars(self).update(parts, state=parts["game"].state(parts["state"]))  # its arrays are read-only again


def refused(what: str, why: str, remedy: str) -> NoReturn:
    """Raise the error for something that `pickle` cannot hold."""
    raise NotPickled(f"a {what} cannot be pickled or copied: {why}; {remedy}")
