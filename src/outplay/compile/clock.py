"""The clock and a flag, as kernels read them. Interpreted here; `primitives.py` has the compiled twins."""

import time
from typing import Any


def now() -> int:
    """Return the monotonic clock in nanoseconds."""
    return time.monotonic_ns()


def raised(ints: Any, place: int) -> bool:
    """Tell whether the flag at *place* is up, reading it anew each time."""
    return bool(ints[place] != 0)
