"""What a handler sees of the job that it works for, in the server and in a process of a user's rules alike."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from outplay.errors import RuleRaised
from outplay.runtime.stopper import Stopper
from outplay.web.answers import Event

NICENESS = 5


class Stopped(Exception):
    """Raised in the thread of a job where it notices that it is to stop."""


class Work:
    """Work that takes a while: it posts events, says whether it compiles or searches, and can be told to stop."""

    def __init__(self) -> None:
        self.stopper = Stopper()
        self.hurried = False  # it is to come to an end, because others wait
        self.told = 0.0  # when it was told to stop
        self.compiling_since = 0.0  # 0 while it does not compile
        self.compiling_game = ""
        self.searching = False  # it will itself come back with what it has, once it is stopped

    def post(self, event: Event) -> None:
        """Send *event* to the page."""
        raise NotImplementedError

    def compiling_changed(self) -> None:
        """Hear that it has begun to compile, or ended."""

    def begin_search(self) -> None:
        """Say that from now on it comes back with what it has, once it is stopped."""
        self.searching = True

    def tell(self, *, hurry: bool) -> None:
        """Tell it to stop, or in a hurry to come to an end with what it has."""
        self.hurried = self.hurried or hurry
        self.told = self.told or time.monotonic()
        self.stopper.stop()

    def check(self) -> None:
        """Raise `Stopped` if it is to stop."""
        if self.stopper.stopped and not self.hurried:
            raise Stopped

    @contextmanager
    def compiling(self, name: str) -> Iterator[None]:
        """Let the page know that *name* is being compiled, if that takes a while."""
        self.compiling_game, self.compiling_since = name, time.monotonic()
        self.compiling_changed()
        try:
            yield
        finally:
            self.compiling_since = 0.0
            self.compiling_changed()
        self.check()


def carried(error: BaseException) -> Exception:
    """Return *error* as one that another thread may raise: a rule that calls `exit()` must not end the server."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):  # which no future takes
        return error
    return RuleRaised(f"a rule raised {type(error).__name__}: {error}")


def step_back() -> None:
    """Let this thread, and those that it starts, leave the processor to the server where both want it."""
    if sys.platform == "linux":  # elsewhere it would be the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
