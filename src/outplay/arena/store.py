"""The store of a tournament: a SQLite file with one row a game.

The key of a row says what the game *is*: the rules, both players, the start, the opening, the luck and the time control. It is
never a counter. So a game that is in the store is not played again, a changed agent is another player, and the same row cannot
be written twice. A game counts as played when its row is on the disk (WAL, synchronous=FULL), and not before: a tournament that is
killed at any moment plays only the missing games again.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock, Timeout

from outplay.arena.record import GameRecord, Step, Verdict, replay
from outplay.errors import OutplayError, StoreError
from outplay.rules.game import OVER, Game
from outplay.rules.key import key_of

FORMAT = "outplay tournament 1"
SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, rules TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL, pair INTEGER NOT NULL, luck TEXT NOT NULL,
    control TEXT NOT NULL, start TEXT NOT NULL, opening TEXT NOT NULL, verdict TEXT NOT NULL, blamed INTEGER, score REAL,
    detail TEXT NOT NULL, first_moves INTEGER NOT NULL, first_seconds REAL NOT NULL, first_longest REAL NOT NULL,
    second_moves INTEGER NOT NULL, second_seconds REAL NOT NULL, second_longest REAL NOT NULL, steps TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS scheduled (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS games_by_players ON games (first, second);
"""
COLUMNS = (
    "id, rules, first, second, pair, luck, control, start, opening, verdict, blamed, score, detail, "
    "first_moves, first_seconds, first_longest, second_moves, second_seconds, second_longest"
)


@dataclass(frozen=True)
class GameKey:
    """What a game is. `first` and `second` are the identities of the players at seats 0 and 1; `rules` the hash of the rules."""

    rules: str
    first: str
    second: str
    pair: int
    luck: str
    control: str
    start: str
    opening: tuple[int, ...]

    @property
    def id(self) -> str:
        """The name of the game: a hash of all that it is."""
        said = json.dumps([self.rules, self.first, self.second, self.pair, self.luck, self.control, self.start, self.opening])
        return hashlib.sha256(said.encode()).hexdigest()[:20]


class Effort(NamedTuple):
    """What one seat did in a game: how many moves, how many seconds in total, and how many for the longest move."""

    moves: int
    seconds: float
    longest: float


@dataclass(frozen=True)
class StoredGame:
    """A game in the store, without its moves: what it is, and what came of it."""

    key: GameKey
    verdict: Verdict
    blamed: int | None
    score: float | None
    detail: str
    efforts: tuple[Effort, Effort]

    @property
    def id(self) -> str:
        return self.key.id


def check_place(path: Path) -> None:
    """Raise a StoreError if no store can be written to *path*, because of its folder."""
    if path.is_dir() or not path.parent.is_dir():
        what = "is a folder" if path.is_dir() else f"is in {str(path.parent)!r}, which does not exist"
        raise StoreError(f"the store {str(path)!r} {what}; name a file in a folder that exists")


class Store:
    """A tournament's games. A store in memory has no *path*. Only one process at a time may write to a file; any number may read."""

    def __init__(self, path: Path | str | None = None, *, readonly: bool = False) -> None:
        self.path = None if path is None else Path(path)
        self._lock: FileLock | None = None
        if self.path is not None and not readonly:
            self._claim(self.path)
        try:
            self._database = self._opened(readonly)
            self._check_format(readonly)
        except sqlite3.Error as error:
            self._release()
            raise StoreError(
                f"{self.path} cannot be opened as the store of a tournament: {error}; name a file that outplay tournament wrote, or a new one"
            ) from None
        except BaseException:
            self._release()
            raise

    def _claim(self, path: Path) -> None:
        check_place(path)
        self._lock = FileLock(f"{path}.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            self._lock = None
            raise StoreError(f"another process is writing to {path}; wait until its tournament has ended, or stop it") from None
        except OSError as error:
            self._lock = None
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None

    def _opened(self, readonly: bool) -> sqlite3.Connection:
        if self.path is None:
            database = sqlite3.connect(":memory:", check_same_thread=False)
        elif readonly:
            if self.path.is_dir():
                raise StoreError(f"{str(self.path)!r} is a folder; name the file in it that outplay tournament wrote")
            if not self.path.is_file():
                raise StoreError(f"there is no store {str(self.path)!r}; name a file that outplay tournament wrote")
            database = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        else:
            database = sqlite3.connect(self.path, check_same_thread=False)
        database.execute("PRAGMA busy_timeout = 30000")
        if not readonly:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
        return database

    def _check_format(self, readonly: bool) -> None:
        tables = {name for (name,) in self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "about" not in tables:
            raise StoreError(
                f"{self.path} is a database of something else; name a file that outplay tournament wrote, or a new one"
            )
        if not readonly:
            with self._database:
                self._database.executescript(SCHEMA)
                self._database.execute("INSERT OR IGNORE INTO about VALUES ('format', ?)", (FORMAT,))
        elif not tables:
            raise StoreError(f"{self.path} is empty; name a file that outplay tournament wrote")
        if (found := self.about("format")) != FORMAT:
            raise StoreError(f"{self.path} has the format {found!r}; this version of Outplay reads {FORMAT!r}")

    def close(self) -> None:
        """Close the file."""
        self._database.close()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()  # the lock file stays: whoever waits for it may hold it by now
            self._lock = None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                f"{self.path or 'the store'} cannot be used: {error}; see whether the disk is full or the file is damaged"
            ) from None

    def about(self, name: str) -> Any:
        """Return what the store says about its tournament under *name*, or None."""
        with self._errors():
            row = self._database.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0]) if name != "format" else row[0]

    def describe(self, **facts: Any) -> None:
        """Keep *facts* about the tournament, as JSON."""
        with self._errors(), self._database:
            self._write_facts(facts)

    def _write_facts(self, facts: Mapping[str, Any]) -> None:
        rows = [(name, json.dumps(value)) for name, value in facts.items()]
        self._database.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", rows)

    def schedule(self, ids: Iterable[str], **facts: Any) -> None:
        """Replace the list of games, by their names, that belong to the tournament, and keep *facts* about it, in one transaction."""
        with self._errors(), self._database:
            self._database.execute("DELETE FROM scheduled")
            self._database.executemany("INSERT OR IGNORE INTO scheduled VALUES (?)", ((name,) for name in ids))
            self._write_facts(facts)

    def scheduled_games(self) -> list[StoredGame]:
        """Return the games of the tournament that have been played, by pair and seats."""
        query = f"SELECT {COLUMNS} FROM games WHERE id IN (SELECT id FROM scheduled) ORDER BY pair, first, second, id"
        with self._errors():
            return [_stored(row) for row in self._database.execute(query).fetchall()]

    def add(self, key: GameKey, record: GameRecord) -> bool:
        """Write a game to the disk; return False if it was there already, and leave it as it was."""
        return self.add_all([(key, record)]) == 1

    def add_all(self, games: Iterable[tuple[GameKey, GameRecord]]) -> int:
        """Write games to the disk, all of them or none; return how many were not there already. The others stay as they were."""
        rows = [_row(key, record) for key, record in games]
        if not rows:
            return 0
        with self._errors(), self._database:
            cursor = self._database.executemany(f"INSERT OR IGNORE INTO games VALUES ({','.join('?' * len(rows[0]))})", rows)
        return cursor.rowcount

    def ids(self) -> set[str]:
        """Return the names of all games."""
        with self._errors():
            return {name for (name,) in self._database.execute("SELECT id FROM games")}

    def rules(self) -> set[str]:
        """Return the hashes of the rules by which the games of the tournament were played."""
        with self._errors():
            found = self._database.execute("SELECT DISTINCT rules FROM games WHERE id IN (SELECT id FROM scheduled)")
            return {name for (name,) in found}

    def changes(self) -> int:
        """Return a number that grows when games are added."""
        with self._errors():
            (number,) = self._database.execute("SELECT count(*) FROM games").fetchone()
        return int(number)

    def games(self, players: Sequence[str] | None = None) -> list[StoredGame]:
        """Return all games, or those between *players*, by pair and seats."""
        query, values = f"SELECT {COLUMNS} FROM games", ()
        if players is not None:
            listed = json.dumps(list(players))
            query += " WHERE first IN (SELECT value FROM json_each(?)) AND second IN (SELECT value FROM json_each(?))"
            values = (listed, listed)  # type: ignore[assignment]
        with self._errors():
            rows = self._database.execute(f"{query} ORDER BY pair, first, second, id", values).fetchall()
        return [_stored(row) for row in rows]

    def find(self, name: str) -> tuple[StoredGame, GameRecord]:
        """Return the game called *name*, of which the beginning is enough, with its record."""
        with self._errors():
            rows = self._database.execute(
                f"SELECT {COLUMNS}, steps FROM games WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT 2", (len(name), name.lower())
            ).fetchall()
        if not rows or not name:
            raise StoreError(f"there is no game {name!r} in {self.path}; outplay replay {self.path} lists its games")
        if len(rows) > 1:
            raise StoreError(f"several games in {self.path} begin with {name!r}; write more of the name, such as {rows[0][0]}")
        return _stored(rows[0][:-1]), _recorded(rows[0])

    def records(self) -> Iterator[tuple[StoredGame, GameRecord]]:
        """Yield every game with its record, by pair and seats."""
        with self._errors():
            for row in self._database.execute(f"SELECT {COLUMNS}, steps FROM games ORDER BY pair, first, second, id"):
                yield _stored(row[:-1]), _recorded(row)

    def problems(self, game: Game | None = None) -> list[str]:
        """Return what is wrong with the file: damage, names that do not fit, and, given the game, records that do not replay."""
        with self._errors():
            said = [str(row[0]) for row in self._database.execute("PRAGMA integrity_check")]
            named = self._database.execute("SELECT id FROM games ORDER BY id").fetchall()
        found = [] if said == ["ok"] else [f"the database is damaged: {line}" for line in said]
        for name in (row[0] for row in named):
            try:
                stored, record = self.find(name)
                if stored.id != name:
                    found.append(f"game {name} does not have the name that follows from what it is ({stored.id})")
                elif game is not None:
                    found += [f"game {name}: {problem}" for problem in replay_problems(game, record)]
            except (OutplayError, ValueError, TypeError, KeyError) as error:
                found.append(f"game {name} cannot be read: {error}")
        return found


def replay_problems(game: Game, record: GameRecord) -> list[str]:
    """Return why *record* cannot have been played by the rules of *game*: a choice that is not legal, an end that is none, or another score."""
    try:
        states = list(replay(game, record))
        paid = 0.0
        if game.reward is not None:
            for state, choice in zip(states, record.choices, strict=False):
                paid += float(game.reward(state, choice))
        over = game.acting(states[-1]) == OVER
        total = paid + float(game.score(states[-1])) if over else paid
        again = game.chances is None and _times_seen(states[len(record.opening) :]) == 3  # such a game ends without more points
    except (OutplayError, ValueError) as error:
        return [str(error)]
    if record.verdict is Verdict.RULE:
        fits, wanted = record.blamed is None and record.score is None, "a game that ends by an error of the rules has no score"
    elif record.verdict is not Verdict.FINISHED:
        worst = {0: float(game.low), 1: float(game.high)}.get(-1 if record.blamed is None else record.blamed)
        fits, wanted = worst is not None and record.score == worst, "a fault is blamed on player 0 or 1, and is its worst score"
    elif record.blamed is not None or not (over or again):
        fits, wanted = False, "it is not over by the rules" if record.blamed is None else "it is finished, and blames a player"
    else:
        fits, wanted = total == record.score, f"its score is {total:g} by the rules, not {record.score}"
    return [] if fits else [wanted]


def _times_seen(states: Sequence[Any]) -> int:
    """Return how often the last of *states* is among them."""
    last = key_of(states[-1])
    return sum(key_of(state) == last for state in states)


def _row(key: GameKey, record: GameRecord) -> tuple[Any, ...]:
    """Return the values of a row."""
    if (record.start, record.opening) != (key.start, key.opening):
        raise StoreError(f"the record begins at {record.start!r}, the game {key.id} at {key.start!r}")
    efforts = [number for seat in (0, 1) for number in _effort(record, seat)]
    steps = json.dumps(record.to_dict()["steps"], separators=(",", ":"))
    what = (key.id, key.rules, key.first, key.second, key.pair, key.luck, key.control, key.start, json.dumps(key.opening))
    return (*what, str(record.verdict), record.blamed, record.score, _storable(record.detail), *efforts, steps)


def _storable(text: str) -> str:
    """Return *text* with lone surrogates replaced: an agent's output may hold half of a character."""
    return text.encode("utf-8", "replace").decode()


def _effort(record: GameRecord, seat: int) -> Effort:
    times = [step.seconds for step in record.steps if step.seat == seat]
    return Effort(len(times), sum(times), max(times, default=0.0))


def _stored(row: Sequence[Any]) -> StoredGame:
    _, rules, first, second, pair, luck, control, start, opening, verdict, blamed, score, detail, *efforts = row
    key = GameKey(rules, first, second, pair, luck, control, start, tuple(json.loads(opening)))
    return StoredGame(key, Verdict(verdict), blamed, score, detail, (Effort(*efforts[:3]), Effort(*efforts[3:])))


def _recorded(row: Sequence[Any]) -> GameRecord:
    stored = _stored(row[:-1])
    steps = tuple(Step(*step) for step in json.loads(row[-1]))
    return GameRecord(stored.verdict, stored.blamed, stored.score, stored.key.start, stored.key.opening, steps, stored.detail)


def control_text(control: Mapping[str, Any]) -> str:
    """Return a time control as text, the same for the same control: a part of what a game is."""
    return json.dumps(dict(control), sort_keys=True)


def imported(store: Store, games: Iterable[tuple[GameKey, GameRecord]]) -> int:
    """Add *games* to the store; return how many of them are new."""
    return store.add_all(games)
