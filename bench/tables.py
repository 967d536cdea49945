"""Tables of every state: how many, how fast, and in how much memory. Each is made by a process of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from bench.figure import Figure

MAKE = """
import json, resource, sys, time
from outplay import load
from outplay.solve.solve import solve
game = load(sys.argv[1])
small = load(sys.argv[2])
solve(small, method=sys.argv[3], threads=None)  # compiles what does not depend on the game, and, being of the same kind, warms the rest up
began = time.perf_counter()
found = solve(game, method=sys.argv[3], threads=None)
seconds = time.perf_counter() - began
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps([found.states, found.value, found.error, seconds, memory]))
"""


FOUR = "connect-four:columns=4,rows=4"
KNOWN = (
    ("tic-tac-toe", "tic-tac-toe", 5_478),
    (FOUR, FOUR, 161_029),
    ("connect-four:columns=4,rows=5", FOUR, 1_706_255),
    ("connect-four:columns=5,rows=4", FOUR, 3_945_711),
    ("connect-four:columns=5,rows=5", FOUR, 69_763_700),
)


def figures() -> Iterator[Figure]:
    """Yield each table's states, speed and memory, and the value of Pig."""
    for name, small, known in KNOWN:
        states, _, _, seconds, memory = made(name, small, "table")
        note = f"{states:,} states in {seconds:.2f} s, {memory / 1e9:.2f} GB, {states / seconds:,.0f} states a second"
        yield Figure(f"{name}, states too many or too few", abs(states - known), "", 0, at_least=False, note=note)
    yield Figure("the last, time", seconds, "s", 90, at_least=False)
    yield Figure("the last, speed", states / seconds / 1e6, "M states/s", 2)
    yield Figure("the last, memory", memory / 1e9, "GB", 3, at_least=False)
    states, value, error, seconds, _ = made("pig", "pig:goal=20", "cycles")
    note = f"the first player wins with probability {(value + 1) / 2:.6f}, to within {error / 2:.0e}; {states:,} states"
    yield Figure("pig to 100, by iteration over its cycles", seconds, "s", 10, at_least=False, note=note)


def made(name: str, small: str, method: str) -> list[Any]:
    """Return states, value, error, seconds and bytes of memory of the table of *name*."""
    run = subprocess.run([sys.executable, "-c", MAKE, name, small, method], capture_output=True, text=True, check=True)
    return list(json.loads(run.stdout))
