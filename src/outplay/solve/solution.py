"""What a solve returns: the exact value, the best moves, and those of every state in the table."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outplay.errors import OptionError
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.notebook import beside
from outplay.solve.explain import explain

if TYPE_CHECKING:
    from outplay.solve.tables.table import Table


@dataclass(frozen=True)
class Entry:
    """What is known of one state: its value to player 0, the best moves, and the number of moves to the end.

    `distance` is None where it has no meaning: where play may go on for ever, or is worth as much, and where chance acts.
    """

    value: float
    moves: tuple[int, ...]
    distance: int | None


@dataclass(frozen=True)
class SolvedMove:
    """A move (or an outcome of chance), and what is known of the state after it. The distance counts the move."""

    move: int
    value: float
    distance: int | None
    best: bool


@dataclass(frozen=True, eq=False)
class Solution:
    """The exact value of a state, and how it was found.

    `method`: "proof", "table" or "cycles". `counts`: how many states are first met after 0, 1, 2, ... moves and
    outcomes. `error`: how far values may be off; 0.0 where they are exact. `solution[state]` is the `Entry` of any
    state in the table.
    """

    game: Game
    state: Any
    method: str
    value: float
    moves: tuple[int, ...]
    distance: int | None
    states: int
    counts: tuple[int, ...] = field(default=(), repr=False)
    error: float = 0.0
    seconds: float = 0.0  # 0.0 if it was read from a file
    proper: bool = True  # False: the players can avoid the end for ever
    table: "Table | None" = field(default=None, repr=False, compare=False)

    @classmethod
    def over(cls, game: Game, state: Any, table: "Table", *, counts: tuple[int, ...], **found: Any) -> "Solution":
        """Return the solution with what *table* says of *state*."""
        whole = cls(game, state, value=0.0, moves=(), distance=None, states=sum(counts), counts=counts, table=table, **found)
        entry = whole[state]
        return replace(whole, value=entry.value, moves=entry.moves, distance=entry.distance)

    def __getitem__(self, state: Any) -> Entry:
        state = self.game.state(state)
        table = self._table()
        outcome = table.outcome(self.game, state)
        best = tuple(candidate.move for candidate in self.candidates(state) if candidate.best)
        return Entry(table.scale.value(outcome), best, table.scale.distance(outcome))

    def __contains__(self, state: Any) -> bool:
        return self._table().holds(self.game, self.game.state(state))

    def candidates(self, state: Any) -> tuple[SolvedMove, ...]:
        """Return every move of *state* (or outcome, none of which is best) with its value; none where the game is over."""
        state = self.game.state(state)
        who = self.game.acting(state)
        if who == OVER:
            return ()
        table = self._table()
        chances = self.game.chances
        outcomes = [int(outcome) for outcome, _ in chances(state)] if who == CHANCE and chances else self.game.legal(state)
        found = [(move, table.outcome(self.game, self.game.state(self.game.play(state, move)))) for move in outcomes]
        best = table.scale.best([outcome for _, outcome in found], who, self.error)
        return tuple(
            SolvedMove(
                move, table.scale.value(outcome), None if (left := table.scale.distance(outcome)) is None else left + 1, good
            )
            for (move, outcome), good in zip(found, best, strict=True)
        )

    def explain(self) -> str:
        """Return the solution as a person would read it: the value, the moves, the play to expect, the figures."""
        return explain(self)

    def _repr_html_(self) -> str:
        return beside(self.game, self.state, self.explain())

    def save(self, path: str | Path) -> None:
        """Write the table to a file at *path*: whole, or not at all."""
        from outplay.solve.tables.file import write

        self._table()
        write(Path(path), self)

    @staticmethod
    def load(path: str | Path, game: Game) -> "Solution":
        """Return the solution in the file at *path*, which must be of *game* with the rules that it has now."""
        from outplay.solve.tables.file import read

        return read(Path(path), game)

    def _table(self) -> "Table":
        if self.table is None:
            raise OptionError(
                f"{self.game.name!r} was solved by method={self.method!r}, which finds the value of one state and makes no table; "
                'solve with method="table" to look up others'
            )
        return self.table
