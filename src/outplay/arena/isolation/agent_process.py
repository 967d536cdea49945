"""The referee's side of an agent's process: it asks a question, and limits the time and the bytes of the answer.

Between questions the process is stopped.
"""

import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from outplay.arena.isolation.confinement import Resources
from outplay.arena.isolation.process_tree import FixedTree
from outplay.arena.isolation.protocol import LONGEST_LINE, ProtocolError, printable
from outplay.arena.isolation.resource_use import excess
from outplay.arena.isolation.warden import warden

CHUNK = 65_536
MOST_ERRORS = 16 << 20  # bytes of standard error in one turn
TAIL = 2000  # bytes of standard error that are kept
CLOSING = 0.3  # seconds in which a process that ends has closed all its streams, if it has closed one
ENDING = 5.0  # seconds in which a process that has closed all its streams ends
ANSWER = 60.0  # seconds for a supervisor; it has nothing else to do
LOOK = 0.05  # seconds between two checks for a stop, or for a turn that takes long
SOONEST = 0.01  # seconds between two looks at the clock, at least


class AgentEnded(Exception):
    """The process has ended. The text completes the sentence "the agent ..."."""


class AgentLate(Exception):
    """The process has used up its time. The text completes the sentence "the agent ..."."""


@dataclass(frozen=True)
class Allowance:
    """The time for one answer: `seconds` of computing, and `idle` seconds more of waiting; `margin` is not yet a fault.

    Waiting beyond `idle` is charged as computing is. So is the work of children whose processor time is in no account.
    """

    seconds: float
    margin: float
    idle: float

    @property
    def longest(self) -> float:
        """The seconds after which even an agent that never got a processor is late."""
        return 20 * (self.seconds + self.margin) + self.idle + 60

    def charged(self, computed: float, idle: float) -> float:
        """Return the seconds to charge to an agent that computed, and did nothing for *idle* seconds."""
        return computed + max(0.0, idle - self.margin - self.idle)


def own_waits() -> float:
    """Return the seconds that this thread was ready to run, and had to wait for a processor."""
    try:
        with open("/proc/thread-self/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def can_read(number: int, seconds: float) -> bool:
    """Wait at most *seconds* for something to read; return whether there is something."""
    poll = select.poll()  # select itself knows only descriptors below 1,024
    poll.register(number, select.POLLIN)
    return bool(poll.poll(1000 * seconds))


class AgentProcess:
    """One process, from its start to its end. It runs only while it has a question to answer."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        stdin, self._stdin = os.pipe()
        self._stdout, stdout = os.pipe()
        self._stderr, stderr = os.pipe()
        try:
            warden().start(order, [theirs.fileno(), stdin, stdout, stderr])
        finally:
            theirs.close()
            for number in (stdin, stdout, stderr):
                os.close(number)
        for number in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(number, False)
        self._errors, self._closed_errors = b"", False
        self._cpu = self._waited = 0.0  # at the end of the last turn
        self.idled = 0.0  # seconds of the idle time that the last answer used up
        self._end: dict[str, Any] | None = None
        self._in_namespace = order["tier"] == "W"
        self._resources = Resources(**order["confinement"]["resources"])
        self._tree: FixedTree | None = None
        self._folder, self._bounded, self._watched = "", False, False
        self.asking = False  # whether the process may be running
        self.closed = False

    @property
    def cpu(self) -> float:
        """The processor seconds that it has used, as far as is known."""
        return self._cpu

    def errors(self) -> str:
        """Return the last of what the process wrote to standard error, in one line."""
        return printable(self._errors.decode(errors="replace"), TAIL)

    def settle(self) -> None:
        """Note that the process has started. If it may not start others, its processes are known from now on."""
        answer = self._call(b"settle")
        if answer.get("processes"):
            # From now on this process stops and resumes the agent without the supervisor, which is faster.
            self._tree = FixedTree(answer["processes"])
            self._folder, self._bounded = answer["folder"], answer["bounded"]
            self._tree.stop()

    def ask(self, line: bytes, allowed: Allowance, *, stopped: Callable[[], bool] | None = None) -> tuple[bytes, float]:
        """Let the process run until it has answered *line* with a line; return the answer, and the seconds to charge.

        The charge is the time that passed, or the processor time of the process if that is less, and idle time that is not allowed.
        """
        if self._read(self._stdout):
            raise ProtocolError("answers before it is asked")
        self.asking = True
        line = self._written(line)  # before it runs, so that it need not wait for the question
        began, delayed = time.monotonic(), own_waits()
        self._resume()
        answer = self._wait(line, allowed, began, stopped)
        passed, delayed = time.monotonic() - began, own_waits() - delayed
        computed, waited = self._used(self._pause(), keep=True)
        self.asking = False
        self._keep_errors(self._read(self._stderr) or b"")
        if self._end is not None and self._end.get("why"):
            raise AgentEnded(self._ending(self._end))
        seconds = passed
        if computed is not None:
            # Time in which other programs had the processor is nobody's: not while it was ready, nor while this process was.
            idle = max(0.0, passed - computed - waited - delayed)
            self.idled = min(allowed.idle, max(0.0, idle - allowed.margin))
            seconds = min(passed, allowed.charged(computed, idle))
        if seconds > allowed.seconds + allowed.margin:
            raise AgentLate(f"exceeds its {allowed.seconds:g} s")
        return answer, seconds

    def _resume(self) -> None:
        if self._tree is None:
            self._send(b"go")
        else:
            self._tree.resume()

    def _pause(self) -> dict[str, Any]:
        """Stop the process, and return the time that it has used."""
        if self._tree is None:
            return self._call(b"stop")
        if self._watched:
            self._send(b"rest")
            self._watched = False
        still = self._tree.stop()
        why = excess(self._tree, self._resources, self._folder) if self._bounded else ""
        if why or not still:
            self._end = {"why": why or "it could not be stopped while the other agent thinks"}
        return {"cpu": self._tree.cpu(), "waited": self._tree.waited()}

    def _measured(self) -> dict[str, Any]:
        if self._tree is None:
            return self._call(b"look")
        return {"cpu": self._tree.cpu(), "waited": self._tree.waited(), "ready": self._tree.ready()}

    def say(self, line: bytes) -> None:
        """Write *line*, which needs no answer; the process reads it when it is asked next."""
        with suppress(OSError):
            os.write(self._stdin, line)

    def _wait(self, line: bytes, allowed: Allowance, began: float, stopped: Callable[[], bool] | None) -> bytes:
        poll = select.poll()
        for number in (self._stdout, self._control.fileno(), *(() if self._closed_errors else (self._stderr,))):
            poll.register(number, select.POLLIN)
        if line:
            poll.register(self._stdin, select.POLLOUT)
        said, errors, look = b"", 0, began + allowed.seconds + allowed.margin
        while True:
            wait = max(0.0, look - time.monotonic())
            if stopped is not None or not self._watched:
                wait = min(wait, LOOK)
            ready = {number for number, _ in poll.poll(1000 * min(wait, 60.0) + 1)}
            if not ready and not self._watched and self._tree is not None:
                self._send(b"watch")  # a long turn: the supervisor checks the resources meanwhile
                self._watched = True
            if self._stdin in ready:
                line = self._written(line)
                if not line:
                    poll.unregister(self._stdin)
            if self._stderr in ready:
                found = self._read(self._stderr)
                if found == b"":
                    poll.unregister(self._stderr)
                    self._closed_errors = True
                self._keep_errors(found or b"")
                errors += len(found or b"")
                if errors > MOST_ERRORS:
                    raise ProtocolError(f"writes more than {MOST_ERRORS >> 20} MB to standard error in one turn")
            if self._control.fileno() in ready:
                self._hear()
            if self._stdout in ready or self._end is not None:
                found = self._read(self._stdout)
                said += found or b""
                first, ended, rest = said.partition(b"\n")
                if len(first) >= LONGEST_LINE:
                    raise ProtocolError(f"sends a line of more than {LONGEST_LINE:,} bytes")
                if ended:
                    if rest:
                        raise ProtocolError("sends more than one line for one question")
                    return first
                if found == b"" or self._end is not None:
                    raise self._gone("closes its standard output")
            if stopped is not None and stopped():
                raise InterruptedError
            if time.monotonic() >= look and not can_read(self._stdout, 0):  # an answer that is there came in time
                look = self._next_look(allowed, began)

    def _next_look(self, allowed: Allowance, began: float) -> float:
        """Return when to look at the clock again; raise an AgentLate if the time is over."""
        answer = self._measured()
        computed, waited = self._used(answer)
        if self._end is not None:
            return time.monotonic()
        passed, limit = time.monotonic() - began, allowed.seconds + allowed.margin
        if computed is None:
            computed, waited = passed, 0.0
        # Time in which it was ready to run, but other programs had the processor, is not its own.
        idle = passed - computed - waited
        if min(passed, computed) > limit or passed > allowed.longest:
            raise AgentLate(f"exceeds its {allowed.seconds:g} s")
        if allowed.charged(computed, idle) > limit and not answer.get("ready"):
            raise AgentLate(
                f"waits, without computing, for longer than its {allowed.seconds:g} s and the {allowed.idle:.3g} s more that are "
                "left to it for waiting,"
            )
        soonest = min(limit - computed, allowed.longest - passed)
        return time.monotonic() + max(SOONEST, soonest)

    def _used(self, answer: dict[str, Any], *, keep: bool = False) -> tuple[float | None, float]:
        """Return how long the process ran since the last turn (None if unknown), and how long it waited for a processor."""
        cpu, waited = answer.get("cpu"), answer.get("waited")
        if cpu is None or waited is None:
            return None, 0.0
        found = max(0.0, cpu - self._cpu), max(0.0, waited - self._waited)
        if keep:
            self._cpu, self._waited = cpu, waited
        return found

    def _written(self, line: bytes) -> bytes:
        """Write what the pipe takes of *line*, and return the rest."""
        try:
            return line[os.write(self._stdin, line) :]
        except BlockingIOError:
            return line
        except OSError:
            raise self._gone("closes its standard input") from None

    def _read(self, number: int) -> bytes | None:
        """Return what can be read at once; b"" at the end, None if there is nothing yet."""
        try:
            return os.read(number, CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _keep_errors(self, more: bytes) -> None:
        self._errors = (self._errors + more)[-TAIL:]

    def _gone(self, otherwise: str) -> Exception:
        """Return the error for a process whose stream is closed: it has ended, or it does *otherwise*."""
        began = time.monotonic()
        while self._end is None and time.monotonic() < began + (ENDING if self._streams_closed() else CLOSING):
            if can_read(self._control.fileno(), CLOSING):
                self._hear()
        self._keep_errors(self._read(self._stderr) or b"")
        return ProtocolError(otherwise) if self._end is None else AgentEnded(self._ending(self._end))

    def _streams_closed(self) -> bool:
        poll = select.poll()
        poll.register(self._stdin, 0)
        poll.register(self._stdout, 0)
        return len(poll.poll(0)) == 2  # both have errors: nobody is at the other ends

    def _ending(self, end: dict[str, Any]) -> str:
        if end.get("why"):
            return f"is ended, for {end['why']}"
        status = end.get("status")
        if status is None:
            return "has ended"
        if self._in_namespace and status > 128:
            status = 128 - status  # as a shell says it
        if status < 0:
            with suppress(ValueError):
                return f"is killed by {signal.Signals(-status).name}"
        return f"ends with status {status}"

    def _send(self, command: bytes) -> None:
        with suppress(OSError):
            self._control.send(command)

    def _hear(self) -> dict[str, Any]:
        """Return the next message of the supervisor; if it reports the end of the process, keep it."""
        try:
            said = self._control.recv(4096)
        except OSError:
            said = b""
        message: dict[str, Any] = json.loads(said) if said else {"event": "end", "status": None}
        if message.get("event") == "end" and self._end is None:
            self._end = message
        return message

    def _call(self, command: bytes) -> dict[str, Any]:
        """Return the supervisor's answer to *command*; an empty one if the supervisor has ended."""
        self._send(command)
        until = time.monotonic() + ANSWER
        while (left := until - time.monotonic()) > 0:
            if not can_read(self._control.fileno(), left):
                break
            message = self._hear()
            if "event" not in message:
                return message
            if message["status"] is None:
                break
        return {}

    def kill(self) -> None:
        """Kill the process and all that it has started, and wait until they have ended."""
        if self.closed:
            return
        self.closed = True
        self._call(b"kill")
        if self._tree is not None:
            self._tree.close()
        self._control.close()
        for number in (self._stdin, self._stdout, self._stderr):
            os.close(number)
