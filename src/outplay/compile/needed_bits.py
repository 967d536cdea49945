"""Which ints of a rule need all their bits: a guard of the others would cost time for nothing.

An int may wrap where its high bits do not matter: in `board << 7 & FULL` only the low bits are used. So `NeededBits` looks
backwards from where an int is used. `+`, `-`, `*`, `<<`, `|`, `^` and `~` pass the need for all bits on to their operands,
and `&` with a mask ends it. A mask that is written as `~...`, `-...` or a difference other than `(1 << n) - 1` is none. Where a
mask may be below 0 otherwise, the ints that it masks are *watched*: that one of them has wrapped is noted, and raises at the mask.
"""

import operator
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from numba import types

from outplay.compile.large_ints import MOST
from outplay.compile.numba_private import ir
from outplay.compile.primitives import count, lowest

PASSING = (operator.add, operator.sub, operator.mul, operator.lshift, operator.or_, operator.xor)
GROWING = (operator.add, operator.sub, operator.mul, operator.lshift, operator.pow)
BITS = (0, 64)  # what count and lowest return
DEEP = 40  # definitions that are followed to find an interval

Interval = tuple[int, int]


def operation_of(value: Any) -> Any:
    """Return the operator of an expression, of `a += b` that of `a + b`, or None."""
    if not isinstance(value, ir.Expr):
        return None
    return {"binop": lambda: value.fn, "inplace_binop": lambda: value.immutable_fn, "unary": lambda: value.fn}.get(
        value.op, lambda: None
    )()


def operands_of(value: Any) -> list[str]:
    return [value.value.name] if value.op == "unary" else [value.lhs.name, value.rhs.name]


class NeededBits:
    """Which variables of a function need all their bits, and between which values they lie."""

    def __init__(self, blocks: dict[int, Any], typeof: Callable[[str], Any], lasting: frozenset[str] = frozenset()) -> None:
        """Look at the *blocks* of a function; the variables *lasting* are kept while a generator waits, but notes are not."""
        self.typeof = typeof
        self.definitions: dict[str, list[Any]] = defaultdict(list)
        self.intervals: dict[str, Interval | None] = {}
        self.needed: set[str] = set()
        self.watched: set[str] = set()  # they may wrap if a mask is 0 or more
        for block in blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Assign):
                    self.definitions[statement.target.name].append(statement.value)
        self.grown = self._grown()
        self._need([name for block in blocks.values() for statement in block.body for name in self._used(statement)])
        self._watch()
        while missed := self.watched & lasting:
            self._need(list(missed))
            self._watch()

    def _need(self, waiting: list[str]) -> None:
        while waiting:
            name = waiting.pop()
            if name not in self.needed:
                self.needed.add(name)
                for value in self.definitions[name]:
                    waiting += self.passed_on(value)

    def _watch(self) -> None:
        self.watched = set()
        waiting = [name for needed in self.needed for value in self.definitions[needed] for name in self.masked(value)]
        while waiting:
            name = waiting.pop()
            if name not in self.needed and name not in self.watched:
                self.watched.add(name)
                for value in self.definitions[name]:
                    waiting += [*self.passed_on(value), *self.masked(value)]

    def masked(self, value: Any) -> list[str]:
        """Return the operand of `&` of which only some bits count if the other one, the mask, is 0 or more; [] if that is sure."""
        if operation_of(value) is not operator.and_:
            return []
        passed, operands = self.passed_on(value), operands_of(value)
        if len(passed) != 1 or not self._may_be_negative(passed[0]):
            return []
        return operands[:1] if passed[0] == operands[1] else operands[1:]

    def _may_be_negative(self, name: str) -> bool:
        kind, interval = self.typeof(name), self.interval(name)
        signed = isinstance(kind, types.Integer) and kind.signed
        return signed and (interval is None or interval[0] < 0)

    def constant(self, name: str) -> Any:
        """Return the constant that *name* is, or None."""
        found = self.definition(name)
        return found.value if isinstance(found, (ir.Const, ir.Global, ir.FreeVar)) else None

    def interval(self, name: str, within: frozenset[str] = frozenset()) -> Interval | None:
        """Return the least and the largest value that *name* can have, or None if that is not known."""
        if name not in self.intervals:
            found: Interval | None = None
            if name not in within and len(within) < DEEP and self.definitions[name]:
                parts = [self._interval_of(value, within | {name}) for value in self.definitions[name]]
                if all(parts):
                    found = min(part[0] for part in parts if part), max(part[1] for part in parts if part)
            if within:
                return found  # inside a loop that is not understood another way may lead to it
            self.intervals[name] = found
        return self.intervals[name]

    def _interval_of(self, value: Any, within: frozenset[str]) -> Interval | None:
        if isinstance(value, ir.Var):
            return self.interval(value.name, within)
        if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
            return (int(value.value), int(value.value)) if isinstance(value.value, int) else None
        if isinstance(value, ir.Expr) and value.op == "pair_first":
            return self._interval_of_items(value, within)
        if isinstance(value, ir.Expr) and value.op == "call":
            return BITS if self.constant(value.func.name) in (count, lowest) else None
        operation = operation_of(value)
        if operation is operator.and_:
            sides = [self.interval(name, within) for name in operands_of(value)]
            masks = [side[1] for side in sides if side and side[0] >= 0]
            return (0, min(masks)) if masks else None
        if operation in (operator.add, operator.sub, operator.mul, operator.floordiv):
            left, right = (self.interval(name, within) for name in operands_of(value))
            if left and right and (operation is not operator.floordiv or right[0] > 0):
                ends = [operation(one, other) for one in left for other in right]
                return min(ends), max(ends)
        if operation in (operator.lshift, operator.rshift):
            left, right = (self.interval(name, within) for name in operands_of(value))
            if left and right and 0 <= right[0] <= right[1] < 64:
                ends = [operation(one, other) for one in left for other in right]
                return min(ends), max(ends)
        if operation in (operator.or_, operator.xor):
            sides = [self.interval(name, within) for name in operands_of(value)]
            if all(side and side[0] >= 0 for side in sides):
                return 0, (1 << max(side[1].bit_length() for side in sides if side)) - 1
        if operation is operator.mod:
            divisor = self.interval(value.rhs.name, within)
            return (0, divisor[1] - 1) if divisor and divisor[0] > 0 else None
        return None

    def _interval_of_items(self, value: Any, within: frozenset[str]) -> Interval | None:
        """Return the interval of what a for loop takes from a constant tuple or from range(...)."""
        for operation in ("iternext", "getiter"):
            value = self.definition(value.value.name)
            if not isinstance(value, ir.Expr) or value.op != operation:
                return None
        items = self.constant(value.value.name)
        if isinstance(items, tuple) and items and all(isinstance(item, int) for item in items):
            return min(items), max(items)
        made = self.definition(value.value.name)
        if isinstance(made, ir.Expr) and made.op == "build_tuple":
            parts = [self.interval(item.name, within) for item in made.items]
            return (min(part[0] for part in parts if part), max(part[1] for part in parts if part)) if all(parts) else None
        if not isinstance(made, ir.Expr) or made.op != "call" or self.constant(made.func.name) is not range:
            return None
        ends = [self.interval(argument.name, within) for argument in made.args]
        first = ends[0] if len(ends) == 2 else (0, 0)
        return (first[0], max(ends[-1][1] - 1, first[0])) if len(ends) < 3 and first and ends[-1] else None

    def definition(self, name: str) -> Any:
        """Return the only definition of *name*, through copies; None if there are several."""
        found = self.definitions[name]
        if len(found) != 1:
            return None
        return self.definition(found[0].name) if isinstance(found[0], ir.Var) else found[0]

    def _used(self, statement: Any) -> Iterator[str]:
        """Yield the variables of *statement* of which every bit matters."""
        if isinstance(statement, ir.Del):
            return
        value = statement.value if isinstance(statement, ir.Assign) else None
        if value is not None and operation_of(value) is operator.lshift:
            yield value.rhs.name  # an amount that wraps could come back into its range
        if isinstance(value, ir.Var) or operation_of(value) in (*PASSING, operator.and_, operator.invert, operator.neg):
            return
        yield from (variable.name for variable in (value if isinstance(value, ir.Expr) else statement).list_vars())

    def passed_on(self, value: Any) -> list[str]:
        """Return the variables whose bits matter if those of *value* do."""
        if isinstance(value, ir.Var):
            return [value.name]
        operation = operation_of(value)
        if operation is operator.lshift:
            return [value.lhs.name]  # the amount is needed in any case
        if operation in (*PASSING, operator.invert, operator.neg):
            return operands_of(value)
        if operation is operator.and_:
            left, right = operands_of(value)
            for mask in (right, left):
                if mask not in self.grown:
                    return [mask]
            return [left, right] if self._negative(right) else [right]
        return []

    def _grown(self) -> set[str]:
        """Return the variables that may have more bits than what they are made of, or may be below 0: no masks."""
        grown: set[str] = set()
        before = -1
        while len(grown) > before:
            before = len(grown)
            for name, values in self.definitions.items():
                if name not in grown and any(self._grows(value, grown) for value in values):
                    grown.add(name)
        return grown

    def _grows(self, value: Any, grown: set[str]) -> bool:
        if isinstance(value, ir.Var):
            return value.name in grown
        operation = operation_of(value)
        if operation in GROWING or operation in (operator.invert, operator.neg):
            return True
        if operation in (operator.or_, operator.xor):
            return any(name in grown for name in operands_of(value))
        if operation is operator.and_:
            return all(name in grown for name in operands_of(value))
        constant = isinstance(value, (ir.Const, ir.Global, ir.FreeVar)) and isinstance(value.value, int)
        return constant and not 0 <= value.value <= MOST  # as an int64, a larger one is below 0

    def _negative(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """Return whether *name* may be below 0 by the way it is written."""
        interval = self.interval(name)
        if name in seen or (interval is not None and interval[0] >= 0):
            return False
        for value in self.definitions[name]:
            if isinstance(value, ir.Var) and self._negative(value.name, seen | {name}):
                return True
            if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)) and isinstance(value.value, int) and value.value < 0:
                return True
            if operation_of(value) in (operator.invert, operator.neg):
                return True
            if operation_of(value) is operator.sub and not self._all_ones(value):
                return True
        return False

    def _all_ones(self, value: Any) -> bool:
        """Return whether *value* is written as `(1 << n) - 1`, or `2**n - 1`: a mask."""
        return self.constant(value.rhs.name) == 1 and operation_of(self.definition(value.lhs.name)) in (
            operator.lshift,
            operator.pow,
        )
