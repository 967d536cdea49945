"""What a fresh process waits for: compiling, loading what was compiled before, importing."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figure import Figure
from bench.timing import Times
from outplay.games.catalogue import names

COMPILE = """
import time
import numba
from outplay import load, search
game = load({name!r})
began = time.perf_counter()
search(game, depth=4, nodes={nodes})
print(time.perf_counter() - began)
"""
FIRST_MOVE = """
from outplay import load, search
print(search(load({name!r}), depth=6, nodes={nodes}).move, flush=True)
"""
COUNT_NUMBA = "import sys, outplay; print(sum(name.partition('.')[0] == 'numba' for name in sys.modules))"
COLD, WARM, IMPORTS = 2, 5, 10  # repeats
NODES = 20_000  # what is searched for a first move, at most: two rolls of Yahtzee ahead are millions


def figures() -> Iterator[Figure]:
    """Yield how long a fresh process compiles each built-in game, comes to its first move, and imports Outplay."""
    with tempfile.TemporaryDirectory(prefix="outplay-bench-") as folder:
        caches = {name: Path(folder) / name for name in names()}
        for name, cache in caches.items():
            yield compiling(name, cache)
        for name, cache in caches.items():
            times = Times.of([first_line(cache, "-c", FIRST_MOVE.format(name=name, nodes=NODES)) for _ in range(WARM)])
            yield _move(f"{name}, warm: first move from process start", times)
        command = ("-m", "outplay", "best", "connect-four", "--depth", "6", "--json")
        times = Times.of([first_line(caches["connect-four"], *command) for _ in range(WARM)])
        yield _move("outplay best connect-four --json, warm", times)
    yield importing()
    modules = int(_output(COUNT_NUMBA))
    yield Figure("modules of Numba that import outplay loads", modules, target=0, at_least=False)


def compiling(name: str, cache: Path) -> Figure:
    """Return how long the first search of a game takes when *cache* is empty, Numba imported; it is full afterwards."""
    seconds, whole = [], []
    for _ in range(COLD):
        shutil.rmtree(cache, ignore_errors=True)
        began = time.perf_counter()
        seconds.append(float(_output(COMPILE.format(name=name, nodes=NODES), cache)))
        whole.append(time.perf_counter() - began)
    times = Times.of(seconds)
    note = f"the whole process {min(whole):.1f} s"
    return Figure(f"{name}, cold: compiling, first move", times.best, "s", 5.0, at_least=False, ours=times, note=note)


def first_line(cache: Path, *arguments: str) -> float:
    """Return the seconds from the start of a Python process to the first line that it prints."""
    began = time.perf_counter()
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True, env=_environment(cache)) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        took = time.perf_counter() - began
        process.stdout.read()
    if process.returncode or not line:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    return took


def importing() -> Figure:
    """Return how much longer than a bare one a Python process takes that imports Outplay, by the medians."""
    seconds: dict[str, list[float]] = {"pass": [], "import outplay": []}
    for _ in range(IMPORTS):
        for code, taken in seconds.items():
            began = time.perf_counter()
            _output(code)
            taken.append(time.perf_counter() - began)
    bare, ours = (Times.of(taken) for taken in seconds.values())
    beyond = ours.median - bare.median
    return Figure("import outplay beyond Python's start", beyond, "s", 0.1, at_least=False, ours=ours, beside=bare)


def _move(name: str, times: Times) -> Figure:
    return Figure(name, times.median, "s", 1.2, at_least=False, ours=times)


def _output(code: str, cache: Path | None = None) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True, env=_environment(cache)
    ).stdout


def _environment(cache: Path | None) -> dict[str, str]:
    return {**os.environ, "OUTPLAY_CACHE_DIR": str(cache)} if cache else dict(os.environ)
