"""`outplay standings`, `replay`, `export` and `import`: what is in the store of a tournament."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from outplay.arena.notation import HEAD, read_refused, read_text, to_csv, to_json, write_text
from outplay.arena.record import GameRecord, replay
from outplay.arena.standings import tournament_of
from outplay.arena.store import GameKey, Store, StoredGame, replay_problems
from outplay.atomic_write import write_text as write_file
from outplay.cli.guard import guard
from outplay.cli.position import unreadable
from outplay.cli.printing import say
from outplay.cli.tournament import print_standings
from outplay.compile.fingerprint import rules_fingerprint
from outplay.errors import OptionError, OutplayError, StoreError
from outplay.rules.game import CHANCE, Game

FORMATS = ("text", "json", "csv")
SHORT = 8  # letters of a game's name that tell it from others
ENDINGS = {"": "text", ".txt": "text", ".json": "json", ".csv": "csv"}


def standings(console: Console, file: Path, *, as_json: bool) -> None:
    """Print where the tournament in *file* stands."""
    with Store(file, readonly=True) as store:
        found = tournament_of(store)
    print_standings(console, found, as_json=as_json)


def show_replay(console: Console, file: Path, name: str, *, game_text: str, as_json: bool) -> None:
    """Print a game step by step: of a store, or of a text that `outplay export` wrote. Without a *name*, list the games of a store."""
    if not name and not _is_text(file):
        _list_games(console, file, as_json=as_json)
        return
    text, names, stored, record = _found(file, name)
    game = guard.load(game_text or text)
    states = list(replay(game, record))
    players = [names.get(stored.key.first, "player 0"), names.get(stored.key.second, "player 1")]
    if as_json:
        shown = to_json(text, stored, record, names) | {"states": [str(game.write_state(state)) for state in states]}
        print(json.dumps(shown, indent=2))
        return
    say(console, f"{text}, game {stored.id}: {players[0]} against {players[1]}")
    for line in _told(game, record, states, players):
        say(console, line)


def _list_games(console: Console, file: Path, *, as_json: bool) -> None:
    """Print the games of a store: the beginning of each name, the players, and the result."""
    with Store(file, readonly=True) as store:
        names, games = _names(store), store.scheduled_games() or store.games()
    if not games:
        raise OptionError(f"{file} has no games yet")
    listed: list[dict[str, Any]] = [
        {"id": one.id, "players": [names.get(key, key) for key in (one.key.first, one.key.second) if key], "verdict": str(one.verdict),
         "score": one.score}
        for one in games
    ]  # fmt: skip
    if as_json:
        print(json.dumps(listed, indent=2))
        return
    told = [" against ".join(one["players"]) for one in listed]
    width = max(map(len, told))
    for players, one in zip(told, listed, strict=True):
        score = "no score" if one["score"] is None else f"score {one['score']:g}"
        say(console, f"{one['id'][:SHORT]}  {players:{width}}  {one['verdict']}, {score}")
    say(console, f"outplay replay {file} {listed[0]['id'][:SHORT]} shows the first.")


def _told(game: Game, record: GameRecord, states: list[Any], players: list[str]) -> Iterator[str]:
    """Yield a game in words: each move, and the position after it."""
    yield str(game.show(states[0]))
    for ply, (state, after, choice) in enumerate(zip(states, states[1:], record.choices, strict=False)):
        step = record.steps[ply - len(record.opening)] if ply >= len(record.opening) else None
        who = "opening" if step is None else "chance" if step.seat == CHANCE else players[step.seat]
        effort = "" if step is None or step.seat == CHANCE else f", {step.seconds:.3f} s"
        if step is not None and step.nodes:
            effort += f", {step.nodes:,} nodes"
        if step is not None and step.value is not None:
            effort += f", value {step.value:g}"
        yield f"\n{ply + 1}. {who}: {game.name_move(state, choice)}{effort}"
        yield str(game.show(after))
    blamed = "" if record.blamed is None else f" by {players[record.blamed]}"
    score = "no score" if record.score is None else f"score {record.score:g}"
    yield f"\n{record.verdict}{blamed}, {score}" + (f": {record.detail}" if record.detail else "")


def _found(file: Path, name: str) -> tuple[str, dict[str, str], StoredGame, GameRecord]:
    """Return the game called *name*, of which the beginning is enough, in a store or in a text; a text with one game needs no name."""
    if not _is_text(file):
        with Store(file, readonly=True) as store:
            stored, record = store.find(name)
            return str(store.about("game")), _names(store), stored, record
    with Store() as store:
        text, names = "", dict[str, str]()
        for text, players, game in read_text(_read(file), str(file)):  # noqa: B007
            names |= players
            store.add(*game)
        ids = sorted(store.ids())
        if not ids:
            raise OptionError(f"{file} has no games")
        if not name and len(ids) > 1:
            raise OptionError(f"{file} has {len(ids)} games; name one, such as {ids[0]}")
        stored, record = store.find(name or ids[0])
        return text, names, stored, record


def _is_text(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(HEAD)) == HEAD.encode()
    except OSError as error:
        raise OptionError(f"{file} cannot be read: {error.strerror or error}") from None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{file} cannot be read: {unreadable(error)}; name a text by outplay export") from None


def _names(store: Store) -> dict[str, str]:
    return {one["identity"]: one["name"] for one in store.about("agents") or []}


def export(console: Console, file: Path, *, form: str | None, to: Path | None, everything: bool) -> None:
    """Write the games of a store as text, JSON or a table."""
    if form is None:
        ending = to.suffix.lower() if to is not None else ""
        if ending not in ENDINGS:
            raise OptionError(f"{to} ends in {ending}; write .txt, .json or .csv, or say --format {', '.join(FORMATS)}")
        form = ENDINGS[ending]
    if form not in FORMATS:
        raise OptionError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
    with Store(file, readonly=True) as store:
        text = store.about("game")
        if text is None:
            raise StoreError(f"{file} says nothing about its tournament; name a file that outplay tournament has written")
        scheduled = {game.id for game in store.scheduled_games()}
        games = ((game, record) for game, record in store.records() if everything or game.id in scheduled)
        refused = {one["name"]: one["refused"] for one in store.about("agents") or [] if one.get("refused")}
        pieces = _pieces(form, str(text), games, _names(store), refused)
        if to is None:
            sys.stdout.writelines(pieces)
            return
        write_file(to, "".join(pieces))
    say(console, f"{to} holds the games.")


def _pieces(
    form: str, text: str, games: Iterable[tuple[StoredGame, GameRecord]], names: dict[str, str], refused: dict[str, str]
) -> Iterable[str]:
    if form == "csv":
        return to_csv(games, names)
    if form == "json":
        return [json.dumps([to_json(text, game, record, names) for game, record in games], indent=1), "\n"]
    return write_text(text, games, names, guard.load(text), refused)


def import_games(console: Console, file: Path, into: Path) -> None:
    """Add the games of a text to a store; all of them must follow from the rules."""
    written = _read(file)
    found = list(read_text(written, str(file)))
    if not found:
        raise OptionError(f"{file} has no games")
    texts = sorted({text for text, _, _ in found})
    if len(texts) > 1:
        raise OptionError(f"{file} has games of {', '.join(texts)}; a store keeps the games of one, so import them one by one")
    unchecked = _checked(file, written, texts[0], [game for _, _, game in found])
    with Store(into) as store:
        own = store.about("game")
        if own is not None and own != texts[0] and store.rules() != {key.rules for _, _, (key, _) in found}:
            raise StoreError(f"{into} is a tournament of {own}, and {file} has games of {texts[0]}; name another store")
        new = store.add_all([game for _, _, game in found])
        first = store.about("agents") is None
        if first:
            names: dict[str, str] = {}
            for _, players, _ in found:
                names |= players
            agents = [{"name": name, "identity": identity, "text": name, "refused": ""} for identity, name in names.items()]
            agents += [
                {"name": name, "identity": f"refused {name}", "text": name, "refused": why}
                for name, why in read_refused(written).items()
            ]
            solitaire = all(key.first == key.second for _, _, (key, _) in found)
            ids = [key.id for _, _, (key, _) in found]
            store.schedule(ids, game=found[0][0], agents=agents, total=len(set(ids)), solitaire=solitaire)
    say(console, f"{new:,} of {len(found):,} games are new in {into}.")
    if new and not first:
        say(console, f"The table of {into} counts only those that belong to its own tournament.")
    if unchecked:
        say(console, f"They were not checked by the rules: {unchecked}")


def _checked(file: Path, written: str, text: str, games: list[tuple[GameKey, GameRecord]]) -> str:
    """Refuse games that do not follow from the rules; return why they could not be checked, or ""."""
    try:
        game = guard.load(text)
    except OutplayError as error:
        return str(error)
    if {key.rules for key, _ in games} != {rules_fingerprint(game).digest}:
        return f"the games were played by other rules of {text} than those here"
    for number, (key, record) in enumerate(games, 1):
        if problems := replay_problems(game, record):
            before = written.partition(json.dumps(key.id))
            where = f"line {before[0].count(chr(10)) + 1}" if before[1] else f"its game {number}"
            raise OptionError(f"{file}, {where}: the game {key.id} does not follow from the rules of {text}: {problems[0]}")
    return ""
