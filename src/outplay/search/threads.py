"""Threads with a stack deep enough for native recursion."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from outplay.errors import Interrupted

Found = TypeVar("Found")

STACKS = (512 << 20, 64 << 20, 16 << 20)  # bytes of address space; a page is only taken when it is reached
_lock = threading.Lock()


def large(target: Callable[[], None], name: str) -> None:
    """Start a daemon thread that runs *target* on a large stack."""
    with _lock:  # the stack size is a setting of the whole process, so it is put back at once
        before = threading.stack_size()
        try:
            for size in STACKS:
                with suppress(ValueError, RuntimeError):
                    threading.stack_size(size)
                    thread = threading.Thread(target=target, name=name, daemon=True)
                    thread.start()
                    return
        finally:
            threading.stack_size(before)
    threading.Thread(target=target, name=name, daemon=True).start()


def on_large_stack(work: Callable[[], Found], *, interrupt: Callable[[], None] | None = None) -> Found:
    """Return what *work* returns, or raise what it raises, having run it on a large stack.

    Ctrl-C calls *interrupt*, waits for *work* to come back and is raised then, with what work returned.
    """
    found: list[Found] = []
    failed: list[BaseException] = []

    def target() -> None:
        try:
            found.append(work())
        except BaseException as error:  # carried over to the caller's thread
            failed.append(error)
        finally:
            done.set()

    done = threading.Event()  # and no join: a join that Ctrl-C has interrupted takes the thread for ended
    large(target, "outplay")
    try:
        while not done.wait(0.5):
            pass
    except KeyboardInterrupt:
        if interrupt is not None:
            interrupt()
            done.wait()
        raise Interrupted(found[0] if found else None) from None
    if failed:
        raise failed[0]
    return found[0]
