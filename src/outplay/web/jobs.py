"""Jobs: work that takes a while, each in a thread of its own; compiled code runs there without the interpreter's lock.

Only so many run at once. Of those that wait, the one begins first whose page has the fewest running, and of these a short one;
a search that has had its turn makes room. A job holds its place until its thread has ended, even when nobody waits for it any
more. The rules of a user's file run in a process of their own (rules_process.py), which is killed where they do not return.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

from outplay.web import answers
from outplay.web.answers import Event
from outplay.web.limits import Caps
from outplay.web.work import Stopped, Work, carried, step_back

LOOK = 0.25  # seconds from one look for a search that has had its turn to the next
GRACE = 5.0  # seconds that a process of rules has, beyond its own limits, to say which rule has not returned

ENDLESS = ("analyse", "graph")  # what can wait for those who wait for one answer


class Job(Work):
    """One piece of work. `work(job)` runs in a thread; it returns the last event, and may post others before."""

    def __init__(
        self, owner: Hashable, kind: str, lane: str, number: int, work: Callable[["Job"], Event], post: Callable[[Event], None]
    ) -> None:
        super().__init__()
        self.owner, self.kind, self.lane, self.id, self._work, self._post = owner, kind, lane, number, work, post
        self.began = 0.0  # when its turn began
        self.announced = False  # the page knows that it compiles
        self.thread: threading.Thread | None = None
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Event] = self.loop.create_future()
        self._relay: Callable[[str], None] | None = None  # tells the process that does the work
        self._kill: Callable[[], None] = lambda: None

    def post(self, event: Event) -> None:
        """Send *event* to the page; called in the job's thread."""
        self._on_loop(self._post_now, event)

    def stop(self) -> None:
        """End the job; called in the loop's thread. A search comes back with what it has; anything else is given up."""
        self.tell(hurry=False)
        if not self.searching:
            self._settle(answers.Stopped())

    def tell(self, *, hurry: bool) -> None:
        """Tell it to stop, and the process that does the work."""
        super().tell(hurry=hurry)
        if self._relay is not None:
            self._relay("hurry" if hurry else "stop")

    def pass_on(self, relay: Callable[[str], None], kill: Callable[[], None]) -> None:
        """Let a process do the work: *relay* tells it to "stop" or to "hurry", *kill* ends it."""
        self._relay, self._kill = relay, kill
        if self.told:  # before
            relay("hurry" if self.hurried else "stop")

    def compiles(self, game: str) -> None:
        """Hear that the process that does the work compiles *game*; "" where it does not any more."""
        if game:
            self.compiling_game, self.compiling_since = game, time.monotonic()
        else:
            self.compiling_since = 0.0
        self.compiling_changed()

    def overdue(self, now: float, caps: Caps) -> None:
        """Kill the process that does the work, if it neither ends nor says why."""
        late = bool(self.told) and now - self.told > caps.stop_seconds + GRACE
        if late or (self.compiling_since and now - self.compiling_since > caps.compile_most + GRACE):
            kill, self._kill = self._kill, lambda: None
            kill()

    @property
    def has_turns(self) -> bool:
        """Whether it can be hurried: who compiles or solves has nothing to show until the end."""
        return not self.compiling_since and self.lane != "solve"

    def compiling_changed(self) -> None:
        """Let the page know that a compilation is over, and the turn begin anew."""
        before, self.began = self.began, time.monotonic()
        if not self.compiling_since:
            self._on_loop(self._compiled, self.began - before)

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
        self.waiting: list[Job] = []
        self._looking: asyncio.TimerHandle | None = None
        self.begun = 0  # ever

    @property
    def idle(self) -> bool:
        """Whether no thread is at work; also when the server has ended."""
        return not any(job.thread is not None and job.thread.is_alive() for job in self.running)

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
        step_back()
        try:
            job.run()
        finally:
            job._on_loop(self._ended, job)

    def _ended(self, job: Job) -> None:
        self.running.discard(job)
        self._fill()

    def _look(self) -> None:
        """Kill what does not stop; stop the search that has run for longest, if it has had its turn and another one waits."""
        self._looking = None
        now = time.monotonic()
        for job in list(self.running):
            job.overdue(now, self.caps)
        self._fill()
        for lane in {job.lane for job in self.waiting}:
            had_theirs = [
                job
                for job in self.running
                if job.lane == lane and job.has_turns and not job.hurried and now - job.began > self.caps.turn
            ]
            if had_theirs:
                min(had_theirs, key=lambda job: job.began).tell(hurry=True)
