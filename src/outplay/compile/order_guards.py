"""Guards of order: rules sort as Python does, and are refused where compiled code takes items in another order.

Numba's `sorted` exchanges items with equal keys, as does its `np.argsort`; NumPy's own order of those depends on the processor. A set has
another order in Numba than in Python.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy
from numba import types

from outplay.compile.guard_messages import OF_A_SET, PARTED, UNSTABLE
from outplay.compile.numba_private import LoweringError

ANY_ORDER = (len, sorted, min, max, sum, bool, set)  # the order of a set does not change their results
STABLE = ("mergesort", "stable")


def refuse_other_order(expr: Any, function: Any, typeof: Callable[[str], Any], signature: Any, loc: Any) -> None:
    """Raise if the result of *expr* depends on an order that compiled code does not have in common with Python."""
    if expr.op in ("getiter", "exhaust_iter"):
        if isinstance(typeof(expr.value.name), types.Set):
            raise LoweringError(OF_A_SET, loc=loc)
    elif expr.op == "call":
        called = typeof(expr.func.name)
        key = getattr(called, "typing_key", None)
        if function is numpy.argsort or key == "array.argsort":
            kinds = [getattr(kind, "literal_value", getattr(kind, "value", None)) for kind in signature.args]
            if not any(isinstance(kind, str) and kind in STABLE for kind in kinds):
                raise LoweringError(UNSTABLE, loc=loc)
        elif function in (numpy.partition, numpy.argpartition):
            raise LoweringError(PARTED, loc=loc)
        sets = [kind for argument in expr.args if isinstance(kind := typeof(argument.name), types.Set)]
        own = isinstance(called, types.BoundFunction) and isinstance(called.this, types.Set)
        if own and called.template.key in ("set.pop", (types.Set, "pop")):
            raise LoweringError(OF_A_SET, loc=loc)
        if sets and not own and not isinstance(called, types.Dispatcher):
            by_key = any(name == "key" for name, _ in expr.kws)
            reals = function is sum and not isinstance(sets[0].dtype, (types.Integer, types.Boolean))
            if function not in ANY_ORDER or by_key or reals:
                raise LoweringError(OF_A_SET, loc=loc)


def is_list_sort(kind: Any) -> bool:
    """Return whether *kind* is the type of the method `sort` of a list."""
    return (
        isinstance(kind, types.BoundFunction) and isinstance(kind.this, types.List) and kind.template.key == (types.List, "sort")
    )


def needs_stable_sort(items: Any, key: Any) -> bool:
    """Return whether items of this type, sorted by a *key* of this type, can be equal without being the same."""
    by_itself = isinstance(key, types.NoneType) or (isinstance(key, types.Omitted) and key.value is None)
    alike = isinstance(getattr(items, "dtype", None), (types.Integer, types.Boolean, types.UnicodeType))
    return not (by_itself and alike)


@cache
def stable_sort(*, by_key: bool, in_place: bool) -> Callable[..., Any]:
    """Return a function for Numba that sorts as Python does: equal items keep their order, backwards too.

    It returns the list, if it is a new one, and whether an item has no order.
    """
    name = f"stable_sort_{'by_key' if by_key else 'plain'}{'_in_place' if in_place else ''}"
    text = f"""
def {name}(items, key, reverse):
    made = {"items" if in_place else "[item for item in items]"}
    keys = {"[key(item) for item in made]" if by_key else "[item for item in made]"}
    number, width, lost = len(made), 1, 0
    order = [place for place in range(number)]
    spare = [place for place in range(number)]
    for one_key in keys:
        if not one_key == one_key:
            lost = 1
    while width < number:
        for left in range(0, number, 2 * width):
            middle, end = min(left + width, number), min(left + 2 * width, number)
            one, other = left, middle
            for place in range(left, end):
                if one >= middle:
                    later = True
                elif other >= end:
                    later = False
                elif reverse:
                    later = keys[order[one]] < keys[order[other]]
                else:
                    later = keys[order[other]] < keys[order[one]]
                if later:
                    spare[place] = order[other]
                    other += 1
                else:
                    spare[place] = order[one]
                    one += 1
        order, spare = spare, order
        width *= 2
    made[:] = [made[place] for place in order]
    return {"lost" if in_place else "made, lost"}
"""
    scope: dict[str, Any] = {}
    exec(compile(text, "<outplay sort>", "exec"), scope)
    made: Callable[..., Any] = scope[name]
    return made
