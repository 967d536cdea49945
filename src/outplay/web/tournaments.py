"""Tournaments on the page: the contents of the stores that were named at the command line, while another process adds games.

A page names a store by its label, and cannot name any other file. A store holds names and last words of agents, which may be
hostile: here they are cut, and invisible characters are written out; the page shows them as text.
"""

import hashlib
import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outplay.arena.report_text import plain
from outplay.arena.standings import Standing, Tournament, counted, result_of, tournament_of
from outplay.arena.store import Store, StoredGame
from outplay.compile.fingerprint import rules_fingerprint
from outplay.errors import OutplayError, StoreError, TooLarge
from outplay.games import catalogue
from outplay.web import answers, limits, messages
from outplay.web.game_registry import GameRegistry

OFTEN = 1.0  # seconds between two readings of a store, at least
SHARE = 5.0  # a reading that takes one second is not repeated for so many seconds


@dataclass
class _Known:
    """What was last read from a store: the games, and the answer about them."""

    path: Path
    lock: threading.Lock = field(default_factory=threading.Lock)
    result: Tournament | None = None
    games: list[StoredGame] = field(default_factory=list)
    event: answers.Standings | None = None
    again: float = 0.0  # when to look next, by the monotonic clock


class Tournaments:
    """The stores of one server."""

    def __init__(self, paths: Iterable[str | Path] = ()) -> None:
        self._registry, self._own = GameRegistry(), dict[str, Path]()
        self._known: dict[str, _Known] = {}
        for path in map(Path, paths):
            with Store(path, readonly=True):  # a store that cannot be read is an error at the start, not when a page asks
                label = plain(path.name, limits.NAME)
                self._known[label if label not in self._known else plain(path, limits.TEXT)] = _Known(path.absolute())

    def know(self, registry: GameRegistry, own: Mapping[str, Path]) -> None:
        """Set the games that the page has. *own*: the files of users' games, by their labels."""
        self._registry, self._own = registry, dict(own)

    @property
    def labels(self) -> list[str]:
        """What the page calls the stores."""
        return list(self._known)

    def standings(self, asked: messages.Standings) -> answers.Standings | answers.Unchanged:
        """Return the standings of a tournament; `Unchanged` if the page has them already."""
        event = self._refreshed(asked.store).event
        assert event is not None  # `_refreshed` has read the store, or said why not
        return answers.Unchanged() if event.version == asked.version else copy(event)

    def pairing(self, asked: messages.Pairing) -> answers.Pairing:
        """Return the games of two agents; in a solitaire, a page names the same agent twice."""
        known = self._refreshed(asked.store)
        players = {asked.one, asked.other}
        games = [game for game in known.games if {game.key.first, game.key.second} == players]
        lines = [] if known.result is None else counted(games, known.result.identities)
        shown = lines[asked.offset : asked.offset + limits.LISTED_GAMES]
        return answers.Pairing(
            total=len(lines),
            games=[
                answers.PlayedGame(
                    id=line.game.id,
                    first=line.game.key.first,
                    second=line.game.key.second,
                    pair=line.game.key.pair,
                    result=line.result,
                    score=line.game.score,
                    verdict=str(line.game.verdict),
                    blamed=line.game.blamed,
                    detail=plain(line.game.detail, limits.DETAIL, lines=True),
                    moves=sum(effort.moves for effort in line.game.efforts),
                    seconds=[effort.seconds for effort in line.game.efforts],
                )
                for line in shown
            ],
        )

    def record(self, asked: messages.Record) -> answers.Record:
        """Return a game as the other rooms take it: its game, its start, and its choices."""
        known = self._refreshed(asked.store)
        with _reading(asked.store), Store(known.path, readonly=True) as store:
            stored, record = store.find(asked.played)
            named = store.about("game")
        game, note = self._on_page(named, asked.store)
        choices = [int(choice) for choice in record.choices]
        if len(choices) > limits.CHOICES:
            note = f"The game has {len(choices):,} choices; the page shows the first {limits.CHOICES:,}."
            choices = choices[: limits.CHOICES]
        start = record.start
        if game and game not in self._own:
            rules = self._registry.game(game)
            if rules_fingerprint(rules).digest != stored.key.rules:
                note = f"The rules of {game} are not those that the game was played by; it may look different."
            if start == str(rules.write_state(rules.start)):
                start = ""
        assert known.event is not None
        names = {row.key: row.agent for row in known.event.rows}
        keys = [plain(key, limits.NAME) for key in dict.fromkeys((stored.key.first, stored.key.second))]
        return answers.Record(
            game=game,
            start=start,
            choices=choices,
            note=note,
            keys=keys,
            agents=[names.get(key, key) for key in keys],
            result=result_of(stored),
            score=stored.score,
        )

    def _on_page(self, named: Any, label: str) -> tuple[str, str]:
        """Return what this page calls the game of a store, or "" and what to do."""
        text = named if isinstance(named, str) else ""
        file = Path(catalogue.parted(text)[0])
        for own, path in self._own.items():
            if own == text or path == file.absolute():
                return own, ""
        try:
            self._registry.game(text)
        except OutplayError:
            return "", (
                f"This page does not have the game {plain(text, limits.NAME)}. Start the server with its file: "
                f"outplay web {plain(file.name, limits.NAME)} --tournament {label}"
            )
        return text, ""

    def _title(self, store: Store, named: str, label: str) -> str:
        """Return what people call the game of a store; a user's file has told the store."""
        game, _ = self._on_page(named, label)
        own = not game or game in self._own
        return plain(store.about("title") or named if own else self._registry.title(game), limits.NAME)

    # Reading

    def _store(self, label: str) -> _Known:
        if label not in self._known:
            listed = ", ".join(self._known) or "none"
            raise StoreError(
                f"this page has no tournament {plain(label, limits.NAME)!r}; it has {listed}. "
                "A store is given where the server is started: outplay web --tournament STORE"
            )
        return self._known[label]

    def _refreshed(self, label: str) -> _Known:
        """Return the contents of a store. Only one request at a time reads it, and at most once in `OFTEN` seconds."""
        known = self._store(label)
        if known.event is not None and (time.monotonic() < known.again or known.lock.locked()):
            return known
        with known.lock:
            if known.event is None or time.monotonic() >= known.again:
                began = time.monotonic()
                self._read(label, known)
                took = time.monotonic() - began
                known.again = time.monotonic() + max(OFTEN, SHARE * took)
        return known

    def _read(self, label: str, known: _Known) -> None:
        with _reading(label), Store(known.path, readonly=True) as store:
            number = store.changes()
            if number > limits.STORED_GAMES:
                raise TooLarge(
                    f"{label} has {number:,} games, and the page shows {limits.STORED_GAMES:,} at most; outplay tournament writes a report"
                )
            said = json.dumps([number, *(store.about(name) for name in ("total", "agents", "notes"))])
            version = hashlib.sha256(said.encode()).hexdigest()[:16]
            if known.event is not None and version == known.event.version:
                return
            result = tournament_of(store)
            known.result, known.games = result, store.scheduled_games()
            known.event = _event(result, version, self._title(store, result.game, label))


@contextmanager
def _reading(label: str) -> Iterator[None]:
    """Turn any error of reading into a StoreError: a store may hold anything."""
    try:
        yield
    except OutplayError:
        raise
    except Exception as error:
        raise StoreError(f"{label} cannot be read: {type(error).__name__}: {plain(error, limits.NAME)}") from None


def _event(result: Tournament, version: str, title: str) -> answers.Standings:
    """Return what the page shows of a tournament."""
    shown = len(result.standings) if len(result.standings) <= limits.MATRIX_AGENTS else 0  # a larger matrix cannot be read
    return answers.Standings(
        version=version,
        game=title,
        solitaire=result.solitaire,
        played=result.played,
        total=result.total,
        notes=[plain(note, limits.DETAIL) for note in result.notes[: limits.NOTES]]
        + ([] if result.sprt is None else [result.sprt_words()]),
        rows=[_row(one, key) for one, key in zip(result.standings[: limits.AGENTS], result.identities, strict=False)],
        cross=[
            [[cell.wins, cell.draws, cell.losses, cell.faults, cell.gifts] for cell in row[:shown]]
            for row in result.cross[:shown]
        ],
        superiority=[[round(likely, 4) for likely in row[:shown]] for row in result.superiority[:shown]],
    )


def _row(one: Standing, key: str) -> answers.StandingRow:
    return answers.StandingRow(
        key=plain(key, limits.NAME),
        agent=plain(one.agent, limits.NAME),
        rank=one.rank,
        games=one.games,
        wins=one.wins,
        draws=one.draws,
        losses=one.losses,
        rate=one.rate,
        elo=one.elo,
        elo_low=one.elo_low,
        elo_high=one.elo_high,
        mean=one.mean,
        mean_low=one.mean_low,
        mean_high=one.mean_high,
        best=one.best,
        worst=one.worst,
        faults={plain(verdict, limits.NAME): number for verdict, number in one.faults.items()},
        refused=plain(one.refused, limits.DETAIL, lines=True),
        pace=one.seconds / one.moves if one.moves else None,
    )
