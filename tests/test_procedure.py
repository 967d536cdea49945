"""Procedures: plain functions over arrays, compiled once and kept on disk."""

import subprocess
import sys

import numpy as np

from outplay.compile.procedure import _dispatcher, procedure

PROGRAM = """
import sys
import numpy as np
from outplay.compile.procedure import _dispatcher, procedure
from outplay.solve.values.graph import predecessors

run = procedure(predecessors)
assert "numba" not in sys.modules, "compiling should wait for the first call"
run(np.array([0, 1, 2]), np.array([1, 0], np.int32))
print(_dispatcher(predecessors)._cache.hits)
"""


def twice(number):
    return 2 * number


def total(numbers, wanted):
    found = 0
    for place in range(numbers.size):
        if numbers[place] > wanted:
            found += twice(numbers[place])
    return found


def test_a_procedure_runs_compiled_and_plain_alike():
    numbers = np.arange(10)
    assert procedure(total)(numbers, 4) == procedure(total, compiled=False)(numbers, 4) == 70
    assert procedure(total, compiled=False) is procedure(total).plain is total


def test_a_procedure_is_compiled_for_each_kind_of_argument():
    assert procedure(total)(np.arange(10, dtype=np.int8), 4) == 70
    assert procedure(total)(np.arange(10) / 2, 4) == 9


def test_a_later_process_takes_a_procedure_from_the_disk(tmp_path):
    runs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={"OUTPLAY_CACHE_DIR": str(tmp_path), "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for _ in range(2)
    ]
    assert runs == ["0", "1"]


def test_a_procedure_lets_other_threads_run():
    assert _dispatcher(total).targetoptions["nogil"]
