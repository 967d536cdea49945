"""An agent that is a function in a user's Python file: ordinary Python, not compiled."""

import difflib
import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from outplay.agents.agent import Agent, Choice, Clock, choice_of
from outplay.errors import OptionError, OutplayError
from outplay.games.catalogue import module_of, parted
from outplay.rules.game import Game

FUNCTION = "choose"  # what a file calls its agent where nothing else is said
PREPARE = "prepare"  # what a file calls the function that gets ready for a game
TAKES = ("game", "state", "clock", "dice")


@dataclass(frozen=True)
class FunctionAgent(Agent):
    """Plays what a function returns, or yields as (move, probability). The function takes what it names of `TAKES`.

    `preparation` is called with the game before each game, outside of the clock. `file` is where the function stands.
    """

    function: Callable[..., Any] = field(repr=False)
    name: str = FUNCTION
    preparation: Callable[[Game], Any] | None = field(default=None, repr=False)
    file: str = ""
    wanted: dict[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "wanted", arguments(self.function, self.name))

    @property
    def deterministic(self) -> bool:
        return not inspect.isgeneratorfunction(self.function) and "dice" not in self.wanted.values()

    def prepare(self, game: Game) -> None:
        if self.preparation is not None:
            self.preparation(game)

    def choose(self, game: Game, state: Any, clock: Clock, dice: Random, **_: Any) -> Choice:
        given = {"game": game, "state": state, "clock": clock, "dice": dice}
        said = self.function(**{name: given[what] for name, what in self.wanted.items()})
        return choice_of(drawn(said, dice, game.max_moves) if inspect.isgenerator(said) else said)


def drawn(said: Any, dice: Random, most: int) -> Any:
    """Return one of the moves that a generator yields with their probabilities."""
    moves, weights = zip(*islice(said, most + 1), strict=True)
    return moves[0] if len(moves) == 1 else dice.choices(moves, weights)[0]


def arguments(function: Callable[..., Any], name: str) -> dict[str, str]:
    """Return the arguments that *function*, called *name*, takes, and which of `TAKES` each is; raise an OptionError if it needs another.

    A function of one argument takes the state, whatever the argument is called.
    """
    try:
        known = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin
        raise OptionError(f"{name} is not a function that can play; write def {FUNCTION}(state): and return a move") from None
    needed = [one for one in known if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    if len(needed) == 1 and needed[0].name not in TAKES and needed[0].kind is not needed[0].POSITIONAL_ONLY:
        return {needed[0].name: "state"}
    if unknown := [one.name for one in needed if one.name not in TAKES or one.kind is one.POSITIONAL_ONLY]:
        raise OptionError(
            f"{name} takes {', '.join(unknown)}, which an agent is not given; write it as {FUNCTION}(state), "
            f"{FUNCTION}(game, state) or {FUNCTION}(game, state, clock), with the arguments called so"
        )
    return {one.name: one.name for one in known if one.name in TAKES}


def names_an_agent_file(text: str) -> bool:
    """Return whether *text* is written as FILE.py or FILE.py:function."""
    return parted(text)[0].endswith(".py")


def file_and_function(text: str) -> tuple[Path, str]:
    """Return the file and the function that *text* names; the function is `choose` if it names none."""
    file, function = parted(text)
    return Path(file), function or FUNCTION


def function_agent(text: str) -> FunctionAgent:
    """Return the agent that *text* names, as FILE.py or FILE.py:function."""
    path, name = file_and_function(text)
    module = module_of(path, function=name)
    function = getattr(module, name, None)
    if not callable(function):
        near = difflib.get_close_matches(name, [each for each, value in vars(module).items() if inspect.isfunction(value)], n=1)
        hint = (
            f"; did you mean {near[0]!r}?"
            if near
            else ""
            if parted(text)[1]
            else f"; write def {name}(state): in it, or name another function, as {path}:function"
        )
        raise OptionError(f"{path} has no function {name!r}{hint}")
    return FunctionAgent(function, text, preparation_of(module), str(module.__file__))


def preparation_of(module: ModuleType) -> Callable[[Game], Any] | None:
    """Return what gets the agent in *module* ready for a game: its own function, or the compiler if it searches with Outplay."""
    own = getattr(module, PREPARE, None)
    if callable(own):
        return own  # type: ignore[no-any-return]
    return compile_the_search if searches(module) else None


def searches(module: ModuleType) -> bool:
    """Return whether *module* has imported Outplay, or a search of it."""
    known = [sys.modules.get("outplay")]
    for name, names in (("outplay.search.search", ("search", "analyse")), ("outplay.search.searcher", ("Searcher",))):
        if found := sys.modules.get(name):
            known += [getattr(found, each) for each in names]
    return any(value is one for value in vars(module).values() for one in known if one is not None)


def compile_the_search(game: Game) -> None:
    """Compile the rules and the search of *game*, so that the first move need not."""
    from outplay.search.search import search

    with suppress(OutplayError):  # the agent hears it if it searches
        search(game, depth=1)
