"""A watch over the loading of a game file: a file that computes without end, or asks a person, says so with its line."""

import ctypes
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

PATIENCE = 20.0  # seconds of the processor for the loading of a file
LOOK = 0.1  # seconds from one look to the next
REMEDY = 'put what plays or tries the game below if __name__ == "__main__":'


class EndlessFile(SystemExit):
    """Raised in the thread that loads a file, which takes too long: a SystemExit, because a file may catch every Exception."""


class AsksAPerson(Exception):
    """Raised by input(...) while a file is loaded."""


class LoadingWatch:
    """Watches the thread that loads the file *path*; *line* is where it was found to compute for too long, 0 until then."""

    def __init__(self, path: Path) -> None:
        self.path, self.line = path.absolute(), 0
        self._ident, self._done, self._lock = threading.get_ident(), threading.Event(), threading.Lock()

    def watch(self) -> None:
        """End the loading if it takes too long; run in a thread of its own."""
        began = time.process_time()
        while not self._done.wait(LOOK):
            if time.process_time() - began > PATIENCE:
                with self._lock:
                    if self._done.is_set():
                        return
                    self.line = self.line or self._line(sys._current_frames().get(self._ident))
                    self._raise(ctypes.py_object(EndlessFile))  # again and again: the file may catch it

    def end(self) -> None:
        """Stop watching; an error that the thread has not seen yet is taken back."""
        with self._lock:
            self._done.set()
            if self.line:
                self._raise(None)

    def _raise(self, error: Any) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._ident), error)

    def _line(self, frame: FrameType | None) -> int:
        """Return the line of the file itself, outside of its functions, that is running."""
        line = 0
        while frame is not None:
            if frame.f_code.co_name == "<module>" and Path(frame.f_code.co_filename).absolute() == self.path:
                line = frame.f_lineno
            frame = frame.f_back
        return line


@contextmanager
def watched_loading(path: Path, module: ModuleType) -> Iterator[LoadingWatch]:
    """Watch the loading of *path* into *module*; input(...) raises an AsksAPerson meanwhile."""

    def ask(*prompt: object) -> str:
        raise AsksAPerson

    watch = LoadingWatch(path)
    module.__dict__["input"] = ask
    threading.Thread(target=watch.watch, name="outplay-loading", daemon=True).start()
    try:
        yield watch
    finally:
        watch.end()
        if module.__dict__.get("input") is ask:
            del module.__dict__["input"]  # a policy may ask a person later
