"""Compiled rules that raise where machine arithmetic differs from Python's, each with the line of the rule.

Python's ints have no end, compiled ints have 64 bits. Numba lets them wrap, shifts by any amount, reads a local that has no
value, and cuts what is written into an array of small ints. It widens the small ints of arrays, where NumPy lets them wrap,
and computes `board[1:] += board[:-1]` from what it has just written. Here, and in `array_guards.py`, each of these raises instead.
What is sound costs little:

- An int may wrap where its high bits do not matter: in `board << 7 & FULL` only the low bits are used. So the guard looks
  backwards from where an int is used. `+`, `-`, `*`, `<<`, `|`, `^` and `~` pass the need for all bits on to their operands,
  and `&` with a mask ends it. A mask that is written as `~...`, `-...` or a difference other than `(1 << n) - 1` is none. Where a
  mask may be below 0 otherwise, the ints that it masks are *watched*: that one of them has wrapped is noted, and raises at the mask.
- A shift by a constant is not tested.

An exception from compiled code has no Python frame of its own. Numba adds one with a name, a file and a line. The guard writes
there the function, `place_in` of its code, and which of the function's lines it is, counted from 0. Comments may change while the code stays
in the disk cache, so `diagnose.py` finds the line in the function as it is now.
"""

import math
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cache
from types import CodeType
from typing import Any
from zlib import crc32

import numpy
from llvmlite import ir as llvm_ir
from numba import types

from outplay.compile.arena import ROOM, TOO_MUCH, take
from outplay.compile.array_guards import BIT, EXACT_FLOATS, LEAST, MOST, WORD, ArrayGuards, arithmetic
from outplay.compile.float_sums import COMPENSATED, compensated_sum, total_of
from outplay.compile.guard_messages import (
    BELOW_ZERO,
    BY_IDENTITY,
    COMPILED_ONLY,
    HANDED,
    LARGE,
    MASK,
    NARROW,
    NEGATIVE_POWER,
    NEGATIVE_SHIFT,
    NO_TEXT,
    NO_VALUE,
    NOT_ALIKE,
    NOT_EXACT,
    NOT_OF_A_BOOL,
    NOT_REAL,
    NOT_ROUNDED,
    OPERATOR,
    OTHER_SUM,
    SMALL_FLOAT,
    TOO_LARGE,
    UNORDERED,
)
from outplay.compile.large_ints import large_int_in
from outplay.compile.numba_patches import keeping_writes
from outplay.compile.numba_private import (
    RETCODE_USEREXC,
    CompilerBase,
    CPUCallConv,
    CPUContext,
    DefaultPassBuilder,
    FixupArgs,
    InlineClosureLikes,
    InlineOverloads,
    ListInstance,
    Lower,
    LoweringError,
    NativeLowering,
    NopythonRewrites,
    cgutils,
    excinfo_ptr_t,
    ir,
    make_array,
    populate_array,
    register_pass,
)
from outplay.compile.numpy_kinds import PYTHONS, Body, NumpyKinds, any_item, is_usual, limits, total_kind
from outplay.compile.order_guards import is_list_sort, needs_stable_sort, refuse_other_order, stable_sort
from outplay.compile.primitives import count, lowest
from outplay.compile.read_only import HIDDEN, is_read_only, writes_by_call
from outplay.compile.rows import RowType
from outplay.compile.stack_guard import CheckTheStack, stack_can_be_checked

PLACE = "<a compiled rule>"
UNSEEN = RETCODE_USEREXC.type(RETCODE_USEREXC.constant + 1)  # what a function returns that raises what no except may see
ZERO = WORD(0)
PASSING = (operator.add, operator.sub, operator.mul, operator.lshift, operator.or_, operator.xor)
GROWING = (operator.add, operator.sub, operator.mul, operator.lshift, operator.pow)
DIVIDING = (operator.floordiv, operator.truediv, operator.mod)
COMPARING = {operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!="}
OURS = "outplay_"  # names that `rewrite.py` gives


Interval = tuple[int, int]
BITS = (0, 64)  # what count and lowest return
DEEP = 40  # definitions that are followed to find an interval


def lines_of(code: CodeType) -> list[int]:
    """Return the lines of *code* on which something runs, in order."""
    return sorted({line for _, _, line in code.co_lines() if line is not None})


def place_in(code: CodeType) -> str:
    """Return what stands for the file of *code* in an exception: it tells functions of the same name apart."""
    return f"{PLACE} {crc32(code.co_code + repr((code.co_names, code.co_varnames)).encode()):x}"


def _operation(value: Any) -> Any:
    """Return the operator of an expression, of `a += b` that of `a + b`, or None."""
    if not isinstance(value, ir.Expr):
        return None
    return {"binop": lambda: value.fn, "inplace_binop": lambda: value.immutable_fn, "unary": lambda: value.fn}.get(
        value.op, lambda: None
    )()


def _operands(value: Any) -> list[str]:
    return [value.value.name] if value.op == "unary" else [value.lhs.name, value.rhs.name]


class _Needs:
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
        if _operation(value) is not operator.and_:
            return []
        passed, operands = self.passed_on(value), _operands(value)
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
        operation = _operation(value)
        if operation is operator.and_:
            sides = [self.interval(name, within) for name in _operands(value)]
            masks = [side[1] for side in sides if side and side[0] >= 0]
            return (0, min(masks)) if masks else None
        if operation in (operator.add, operator.sub, operator.mul, operator.floordiv):
            left, right = (self.interval(name, within) for name in _operands(value))
            if left and right and (operation is not operator.floordiv or right[0] > 0):
                ends = [operation(one, other) for one in left for other in right]
                return min(ends), max(ends)
        if operation in (operator.lshift, operator.rshift):
            left, right = (self.interval(name, within) for name in _operands(value))
            if left and right and 0 <= right[0] <= right[1] < 64:
                ends = [operation(one, other) for one in left for other in right]
                return min(ends), max(ends)
        if operation in (operator.or_, operator.xor):
            sides = [self.interval(name, within) for name in _operands(value)]
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
        if value is not None and _operation(value) is operator.lshift:
            yield value.rhs.name  # an amount that wraps could come back into its range
        if isinstance(value, ir.Var) or _operation(value) in (*PASSING, operator.and_, operator.invert, operator.neg):
            return
        yield from (variable.name for variable in (value if isinstance(value, ir.Expr) else statement).list_vars())

    def passed_on(self, value: Any) -> list[str]:
        """Return the variables whose bits matter if those of *value* do."""
        if isinstance(value, ir.Var):
            return [value.name]
        operation = _operation(value)
        if operation is operator.lshift:
            return [value.lhs.name]  # the amount is needed in any case
        if operation in (*PASSING, operator.invert, operator.neg):
            return _operands(value)
        if operation is operator.and_:
            left, right = _operands(value)
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
        operation = _operation(value)
        if operation in GROWING or operation in (operator.invert, operator.neg):
            return True
        if operation in (operator.or_, operator.xor):
            return any(name in grown for name in _operands(value))
        if operation is operator.and_:
            return all(name in grown for name in _operands(value))
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
            if _operation(value) in (operator.invert, operator.neg):
                return True
            if _operation(value) is operator.sub and not self._all_ones(value):
                return True
        return False

    def _all_ones(self, value: Any) -> bool:
        """Return whether *value* is written as `(1 << n) - 1`, or `2**n - 1`: a mask."""
        return self.constant(value.rhs.name) == 1 and _operation(self.definition(value.lhs.name)) in (
            operator.lshift,
            operator.pow,
        )


def _index_of(statement: Any) -> Any:
    """Return the variable of the index of an assignment to an item; None for a constant."""
    return getattr(statement, "index_var", None) if isinstance(statement, ir.StaticSetItem) else statement.index


class _PlacedCallConv(CPUCallConv):  # type: ignore[misc]
    """Numba's way to raise, with the place in the rule."""

    excinfo_pointer = excinfo_ptr_t

    def build_excinfo_struct(self, exc: Any, exc_args: Any, loc: Any, func_name: Any) -> Any:
        return exc, exc_args, self.context.outplay_lowering.place()

    def exception(self, builder: Any, kind: type[Exception], arguments: tuple[str, ...]) -> Any:
        """Return the address of an exception of that *kind* at this place."""
        python = self.context.get_python_api(builder)
        return python.serialize_object(self.build_excinfo_struct(kind, arguments, None, None))

    def raise_exception(self, builder: Any, exception: Any, code: Any) -> None:
        """Return from the function with the *exception*, an address, and the *code* of its kind."""
        store = builder.store(exception, self._get_excinfo_argument(builder.function))
        store.set_metadata("numba_exception_output", builder.module.add_metadata([BIT(1)]))
        self._return_errcode_raw(builder, code)

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Pass an exception of a called function on. An except of the rule does not see what only compiled code raises."""
        if getattr(builder, "_in_try_block", False):
            with builder.if_then(builder.icmp_signed("==", status.code, UNSEEN)):
                builder.store(status.excinfoptr, self._get_excinfo_argument(builder.function))
                self._return_errcode_raw(builder, status.code)
        super().return_status_propagate(builder, status)


class _PlacedContext(CPUContext):  # type: ignore[misc]
    @property
    def call_conv(self) -> Any:
        return _PlacedCallConv(self)


class RuleLowering(ArrayGuards, Lower):  # type: ignore[misc]
    """Numba's lowering of one function, with guards."""

    wraps = False  # whether ints may wrap

    def __init__(self, context: Any, *arguments: Any, **options: Any) -> None:
        placed = copy(context)
        placed.__class__ = _PlacedContext
        placed.outplay_lowering = self
        super().__init__(placed, *arguments, **options)
        self.unset: dict[str, Any] = {}
        self.exit: tuple[Any, Any, Any] | None = None  # the block that raises, what it raises, and the code that it returns
        self.notes: dict[str, Any] = {}  # of watched ints

    @property
    def in_arena(self) -> bool:
        """Whether the function runs where the thread has an arena."""
        return getattr(self.func_ir.func_id.func, "outplay_arena", False)

    def place(self) -> tuple[str, str, int] | None:
        """Return where the code that is lowered now stands."""
        function = self.func_ir.func_id.func
        code = getattr(function, "outplay_code", function.__code__)
        lines = lines_of(code)
        line = getattr(self.loc, "line", None)
        return (code.co_name, place_in(code), lines.index(line)) if line in lines else None

    def lower_function_body(self) -> Any:
        lasting = self.generator_info.state_vars if self.generator_info else ()
        self.needs = _Needs(self.blocks, self.typeof, frozenset(lasting))
        self._note_body()
        self._refuse_small_floats()
        self._refuse_large_ints()
        if not self.generator_info:  # the locals of a generator are not on the stack
            self._find_unset()
        found = super().lower_function_body()
        if self.exit is not None:
            block, raised, code = self.exit
            with self.builder.goto_block(block):
                self.context.call_conv.raise_exception(self.builder, raised, code)
            self.exit = None
        return found

    def _note_body(self) -> None:
        """Keep what the callers of this function need to know about it, and find the kinds of its variables."""
        statements = [statement for block in self.blocks.values() for statement in block.body]
        function = self.func_ir.func_id.func
        self.body = Body(
            dict(self.needs.definitions),
            self.fndesc.typemap,
            self.fndesc.calltypes,
            tuple(self.fndesc.argtypes),
            tuple(statement.value.name for statement in statements if isinstance(statement, ir.Return)),
            tuple(
                value.value.name for statement in statements if isinstance(value := getattr(statement, "value", None), ir.Yield)
            ),
            tuple(
                (statement.target.name, statement.value.name, getattr(_index_of(statement), "name", ""))
                for statement in statements
                if isinstance(statement, (ir.SetItem, ir.StaticSetItem))
            ),
            function,
        )
        self.given = getattr(function, "outplay_given", None)
        getattr(function, "outplay_bodies", {})[self.body.argument_types] = self.body
        self.uses_numpy = self.given is not None or self.body.uses_numpy
        self.in_circle = getattr(function, "outplay_in_circle", False)

    @property
    def kinds(self) -> NumpyKinds:
        return self.body.kinds(self.given)

    def fail_if(self, condition: Any, kind: type[Exception], text: str, operands: Sequence[str] = ()) -> None:
        """Raise if *condition*. All guards of a function share one exit, so that it stays small enough to be inlined.

        If one of the *operands* is NumPy's, which raises nothing there, the rule's own except must not see it.
        """
        unseen = text.startswith(COMPILED_ONLY) or (self.uses_numpy and any(map(self.kinds.may_be_numpys, operands)))
        if not unseen and getattr(self.builder, "_in_try_block", False):
            with cgutils.if_unlikely(self.builder, condition):
                self.context.call_conv.return_user_exc(self.builder, kind, (text,))
            return
        if self.exit is None:
            block = self.builder.append_basic_block("outplay_exit")
            with self.builder.goto_block(block):
                self.exit = block, self.builder.phi(self.context.call_conv.excinfo_pointer), self.builder.phi(UNSEEN.type)
        block, raised, code = self.exit
        raised.add_incoming(self.context.call_conv.exception(self.builder, kind, (text,)), self.builder.block)
        code.add_incoming(UNSEEN if unseen else RETCODE_USEREXC, self.builder.block)
        following = self.builder.append_basic_block("outplay_guarded")
        self.builder.cbranch(condition, block, following).set_weights([1, 99])
        self.builder.position_at_end(following)

    # Locals without a value. Numba sets them to null at the end of a path on which they have none.

    def _find_unset(self) -> None:
        """Find the variables that have no value on some path."""
        copies = []
        for block in self.blocks.values():
            for statement in block.find_insts(ir.Assign):
                target, value = statement.target, statement.value
                if target.name.startswith("$"):  # Numba's own
                    continue
                if isinstance(value, ir.Expr) and value.op == "null":
                    self.unset[target.name] = None
                elif isinstance(value, ir.Var) and value.unversioned_name == target.unversioned_name:
                    copies.append((target.name, value.name))
        before = -1
        while len(self.unset) > before:
            before = len(self.unset)
            self.unset |= {target: None for target, source in copies if source in self.unset}

    def _flag(self, name: str) -> Any:
        if self.unset[name] is None:
            self.unset[name] = cgutils.alloca_once(self.builder, BIT)  # 0 at the start of the function
        return self.unset[name]

    def _is_copy(self, statement: Any) -> bool:
        return (
            isinstance(statement, ir.Assign)
            and statement.target.name in self.unset
            and isinstance(statement.value, ir.Var)
            and statement.value.name in self.unset
        )

    def lower_inst(self, inst: Any) -> None:
        if self.unset and not isinstance(inst, ir.Del) and not self._is_copy(inst):
            used = inst.value if isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Var) else inst
            names = {used.name} if isinstance(used, ir.Var) else {variable.name for variable in used.list_vars()}
            if isinstance(inst, ir.Assign):
                names.discard(inst.target.name)
            for name in sorted(names & self.unset.keys()):
                missing = self.builder.not_(self.builder.load(self._flag(name)))
                self.fail_if(missing, UnboundLocalError, f"{NO_VALUE}: {name.partition('.')[0]}")
        if isinstance(inst, ir.SetItem):
            self._refuse_mask(inst.index.name)
        if isinstance(inst, (ir.SetItem, ir.StaticSetItem)):
            self._check_item(inst)
        if self.uses_numpy and not self.wraps:
            self._refuse_lost_types(inst)
        if isinstance(inst, ir.Return) and not self.generator_info:
            self._check_join(inst.value.name, self.fndesc.restype)
        super().lower_inst(inst)
        if isinstance(inst, ir.Assign) and inst.target.name in self.unset:
            known: Any = BIT(1)
            if self._is_copy(inst):
                known = self.builder.load(self._flag(inst.value.name))
            elif isinstance(inst.value, ir.Expr) and inst.value.op == "null":
                known = BIT(0)
            self.builder.store(known, self._flag(inst.target.name))

    def _check_length(self, name: str, kind: Any) -> None:
        """Raise before the list *name* outgrows the memory of a rule: a list that grows without end would take all there is."""
        if isinstance(kind, types.List):
            length = ListInstance(self.context, self.builder, kind, self.loadvar(name)).size
            self.fail_if(self.builder.icmp_signed(">", length, WORD(ROOM // 8)), RuntimeError, TOO_MUCH)

    def _refuse_mask(self, index: str) -> None:
        """Raise if *index* is a mask of several dimensions, of which Numba knows nothing."""
        kind = self.typeof(index)
        if isinstance(kind, types.Array) and isinstance(kind.dtype, types.Boolean) and kind.ndim > 1:
            raise LoweringError(MASK, loc=self.loc)

    def _refuse_small_floats(self) -> None:
        """Raise if the function computes with floats of less than 64 bits: NumPy keeps their type, compiled code widens them."""
        for block in self.blocks.values():
            for statement in block.find_insts(ir.Assign):
                kind = self.typeof(statement.target.name)
                kind = getattr(kind, "dtype", kind)
                if isinstance(kind, types.Float) and kind.bitwidth < 64:
                    raise LoweringError(SMALL_FLOAT, loc=statement.loc)

    def _refuse_large_ints(self) -> None:
        """Raise if the function uses an int of more than 63 bits, which would be unsigned: constants, defaults, attributes."""
        if any(isinstance(kind, types.Omitted) and large_int_in(kind.value) is not None for kind in self.fndesc.argtypes):
            raise LoweringError(LARGE, loc=self.func_ir.loc)
        for block in self.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value = statement.value
                found = value.value if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)) else None
                if isinstance(value, ir.Expr) and value.op == "getattr":
                    kind = self.typeof(value.value.name)
                    owner = getattr(kind, "pymod", None) or getattr(kind, "instance_class", None)
                    found = getattr(owner, value.attr, None)
                if large_int_in(found) is not None:
                    raise LoweringError(LARGE, loc=statement.loc)

    # Arithmetic.

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        signature = self.fndesc.calltypes[expr]
        operands = [expr.lhs.name, expr.rhs.name]
        if expr.op == "inplace_binop" and is_read_only(self.typeof(operands[0])):
            raise LoweringError(HIDDEN, loc=self.loc)
        if expr.op == "inplace_binop":
            self._check_length(operands[0], self.typeof(operands[0]))
        if any(isinstance(kind, types.Array) for kind in signature.args):
            kind = self.kinds.computed(expr, resty)
            self._check_items(arithmetic(op), operands, kind)
            self._check_function(None, op, operands)
            if arithmetic(op) is None and op not in COMPARING and not self.wraps and (within := limits(kind or frozenset())):
                self._check_python_ints(operands, *within)
            if expr.op == "inplace_binop" and not self.wraps:
                self._check_overlap(operands[0], operands[1:])
            return self._checked_kind(super().lower_binop(resty, expr, op), resty, expr)
        numbers = all(isinstance(kind, (types.Integer, types.Float, types.Boolean)) for kind in signature.args)
        if numbers and op in (operator.is_, operator.is_not) and any(map(self.kinds.may_be_numpys, operands)):
            raise LoweringError(BY_IDENTITY, loc=self.loc)
        if numbers and op in COMPARING:
            return self._lower_comparison(resty, expr, op)
        if not numbers or not isinstance(signature.return_type, (types.Integer, types.Float)):
            return self._checked_kind(super().lower_binop(resty, expr, op), resty, expr)
        return self._checked_kind(self._lower_numbers(resty, expr, op, signature, operands), resty, expr, operands)

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
            return self._lower_steep(resty, expr, op, signature, needed=needed)
        elif op in (operator.add, operator.sub, operator.mul) and needed:
            return self._lower_sum(resty, expr, op, signature)
        elif op is operator.and_:
            self._check_mask(expr)
        elif op in (operator.or_, operator.xor) and needed and not signature.return_type.signed:
            for name, value in zip(operands, self._values(expr, (types.int64, types.int64)), strict=True):
                if getattr(self.typeof(name), "signed", False):  # Python's result would be below 0
                    self._fail_wrapped(self.builder.icmp_signed("<", value, ZERO), BELOW_ZERO)
        return super().lower_binop(resty, expr, op)

    def _needed(self, operands: list[str]) -> bool:
        """Return whether all bits of what is computed from *operands*, and assigned next, matter."""
        if self.wraps or any(name.startswith(OURS) for name in operands):
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
        mask = next(name for name in _operands(expr) if name != masked[0])
        negative = self.builder.icmp_signed("<", self._as(mask, types.int64), ZERO)
        self.fail_if(self.builder.and_(self.builder.load(self._note(masked[0])), negative), OverflowError, TOO_LARGE)

    def _refuse_lost_types(self, inst: Any) -> None:
        """Raise if *inst* takes a narrow int of NumPy to a place where its type is lost."""
        value: Any = getattr(inst, "value", None)
        if isinstance(inst, ir.Assign) and isinstance(value, ir.Expr):
            wrong = self.kinds.loses_type(value, self.typeof(inst.target.name))
        elif isinstance(inst, (ir.SetItem, ir.StaticSetItem)):  # into a dict, or a list of floats
            target = self.typeof(inst.target.name)
            in_dict = isinstance(target, types.DictType)
            key = getattr(_index_of(inst), "name", "")
            of_reals = isinstance(target, types.List) and isinstance(target.dtype, types.Float)
            wrong = (in_dict or of_reals) and self.kinds.has_narrow(inst.value.name)
            wrong = wrong or (in_dict and bool(key) and self.kinds.has_narrow(key))
        elif isinstance(inst, ir.Return):
            wrong = self.in_circle and self.kinds.has_narrow(value.name)
        else:
            return
        if wrong:
            raise LoweringError(HANDED, loc=self.loc)

    def _check_join(self, name: str, kind: Any) -> None:
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

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        self._target = inst.target.name
        if isinstance(inst.value, ir.Var):
            self._check_join(inst.value.name, types.unliteral(ty))
        if self._target in self.needs.watched and not self.wraps:
            noted: Any = BIT(0)
            for name in (*self.needs.passed_on(inst.value), *self.needs.masked(inst.value)):
                if name in self.needs.watched:
                    noted = self.builder.or_(noted, self.builder.load(self._note(name)))
            self.builder.store(noted, self._note(self._target))
        return super().lower_assign(ty, inst)

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
            exact = self.context.compile_internal(self.builder, _quotient, types.float64(types.int64, types.int64), values)
            self.builder.store(self.context.cast(self.builder, exact, types.float64, resty), result)
        return self.builder.load(result)

    def _is_exact(self, name: str) -> bool:
        """Return whether the int *name* is certainly the same number as a float."""
        interval = self.needs.interval(name)
        return bool(interval) and -EXACT_FLOATS <= interval[0] <= interval[1] <= EXACT_FLOATS

    def _check_divisor(self, expr: Any, signature: Any, op: Any, *, needed: bool) -> None:
        constant, interval = self.needs.constant(expr.rhs.name), self.needs.interval(expr.rhs.name)
        if op is operator.floordiv and needed and isinstance(signature.return_type, types.Integer):
            self._check_least(expr.lhs.name, expr.rhs.name)
        if (isinstance(constant, float) and constant) or (interval and not interval[0] <= 0 <= interval[1]):
            return
        self._check_zero([expr.lhs.name, expr.rhs.name], signature.args[1])

    def _check_zero(self, operands: list[str], kind: Any) -> None:
        """Raise if the second of the *operands*, the divisor, is 0 as a number of that *kind*."""
        if isinstance(kind, (types.Integer, types.Float, types.Boolean)):
            divisor = self._as(operands[1], kind)
            compare = self.builder.fcmp_ordered if isinstance(kind, types.Float) else self.builder.icmp_signed
            self.fail_if(compare("==", divisor, divisor.type(0)), ZeroDivisionError, "division by zero", operands)

    def _check_least(self, dividend: str, divisor: str) -> None:
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

    def _lower_sum(self, resty: Any, expr: Any, op: Any, signature: Any) -> Any:
        kind = signature.return_type
        left, right = self._values(expr, (kind, kind))
        sign = "s" if kind.signed else "u"
        pair = getattr(self.builder, f"{sign}{op.__name__}_with_overflow")(left, right)
        lost = self.builder.extract_value(pair, 1)
        self._fail_wrapped(lost, TOO_LARGE if kind.signed else BELOW_ZERO)
        return self.context.cast(self.builder, self.builder.extract_value(pair, 0), kind, resty)

    def _lower_steep(self, resty: Any, expr: Any, op: Any, signature: Any, *, needed: bool) -> Any:
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
        found = self.context.compile_internal(builder, _power, pair(kind, types.int64), (base, exponent))
        value, lost = (builder.extract_value(found, place) for place in (0, 1))
        if needed:
            self._fail_wrapped(builder.icmp_signed("!=", lost, ZERO), TOO_LARGE)
        return self.context.cast(builder, value, kind, resty)

    # Unary operators and calls.

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        if expr.op == "unary":
            self._check_unary(expr)
            if isinstance(self.typeof(expr.value.name), types.Array):
                self._check_items(arithmetic(expr.fn), [expr.value.name], self.kinds.computed(expr, resty))
            result = super().lower_expr(resty, expr)
            masked = expr.fn is operator.invert and not self._needed([expr.value.name])
            kind = types.unliteral(self.typeof(expr.value.name))
            if isinstance(kind, types.Integer) and kind.bitwidth < 64 and expr.fn in (operator.neg, operator.invert):
                result = self._as_python(result, resty, expr)
            return result if masked else self._checked_kind(result, resty, expr)
        if expr.op == "cast":
            self._check_join(expr.value.name, types.unliteral(resty))
        elif expr.op == "getattr":
            self._check_attribute(expr)
        elif expr.op == "getitem":
            self._refuse_mask(expr.index.name)
        function = self._called(expr) if expr.op == "call" else None
        refuse_other_order(expr, function, self.typeof, self.fndesc.calltypes.get(expr), self.loc)
        if expr.op != "call":
            return super().lower_expr(resty, expr)
        operands = [argument.name for argument in expr.args]
        if function is sum:
            operands += [value.name for name, value in expr.kws if name == "start"]
        kinds = [self.typeof(name) for name in operands]
        if getattr(function, "__module__", None) == "_operator":
            raise LoweringError(OPERATOR, loc=self.loc)
        if wrong := writes_by_call(function, [*kinds, *(self.typeof(argument.name) for _, argument in expr.kws)]):
            raise LoweringError(wrong, loc=self.loc)
        self._check_filled(expr, function, resty)
        if getattr(self.typeof(expr.func.name), "typing_key", None) in ("list.append", "list.extend", "list.insert"):
            self._check_length(expr.func.name, self.typeof(expr.func.name).this)
        if isinstance(function, numpy.ufunc) and len(operands) > function.nin:  # np.add(one, other, result)
            read, written = operands[: function.nin], operands[function.nin]
            self._check_items(arithmetic(function), read, self.kinds.of(written))
            self._check_overlap(written, read)
        elif arithmetic(function) is not None:
            self._check_items(arithmetic(function), operands, self.kinds.computed(expr, resty))
        self._check_function(function, function, operands)
        if (summed := self._lower_float_sum(resty, expr, function, operands)) is not None:
            return summed
        if function is sum and COMPENSATED and (total := self._lower_compensated_sum(resty, operands)) is not None:
            return total
        if function in (str, repr, format, ascii) and not all(
            isinstance(kind, (types.Integer, types.UnicodeType)) for kind in kinds
        ):
            raise LoweringError(NO_TEXT, loc=self.loc)
        if len(kinds) == 1 and isinstance(resty, types.Integer):
            if isinstance(kinds[0], types.Float):
                self._check_whole(operands[0])  # int, round, math.floor
                if isinstance(self.typeof(expr.func.name), types.NumberClass):  # np.int8
                    self._check_held(operands[0], resty, text=NARROW)
            elif isinstance(kinds[0], types.Integer):
                self._check_cast(expr, operands[0], resty)
        if isinstance(resty, types.Integer) and self._needed(operands):
            if function is sum and (found := self._lower_total(resty, operands)) is not None:
                return found
            if function is pow and len(kinds) == 2 and all(isinstance(kind, types.Integer) for kind in kinds):
                left, right = (self._as(name, types.int64) for name in operands)
                found = self._lower_power(resty, left, right, types.int64, needed=True)
                return self._checked_kind(found, resty, expr, operands)
        if function is round and len(kinds) == 2 and isinstance(kinds[0], types.Float):
            return self._lower_rounding(resty, operands)
        if function is round and len(kinds) == 2 and self._is_wide(operands[0]):  # Numba makes it a float
            self._fail_inexact(self._as(operands[0], types.int64))
        if function is divmod and len(kinds) == 2:
            self._check_least(*operands)
            self._check_zero(operands, types.unliteral(kinds[1]))
        if function is round and len(kinds) == 1 and isinstance(kinds[0], types.Integer) and isinstance(resty, types.Integer):
            return self._as(operands[0], resty)  # Numba makes it a float
        if function in (min, max) and isinstance(resty, types.Float):
            for name in filter(self._is_wide, operands):
                self._check_join(name, resty)
        if self.in_arena and self._copies(self.typeof(expr.func.name)):
            return self._copied(resty, expr)
        result = super().lower_expr(resty, expr)
        if function is abs and isinstance(resty, types.Integer) and resty.signed:
            text = TOO_LARGE if resty.bitwidth == 64 else f"{NARROW}: {resty}"
            self.fail_if(self.builder.icmp_signed("<", result, result.type(0)), OverflowError, text)
        if isinstance(resty, types.Float) and self._is_of_math(expr, function):
            return self._checked_real(result, resty, operands)
        return self._checked_kind(
            result, resty, expr, operands if isinstance(function, numpy.ufunc) or function in (divmod, numpy.clip) else None
        )

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        if (getattr(fnty, "typing_key", None) is sorted or is_list_sort(fnty)) and not self.wraps:
            return self._sorted(fnty, expr, signature)
        return super()._lower_call_normal(self._guarded_for(fnty, expr, signature), expr, signature)

    def _sorted(self, kind: Any, expr: Any, signature: Any) -> Any:
        """Return the result of `sorted` or of the method `sort`, with equal items in their order."""
        values, kinds = self.fold_call_args(kind, signature, expr.args, expr.vararg, expr.kws), list(signature.args)
        in_place = is_list_sort(kind)
        if in_place:
            values, kinds = [self.loadvar(expr.func.name), *values], [kind.this, *kinds]
        if not needs_stable_sort(kinds[0], kinds[1]):
            return super()._lower_call_normal(kind, expr, signature)
        function = stable_sort(by_key=isinstance(kinds[1], types.Dispatcher), in_place=in_place)
        result = types.int64 if in_place else types.Tuple((signature.return_type, types.int64))
        found = self.context.compile_internal(self.builder, function, result(*kinds), values)
        lost = found if in_place else self.builder.extract_value(found, 1)
        self.fail_if(self.builder.icmp_signed("!=", lost, ZERO), ValueError, UNORDERED)
        return self.context.get_dummy_value() if in_place else self.builder.extract_value(found, 0)

    def _guarded_for(self, kind: Any, expr: Any, signature: Any) -> Any:
        """Return the type of the function that *expr* calls, in a variant with guards for what it is given."""
        if not isinstance(kind, types.Dispatcher) or not self.uses_numpy:
            return kind
        function = kind.dispatcher.py_func
        if not hasattr(function, "outplay_bodies"):
            return kind
        helper = self.kinds.helper(expr)
        if helper is None:  # it is being compiled: two functions call each other
            arguments = [(self.kinds.of(argument.name), self.typeof(argument.name)) for argument in expr.args]
            if not all(is_usual(part, own) for part, own in arguments):
                raise LoweringError(HANDED, loc=self.loc)
            return kind
        body, given = helper
        if given is None or not body.differs(given):
            return kind
        if body.yielded:
            raise LoweringError(HANDED, loc=self.loc)
        variant = function.outplay_variant.compiled(given, signature.args)
        if variant is None:
            raise LoweringError(HANDED, loc=self.loc)
        return types.Dispatcher(variant)

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

    def _called(self, expr: Any) -> Any:
        """Return the function that *expr* calls, as Python knows it, or None."""
        return self.body.called(expr)

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
        found = self.context.compile_internal(self.builder, _rounded, pair(types.float64, types.int64), values)
        value, lost = (self.builder.extract_value(found, place) for place in (0, 1))
        self.fail_if(self.builder.icmp_signed("!=", lost, ZERO), OverflowError, NOT_ROUNDED)
        if self.kinds.may_be_numpys(operands[0]):
            other = self.context.compile_internal(
                self.builder, _rounded_by_numpy, types.float64(types.float64, types.int64), values
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
            _unsigned_total if unsigned else _total,
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

    # Arrays in the arena have no reference count: its address is null.

    def _copies(self, kind: Any) -> bool:
        """Return whether a function of that *kind* is `copy` of an array whose items lie side by side."""
        return getattr(kind, "typing_key", None) == "array.copy" and kind.this.layout == "C"

    def _copied(self, resty: Any, expr: Any) -> Any:
        """Return the result of `array.copy()`, in the arena."""
        kind, builder, context = self.typeof(expr.func.name).this, self.builder, self.context
        source = make_array(kind)(context, builder, value=self.loadvar(expr.func.name))
        size = builder.mul(source.nitems, source.itemsize)
        data = take(context, builder, builder.and_(builder.add(size, WORD(15)), WORD(-16)))
        cgutils.raw_memcpy(builder, data, source.data, size, 1)
        copied = make_array(resty)(context, builder)
        populate_array(copied, builder.bitcast(data, source.data.type), source.shape, source.strides, source.itemsize, None)
        return copied._getvalue()

    def incref(self, typ: Any, val: Any) -> None:
        self._counted(typ, val, super().incref)

    def decref(self, typ: Any, val: Any) -> None:
        self._counted(typ, val, super().decref)

    def _counted(self, kind: Any, value: Any, count_user: Callable[[Any, Any], None]) -> None:
        if not self.in_arena or not self.context.enable_nrt:
            count_user(kind, value)
            return
        counted: Any = BIT(0)
        for _, users in self.context.nrt.get_meminfos(self.builder, kind, value):
            counted = self.builder.or_(counted, cgutils.is_not_null(self.builder, users))
        if not isinstance(counted, llvm_ir.Constant):
            with self.builder.if_then(counted):
                count_user(kind, value)

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


def _power(base, exponent):  # type: ignore[no-untyped-def]
    """Return *base* to the power *exponent*, and whether it needs more than 63 bits."""
    result, lost = 1, 0
    while exponent > 0:
        if exponent & 1:
            if abs(float(result)) * abs(float(base)) >= 9.223372036854775e18:
                lost = 1
            result *= base
        exponent >>= 1
        if exponent:
            if abs(float(base)) >= 3037000500.0:
                lost = 1
            base *= base
    return result, lost


def _quotient(dividend, divisor):  # type: ignore[no-untyped-def]
    """Return *dividend* / *divisor*, rounded once, as Python does it."""
    one, other = numpy.uint64(dividend), numpy.uint64(divisor)
    zero, bit = numpy.uint64(0), numpy.uint64(1)
    if dividend < 0:
        one = zero - one
    if divisor < 0:
        other = zero - other
    negative = (dividend < 0) != (divisor < 0)
    if one == zero or other == zero:
        return -0.0 if negative else 0.0
    whole, rest, scale = one // other, one % other, 1.0
    while whole < numpy.uint64(1 << 54):  # 55 bits, and one for what is left, so that the int is rounded as the quotient would be
        whole, rest, scale = whole << bit, rest << bit, scale * 0.5
        if rest >= other:
            whole, rest = whole | bit, rest - other
    if rest != zero:
        whole = whole | bit
    value = numpy.float64(whole) * scale
    return -value if negative else value


def _rounded(number, digits):  # type: ignore[no-untyped-def]
    """Return *number* rounded to *digits* decimals, a half to the even side, and 1 if this method cannot round it."""
    if digits < 0 or digits > 22:
        return number, 1
    power = 1.0
    for _ in range(digits):
        power *= 10.0
    product = number * power
    if not abs(product) < 4503599627370496.0:  # 2 ** 52
        return number, 1
    # The product and its rounding error, which is exact: each factor is split into halves of 26 bits (Veltkamp and Dekker).
    split = 134217729.0 * number
    high = split - (split - number)
    low = number - high
    split = 134217729.0 * power
    left = split - (split - power)
    right = power - left
    error = low * right - (((product - high * left) - low * left) - high * right)
    whole = math.floor(product)
    part = product - whole
    even = whole % 2 == 0
    if part > 0.5 or (part == 0.5 and (error > 0.0 or (error == 0.0 and not even))):
        whole += 1
    return whole / power, 0


def _rounded_by_numpy(number, digits):  # type: ignore[no-untyped-def]
    """Return *number* rounded to *digits* decimals as NumPy does it, by way of a product that is rounded itself."""
    power = 10.0**digits
    return numpy.rint(number * power) / power


def _total(items, start, least, most):  # type: ignore[no-untyped-def]
    """Return the sum of *items* and *start*, and 1 if it, or an item, lies beyond *least* or *most*."""
    total, lost = start, 0
    for item in items:
        after = total + item
        if (total ^ after) & (item ^ after) < 0 or min(item, after) < least or max(item, after) > most:
            lost = 1
        total = after
    return total, lost


def _unsigned_total(items, start, least, most):  # type: ignore[no-untyped-def]
    """Do what `_total` does; for items that may be above what an int64 holds."""
    total, lost = start, 0
    for item in items:
        number = numpy.int64(item)
        after = total + number
        if number < 0 or (total ^ after) & (number ^ after) < 0 or after < least or after > most:
            lost = 1
        total = after
    return total, lost


class _WrappingLowering(RuleLowering):
    wraps = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _FuseArrays(NopythonRewrites):  # type: ignore[misc]
    """Numba's fusion of array expressions, but not of those with ints, so that each of their steps can be guarded."""

    _name = "outplay_fuse_arrays_of_rules"

    def run_pass(self, state: Any) -> bool:
        kinds = [kind for kind in state.typemap.values() if isinstance(kind, types.Array)]
        if not kinds or any(isinstance(kind.dtype, types.Integer) for kind in kinds):
            return False
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlineClosures(InlineClosureLikes):  # type: ignore[misc]
    _name = "outplay_inline_closures_of_rules"

    def run_pass(self, state: Any) -> bool:
        with keeping_writes():
            return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlineFunctions(InlineOverloads):  # type: ignore[misc]
    _name = "outplay_inline_functions_of_rules"

    def run_pass(self, state: Any) -> bool:
        with keeping_writes():
            return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerRule(NativeLowering):  # type: ignore[misc]
    _name = "outplay_lower_a_rule"
    lowering_class = RuleLowering


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerWrappingRule(NativeLowering):  # type: ignore[misc]
    _name = "outplay_lower_a_rule_whose_ints_wrap"
    lowering_class = _WrappingLowering


@cache
def rule_compiler(*, wraps: bool = False, recursive: bool = False) -> type:
    """Return Numba's compiler for rules: in functions that call themselves it looks at the stack; ints may wrap if *wraps*."""

    class RuleCompiler(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
            lowering = _LowerWrappingRule if wraps else _LowerRule
            ours = {
                NativeLowering: lowering,
                NopythonRewrites: _FuseArrays,
                InlineClosureLikes: _InlineClosures,
                InlineOverloads: _InlineFunctions,
            }
            passes.passes = [(ours.get(kind, kind), text) for kind, text in passes.passes]
            if recursive and stack_can_be_checked:
                passes.add_pass_after(CheckTheStack, FixupArgs)
            passes.finalize()
            return [passes]

    return RuleCompiler
