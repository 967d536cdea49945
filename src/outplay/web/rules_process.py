"""The server's side of a process that runs the rules of a user's file: what it is asked, and how it is replaced.

A request is whole in itself, so whatever a process has not answered when it is killed is simply asked of the next one.
"""

import asyncio
import itertools
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from outplay import errors
from outplay.errors import Endless, OutplayError, RuleRaised
from outplay.web import answers
from outplay.web.answers import Event, GameEntry
from outplay.web.jobs import GRACE, Job
from outplay.web.limits import Caps
from outplay.web.rules_worker import send

Deliver = Callable[[str, Any], None]  # takes what comes back: its kind and its content; called in any thread


@dataclass
class Call:
    """A request that is not answered yet."""

    asked: Any
    deliver: Deliver
    told: str = ""  # "stop" or "hurry"


class Child:
    """One process, from its start to its end."""

    def __init__(self, file: str, label: str, caps: Caps, learned: Sequence[str] = ()) -> None:
        self.file = file
        path = os.pathsep.join(entry for entry in sys.path if entry)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "outplay.web.rules_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._requests, self._output = self.process.stdin, self.process.stdout
        self._sending = threading.Lock()
        self.read_on = False  # a thread reads what it sends, and closes that at its end
        self.send((file, label, caps, tuple(learned)))

    def ready(self, seconds: float | None) -> GameEntry:
        """Wait until the file is loaded, and return what it is in the list of games; raise what is wrong with it."""
        timer = threading.Timer(seconds or 0, self.process.kill)
        if seconds is not None:
            timer.start()
        try:
            name, said = self.read()
        except EOFError:
            raise Endless(f"reading {os.path.basename(self.file)} does not come to an end") from None
        finally:
            timer.cancel()
        if not name:
            return said  # type: ignore[no-any-return]
        kind = getattr(errors, name, None)
        raise kind(said) if isinstance(kind, type) and issubclass(kind, OutplayError) else RuleRaised(said)

    def send(self, content: Any) -> None:
        """Write to the process; nothing where it has ended: whoever reads from it hears of that."""
        with self._sending, suppress(OSError, ValueError):
            send(self._requests, content)

    def read(self) -> Any:
        """Return what comes next; raise an EOFError where the process has ended."""
        try:
            return pickle.load(self._output)
        except (OSError, ValueError, pickle.UnpicklingError):  # it was killed in the middle of a word
            raise EOFError from None

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.wait()
        with self._sending, suppress(OSError):
            self._requests.close()
        if not self.read_on:
            self._output.close()

    def each(self) -> Iterator[tuple[int, str, Any]]:
        """Yield what the process sends, until its end."""
        with suppress(EOFError):
            while True:
                yield self.read()
        self._output.close()


class RulesProcess:
    """The rules of one file; the process that runs them is replaced where it is killed, and when the file changes."""

    def __init__(self, file: str, label: str, caps: Caps, learned: Sequence[str] = ()) -> None:
        self.file, self.label, self.caps, self.learned = file, label, caps, learned
        self.entry: GameEntry | None = None
        self.kills = 0  # so far, for a rule that did not return
        self._numbers = itertools.count(1)
        self._calls: dict[int, Call] = {}
        self._lock = threading.RLock()
        self._child: Child | None = Child(file, label, caps, learned)
        self._closed = False

    def wait(self) -> None:
        """Wait until the file is loaded for the first time."""
        assert self._child is not None
        self.entry = self._child.ready(None)
        self._adopt(self._child)

    def reload(self) -> None:
        """Run the rules as the file has them now; where they cannot be loaded, raise why, and keep the old ones."""
        fresh = Child(self.file, self.label, self.caps, self.learned)
        try:
            entry = fresh.ready(self.caps.load_seconds)
        except BaseException:
            fresh.kill()
            raise
        with self._lock:
            old, self.entry = self._child, entry
            self._adopt(fresh)
        if old is not None:
            old.kill()

    def close(self) -> None:
        """End it; what is not answered is stopped."""
        with self._lock:
            self._closed = True
            child, self._child = self._child, None
            calls, self._calls = self._calls, {}
        if child is not None:
            child.kill()
        for call in calls.values():
            call.deliver("answer", answers.Stopped())

    async def answer(self, asked: Any) -> Event:
        """Answer a request that needs no search."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Event] = loop.create_future()

        def settle(event: Event) -> None:
            if not found.done():
                found.set_result(event)

        def deliver(kind: str, content: Any) -> None:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(settle, content)

        number = await asyncio.to_thread(self._begin, asked, deliver)
        late = loop.call_later(self.caps.rules_seconds + GRACE, lambda: self.give_up(number))
        try:
            return await found
        finally:
            late.cancel()
            self._calls.pop(number, None)  # whoever has left is not answered, nor asked for again

    def run(self, job: Job, asked: Any) -> Event:
        """Answer a request that takes a while; runs in the thread of *job*."""
        inbox: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        number = self._begin(asked, lambda kind, content: inbox.put((kind, content)))
        job.pass_on(lambda how: self._tell(number, how), lambda: self.give_up(number))
        while True:
            kind, content = inbox.get()
            if kind == "answer":
                return content  # type: ignore[no-any-return]
            if kind == "event":
                job.post(content)
            elif kind == "compiling":
                job.compiles(content)
            else:
                job.begin_search()

    def give_up(self, number: int) -> None:
        """Kill the process, for it has not answered; called in the loop's thread."""
        why = Endless(
            f"No answer came from the rules of {self.label}, so their process was ended. See whether a loop in them ends."
        )

        def kill() -> None:
            with self._lock:
                if number in self._calls:
                    self._kill(number, answers.error_of(why))

        threading.Thread(target=kill, name="outplay-kill", daemon=True).start()

    def _begin(self, asked: Any, deliver: Deliver) -> int:
        with self._lock:
            number = next(self._numbers)
            if self._closed:
                deliver("answer", answers.Stopped())
                return number
            if self._child is None:  # it ended by itself
                self._restart()
            assert self._child is not None
            self._calls[number] = Call(asked, deliver)
            self._child.send((number, asked))
        return number

    def _tell(self, number: int, how: str) -> None:
        call, child = self._calls.get(number), self._child
        if call is not None:
            call.told = how
            if child is not None:
                child.send((number, how))

    def _restart(self) -> None:
        child = Child(self.file, self.label, self.caps, self.learned)
        try:
            self.entry = child.ready(self.caps.load_seconds)
        except BaseException:
            child.kill()
            raise
        self._adopt(child)

    def _adopt(self, child: Child) -> None:
        """Let *child* answer from now on, also what is not answered yet."""
        self._child = child
        for number, call in list(self._calls.items()):
            child.send((number, call.asked))
            if call.told:
                child.send((number, call.told))
        child.read_on = True
        threading.Thread(target=self._read, args=(child,), name="outplay-rules", daemon=True).start()

    def _read(self, child: Child) -> None:
        """Deliver what a process sends, until its end."""
        for number, kind, content in child.each():
            with self._lock:
                if child is not self._child:  # nothing is awaited of one that was replaced
                    continue
                if isinstance(content, answers.Error) and content.code == answers.code_of(Endless):
                    self._kill(number, content)  # also where nobody waits for it: the rule still runs
                    continue
                call = self._calls.pop(number, None) if kind == "answer" else self._calls.get(number)
            if call is not None:
                call.deliver(kind, content)
        with self._lock:
            if child is not self._child:
                return
            self._child = None
            child.kill()
            calls, self._calls = self._calls, {}
        status = child.process.returncode
        why = RuleRaised(
            f"the process that runs the rules of {self.label} ended by itself (status {status}); see whether a rule calls itself "
            "without end, or takes too much memory"
        )
        for call in calls.values():
            call.deliver("answer", answers.error_of(why))

    def _kill(self, number: int, error: Event) -> None:
        """End the process of a request that does not come back, and ask the next one what else is not answered."""
        with self._lock:
            call, child = self._calls.pop(number, None), self._child
            self._child = None
            self.kills += 1
            if child is not None:
                child.kill()
            if call is not None:
                call.deliver("answer", error)
            try:
                if self._calls:
                    self._restart()
            except OutplayError as failed:
                calls, self._calls = self._calls, {}
                for other in calls.values():
                    other.deliver("answer", answers.error_of(failed))
