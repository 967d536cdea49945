"""The supervisor of one agent: a process that starts the agent, stops it while its opponent thinks, measures it and kills it."""

import json
import os
import select
import shutil
import signal
import socket
import tempfile
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from outplay.arena.isolation.bubblewrap import FOLDER, bubblewrap_command
from outplay.arena.isolation.confinement import (
    HIGH_USER,
    SET_PDEATHSIG,
    Confinement,
    Resources,
    confine,
    prctl,
    unused_user,
)
from outplay.arena.isolation.process_tree import ProcessTree
from outplay.arena.isolation.resource_use import excess

SET_CHILD_SUBREAPER = 36
LOOK = 0.05  # seconds from one look at an agent that runs to the next
PIPES = (8, 9)  # in which the agent's standard input and output pass through bubblewrap
CANNOT_START = 97  # the status of a process that could not be confined


def supervise(order: dict[str, Any], control: int, stdin: int, stdout: int, stderr: int) -> None:
    """Start the agent of *order* with these streams, and obey the referee on *control* until that closes."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    prctl(SET_PDEATHSIG, signal.SIGKILL)
    prctl(SET_CHILD_SUBREAPER, 1)  # orphans come to this process
    in_namespace = order["tier"] == "W"
    what = confinement_of(order)
    folder = FOLDER if in_namespace else tempfile.mkdtemp(prefix="outplay-agent-")
    if order["tier"] != "none":
        what = replace(what, folder=folder, user=unused_user(os.getpid()))
    if what.user is not None and not in_namespace:
        os.chown(folder, what.user, what.user)
    child = os.fork()
    if child == 0:
        try:
            _become_agent(order, what, folder, stdin, stdout, stderr)
        except BaseException as error:
            with suppress(OSError):
                os.write(2, f"the agent cannot be started: {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(CANNOT_START)
    for number in (stdin, stdout, stderr):
        os.close(number)
    try:
        Supervisor(socket.socket(fileno=control), child, what, "" if in_namespace else folder).run()
    finally:
        if not in_namespace:
            shutil.rmtree(folder, ignore_errors=True)


def confinement_of(order: dict[str, Any]) -> Confinement:
    """Return the confinement that an order describes."""
    said = dict(order["confinement"])
    said |= {"readable": tuple(said["readable"]), "own": tuple(said["own"]), "resources": Resources(**said["resources"])}
    return Confinement(**said)


def _become_agent(order: dict[str, Any], what: Confinement, folder: str, stdin: int, stdout: int, stderr: int) -> None:
    """Turn this process into the agent, which has its standard streams and no other open file."""
    for number, stream in enumerate((stdin, stdout, stderr)):
        os.dup2(stream, number)
    os.closerange(3, max(65_536, os.sysconf("SC_OPEN_MAX")))
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(order["environment"], HOME=folder, TMPDIR=folder)
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")
    if order["tier"] == "W":
        inside = json.dumps({**order, "confinement": asdict(replace(what, in_namespace=True, removal=True))})
        command = bubblewrap_command(what, [*order["python"], order["boot"], "confined", inside])
        # Bubblewrap's own processes keep their standard streams open, and close all others: only the agent has the pipes.
        nothing = os.open(os.devnull, os.O_RDWR)
        for number, pipe in enumerate(PIPES):
            os.dup2(number, pipe)
            os.dup2(nothing, number)
        os.execve(command[0], command, os.environ)
    _run(order, None if order["tier"] == "none" else what, folder)


def run_confined(text: str) -> None:
    """Confine this process and run the agent, inside the namespaces that bubblewrap has made."""
    order = json.loads(text)
    try:
        for number, pipe in enumerate(PIPES):
            os.dup2(pipe, number)
            os.close(pipe)
        _run(order, confinement_of(order), FOLDER)
    except BaseException as error:
        os.write(2, f"the agent cannot be started: {type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(CANNOT_START)


def _run(order: dict[str, Any], what: Confinement | None, folder: str) -> None:
    from outplay.arena.isolation import runner

    if what is None:
        if order["kind"] == "python":
            os.chdir(folder)
    else:
        confine(what)
    if order["kind"] == "program":
        command = order["command"]
        os.execve(command[0], command, os.environ)
    runner.run(order)
    os._exit(0)


class Supervisor:
    """Obeys the commands of the referee: "go", "stop", "look", "settle" and "kill", and answers all but the first.

    The referee stops a settled agent itself. It then sends "watch" in a turn that takes long, and "rest" after it: in between, the
    supervisor checks the resources.
    """

    def __init__(self, control: socket.socket, child: int, what: Confinement, folder: str) -> None:
        self.control, self.child, self.resources, self.folder = control, child, what.resources, folder
        user = what.user if what.user is not None and what.user >= HIGH_USER else None  # a lower one may not be its alone
        self.tree = ProcessTree(os.getpid(), grows=what.processes, user=user)
        self.runs, self.status, self.why = True, None, ""
        self.bounded = bool(what.readable)  # an agent that is not confined is not limited either
        self._wake, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    status: int | None

    def run(self) -> None:
        """Listen until the referee has gone."""
        self._reap()  # it may have ended before its signal was heard
        while True:
            ready, _, _ = select.select([self.control.fileno(), self._wake], [], [], LOOK if self.runs and self.bounded else None)
            if self._wake in ready:
                with suppress(BlockingIOError):
                    os.read(self._wake, 4096)
                self._reap()
            if self.control.fileno() in ready:
                try:
                    said = self.control.recv(64)
                except OSError:
                    said = b""
                if not self._obey(said):
                    return
            elif self.runs and self.bounded and self.status is None:
                self._check_resources()

    def _obey(self, said: bytes) -> bool:
        """Obey a command; return False if it was the last one."""
        if said == b"go":
            self.runs = True
            if self.status is None:
                self.tree.resume()
        elif said == b"watch":
            self.runs = True
        elif said == b"rest":
            self.runs = False
        elif said == b"stop":
            if self.status is None and not self.tree.stop():
                self._kill_for("it could not be stopped while the other agent thinks")
            self.runs = False
            if self.bounded and self.status is None:
                self._check_resources()
            self._answer()
        elif said == b"settle":
            self.tree.settle()
            self.runs = False
            known = self.tree.processes() if self.tree.fixed else []
            self._answer(processes=known, folder=self.folder, bounded=self.bounded)
        elif said == b"look":
            self._answer(ready=self.status is None and self.tree.ready())
        else:
            gone = self.tree.kill()
            if said == b"kill":
                self._answer(gone=gone)
            return False
        return True

    def _answer(self, **more: Any) -> None:
        # The clocks of a process that has ended cannot be read.
        cpu = waited = None
        if self.status is None:
            cpu, waited = self.tree.cpu() + (0.0 if self.tree.fixed else _cpu_of_the_dead()), self.tree.waited()
        self._tell({"cpu": cpu, "waited": waited, "status": self.status, "why": self.why, **more})

    def _tell(self, message: dict[str, Any]) -> None:
        with suppress(OSError):
            self.control.send(json.dumps(message).encode())

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while True:
                process, status = os.waitpid(-1, os.WNOHANG)
                if process == 0:
                    return
                if process == self.child:
                    self._ended(os.waitstatus_to_exitcode(status))

    def _ended(self, status: int) -> None:
        self.status = status
        self.tree.kill()  # what it has left behind
        self._tell({"event": "end", "status": status, "why": self.why})

    def _kill_for(self, why: str) -> None:
        """Kill the agent, and report the reason *why*."""
        self.why = why
        self.tree.kill()
        if self.status is None:
            self._ended(-int(signal.SIGKILL))

    def _check_resources(self) -> None:
        """Kill the agent if it uses more than it may."""
        if why := excess(self.tree, self.resources, self.folder):
            self._kill_for(why)


def _cpu_of_the_dead() -> float:
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
