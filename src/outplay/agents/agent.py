"""`Agent`: who chooses a move. Terminal, page and match know players by this alone."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from outplay.rules.game import Game
from outplay.runtime.stopper import Stopper


@dataclass(frozen=True)
class Clock:
    """The time that an agent has. `seconds`: for this move; None if nobody limits it."""

    seconds: float | None = None


@dataclass(frozen=True)
class Choice:
    """The move that an agent chooses, and what it knows of it. The value is player 0's; None where the agent has no opinion."""

    move: int
    value: float | None = None
    depth: int = 0
    line: tuple[int, ...] = ()  # the play that the agent expects, its own move first
    proven: bool = False
    nodes: int = 0
    seconds: float = 0.0
    why: str = ""  # how sure the agent is, in a few words


class Agent(ABC):
    """Who chooses moves, and what it is called."""

    name: str

    @property
    def deterministic(self) -> bool:
        """Whether it draws no luck, and plays the same again in the same state."""
        return False

    def prepare(self, game: Game) -> None:  # noqa: B027  # most agents need nothing
        """Get ready for a new game: compile what takes time, and forget the last game."""

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
        """Return a legal move of *state*, in which a player is to move. What luck it takes comes from *dice*.

        *stopper* ends its thinking from another thread; *progress* hears how far it is, if it thinks step by step.
        """


def choice_of(said: Any) -> Choice:
    """Return what an agent *said* as a Choice; an agent may say the move alone."""
    return said if isinstance(said, Choice) else Choice(said)
