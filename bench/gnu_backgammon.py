"""Backgammon against GNU Backgammon (Debian's `gnubg`), which looks no move ahead (0-ply) and plays without the cube.

It runs only if it is named and installed. GNU Backgammon answers positions over a local socket, written as FIBS writes boards. The
rules, the dice and the result are ours.
"""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from bench.figure import Figure
from outplay import Agent, Choice, Game, Learned, SearchAgent, learn, load
from outplay.agents.agent import Clock
from outplay.arena.match import match_pairs

GAMES = 400
LEARNING = 600.0  # seconds
PATIENCE = 60.0  # seconds until it listens, or answers
COMMANDS = """set automatic game off
set evaluation chequerplay evaluation plies 0
set evaluation chequerplay evaluation noise 0
set evaluation chequerplay evaluation cubeful off
external {}
"""


class GnuBackgammon(Agent):
    """GNU Backgammon in a process of its own; close it when it is not needed any more."""

    name = "GNU Backgammon, 0-ply"
    deterministic = True

    def __init__(self, program: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        address = str(Path(self._folder.name) / "socket")
        self._process = subprocess.Popen(
            [program, "--tty", "--quiet", "--no-rc"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self._process.stdin is not None
        self._process.stdin.write(COMMANDS.format(address))
        self._process.stdin.flush()
        self._socket = self._connected(address)

    def _connected(self, address: str) -> socket.socket:
        until = time.monotonic() + PATIENCE
        while True:
            found = socket.socket(socket.AF_UNIX)
            found.settimeout(PATIENCE)
            try:
                found.connect(address)
            except (FileNotFoundError, ConnectionRefusedError):
                found.close()
                if time.monotonic() > until or self._process.poll() is not None:
                    raise RuntimeError("GNU Backgammon does not listen for positions") from None
                time.sleep(0.05)
            else:
                return found

    def choose(self, game: Game, state: Any, clock: Clock, dice: Random, **_: Any) -> Choice:
        legal = game.legal(state)
        if len(legal) == 1:
            return Choice(legal[0])
        self._socket.sendall((board_text(game, state) + "\n").encode())
        said = self._socket.recv(4096).decode().strip()
        return Choice(game.read_move(state, said))

    def close(self) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()


def board_text(game: Game, state: Any) -> str:
    """Return *state* as FIBS writes it: the player to move has the positive men, goes from 24 to 1, and enters from 25."""
    sides = [dict(_men(part)) for part in str(game.write_state(state)).split("/")[:2]]
    own, other = sides if state.player == 0 else sides[::-1]
    points = [own.get(point, 0) - other.get(25 - point, 0) for point in range(26)]
    off = [15 - sum(side.values()) for side in (own, other)]
    first, second = divmod(state.roll, 10)
    fields = [
        *("board", "own", "other", 9999, 0, 0),  # a match without end: only points count
        *points,
        *(1, first, second, 0, 0),  # the own turn, the dice of both
        *(1, 1, 1, 0),  # the cube, in the middle
        *(1, -1, 0, 25),  # the own men are positive, and go down from 25 to 0
        *off,
        *(own.get(25, 0), other.get(25, 0)),
        *(2, 0, 0, 0),
    ]
    return ":".join(map(str, fields))


def _men(text: str) -> Iterator[tuple[int, int]]:
    for word in text.split():
        point, _, number = word.partition("x")
        yield 25 if point == "bar" else int(point), int(number or 1)


def figures(games: int = GAMES, learning: float = LEARNING, learned: Learned | None = None) -> Iterator[Figure]:
    """Yield the points a game of our players against GNU Backgammon: by the game's own estimate, and by one learned for ten minutes."""
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        yield Figure("backgammon against GNU Backgammon", note="not installed: apt-get install gnubg")
        return
    game = load("backgammon")
    learned = learned or learn(game, seconds=learning)
    for depth in (1, 2):
        yield _against(game, program, SearchAgent(depth=depth), "its own estimate", games)
        yield _against(game, program, SearchAgent(depth=depth, estimate=learned), f"learned in {learned.seconds:.0f} s", games)


def _against(game: Game, program: str, ours: SearchAgent, estimate: str, games: int) -> Figure:
    peer = GnuBackgammon(program)
    try:
        found = match_pairs(game, ours, peer, games=games, seed=1)
    finally:
        peer.close()
    mean, error = found.margin
    share, _ = found.rate
    note = f"± {error:.3f} (95 %), {games} games, same dice from both seats; {share:.1%} won"
    return Figure(f"backgammon, depth {ours.depth}, {estimate}, against GNU Backgammon's 0-ply", mean, "points a game", note=note)
