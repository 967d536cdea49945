"""The directory of compiled kernels and verdicts, and a digest of our own code. Needs no Numba."""

import hashlib
import os
from functools import cache
from pathlib import Path


def directory() -> Path:
    """Return the directory of compiled kernels: $OUTPLAY_CACHE_DIR, or the user's cache directory."""
    if chosen := os.environ.get("OUTPLAY_CACHE_DIR"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("outplay", appauthor=False, opinion=False)


KERNEL, VERDICT = ".kernel", ".checked"  # the suffixes of the two kinds of files


@cache
def own_code(*rooms: str) -> str:
    """Return a digest of the source code of *rooms* of this package."""
    digest = hashlib.sha256()
    for file in sorted(file for room in rooms for file in (Path(__file__).parent.parent / room).glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
