"""The warden: a small process beside the referee that starts agents. When the referee ends, for any reason, all agents end.

It has no threads, so it can fork safely, and no secrets to inherit. Outplay is imported already, so that an agent starts within
milliseconds.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

from outplay.errors import OutplayError

LARGEST_ORDER = 1 << 17  # bytes
LEAVING = 20.0  # seconds in which all agents end
BOOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "boot.py")
PYTHON = (sys.executable, "-P", "-s", "-B", "-X", "utf8")
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),  # libraries would start a thread a core
}


def serve(descriptor: int) -> None:
    """Start an agent, under a supervisor of its own, for every order that comes; return at the end of the referee."""
    import outplay.agents.function
    import outplay.arena.isolation.runner
    from outplay.arena.isolation.supervisor import supervise

    outplay.load  # noqa: B018  # loads the whole package, which forked agents then share
    orders = socket.socket(fileno=descriptor)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps supervisors
    while True:
        try:
            order, descriptors, _, _ = socket.recv_fds(orders, LARGEST_ORDER, 4)
        except OSError:
            order = b""
        if not order:
            break
        if os.fork() == 0:
            orders.close()
            status = 1
            try:
                supervise(json.loads(order), *descriptors)
                status = 0
            except BaseException as error:
                with suppress(OSError):
                    os.write(descriptors[3], f"the supervisor fails: {type(error).__name__}: {error}\n".encode())
            finally:
                os._exit(status)
        for number in descriptors:
            os.close(number)
    # The supervisors' sockets are closed, too. They tidy up now, and would be killed if this process ended earlier.
    signal.alarm(int(LEAVING))
    with suppress(ChildProcessError):
        os.waitpid(-1, 0)


class Warden:
    """The referee's side of the process."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise OutplayError("programs as agents need Linux; on other systems, agents are Python files, which are trusted")
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [*PYTHON, BOOT, "warden", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=ENVIRONMENT,
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the referee
            )

    @property
    def alive(self) -> bool:
        """Whether the process can still start agents."""
        return self._process.poll() is None

    def start(self, order: dict[str, Any], descriptors: list[int]) -> None:
        """Start an agent whose supervisor listens to the first of *descriptors*; the others are its standard streams."""
        data = json.dumps(order).encode()
        if len(data) > LARGEST_ORDER:
            raise OutplayError(f"an agent's command is {len(data):,} bytes long; shorten it below {LARGEST_ORDER:,}")
        with self._lock:
            socket.send_fds(self._orders, [data], descriptors)

    def close(self) -> None:
        """End the process; all agents end with it."""
        self._orders.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVING)
            return
        self._process.kill()
        self._process.wait()


_wardens: dict[int, Warden] = {}  # by process: a forked process has none
_lock = threading.Lock()


def warden() -> Warden:
    """Return the warden of this process; it starts when it is first needed."""
    with _lock:
        own = _wardens.get(os.getpid())
        if own is None or not own.alive:
            if own is not None:
                own.close()
            elif not _wardens:
                atexit.register(_end)
            own = _wardens[os.getpid()] = Warden()
        return own


def _end() -> None:
    own = _wardens.pop(os.getpid(), None)
    if own is not None:
        own.close()
