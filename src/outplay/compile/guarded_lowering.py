"""Compiled rules that raise where machine arithmetic differs from Python's, each with the line of the rule.

Numba lets ints wrap, reads a local that has no value, and cuts what is written into an array of small ints. It widens the small ints
of arrays, where NumPy lets them wrap, and computes `board[1:] += board[:-1]` from what it has just written. Each of these raises instead.
`RuleLowering` is Numba's lowering with a guard before each such statement: here those of locals and calls, in `number_guards.py` those
of numbers, in `array_guards.py` those of arrays, in `order_guards.py` those of order.
"""

import math
import operator
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy
from llvmlite import ir as llvm_ir
from numba import types

from outplay.compile.arena import ROOM, TOO_MUCH, take
from outplay.compile.array_guards import arithmetic
from outplay.compile.float_sums import SUMS_ARE_COMPENSATED
from outplay.compile.guard_messages import (
    BY_IDENTITY,
    COMPILED_ONLY,
    HANDED,
    HASH_OF_TEXT,
    LARGE,
    MASK,
    NARROW,
    NO_TEXT,
    NO_VALUE,
    OPERATOR,
    SMALL_FLOAT,
    TOO_LARGE,
    UNORDERED,
)
from outplay.compile.kinds import is_usual, limits
from outplay.compile.large_ints import large_int_in
from outplay.compile.needed_bits import NeededBits
from outplay.compile.numba_private import (
    RETCODE_USEREXC,
    ListInstance,
    LoweringError,
    cgutils,
    ir,
    make_array,
    populate_array,
)
from outplay.compile.number_guards import COMPARING, ZERO, NumberGuards
from outplay.compile.numpy_kinds import Body, NumpyKinds
from outplay.compile.order_guards import is_list_sort, needs_stable_sort, refuse_other_order, stable_sort
from outplay.compile.placed_exceptions import UNSEEN, PlacedContext, lines_of, place_in
from outplay.compile.primitives import BIT, WORD
from outplay.compile.read_only import HIDDEN, is_read_only, writes_by_call
from outplay.compile.rows import RowType

TEXTS = ("unicode_type", "Literal[str]", "bytes")  # in the names of their types, and of tuples with one of them


def _index_of(statement: Any) -> Any:
    """Return the variable of the index of an assignment to an item; None for a constant."""
    return getattr(statement, "index_var", None) if isinstance(statement, ir.StaticSetItem) else statement.index


class RuleLowering(NumberGuards):
    """Numba's lowering of one function, with guards."""

    wraps = False  # whether ints may wrap

    def __init__(self, context: Any, *arguments: Any, **options: Any) -> None:
        placed = copy(context)
        placed.__class__ = PlacedContext
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
        self.needs = NeededBits(self.blocks, self.typeof, frozenset(lasting))
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
            self._check_becomes_float(inst.value.name, self.fndesc.restype)
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
        if op in (operator.is_, operator.is_not) and self._are_values(signature.args, operands):
            raise LoweringError(BY_IDENTITY, loc=self.loc)
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
        if numbers and op in COMPARING:
            return self._lower_comparison(resty, expr, op)
        if not numbers or not isinstance(signature.return_type, (types.Integer, types.Float)):
            return self._checked_kind(super().lower_binop(resty, expr, op), resty, expr)
        return self._checked_kind(self._lower_numbers(resty, expr, op, signature, operands), resty, expr, operands)

    def _are_values(self, kinds: Any, operands: list[str]) -> bool:
        """Return whether `is` compares two values: Python compares objects there, and compiled code what they hold."""
        values = (types.Number, types.Boolean, types.BaseTuple, RowType, types.UnicodeType, types.Array)
        if not all(isinstance(types.unliteral(kind), values) for kind in kinds):
            return False
        if any(isinstance(types.unliteral(kind), types.Boolean) for kind in kinds):  # Python has one True, and one False
            return any(map(self.kinds.may_be_numpys, operands))
        return True

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

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        self._target = inst.target.name
        if isinstance(inst.value, ir.Var):
            self._check_becomes_float(inst.value.name, types.unliteral(ty))
        if self._target in self.needs.watched and not self.wraps:
            noted: Any = BIT(0)
            for name in (*self.needs.passed_on(inst.value), *self.needs.masked(inst.value)):
                if name in self.needs.watched:
                    noted = self.builder.or_(noted, self.builder.load(self._note(name)))
            self.builder.store(noted, self._note(self._target))
        return super().lower_assign(ty, inst)

    # Unary operators and calls.

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        if expr.op == "unary":
            return self._lower_unary(resty, expr)
        if expr.op == "cast":
            self._check_becomes_float(expr.value.name, types.unliteral(resty))
        elif expr.op == "getattr":
            self._check_attribute(expr)
        elif expr.op == "getitem":
            self._refuse_mask(expr.index.name)
        function = self._called(expr) if expr.op == "call" else None
        refuse_other_order(expr, function, self.typeof, self.fndesc.calltypes.get(expr), self.loc)
        return super().lower_expr(resty, expr) if expr.op != "call" else self._lower_call(resty, expr, function)

    def _lower_unary(self, resty: Any, expr: Any) -> Any:
        self._check_unary(expr)
        if isinstance(self.typeof(expr.value.name), types.Array):
            self._check_items(arithmetic(expr.fn), [expr.value.name], self.kinds.computed(expr, resty))
        result = super().lower_expr(resty, expr)
        masked = expr.fn is operator.invert and not self._needed([expr.value.name])
        kind = types.unliteral(self.typeof(expr.value.name))
        if isinstance(kind, types.Integer) and kind.bitwidth < 64 and expr.fn in (operator.neg, operator.invert):
            result = self._as_python(result, resty, expr)
        return result if masked else self._checked_kind(result, resty, expr)

    def _lower_call(self, resty: Any, expr: Any, function: Any) -> Any:
        """Lower a call of *function*, which is None where Python does not know it."""
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
        if function is sum and SUMS_ARE_COMPENSATED and (total := self._lower_compensated_sum(resty, operands)) is not None:
            return total
        if function in (str, repr, format, ascii) and not all(
            isinstance(kind, (types.Integer, types.UnicodeType)) for kind in kinds
        ):
            raise LoweringError(NO_TEXT, loc=self.loc)
        if function is hash and any(word in str(kind) for kind in kinds for word in TEXTS):
            raise LoweringError(HASH_OF_TEXT, loc=self.loc)
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
            self._check_least_int(*operands)
            self._check_zero(operands, types.unliteral(kinds[1]))
        if function is round and len(kinds) == 1 and isinstance(kinds[0], types.Integer) and isinstance(resty, types.Integer):
            return self._as(operands[0], resty)  # Numba makes it a float
        if function in (min, max) and isinstance(resty, types.Float):
            for name in filter(self._is_wide, operands):
                self._check_becomes_float(name, resty)
        if self.in_arena and self._copies(self.typeof(expr.func.name)):
            return self._copied(resty, expr)
        result = super().lower_expr(resty, expr)
        if function in (abs, math.gcd) and isinstance(resty, types.Integer) and resty.signed:
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

    def _called(self, expr: Any) -> Any:
        """Return the function that *expr* calls, as Python knows it, or None."""
        return self.body.called(expr)

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
