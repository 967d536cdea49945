"""Runs tasks on several threads; compiled code runs without the interpreter's lock."""

import os
import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from outplay.compile.watchdog import COMING_BACK, give_up
from outplay.errors import OptionError

Task = TypeVar("Task")

MOST_THREADS = 256
LOOK = 0.05  # seconds from one call of `watch` to the next


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """Return the number of threads that the option *threads* asks for; None means all cores."""
    if threads is None:
        return min(cores(), MOST_THREADS)
    if not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise OptionError(f"threads={threads!r} must be a whole number from 1 to {MOST_THREADS}, or None for all cores")
    return threads


def spread(
    work: Callable[[int, Task], None],
    tasks: Iterable[Task],
    threads: int,
    *,
    watch: Callable[[], None] | None = None,
) -> None:
    """Call work(worker, task) for every task; *worker* is the number of the thread. An error in a thread is raised here.

    *watch* is called now and then by the caller's thread. Ctrl-C, or an error in one thread, ends all: each finishes
    the task at hand, and then the exception is raised. A thread that does not come back, because a rule never returns,
    is given up.
    """
    pending, lock = iter(tasks), threading.Lock()
    failed: list[BaseException] = []
    stop = threading.Event()

    def serve(worker: int) -> None:
        try:
            while not stop.is_set():
                with lock:
                    task = next(pending, stop)
                if task is stop:
                    return
                work(worker, task)  # type: ignore[arg-type]
        except BaseException as error:  # carried over to the caller's thread
            failed.append(error)
            stop.set()
        finally:
            left.release()

    left = threading.Semaphore(0)
    working = [threading.Thread(target=serve, args=(worker,), name="outplay", daemon=True) for worker in range(threads)]
    for thread in working:
        thread.start()
    ended = 0
    try:
        while ended < threads:
            if left.acquire(timeout=LOOK):
                ended += 1
            if watch is not None:
                watch()
    finally:
        stop.set()
        while ended < threads and left.acquire(timeout=COMING_BACK):
            ended += 1
        for thread in working if ended < threads else ():
            if thread.is_alive():
                give_up(thread.ident or 0)
    if failed:
        raise failed[0]
