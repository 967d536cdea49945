"""Files that are written completely or not at all: under another name first, then renamed."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from outplay.errors import OutplayError

PART = ".part"  # how the name of an unfinished file ends


@contextmanager
def atomic_file(path: Path, *, folder: Path | None = None, synced: bool = False) -> Iterator[IO[bytes]]:
    """Yield a new file, in *folder* or beside *path*, and rename it to *path* at the end.

    After a failure no file is left over, and *path* is as it was. *synced*: the content is on the disk before the file is
    renamed, so it outlasts a loss of power. If *path* is a link, the file that it points to is replaced.
    """
    target = Path(os.path.realpath(path))
    temporary = (folder or target.parent) / f"{target.name}.{secrets.token_hex(6)}{PART}"
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            if synced:
                os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        with suppress(OSError):  # it is renamed
            os.unlink(temporary)
    if synced and hasattr(os, "O_DIRECTORY"):
        opened = os.open(target.parent, os.O_DIRECTORY)
        with suppress(OSError):
            os.fsync(opened)
        os.close(opened)


def write_text(path: Path, text: str) -> None:
    """Write *text* to *path* completely or not at all; a device or a pipe is written to directly."""
    data = text.encode("utf-8")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        with atomic_file(path) as file:
            file.write(data)
    except OSError as error:
        if not path.parent.exists():
            raise OutplayError(
                f"there is no folder {str(path.parent)!r} for {path.name}; make it, or name another place"
            ) from error
        raise OutplayError(f"{path} could not be written: {error.strerror or error}; nothing is left of it") from error
