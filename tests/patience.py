"""How long tests wait for an event, and what is compiled before they do: a busy machine must not decide."""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

PATIENCE = 600.0  # seconds; a test that waits so long has found that the event does not come


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for *condition*, or fail."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it never came to be"
        time.sleep(0.01)


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this run of pytest share."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def compile_once(folder: Path, names: Iterable[str], compiled: Callable[[str], None]) -> None:
    """Call *compiled* with each name once in all processes that share *folder*; return when all of them are through.

    Each process takes the names that no other one has taken.
    """
    folder.mkdir(exist_ok=True)
    files = {name: folder / name.replace(":", "-").replace("/", "-") for name in names}
    for name, file in files.items():
        try:
            file.touch(exist_ok=False)
        except FileExistsError:
            continue
        try:
            compiled(name)
        finally:
            file.with_name(f"{file.name}.done").touch()
    wait_until(lambda: all(file.with_name(f"{file.name}.done").exists() for file in files.values()))
