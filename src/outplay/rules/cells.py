"""Arrays in states for interpreted rules: each item is a plain int, as in compiled rules.

An item of a NumPy array keeps the type of the array: 100 + 100 in an int8 array is -56. Compiled code widens
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

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return the result of a NumPy function; a single number is returned as a number, not as an array without dimensions."""
        return array[()] if array.ndim == 0 else super().__array_wrap__(array, context)

    def __repr__(self) -> str:
        return repr(self.view(numpy.ndarray))


def cells(value: Any) -> Any:
    """Return the array *value* with plain items, over the same memory."""
    return value if isinstance(value, Cells) else value.view(Cells)
