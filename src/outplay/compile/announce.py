"""Tells a person at a terminal what is being compiled and how long it took; says nothing elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def compiling(name: str, *, cached: bool) -> Iterator[None]:
    """Announce on the terminal that *name* is being compiled, unless it only has to be loaded."""
    if cached or not sys.stderr.isatty():
        yield
        return
    began = time.perf_counter()
    print(f"Compiling {name}, once ... ", end="", file=sys.stderr, flush=True)
    try:
        yield
    except BaseException:
        print("failed.", file=sys.stderr, flush=True)
        raise
    print(f"done in {time.perf_counter() - began:.1f} s.", file=sys.stderr, flush=True)
