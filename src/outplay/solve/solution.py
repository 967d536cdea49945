"""The result of `solve`: the exact value and best moves of a state, and of every state in the table."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from outplay.errors import OptionError, TableError
from outplay.pictures.notebook import beside, paragraph
from outplay.rules.game import OVER, Game
from outplay.rules.number_text import exact_value
from outplay.rules.pickling import Portable
from outplay.rules.text import moves_counted
from outplay.search.driver import Namer
from outplay.search.result import Candidate
from outplay.solve.explain import explain

if TYPE_CHECKING:
    from outplay.solve.tables.table import Table

Method = Literal["proof", "table", "cycles"]


@dataclass(frozen=True)
class Entry:
    """The entry of one state: its value to player 0, the best moves, and the number of moves to the end.

    `distance` is None where it has no meaning: where play may never end, where the value equals `endless`, where chance acts and
    where rewards are paid.
    """

    value: float
    moves: tuple[int, ...]
    distance: int | None
    candidates: tuple[Candidate, ...] = field(default=(), repr=False, compare=False)  # every move, or outcome; none at the end
    alone: bool = field(default=False, repr=False, compare=False)  # the game is for one player

    def explain(self) -> str:
        """Return the entry in words."""
        best = " or ".join(candidate.name for candidate in self.candidates if candidate.best)
        over = "" if self.distance is None else f", over in {moves_counted(self.distance, alone=self.alone)}"
        return f"Worth {exact_value(self.value)} to player 0{over}{f'; best: {best}' if best else ''}."

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        candidates = [candidate.to_dict() for candidate in self.candidates]
        return {"value": self.value, "moves": list(self.moves), "distance": self.distance, "candidates": candidates}

    def _repr_html_(self) -> str:
        return paragraph(self.explain())


@dataclass(frozen=True, eq=False)
class Solution(Portable):
    """The exact value of a state, and how it was found.

    `states` is how many states have a value: all those in the table, or 1 for a proof, whose `nodes` says how many nodes it
    visited. `counts` is how many states are first met after 0, 1, 2, ... moves and outcomes. `error` bounds the error of every
    value; it is 0.0 where values are exact. `solution[state]` is the `Entry` of any state in the table.
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
    def from_table(cls, game: Game, state: Any, table: "Table", *, counts: tuple[int, ...], **found: Any) -> "Solution":
        """Return the solution of *state* by its entry in *table*."""
        whole = cls(game, state, value=0.0, moves=(), distance=None, states=sum(counts), counts=counts, table=table, **found)
        entry = whole[state]
        return replace(whole, value=entry.value, moves=entry.moves, distance=entry.distance, candidates=entry.candidates)

    def __getitem__(self, state: Any) -> Entry:
        state = self.game.state(state)
        table = self._table()
        code = table.code(self.game, state)
        candidates = self._candidates(state)
        best = tuple(candidate.move for candidate in candidates if candidate.best)
        return Entry(table.scale.value(code), best, table.scale.distance(code), candidates, self.game.solitaire)

    def __contains__(self, state: Any) -> bool:
        return self._table().holds(self.game, self.game.state(state))

    def _candidates(self, state: Any) -> tuple[Candidate, ...]:
        """Return every move of *state* (or outcome, none of which is best) with its value."""
        who, table, namer = self.game.acting(state), self._table(), Namer(self.game, state)
        if who == OVER:
            return ()
        choices = list(self.game.choices(state))
        found = [table.code(self.game, self.game.state(self.game.play(state, choice))) for choice, _ in choices]
        if self.game.reward is not None:
            found = [self.game.reward(state, choice) + code for (choice, _), code in zip(choices, found, strict=True)]
        best = table.scale.best(found, who, self.error)
        made = []
        for (choice, probability), code, good in zip(choices, found, best, strict=True):
            value, left = table.scale.value(code), table.scale.distance(code)
            distance = None if left is None else left + 1
            made.append(Candidate(choice, value, "exact", distance or 0, True, good, probability, distance, namer=namer))
        return tuple(made)

    def explain(self) -> str:
        """Return the solution in words: the value, the moves, the expected play, the figures."""
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
        """Write the table to a file at *path*, completely or not at all."""
        self.write(Path(path))

    def write(self, path: Path, folder: Path | None = None) -> None:
        """Write the table to *path*; until it is complete, the file is in *folder*, or beside *path*."""
        from outplay.solve.tables.file import TableFile, write

        facts = {"method": self.method, "counts": self.counts, "error": self.error, "proper": self.proper}
        write(path, TableFile(self.game, self.state, self._table(), facts), folder)

    @staticmethod
    def load(path: str | Path, game: Game) -> "Solution":
        """Return the solution in the file at *path*; the file must belong to *game* with its present rules."""
        from outplay.solve.tables.file import read

        found = read(Path(path), game)
        try:
            return Solution.from_table(game, found.state, found.table, **found.facts)
        except TableError:
            raise
        except Exception:  # the state is invalid or not in the table; a rule may raise anything there
            raise TableError(f"{path} has no value for the state that was solved; do not use this table, solve again") from None

    def _table(self) -> "Table":
        if self.table is None:
            raise OptionError(
                f"{self.game.name!r} was solved by method={self.method!r}, which finds the value of one state and makes no table; "
                'solve with method="table" to look up others'
            )
        return self.table
