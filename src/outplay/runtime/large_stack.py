"""Threads with a stack deep enough for native recursion."""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar
from weakref import WeakKeyDictionary

from outplay.compile.announce import under_way
from outplay.compile.watchdog import COMING_BACK, Errand, give_up
from outplay.errors import Endless, Interrupted
from outplay.rules.game import Game
from outplay.runtime.meter import PLIES

Found = TypeVar("Found")

FRAME = 16 << 10  # bytes of stack for a ply: many times what a kernel with small states takes
_lock = threading.Lock()
if hasattr(os, "register_at_fork"):  # another thread may hold it where a process is forked
    os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]
_stacks: WeakKeyDictionary[Game, int] = WeakKeyDictionary()
_own = threading.local()  # server: the thread with a large stack that served this one last


def stack_for(game: Game) -> int:
    """Return how many bytes of stack a search of *game* may need: each ply holds several copies of the state."""
    stack = _stacks.get(game)
    if stack is None:
        words = sum(field.stored_words + 8 * len(field.shape) for field in game.fields)
        stack = _stacks[game] = PLIES * (FRAME + 128 * words)
    return stack


def start_large(target: Callable[[], None], stack: int) -> threading.Thread:
    """Start a daemon thread that runs *target* on a stack of so many bytes of address space; return it."""
    thread = threading.Thread(target=target, name="outplay", daemon=True)
    with _lock:  # the size is a setting of the whole process, so it is put back at once
        before = threading.stack_size(stack)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    return thread


class LargeStackThread:
    """A thread with a large stack, kept for the next call: starting a thread costs more than a short search."""

    def __init__(self, stack: int) -> None:
        self.stack, self.process = stack, os.getpid()
        self.tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        tasks = self.tasks  # the thread does not know its server, which therefore ends with the thread that it serves
        self.ident = start_large(lambda: _serve(tasks), stack).ident or 0

    def __del__(self) -> None:
        self.tasks.put(None)


def _serve(tasks: "SimpleQueue[Callable[[], None] | None]") -> None:
    while (task := tasks.get()) is not None:
        task()
        del task  # and the memory that it holds


def _own_thread(stack: int) -> LargeStackThread:
    """Take this thread's server, or start one. It is put back after use; a forked process starts its own."""
    server: LargeStackThread | None = getattr(_own, "server", None)
    _own.server = None
    if server is None or server.stack < stack or server.process != os.getpid():
        server = LargeStackThread(stack)
    return server


def _wait(errand: Errand[Found], server: LargeStackThread) -> bool:
    """Wait for stopped work to end; return whether it did. If it does not, because a rule never returns, give up its thread."""
    ended = errand.wait(COMING_BACK)
    if not ended:
        give_up(server.ident)
    return ended


def on_large_stack(
    work: Callable[[], Found],
    stack: int,
    *,
    interrupt: Callable[[], None] | None = None,
    tick: Callable[[], None] | None = None,
) -> Found:
    """Run *work* on a stack of so many bytes; return what it returns, or raise what it raises.

    Ctrl-C calls *interrupt* and waits for *work* to return; then it raises `Interrupted` with what the work returned.
    *tick* is called now and then meanwhile; an exception that it raises ends the work in the same way. Work that does
    not return, because a rule never returns, is given up with its thread.
    """
    errand = Errand(work)
    server = _own_thread(stack)
    server.tasks.put(errand.run)
    try:
        while not errand.wait(0.5 if tick is None else 0.2):
            if tick is not None:
                tick()
    except KeyboardInterrupt:
        if interrupt is not None:
            compiling = under_way()
            interrupt()
            if not _wait(errand, server):
                if compiling:  # compiling cannot be stopped, so no rule is to blame
                    raise Interrupted(None, "search interrupted while its code was compiled", compiling=True) from None
                raise Interrupted(None, "search interrupted; a rule had not returned", stuck=True) from None
        if isinstance(errand.error, Interrupted):  # it says how far the work got
            raise errand.error from None
        raise Interrupted(errand.found) from None
    except BaseException as error:  # of tick
        if interrupt is not None:
            interrupt()
            if not isinstance(error, Endless):  # else it will not come back
                _wait(errand, server)
        raise
    _own.server = server  # kept for the next call; a thread that was given up is not
    return errand.result()
