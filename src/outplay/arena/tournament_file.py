"""A tournament described by a TOML file. Errors name the line and the key."""

import difflib
import glob
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from outplay.arena.schedule import SCHEDULES
from outplay.arena.time_control import KINDS, PRESETS, TimeControl, time_control
from outplay.errors import AgentError, OptionError, OutplayError

WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}
KEYS: dict[str, type] = {
    "game": str, "agents": list, "schedule": str, "games": int, "rounds": int, "challengers": int, "seed": int, "jobs": int,
    "store": str, "seconds": float, "opening": int, "openings": list, "sprt": str, "trusted": bool, "untrusted": bool, "tier": str,
    "report": str,
}  # fmt: skip
AGENT_KEYS: dict[str, type] = {"name": str, "agent": str}
TIME_KEYS: dict[str, type] = {
    "preset": str,
    **{name: bool if name == "keep_alive" else int if name == "nodes" else float for name in KINDS},
}


class TournamentFile:
    """What a TOML file says about a tournament. `options` are those of `tournament`, and `report`, a file to write."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self.text = self.path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise OptionError(f"{self.path} is not a text in UTF-8 ({error.reason} at byte {error.start})") from None
        except OSError as error:
            raise OptionError(f"{self.path} cannot be read: {error.strerror or error}") from None
        try:
            said = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise OptionError(f"{self.path} is not TOML: {error}") from None
        self._typed: dict[str, str] = {}  # agents as this file writes them, by what became of them
        self.options = self._options(said)

    def wrong_game(self, error: OutplayError) -> OptionError:
        """Return *error*, which the game of this file raised, with its line and key."""
        return self._wrong("", "game", f"is wrong: {error}")

    def wrong_agent(self, error: AgentError) -> OptionError:
        """Return *error*, which an agent of this file raised, with its line and key."""
        typed = self._typed.get(error.agent, error.agent)
        lines = [number for number, line in enumerate(self.text.splitlines(), 1) if f'"{typed}"' in line or f"'{typed}'" in line]
        return OptionError(
            f"{self.path}, line {lines[0] if lines else self._line('', 'agents')}: the key agents is wrong: {error}"
        )

    def _options(self, said: dict[str, Any]) -> dict[str, Any]:
        times = said.pop("time", {})
        if not isinstance(times, dict):
            raise self._wrong("", "time", "is a table; write [time], and its keys beneath it")
        for key, value in said.items():
            self._check("", key, value, {**KEYS, "time": dict})
        for key, value in times.items():
            self._check("time", key, value, TIME_KEYS)
        for key in ("game", "agents"):
            if key not in said:
                raise OptionError(f"{self.path} has no {key}; write a line such as {_example(key)}")
        if said.get("schedule", SCHEDULES[0]) not in SCHEDULES:
            raise self._wrong("", "schedule", f"is {said['schedule']!r}; there are {', '.join(SCHEDULES)}")
        for place, opening in enumerate(said.get("openings", []), 1):
            if not isinstance(opening, str):
                raise self._wrong("", "openings", f"has {opening!r:.40} as its item {place}; each is a state as a text")
        options = {key: value for key, value in said.items() if key != "agents"}
        options["game"] = self._beside(said["game"])
        for key in ("store", "report"):
            if key in options:
                options[key] = self.path.parent / options[key]
        options["agents"], options["names"] = self._agents(said["agents"])
        if times:
            options["control"] = self._control(times)
        return options

    def _control(self, times: dict[str, Any]) -> TimeControl:
        preset = times.pop("preset", None)
        if preset is not None and preset not in PRESETS:
            raise self._wrong("time", "preset", f"is {preset!r}; there are {', '.join(PRESETS)}")
        try:
            return time_control(times, preset=preset)
        except OutplayError as error:
            raise OptionError(f"{self.path}, line {self._line('time', '')}, [time]: {error}") from None

    def _agents(self, said: list[Any]) -> tuple[list[str], list[str | None]]:
        """Return the agents and their names; a pattern such as agents/*.py stands for all files that it fits."""
        agents: list[str] = []
        names: list[str | None] = []
        for place, one in enumerate(said, 1):
            if isinstance(one, dict):
                for key, value in one.items():
                    self._check("agents", key, value, AGENT_KEYS)
                if "agent" not in one:
                    raise self._wrong(
                        "", "agents", f'has an item {place} without agent; write {{ name = "mine", agent = "mine.py" }}'
                    )
                agents.append(self._beside(one["agent"]))
                self._typed[agents[-1]] = one["agent"]
                names.append(one.get("name"))
            elif not isinstance(one, str):
                raise self._wrong(
                    "", "agents", f"has {one!r:.40} as its item {place}; each is a text, or a table with agent and name"
                )
            else:
                found = matched(one, self.path.parent)
                if not found:
                    raise self._wrong("", "agents", f"has the pattern {one!r}, which fits no file")
                agents += [self._beside(text) for text in found]
                self._typed |= {self._beside(text): one for text in found}
                names += [None] * len(found)
        return agents, names

    def _beside(self, text: str) -> str:
        """Return *text* with the files that it names taken from the folder of this file."""
        words = re.split(r"([,=:\s])", text)
        folder = self.path.parent
        if folder == Path():
            return text
        files = [word.endswith((".py", "/")) or (word and (folder / word).is_file()) for word in words]
        return "".join(str(folder / word) if is_file else word for word, is_file in zip(words, files, strict=True))

    def _check(self, table: str, key: str, value: Any, known: Mapping[str, type]) -> None:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise self._wrong(table, key, f"is not known here; {hint}")
        wanted = known[key]
        right = isinstance(value, (int, float) if wanted is float else wanted) and (wanted is bool or not isinstance(value, bool))
        if not right:
            raise self._wrong(table, key, f"must be {WORDS[wanted]}, and is {value!r:.60}")

    def _wrong(self, table: str, key: str, what: str) -> OptionError:
        name = f"{table}.{key}" if table else key
        return OptionError(f"{self.path}, line {self._line(table, key)}: the key {name} {what}")

    def _line(self, table: str, key: str) -> int:
        """Return the line of a key, or of a table if there is no key; the first line if it cannot be told."""
        inside, seen = "", None
        for number, line in enumerate(self.text.splitlines(), 1):
            if head := re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line):
                inside = head[1].strip("\"'")
                if inside == table and not key:
                    return number
            written = rf"(?:^|[{{,.\s]){re.escape(key)}[\"']?\s*=" if table else rf"^\s*[\"']?{re.escape(key)}[\"']?\s*[=.]"
            if key and re.search(written, line):
                if inside == table:
                    return number
                seen = seen or number
            if key and not table and inside == key:
                return number
        return seen or 1


def _example(key: str) -> str:
    return {"game": 'game = "tic-tac-toe"', "agents": 'agents = ["agents/*.py", "random"]'}[key]


def matched(text: str, folder: Path = Path()) -> list[str]:
    """Return the files that *text* fits, if it is a pattern such as agents/*.py; else *text* itself."""
    if not any(sign in text for sign in "*?[") or ":" in text.replace(":\\", ""):
        return [text]
    return sorted(glob.glob(text, root_dir=folder))
