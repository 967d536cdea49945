"""The watchdog: finds a rule that never returns, names it with its line and its state, and ends it where that can be done.

A rule that is interpreted shows in the frames of its thread; a `Watchdog` looks at them from another thread. A rule
that is compiled leaves no frames: whoever runs a kernel notices that its node counter stands still, and has
the rules interpreted from the same state on to find the place (`runtime/overdue.py`).
"""

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any, TypeVar

from outplay.compile.traps import functions_of
from outplay.errors import Endless
from outplay.rules.game import FOR_PEOPLE, OPTIONAL, REQUIRED, Game, written

Found = TypeVar("Found")

PATIENCE = 2.0  # seconds of the processor that one call of a rule may take
BLOCKED = 6.0  # seconds in which a call may do nothing at all, as if it waited for somebody
STILL = 4.0  # seconds in which compiled code counts nothing at all
COMING_BACK = 3.0  # seconds in which a thread that is told to end must come back
IDLE = 0.02  # the share of a thread's time below which it waits: even a busy machine leaves it more
LOOK = 0.1  # seconds from one look to the next


class GivenUp(SystemExit):
    """Raised in a thread whose rule is given up: as any SystemExit, it ends a thread without a word."""


class Stillness:
    """Tells whether a number that compiled code counts has stood still for too long."""

    def __init__(self) -> None:
        self.number, self.since, self.used = -1, 0.0, 0.0

    def lasts(self, number: int) -> bool:
        """Return whether *number* is what it was for the whole of STILL, in which this process computed."""
        if number != self.number:
            self.number, self.since, self.used = number, time.monotonic(), time.process_time()
        return time.monotonic() - self.since > STILL and time.process_time() - self.used > PATIENCE


class Watchdog:
    """Looks at threads that interpret the rules of *games*; `look` raises an `Endless` once one call has had its time."""

    def __init__(self, games: Iterable[Game], *, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._names: dict[CodeType, tuple[str, Game]] = {}
        for game in games:
            for name, function in _called_by_us(game):
                self._names.setdefault(function.__code__, (name, game))
            for function in functions_of(game):
                self._names.setdefault(function.__code__, (function.__name__, game))
        self._calls: dict[int, tuple[FrameType, float, float]] = {}  # of each thread: the call, and the two clocks at its start

    def look(self, threads: Iterable[int] | None = None) -> None:
        """Look at the *threads* of these idents, or at all; raise an Endless for a call that has had its time."""
        frames = sys._current_frames()
        for ident in list(frames) if threads is None else threads:
            call = self._outermost(frames.get(ident))
            if call is None:
                self._calls.pop(ident, None)
                continue
            known = self._calls.get(ident)
            wall, used = time.monotonic(), _processor_time(ident)
            if known is None or known[0] is not call:
                self._calls[ident] = call, wall, used
            elif used - known[2] > self.patience or (wall - known[1] > BLOCKED and used - known[2] < IDLE * (wall - known[1])):
                error = self._endless(call, frames[ident], used - known[2], wall - known[1])
                give_up(ident)
                raise error

    def _outermost(self, frame: FrameType | None) -> FrameType | None:
        found = None
        while frame is not None:
            if frame.f_code in self._names:
                found = frame
            frame = frame.f_back
        return found

    def _endless(self, call: FrameType, frame: FrameType | None, used: float, passed: float) -> Endless:
        name, game = self._names[call.f_code]
        while frame is not None and frame.f_code not in self._names and frame is not call:
            frame = frame.f_back  # inside a library: the user's line is further out
        line = call.f_lineno if frame is None else frame.f_lineno
        inner = "" if frame is None or frame.f_code is call.f_code else f", in {frame.f_code.co_name}"
        waits = used < IDLE * passed
        remedy = "see what it waits for; a rule only computes" if waits else "see whether the loop there comes to an end"
        return Endless(
            f"{name}, line {line}{inner}: does not return ({passed:.0f} s so far); {remedy}{_state_of(call, game)}", name
        )


def _called_by_us(game: Game) -> Iterable[tuple[str, Any]]:
    for rule in REQUIRED + OPTIONAL + FOR_PEOPLE:
        function = getattr(game, rule)
        if hasattr(function, "__code__") and not (function.__module__ or "").startswith(("outplay.rules.", "outplay.pictures.")):
            yield rule, function
    for name, policy in game.policies.items():
        if hasattr(policy, "__code__"):
            yield f"the policy {name}", policy


def _state_of(call: FrameType, game: Game) -> str:
    code = call.f_code
    for name in code.co_varnames[: code.co_argcount]:
        value = call.f_locals.get(name)
        if isinstance(value, type(game.start)):
            return f": {written(value)}"
    return ""


def _processor_time(ident: int) -> float:
    """Return the seconds that the thread has computed; the clock on the wall where the system does not tell."""
    thread = next((thread for thread in threading.enumerate() if thread.ident == ident), None)
    if sys.platform != "linux" or thread is None or thread.native_id is None:
        return time.monotonic()
    try:
        # The kernel's clock of a thread by its number. time.pthread_getcpuclockid would crash if the thread has just ended.
        return time.clock_gettime(~thread.native_id << 3 | 6)
    except OSError:
        return time.monotonic()


def give_up(ident: int) -> None:
    """End the thread of that ident where it is interpreting; one inside compiled code goes on and cannot be ended."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(GivenUp))


def watched(
    game: Game, work: Callable[[], Found], *, patience: float = PATIENCE, pulse: Callable[[], int] | None = None
) -> Found:
    """Return what *work* returns, or raise what it raises, having run it in a thread of its own under a watchdog.

    An endless rule of *game* is an `Endless`; Ctrl-C is raised at once. In either case the thread is given up. Where compiled
    rules run, *pulse* returns a number that changes as long as they return.
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

    done = threading.Event()
    thread = threading.Thread(target=target, name="outplay-check", daemon=True)
    thread.start()
    watchdog, stillness = Watchdog([game], patience=patience), Stillness()
    try:
        while not done.wait(LOOK):
            watchdog.look([thread.ident or 0])
            if pulse is not None and stillness.lasts(pulse()):
                raise Endless(
                    "a rule: does not return when it is compiled, and does when it is interpreted; "
                    "see whether ints outgrow 63 bits: compiled ints have 63 and a sign"
                )
    except BaseException:
        if not done.is_set():
            give_up(thread.ident or 0)
        raise
    if failed:
        raise failed[0]
    return found[0]
