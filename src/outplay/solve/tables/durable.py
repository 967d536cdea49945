"""The files of tables and of unfinished solves, written completely or not at all, and the errors for a disk that fails."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from outplay.atomic_write import atomic_file
from outplay.errors import OutplayError, TableError


def put(file: IO[bytes], data: Any) -> None:
    """Write *data* to *file*. All writing in this room passes here, so that tests can make it fail."""
    file.write(data)


def work_folder(path: Path) -> Path:
    """Return the folder for the unfinished work of a solve that writes to *path*; refuse a path that cannot be a file."""
    if not path.name or path.is_dir():
        what = f"{str(path)!r} is a folder" if path.name else "the name of the file is empty"
        raise TableError(f"{what}, and a table is written to a file; name one, such as mygame.table")
    return path.with_name(f"{path.name}.work")


@contextmanager
def whole(path: Path, *, forced: bool, folder: Path | None = None) -> Iterator[IO[bytes]]:
    """Yield a file that is renamed to *path* at the end, as `atomic_file` does; a *forced* file survives a loss of power."""
    try:
        with atomic_file(path, folder=folder, synced=forced) as file:
            yield file
    except OSError as error:
        raise said(path, error) from error


def said(path: Path, error: OSError) -> OutplayError:
    """Return the error for a failure to write *path*, in words."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutplayError(
            f"the disk is full: {path} could not be written, and nothing is left of it; free some space and call again, "
            "which goes on from the last layer that was kept"
        )
    return OutplayError(f"{path} cannot be written ({error.strerror or error}); choose another place for the file")
