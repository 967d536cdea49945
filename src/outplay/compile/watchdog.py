"""The watchdog: it finds a rule that never returns, reports its line and its state, and stops it if possible.

An interpreted rule is visible in the frames of its thread, and a `Watchdog` looks at them from another thread. A compiled
rule has no frames. Then the thread that waits for a kernel notices that the node counter stands still, and interprets
the rules from the same state to find the place (`runtime/overdue.py`).
"""

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Generic, TypeVar, cast

from outplay.compile.traps import functions_of
from outplay.errors import Endless, file_name
from outplay.rules.game import FOR_PEOPLE, OPTIONAL, REQUIRED, Game, written

Found = TypeVar("Found")

PATIENCE = 2.0  # seconds of the processor that one call of a rule may take
BLOCKED = 6.0  # seconds that a call may wait without computing
STILL = 4.0  # seconds in which the node counter of compiled code may stand still
LOOKS = 10  # looks that must find it unchanged: a single late look, when the next task has just begun, would prove nothing
COMING_BACK = 3.0  # seconds that a thread has to end once it is told to
IDLE = 0.02  # a thread that computes, or could compute, for a smaller share of its time is waiting
LOOK = 0.1  # seconds from one look to the next


class GivenUp(SystemExit):
    """Raised in a thread whose rule does not return: like any SystemExit, it ends the thread without a message."""


class Stillness:
    """Notices that a counter of compiled code has not changed for too long."""

    def __init__(self) -> None:
        self.number, self.since, self.used, self.looks = -1, 0.0, 0.0, 0

    def lasts(self, number: int) -> bool:
        """Return whether *number* has not changed for STILL seconds and LOOKS looks, although this process computed."""
        if number != self.number:
            self.number, self.since, self.used, self.looks = number, time.monotonic(), time.process_time(), 0
        self.looks += 1
        long = time.monotonic() - self.since > STILL and time.process_time() - self.used > PATIENCE
        return long and self.looks >= LOOKS


@dataclass(frozen=True)
class Call:
    """A call of a rule that a thread is in."""

    rule: str
    line: int
    file: str
    inner: str  # the helper that the line is in; "" where it is in the rule itself
    state: str  # what the rule was called with; "" where that is not a state

    def endless(self, remedy: str, seconds: float) -> Endless:
        """Return the error for a call that does not return."""
        inner, state = f", in {self.inner}" if self.inner else "", f": {self.state}" if self.state else ""
        return Endless(
            f"{self.rule}, line {self.line}{inner}: does not return ({seconds:.0f} s so far); {remedy}{state}", self.rule
        )


class Watchdog:
    """Watches threads that interpret the rules of *games*; `look` raises an `Endless` for a call that takes too long."""

    def __init__(self, games: Iterable[Game], *, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._names: dict[CodeType, tuple[str, Game]] = {}
        for game in games:
            for name, function in _called_by_us(game):
                self._names.setdefault(function.__code__, (name, game))
            for function in functions_of(game):
                self._names.setdefault(function.__code__, (function.__name__, game))
        self._calls: dict[
            int, tuple[FrameType, float, float, float]
        ] = {}  # of each thread: the call, and three clocks at its start

    def look(self, threads: Iterable[int] | None = None, *, end: bool = True) -> None:
        """Look at the *threads* with these idents, or at all threads; raise an Endless for a call that takes too long.

        *end*: the thread of that call is ended as well, where it is interpreting.
        """
        frames = sys._current_frames()
        for ident in list(frames) if threads is None else threads:
            call = self._outermost(frames.get(ident))
            if call is None:
                self._calls.pop(ident, None)
                continue
            known = self._calls.get(ident)
            wall, used, queued = time.monotonic(), _processor_time(ident), _queued_time(ident)
            if known is None or known[0] is not call:
                self._calls[ident] = call, wall, used, queued
                continue
            wall, used, queued = wall - known[1], used - known[2], queued - known[3]
            waits = used + queued < IDLE * wall
            if used > self.patience or (wall > BLOCKED and waits):
                error = self._endless(call, frames[ident], waits, wall)
                if end:
                    give_up(ident)
                raise error

    def _outermost(self, frame: FrameType | None) -> FrameType | None:
        found = None
        while frame is not None:
            if frame.f_code in self._names:
                found = frame
            frame = frame.f_back
        return found

    def call_in(self, ident: int) -> Call | None:
        """Return the call of a rule that the thread of that ident is in, None if it is in none."""
        frame = sys._current_frames().get(ident)
        call = self._outermost(frame)
        return None if call is None else self._call(call, frame)

    def _call(self, call: FrameType, frame: FrameType | None) -> Call:
        name, game = self._names[call.f_code]
        while frame is not None and frame.f_code not in self._names and frame is not call:
            frame = frame.f_back  # inside a library: the line of the user is in an outer frame
        line = call.f_lineno if frame is None else frame.f_lineno
        inner = "" if frame is None or frame.f_code is call.f_code else frame.f_code.co_name
        return Call(name, line, file_name(call.f_code.co_filename), inner, _state_of(call, game))

    def _endless(self, call: FrameType, frame: FrameType | None, waits: bool, passed: float) -> Endless:
        remedy = "see what it waits for; a rule only computes" if waits else "see whether the loop there comes to an end"
        return self._call(call, frame).endless(remedy, passed)


def _called_by_us(game: Game) -> Iterable[tuple[str, Any]]:
    for rule in REQUIRED + OPTIONAL + FOR_PEOPLE:
        function = getattr(game, rule)
        if hasattr(function, "__code__") and not (function.__module__ or "").startswith(("outplay.rules.", "outplay.pictures.")):
            yield rule, function
    for name, policy in game.policies.items():
        if hasattr(policy, "__code__"):
            yield f"the policy {name}", policy
    for symmetry in game.symmetries:
        if hasattr(symmetry, "__code__"):
            yield f"the symmetry {symmetry_name(symmetry)}", symmetry


def symmetry_name(symmetry: Callable[[Any], Any]) -> str:
    """Return what messages call a *symmetry* of a game."""
    return getattr(symmetry, "__name__", "of another kind")


def _state_of(call: FrameType, game: Game) -> str:
    code = call.f_code
    for name in code.co_varnames[: code.co_argcount]:
        value = call.f_locals.get(name)
        if isinstance(value, type(game.start)):
            return written(value)
    return ""


def _processor_time(ident: int) -> float:
    """Return the processor time of the thread in seconds, or the wall clock if the system does not report it."""
    try:
        # Linux numbers the clock of each thread. time.pthread_getcpuclockid would crash for a thread that has just ended.
        return time.clock_gettime(~_native(ident) << 3 | 6)
    except OSError:
        return time.monotonic()


def _queued_time(ident: int) -> float:
    """Return the seconds in which the thread could have computed, but other threads had the processors; 0 if the system does not report it."""
    try:
        with open(f"/proc/self/task/{_native(ident)}/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _native(ident: int) -> int:
    """Return the number by which Linux knows the thread; OSError if there is none."""
    thread = next((thread for thread in threading.enumerate() if thread.ident == ident), None)
    if sys.platform != "linux" or thread is None or thread.native_id is None:
        raise OSError("this system does not number its threads")
    return thread.native_id


def give_up(ident: int) -> None:
    """Stop the thread with that ident if it is interpreting; a thread inside compiled code cannot be stopped."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(GivenUp))


class Errand(Generic[Found]):
    """Work for another thread; `result` returns what it returned, or raises what it raised, in the thread that asks."""

    def __init__(self, work: Callable[[], Found]) -> None:
        self.done = False
        self.found: Found | None = None
        self.error: BaseException | None = None
        self._work = work
        self._running = threading.Lock()  # held until the work is done: a bare lock wakes its waiter sooner than an Event does
        self._running.acquire()

    def run(self) -> None:
        """Do the work, in the thread that calls this."""
        try:
            self.found = self._work()
        except BaseException as error:
            self.error = error
        finally:
            self.done = True
            self._running.release()

    def wait(self, seconds: float) -> bool:
        """Wait for the work, for at most so many *seconds*; return whether it is done. One thread alone may wait."""
        if not self.done:  # asked first: a Ctrl-C that comes once the lock is taken must not hide that the work is done
            self._running.acquire(timeout=seconds)
        return self.done

    def result(self) -> Found:
        """Return what the work returned, or raise what it raised, once it is done."""
        error, self.error = self.error, None  # an error and a frame that hold each other would keep the work's memory
        if error is not None:
            try:
                raise error
            finally:
                del error
        return cast(Found, self.found)


def watched(
    game: Game, work: Callable[[], Found], *, patience: float = PATIENCE, pulse: Callable[[], int] | None = None
) -> Found:
    """Run *work* in a thread of its own under a watchdog; return what it returns, or raise what it raises.

    A rule of *game* that does not return raises an `Endless`; Ctrl-C is raised at once. In both cases the thread is
    given up. For compiled rules, *pulse* returns a number that changes as long as the rules return.
    """
    errand = Errand(work)
    thread = threading.Thread(target=errand.run, name="outplay-check", daemon=True)
    thread.start()
    watchdog, stillness = Watchdog([game], patience=patience), Stillness()
    try:
        while not errand.wait(LOOK):
            watchdog.look([thread.ident or 0])
            if pulse is not None and stillness.lasts(pulse()):
                raise Endless(
                    "a rule: does not return when it is compiled, but returns when it is interpreted; "
                    "see whether ints outgrow 63 bits: compiled ints have 63 and a sign"
                )
    except BaseException:
        if not errand.done:
            give_up(thread.ident or 0)
        raise
    return errand.result()
