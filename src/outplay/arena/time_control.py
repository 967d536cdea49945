"""How much time an agent has: for a move, for a game, in a bank; and what is left of it."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from outplay.agents.agent import Clock
from outplay.errors import LimitError, OptionError

SHARE = 30  # a game's clock is told to an agent as so many equal moves, and the increment


@dataclass(frozen=True)
class TimeControl:
    """The time that each agent has. What is None is not limited.

    `move_seconds`: for each move. `game_seconds`: for all its moves of a game; `increment` seconds are added after each.
    `bank`: seconds a game by which moves together may exceed `move_seconds`. `nodes`: for each move, for agents that count them.
    `start_seconds`: to start and to get ready for a game. `margin`: seconds over the limit that are not yet a timeout, because
    a message takes time, too. `idle_seconds`: how long an agent may wait in a game without computing; what exceeds it is charged
    as computing is, but for up to `margin` in each move.
    `keep_alive`: the process of an agent goes on from game to game; otherwise every game starts a new one. If it is None, processes go
    on in games without chance: the two games of a pair have the same luck, and an agent must not remember it.
    """

    move_seconds: float | None = None
    game_seconds: float | None = None
    increment: float = 0.0
    nodes: int | None = None
    bank: float = 0.0
    start_seconds: float = 30.0
    margin: float = 0.1
    idle_seconds: float = 1.0
    keep_alive: bool | None = None

    def __post_init__(self) -> None:
        for name in ("move_seconds", "game_seconds", "start_seconds", "nodes"):
            value = getattr(self, name)
            if value is not None and not _positive(value):
                raise LimitError(f"{name}={value!r:.40} is not a time control; it must be a number above 0")
        for name in ("increment", "bank", "margin", "idle_seconds"):
            value = getattr(self, name)
            if value != 0 and not _positive(value):
                raise LimitError(f"{name}={value!r:.40} is not a time control; it must be a number, 0 or more")
        if self.nodes is not None and int(self.nodes) != self.nodes:
            raise LimitError(f"nodes={self.nodes!r:.40} is not a time control; it must be a whole number above 0")
        if self.increment and self.game_seconds is None:
            raise LimitError("increment belongs to a clock for the whole game; give game_seconds as well")
        if self.bank and self.move_seconds is None:
            raise LimitError("bank holds what moves may exceed their limit by; give move_seconds as well")
        if self.keep_alive is not None and not isinstance(self.keep_alive, bool):
            raise LimitError(f"keep_alive={self.keep_alive!r:.40} must be true or false")

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return asdict(self)

    def __str__(self) -> str:
        parts = []
        if self.move_seconds is not None:
            parts.append(f"{self.move_seconds:g} s a move")
        if self.bank:
            parts.append(f"a bank of {self.bank:g} s a game")
        if self.game_seconds is not None:
            parts.append(f"{self.game_seconds:g} s a game" + f" and {self.increment:g} s more a move" * bool(self.increment))
        if self.nodes is not None:
            parts.append(f"{self.nodes:,} nodes a move")
        return ", ".join(parts) or "no time limit"


def _positive(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0 and math.isfinite(value)


PRESETS = {
    "contest": TimeControl(move_seconds=1.0, bank=30.0, start_seconds=30.0, keep_alive=False),
    "ladder": TimeControl(move_seconds=0.1, bank=1.0, start_seconds=30.0),
}
KINDS = {field.name: field.type for field in fields(TimeControl)}


def time_control(settings: Mapping[str, Any], *, preset: str | None = None) -> TimeControl:
    """Return the time control that *settings* describe, by the names of its fields; they change a *preset*, if one is named."""
    if preset is not None and preset not in PRESETS:
        raise OptionError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
    if unknown := sorted(set(settings) - set(KINDS)):
        raise OptionError(f"a time control has no {', '.join(unknown)}; it has {', '.join(KINDS)}")
    base = {} if preset is None else asdict(PRESETS[preset])
    return TimeControl(**{**base, **settings})


def read_time_control(text: str) -> TimeControl:
    """Return the time control in *text*: the name of a preset, `move=0.1`, `game=60,increment=1`, or a preset and changes to it."""
    preset: str | None = None
    settings: dict[str, Any] = {}
    short = {"move": "move_seconds", "game": "game_seconds", "start": "start_seconds", "idle": "idle_seconds"}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals and preset is None:
            preset = name
            continue
        name = short.get(name, name)
        if not equals or name not in KINDS:
            known = ", ".join([*PRESETS, *short, *(name for name in KINDS if name not in short.values())])
            raise OptionError(f"{part!r} is not a time control; write one such as move=0.1 or contest,bank=5, of {known}")
        if name == "keep_alive":
            settings[name] = {"true": True, "false": False}.get(value.lower(), value)
            continue
        try:
            settings[name] = int(value) if name == "nodes" else float(value)
        except ValueError:
            raise OptionError(f"{part!r}: {value!r} is not a {'whole ' * (name == 'nodes')}number") from None
    return time_control(settings, preset=preset)


class SeatClock:
    """The time that one seat has left in a game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left = control.game_seconds
        self.bank = control.bank

    @property
    def limit(self) -> float | None:
        """The seconds after which the next move is too late; None if nothing limits it."""
        move = None if self.control.move_seconds is None else self.control.move_seconds + self.bank
        return min((seconds for seconds in (move, self.left) if seconds is not None), default=None)

    def clock(self) -> Clock:
        """Return what the agent is told: the time that it should use for the next move, and all that it may use."""
        fair = None if self.left is None else min(self.left, self.left / SHARE + self.control.increment)
        seconds = min((part for part in (self.control.move_seconds, fair) if part is not None), default=None)
        return Clock(seconds, left=self.limit, nodes=self.control.nodes)

    def charge(self, seconds: float) -> None:
        """Take the *seconds* of a move off the clock."""
        if self.control.move_seconds is not None:
            self.bank = max(0.0, self.bank - max(0.0, seconds - self.control.move_seconds))
        if self.left is not None:
            self.left = max(0.0, self.left - seconds) + self.control.increment
