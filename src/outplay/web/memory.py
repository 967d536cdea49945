"""How a process of the server is set up: its memory, its threads, and what it imports beforehand."""

import ctypes
import sys

M_MMAP_THRESHOLD, MAPPED = -3, 1 << 20  # of malloc.h; bytes
SWITCH = 0.0005  # seconds that a thread holds the interpreter's lock while others wait: pages are answered while one compiles


def give_memory_back() -> None:
    """Let the memory of a search that has ended go back to the system at once, where the C library can be told so."""
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        # Else what is freed raises the size from which memory is mapped, until tables lie in every thread's own heap, and stay.
        mallopt(M_MMAP_THRESHOLD, MAPPED)


def warm() -> None:
    """Import what the first search needs, so that it does not wait for it."""
    from outplay.compile.engine import Engine
    from outplay.games.catalogue import load
    from outplay.search.kernel import explore

    Engine(load("tic-tac-toe"), explore, "searched")
