"""Guards of arrays, and of NumPy's small ints: rules raise where compiled code would differ from NumPy.

NumPy refuses a number that an array cannot hold; Numba cuts it. NumPy keeps the type of an int8 array in `board + 1`, and wraps; Numba
widens it. `numpy_kinds.py` finds the type that NumPy would have; a result that does not fit into it raises here.
"""

import math
import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy
from numba import from_dtype, types

from outplay.compile.guard_messages import (
    BELOW_ZERO,
    FAR_SHIFT,
    NARROW,
    NEGATIVE_POWER,
    NEGATIVE_SHIFT,
    NO_OPERATOR,
    NOT_COUNTED,
    NOT_HELD,
    OTHER_TYPE,
    OVERLAP,
    SIGN,
    SMALL_FLOAT,
    TOO_LARGE,
)
from outplay.compile.kinds import Items, Kind, is_narrow, leaves, limits
from outplay.compile.large_ints import LEAST, MOST
from outplay.compile.numba_private import (
    LoweringError,
    cgutils,
    extents_may_overlap,
    get_array_memory_extents,
    ir,
    make_array,
)
from outplay.compile.numpy_kinds import NumpyKinds
from outplay.compile.primitives import BIT, WORD
from outplay.compile.read_only import HIDDEN, writes_items

BY_BYTES = ("view", "itemsize", "nbytes", "strides", "dtype")  # attributes of an array that depend on the size of its items
EXACT_FLOATS = 2**53  # ints up to this size become floats without loss

# Element-wise arithmetic that may outgrow the type of its items, as an expression of floats, which are wide enough.
EXACT: dict[Any, str] = {
    operator.add: "one + other",
    operator.sub: "one - other",
    operator.mul: "one * other",
    operator.floordiv: "one // other",
    operator.lshift: "one * 2.0 ** other",
    operator.pow: "one ** other",
    operator.neg: "-one",
    abs: "absolute(one)",
    numpy.square: "one * one",
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
    numpy.absolute: abs,
}
_REMAINDERS = (operator.mod, operator.imod, numpy.remainder, numpy.fmod, numpy.divmod)
_QUOTIENTS = (operator.floordiv, operator.ifloordiv, numpy.floor_divide)
_RIGHT_SHIFTS = (operator.rshift, operator.irshift, numpy.right_shift)


def arithmetic(operation: Any) -> Any:
    """Return the plain operator of an in-place operator or a NumPy function; None if the result cannot outgrow its type."""
    try:
        operation = _IN_PLACE.get(operation, _FUNCTIONS.get(operation, operation))
        return operation if operation in EXACT else None
    except TypeError:  # not hashable
        return None


def is_array_of_ints(kind: Any) -> bool:
    return isinstance(kind, types.Array) and isinstance(kind.dtype, (types.Integer, types.Boolean))


class ArrayGuards:
    """The part of `RuleLowering` that guards arrays and NumPy's ints. The attributes below are those that it uses of it."""

    wraps: bool
    uses_numpy: bool
    builder: Any
    context: Any
    loc: Any
    needs: Any
    typeof: Callable[[str], Any]
    loadvar: Callable[[str], Any]
    fail_if: Callable[..., None]
    _as: Callable[[str, Any], Any]
    _is_wide: Callable[[str], bool]

    @property
    def kinds(self) -> NumpyKinds:
        raise NotImplementedError

    # Numbers that are written into arrays.

    def _check_item(self, inst: Any) -> None:
        array = self.typeof(inst.target.name)
        if writes_items(array):
            raise LoweringError(HIDDEN, loc=self.loc)
        if isinstance(array, (types.Array, types.NumpyFlatType)):
            self._check_held(inst.value.name, array.dtype, self.kinds.of(inst.target.name) if self.uses_numpy else frozenset())

    def _check_held(self, name: str, dtype: Any, array: Kind = frozenset(), *, text: str = NOT_HELD) -> None:
        """Raise if *name*, a number, a tuple, a list or an array of floats, does not fit into an *array* of *dtype*."""
        kind = types.unliteral(self.typeof(name))
        if not isinstance(dtype, types.Integer) or self.wraps:
            return
        within = limits(array)
        smaller = within is not None and within[1] - within[0] < int(dtype.maxval) - int(dtype.minval)
        if within is not None and smaller:  # in NumPy the array has a smaller type
            dtype = from_dtype(numpy.dtype(within[2]))
        if not isinstance(dtype, types.Integer):
            return
        least, most = int(dtype.minval), min(int(dtype.maxval), MOST)
        item, depth = kind, 0
        while isinstance(item, (types.BaseTuple, types.List)):
            if isinstance(item, types.BaseTuple) and not isinstance(item, types.UniTuple):
                found = _common(list(item))
                kind = (
                    types.UniTuple(found, len(kind)) if depth == 0 and isinstance(found, (types.Integer, types.Float)) else kind
                )
                item = found
            else:
                item = item.dtype
            depth += 1
        if depth == 0 and isinstance(kind, types.Array):
            if isinstance(kind.dtype, types.Float):
                self._check_reals(name, kind, least, most, f"{text}: {dtype}")
            elif smaller and isinstance(kind.dtype, types.Integer):  # otherwise NumPy cuts ints in the same way
                self._fail_if_outside(self._as(name, kind), kind, least, most, str(dtype))
            return
        if isinstance(item, types.Integer) and not _may_be_outside(item, dtype):
            return
        if isinstance(item, types.Float):
            ends = types.float64, (_below(least), _above(most))
        elif isinstance(item, (types.Integer, types.Boolean)):
            ends = types.int64, (least, most)
        else:
            return
        made = [self.context.get_constant(ends[0], limit) for limit in ends[1]]
        lost = self.context.compile_internal(
            self.builder,
            _not_held(depth, real=isinstance(item, types.Float)),
            types.boolean(kind, ends[0], ends[0]),
            [self._as(name, kind), *made],
        )
        self.fail_if(lost, OverflowError, f"{text}: {dtype}")

    def _check_reals(self, name: str, kind: Any, least: int, most: int, text: str) -> None:
        """Raise if an item of the array *name*, of floats, is not a number that an int between *least* and *most* can be."""
        ends = [self.context.get_constant(types.float64, end) for end in (_below(least), _above(most))]
        lost = self.context.compile_internal(
            self.builder, _reals_outside, types.boolean(kind, types.float64, types.float64), [self._as(name, kind), *ends]
        )
        self.fail_if(lost, OverflowError, text)

    def _check_filled(self, expr: Any, function: Any, resty: Any) -> None:
        """Raise where np.full, np.array and their like, or fill or astype of an array, write a number that the array cannot hold."""
        named = {key: value.name for key, value in expr.kws}
        operands = [argument.name for argument in expr.args]
        method = self.needs.definition(expr.func.name)
        array = self.kinds.computed(expr, resty) if self.uses_numpy and isinstance(resty, types.Array) else None
        array = frozenset() if array is None else array
        if isinstance(method, ir.Expr) and method.op == "getattr" and isinstance(self.typeof(method.value.name), types.Array):
            if method.attr == "fill" and operands:
                own = self.kinds.of(method.value.name) if self.uses_numpy else frozenset()
                self._check_held(operands[0], self.typeof(method.value.name).dtype, own)
            elif method.attr == "astype" and isinstance(resty, types.Array):
                self._check_held(method.value.name, resty.dtype, array)
        elif isinstance(resty, types.Array) and function in (numpy.full, numpy.full_like):
            self._check_held(named.get("fill_value") or operands[1], resty.dtype, array)
        elif isinstance(resty, types.Array) and function in (numpy.array, numpy.asarray) and operands:
            self._check_held(operands[0], resty.dtype, array)
        elif function is numpy.fill_diagonal and len(operands) > 1:
            own = self.kinds.of(operands[0]) if self.uses_numpy else frozenset()
            self._check_held(operands[1], self.typeof(operands[0]).dtype, own)

    def _check_overlap(self, target: str, sources: list[str]) -> None:
        """Raise if the array *target* is written to while another part of its memory is read, by one of the *sources*."""
        builder, kind = self.builder, self.typeof(target)
        written = make_array(kind)(self.context, builder, value=self.loadvar(target))
        for name in sources:
            other = self.typeof(name)
            if name == target or not isinstance(other, types.Array) or not isinstance(kind, types.Array):
                continue
            read = make_array(other)(self.context, builder, value=self.loadvar(name))
            ends = []
            for array, own in ((written, kind), (read, other)):
                shape, strides = (cgutils.unpack_tuple(builder, part, own.ndim) for part in (array.shape, array.strides))
                ends += get_array_memory_extents(self.context, builder, own, array, shape, strides, array.data)
            address = builder.ptrtoint(read.data, WORD)
            same = builder.icmp_unsigned("==", builder.ptrtoint(written.data, WORD), address)
            if kind.ndim != other.ndim:
                same = BIT(0)
            else:
                for place in range(kind.ndim):
                    steps = [builder.extract_value(array.strides, place) for array in (written, read)]
                    same = builder.and_(same, builder.icmp_unsigned("==", *steps))
            overlap = extents_may_overlap(self.context, builder, *ends)
            self.fail_if(builder.and_(overlap, builder.not_(same)), ValueError, OVERLAP)

    # Ints of NumPy with less than 64 bits.

    def _check_items(self, operation: Any, operands: list[str], kind: Kind | None) -> None:
        """Raise where element-wise arithmetic, whose result is of that *kind*, would wrap in NumPy."""
        own = [types.unliteral(self.typeof(name)) for name in operands]
        arrays = tuple(isinstance(each, types.Array) for each in own)
        if operation is None or kind is None or self.wraps:
            return
        if not all(is_array_of_ints(each) or isinstance(each, (types.Integer, types.Boolean)) for each in own):
            return
        dtypes = {part.dtype if isinstance(part, Items) else part for part in leaves(kind)} - {None}
        if not dtypes or not all(dtype.kind in "iu" for dtype in dtypes):
            return
        if operation in (operator.pow, operator.lshift):
            self._check_amount(operation, operands[1], own[1], operands[0])
        low, high, name = limits(kind) or (LEAST, MOST, "")
        self._check_python_ints(operands, low, high, name)
        values = [self._as(operand, each) for operand, each in zip(operands, own, strict=True)]
        found = outside(operation, low, high, arrays)
        lost = self.context.compile_internal(self.builder, found, types.boolean(*own), values)
        self.fail_if(lost, OverflowError, f"{NARROW}: {name}" if name else TOO_LARGE)

    def _check_attribute(self, expr: Any) -> None:
        """Raise if *expr* reads an attribute that is not NumPy's, because Numba has wider items there."""
        name = expr.value.name
        own = self.typeof(name)
        if expr.attr in BY_BYTES and is_array_of_ints(own) and self.uses_numpy and not self.wraps:
            dtypes = {part.dtype for part in self.kinds.of(name) if isinstance(part, Items)}
            if any(from_dtype(dtype) != own.dtype for dtype in dtypes):
                raise LoweringError(OTHER_TYPE, loc=self.loc)

    def _check_amount(self, operation: Any, name: str, kind: Any, *others: str) -> None:
        """Raise if the ints *name* are no exponents or shifts of *others* that NumPy and Numba treat alike."""
        if isinstance(kind, types.Boolean) or (isinstance(kind, types.Array) and isinstance(kind.dtype, types.Boolean)):
            return
        power = operation is operator.pow
        array = isinstance(kind, types.Array)
        for text, test in ((NEGATIVE_POWER if power else NEGATIVE_SHIFT, _below_zero), (FAR_SHIFT, _too_far)):
            if not (power and text == FAR_SHIFT):
                found = self.context.compile_internal(
                    self.builder, test(array=array), types.boolean(kind), [self._as(name, kind)]
                )
                self.fail_if(found, ValueError, text, (*others, name))

    def _check_function(self, function: Any, operation: Any, operands: list[str]) -> None:
        """Raise where a function of NumPy, or an operator of arrays, refuses what Numba takes, or a processor cannot divide."""
        if operation in _REMAINDERS or (self.wraps and operation in _QUOTIENTS):
            self._check_quotient(operands[:2])
        if self.wraps or not operands:
            return
        kind = types.unliteral(self.typeof(operands[-1]))
        if operation in _RIGHT_SHIFTS and len(operands) == 2 and isinstance(getattr(kind, "dtype", kind), types.Integer):
            self._check_amount(operator.rshift, operands[1], kind, operands[0])
        if (
            function is numpy.sign
            and isinstance(getattr(kind, "dtype", kind), types.Integer)
            and not getattr(kind, "dtype", kind).signed
        ):
            raise LoweringError(SIGN, loc=self.loc)
        if function is numpy.bincount and is_array_of_ints(kind := self.typeof(operands[0])):
            found = self.context.compile_internal(
                self.builder, _below_zero(array=True), types.boolean(kind), [self._as(operands[0], kind)]
            )
            self.fail_if(found, ValueError, NOT_COUNTED)

    def _check_quotient(self, operands: list[str]) -> None:
        """Raise where the least int of a type may be divided by -1: the quotient does not fit, and a processor stops the process."""
        kinds = [types.unliteral(self.typeof(name)) for name in operands]
        dividend, divisor = (getattr(kind, "dtype", kind) for kind in kinds)
        if not all(isinstance(kind, types.Integer) and kind.signed for kind in (dividend, divisor)):
            return
        ranges = [self.needs.interval(name) for name in operands]
        values = int(dividend.minval), -1
        if any(each and not each[0] <= value <= each[1] for each, value in zip(ranges, values, strict=True)):
            return
        if divisor.bitwidth > dividend.bitwidth:  # both are widened
            return
        wrong = BIT(1)
        for name, kind, value in zip(operands, kinds, values, strict=True):
            found = _an_item_is if isinstance(kind, types.Array) else _number_is
            arguments = [self._as(name, kind), self.context.get_constant(types.int64, value)]
            has = self.context.compile_internal(self.builder, found, types.boolean(kind, types.int64), arguments)
            wrong = self.builder.and_(wrong, has)
        text = TOO_LARGE if dividend.bitwidth == 64 else f"{NARROW}: {dividend}"
        self.fail_if(wrong, OverflowError, text)

    def _check_python_ints(self, operands: list[str], low: int, high: int, name: str) -> None:
        """Raise if an operand that is Python's int does not fit into NumPy's type *name*: NumPy refuses it."""
        if name and name != "bool":
            for operand in operands:
                kind = types.unliteral(self.typeof(operand))
                fits = not isinstance(kind, types.Integer) or (low <= int(kind.minval) and int(kind.maxval) <= high)
                if not fits and None in self.kinds.of(operand):
                    self._fail_outside(self._as(operand, types.int64), low, high, name)

    def _checked_kind(self, result: Any, resty: Any, expr: Any, operands: list[str] | None = None) -> Any:
        """Return the *result* of *expr*; raise where NumPy would have another one, because its type is smaller."""
        if not self.uses_numpy or self.wraps:
            return result
        if self.kinds.refused(expr):
            self.fail_if(BIT(1), TypeError, NO_OPERATOR)
        kind = self.kinds.computed(expr, resty)
        if kind is None:
            return result
        if operands and not isinstance(resty, types.Float) and (within := limits(kind)) is not None:
            self._check_python_ints(operands, *within)
        self._check_fit(result, types.unliteral(resty), kind)
        return result

    def _check_fit(self, result: Any, resty: Any, kind: Kind) -> None:
        """Raise if *result*, of the Numba type *resty*, does not fit into the types of *kind*."""
        if isinstance(resty, types.BaseTuple) and isinstance(kind, tuple) and len(kind) == len(resty):
            for place, (item, part) in enumerate(zip(resty, kind, strict=True)):
                self._check_fit(self.builder.extract_value(result, place), item, part)
            return
        own = resty.dtype if isinstance(resty, types.Array) else resty
        if not isinstance(own, (types.Integer, types.Float)) or not isinstance(kind, frozenset):
            return
        self._refuse_other_types(own, kind)
        within = limits(kind)
        if within is None:
            return
        low, high, name = within
        if isinstance(resty, types.Float):  # an int in NumPy, if a variable that is a float here is an int there
            fits = self.builder.and_(
                self.builder.fcmp_ordered(">=", result, result.type(low)),
                self.builder.fcmp_ordered("<=", result, result.type(high)),
            )
            self.fail_if(self.builder.not_(fits), OverflowError, f"{NARROW}: {name}")
            return
        if not isinstance(own, types.Integer):
            return
        if low <= int(own.minval) and int(own.maxval) <= high:
            return
        if isinstance(resty, types.Integer):
            self._fail_outside(self.context.cast(self.builder, result, resty, types.int64), low, high, name)
        else:
            self._fail_if_outside(result, resty, low, high, name)

    def _fail_if_outside(self, array: Any, kind: Any, low: int, high: int, name: str) -> None:
        """Raise if an item of *array*, ints of the Numba type *kind*, does not lie between *low* and *high*, the limits of the type *name*."""
        ends = [self.context.get_constant(types.int64, end) for end in (low, min(high, MOST))]
        signature = types.boolean(kind, types.int64, types.int64)
        lost = self.context.compile_internal(self.builder, _ints_outside, signature, [array, *ends])
        self.fail_if(lost, OverflowError, f"{NARROW}: {name}")

    def _refuse_other_types(self, own: Any, kind: Kind) -> None:
        """Raise if NumPy has a float where Numba has an int, or the reverse, or more bits than Numba."""
        dtypes = {part.dtype if isinstance(part, Items) else part for part in kind} - {None}
        if any(is_narrow(dtype) and dtype.kind == "f" for dtype in dtypes):
            raise LoweringError(SMALL_FLOAT, loc=self.loc)
        if isinstance(own, types.Float):
            other = bool(dtypes) and None not in kind and all(dtype.kind in "iu" for dtype in dtypes)
        else:
            other = any(dtype.kind == "f" or (dtype.kind in "iu" and 8 * dtype.itemsize > own.bitwidth) for dtype in dtypes)
        if other:
            raise LoweringError(OTHER_TYPE, loc=self.loc)

    def _fail_outside(self, value: Any, low: int, high: int, name: str) -> None:
        """Raise if *value*, 64 bits, does not lie between *low* and *high*, the limits of the type *name*."""
        lost = self.builder.or_(
            self.builder.icmp_signed("<", value, WORD(low)), self.builder.icmp_signed(">", value, WORD(min(high, MOST)))
        )
        self.fail_if(lost, OverflowError, BELOW_ZERO if name == "uint64" else f"{NARROW}: {name}")


def _common(items: list[Any]) -> Any:
    """Return a type for all *items*, types of a tuple: that of an int or a float if they are numbers, otherwise the first."""
    if not all(isinstance(item, (types.Integer, types.Boolean, types.Float)) for item in items) or not items:
        return items[0] if items else types.none
    return types.float64 if any(isinstance(item, types.Float) for item in items) else types.int64


def _may_be_outside(item: Any, dtype: Any) -> bool:
    """Return whether an int of type *item* may not fit into the int type *dtype*."""
    return bool(int(item.minval) < int(dtype.minval) or int(item.maxval) > int(dtype.maxval))


def _below(least: int) -> float:
    """Return the largest float that becomes an int below *least*, or the smallest that becomes *least* where there is none between."""
    return float(least - 1) if abs(least) < EXACT_FLOATS else math.nextafter(float(least), -math.inf)


def _above(most: int) -> float:
    return float(most + 1)


@cache
def _not_held(depth: int, *, real: bool) -> Callable[..., Any]:
    """Return a function for Numba: whether a number in tuples or lists, *depth* deep, does not fit between two limits."""
    name = f"not_held_{depth}_{'real' if real else 'whole'}"
    inside = "least < part_{0} and part_{0} < most" if real else "least <= part_{0} and part_{0} <= most"
    lines = [f"def {name}(part_0, least, most):"]
    lines += [f"{'    ' * (level + 1)}for part_{level + 1} in part_{level}:" for level in range(depth)]
    lines.append(f"{'    ' * (depth + 1)}if not ({inside.format(depth)}):")
    lines += [f"{'    ' * (depth + 2)}return True", "    return False\n"]
    scope: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<outplay items>", "exec"), scope)
    made: Callable[..., Any] = scope[name]
    return made


def _reals_outside(items, below, above):  # type: ignore[no-untyped-def]
    for item in items.flat:
        if not (below < item and item < above):
            return True
    return False


def _ints_outside(items, least, most):  # type: ignore[no-untyped-def]
    for item in items.flat:
        if item < least or item > most:
            return True
    return False


def _an_item_is(items, value):  # type: ignore[no-untyped-def]
    for item in items.flat:
        if item == value:
            return True
    return False


def _number_is(number, value):  # type: ignore[no-untyped-def]
    return number == value


def _below_zero(*, array: bool) -> Callable[..., Any]:
    return _an_item_below_zero if array else _number_below_zero


def _too_far(*, array: bool) -> Callable[..., Any]:
    return _an_item_too_far if array else _number_too_far


def _an_item_below_zero(items):  # type: ignore[no-untyped-def]
    for item in items.flat:
        if item < 0:
            return True
    return False


def _an_item_too_far(items):  # type: ignore[no-untyped-def]
    for item in items.flat:
        if item > 63:
            return True
    return False


def _number_below_zero(number):  # type: ignore[no-untyped-def]
    return number < 0


def _number_too_far(number):  # type: ignore[no-untyped-def]
    return number > 63


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
    text = f"def {name}({', '.join(names)}):\n{''.join(made)}    exact = {EXACT[operation]}\n" + (
        f"    return exact.size > 0 and not (exact.min() >= {lowest} and exact.max() <= {highest})\n"
        if any(arrays)
        else f"    return not ({lowest} <= exact and exact <= {highest})\n"
    )
    scope: dict[str, Any] = {"real": numpy.float64, "absolute": numpy.absolute}
    exec(compile(text, "<outplay arrays>", "exec"), scope)
    made_function: Callable[..., Any] = scope[name]
    return made_function
