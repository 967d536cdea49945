"""Tuples in rules: what plain Python writes by slices, which do not compile."""

from typing import TypeVar

Item = TypeVar("Item")


def put(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """Return *items* with the one at *index* replaced; an index out of range raises."""
    if not 0 <= index < len(items):
        raise IndexError("tuple index out of range")
    return (*items[:index], item, *items[index + 1 :])
