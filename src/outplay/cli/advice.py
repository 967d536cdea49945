"""Who thinks for the engine in `outplay play`, and gives hints: a search, or a table."""

from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import Console

from outplay.cli.live import watching
from outplay.errors import Interrupted, OutplayError
from outplay.rules.game import OVER, Game
from outplay.search.search import prepare, search
from outplay.search.words import undecided
from outplay.solve.explain import named_line
from outplay.solve.solution import Solution


@dataclass(frozen=True)
class Advice:
    """A move, its value to player 0, how sure that is, and the play to expect. If *undecided*, the value says nothing."""

    move: int
    value: float
    certainty: str
    line: list[str]
    undecided: bool = False


class Adviser(Protocol):
    """Who knows a good move."""

    def prepare(self, state: Any) -> None:
        """Do beforehand what takes time, and refuse now what would be refused later."""
        ...

    def advise(self, state: Any) -> Advice:
        """Return a move of *state*."""
        ...


class Searcher:
    """Searches within *limits*, and shows how far it is."""

    def __init__(self, console: Console, game: Game, limits: dict[str, Any]) -> None:
        self.console, self.game, self.limits = console, game, limits

    def prepare(self, state: Any) -> None:
        if self.game.turn(state) != OVER:
            prepare(self.game, state)

    def advise(self, state: Any) -> Advice:
        with watching(self.console, self.game, state, quiet=not self.console.is_terminal) as progress:
            try:
                result = search(self.game, state, progress=progress, **self.limits)
            except Interrupted:
                raise
            except OutplayError as error:
                raise type(error)(f"{error} (state: {self.game.write_state(state)})") from None
        assert result.move is not None  # a player is to move
        still_open = undecided(self.game, result.value, proven=result.proven)
        certainty = "proven" if result.proven else f"{'' if still_open else 'an estimate, '}depth {result.depth}"
        return Advice(result.move, result.value, certainty, result.named_line()[:8], still_open)


class Knower:
    """Looks the move up in the table of *solution*."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def prepare(self, state: Any) -> None:
        self.solution[state]

    def advise(self, state: Any) -> Advice:
        entry = self.solution[state]
        over = "" if entry.distance is None else f", over in {entry.distance} move{'s' * (entry.distance != 1)}"
        return Advice(entry.moves[0], entry.value, f"solved{over}", named_line(self.solution, state, 8))
