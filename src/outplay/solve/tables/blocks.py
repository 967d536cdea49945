"""The sections of a table's file: mapped into memory, each block checked when it is first read."""

import zlib
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import TableError

BLOCK = 1 << 16  # bytes under one checksum


class Blocks:
    """The bytes of all sections, and the checksum of each block."""

    def __init__(self, path: Path, data: Any, checksums: Any) -> None:
        self.path, self._data, self._checksums = path, data, checksums
        self._sound = bytearray(len(checksums))

    def bytes(self, start: int, stop: int) -> Any:
        """Return the bytes from *start* to *stop*, after checking the blocks that contain them."""
        for block in range(start // BLOCK, -(-stop // BLOCK)):
            if not self._sound[block]:
                if zlib.crc32(self._data[block * BLOCK : (block + 1) * BLOCK]) != self._checksums[block]:
                    raise TableError(
                        f"{self.path} is damaged: block {block} of its sections does not have its checksum; "
                        "copy it again, or delete it and solve again"
                    )
                self._sound[block] = 1
        return self._data[start:stop]


class Column:
    """Some rows of a section. It has a length and can be sliced like an array."""

    def __init__(self, blocks: Blocks, dtype: str, offset: int, rows: int) -> None:
        self._blocks, self._offset, self._rows = blocks, offset, rows
        self.dtype = np.dtype(dtype).newbyteorder("<")

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, rows: slice) -> Any:
        start, stop, _ = rows.indices(self._rows)
        size = self.dtype.itemsize
        return self._blocks.bytes(self._offset + start * size, self._offset + max(start, stop) * size).view(self.dtype)

    def part(self, start: int, stop: int) -> "Column":
        """Return the rows from *start* to *stop*."""
        return Column(self._blocks, self.dtype.str, self._offset + start * self.dtype.itemsize, stop - start)
