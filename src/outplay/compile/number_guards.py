"""Guards of numbers: rules raise where a machine's ints and floats differ from Python's, or compute as Python does.

Python's ints have no end, compiled ints have 64 bits: Numba lets them wrap, and shifts by any amount. `needed_bits.py` says which ints
may wrap. A shift by a constant is not tested.
"""

import operator
from typing import Any

from numba import types

from outplay.compile.array_guards import EXACT_FLOATS, ArrayGuards
from outplay.compile.float_sums import compensated_sum, total_of
from outplay.compile.guard_messages import (
    BELOW_ZERO,
    HANDED,
    NARROW,
    NEGATIVE_POWER,
    NEGATIVE_SHIFT,
    NOT_ALIKE,
    NOT_EXACT,
    NOT_OF_A_BOOL,
    NOT_REAL,
    NOT_ROUNDED,
    OTHER_SUM,
    TOO_LARGE,
)
from outplay.compile.kinds import PYTHONS, any_item, limits
from outplay.compile.large_ints import LEAST, MOST
from outplay.compile.needed_bits import operands_of
from outplay.compile.numba_private import Lower, LoweringError, cgutils
from outplay.compile.numpy_kinds import total_kind
from outplay.compile.primitives import BIT, WORD
from outplay.compile.python_arithmetic import (
    checked_power,
    checked_sum,
    checked_unsigned_sum,
    exact_quotient,
    exact_rounding,
    numpys_rounding,
)
from outplay.compile.rows import RowType

ZERO = WORD(0)
DIVIDING = (operator.floordiv, operator.truediv, operator.mod)
COMPARING = {operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!="}
OUR_NAMES = "outplay_"  # names that `rewrite.py` gives


class NumberGuards(ArrayGuards, Lower):  # type: ignore[misc]
    """The part of `RuleLowering` that guards numbers."""

    def _lower_numbers(self, resty: Any, expr: Any, op: Any, signature: Any, operands: list[str]) -> Any:
        needed = self._needed(operands)
        if op in DIVIDING:
            self._check_divisor(expr, signature, op, needed=needed)
            if op is operator.truediv and isinstance(resty, types.Float) and all(map(self._is_wide, operands)):
                return self._lower_quotient(super().lower_binop(resty, expr, op), resty, operands)
        elif isinstance(signature.return_type, types.Float):
            result = super().lower_binop(resty, expr, op)
            return self._checked_real(result, resty, operands) if op is operator.pow else result
        elif op in (operator.lshift, operator.rshift, operator.pow):
            return self._lower_shift_or_power(resty, expr, op, signature, needed=needed)
        elif op in (operator.add, operator.sub, operator.mul) and needed:
            return self._lower_overflowing(resty, expr, op, signature)
        elif op is operator.and_:
            self._check_mask(expr)
        elif op in (operator.or_, operator.xor) and needed and not signature.return_type.signed:
            for name, value in zip(operands, self._values(expr, (types.int64, types.int64)), strict=True):
                if getattr(self.typeof(name), "signed", False):  # Python's result would be below 0
                    self._fail_wrapped(self.builder.icmp_signed("<", value, ZERO), BELOW_ZERO)
        return super().lower_binop(resty, expr, op)

    def _needed(self, operands: list[str]) -> bool:
        """Return whether all bits of what is computed from *operands*, and assigned next, matter."""
        if self.wraps or any(name.startswith(OUR_NAMES) for name in operands):
            return False
        if self._target not in self.needs.needed and self._target not in self.needs.watched:
            return False
        interval = self.needs.interval(self._target)
        return interval is None or not LEAST <= interval[0] <= interval[1] <= MOST

    def _fail_wrapped(self, lost: Any, text: str) -> None:
        """Raise if an int has *lost* bits; if it is watched, only note it."""
        if self._target in self.needs.needed:
            self.fail_if(lost, OverflowError, text)
            return
        note = self._note(self._target)
        self.builder.store(self.builder.or_(self.builder.load(note), lost), note)

    def _note(self, name: str) -> Any:
        """Return where it is noted that the watched int *name* has wrapped, or is made of one that has."""
        if name not in self.notes:
            self.notes[name] = cgutils.alloca_once(self.builder, BIT)  # 0 at the start of the function
        return self.notes[name]

    def _check_mask(self, expr: Any) -> None:
        """Raise if an int has wrapped whose high bits matter, because its mask is below 0."""
        masked = self.needs.masked(expr)
        if self.wraps or not masked or masked[0] not in self.needs.watched or self._target not in self.needs.needed:
            return  # where only the low bits of the result are used, too, a mask further on decides
        mask = next(name for name in operands_of(expr) if name != masked[0])
        negative = self.builder.icmp_signed("<", self._as(mask, types.int64), ZERO)
        self.fail_if(self.builder.and_(self.builder.load(self._note(masked[0])), negative), OverflowError, TOO_LARGE)

    def _check_becomes_float(self, name: str, kind: Any) -> None:
        """Raise where the int *name* becomes a float, its *kind* from here on, and the float has another value.

        It becomes one if the variable, or what a function returns, is a float on another path.
        """
        own, interval = types.unliteral(self.typeof(name)), self.needs.interval(name)
        if self.wraps or not isinstance(kind, types.Float) or not isinstance(own, types.Integer):
            return
        if self.uses_numpy and self.kinds.has_narrow(name):
            raise LoweringError(HANDED, loc=self.loc)
        if own.bitwidth == 64 and not (interval and -EXACT_FLOATS <= interval[0] <= interval[1] <= EXACT_FLOATS):
            self._fail_inexact(self._as(name, types.int64))

    def _fail_inexact(self, value: Any) -> None:
        """Raise if *value*, an int, may be another number as a float."""
        beyond = (
            self.builder.icmp_signed(">", value, WORD(EXACT_FLOATS)),
            self.builder.icmp_signed("<", value, WORD(-EXACT_FLOATS)),
        )
        self.fail_if(self.builder.or_(*beyond), OverflowError, NOT_EXACT)

    def _values(self, expr: Any, kinds: Any) -> list[Any]:
        return [
            self.context.cast(self.builder, self.loadvar(variable.name), self.typeof(variable.name), kind)
            for variable, kind in zip((expr.lhs, expr.rhs), kinds, strict=True)
        ]

    def _lower_quotient(self, plain: Any, resty: Any, operands: list[str]) -> Any:
        """Return the quotient of two ints. *plain* rounds those beyond 2**53 before it divides; Python rounds once.

        So does NumPy, as soon as one of them is its own.
        """
        wide = [name for name in operands if not self._is_exact(name)]
        if self.wraps or not wide:
            return plain
        values = [self._as(name, types.int64) for name in operands]
        beyond: Any = BIT(0)
        for name in wide:  # one comparison: a number between -2**53 and 2**53 is from 0 to 2**54 if 2**53 is added
            moved = self.builder.add(self._as(name, types.int64), WORD(EXACT_FLOATS))
            beyond = self.builder.or_(beyond, self.builder.icmp_unsigned(">", moved, WORD(2 * EXACT_FLOATS)))
        if self.uses_numpy and any(map(self.kinds.may_be_numpys, operands)):
            if any(None not in self.kinds.of(name) for name in operands):  # NumPy's in any case
                return plain
            self.fail_if(beyond, OverflowError, NOT_EXACT)
            return plain
        result = cgutils.alloca_once_value(self.builder, plain)
        with cgutils.if_unlikely(self.builder, beyond):
            exact = self.context.compile_internal(self.builder, exact_quotient, types.float64(types.int64, types.int64), values)
            self.builder.store(self.context.cast(self.builder, exact, types.float64, resty), result)
        return self.builder.load(result)

    def _is_exact(self, name: str) -> bool:
        """Return whether the int *name* is certainly the same number as a float."""
        interval = self.needs.interval(name)
        return bool(interval) and -EXACT_FLOATS <= interval[0] <= interval[1] <= EXACT_FLOATS

    def _check_divisor(self, expr: Any, signature: Any, op: Any, *, needed: bool) -> None:
        constant, interval = self.needs.constant(expr.rhs.name), self.needs.interval(expr.rhs.name)
        if op is operator.floordiv and needed and isinstance(signature.return_type, types.Integer):
            self._check_least_int(expr.lhs.name, expr.rhs.name)
        if (isinstance(constant, float) and constant) or (interval and not interval[0] <= 0 <= interval[1]):
            return
        self._check_zero([expr.lhs.name, expr.rhs.name], signature.args[1])

    def _check_zero(self, operands: list[str], kind: Any) -> None:
        """Raise if the second of the *operands*, the divisor, is 0 as a number of that *kind*."""
        if isinstance(kind, (types.Integer, types.Float, types.Boolean)):
            divisor = self._as(operands[1], kind)
            compare = self.builder.fcmp_ordered if isinstance(kind, types.Float) else self.builder.icmp_signed
            self.fail_if(compare("==", divisor, divisor.type(0)), ZeroDivisionError, "division by zero", operands)

    def _check_least_int(self, dividend: str, divisor: str) -> None:
        """Raise where -2**63 is divided by -1."""
        names = (dividend, divisor)
        for name, limit in zip(names, (LEAST, -1), strict=True):
            interval = self.needs.interval(name)
            if not self._is_wide(name) or (interval and not interval[0] <= limit <= interval[1]):
                return
        left, right = (self._as(name, types.int64) for name in names)
        lost = self.builder.and_(
            self.builder.icmp_signed("==", left, WORD(LEAST)), self.builder.icmp_signed("==", right, WORD(-1))
        )
        self.fail_if(lost, OverflowError, TOO_LARGE)

    def _is_wide(self, name: str) -> bool:
        kind = self.typeof(name)
        return isinstance(kind, types.Integer) and kind.signed and kind.bitwidth == 64

    def _as(self, name: str, kind: Any) -> Any:
        return self.context.cast(self.builder, self.loadvar(name), self.typeof(name), kind)

    def _lower_comparison(self, resty: Any, expr: Any, op: Any) -> Any:
        """Compare an int and a float as Python does: exactly. A machine would make the int a float first."""
        plain = super().lower_binop(resty, expr, op)
        sides = [expr.lhs.name, expr.rhs.name]
        whole = [name for name in sides if self._is_wide(name)]
        real = [name for name in sides if isinstance(self.typeof(name), types.Float)]
        if len(whole) != 1 or len(real) != 1:
            return plain
        constant, interval = self.needs.constant(real[0]), self.needs.interval(whole[0])
        if (isinstance(constant, float) and abs(constant) < EXACT_FLOATS) or (
            interval and -EXACT_FLOATS <= interval[0] <= interval[1] <= EXACT_FLOATS
        ):
            return plain
        builder, left, right = self.builder, self._as(whole[0], types.int64), self._as(real[0], types.float64)
        if self.uses_numpy and self.kinds.may_be_numpys(whole[0]) and not self.wraps:  # NumPy makes the int a float
            self._fail_inexact(left)
        near = builder.fcmp_ordered("==", builder.sitofp(left, right.type), right)
        beyond = builder.fcmp_ordered(">=", right, right.type(2.0**63))
        there = builder.fptosi(builder.select(builder.and_(near, builder.not_(beyond)), right, right.type(0.0)), WORD)
        sign = COMPARING[op]
        if sides[0] != whole[0]:
            sign = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)
        exact = builder.select(beyond, BIT(sign in ("<", "<=", "!=")), builder.icmp_signed(sign, left, there))
        return builder.select(near, exact, plain)

    def _within(self, value: Any, least: float, most: float) -> Any:
        return self.builder.and_(
            self.builder.fcmp_ordered(">=", value, value.type(least)), self.builder.fcmp_ordered("<=", value, value.type(most))
        )

    def _lower_overflowing(self, resty: Any, expr: Any, op: Any, signature: Any) -> Any:
        kind = signature.return_type
        left, right = self._values(expr, (kind, kind))
        sign = "s" if kind.signed else "u"
        pair = getattr(self.builder, f"{sign}{op.__name__}_with_overflow")(left, right)
        lost = self.builder.extract_value(pair, 1)
        self._fail_wrapped(lost, TOO_LARGE if kind.signed else BELOW_ZERO)
        return self.context.cast(self.builder, self.builder.extract_value(pair, 0), kind, resty)

    def _lower_shift_or_power(self, resty: Any, expr: Any, op: Any, signature: Any, *, needed: bool) -> Any:
        needed = needed and op is not operator.rshift
        amount = self.needs.interval(expr.rhs.name)
        simple = op is not operator.pow and amount is not None and 0 <= amount[0] <= amount[1] < 64
        if (simple and not needed) or signature.return_type.bitwidth != 64:
            return super().lower_binop(resty, expr, op)
        kind = types.int64 if signature.return_type.signed else types.uint64
        left, right = self._values(expr, (kind, types.int64))
        if op is operator.pow:
            return self._lower_power(resty, left, right, kind, needed=needed)
        builder = self.builder
        result = cgutils.alloca_once(builder, WORD)
        with builder.if_else(builder.icmp_unsigned("<", right, WORD(64)), likely=True) as (then, otherwise):
            with then:
                shift = builder.shl if op is operator.lshift else builder.ashr if kind.signed else builder.lshr
                value = shift(left, right)
                if needed:
                    back = (builder.ashr if kind.signed else builder.lshr)(value, right)
                    self._fail_wrapped(builder.icmp_signed("!=", back, left), TOO_LARGE)
                builder.store(value, result)
            with otherwise:
                self.fail_if(builder.icmp_signed("<", right, ZERO), ValueError, NEGATIVE_SHIFT, (expr.lhs.name, expr.rhs.name))
                if needed:
                    self._fail_wrapped(builder.icmp_signed("!=", left, ZERO), TOO_LARGE)
                far = builder.ashr(left, WORD(63)) if op is operator.rshift and kind.signed else ZERO
                builder.store(far, result)
        return self.context.cast(builder, builder.load(result), kind, resty)

    def _lower_power(self, resty: Any, base: Any, exponent: Any, kind: Any, *, needed: bool) -> Any:
        builder = self.builder
        self.fail_if(builder.icmp_signed("<", exponent, ZERO), ValueError, NEGATIVE_POWER)
        pair = types.UniTuple(kind, 2)
        found = self.context.compile_internal(builder, checked_power, pair(kind, types.int64), (base, exponent))
        value, lost = (builder.extract_value(found, place) for place in (0, 1))
        if needed:
            self._fail_wrapped(builder.icmp_signed("!=", lost, ZERO), TOO_LARGE)
        return self.context.cast(builder, value, kind, resty)

    def _as_python(self, result: Any, resty: Any, expr: Any) -> Any:
        """Return `-` or `~` of an int of less than 64 bits, of which Numba's *result* has as many bits as the operand.

        That is NumPy's. Python's has more.
        """
        name = expr.value.name
        if self.uses_numpy and None not in self.kinds.of(name):
            return result
        value = self._as(name, types.int64)
        value = self.builder.neg(value) if expr.fn is operator.neg else self.builder.not_(value)
        whole = self.context.cast(self.builder, value, types.int64, resty)
        if self.uses_numpy and self.kinds.may_be_numpys(name) and not self.wraps:  # on one path Python's, on another NumPy's
            self.fail_if(self.builder.icmp_signed("!=", whole, result), OverflowError, f"{NARROW}: {self.typeof(name)}")
        return whole

    def _check_unary(self, expr: Any) -> None:
        name, kind = expr.value.name, types.unliteral(self.typeof(expr.value.name))
        if isinstance(kind, types.Boolean) and expr.fn is operator.invert and not self.wraps:
            if None in self.kinds.of(name):
                self.fail_if(BIT(1), TypeError, NOT_OF_A_BOOL)
        elif isinstance(kind, types.Integer) and expr.fn in (operator.neg, operator.invert) and self._needed([name]):
            if kind.signed and kind.bitwidth == 64 and expr.fn is operator.neg:
                self._fail_wrapped(self.builder.icmp_signed("==", self._as(name, kind), WORD(LEAST)), TOO_LARGE)
            elif not kind.signed:
                value = self._as(name, types.uint64)
                wrong = BIT(1) if expr.fn is operator.invert else self.builder.icmp_signed("!=", value, ZERO)
                self._fail_wrapped(wrong, BELOW_ZERO)

    def _check_cast(self, expr: Any, name: str, resty: Any) -> None:
        """Raise where a call such as np.int8(number) or math.floor(number) would lose bits of an int."""
        if isinstance(self.typeof(expr.func.name), types.NumberClass):
            self._check_held(name, resty, text=NARROW)
        elif self._is_of_math(expr, None) and self._is_wide(name):  # Numba makes it a float
            value = self._as(name, types.float64)
            exact = self._within(value, 1.0 - EXACT_FLOATS, EXACT_FLOATS - 1.0)  # what is beyond was perhaps rounded
            self.fail_if(self.builder.not_(exact), OverflowError, TOO_LARGE)

    def _lower_rounding(self, resty: Any, operands: list[str]) -> Any:
        """Return round(number, digits) as Python computes it; Numba's would round 64.45 to 64.4."""
        pair = types.Tuple((types.float64, types.int64))
        values = self._as(operands[0], types.float64), self._as(operands[1], types.int64)
        found = self.context.compile_internal(self.builder, exact_rounding, pair(types.float64, types.int64), values)
        value, lost = (self.builder.extract_value(found, place) for place in (0, 1))
        self.fail_if(self.builder.icmp_signed("!=", lost, ZERO), OverflowError, NOT_ROUNDED)
        if self.kinds.may_be_numpys(operands[0]):
            other = self.context.compile_internal(
                self.builder, numpys_rounding, types.float64(types.float64, types.int64), values
            )
            self.fail_if(self.builder.fcmp_unordered("!=", value, other), ValueError, NOT_ALIKE)
        return self.context.cast(self.builder, value, types.float64, resty)

    def _lower_total(self, resty: Any, operands: list[str]) -> Any:
        """Return a guarded sum(...) of ints; None where Numba's own is right."""
        kind, items, least, most = self.typeof(operands[0]), None, LEAST, MOST
        if isinstance(kind, types.BaseTuple) and len(kind):
            if all(isinstance(item, (types.Integer, types.Boolean)) for item in kind):
                items = types.UniTuple(types.int64, len(kind))
        elif isinstance(kind, (types.RangeType, RowType)) or (
            isinstance(kind, (types.Array, types.List)) and getattr(kind, "ndim", 1) == 1 and _summable(kind.dtype)
        ):
            items = kind
        if items is None or not all(isinstance(self.typeof(name), (types.Integer, types.Boolean)) for name in operands[1:]):
            return None
        start = self._as(operands[1], types.int64) if len(operands) > 1 else ZERO
        name = ""
        if self.uses_numpy:
            made = total_kind(any_item(self.kinds.of(operands[0])), self.kinds.of(operands[1]) if len(operands) > 1 else PYTHONS)
            least, most, name = limits(made) or (LEAST, MOST, "")
            most = min(most, MOST)
        unsigned = isinstance(getattr(items, "dtype", None), types.Integer) and not items.dtype.signed
        pair = types.UniTuple(types.int64, 2)
        found = self.context.compile_internal(
            self.builder,
            checked_unsigned_sum if unsigned else checked_sum,
            pair(items, types.int64, types.int64, types.int64),
            (self._as(operands[0], items), start, WORD(least), WORD(most)),
        )
        value, lost = (self.builder.extract_value(found, place) for place in (0, 1))
        text = f"{NARROW}: {name}" if name else TOO_LARGE
        self.fail_if(self.builder.icmp_signed("!=", lost, ZERO), OverflowError, text)
        return self.context.cast(self.builder, value, types.int64, resty)

    def _lower_float_sum(self, resty: Any, expr: Any, function: Any, operands: list[str]) -> Any:
        """Return a sum, a mean or a deviation of NumPy's floats, added in NumPy's order; None where Numba's own is right."""
        called, arguments = self.typeof(expr.func.name), len(expr.args) + len(expr.kws)
        method = ""
        if isinstance(called, types.BoundFunction):
            key, kind = called.template.key, called.this  # "array.sum", or (Array, "sum")
            method = key[1] if isinstance(key, tuple) else str(key).rpartition(".")[2]
        elif operands:
            kind = types.unliteral(self.typeof(operands[0]))
        else:
            return None
        found = total_of(function, method, kind, alone=arguments == (0 if method else 1))
        if found == OTHER_SUM:
            raise LoweringError(OTHER_SUM, loc=self.loc)
        if found is None or self.wraps or not isinstance(resty, types.Float):
            return None
        array = self.loadvar(expr.func.name) if method else self._as(operands[0], kind)
        total = self.context.compile_internal(self.builder, found, types.float64(kind), [array])
        return self.context.cast(self.builder, total, types.float64, resty)

    def _lower_compensated_sum(self, resty: Any, operands: list[str]) -> Any:
        """Return a sum(...) of the floats of a list or a tuple; None where Numba's own is right. An array has no floats of Python."""
        kind = types.unliteral(self.typeof(operands[0]))
        if not isinstance(kind, (types.List, types.UniTuple, RowType)) or not isinstance(kind.dtype, types.Float):
            return None
        start = self._as(operands[1], types.float64) if len(operands) > 1 else self.context.get_constant(types.float64, 0.0)
        from_int = len(operands) < 2 or not isinstance(self.typeof(operands[1]), types.Float)
        total = self.context.compile_internal(
            self.builder, compensated_sum, types.float64(kind, types.float64, types.boolean),
            [self._as(operands[0], kind), start, self.context.get_constant(types.boolean, from_int)],
        )  # fmt: skip
        return self.context.cast(self.builder, total, types.float64, resty)

    def _is_of_math(self, expr: Any, function: Any) -> bool:
        kind = self.typeof(expr.func.name)
        return getattr(getattr(kind, "typing_key", function), "__module__", "") == "math"

    def _check_whole(self, name: str) -> None:
        value = self.context.cast(self.builder, self.loadvar(name), self.typeof(name), types.float64)
        most = value.type(2.0**63)
        fits = self.builder.and_(
            self.builder.fcmp_ordered("<", value, most), self.builder.fcmp_ordered(">=", value, value.type(-(2.0**63)))
        )
        self.fail_if(self.builder.not_(fits), OverflowError, TOO_LARGE)

    def _checked_real(self, result: Any, resty: Any, arguments: list[str]) -> Any:
        """Return *result*; raise where finite *arguments* give none that is finite, as Python does."""
        real = self.context.cast(self.builder, result, resty, types.float64)
        wrong = self.builder.not_(self._finite(real))
        for name in arguments:
            if isinstance(self.typeof(name), types.Float):
                value = self.context.cast(self.builder, self.loadvar(name), self.typeof(name), types.float64)
                wrong = self.builder.and_(wrong, self._finite(value))
        self.fail_if(wrong, ValueError, NOT_REAL, arguments)
        return result

    def _finite(self, value: Any) -> Any:
        return self.builder.fcmp_ordered("==", self.builder.fsub(value, value), value.type(0.0))


def _summable(kind: Any) -> bool:
    return isinstance(kind, (types.Boolean, types.Integer))
