"""Stopping a search from another thread."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from outplay.runtime.meter import STOP

_running: set["Stopper"] = set()
_lock = threading.RLock()
if hasattr(os, "register_at_fork"):  # another thread may hold it where a process is forked
    os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]


class Stopper:
    """Hand one to `search(..., stopper=...)`, and call `stop()` from any thread: the search returns what it has."""

    def __init__(self) -> None:
        self.stopped = False
        self._memories: list[Any] = []

    def stop(self) -> None:
        """Ask the search to return at once with the best that it has found."""
        self.stopped = True
        with _lock:
            for memory in self._memories:
                memory[STOP] = 1

    @contextmanager
    def watching(self, memories: list[Any]) -> Iterator[None]:
        """Stop the search by the workers with these *memories*, too, while it runs."""
        with _lock:
            self._memories += memories
            _running.add(self)
        if self.stopped:
            self.stop()
        try:
            yield
        finally:
            with _lock:
                self._memories = [kept for kept in self._memories if not any(kept is memory for memory in memories)]
                if not self._memories:
                    _running.discard(self)


def stop() -> int:
    """Stop every search that runs in this process; return how many there were."""
    with _lock:
        running = list(_running)
    for stopper in running:
        stopper.stop()
    return len(running)
