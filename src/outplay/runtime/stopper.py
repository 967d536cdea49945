"""Stopping a search from another thread."""

import os
import threading
from typing import Any

from outplay.runtime.meter import STOP

_running: set["Stopper"] = set()
_lock = threading.RLock()
if hasattr(os, "register_at_fork"):  # another thread may hold it where a process is forked
    os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]


class Stopper:
    """Stops a search: pass one to `search(..., stopper=...)` and call `stop()` from any thread."""

    def __init__(self) -> None:
        self.stopped = False
        self._watching: list[_Watching] = []

    def stop(self) -> None:
        """Make the search return at once with the best result so far."""
        self.stopped = True
        with _lock:
            for watching in self._watching:
                for memory in watching.memories:
                    memory[STOP] = 1

    def watching(self, memories: list[Any]) -> "_Watching":
        """While the block runs, let `stop` end the workers with these *memories*."""
        return _Watching(self, memories)


class _Watching:
    def __init__(self, stopper: Stopper, memories: list[Any]) -> None:
        self.stopper, self.memories = stopper, memories

    def __enter__(self) -> None:
        stopper = self.stopper
        with _lock:
            stopper._watching.append(self)
            _running.add(stopper)
        if stopper.stopped:
            stopper.stop()

    def __exit__(self, *_: object) -> None:
        stopper = self.stopper
        with _lock:
            stopper._watching.remove(self)
            if not stopper._watching:
                _running.discard(stopper)


def stop() -> int:
    """Stop every search in this process; return their number."""
    with _lock:
        running = list(_running)
    for stopper in running:
        stopper.stop()
    return len(running)
