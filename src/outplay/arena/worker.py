"""A worker of a tournament: a process that plays games for `worker_pool.py`. `main` reads the argument WATCH.

The worker reads JSON lines from stdin, first its settings and then games, and writes the records to stdout. The file WATCH is
shared memory: the worker writes there what it is doing, so that the pool can tell a slow worker from one that hangs.
"""

import ctypes
import json
import mmap
import os
import signal
import struct
import sys
import threading
import time
from pathlib import Path
from typing import Any, TextIO

from outplay.arena.fixture_player import FixturePlayer
from outplay.arena.isolation.confinement import Resources
from outplay.arena.isolation.tiers import Isolation
from outplay.arena.player import Player, open_player
from outplay.arena.record import GameRecord, Verdict
from outplay.arena.schedule import Fixture
from outplay.arena.time_control import TimeControl
from outplay.errors import OutplayError
from outplay.games.catalogue import load

DOING = struct.Struct("<qqd")  # the number of the game, the seat that is asked or -1, and when it must have answered
GRACE = 60.0  # seconds beyond the limit after which a worker counts as hung; a working referee gives its verdict long before
RULES = 120.0  # seconds that the rules may take for one step
UNLIMITED = 3600.0  # seconds that a move may take where no time control limits it
DEATH_SIGNAL = 1  # of prctl: the signal that a process gets when its parent dies


class Watch:
    """Says what this worker is doing."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), DOING.size)
        self.number = -1

    def begin(self, number: int) -> None:
        """Say that a game begins."""
        self.number = number
        self.asked(-1, None)

    def asked(self, seat: int, limit: float | None) -> None:
        """Say that a seat is asked, or the rules are at work."""
        allowed = RULES if seat < 0 else (UNLIMITED if limit is None else limit) + GRACE
        DOING.pack_into(self._memory, 0, self.number, seat, time.monotonic() + allowed)

    def idle(self) -> None:
        """Say that nothing is being played."""
        DOING.pack_into(self._memory, 0, -1, -1, 0.0)


def main() -> None:
    """Play what stdin asks for until it ends."""
    orders, answers = os.fdopen(os.dup(0), "r", encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # what an agent prints must not be taken for an answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks; it ends this one
    _die_with(os.getppid())
    watch = Watch(Path(sys.argv[1]))
    played = _player(json.loads(orders.readline()))
    _say(answers, {"ready": True})
    for line in orders:
        for number, fixture in json.loads(line):
            watch.begin(number)
            record = _record(played, _fixture(fixture), watch)
            _say(answers, {"number": number, "record": record.to_dict()})
        watch.idle()
        _say(answers, {"done": True})
    played.close()


def _record(played: FixturePlayer, fixture: Fixture, watch: Watch) -> GameRecord:
    """Play a game and return its record, even if the rules fail before its first move."""
    try:
        return played.play(fixture, watch.asked)
    except OutplayError as error:
        return GameRecord(Verdict.RULE, None, None, fixture.start, fixture.opening, (), str(error))


def _player(setup: dict[str, Any]) -> FixturePlayer:
    """Return what plays the games of a tournament."""
    game = load(setup["game"])
    said = setup["isolation"]
    isolation = None if said is None else Isolation(said["tier"], tuple(said["readable"]), Resources(**said["resources"]))

    def opens(number: int) -> Player:
        text = setup["agents"][number]
        return open_player(text, game, seconds=setup["seconds"], isolation=isolation, game_text=setup["game"])

    return FixturePlayer(game, opens, TimeControl(**setup["control"]))


def _fixture(values: list[Any]) -> Fixture:
    first, second, pair, start, opening, luck = values
    return Fixture(first, second, pair, start, tuple(opening), luck)


def _say(answers: TextIO, what: dict[str, Any]) -> None:
    answers.write(json.dumps(what, separators=(",", ":")) + "\n")
    answers.flush()


def _die_with(parent: int) -> None:
    """End this process when its parent ends, even in the middle of a computation."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, name="outplay-parent", daemon=True).start()
