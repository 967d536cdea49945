"""The import of Numba. Ctrl-C waits until it is complete, and a fork waits until no thread compiles.

An interrupted import would leave half-imported modules that fail from then on. A child process that is forked while
another thread compiles would wait forever for the locks of that thread.
"""

import logging  # noqa: F401  # fork hooks run in reverse order: ours must run before logging's, whose lock a compilation may need
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

lock = threading.RLock()  # held while Numba is imported or a kernel is compiled
_done = False


def import_numba() -> None:
    """Import Numba, and load what Numba loads at its first use."""
    global _done
    if _done:
        return
    with uninterrupted_imports():
        from outplay.compile.kernels import load_numba

        load_numba()
        _done = True


@contextmanager
def uninterrupted_imports() -> Iterator[None]:
    """Delay Ctrl-C and forks until the end of this block; Ctrl-C interrupts only the main thread."""
    usual = signal.getsignal(signal.SIGINT)
    with lock:
        if threading.current_thread() is not threading.main_thread() or not callable(usual):
            yield
            return
        caught: list[tuple[int, Any]] = []
        signal.signal(signal.SIGINT, lambda number, frame: caught.append((number, frame)))
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, usual)
    if caught:
        usual(*caught[0])


def _hold_still() -> None:
    lock.acquire()
    for other in _locks():
        other.__enter__()


def _go_on() -> None:
    for other in reversed(_locks()):
        other.__exit__(None, None, None)
    lock.release()


def _locks() -> list[Any]:
    """Return the locks of Numba and of LLVM, in the order in which a compilation takes them."""
    if not _done:
        return []
    from outplay.compile.numba_private import compiler_locks

    return compiler_locks()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_still, after_in_parent=_go_on, after_in_child=_go_on)
