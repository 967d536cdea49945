"""Jobs: work that takes a while, each in a thread of its own; compiled code runs there without the interpreter's lock.

Only so many run at once. Of those that wait, the one begins first whose page has the fewest running, and of these a short one;
a search that has had its turn makes room. A job holds its place until its thread has ended, even when nobody waits for it any
more; only one that does not end though it was told to, for a rule that never returns cannot be stopped, is given up.
"""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from outplay.compile.watchdog import Watchdog
from outplay.errors import Endless
from outplay.runtime.stopper import Stopper
from outplay.web import answers
from outplay.web.answers import Event
from outplay.web.limits import Caps
from outplay.web.pool import carried, sentence

NICENESS = 5
LOOK = 0.25  # seconds from one look for a search that has had its turn to the next

ENDLESS = ("analyse", "graph")  # what can wait for those who wait for one answer


class Stopped(Exception):
    """Raised in a job's thread where it notices that it is to stop."""


class Job:
    """One piece of work. `work(job)` runs in a thread; it returns the last event, and may post others before."""

    def __init__(
        self, owner: Hashable, kind: str, lane: str, number: int, work: Callable[["Job"], Event], post: Callable[[Event], None]
    ) -> None:
        self.owner, self.kind, self.lane, self.id, self._work, self._post = owner, kind, lane, number, work, post
        self.watchdog: Watchdog | None = None  # of its game, once that is known
        self.stopper = Stopper()
        self.searching = False  # it will itself come back with what it has, once it is stopped
        self.hurried = False  # it is to come to an end, because others wait
        self.began = self.told = 0.0  # when its turn began, and when it was told to stop
        self.given_up = False
        self.compiling_since = 0.0  # 0 while it does not compile
        self.compiling_game = ""
        self.announced = False  # the page knows that it compiles
        self.thread: threading.Thread | None = None
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Event] = self.loop.create_future()

    def post(self, event: Event) -> None:
        """Send *event* to the page; called in the job's thread."""
        self._on_loop(self._post_now, event)

    def stop(self) -> None:
        """End the job; called in the loop's thread. A search comes back with what it has; anything else is given up."""
        self._tell()
        if not self.searching:
            self._settle(answers.Stopped())

    def hurry(self) -> None:
        """Let the job come to an end with what it has; called in the loop's thread."""
        self.hurried = True
        self._tell()

    def _tell(self) -> None:
        self.told = self.told or time.monotonic()
        self.stopper.stop()

    def give_up(self, why: str) -> None:
        """Answer for a thread that does not come back; called in the loop's thread."""
        if not self.given_up and not self.answer.done():
            self.given_up = True
            self.stopper.stop()
            self._settle(Endless(f"{self.kind} did not end, so it was given up. {why}"))

    def overdue(self, now: float, caps: Caps) -> str:
        """Return why it has to be given up: it does not end though it was told to, or a rule does not return; "" if it need not.

        A search watches its rules itself; here it is about those that are called before it and after it.
        """
        watchdog, ident = self.watchdog, self.thread.ident or 0 if self.thread is not None else 0
        late = bool(self.told) and now - self.told > caps.stop_seconds
        if late or (self.compiling_since and now - self.compiling_since > caps.compile_most):
            return sentence(None if watchdog is None else watchdog.call_in(ident))
        try:
            if watchdog is not None and not self.compiling_since:
                watchdog.look([ident])
        except Endless as error:
            return str(error)
        return ""

    @property
    def has_turns(self) -> bool:
        """Whether it can be hurried: who compiles or solves has nothing to show until the end."""
        return not self.compiling_since and self.lane != "solve"

    def check(self) -> None:
        """Raise `Stopped` in the job's thread if it is to stop."""
        if self.stopper.stopped and not self.hurried:
            raise Stopped

    @contextmanager
    def compiling(self, name: str) -> Iterator[None]:
        """Let the page know that *name* is being compiled, if that takes a while."""
        self.compiling_game, self.compiling_since = name, time.monotonic()
        try:
            yield
        finally:
            seconds = time.monotonic() - self.compiling_since
            self.compiling_since, self.began = 0.0, time.monotonic()
            self._on_loop(self._compiled, seconds)
        self.check()

    def _compiled(self, seconds: float) -> None:
        if self.announced:
            self._post_now(answers.Compiled(game=self.compiling_game, seconds=seconds))

    def _post_now(self, event: Event) -> None:
        if not self.answer.done():
            event.id = self.id
            self._post(event)

    def run(self) -> None:
        """Do the work and settle the answer; runs in the job's thread."""
        try:
            event: Event | Exception = self._work(self)
        except Stopped:
            event = answers.Stopped()
        except BaseException as error:
            event = carried(error)
        self._on_loop(self._settle, event)

    def _settle(self, event: "Event | Exception") -> None:
        if self.answer.done():
            return
        if isinstance(event, Exception):
            self.answer.set_exception(event)
            self.answer.exception()  # nobody may be waiting for it any more
        else:
            self.answer.set_result(event)

    def _on_loop(self, call: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the server has ended
            self.loop.call_soon_threadsafe(call, *arguments)


class Jobs:
    """All jobs of a server; used in the loop's thread alone."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.running: set[Job] = set()
        self.lost: set[Job] = set()  # given up, and still running
        self.waiting: list[Job] = []
        self._looking: asyncio.TimerHandle | None = None
        self.begun = 0  # ever

    @property
    def idle(self) -> bool:
        """Whether no thread is at work; also when the server has ended."""
        return not any(job.thread is not None and job.thread.is_alive() for job in [*self.running, *self.lost])

    def begin(self, job: Job) -> None:
        """Begin *job* as soon as there is a place for it."""
        self.waiting.append(job)
        self._fill()

    def stop_all(self) -> None:
        """Stop everything, for the server ends."""
        self.waiting.clear()
        if self._looking is not None:
            self._looking.cancel()
        for job in list(self.running):
            job.stop()

    def _places(self, lane: str) -> int:
        return self.caps.lanes[lane] - sum(job.lane == lane for job in self.running)

    def _fill(self) -> None:
        self.waiting = [job for job in self.waiting if not job.answer.done()]
        for lane in self.caps.lanes:
            while self._places(lane) > 0:
                ready = [job for job in self.waiting if job.lane == lane and self._held(job) < self.caps.searches_of_one]
                if not ready:
                    break
                self._start(min(ready, key=lambda job: (self._held(job), job.kind in ENDLESS)))
        if (self.waiting or self.running) and self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(LOOK, self._look)

    def _held(self, job: Job) -> int:
        """Return how many places the page of *job* holds."""
        return sum(other.owner == job.owner for other in self.running)

    def _start(self, job: Job) -> None:
        self.waiting.remove(job)
        self.running.add(job)
        self.begun += 1
        job.began = time.monotonic()
        job.thread = threading.Thread(target=self._serve, args=(job,), name="outplay-job", daemon=True)
        job.thread.start()

    def _serve(self, job: Job) -> None:
        _step_back()
        try:
            job.run()
        finally:
            job._on_loop(self._ended, job)

    def _ended(self, job: Job) -> None:
        self.running.discard(job)
        self.lost.discard(job)
        self._fill()

    def _look(self) -> None:
        """Give up what does not stop; stop the search that has run for longest, if it has had its turn and another one waits."""
        self._looking = None
        now = time.monotonic()
        for job in list(self.running):
            if why := job.overdue(now, self.caps):
                if len(self.lost) < self.caps.lost:
                    self.running.discard(job)
                    self.lost.add(job)
                job.give_up(why)
        self._fill()
        for lane in {job.lane for job in self.waiting}:
            had_theirs = [
                job
                for job in self.running
                if job.lane == lane and job.has_turns and not job.hurried and now - job.began > self.caps.turn
            ]
            if had_theirs:
                min(had_theirs, key=lambda job: job.began).hurry()


def _step_back() -> None:
    """Let this thread, and those that it starts, leave the processor to the server where both want it."""
    if sys.platform == "linux":  # elsewhere it would be the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
