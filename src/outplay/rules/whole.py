"""A text into a file: all of it, or nothing."""

import os
from contextlib import suppress
from pathlib import Path

from outplay.errors import OutplayError


def write_whole(path: Path, text: str) -> None:
    """Write *text* to *path*: under another name first, then renamed. A link stays one; a device or a pipe is written to."""
    data = text.encode("utf-8")
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        temporary.write_bytes(data)
        temporary.replace(target)
    except OSError as error:
        raise OutplayError(f"{path} could not be written: {error.strerror or error}; nothing is left of it") from error
    finally:
        with suppress(OSError):
            temporary.unlink()
