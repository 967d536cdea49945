"""The processes of an agent, with all that they have started: list, stop, measure and kill them."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from outplay.arena.isolation.confinement import HIGH_USER

AGREEING = 6  # scans one after the other that find nothing new: a process that starts another and ends can hide from some of them
PATIENCE = 5.0  # seconds in which a signal reaches every process
HAS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")


def stat_of(process: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the third, the state, on; raise an OSError if there is no such process."""
    return Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].decode().split()


def descendants(root: int) -> list[int]:
    """Return the processes that *root* has started, and all that those have started."""
    known = None if HAS_CHILDREN else _children_by_parent()
    found, open_ends = [], [root]
    while open_ends:
        process = open_ends.pop()
        children = _children(process) if known is None else known.get(process, [])
        found += children
        open_ends += children
    return found


def _children_by_parent() -> dict[int, list[int]]:
    """Return the children of all processes, where the kernel does not list those of one process."""
    found: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError):
                found.setdefault(int(stat_of(int(name))[1]), []).append(int(name))
    return found


def _children(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError):
                found += map(int, Path(f"/proc/{process}/task/{task}/children").read_bytes().split())
    return found


def is_still(process: int) -> bool:
    """Return whether *process*, to which SIGSTOP was sent, no longer runs: it is stopped, or it has ended.

    A single thread handles the signal before it goes on. Several threads go on until one of them has handled it.
    """
    try:
        fields = stat_of(process)
    except OSError:
        return True
    return fields[0] in "TtZX" or fields[17] == "1"


def sweep(user: int, number: int) -> bool:
    """Send a signal to all processes of *user* at once, which none escapes by starting another; return whether that was possible."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            # With any rights left, the signal would reach processes of other users.
            rights = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("CapEff")]
            if user >= HIGH_USER and os.getresuid() == (user, user, user) and [int(right, 16) for right in rights] == [0]:
                with suppress(ProcessLookupError):  # there is none
                    os.kill(-1, number)
                status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


class ProcessTree:
    """The processes under *root*, which is this process or one whose orphans come back to it.

    A tree that cannot grow is fixed by `settle`, when all of its processes have started: later calls do not look for others. In a tree
    that grows, processes can start others faster than they can be listed; if a *user* of its own runs it, one signal reaches them all.
    """

    def __init__(self, root: int, *, grows: bool, user: int | None = None) -> None:
        self.root, self.grows, self.user = root, grows, user if grows else None
        self.fixed = False
        self._known: list[int] = []
        self.stopped: list[int] = []

    def processes(self) -> list[int]:
        """Return the processes of the tree."""
        if not self.fixed:
            self._known = descendants(self.root)
        return self._known

    def settle(self) -> None:
        """Keep the processes of now as the whole tree, if it cannot grow."""
        if not self.grows:
            self._known, self.fixed = descendants(self.root), True

    def send(self, process: int, number: int) -> None:
        """Send a signal; nothing if the process has ended."""
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)

    def stop(self) -> bool:
        """Stop every process, also those that start meanwhile; return whether all are stopped."""
        until = time.monotonic() + PATIENCE
        while True:
            swept = self.user is not None and sweep(self.user, signal.SIGSTOP)
            found = self.processes()
            for process in found:
                self.send(process, signal.SIGSTOP)
            scans = 0 if self.fixed else 1 if swept or not self.grows else AGREEING
            if all(map(is_still, found)) and all(set(self.processes()) <= set(found) for _ in range(scans)):
                self.stopped = found
                return True
            if time.monotonic() > until:
                self.stopped = found
                return False
            time.sleep(0.0002)

    def resume(self) -> None:
        """Let every stopped process go on."""
        for process in self.stopped:
            self.send(process, signal.SIGCONT)
        self.stopped = []

    def kill(self) -> bool:
        """Kill every process, and reap the children of this process; return whether all have ended."""
        until = time.monotonic() + PATIENCE
        while True:
            if self.user is not None:
                sweep(self.user, signal.SIGKILL)
            found = descendants(self.root)
            for process in found:
                self.send(process, signal.SIGKILL)
            while True:
                try:
                    if os.waitpid(-1, os.WNOHANG)[0] == 0:
                        break
                except ChildProcessError:
                    break
            if not any(descendants(self.root) for _ in range(AGREEING if self.grows else 1)):
                return True
            if time.monotonic() > until:
                return False
            time.sleep(0.001)

    def cpu(self) -> float:
        """Return the processor seconds of the tree: of all live processes, and of their children that have ended."""
        total = 0.0
        for process in self.processes():
            with suppress(OSError):
                total += time.clock_gettime(~process << 3 | 2)  # the clock of another process
                if not self.fixed:
                    total += sum(map(int, stat_of(process)[13:15])) / os.sysconf("SC_CLK_TCK")
        return total

    def waited(self) -> float:
        """Return the seconds that the threads of the tree were ready to run, and had to wait for a processor."""
        total = 0
        for process in self.processes():
            with suppress(OSError):
                for task in os.listdir(f"/proc/{process}/task"):
                    with suppress(OSError, IndexError, ValueError):
                        total += int(Path(f"/proc/{process}/task/{task}/schedstat").read_bytes().split()[1])
        return total / 1e9

    def ready(self) -> bool:
        """Return whether a thread of the tree runs, or waits for a processor now; that wait is not yet in `waited`."""
        for process in self.processes():
            with suppress(OSError):
                for task in os.listdir(f"/proc/{process}/task"):
                    with suppress(OSError):
                        if Path(f"/proc/{process}/task/{task}/stat").read_bytes().rpartition(b") ")[2][:1] == b"R":
                            return True
        return False

    def memory(self) -> int:
        """Return the bytes of memory that the tree holds."""
        total = 0
        for process in self.processes():
            with suppress(OSError, IndexError, ValueError):
                total += int(Path(f"/proc/{process}/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return total

    def tasks(self) -> int:
        """Return the number of threads in the tree."""
        total = 0
        for process in self.processes():
            with suppress(OSError):
                total += len(os.listdir(f"/proc/{process}/task"))
        return total


class FixedTree(ProcessTree):
    """Processes that another process has started, and that start no others. A signal never reaches a later process of the same number."""

    def __init__(self, processes: list[int]) -> None:
        super().__init__(0, grows=False)
        self._known, self.fixed, self.stopped = processes, True, []
        self._handles: dict[int, int] = {}
        for process in processes:
            with suppress(OSError):  # it has ended
                self._handles[process] = os.pidfd_open(process)

    def send(self, process: int, number: int) -> None:
        with suppress(OSError):
            if process in self._handles:
                signal.pidfd_send_signal(self._handles[process], number)

    def close(self) -> None:
        """Let go of the processes."""
        for handle in self._handles.values():
            os.close(handle)
        self._handles = {}
