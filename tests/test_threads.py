"""Threads with a large stack: kept for the thread that they serve, and for no longer."""

import gc
import os
import subprocess
import sys
import threading
import weakref

import pytest
from patience import PATIENCE, wait_until

from outplay.errors import Interrupted
from outplay.runtime.large_stack import on_large_stack

STACK = 1 << 20


class Large:
    """Something that a call holds on to."""


def test_one_companion_serves_call_after_call():
    first, second = (on_large_stack(threading.get_ident, STACK) for _ in range(2))
    assert first == second != threading.get_ident()


def test_a_larger_stack_takes_another_thread_and_serves_for_a_smaller():
    found = []

    def calls():
        found.extend(on_large_stack(threading.get_ident, stack) for stack in (STACK, 2 * STACK, STACK))

    caller = threading.Thread(target=calls)  # one that has no companion yet
    caller.start()
    caller.join()
    assert found[0] != found[1] == found[2]


def test_a_call_within_a_call_is_served_by_another_thread():
    outer, inner = on_large_stack(lambda: (threading.get_ident(), on_large_stack(threading.get_ident, STACK)), STACK)
    assert outer != inner


def test_a_thread_that_ends_takes_its_companion_along():
    before = threading.active_count()
    caller = threading.Thread(target=lambda: on_large_stack(int, STACK))
    caller.start()
    caller.join()
    wait_until(lambda: threading.active_count() <= before)


def test_what_a_call_held_is_let_go():
    large = Large()
    known = weakref.ref(large)
    on_large_stack(lambda held=large: held is None, STACK)
    del large
    gc.collect()
    wait_until(lambda: known() is None)


def test_what_is_raised_is_raised_here_and_the_companion_serves_on():
    before = on_large_stack(threading.get_ident, STACK)
    with pytest.raises(ZeroDivisionError):
        on_large_stack(lambda: 1 // 0, STACK)
    assert on_large_stack(threading.get_ident, STACK) == before


def test_work_that_is_left_alone_holds_up_no_other():
    released = threading.Event()

    def tick():
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        on_large_stack(lambda: released.wait(PATIENCE), STACK, tick=tick)
    try:
        assert on_large_stack(lambda: 7, STACK) == 7
    finally:
        released.set()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_has_a_companion_of_its_own():
    code = (
        "import os\n"
        "from outplay import load, search\n"
        "game = load('tic-tac-toe')\n"
        "best = lambda: search(game, depth=2, compiled=False).depth\n"
        "assert best() == 2\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(best())\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), best())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stdout == "2 2\n", done.stderr
