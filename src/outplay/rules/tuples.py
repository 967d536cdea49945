"""Tuples in rules: plain Python would use slices, which do not compile."""

from typing import TypeVar

Item = TypeVar("Item")


def put(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """Return *items* with *item* at *index*; raise an IndexError if the index is out of range."""
    if not 0 <= index < len(items):
        raise IndexError("tuple index out of range")
    return (*items[:index], item, *items[index + 1 :])
