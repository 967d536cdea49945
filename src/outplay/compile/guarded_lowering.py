"""Compiled rules that raise where machine arithmetic differs from Python's, each with the line of the rule.

Python's ints have no end, compiled ints have 64 bits. Numba lets them wrap, shifts by any amount, reads a local that has no
value, and cuts what is written into an array of small ints. It widens the small ints of arrays, where NumPy lets them wrap
(`numpy_kinds.py`), and computes `board[1:] += board[:-1]` from what it has just written. Here each of these raises instead. What is
sound costs little:

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
from collections.abc import Callable, Iterator
from copy import copy
from functools import cache
from types import CodeType
from typing import Any
from zlib import crc32

import numpy
from llvmlite import ir as llvm_ir
from numba import types

from outplay.compile.arena import ROOM, TOO_MUCH, take
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
    extents_may_overlap,
    get_array_memory_extents,
    ir,
    keeping_writes,
    make_array,
    populate_array,
    register_pass,
)
from outplay.compile.numpy_kinds import NumpyKinds, arithmetic, is_array_of_ints, narrow, outside
from outplay.compile.primitives import count, lowest
from outplay.compile.read_only import HIDDEN, is_read_only, writes_by_call, writes_items
from outplay.compile.rows import RowType
from outplay.compile.stack_guard import CheckTheStack, stack_can_be_checked

PLACE = "<a compiled rule>"
TOO_LARGE = "an int needs more than 63 bits"
BELOW_ZERO = "an unsigned int leaves its range"
NEGATIVE_SHIFT = "negative shift count"
NEGATIVE_POWER = "an int to a negative power"
NO_VALUE = "no value"
NOT_HELD = "an array cannot hold it"
NOT_REAL = "math domain error"
NOT_ROUNDED = "a number is too large to be rounded"
NARROW = "an int of NumPy is too small"
NOT_OF_A_BOOL = "not of a bool"
OVERLAP = "an array is computed from a shifted part of itself"
NOT_ALIKE = "Python and NumPy round a number differently"
SMALL_FLOAT = "float32 or float16 in a rule"  # this and the next are errors in compiling; `diagnose.py` knows them
NO_TEXT = "the text of a value other than an int"
# Python would not raise there, so the rule's own except must not see it.
OURS_ALONE = (TOO_LARGE, BELOW_ZERO, NEGATIVE_POWER, NOT_HELD, NARROW, NOT_OF_A_BOOL, NOT_ROUNDED, OVERLAP, NOT_ALIKE, TOO_MUCH)

ZERO, BIT, WORD = llvm_ir.IntType(64)(0), llvm_ir.IntType(1), llvm_ir.IntType(64)
LEAST, MOST = -(2**63), 2**63 - 1
EXACT_FLOATS = 2**53  # ints up to this size become floats without loss
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
        return isinstance(value, (ir.Const, ir.Global, ir.FreeVar)) and isinstance(value.value, int) and value.value < 0

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


class _PlacedCallConv(CPUCallConv):  # type: ignore[misc]
    """Numba's way to raise, with the place in the rule."""

    excinfo_pointer = excinfo_ptr_t

    def build_excinfo_struct(self, exc: Any, exc_args: Any, loc: Any, func_name: Any) -> Any:
        return exc, exc_args, self.context.outplay_lowering.place()

    def exception(self, builder: Any, kind: type[Exception], arguments: tuple[str, ...]) -> Any:
        """Return the address of an exception of that *kind* at this place."""
        python = self.context.get_python_api(builder)
        return python.serialize_object(self.build_excinfo_struct(kind, arguments, None, None))

    def raise_exception(self, builder: Any, exception: Any) -> None:
        """Return from the function with the *exception*, an address."""
        store = builder.store(exception, self._get_excinfo_argument(builder.function))
        store.set_metadata("numba_exception_output", builder.module.add_metadata([BIT(1)]))
        self._return_errcode_raw(builder, RETCODE_USEREXC)


class _PlacedContext(CPUContext):  # type: ignore[misc]
    @property
    def call_conv(self) -> Any:
        return _PlacedCallConv(self)


class RuleLowering(Lower):  # type: ignore[misc]
    """Numba's lowering of one function, with guards."""

    wraps = False  # whether ints may wrap

    def __init__(self, context: Any, *arguments: Any, **options: Any) -> None:
        placed = copy(context)
        placed.__class__ = _PlacedContext
        placed.outplay_lowering = self
        super().__init__(placed, *arguments, **options)
        self.unset: dict[str, Any] = {}
        self.exit: tuple[Any, Any] | None = None  # the block that raises, and what it raises
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
        self.kinds = NumpyKinds(self.needs.definitions.__getitem__, self.typeof, self._called)
        self.has_numpys = any(isinstance(kind, types.Array) or narrow(kind) for kind in self.fndesc.typemap.values())
        self._refuse_small_floats()
        if not self.generator_info:  # the locals of a generator are not on the stack
            self._find_unset()
        found = super().lower_function_body()
        if self.exit is not None:
            block, raised = self.exit
            with self.builder.goto_block(block):
                self.context.call_conv.raise_exception(self.builder, raised)
            self.exit = None
        return found

    def fail_if(self, condition: Any, kind: type[Exception], text: str) -> None:
        """Raise if *condition*. All guards of a function share one exit, so that it stays small enough to be inlined."""
        pythons = not text.startswith(OURS_ALONE)
        if pythons and getattr(self.builder, "_in_try_block", False):
            with cgutils.if_unlikely(self.builder, condition):
                self.context.call_conv.return_user_exc(self.builder, kind, (text,))
            return
        if self.exit is None:
            block = self.builder.append_basic_block("outplay_exit")
            with self.builder.goto_block(block):
                self.exit = block, self.builder.phi(self.context.call_conv.excinfo_pointer)
        block, raised = self.exit
        raised.add_incoming(self.context.call_conv.exception(self.builder, kind, (text,)), self.builder.block)
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
        if isinstance(inst, (ir.SetItem, ir.StaticSetItem)):
            self._check_item(inst)
        super().lower_inst(inst)
        if isinstance(inst, ir.Assign) and inst.target.name in self.unset:
            known: Any = BIT(1)
            if self._is_copy(inst):
                known = self.builder.load(self._flag(inst.value.name))
            elif isinstance(inst.value, ir.Expr) and inst.value.op == "null":
                known = BIT(0)
            self.builder.store(known, self._flag(inst.target.name))

    # Numbers that are written into arrays.

    def _check_item(self, inst: Any) -> None:
        array = self.typeof(inst.target.name)
        if writes_items(array):
            raise LoweringError(HIDDEN, loc=self.loc)
        if isinstance(array, types.Array):
            self._check_held(inst.value.name, array.dtype)

    def _check_held(self, name: str, dtype: Any) -> None:
        """Raise if *name*, a number, a tuple or a list, does not fit into an array of *dtype*, where NumPy would raise."""
        kind = types.unliteral(self.typeof(name))
        if not isinstance(dtype, types.Integer) or self.wraps:
            return
        least, most = int(dtype.minval), min(int(dtype.maxval), MOST)
        item, depth = kind, 0
        while isinstance(item, (types.BaseTuple, types.List)):
            if isinstance(item, types.BaseTuple) and not isinstance(item, types.UniTuple):
                item = item[0] if len(item) else types.none  # ints of several types
                kind = types.UniTuple(types.int64, len(kind)) if kind == self.typeof(name) and len(kind) else kind
            else:
                item = item.dtype
            depth += 1
        if isinstance(item, types.Integer) and not _may_be_outside(item, dtype):
            return
        if isinstance(item, types.Float):
            limits = types.float64, (_below(least), _above(most))
        elif isinstance(item, (types.Integer, types.Boolean)):
            limits = types.int64, (least, most)
        else:
            return
        made = [self.context.get_constant(limits[0], limit) for limit in limits[1]]
        lost = self.context.compile_internal(
            self.builder,
            _not_held(depth, real=isinstance(item, types.Float)),
            types.boolean(kind, limits[0], limits[0]),
            [self._as(name, kind), *made],
        )
        self.fail_if(lost, OverflowError, f"{NOT_HELD}: {dtype}")

    def _check_filled(self, expr: Any, function: Any, resty: Any) -> None:
        """Raise where np.full, np.array and their like, or fill of an array, write a number that the array cannot hold."""
        named = {key: value.name for key, value in expr.kws}
        operands = [argument.name for argument in expr.args]
        method = self.needs.definition(expr.func.name)
        if isinstance(method, ir.Expr) and method.op == "getattr" and method.attr == "fill" and operands:
            self._check_held(operands[0], getattr(self.typeof(method.value.name), "dtype", None))
        elif isinstance(resty, types.Array) and function in (numpy.full, numpy.full_like):
            self._check_held(named.get("fill_value") or operands[1], resty.dtype)
        elif isinstance(resty, types.Array) and function in (numpy.array, numpy.asarray) and operands:
            self._check_held(operands[0], resty.dtype)

    def _check_length(self, name: str, kind: Any) -> None:
        """Raise before the list *name* outgrows the memory of a rule: a list that grows without end would take all there is."""
        if isinstance(kind, types.List):
            length = ListInstance(self.context, self.builder, kind, self.loadvar(name)).size
            self.fail_if(self.builder.icmp_signed(">", length, WORD(ROOM // 8)), RuntimeError, TOO_MUCH)

    def _refuse_small_floats(self) -> None:
        """Raise if the function computes with floats of less than 64 bits: NumPy keeps their type, compiled code widens them."""
        for block in self.blocks.values():
            for statement in block.find_insts(ir.Assign):
                kind = self.typeof(statement.target.name)
                kind = getattr(kind, "dtype", kind)
                if isinstance(kind, types.Float) and kind.bitwidth < 64:
                    raise LoweringError(SMALL_FLOAT, loc=statement.loc)

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

    # Arithmetic.

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        signature = self.fndesc.calltypes[expr]
        operands = [expr.lhs.name, expr.rhs.name]
        if expr.op == "inplace_binop" and is_read_only(self.typeof(operands[0])):
            raise LoweringError(HIDDEN, loc=self.loc)
        if expr.op == "inplace_binop":
            self._check_length(operands[0], self.typeof(operands[0]))
        if any(isinstance(kind, types.Array) for kind in signature.args):
            self._check_items(arithmetic(op), operands, into=operands[0] if expr.op == "inplace_binop" else None)
            if expr.op == "inplace_binop" and not self.wraps:
                self._check_overlap(operands[0], operands[1:])
            return super().lower_binop(resty, expr, op)
        numbers = all(isinstance(kind, (types.Integer, types.Float, types.Boolean)) for kind in signature.args)
        if numbers and op in COMPARING:
            return self._lower_comparison(resty, expr, op)
        if not numbers or not isinstance(signature.return_type, (types.Integer, types.Float)):
            return super().lower_binop(resty, expr, op)
        return self._checked_narrow(self._lower_numbers(resty, expr, op, signature, operands), resty, operands)

    def _lower_numbers(self, resty: Any, expr: Any, op: Any, signature: Any, operands: list[str]) -> Any:
        needed = self._needed(operands)
        if op in DIVIDING:
            self._check_divisor(expr, signature, op, needed=needed)
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

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        self._target = inst.target.name
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

    def _check_divisor(self, expr: Any, signature: Any, op: Any, *, needed: bool) -> None:
        constant, interval = self.needs.constant(expr.rhs.name), self.needs.interval(expr.rhs.name)
        if op is operator.floordiv and needed and isinstance(signature.return_type, types.Integer):
            self._check_least(expr.lhs.name, expr.rhs.name)
        if (isinstance(constant, float) and constant) or (interval and not interval[0] <= 0 <= interval[1]):
            return
        kind = signature.args[1]
        divisor = self._values(expr, signature.args)[1]
        zero = (
            self.builder.fcmp_ordered("==", divisor, divisor.type(0.0))
            if isinstance(kind, types.Float)
            else self.builder.icmp_signed("==", divisor, divisor.type(0))
        )
        self.fail_if(zero, ZeroDivisionError, "division by zero")

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

    # Ints of NumPy with less than 64 bits.

    def _check_items(self, operation: Any, operands: list[str], *, into: str | None = None) -> None:
        """Raise where element-wise arithmetic would wrap in NumPy; Numba may compute something else there."""
        kinds = [types.unliteral(self.typeof(name)) for name in operands]
        arrays = tuple(isinstance(kind, types.Array) for kind in kinds)
        if operation is None or self.wraps or not any(arrays):
            return
        if not all(is_array_of_ints(kind) or isinstance(kind, (types.Integer, types.Boolean)) for kind in kinds):
            return
        kind = self.kinds.of_result(operands) if into is None else self.kinds.of(into)
        if isinstance(kind, types.Integer):
            values = [self._as(name, own) for name, own in zip(operands, kinds, strict=True)]
            found = outside(operation, int(kind.minval), int(kind.maxval), arrays)
            lost = self.context.compile_internal(self.builder, found, types.boolean(*kinds), values)
            self.fail_if(lost, OverflowError, TOO_LARGE if kind == types.int64 else f"{NARROW}: {kind}")

    def _checked_narrow(self, result: Any, resty: Any, operands: list[str]) -> Any:
        """Return *result*; raise where it is computed from NumPy's ints that would wrap, or that would refuse one of Python's ints."""
        if not self.has_numpys or self.wraps or not isinstance(resty, types.Integer):
            return result
        kind = self.kinds.of_result(operands)
        if narrow(kind):
            for name in operands:
                if self._is_wide(name) and self.kinds.of(name) is None:
                    self._fail_outside(self._as(name, types.int64), kind)
            self._fail_outside(self.context.cast(self.builder, result, resty, types.int64), kind)
        return result

    def _fail_outside(self, value: Any, kind: Any) -> None:
        """Raise if *value*, 64 bits, does not fit into the int type *kind*."""
        least, most = int(kind.minval), min(int(kind.maxval), MOST)
        lost = self.builder.or_(
            self.builder.icmp_signed("<", value, WORD(least)), self.builder.icmp_signed(">", value, WORD(most))
        )
        self.fail_if(lost, OverflowError, BELOW_ZERO if kind == types.uint64 else f"{NARROW}: {kind}")

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
                self.fail_if(builder.icmp_signed("<", right, ZERO), ValueError, NEGATIVE_SHIFT)
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
            result = super().lower_expr(resty, expr)
            return self._checked_narrow(result, resty, [expr.value.name]) if expr.fn is operator.neg else result
        if expr.op != "call":
            return super().lower_expr(resty, expr)
        operands = [argument.name for argument in expr.args]
        kinds = [self.typeof(name) for name in operands]
        function = self._called(expr)
        if wrong := writes_by_call(function, [*kinds, *(self.typeof(argument.name) for _, argument in expr.kws)]):
            raise LoweringError(wrong, loc=self.loc)
        self._check_filled(expr, function, resty)
        if getattr(self.typeof(expr.func.name), "typing_key", None) in ("list.append", "list.extend", "list.insert"):
            self._check_length(expr.func.name, self.typeof(expr.func.name).this)
        if isinstance(function, numpy.ufunc) and len(operands) > function.nin:  # np.add(one, other, result)
            read, written = operands[: function.nin], operands[function.nin]
            self._check_items(arithmetic(function), read, into=written)
            self._check_overlap(written, read)
        else:
            self._check_items(arithmetic(function), operands)
        if function in (str, repr, format, ascii) and not all(
            isinstance(kind, (types.Integer, types.UnicodeType)) for kind in kinds
        ):
            raise LoweringError(NO_TEXT, loc=self.loc)
        if len(kinds) == 1 and isinstance(resty, types.Integer):
            if isinstance(kinds[0], types.Float):
                self._check_whole(operands[0])  # int, round, math.floor
            elif isinstance(kinds[0], types.Integer):
                self._check_cast(expr, operands[0], resty)
        if isinstance(resty, types.Integer) and not expr.kws and self._needed(operands):
            if function is sum and (found := self._lower_total(resty, operands)) is not None:
                return found
            if function is pow and len(kinds) == 2 and all(isinstance(kind, types.Integer) for kind in kinds):
                left, right = (self._as(name, types.int64) for name in operands)
                return self._lower_power(resty, left, right, types.int64, needed=True)
        if function is round and len(kinds) == 2 and isinstance(kinds[0], types.Float):
            return self._lower_rounding(resty, operands)
        if function is divmod and len(kinds) == 2:
            self._check_least(*operands)
        if self.in_arena and self._copies(self.typeof(expr.func.name)):
            return self._copied(resty, expr)
        result = super().lower_expr(resty, expr)
        if function is abs and isinstance(resty, types.Integer) and resty.signed:
            text = TOO_LARGE if resty.bitwidth == 64 else f"{NARROW}: {resty}"
            self.fail_if(self.builder.icmp_signed("<", result, result.type(0)), OverflowError, text)
        if isinstance(resty, types.Float) and self._is_of_math(expr, function):
            return self._checked_real(result, resty, operands)
        return result

    def _called(self, expr: Any) -> Any:
        """Return the function that *expr* calls, as Python knows it, or None."""
        constant = self.needs.constant(expr.func.name)
        return constant if constant is not None else getattr(self.typeof(expr.func.name), "typing_key", None)

    def _check_unary(self, expr: Any) -> None:
        name, kind = expr.value.name, types.unliteral(self.typeof(expr.value.name))
        if isinstance(kind, types.Array):
            self._check_items(arithmetic(expr.fn), [name])
        elif isinstance(kind, types.Boolean) and expr.fn is operator.invert and not self.wraps and not self.kinds.is_numpys(name):
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
        if isinstance(self.typeof(expr.func.name), types.NumberClass) and narrow(resty) and self._is_wide(name):
            self._fail_outside(self._as(name, types.int64), resty)
        elif self._is_of_math(expr, None) and self._is_wide(name):  # Numba makes it a float
            value = self._as(name, types.float64)
            exact = self._within(value, -float(EXACT_FLOATS), float(EXACT_FLOATS))
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
                made = self.kinds.of_result(self.kinds.items_of(operands[0]))
                if narrow(made):
                    least, most = int(made.minval), min(int(made.maxval), MOST)
        elif isinstance(kind, (types.RangeType, RowType)):
            items = kind
        elif isinstance(kind, (types.Array, types.List)) and getattr(kind, "ndim", 1) == 1 and _summable(kind.dtype):
            items = kind
            if narrow(kind.dtype) and self.kinds.raw(operands[0], frozenset()):
                least, most = int(kind.dtype.minval), int(kind.dtype.maxval)
        if items is None or not all(isinstance(self.typeof(name), (types.Integer, types.Boolean)) for name in operands[1:]):
            return None
        start = self._as(operands[1], types.int64) if len(operands) > 1 else ZERO
        pair = types.UniTuple(types.int64, 2)
        found = self.context.compile_internal(
            self.builder,
            _total,
            pair(items, types.int64, types.int64, types.int64),
            (self._as(operands[0], items), start, WORD(least), WORD(most)),
        )
        value, lost = (self.builder.extract_value(found, place) for place in (0, 1))
        text = (
            TOO_LARGE
            if least == LEAST
            else f"{NARROW}: {types.Integer.from_bitwidth((most - least).bit_length(), signed=least < 0)}"
        )
        self.fail_if(self.builder.icmp_signed("!=", lost, ZERO), OverflowError, text)
        return self.context.cast(self.builder, value, types.int64, resty)

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
        self.fail_if(wrong, ValueError, NOT_REAL)
        return result

    def _finite(self, value: Any) -> Any:
        return self.builder.fcmp_ordered("==", self.builder.fsub(value, value), value.type(0.0))


def _summable(kind: Any) -> bool:
    return isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and kind != types.uint64)


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


def _total(items, start, least, most):  # type: ignore[no-untyped-def]
    """Return the sum of *items* and *start*, and 1 if it leaves the range from *least* to *most* on the way."""
    total, lost = start, 0
    for item in items:
        after = total + item
        if (total ^ after) & (item ^ after) < 0 or after < least or after > most:
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
