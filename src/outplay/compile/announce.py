"""Announcements of what is compiled, and how long it took; only on a terminal."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from outplay.errors import Interrupted


class _Spent:
    """The seconds in which at least one thread was compiling."""

    def __init__(self) -> None:
        self.seconds, self.began, self.threads = 0.0, 0.0, 0
        self.lock = threading.Lock()


_spent = _Spent()


def _start_anew() -> None:
    """Forget, in a forked child, the threads that compile in its parent."""
    _spent.lock, _spent.threads = threading.Lock(), 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)


def spent() -> float:
    """Return the seconds that this process has spent on compiling, or on loading compiled code."""
    return _spent.seconds


def under_way() -> bool:
    """Return whether a thread of this process is compiling, or loading compiled code."""
    return _spent.threads > 0


@contextmanager
def counted() -> Iterator[None]:
    """Count the time inside as time spent on compiling; parallel threads count once. Ctrl-C inside says what it interrupted."""
    with _spent.lock:
        if _spent.threads == 0:
            _spent.began = time.perf_counter()
        _spent.threads += 1
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(None, "interrupted while code was compiled", compiling=True) from None
    finally:
        with _spent.lock:
            _spent.threads -= 1
            if _spent.threads == 0:
                _spent.seconds += time.perf_counter() - _spent.began


_told: set[str] = set()  # digests of rules whose compiling was announced


class _Announcement(threading.local):
    """What this thread has begun to announce."""

    def __init__(self) -> None:
        self.level = 0  # of `together` inside `together`
        self.began: float | None = None  # None: nothing is announced


_open = _Announcement()


@contextmanager
def compiling(name: str, digest: str, *, cached: bool) -> Iterator[None]:
    """Announce on the terminal that *name* is being compiled: once for the same rules, and not if it is only loaded."""
    tell = not cached and digest not in _told and sys.stderr.isatty()
    _told.add(digest)
    with counted(), together():
        if tell and _open.began is None:
            print(f"Compiling {name}, once ... ", end="", file=sys.stderr, flush=True)
            _open.began = time.perf_counter()
        yield


@contextmanager
def together() -> Iterator[None]:
    """Announce everything that this thread compiles inside as one compilation."""
    _open.level += 1
    failed = True
    try:
        yield
        failed = False
    finally:
        _open.level -= 1
        if _open.level == 0 and _open.began is not None:
            done = "failed." if failed else f"done in {time.perf_counter() - _open.began:.1f} s."
            _open.began = None
            print(done, file=sys.stderr, flush=True)
