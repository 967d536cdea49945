"""One page's socket: reads what it asks for, sends what comes of it, and stops its jobs when it goes away."""

import asyncio
import time
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from outplay.web import answers, messages
from outplay.web.answers import Event
from outplay.web.jobs import Job
from outplay.web.limits import Bucket
from outplay.web.outbox import Outbox, Overflow
from outplay.web.service import Service
from outplay.web.visitors import Visitor

COMPILING_AFTER = 0.4  # seconds; loading what was compiled before takes less, and is not worth a word
COMPILING_OFTEN = 0.2
AT_ONCE = {"trace": 4, "tree": 4}  # jobs of a kind that a page may have; of all others one: a newer one stops the older
CLOSING = 1.0  # seconds to say why a socket is closed


class Session:
    """One socket, from its acceptance to its end."""

    def __init__(self, service: Service, socket: WebSocket) -> None:
        self.service, self.socket, caps = service, socket, service.caps
        self.bucket = Bucket(caps.messages_per_second, caps.burst)
        self.outbox = Outbox(caps.outbox)
        self.quick: asyncio.Queue[Any] = asyncio.Queue(caps.waiting)
        self.jobs: list[Job] = []  # the oldest first
        self.followers: set[asyncio.Task[None]] = set()
        self.visitor: Visitor | None = None
        self._leave: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()

    def leave(self, code: int, why: str) -> None:
        """Close the socket."""
        if not self._leave.done():
            self._leave.set_result((code, why))

    def tell(self, event: Event) -> None:
        """Send the page what it has not asked for."""
        self.outbox.put(event)

    async def run(self, visitor: Visitor) -> None:
        """Serve the page until it goes away, or has to."""
        self.visitor = visitor
        tasks = [asyncio.create_task(work) for work in (self._read(), self._send(), self._answer())]
        try:
            ends: list[asyncio.Future[Any]] = [*tasks, self._leave]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                    raise error
        finally:
            for job in self.jobs:
                job.stop()
            for task in (*tasks, *self.followers):
                task.cancel()
            await asyncio.gather(*tasks, *self.followers, return_exceptions=True)
            if self._leave.done():
                with suppress(WebSocketDisconnect, RuntimeError, OSError, TimeoutError):  # it may be gone, or not listen
                    async with asyncio.timeout(CLOSING):
                        await self.socket.close(*self._leave.result())
            self._leave.cancel()

    async def _read(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            assert self.visitor is not None
            self.visitor.heard()
            if not self.bucket.take():
                self.leave(1008, "too many messages")
                return
            try:
                asked = messages.read(message.get("text") or message.get("bytes") or "")
            except answers.Malformed as error:
                self._post_last(error.id, answers.error_of(error))
                continue
            if isinstance(asked, messages.Stop):
                self._stop(asked)
            elif type(asked) in self.service.handlers.lengthy:
                self._begin(asked)
            else:
                await self.quick.put(asked)

    async def _send(self) -> None:
        while True:
            try:
                event = await self.outbox.take()
                async with asyncio.timeout(self.service.caps.send_seconds):
                    await self.socket.send_text(answers.written(event))
            except (Overflow, TimeoutError):
                self.leave(1008, "this page does not read what it has asked for")
                return
            except (WebSocketDisconnect, RuntimeError, OSError):  # it is gone
                return
            self.outbox.sent()

    async def _answer(self) -> None:
        """Answer what is quickly done, one request after the other, each once the answers before it are on their way."""
        while True:
            asked = await self.quick.get()
            await self._post_answer(asked, self.service.answer(asked))
            await self.outbox.drained()

    async def _post_answer(self, asked: Any, answer: Any) -> None:
        """Post what *answer* comes to, good or bad; it says so where the game's file has changed and cannot be read."""
        try:
            event: Event = await answer
        except Exception as error:
            event = answers.error_of(error)
        event.broken = self.service.own.broken(getattr(asked, "game", ""))
        self._post_last(asked.id, event)

    def _post_last(self, number: int | None, event: Event) -> None:
        event.id, event.done = number, True
        self.outbox.put(event)

    def _stop(self, asked: messages.Stop) -> None:
        for job in self.jobs:
            if job.id == asked.of:
                job.stop()

    def _begin(self, asked: Any) -> None:
        kind = messages.name_of(asked)
        alike = [job for job in self.jobs if job.kind == kind]
        while len(alike) >= AT_ONCE.get(kind, 1):
            alike.pop(0).stop()
        job = self.service.begin(asked, self, self.outbox.put)
        self.jobs.append(job)
        follower = asyncio.create_task(self._follow(job, asked))
        self.followers.add(follower)
        follower.add_done_callback(self.followers.discard)

    async def _follow(self, job: Job, asked: Any) -> None:
        """Wait for a job's end, saying meanwhile how long it has been compiling."""
        assert self.visitor is not None
        self.visitor.working = True
        try:
            while not job.answer.done():
                await asyncio.wait({job.answer}, timeout=COMPILING_OFTEN)
                compiling = time.monotonic() - job.compiling_since if job.compiling_since else 0.0
                if compiling > COMPILING_AFTER and not job.answer.done():
                    job.announced = True
                    self.outbox.put(answers.Compiling(id=job.id, game=job.compiling_game, seconds=compiling))
            await self._post_answer(asked, job.answer)
        finally:
            job.stop()
            self.jobs.remove(job)
            self.visitor.working = bool(self.jobs)
