"""A confined process tries what it must not be able to do, to test the confinement on this machine."""

import os
import socket
from collections.abc import Callable


def attempts(canary: str) -> dict[str, bool]:
    """Return for each attempt whether it succeeded; in a confined process none does.

    *canary* is a file outside, which this user could read and write.
    """
    return {
        "read a file": _succeeds(lambda: open(canary).close()),
        "write a file": _succeeds(lambda: open(canary, "a").close()),
        "change a mode": _succeeds(lambda: os.chmod(canary, 0o644)),
        "open a socket": _succeeds(lambda: socket.socket().close()),
        "start a process": _succeeds(_fork),
    }


def _succeeds(attempt: Callable[[], None]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
