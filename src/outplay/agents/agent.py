"""`Agent`: a player. The terminal, the page and `match` use this interface alone."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from outplay.rules.game import Game
from outplay.runtime.stopper import Stopper


@dataclass(frozen=True)
class Clock:
    """The time that an agent has; None if nobody limits it.

    `seconds`: what it should use for this move. `left`: all that it has, this move included, with its bank or the clock of the game.
    `nodes`: how many it may visit for this move.
    """

    seconds: float | None = None
    left: float | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class Choice:
    """The move that an agent chooses, and what the agent knows about it. The value is player 0's; None if the agent has no opinion."""

    move: int
    value: float | None = None
    depth: int = 0
    line: tuple[int, ...] = ()  # the play that the agent expects, its own move first
    proven: bool = False
    nodes: int = 0
    seconds: float = 0.0
    why: str = ""  # how sure the agent is, in a few words
    simulations: int = 0  # of a Monte Carlo search

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return asdict(self) | {"line": [int(choice) for choice in self.line]}


class Agent(ABC):
    """A player: it has a name and chooses moves."""

    name: str

    @property
    def deterministic(self) -> bool:
        """Whether the agent always plays the same move in the same state."""
        return False

    def prepare(self, game: Game) -> None:  # noqa: B027  # most agents need nothing
        """Get ready for a new game: compile, and forget the last game."""

    @abstractmethod
    def choose(
        self,
        game: Game,
        state: Any,
        clock: Clock,
        dice: Random,
        *,
        stopper: Stopper | None = None,
        progress: Callable[[Any], None] | None = None,
    ) -> Choice:
        """Return a legal move of *state*, in which a player is to move. Random choices are drawn from *dice*.

        *stopper* stops the agent from another thread; an agent that searches step by step reports each step to *progress*.
        """


def choice_of(said: Any) -> Choice:
    """Return the answer of an agent as a Choice; an agent may answer with the move alone."""
    return said if isinstance(said, Choice) else Choice(said)
