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
solve(small)  # compiles what does not depend on the game, and, being of the same kind, warms the rest up
began = time.perf_counter()
found = solve(game)
seconds = time.perf_counter() - began
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps([found.states, found.value, found.error, seconds, memory]))
"""


def figures() -> Iterator[Figure]:
    """Yield each table's states, speed and memory, and the value of Pig."""
    for name, small, known in (
        ("tic-tac-toe", "tic-tac-toe", 5_478),
        ("connect-four:columns=4,rows=4", "connect-four:columns=4,rows=4", 161_029),
        ("connect-four:columns=4,rows=5", "connect-four:columns=4,rows=4", 1_706_255),
        ("connect-four:columns=5,rows=4", "connect-four:columns=4,rows=4", 3_945_711),
    ):
        states, _, _, seconds, memory = made(name, small)
        note = f"{seconds:.2f} s, {memory / 1e9:.2f} GB, {states / seconds:,.0f} states a second"
        yield Figure(f"{name}, states", states, "", known, note=note)
    states, _, _, seconds, memory = made("connect-four:columns=5,rows=5", "connect-four:columns=4,rows=4")
    yield Figure("connect-four:columns=5,rows=5, states", states, "", 69_763_700)
    yield Figure("the same, time", seconds, "s", 90, at_least=False)
    yield Figure("the same, speed", states / seconds / 1e6, "M states/s", 2)
    yield Figure("the same, memory", memory / 1e9, "GB", 3, at_least=False)
    states, value, error, seconds, _ = made("pig", "pig:goal=20")
    note = f"the first player wins with probability {(value + 1) / 2:.6f}, to within {error / 2:.0e}; {states:,} states"
    yield Figure("pig to 100, by iteration over its cycles", seconds, "s", 10, at_least=False, note=note)


def made(name: str, small: str) -> list[Any]:
    """Return states, value, error, seconds and bytes of memory of the table of *name*."""
    run = subprocess.run([sys.executable, "-c", MAKE, name, small], capture_output=True, text=True, check=True)
    return list(json.loads(run.stdout))
