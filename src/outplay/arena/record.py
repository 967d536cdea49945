"""What is kept of a game: how it ended, who is to blame, and every choice with its time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from outplay.errors import IllegalMove, OptionError
from outplay.rules.game import Game, written
from outplay.rules.key import key_of
from outplay.rules.text import read_state


class Verdict(StrEnum):
    """How a game ended. All but the first and the last are the fault of one agent."""

    FINISHED = "finished"
    ILLEGAL = "illegal move"
    TIMEOUT = "timeout"
    CRASH = "crash"
    PROTOCOL = "protocol error"
    REFUSED = "refused start"
    RULE = "rule error"


@dataclass(frozen=True)
class Step:
    """One move or outcome. `seat` is 0, 1 or CHANCE; `seconds` is the time that was charged; `value`, player 0's, is None if unknown."""

    seat: int
    choice: int
    seconds: float = 0.0
    nodes: int = 0
    value: float | None = None


@dataclass(frozen=True)
class GameRecord:
    """One game, from its start to its end.

    `score` is player 0's, all rewards counted; a game that ends by a fault counts as the worst result for the seat in `blamed`,
    and a game that ends by an error of the rules has no score. `opening` are the choices before the agents took over.
    """

    verdict: Verdict
    blamed: int | None
    score: float | None
    start: str
    opening: tuple[int, ...]
    steps: tuple[Step, ...]
    detail: str = ""

    @property
    def choices(self) -> tuple[int, ...]:
        """All moves and outcomes, those of the opening first."""
        return (*self.opening, *(step.choice for step in self.steps))

    @property
    def moves(self) -> int:
        """The number of moves that the agents made."""
        return sum(step.seat >= 0 for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return {
            "verdict": str(self.verdict),
            "blamed": self.blamed,
            "score": self.score,
            "start": self.start,
            "opening": list(self.opening),
            "steps": [[step.seat, step.choice, step.seconds, step.nodes, step.value] for step in self.steps],
            "detail": self.detail,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "GameRecord":
        """Return the record that `to_dict` wrote; raise an OptionError if *data* is not one."""
        try:
            return cls(
                Verdict(data["verdict"]),
                data["blamed"],
                data["score"],
                data["start"],
                tuple(int(choice) for choice in data["opening"]),
                tuple(Step(*step) for step in data["steps"]),
                data["detail"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"this is not the record of a game ({type(error).__name__}: {error})") from None


def exact_text(game: Game, state: Any) -> str:
    """Return *state* as a text from which exactly the same state is read: as the game writes it, or by its fields."""
    text = str(game.write_state(state))
    try:
        if key_of(read_state(game, text)) == key_of(state):
            return text
    except Exception:  # a game's own reader may raise anything
        pass
    return written(state)


def replay(game: Game, record: GameRecord) -> Iterator[Any]:
    """Yield the states of a recorded game, the start first; raise an IllegalMove if the record does not follow the rules."""
    state = read_state(game, record.start)
    yield state
    seats = (*[None] * len(record.opening), *(step.seat for step in record.steps))
    for ply, (seat, choice) in enumerate(zip(seats, record.choices, strict=True)):
        if seat is not None and game.acting(state) != seat:
            raise IllegalMove(
                f"ply {ply} of the record is by player {seat}, but player {game.acting(state)} acts in {game.write_state(state)}; "
                f"see whether the record belongs to these rules of {game.name}"
            )
        try:
            state = game.after(state, (choice,))
        except IllegalMove as error:
            raise IllegalMove(
                f"ply {ply} of the record: {error}; see whether the record belongs to these rules of {game.name}"
            ) from None
        yield state
