"""What a solve returns: the exact value, the best moves, and those of every state in the table."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from outplay.errors import OptionError
from outplay.pictures.notebook import beside
from outplay.rules.game import OVER, Game
from outplay.search.driver import namer_of
from outplay.search.result import Candidate
from outplay.solve.explain import explain

if TYPE_CHECKING:
    from outplay.solve.tables.table import Table

Method = Literal["proof", "table", "cycles"]


@dataclass(frozen=True)
class Entry:
    """What is known of one state: its value to player 0, the best moves, and the number of moves to the end.

    `distance` is None where it has no meaning: where play may go on for ever, or is worth as much, where chance acts and where rewards
    are paid.
    """

    value: float
    moves: tuple[int, ...]
    distance: int | None
    candidates: tuple[Candidate, ...] = field(default=(), repr=False, compare=False)  # every move, or outcome; none at the end


@dataclass(frozen=True, eq=False)
class Solution:
    """The exact value of a state, and how it was found.

    `states`: how many states it knows the value of; a proof knows one, and `nodes` says how many it visited. `counts`: how many states are first met after 0, 1, 2, ... moves and
    outcomes. `error`: how far values may be off; 0.0 where they are exact. `solution[state]` is the `Entry` of any
    state in the table.
    """

    game: Game
    state: Any
    method: Method
    value: float
    moves: tuple[int, ...]
    distance: int | None
    states: int
    nodes: int = 0  # visited by a proof
    counts: tuple[int, ...] = field(default=(), repr=False)
    error: float = 0.0
    seconds: float = 0.0  # 0.0 if it was read from a file
    proper: bool = True  # False: the players can avoid the end for ever
    table: "Table | None" = field(default=None, repr=False, compare=False)
    candidates: tuple[Candidate, ...] = field(default=(), repr=False)  # of the state; a proof has one that keeps the value

    @classmethod
    def over(cls, game: Game, state: Any, table: "Table", *, counts: tuple[int, ...], **found: Any) -> "Solution":
        """Return the solution with what *table* says of *state*."""
        whole = cls(game, state, value=0.0, moves=(), distance=None, states=sum(counts), counts=counts, table=table, **found)
        entry = whole[state]
        return replace(whole, value=entry.value, moves=entry.moves, distance=entry.distance, candidates=entry.candidates)

    def __getitem__(self, state: Any) -> Entry:
        state = self.game.state(state)
        table = self._table()
        outcome = table.outcome(self.game, state)
        candidates = self._candidates(state)
        best = tuple(candidate.move for candidate in candidates if candidate.best)
        return Entry(table.scale.value(outcome), best, table.scale.distance(outcome), candidates)

    def __contains__(self, state: Any) -> bool:
        return self._table().holds(self.game, self.game.state(state))

    def _candidates(self, state: Any) -> tuple[Candidate, ...]:
        """Return every move of *state* (or outcome, none of which is best) with its value."""
        who, table, namer = self.game.acting(state), self._table(), namer_of(self.game, state)
        if who == OVER:
            return ()
        choices = list(self.game.choices(state))
        found = [table.outcome(self.game, self.game.state(self.game.play(state, choice))) for choice, _ in choices]
        if self.game.reward is not None:
            found = [self.game.reward(state, choice) + outcome for (choice, _), outcome in zip(choices, found, strict=True)]
        best = table.scale.best(found, who, self.error)
        made = []
        for (choice, probability), outcome, good in zip(choices, found, best, strict=True):
            value, left = table.scale.value(outcome), table.scale.distance(outcome)
            distance = None if left is None else left + 1
            made.append(Candidate(choice, value, "exact", distance or 0, True, good, probability, distance, namer=namer))
        return tuple(made)

    def explain(self) -> str:
        """Return the solution as a person would read it: the value, the moves, the play to expect, the figures."""
        return explain(self)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        game, state = self.game, self.state
        return {
            "game": game.name,
            "state": game.write_state(state),
            "method": self.method,
            "value": self.value,
            "error": self.error,
            "moves": list(self.moves),
            "move_names": [str(game.name_move(state, move)) for move in self.moves],
            "distance": self.distance,
            "states": self.states,
            "nodes": self.nodes,
            "counts": list(self.counts),
            "ends": self.proper,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "seconds": self.seconds,
        }

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
