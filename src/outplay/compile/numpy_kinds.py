"""The type that a variable of a compiled rule has in plain Python, where NumPy's ints may have less than 64 bits and wrap.

Numba widens an item of an int8 array, and `board + 1`, to 64 bits. NumPy keeps 8 bits. So compiled arithmetic must raise
where the result does not fit into the type that NumPy would have. An item of a state's array is Python's int in both (`rules/cells.py`),
and so is one of its parts and copies. An item of any other array, and a constant such as np.int8(3), is NumPy's when the rule is
interpreted: such arrays are called raw here. What a function is given is taken to be Python's.
"""

import operator
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy
from numba import from_dtype, types

from outplay.compile.numba_private import ir

# Element-wise arithmetic that may outgrow the type of its items, as an expression of floats, which are wide enough.
EXACT: dict[Any, str] = {
    operator.add: "one + other",
    operator.sub: "one - other",
    operator.mul: "one * other",
    operator.floordiv: "one // other",
    operator.lshift: "one * 2.0 ** other",
    operator.pow: "one ** other",
    operator.neg: "-one",
}
_IN_PLACE = {
    operator.iadd: operator.add,
    operator.isub: operator.sub,
    operator.imul: operator.mul,
    operator.ifloordiv: operator.floordiv,
    operator.ilshift: operator.lshift,
    operator.ipow: operator.pow,
}
_FUNCTIONS = {
    numpy.add: operator.add,
    numpy.subtract: operator.sub,
    numpy.multiply: operator.mul,
    numpy.floor_divide: operator.floordiv,
    numpy.left_shift: operator.lshift,
    numpy.power: operator.pow,
    numpy.negative: operator.neg,
}
_NO_INT = (
    operator.truediv,
    operator.itruediv,
    *(getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne", "is_", "is_not")),
)
# Functions whose result is as raw as their arrays are; that of the other functions of NumPy is raw.
_KEEPING = {
    *(numpy.zeros_like, numpy.ones_like, numpy.empty_like, numpy.full_like, numpy.flip, numpy.fliplr, numpy.flipud),
    *(numpy.roll, numpy.rot90, numpy.sort, numpy.ravel, numpy.reshape, numpy.transpose, numpy.cumsum, numpy.diff, numpy.take),
    *(numpy.delete, numpy.repeat, numpy.expand_dims, numpy.unique, numpy.clip, numpy.partition, numpy.atleast_1d),
    *(numpy.swapaxes, numpy.argsort, numpy.extract, numpy.kron, numpy.squeeze),
}
_COPIES = ("copy", "reshape", "flatten", "ravel", "transpose")
DEEP = 20  # definitions that are followed, one leading to the next


def arithmetic(operation: Any) -> Any:
    """Return the plain operator of an in-place operator or a NumPy function; None if the result cannot outgrow its type."""
    try:
        operation = _IN_PLACE.get(operation, _FUNCTIONS.get(operation, operation))
    except TypeError:  # not hashable
        return None
    return operation if operation in EXACT else None


def narrow(kind: Any) -> bool:
    """Return whether *kind* is an int type that does not hold every signed 64-bit int."""
    return isinstance(kind, types.Integer) and (kind.bitwidth < 64 or not kind.signed)


def is_array_of_ints(kind: Any) -> bool:
    return isinstance(kind, types.Array) and isinstance(kind.dtype, (types.Integer, types.Boolean))


class NumpyKinds:
    """The types that NumPy gives to the variables of one function.

    *definitions* returns the values that are assigned to a name; *called* returns the function that a call calls.
    """

    def __init__(
        self, definitions: Callable[[str], list[Any]], typeof: Callable[[str], Any], called: Callable[[Any], Any]
    ) -> None:
        self.definitions, self.typeof, self.called = definitions, typeof, called

    def of(self, name: str, within: frozenset[str] = frozenset()) -> Any:
        """Return the type that NumPy has for the array or number *name*; None for Python's own numbers."""
        if name in within or len(within) > DEEP:
            return None
        kind, within = self.typeof(name), within | {name}
        array = isinstance(kind, types.Array)
        found = [self._of_value(value, within, array=array) for value in self.definitions(name)]
        known = [part for part in found if part is not None]
        if known:
            return promoted(known)
        if narrow(kind) and self.is_numpys(name):
            return kind
        return kind.dtype if is_array_of_ints(kind) else None

    def of_result(self, operands: Iterable[str], within: frozenset[str] = frozenset()) -> Any:
        """Return the type that NumPy has for what is computed from *operands*; None if all are Python's own numbers."""
        found = [self.of(name, within) for name in operands]
        known = [part for part in found if part is not None]
        return promoted(known, weak=len(known) < len(found)) if known else None

    def _of_value(self, value: Any, within: frozenset[str], *, array: bool) -> Any:
        if isinstance(value, ir.Var):
            return self.of(value.name, within)
        constants = self._constants(value, within)
        if constants is not None:
            known = [from_dtype(constant.dtype) for constant in constants if isinstance(constant, numpy.integer)]
            return promoted(known) if known else None
        if not isinstance(value, ir.Expr):
            return None
        if operands := self._operands(value):
            return self.of_result(operands, within)
        source = self._source(value)
        if source is None:
            return None
        if not isinstance(self.typeof(source), types.Array):
            return None if source in within else self._of_items(source, within | {source})
        return self.of(source, within) if array or self.raw(source, within) else None

    def _of_items(self, name: str, within: frozenset[str]) -> Any:
        """Return the type that NumPy has for the items of the tuple or list *name*; None for Python's own numbers."""
        found = self._definition(name)
        if not isinstance(found, ir.Expr) or found.op not in ("build_tuple", "build_list") or len(within) > DEEP:
            return None
        known = [part for item in found.items if (part := self.of(item.name, within)) is not None]
        return promoted(known) if known else None

    def _constants(self, value: Any, within: frozenset[str]) -> list[Any] | None:
        """Return all constants that *value*, a constant or an item of constant tuples, can be; None if it is something else."""
        if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
            return [value.value]
        source = self._source(value) if isinstance(value, ir.Expr) else None
        if source is None or source in within or len(within) > DEEP:
            return None
        tuples = self._constants(self._definition(source), within | {source})
        if tuples is None or not all(isinstance(part, tuple) for part in tuples):
            return None
        if value.op == "exhaust_iter":
            return tuples
        if value.op == "static_getitem" and isinstance(value.index, int):
            return [part[value.index] for part in tuples if -len(part) <= value.index < len(part)]
        return [item for part in tuples for item in part]

    def _source(self, value: Any) -> str | None:
        """Return the array of which *value* is an item, a part or a copy."""
        if value.op in ("getitem", "static_getitem", "typed_getitem", "exhaust_iter"):
            return str(value.value.name)
        if value.op == "pair_first":
            return self._gone_through(value)
        if value.op == "call":
            method = self._definition(value.func.name)
            if isinstance(method, ir.Expr) and method.op == "getattr" and method.attr in _COPIES:
                return str(method.value.name)
        return None

    def _operands(self, value: Any) -> list[str]:
        """Return the names of the variables from which *value* computes or chooses an int; [] if it does neither."""
        if value.op == "unary":
            return [value.value.name]
        if value.op in ("binop", "inplace_binop"):
            return [] if value.fn in _NO_INT else [value.lhs.name, value.rhs.name]
        if value.op == "call":
            function = self.called(value)
            if function in (min, max, abs) or arithmetic(function) is not None:
                return [argument.name for argument in value.args]
        return []

    def items_of(self, name: str) -> list[str]:
        """Return the names of the items if *name* is a tuple that the rule writes out; otherwise []."""
        found = self._definition(name)
        return [item.name for item in found.items] if isinstance(found, ir.Expr) and found.op == "build_tuple" else []

    def _gone_through(self, value: Any) -> str | None:
        """Return the array that a for loop goes through, where *value* is its next item; otherwise None."""
        for operation in ("iternext", "getiter"):
            value = self._definition(value.value.name)
            if not isinstance(value, ir.Expr) or value.op != operation:
                return None
        return str(value.value.name)

    def _definition(self, name: str) -> Any:
        """Return the only definition of *name*, through copies; None if there are several."""
        found = self.definitions(name)
        while len(found) == 1 and isinstance(found[0], ir.Var):
            found = self.definitions(found[0].name)
        return found[0] if len(found) == 1 else None

    def is_numpys(self, name: str) -> bool:
        """Return whether *name* is the result of a NumPy function, of a type such as np.int8, or of an array's method."""
        found = self._definition(name)
        if not isinstance(found, ir.Expr) or found.op != "call":
            return False
        module = getattr(self.called(found), "__module__", None)
        method_or_type = isinstance(self.typeof(found.func.name), (types.BoundFunction, types.NumberClass))
        return method_or_type or str(module).startswith("numpy")

    def may_be_numpys(self, name: str, within: frozenset[str] = frozenset()) -> bool:
        """Return whether the float *name* may be NumPy's: not if it is made of Python's own numbers alone."""
        if name in within:
            return False
        return len(within) > DEEP or any(self._may_make_numpys(value, within | {name}) for value in self.definitions(name))

    def _may_make_numpys(self, value: Any, within: frozenset[str]) -> bool:
        if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
            return isinstance(value.value, numpy.generic)
        if isinstance(value, ir.Var):
            return self.may_be_numpys(value.name, within)
        if not isinstance(value, ir.Expr):
            return True  # an argument
        if value.op in ("binop", "inplace_binop", "unary", "cast"):
            return any(self.may_be_numpys(variable.name, within) for variable in value.list_vars())
        if value.op == "getattr":
            return False  # a field of a state
        source = self._source(value)
        if source is not None and isinstance(self.typeof(source), types.Array):
            return self.raw(source, within)
        if value.op == "call":
            function = self.called(value)
            if function in (min, max, abs, sum):
                return any(self.may_be_numpys(argument.name, within) for argument in value.args)
            return not (function in (int, float, len, round) or getattr(function, "__module__", None) == "math")
        return not isinstance(self.typeof(source), types.BaseNamedTuple) if source is not None else True

    def raw(self, name: str, within: frozenset[str]) -> bool:
        """Return whether the array *name* is NumPy's own, so that its items are NumPy's too."""
        if not isinstance(self.typeof(name), types.Array) or len(within) > DEEP:
            return False
        return any(self._makes_raw(value, within | {name}) for value in self.definitions(name))

    def _makes_raw(self, value: Any, within: frozenset[str]) -> bool:
        if isinstance(value, (ir.Global, ir.FreeVar)):
            return True
        if isinstance(value, ir.Var):
            return value.name not in within and self.raw(value.name, within)
        if not isinstance(value, ir.Expr):
            return False  # an argument
        parts = self._parts(value)
        if parts is None:
            return str(getattr(self.called(value), "__module__", None)).startswith("numpy")
        arrays = [part for part in parts if isinstance(self.typeof(part), types.Array)]
        return bool(arrays) and all(part in within or self.raw(part, within) for part in arrays)

    def _parts(self, value: Any) -> list[str] | None:
        """Return the variables of which the array *value* is a part or a copy, or is computed; None if it is a new one."""
        if value.op != "call":
            return [variable.name for variable in value.list_vars()]
        method = self._definition(value.func.name)
        if isinstance(self.typeof(value.func.name), types.BoundFunction) and isinstance(method, ir.Expr):
            return [method.value.name]
        function = self.called(value)
        if isinstance(function, numpy.ufunc) or function in _KEEPING:
            return [argument.name for argument in value.args]
        return None


def promoted(kinds: list[Any], *, weak: bool = False) -> Any:
    """Return the type that NumPy gives to arithmetic on *kinds*, with one of Python's ints if *weak*."""
    parts: list[Any] = [numpy.dtype(str(kind)) for kind in kinds]
    return from_dtype(numpy.result_type(*parts, *([0] if weak else [])))


@cache
def outside(operation: Any, lowest: int, highest: int, arrays: tuple[bool, ...]) -> Callable[..., Any]:
    """Return a function for Numba: whether an item of the result of *operation* does not lie between *lowest* and *highest*.

    *arrays* says which operands are arrays. Floats are exact up to 2**53; for wider types the limits are a little narrower. The
    function has its own name, because Numba keeps compiled functions by their code.
    """
    if highest - lowest >= 2**53:
        lowest, highest = (-(2**63) + 1024 if lowest else 0), min(highest, 2**63) - 1024
    name = f"outside_{operation.__name__}_{'_'.join(str(int(array)) for array in arrays)}"
    names = ("one", "other")[: len(arrays)]
    made = (
        f"    {part} = {part}.astype(real)\n" if array else f"    {part} = real({part})\n"
        for part, array in zip(names, arrays, strict=True)
    )
    text = (
        f"def {name}({', '.join(names)}):\n{''.join(made)}    exact = {EXACT[operation]}\n"
        f"    return exact.size > 0 and not (exact.min() >= {lowest} and exact.max() <= {highest})\n"
    )
    scope: dict[str, Any] = {"real": numpy.float64}
    exec(compile(text, "<outplay arrays>", "exec"), scope)
    made_function: Callable[..., Any] = scope[name]
    return made_function
