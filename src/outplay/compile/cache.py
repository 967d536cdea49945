"""Compiled kernels on disk: one file for each kernel and game. Its name is a hash of all that the machine code depends on.

A file holds a checksum of its content and of its name. A damaged or renamed file is ignored, and the kernel is compiled
again. A directory that cannot be read or written costs time, never a result.
"""

import hashlib
import os
import pickle
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba

from outplay.atomic_write import PART, atomic_file
from outplay.compile.directory import KERNEL, VERDICT, directory, own_code
from outplay.compile.fingerprint import Fingerprint
from outplay.compile.numba_private import DispatcherCache, calls_by_pointer, code_generator, from_parts, to_bytes

KEEP_BYTES = 512 << 20  # above this size, the least recently used files are deleted


class KernelCache(DispatcherCache):  # type: ignore[misc]
    """The cache of a Numba dispatcher: it is asked for compiled code, and receives what is compiled.

    Only code that Python calls (*called*) has an entry point for Python.
    """

    def __init__(self, function: Callable[..., Any], *, called: bool = False) -> None:
        self.digest = Fingerprint(function, own_code("compile", "rules")).digest
        self.called = called
        self.hits = 0

    @property
    def cache_path(self) -> str:
        return str(directory())

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def has(self, sig: Any) -> bool:
        """Return whether a file for the signature *sig* exists."""
        return _path(self._identity(sig, code_generator())).exists()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        identity = self._identity(sig, target_context.codegen())
        path = _path(identity)
        try:
            content = path.read_bytes()
            checksum, data = content[:32], content[32:]
            if _checksum(identity, data) != checksum:  # damaged, or the file of another kernel
                return None
            result = from_parts(target_context, pickle.loads(data))
        except Exception:  # missing, damaged or unreadable: compile again
            return None
        with suppress(OSError):
            os.utime(path)
        self.hits += 1
        return result

    def save_overload(self, sig: Any, data: Any) -> None:
        if calls_by_pointer(data.library):
            return
        identity = self._identity(sig, data.codegen)
        path = _path(identity)
        try:
            content = to_bytes(data)
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_file(path) as file:
                file.write(_checksum(identity, content) + content)
            _make_room(path.parent)
        except Exception:  # it cannot be written or pickled: it is compiled again next time
            return

    def _identity(self, sig: Any, codegen: Any) -> bytes:
        """Return all that the machine code for the signature *sig* depends on."""
        return repr((numba.__version__, sys.version, codegen.magic_tuple(), self.digest, self.called, str(sig))).encode()


def _path(identity: bytes) -> Path:
    return directory() / (hashlib.sha256(identity).hexdigest()[:40] + KERNEL)


def _checksum(identity: bytes, content: bytes) -> bytes:
    """Return the checksum of *content* for the kernel with that *identity*."""
    return hashlib.sha256(hashlib.sha256(identity).digest() + content).digest()


def _make_room(folder: Path) -> None:
    for part in folder.glob("*" + PART):  # left over by a killed process
        if time.time() - part.stat().st_mtime > 3600:
            part.unlink(missing_ok=True)
    files = sorted(((file.stat().st_mtime, file.stat().st_size, file) for file in folder.glob("*" + KERNEL)), reverse=True)
    total, oldest = 0, 0.0
    for used, size, file in files:
        total += size
        if total > KEEP_BYTES:
            file.unlink(missing_ok=True)
            oldest = max(oldest, used)
    for verdict in folder.glob("*" + VERDICT):  # deleted with the kernels of the same age
        if verdict.is_file() and verdict.stat().st_mtime <= oldest:
            verdict.unlink(missing_ok=True)
