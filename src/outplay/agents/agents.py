"""Agents: a search, chance, a described player; `solved.py` has the one with a table.

Each chooses a legal move of a state in which a player is to move.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Protocol

from outplay.agents.solved import solved_agent
from outplay.errors import OptionError
from outplay.rules.game import Game, Rule
from outplay.rules.opponents import Policy, answer, opponent_of
from outplay.search.limits import Limits
from outplay.search.search import search
from outplay.solve.progress import Progress


class Agent(Protocol):
    """Who chooses moves. One whose `deterministic` is true draws no luck: it plays the same again in the same state."""

    @property
    def name(self) -> str: ...

    def choose(self, game: Game, state: Any, dice: Random) -> int:
        """Return a legal move of *state*; what luck it takes comes from *dice*."""
        ...


@dataclass(frozen=True)
class SearchAgent:
    """Plays what a search finds: of the match's game, or of *game*, the same rules with another estimate."""

    deterministic: ClassVar[bool] = True  # by the clock or with threads nearly so
    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    opponent: Policy = "best"
    threads: int = 1
    name: str = "search"
    game: Game | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        Limits(self.seconds, self.depth, self.nodes)  # refuses an impossible one now rather than in the game

    def choose(self, game: Game, state: Any, dice: Random) -> int:
        limits = {"seconds": self.seconds, "depth": self.depth, "nodes": self.nodes}
        result = search(self.game or game, state, **limits, opponent=self.opponent, threads=self.threads)  # type: ignore[arg-type]
        assert result.move is not None  # a player is to move
        return result.move


@dataclass(frozen=True)
class RandomAgent:
    """Plays any legal move, all alike."""

    deterministic: ClassVar[bool] = False
    name: str = "random"

    def choose(self, game: Game, state: Any, dice: Random) -> int:
        return dice.choice(game.legal(state))


@dataclass(frozen=True)
class PolicyAgent:
    """Plays as a policy says."""

    policy: Rule
    name: str = "policy"

    @property
    def deterministic(self) -> bool:
        return not inspect.isgeneratorfunction(self.policy)

    def choose(self, game: Game, state: Any, dice: Random) -> int:
        moves, weights = zip(*answer(game, state, self.policy, self.name), strict=True)
        return int(moves[0] if len(moves) == 1 else dice.choices(moves, weights)[0])


def agent(text: str, game: Game, *, seconds: float | None = None, progress: Callable[[Progress], None] | None = None) -> Agent:
    """Return the agent that *text* names.

    That is `random`, a policy of the game, `search:depth=5,opponent=random`, `solved` or `solved:FILE`. A search that
    names no limit takes *seconds*. `solved` solves the game first, and calls *progress* meanwhile.
    """
    name, _, rest = text.partition(":")
    if name == "random" and not rest:
        return RandomAgent()
    if name in game.policies and not rest:
        return PolicyAgent(game.policies[name], name)
    if name == "solved":
        return solved_agent(text, game, progress)
    if name == "search":
        return _search_agent(text, rest, game, seconds)
    known = ", ".join(["search", "random", "solved", *game.policies])
    raise OptionError(f"there is no agent {text!r} for {game.name}; there are {known}; a search is written search:seconds=1")


def _search_agent(text: str, rest: str, game: Game, seconds: float | None) -> SearchAgent:
    options: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, _, value = (piece.strip() for piece in part.partition("="))
        kinds = {"seconds": float, "depth": int, "nodes": int, "threads": int, "opponent": str}
        if key not in kinds:
            raise OptionError(
                f"{part!r} is no option of a search; there are {', '.join(kinds)}, written search:depth=5,opponent=random"
            )
        try:
            options[key] = kinds[key](value)
        except ValueError:
            raise OptionError(f"{part!r}: {value!r} is no {'number' if kinds[key] is float else 'whole number'}") from None
    if "opponent" in options:
        options["opponent"] = opponent_of(game, options["opponent"])
    if not {"seconds", "depth", "nodes"} & set(options):
        options["seconds"] = seconds
    return SearchAgent(**options, name=text)
