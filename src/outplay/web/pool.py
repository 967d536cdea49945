"""A few threads for what is quickly done: the rules, interpreted, so that a slow one does not hold up the server."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

Found = TypeVar("Found")


class Pool:
    """Daemon threads: none of them keeps the process from ending."""

    def __init__(self, threads: int = 4) -> None:
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = threads
        self._started = False

    async def run(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """Return what *function* returns in one of the threads."""
        if not self._started:
            self._started = True
            for _ in range(self._threads):
                threading.Thread(target=self._serve, name="outplay-rules", daemon=True).start()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Found] = loop.create_future()

        def task() -> None:
            found, failed = None, None
            try:
                found = function(*arguments)
            except BaseException as error:  # carried over to the loop's thread
                failed = error

            def settle() -> None:
                if answer.done():
                    return
                if failed is not None:
                    answer.set_exception(failed)
                else:
                    answer.set_result(found)  # type: ignore[arg-type]

            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(settle)

        self._tasks.put(task)
        return await answer

    def close(self) -> None:
        """Let the threads end."""
        for _ in range(self._threads):
            self._tasks.put(None)

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
