"""A few threads for what is quickly done: the rules, interpreted, so that a slow one does not hold up the server."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

from outplay.compile.watchdog import Call, GivenUp, Watchdog, give_up
from outplay.errors import Endless, RuleRaised
from outplay.rules.game import Game
from outplay.web.limits import Caps

Found = TypeVar("Found")
STATE = 200  # characters of a state
ADVICE = "See whether a loop in it ends."


class Task:
    """A function to call in one of the threads, and who waits for what it returns."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call, self._loop = call, asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self._loop.create_future()
        self.began = 0.0
        self.lost = False  # the thread is given up
        self.call: Call | None = None  # in which rule it was then
        self._finished = False
        self._lock = threading.Lock()
        self.thread = threading.main_thread()
        self.watch: asyncio.TimerHandle | None = None

    def run(self) -> None:
        """Call the function and settle the answer; runs in a thread of the pool."""
        self.thread, self.began = threading.current_thread(), time.monotonic()
        found, failed = None, None
        try:
            if not self.answer.cancelled():  # else the page is gone
                found = self._call()
        except BaseException as error:
            failed = carried(error)
        with self._lock:
            self._finished = True
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self.settle, found, failed)

    def settle(self, found: Any, failed: Exception | None) -> None:
        """Set the answer, unless it is set or nobody waits for it any more; runs in the loop's thread."""
        if self.watch is not None:
            self.watch.cancel()
        if self.answer.done():
            return
        if failed is not None:
            self.answer.set_exception(failed)
        else:
            self.answer.set_result(found)

    def lose(self, watchdog: Watchdog) -> bool:
        """Give the thread up, and end it where it is interpreting; False if the task is through by now."""
        with self._lock:
            if self._finished:
                return False
            self.lost = True
            self.call = watchdog.call_in(self.thread.ident or 0)
            give_up(self.thread.ident or 0)
        return True


class Pool:
    """Daemon threads: none of them keeps the process from ending. One that does not come back is replaced."""

    def __init__(self, caps: Caps, games: Callable[[], Iterable[Game]]) -> None:
        self._caps, self._games = caps, games  # those whose rules may not return
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lost: list[threading.Thread] = []

    async def run(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """Return what *function* returns in one of the threads; raise an Endless if that takes too long."""
        self._fill()
        task = Task(lambda: function(*arguments))
        task.watch = asyncio.get_running_loop().call_later(self._caps.rules_seconds, self._look, task)
        self._tasks.put(task)
        return await task.answer  # type: ignore[no-any-return]

    def _fill(self) -> None:
        self._lost = [thread for thread in self._lost if thread.is_alive()]
        while len(self._threads) < self._caps.rules_threads and len(self._lost) < self._caps.lost:
            self._threads.append(threading.Thread(target=self._serve, name="outplay-rules", daemon=True))
            self._threads[-1].start()

    def _look(self, task: Task) -> None:
        """Give *task* up if it has had its time; look again later if not."""
        had = time.monotonic() - task.began if task.began else 0.0
        if had < self._caps.rules_seconds:
            loop = asyncio.get_running_loop()
            task.watch = loop.call_later(self._caps.rules_seconds - had, self._look, task)
        elif task.lose(Watchdog(self._games())):
            self._threads.remove(task.thread)
            self._lost.append(task.thread)
            self._fill()
            seconds = self._caps.rules_seconds
            task.settle(None, Endless(f"No answer after {seconds:g} s, so it was given up. {sentence(task.call)}"))

    def close(self) -> None:
        """Let the threads end."""
        for _ in self._threads:
            self._tasks.put(None)

    def _serve(self) -> None:
        with suppress(GivenUp):
            while (task := self._tasks.get()) is not None:
                task.run()
                if task.lost:
                    return


def carried(error: BaseException) -> Exception:
    """Return *error* as one that the loop's thread may raise: a rule that calls `exit()` must not end the server."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):  # which no future takes
        return error
    return RuleRaised(f"a rule raised {type(error).__name__}: {error}")


def sentence(call: Call | None) -> str:
    """Return which rule has not returned, in which line and at which state, as far as that is known, and what to look for."""
    if call is None:
        return f"A rule of the game has not returned. {ADVICE}"
    state = f", at {call.state[:STATE]}{'…' * (len(call.state) > STATE)}" if call.state else ""
    return f"The rule {call.rule} has not returned: line {call.line} of {call.file}{state}. {ADVICE}"
