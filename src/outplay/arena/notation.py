"""Games as text, as JSON and as a table: what `outplay export` writes, and `outplay import` and `outplay replay` read back.

The text notation is for people and for files that are kept: a block for each game, first what the game is and how it ended, in
brackets, then a line for each move and outcome of chance. The number of the move, in parentheses, is what is read back.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from outplay.arena.record import GameRecord, Step, Verdict, replay
from outplay.arena.store import GameKey, StoredGame
from outplay.errors import OptionError, OutplayError
from outplay.rules.game import CHANCE, Game

HEAD = "# Games by outplay, notation 1"
TAGS = ("Game", "First", "Second", "Id", "Rules", "FirstPlayer", "SecondPlayer", "Pair", "Luck", "Time", "Start", "Opening", "Verdict",
        "Blamed", "Score", "Detail")  # fmt: skip
REFUSED = "DidNotStart"  # a block of its own: agents that have no game, each with the reason
NEEDED = [tag for tag in TAGS if tag not in ("First", "Second", "Id")]
TAG = re.compile(r"^\[(\w+) (.*)\]$")
LINE = re.compile(r"^\d+\. (\S+) .*\((-?\d+)\)(?: (\S+) s)?(?: (\d+) nodes)?(?: value (\S+))?$")
LONGEST = 50_000_000  # characters of a file that is read
Kept = tuple[GameKey, GameRecord]


def text_of(game_text: str, stored: StoredGame, record: GameRecord, names: Mapping[str, str], game: Game | None = None) -> str:
    """Return one game in the text notation; *names* are those of the players, by identity. With the *game*, moves have names."""
    key = stored.key
    values = (
        game_text, names.get(key.first, key.first), names.get(key.second, key.second), stored.id, key.rules, key.first, key.second,
        key.pair, key.luck, key.control, key.start, list(key.opening), str(record.verdict), record.blamed, record.score, record.detail,
    )  # fmt: skip
    lines = [f"[{tag} {json.dumps(value)}]" for tag, value in zip(TAGS, values, strict=True)]
    for number, (step, name) in enumerate(zip(record.steps, _names(game, record), strict=True), 1):
        who = "chance" if step.seat == CHANCE else f"player{step.seat}"
        effort = f" {step.seconds!r} s" if step.seat != CHANCE else ""
        effort += f" {step.nodes} nodes" if step.nodes else ""
        effort += "" if step.value is None else f" value {step.value!r}"
        lines.append(f"{number}. {who} {name} ({step.choice}){effort}")
    return "\n".join(lines) + "\n"


def _names(game: Game | None, record: GameRecord) -> list[str]:
    """Return a name for each step; its number if the game is not at hand, or the record does not fit it."""
    plain = [str(step.choice) for step in record.steps]
    if game is None:
        return plain
    try:
        states = list(replay(game, record))[len(record.opening) :]
        named = [str(game.name_move(state, step.choice)) for state, step in zip(states, record.steps, strict=False)]
    except (OutplayError, ValueError):
        return plain
    return [" ".join(name.split()) or number for name, number in zip(named, plain, strict=True)]


def write_text(
    game_text: str,
    games: Iterable[tuple[StoredGame, GameRecord]],
    names: Mapping[str, str],
    game: Game | None = None,
    refused: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Yield games in the text notation, piece by piece. *refused*: why some agents did not start, by name."""
    yield HEAD + "\n"
    if refused:
        yield f"\n[{REFUSED} {json.dumps(dict(refused))}]\n"
    for stored, record in games:
        yield "\n" + text_of(game_text, stored, record, names, game)


def read_text(text: str, source: str = "the text") -> Iterator[tuple[str, dict[str, str], Kept]]:
    """Yield the games of a text in this notation: the game's name, the names of the players by identity, and the game itself."""
    if len(text) > LONGEST:
        raise OptionError(f"{source} has more than {LONGEST:,} characters; import it in parts")
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEAD:
        raise OptionError(
            f"{source} is not in the notation of outplay export: its first line must be {HEAD!r}; of its formats, only the text can be read back"
        )
    tags: dict[str, Any] = {}
    steps: list[Step] = []
    began = 0
    for number, line in enumerate([*lines[1:], ""], 2):
        line = line.strip()
        if not line:
            if tags and list(tags) != [REFUSED]:
                yield _read_game(tags, steps, f"{source}, line {began}")
            tags, steps = {}, []
        elif found := TAG.match(line):
            began = began if tags else number
            try:
                tags[found[1]] = json.loads(found[2])
            except ValueError:
                raise OptionError(f"{source}, line {number}: {line!r:.60} does not have a JSON value after {found[1]}") from None
        elif found := LINE.match(line):
            steps.append(_read_step(found, f"{source}, line {number}"))
        else:
            raise OptionError(
                f"{source}, line {number}: {line!r:.60} is neither [Tag value] nor a move such as 1. player0 b2 (4) 0.01 s"
            )


def read_refused(text: str) -> dict[str, str]:
    """Return the agents of a text that did not start, each with the reason."""
    for line in text.splitlines():
        if (found := TAG.match(line.strip())) and found[1] == REFUSED:
            said = json.loads(found[2])
            return {str(name): str(why) for name, why in said.items()} if isinstance(said, dict) else {}
    return {}


def _read_step(found: re.Match[str], where: str) -> Step:
    who, choice, seconds, nodes, value = found.groups()
    seats = {"chance": CHANCE, "player0": 0, "player1": 1}
    if who not in seats:
        raise OptionError(f"{where}: {who!r} is not chance, player0 or player1")
    try:
        return Step(seats[who], int(choice), float(seconds or 0), int(nodes or 0), None if value is None else float(value))
    except ValueError as error:
        raise OptionError(f"{where}: {error}") from None


def _read_game(tags: dict[str, Any], steps: list[Step], where: str) -> tuple[str, dict[str, str], Kept]:
    if missing := [tag for tag in NEEDED if tag not in tags]:
        raise OptionError(f"the game at {where} has no {', '.join(missing)}; a game has {', '.join(NEEDED)}")
    try:
        opening = tuple(int(choice) for choice in tags["Opening"])
        key = GameKey(
            str(tags["Rules"]), str(tags["FirstPlayer"]), str(tags["SecondPlayer"]), int(tags["Pair"]), str(tags["Luck"]),
            str(tags["Time"]), str(tags["Start"]), opening,
        )  # fmt: skip
        blamed, score = tags["Blamed"], tags["Score"]
        record = GameRecord(
            Verdict(tags["Verdict"]), None if blamed is None else int(blamed), None if score is None else float(score), key.start,
            opening, tuple(steps), str(tags["Detail"]),
        )  # fmt: skip
    except (TypeError, ValueError) as error:
        raise OptionError(f"the game at {where} cannot be read: {error}") from None
    if "Id" in tags and tags["Id"] != key.id:
        raise OptionError(
            f"the game at {where} does not have the name that follows from what it is ({key.id}); it was changed by hand"
        )
    players = {key.first: str(tags.get("First", key.first)), key.second: str(tags.get("Second", key.second))}
    return str(tags["Game"]), players, (key, record)


def to_json(game_text: str, stored: StoredGame, record: GameRecord, names: Mapping[str, str]) -> dict[str, Any]:
    """Return one game as plain data."""
    key = asdict(stored.key) | {"opening": list(stored.key.opening)}
    players = {"first_name": names.get(stored.key.first, ""), "second_name": names.get(stored.key.second, "")}
    return {"id": stored.id, "game": game_text, **players, "key": key, "record": record.to_dict()}


COLUMNS = ("id", "pair", "first", "second", "verdict", "blamed", "score", "moves", "first_seconds", "second_seconds", "start", "opening",
           "choices", "detail")  # fmt: skip


def to_csv(games: Iterable[tuple[StoredGame, GameRecord]], names: Mapping[str, str]) -> Iterator[str]:
    """Yield games as the lines of a table, the names of its columns first."""
    yield _csv_line(COLUMNS)
    for stored, record in games:
        key, efforts = stored.key, stored.efforts
        yield _csv_line(
            (
                stored.id, key.pair, _safe(names.get(key.first, key.first)), _safe(names.get(key.second, key.second)), str(record.verdict),
                "" if record.blamed is None else record.blamed, "" if record.score is None else record.score, record.moves,
                f"{efforts[0].seconds:.6f}", f"{efforts[1].seconds:.6f}", _safe(key.start), " ".join(map(str, key.opening)),
                " ".join(str(step.choice) for step in record.steps), _safe(record.detail),
            )
        )  # fmt: skip


def _safe(text: str) -> str:
    """Return *text* so that no spreadsheet takes it for a formula: the words of an agent are not ours."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _csv_line(values: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()
