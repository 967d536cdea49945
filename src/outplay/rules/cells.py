"""Arrays in states for interpreted rules: each item is a plain int, and no item can be changed, as in compiled rules.

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
    """Return the array *value* as a state holds it: with plain items that lie side by side, and read-only."""
    if isinstance(value, Cells) and not value.flags.writeable and value.flags.c_contiguous and _is_kept(value.base):
        return value
    kept = numpy.array(value, order="C", subok=False)  # a copy: whoever made it may still write into it
    kept.flags.writeable = False
    return kept.view(Cells)


def _is_kept(owner: Any) -> bool:
    """Return whether *owner*, the array that owns the memory of another, cannot be changed either."""
    return isinstance(owner, numpy.ndarray) and not owner.flags.writeable
