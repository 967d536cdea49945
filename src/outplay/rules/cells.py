"""Arrays in states, as interpreted rules see them: an item is a plain int, as it is when compiled.

NumPy's own items keep the array's type, so that 100 + 100 of an int8 array is -56 when interpreted. Compiled code widens
items to 64 bits before it computes with them, and so do these arrays. Importing this module imports NumPy.
"""

from collections.abc import Iterator
from typing import Any

import numpy


class Cells(numpy.ndarray[Any, Any]):
    """An array whose items are Python's ints and bools."""

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return found.item() if isinstance(found, numpy.generic) else found

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist()) if self.ndim == 1 else super().__iter__()

    def __repr__(self) -> str:
        return repr(self.view(numpy.ndarray))


def cells(value: Any) -> Any:
    """Return the array *value* with plain items, over the same memory."""
    return value if isinstance(value, Cells) else value.view(Cells)
