"""What an operator or a function of NumPy returns: it is called with samples, which are ones of the kinds of its arguments."""

import warnings
from functools import cache
from itertools import islice, product
from typing import Any

import numpy
from numba import types

from outplay.compile.kinds import UNKNOWN, WHOLE, Each, Items, Kind, kind_of
from outplay.compile.numba_private import as_dtype
from outplay.rules.cells import Cells

MOST_SAMPLES = 64


class NotSampledError(Exception):
    """A function of NumPy cannot be called with samples of these types."""


def samples_of(kind: Kind, own: Any) -> list[Any]:
    """Return descriptions of samples, one for everything that *kind*, whose Numba type is *own*, can be."""
    own = types.unliteral(own)
    if isinstance(own, (types.NumberClass, types.DType)):
        return [("value", as_dtype(own.dtype).type)]
    if isinstance(own, types.NoneType):
        return [("value", None)]
    if isinstance(own, types.Omitted):
        return [("value", own.value)]
    if isinstance(kind, tuple):
        items = list(own) if isinstance(own, types.BaseTuple) and len(own) == len(kind) else [types.int64] * len(kind)
        parts = [samples_of(part, item) for part, item in zip(kind, items, strict=True)]
        return [("tuple", *chosen) for chosen in combinations_of(parts)]
    if isinstance(kind, Each):
        item = own.dtype if isinstance(own, (types.List, types.UniTuple)) else types.int64
        return [("list", found) for found in samples_of(kind.item, item)]
    if not isinstance(own, (types.Array, types.Integer, types.Float, types.Boolean, types.NumpyFlatType)):
        raise NotSampledError
    number = "bool" if isinstance(own, types.Boolean) else "float" if isinstance(own, types.Float) else "int"
    found: list[Any] = []
    for part in sorted(kind, key=repr):
        if isinstance(part, Items):
            found.append(("array", part.dtype.str, getattr(own, "ndim", 1), part.raw))
        else:
            found.append(("int",) if part is WHOLE else (number,) if part is None else ("numpy", part.str))
    return found


def combinations_of(parts: list[list[Any]]) -> list[tuple[Any, ...]]:
    """Return tuples of samples, one of each of the *parts*: all combinations, or so many that each sample is in one."""
    number = 1
    for part in parts:
        number *= len(part)
    if number <= MOST_SAMPLES:
        return list(product(*parts))
    most = max(map(len, parts))
    return [tuple(part[place % len(part)] for part in parts) for place in range(most) if all(parts)]


def _sample(described: Any, size: int, number: int) -> Any:
    what, *more = described
    if what == "value":
        return more[0]
    if what == "tuple":
        return tuple(_sample(part, size, number) for part in more)
    if what == "list":
        return [_sample(more[0], size, number)] * 2
    if what == "array":
        made = numpy.ones((size,) * more[1], more[0])
        return made if more[2] else made.view(Cells)
    return numpy.dtype(more[0]).type(number) if what == "numpy" else {"int": int, "float": float, "bool": bool}[what](number)


@cache
def sampled(function: Any, described: tuple[Any, ...], named: tuple[tuple[str, Any], ...] = ()) -> Kind:
    """Return the kind of what *function*, or the method of that name, returns for samples; None if it refuses them."""
    refused = True
    for size, number in ((1, 1), (2, 1), (1, 0)):
        values = [_sample(part, size, number) for part in described]
        options = {name: _sample(part, size, number) for name, part in named}
        try:
            with warnings.catch_warnings(), numpy.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                if isinstance(function, str):
                    found = getattr(values[0], function)(*values[1:], **options)
                else:
                    found = function(*values, **options)
                return kind_of(list(islice(found, 2)) if hasattr(found, "__next__") else found)
        except TypeError:
            continue
        except Exception:
            refused = False
    return None if refused else UNKNOWN
