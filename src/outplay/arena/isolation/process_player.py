"""`ProcessPlayer`: an agent in a process of its own. Every wait has a limit, and every fault has a verdict."""

import hashlib
import os
import secrets
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

from outplay.agents.function import file_and_function
from outplay.arena.isolation import protocol
from outplay.arena.isolation.agent_process import AgentEnded, AgentLate, AgentProcess, Allowance
from outplay.arena.isolation.protocol import ProtocolError, printable
from outplay.arena.isolation.tiers import Isolation
from outplay.arena.player import Answer, Fault, Player, Turn, identity_of
from outplay.arena.record import Verdict
from outplay.arena.time_control import TimeControl
from outplay.errors import Interrupted, OptionError, UnknownGame
from outplay.games.catalogue import parted
from outplay.rules.game import Game
from outplay.runtime.stopper import Stopper

PROGRAM = "program:"
NO_LIMIT = 3600.0  # seconds for a move if nothing limits it: every wait has an end
REFUSALS = 2  # failed starts after which the agent is not started again
RESTART = 0.5  # the share of its processor time after which an agent gets a new process


def names_a_program(text: str) -> bool:
    """Return whether *text* is written as program:COMMAND, or is the path of a file that can be run."""
    return text.startswith(PROGRAM) or (
        os.sep in text and os.path.isfile(text) and os.access(text, os.X_OK) and not text.endswith(".py")
    )


class ProcessPlayer(Player):
    """An agent in a process of its own, which *order* starts. A fault ends the process; the next game starts another one."""

    def __init__(self, text: str, isolation: Isolation, order: dict[str, Any], *, more: bytes = b"") -> None:
        self.name, self.isolation, self.order = printable(text), isolation, order
        self.identity = identity_of(text, more=more)
        self.process: AgentProcess | None = None
        self.errors = ""  # the last of what the agent wrote to standard error
        self._refusals: list[Fault] = []
        self._turns = 0
        self._idle = 0.0  # seconds that it may still wait in this game without being charged
        self._keep = True
        self._named = order["kind"] == "program"  # a program of another language is told the names of moves

    def begin(self, game: Game, control: TimeControl, *, seat: int, seed: str) -> None:
        if len(self._refusals) >= REFUSALS:
            raise self._refusals[-1]
        self._keep = game.chances is None if control.keep_alive is None else control.keep_alive
        if self.process is not None and (not self._keep or self.process.cpu > RESTART * self.isolation.resources.cpu_seconds):
            self._end_process()
        self._idle = control.idle_seconds
        fresh = self.process is None
        try:
            if self.process is None:
                self.process = AgentProcess(self.order)
                self._ready(self.process, {"type": "hello", "version": protocol.VERSION, "game": game.name}, control)
                self.process.settle()
            limits = {key: value for key, value in control.to_dict().items() if value is not None} | {"keep_alive": self._keep}
            self._ready(
                self.process,
                {"type": "begin", "game": game.name, "seat": seat, "seed": seed, "players": list(game.players), "time": limits},
                control,
            )
        except Fault as fault:
            if fresh:
                self._refusals.append(fault)
            raise
        self._refusals = []

    def _ready(self, process: AgentProcess, message: dict[str, Any], control: TimeControl) -> None:
        """Send *message*, and wait for "ready"."""
        allowed = Allowance(control.start_seconds, control.margin, control.idle_seconds)
        try:
            said = protocol.reply_of(process.ask(protocol.line_of(message), allowed)[0])
            if said.get("type") == "refuse":
                raise self._fault(Verdict.REFUSED, f"cannot start: {printable(str(said.get('message')))}")
            if said.get("type") != "ready":
                raise ProtocolError(f"answers {printable(str(said), 80)} instead of ready")
            version = said.get("version", protocol.VERSION)
            if version != protocol.VERSION:
                raise ProtocolError(f"speaks version {printable(str(version), 20)} of the protocol; this is {protocol.VERSION}")
        except (AgentEnded, AgentLate, ProtocolError) as error:
            raise self._fault(Verdict.REFUSED, f"cannot start: it {error}{self._last_words()}") from None

    def choose(self, game: Game, turn: Turn, control: TimeControl, stopper: Stopper | None = None) -> Answer:
        process = self.process
        if process is None:
            raise Fault(Verdict.CRASH, f"{self.name} has no process")
        self._turns += 1
        # An agent cannot guess this, so it cannot answer a turn before it has read it.
        number = f"{self._turns}-{secrets.token_hex(8)}"
        limit = NO_LIMIT if turn.limit is None else turn.limit
        try:
            line, seconds = process.ask(
                protocol.line_of(self._question(game, turn, number)),
                Allowance(limit, control.margin, self._idle),
                stopped=None if stopper is None else lambda: stopper.stopped,
            )
            self._idle = max(0.0, self._idle - process.idled)
            reply = protocol.reply_of(line)
            if reply.get("id") != number or reply.get("type") != "move":
                said = printable(str({key: reply.get(key) for key in ("type", "id")}), 80)
                raise ProtocolError(f"answers {said} to the turn {number!r}; a reply has the type move and the id of its turn")
            if "error" in reply:
                raise self._fault(Verdict.CRASH, printable(str(reply["error"])))
            return Answer(protocol.choice_of_reply(reply), seconds)
        except AgentLate as error:
            raise self._fault(Verdict.TIMEOUT, f"{error} in turn {turn.number}") from None
        except AgentEnded as error:
            raise self._fault(Verdict.CRASH, f"{error}{self._last_words()}") from None
        except ProtocolError as error:
            raise self._fault(Verdict.PROTOCOL, str(error)) from None
        except InterruptedError:
            self._end_process()
            raise Interrupted(message="the game was stopped") from None

    def _question(self, game: Game, turn: Turn, number: str) -> dict[str, Any]:
        state = {"text": game.write_state(turn.state), "fields": protocol.fields_of(game, turn.state)}
        asked = {
            "type": "turn",
            "id": number,
            "ply": turn.number,
            "player": game.turn(turn.state),
            "state": state,
            "legal": turn.legal,
        }
        if self._named:
            asked["names"] = [game.name_move(turn.state, move) for move in turn.legal]
        return {**asked, "clock": protocol.clock_message(turn.clock)}

    def _fault(self, verdict: Verdict, what: str) -> Fault:
        self._end_process()
        return Fault(verdict, f"{self.name} {what}")

    def _last_words(self) -> str:
        words = "" if self.process is None else self.process.errors()
        return f"; it wrote: {words}" if words else ""

    def _end_process(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            self.errors = process.errors()

    def end(self) -> None:
        if self.process is None:
            return
        self.errors = self.process.errors()
        if self.process.asking or not self._keep:  # asking: the game was left in the middle of a turn
            self._end_process()
        else:
            self.process.say(protocol.line_of({"type": "end"}))

    def close(self) -> None:
        self._end_process()


def file_player(text: str, game: Game, isolation: Isolation, game_text: str) -> ProcessPlayer:
    """Return the player of the function in a Python file that *text* names. It may read its file, and the folder of the same name."""
    path, function = file_and_function(text)
    if not path.is_file():
        raise UnknownGame(f"there is no file {str(path)!r}; name the Python file of an agent")
    file = os.path.abspath(path)
    name, rest = parted(game_text)
    own = _brought(file, isolation)
    readable = list(own)
    if name.endswith(".py"):
        name = os.path.abspath(name)
        readable.append(name)
    written = f"{name}:{rest}" if rest else name
    order = isolation.order("python", readable=readable, own=own, file=file, function=function, game=written)
    return ProcessPlayer(text, isolation, order, more=_contents(own))


def program_player(text: str, isolation: Isolation) -> ProcessPlayer:
    """Return the player that is a program, written program:COMMAND, or the path of one. It may read the files that its command names."""
    words = shlex.split(text.removeprefix(PROGRAM)) if text.startswith(PROGRAM) else [text]
    if not words:
        raise OptionError(f"{text!r} names no program; write one as program:COMMAND, such as program:node agent.js")
    python = words[0] in ("python", "python3")
    found = sys.executable if python else shutil.which(words[0])
    if found is None:
        raise OptionError(f"{text!r}: there is no program {words[0]!r}; see whether it is installed, and can be run")
    files = [os.path.abspath(word) for word in words[1:] if os.path.isfile(word)]
    arguments = [os.path.abspath(word) if os.path.isfile(word) else word for word in words[1:]]
    command = [found if python else os.path.abspath(found), *arguments]
    own = [path for file in files for path in _brought(file, isolation)]
    readable = [command[0], os.path.realpath(command[0]), *own]
    parts = Path(os.path.realpath(command[0])).parts
    if parts[1:2] == ("opt",) and len(parts) > 3:
        readable.append(str(Path(*parts[:3])))  # /opt/node of /opt/node/bin/node
    order = isolation.order("program", readable=readable, own=own, programs=True, command=command)
    if os.sep in words[0]:
        with open(command[0], "rb") as program:
            which = hashlib.file_digest(program, "sha256").digest()
    else:
        which = str(os.path.getsize(command[0])).encode()  # a program of this machine, and maybe a hundred megabytes
    return ProcessPlayer(text, isolation, order, more=_contents(own) + os.fsencode(os.path.basename(command[0])) + b" " + which)


def _brought(file: str, isolation: Isolation) -> list[str]:
    """Return what an agent brings: its file, and the folder of the same name without the ending, if there is one.

    Neither may be a link where agents are confined: its author would choose what else the agent may read.
    """
    folder = os.path.splitext(file)[0]
    own = [file, folder] if folder != file and os.path.isdir(folder) else [file]
    if isolation.tier != "none":
        for path in own:
            if os.path.realpath(path) != os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)):
                raise OptionError(
                    f"{printable(path)} is a link, and what an agent brings must not be one: it could lead to files that the "
                    "agent must not read; put a copy there, or name the file that it leads to"
                )
    return own


def _contents(paths: list[str]) -> bytes:
    """Return what the files at *paths* hold, and the files in their folders; of a link in a folder, where it leads."""
    found = b""
    for path in paths:
        for file in sorted(Path(path).rglob("*")) if os.path.isdir(path) else [Path(path)]:
            if "__pycache__" in file.parts:
                continue
            if file != Path(path) and file.is_symlink():
                found += os.fsencode(file.name) + b"\0link\0" + os.fsencode(os.readlink(file)) + b"\0"
            elif file.is_file():
                found += os.fsencode(file.name) + b"\0" + file.read_bytes() + b"\0"
    return found
