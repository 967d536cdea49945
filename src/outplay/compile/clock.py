"""How interpreted kernels read the clock and a flag. `primitives.py` has the compiled twins."""

import time
from typing import Any


def now() -> int:
    """Return the monotonic clock in nanoseconds."""
    return time.monotonic_ns()


def raised(ints: Any, place: int) -> bool:
    """Return whether the flag at *place* is raised; read it afresh at each call."""
    return bool(ints[place] != 0)
