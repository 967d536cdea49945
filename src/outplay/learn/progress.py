"""How far learning has come: what a progress line shows, and the history of a learned estimate."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Progress:
    """Learning so far, earlier calls with the same file included. Speeds are of this call."""

    games: int
    moves: int  # chosen by the network
    seconds: float
    seconds_left: float | None
    games_per_second: float
    moves_per_second: float
    error: float  # the mean distance of the latest values from their targets
    endless: int  # games that were given up because they were too long
    weights: int
    strength: float | None = None  # two players: the share of points against the network that has learned nothing
    result: float | None = None  # one player: the mean result of the latest games of self-play
    phase: str = "learning"  # or "looking": at random games, to see what a state is made of


@dataclass(frozen=True)
class Moment:
    """A point of the history: after so many games, moves and seconds, the mean error and the mean result since the last one."""

    games: int
    moves: int
    seconds: float
    error: float
    result: float


@dataclass
class Counts:
    """Counts over all games so far."""

    games: int = 0
    moves: int = 0
    endless: int = 0
    seconds: float = 0.0
    history: list[Moment] = field(default_factory=list)
