"""Numba is imported whole whatever interrupts, and a process may be forked at any time."""

import os
import subprocess
import sys

import pytest

INTERRUPTED = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
from outplay import load, minimax, solve
game = load("tic-tac-toe")
try:
    solve(game, compiled=False, memory_mb=0) if sys.argv[1].startswith("numpy") else minimax(game, depth=2)
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted")
except Exception as error:
    print(type(error), error)
print(minimax(game, depth=2).nodes)
"""


@pytest.mark.parametrize("module", ["numba.core.typing", "numpy.linalg"])
def test_ctrl_c_while_numba_is_imported_leaves_nothing_by_halves(module):
    command = [sys.executable, "-c", INTERRUPTED, module]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.stdout.split(), done.stderr) == (["interrupted", "82"], "")


FORKED = """
import os, sys, threading, time
from outplay import load, minimax
from outplay.compile import announce

game = load("connect-four")
thread = threading.Thread(target=minimax, args=(game,), kwargs={"depth": 1})
thread.start()
while not announce._spent.threads:  # it compiles
    time.sleep(0.001)
child = os.fork()
if child == 0:
    os._exit(3 if minimax(load("tic-tac-toe"), depth=2).nodes == 82 else 4)
until = time.monotonic() + 300
while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
    if time.monotonic() > until:
        os.kill(child, 9)
        sys.exit("the child hangs")
    time.sleep(0.05)
thread.join()
print(os.waitstatus_to_exitcode(ended[1]), minimax(game, depth=1).nodes)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_process_that_is_forked_while_a_thread_compiles_can_compile(tmp_path):
    environment = {**os.environ, "OUTPLAY_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-W", "ignore", "-c", FORKED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert (done.stdout.split(), done.stderr) == (["3", "8"], "")
