"""Stopping a search from another thread."""

import threading
from typing import Any

from outplay.search.layout import STOP

_running: set["Stopper"] = set()
_lock = threading.Lock()


class Stopper:
    """Hand one to `search(..., stopper=...)`, and call `stop()` from any thread: the search returns what it has."""

    def __init__(self) -> None:
        self.stopped = False
        self._memories: list[Any] = []

    def stop(self) -> None:
        """Ask the search to return at once with the best that it has found."""
        self.stopped = True
        for memory in self._memories:
            memory[STOP] = 1

    def __enter__(self) -> "Stopper":
        with _lock:
            _running.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._memories.clear()
        with _lock:
            _running.discard(self)

    def watch(self, memory: Any) -> None:
        """From now on stop the search whose memory this is, too."""
        self._memories.append(memory)
        if self.stopped:
            memory[STOP] = 1


def stop() -> int:
    """Stop every search that runs in this process; return how many there were."""
    with _lock:
        running = list(_running)
    for stopper in running:
        stopper.stop()
    return len(running)
