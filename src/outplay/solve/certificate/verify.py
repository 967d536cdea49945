"""`verify`: a saved table checked against the rules alone, in code of its own.

It plays every state of the table again by the rules and compares its entry with those of its children: `follow.py` asks the
rules, `claims.py` says what must hold, `examination.py` goes through the table. It shares only the reader of the file and the
packing of states with the solver.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from outplay.errors import OptionError, TableError, UnknownGame
from outplay.pictures.notebook import report
from outplay.rules.game import Game
from outplay.runtime.threads import thread_count
from outplay.solve.progress import Progress, Reporter
from outplay.solve.solution import Solution


@dataclass(frozen=True)
class Wrong:
    """A mistake in a table. *state* is the wrong state, as the game writes it; it is empty if the whole table is wrong."""

    state: str
    why: str

    def __str__(self) -> str:
        return f"{self.state}: {self.why}" if self.state else self.why


@dataclass(frozen=True)
class Verification:
    """The result of `verify`. It is true if every entry of the table is right.

    `count` is the number of wrong entries, `wrong` the first few of them; `error` bounds the error of the table's values.
    """

    game: str
    states: int
    error: float
    count: int
    wrong: tuple[Wrong, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return self.count == 0

    def __bool__(self) -> bool:
        return self.ok

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return {**asdict(self), "ok": self.ok}

    def _repr_html_(self) -> str:
        return report(self.ok, self.explain().partition("\n")[0], tuple(map(str, self.wrong)), (), ())

    def explain(self) -> str:
        """Return the verdict in words, a line for each of the first wrong entries."""
        if self:
            within = f", to within {self.error:.2g}" if self.error else ""
            return f"{self.game}: all {self.states:,} states follow from the rules{within} ({self.seconds:.1f} s)"
        more = [f"... and {self.count - len(self.wrong):,} more"] if self.count > len(self.wrong) else []
        verdict = f"{self.game}: {self.count:,} entries of {self.states:,} are wrong; do not use this table, solve again"
        return "\n".join([verdict, *(f"  {wrong}" for wrong in self.wrong), *(f"  {line}" for line in more)])


def verify(
    path: str | Path,
    game: Game | None = None,
    *,
    threads: int | None = 1,
    progress: Callable[[Progress], None] | None = None,
    compiled: bool = True,
) -> Verification:
    """Check the table in the file at *path* against the rules of *game*, by default the built-in game that the file names.

    A file that is truncated or damaged, or was made by other rules, is refused with a TableError that says so.
    """
    path = Path(path)
    game = game or _named(path)
    return examine(Solution.load(path, game), threads=threads, progress=progress, compiled=compiled)


def _named(path: Path) -> Game:
    from outplay.games.catalogue import built_in
    from outplay.solve.tables.file import game_in

    name = game_in(path)
    try:
        return built_in(name)  # never a file: who wrote the table would choose what runs here
    except (UnknownGame, OptionError):
        raise TableError(
            f"{path} is a table of {name!r}, which is not built in; say where it is: "
            "verify(path, game), or outplay verify FILE mygame.py"
        ) from None


def examine(
    solution: Solution,
    *,
    threads: int | None = 1,
    progress: Callable[[Progress], None] | None = None,
    compiled: bool = True,
) -> Verification:
    """Check the table of *solution* against the rules of its game."""
    from outplay.solve.certificate.examination import Examination

    began = time.monotonic()
    examination = Examination(solution, thread_count(threads), Reporter(progress), compiled)
    examination.run()
    return Verification(
        solution.game.name,
        examination.states,
        solution.error,
        examination.count,
        tuple(Wrong(*found) for found in examination.named()),
        time.monotonic() - began,
    )
