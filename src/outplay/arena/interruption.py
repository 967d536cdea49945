"""Interrupts an agent of this process that computes for too long."""

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LOOK = 0.05  # seconds from one look at the clock to the next
BLOCKED = 30.0  # seconds over its limit that a trusted agent may wait without computing
ARRIVAL = 10.0  # seconds in which an exception that was sent arrives


class OutOfTime(BaseException):
    """Raised inside an agent whose time is over. It is no Exception, so that an agent's `except Exception` lets it pass."""


class Interruption:
    """Raises `OutOfTime` in the thread of an agent when its time is over. The thread that looks at the clock starts when it is needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turn: tuple[int, float, float, float] | None = None  # thread, its clocks at the start, seconds
        self._sent = False
        self._watcher: threading.Thread | None = None
        self._closed = threading.Event()

    @contextmanager
    def after(self, seconds: float | None, margin: float) -> Iterator[None]:
        """Interrupt the block after so many *seconds* of computing and a *margin*; never if *seconds* is None."""
        if seconds is None:
            yield
            return
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch, name="outplay-time", daemon=True)
            self._watcher.start()
        with self._lock:
            self._sent = False
            self._turn = threading.get_ident(), time.perf_counter(), time.process_time(), seconds + margin
        try:
            yield
        finally:
            self._disarm()

    def _disarm(self) -> None:
        """End the watch. An exception that is on its way arrives here, not later in the referee."""
        while True:
            try:
                with self._lock:
                    self._turn = None
                break
            except OutOfTime:
                self._sent = False
        if self._sent:
            with suppress(OutOfTime):
                until = time.monotonic() + ARRIVAL
                while time.monotonic() < until:
                    time.sleep(0.001)

    def _watch(self) -> None:
        while not self._closed.wait(LOOK):
            with self._lock:
                if self._turn is None:
                    continue
                thread, began, used, seconds = self._turn
                passed, computed = time.perf_counter() - began, time.process_time() - used
                if min(passed, computed) > seconds or passed > seconds + BLOCKED:
                    self._sent = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))

    def close(self) -> None:
        """End the thread that looks at the clock."""
        self._closed.set()
        if self._watcher is not None:
            self._watcher.join()
        self._closed, self._watcher = threading.Event(), None
