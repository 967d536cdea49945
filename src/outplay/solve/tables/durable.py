"""Files that are written whole or not at all: under another name first, then renamed."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from outplay.errors import OutplayError, TableError


def put(file: IO[bytes], data: Any) -> None:
    """Write *data* to *file*: all bytes that this room writes pass here."""
    file.write(data)


def work_folder(path: Path) -> Path:
    """Return where a solve that writes its table to *path* keeps its work; refuse a path at which no file can be."""
    if not path.name or path.is_dir():
        what = f"{str(path)!r} is a folder" if path.name else "the name of the file is empty"
        raise TableError(f"{what}, and a table is written to a file; name one, such as mygame.table")
    return path.with_name(f"{path.name}.work")


@contextmanager
def whole(path: Path, *, forced: bool, folder: Path | None = None) -> Iterator[IO[bytes]]:
    """Yield a file to write, in *folder* or beside *path*, that takes its place at *path* in the end.

    On any failure nothing is left of it. *forced*: it is on the disk itself before it is renamed, and outlasts a
    loss of power.
    """
    name = None
    try:
        with tempfile.NamedTemporaryFile(dir=folder or path.parent, prefix=f"{path.name}.", suffix=".part", delete=False) as file:
            name = file.name
            yield file
            file.flush()
            if forced:
                os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except OSError as error:
        raise said(path, error) from error
    finally:
        if name is not None:
            with suppress(OSError):
                os.unlink(name)
    if forced and hasattr(os, "O_DIRECTORY"):
        opened = os.open(path.parent, os.O_DIRECTORY)
        with suppress(OSError):
            os.fsync(opened)
        os.close(opened)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def said(path: Path, error: OSError) -> OutplayError:
    """Return *error*, which came up when *path* was written, in words."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutplayError(
            f"the disk is full: {path} could not be written, and nothing is left of it; make room and call again, "
            "which goes on from the last layer that was kept"
        )
    return OutplayError(f"{path} cannot be written ({error.strerror or error}); choose another place for the file")
