"""The kind that each variable of a compiled rule has in plain Python; `kinds.py` says what kinds are.

What a variable can be is found by following all assignments of a function, again and again until nothing new is found, and into the
functions that it calls. `kind_samples.py` finds what an operator or a function of NumPy returns.
"""

import builtins
import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from types import ModuleType
from typing import Any

import numpy
from numba import types

from outplay.compile.kind_samples import NotSampledError, combinations_of, sampled, samples_of
from outplay.compile.kinds import (
    PYTHONS,
    UNKNOWN,
    WHOLE,
    Each,
    Items,
    Kind,
    any_item,
    is_narrow,
    is_narrow_type,
    join,
    joined,
    kind_of,
    leaves,
    usual,
)
from outplay.compile.numba_private import as_dtype, ir

COMPUTING = (abs, divmod, pow, round)
PASSING_ON = ("as_", "read_only", "writable")  # functions of ours that convert what they are given
OF_LISTS = ("append", "insert", "extend", "pop", "copy", "sort", "reverse", "clear", "remove", "index", "count")
TO_PYTHON = (int, float, bool, len, range)  # what they return is Python's
VARARGS = 0x04  # in the flags of a function's code: it has a parameter such as *items


@dataclass(frozen=True, eq=False)
class Body:
    """A compiled function: what is assigned to each variable, what is returned, yielded and written into lists."""

    definitions: dict[str, list[Any]]
    types: dict[str, Any]
    calls: dict[Any, Any]  # the signature of each call
    argument_types: tuple[Any, ...]
    returned: tuple[str, ...]
    yielded: tuple[str, ...]
    stored: tuple[tuple[str, str, str], ...]  # lists and dicts, what is stored in them, and the index or key; "" for a constant
    function: Any  # as Numba compiles it
    known: dict[Any, "NumpyKinds"] = field(default_factory=dict)

    def typeof(self, name: str) -> Any:
        return self.types[name]

    def definition(self, name: str) -> Any:
        """Return the only definition of *name*, through copies; None if there are several."""
        found = self.definitions.get(name, [])
        while len(found) == 1 and isinstance(found[0], ir.Var):
            found = self.definitions.get(found[0].name, [])
        return found[0] if len(found) == 1 else None

    def called(self, expr: Any) -> Any:
        """Return the function that *expr* calls, as Python knows it, or None."""
        found = self.definition(expr.func.name)
        if isinstance(found, (ir.Const, ir.Global, ir.FreeVar)):
            return found.value
        return getattr(self.typeof(expr.func.name), "typing_key", None)

    @cached_property
    def uses_numpy(self) -> bool:
        """Whether a variable, or what a called function returns, may be NumPy's."""
        for name, values in self.definitions.items():
            kind = self.typeof(name)
            if isinstance(kind, (types.Array, types.NumberClass)) or is_narrow_type(kind):
                return True
            for value in values:
                if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)) and _is_numpys(value.value):
                    return True
                helper = body_of(self.typeof(value.func.name), None) if getattr(value, "op", "") == "call" else ()
                if any(body.uses_numpy for body in helper or ()):
                    return True
        return False

    def kinds(self, given: tuple[Kind, ...] | None = None) -> "NumpyKinds":
        """Return the kinds of the variables if the arguments are as *given*, or as usual."""
        if given not in self.known:
            self.known[given] = NumpyKinds(self, given)
        return self.known[given]

    def differs(self, given: tuple[Kind, ...]) -> bool:
        """Return whether the function needs other guards if its arguments are as *given*."""
        return bool(self.kinds(given).guards() != self.kinds().guards())


def _is_numpys(value: Any) -> bool:
    return isinstance(value, numpy.generic) or (isinstance(value, tuple) and any(map(_is_numpys, value)))


def body_of(kind: Any, arguments: Any) -> Any:
    """Return the compiled function of the Numba type *kind* for *arguments*; of all arguments, if they are None."""
    function = getattr(getattr(kind, "dispatcher", None), "py_func", None)
    bodies = getattr(function, "outplay_bodies", {})
    return tuple(bodies.values()) if arguments is None else bodies.get(arguments)


class NumpyKinds:
    """The kinds of the variables of one function, whose arguments are as *given*, or as usual."""

    def __init__(self, body: Body, given: tuple[Kind, ...] | None = None) -> None:
        self.body = body
        self.given = list(given or map(usual, body.argument_types))
        self.found: dict[str, Kind] = {}
        self.written: dict[Any, Kind] = {}  # into lists, by the type of the list
        body.known[given] = self  # it may call itself
        self._recorded: Any = None
        changed = True
        while changed:
            changed = self._visit_assignments()

    def typeof(self, name: str) -> Any:
        """Return the Numba type of a variable; of one that may be None, the type that it has otherwise."""
        own = self.body.typeof(name)
        return own.type if isinstance(own, types.Optional) else own

    def _visit_assignments(self) -> bool:
        """Follow every assignment once; return whether anything is new."""
        before = dict(self.found), dict(self.written), list(self.given)
        for name, values in self.body.definitions.items():
            own = self.typeof(name)
            kind = joined([self.found.get(name, UNKNOWN), *(self.of_value(value, own) for value in values)])
            if isinstance(own, types.List) and own in self.written:
                kind = join(kind, Each(self.written[own]))
            self.found[name] = _fitted(kind, own)
        for target, source, _ in self.body.stored:
            self._write(self.typeof(target), self.of(source))
        return before != (self.found, self.written, self.given)

    def _write(self, own: Any, item: Kind) -> None:
        if isinstance(own, types.List):
            self.written[own] = join(self.written.get(own, UNKNOWN), item)

    def of(self, name: str) -> Kind:
        """Return the kind of the variable *name*."""
        return self.found.get(name, UNKNOWN)

    @property
    def result(self) -> Kind:
        """The kind of what the function returns; of a generator, what it yields."""
        if self.body.yielded:
            return Each(joined(map(self.of, self.body.yielded)))
        reals = [self.typeof(name) for name in self.body.returned if isinstance(self.typeof(name), types.Float)]
        return joined(self._of_part(name, reals[0] if reals else None) for name in self.body.returned)

    def may_be_numpys(self, name: str) -> bool:
        """Return whether the number *name* may be NumPy's."""
        return any(part is not None and part is not WHOLE for part in leaves(self.of(name)))

    # What is assigned.

    def of_value(self, value: Any, own: Any) -> Kind:
        """Return the kind of *value*, which is assigned to a variable of the Numba type *own*."""
        if isinstance(value, ir.Var):
            return self._of_part(value.name, own)
        if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
            return kind_of(value.value)
        if isinstance(value, ir.Arg):
            return self.given[value.index] if value.index < len(self.given) else usual(own)
        if not isinstance(value, ir.Expr):
            return usual(own)
        if (computed := self.computed(value, own)) is not None:
            return computed
        follow = getattr(self, f"_of_{value.op}", None)
        return usual(own, of_a_state=True) if follow is None else follow(value, own)

    def _of_part(self, name: str, own: Any) -> Kind:
        """Return the kind of the variable *name* where its value gets the Numba type *own*: an int may become a float."""
        kind = self.of(name)
        if isinstance(own, types.Float) and isinstance(self.typeof(name), (types.Integer, types.Boolean)) and None in kind:
            return kind - PYTHONS | {WHOLE}
        return kind

    def _of_phi(self, value: Any, own: Any) -> Kind:
        return joined(self.of(part.name) for part in value.incoming_values if isinstance(part, ir.Var))

    def _of_null(self, value: Any, own: Any) -> Kind:
        return UNKNOWN

    def _of_cast(self, value: Any, own: Any) -> Kind:
        return self.of(value.value.name)

    _of_getiter = _of_iternext = _of_exhaust_iter = _of_cast

    def _of_build_tuple(self, value: Any, own: Any) -> Kind:
        return tuple(self.of(item.name) for item in value.items)

    def _of_build_list(self, value: Any, own: Any) -> Kind:
        item_type = getattr(own, "dtype", None)
        return Each(joined(self._of_part(item.name, item_type) for item in value.items))

    def _of_pair_first(self, value: Any, own: Any) -> Kind:
        return self._item(value.value.name, own, None)

    def _of_getitem(self, value: Any, own: Any) -> Kind:
        index = getattr(value, "index", None)
        sliced = isinstance(index, ir.Var) and isinstance(self.typeof(index.name), types.SliceType)
        return self._item(value.value.name, own, slice(None) if sliced else None)

    _of_typed_getitem = _of_getitem

    def _of_static_getitem(self, value: Any, own: Any) -> Kind:
        return self._item(value.value.name, own, value.index)

    def _item(self, source: str, own: Any, index: Any) -> Kind:
        """Return the kind of an item or a part of *source*; *index* is an int, a slice, or None if it is not known."""
        kind = self.of(source)
        if isinstance(kind, tuple):
            if isinstance(index, slice) and index != slice(None):
                return kind[index]
            if isinstance(index, int) and -len(kind) <= index < len(kind):
                return kind[index]
            return Each(joined(kind)) if isinstance(index, slice) else joined(kind)
        if isinstance(kind, Each):
            return kind if isinstance(index, slice) else kind.item
        if kind == PYTHONS:  # a state in memory, and other types of ours
            return usual(own, of_a_state=True)
        return frozenset(part for part in kind if isinstance(part, Items)) if isinstance(own, types.Array) else any_item(kind)

    def _of_getattr(self, value: Any, own: Any) -> Kind:
        source = self.typeof(value.value.name)
        kind = self.of(value.value.name)
        if isinstance(source, types.BaseNamedTuple) and value.attr in source.fields:
            place = source.fields.index(value.attr)
            return kind[place] if isinstance(kind, tuple) and place < len(kind) else usual(own, of_a_state=True)
        if isinstance(source, types.Array) and value.attr in ("T", "real"):
            return kind
        if isinstance(own, types.NumpyFlatType):  # its items are NumPy's even if those of the array are not
            return frozenset(Items(part.dtype, True) for part in kind if isinstance(part, Items))
        if isinstance(source, types.Module):
            return kind_of(getattr(self._module(value.value.name), value.attr, None))
        return usual(own, of_a_state=True)

    def _module(self, name: str) -> Any:
        found = self.body.definition(name)
        if isinstance(found, (ir.Global, ir.FreeVar)) and isinstance(found.value, ModuleType):
            return found.value
        return getattr(self.typeof(name), "pymod", None)

    # What is computed.

    def computed(self, value: Any, own: Any) -> Kind | None:
        """Return the kind of what an operator or a function of NumPy computes; None if *value* is something else."""
        if value.op == "inplace_binop" and isinstance(self.typeof(value.lhs.name), (types.Array, types.List)):
            kind = self.of(value.lhs.name)
            if isinstance(kind, Each):
                kind = Each(join(kind.item, any_item(self.of(value.rhs.name))))
                self._write(self.typeof(value.lhs.name), kind.item)
            return kind
        if value.op in ("binop", "inplace_binop"):
            function = value.fn if value.op == "binop" else value.immutable_fn
            return self._of_operator(function, [value.lhs.name, value.rhs.name], own)
        if value.op == "unary":
            return self._of_operator(value.fn, [value.value.name], own)
        if value.op == "arrayexpr":
            return frozenset({Items(as_dtype(own.dtype), raw=True)}) if isinstance(own, types.Array) else usual(own)
        if value.op != "call":
            return None
        function, method = self.body.called(value), self._method(value)
        if method is not None:
            return self._of_sampled(method[1], [method[0], *self._names(value)], value.kws, own)
        number_class = self.typeof(value.func.name)
        if isinstance(number_class, types.NumberClass):
            function = as_dtype(number_class.dtype).type
        if function in COMPUTING or str(getattr(function, "__module__", None)).partition(".")[0] == "numpy":
            return self._of_sampled(function, self._names(value), value.kws, own)
        if isinstance(function, numpy.ufunc):
            return self._of_sampled(function, self._names(value), value.kws, own)
        return None

    @staticmethod
    def _names(value: Any) -> list[str]:
        return [argument.name for argument in value.args]

    def _method(self, value: Any) -> tuple[str, str] | None:
        """Return the array and the name of its method, if *value* calls one."""
        found = self.body.definition(value.func.name)
        if not isinstance(found, ir.Expr) or found.op != "getattr":
            return None
        return (found.value.name, found.attr) if isinstance(self.typeof(found.value.name), types.Array) else None

    def _of_operator(self, function: Any, operands: list[str], own: Any) -> Kind:
        kinds = [self.of(name) for name in operands]
        if any(isinstance(kind, (tuple, Each)) for kind in kinds):
            if function not in (operator.add, operator.mul):
                return PYTHONS  # comparisons
            if function is operator.add and all(isinstance(kind, tuple) for kind in kinds):
                return kinds[0] + kinds[1]
            return Each(joined(any_item(kind) for kind in kinds if isinstance(kind, (tuple, Each))))
        if function in (operator.not_, operator.is_, operator.is_not, operator.contains) or all(
            kind == PYTHONS for kind in kinds
        ):
            return PYTHONS
        return self._of_sampled(function, operands, (), own)

    def _of_sampled(self, function: Any, operands: list[str], named: Any, own: Any) -> Kind:
        try:
            parts = [samples_of(self.of(name), self.typeof(name)) for name in operands]
            options = [
                [(key, sample) for sample in samples_of(self.of(value.name), self.typeof(value.name))] for key, value in named
            ]
        except NotSampledError:
            return self._as_compiled(own)
        found = [
            sampled(function, chosen[: len(parts)], tuple(chosen[len(parts) :])) for chosen in combinations_of([*parts, *options])
        ]
        known = joined(kind for kind in found if kind is not None)
        if known == UNKNOWN and all(parts) and not any(kind is None for kind in found):
            return self._as_compiled(own)
        return known

    def _as_compiled(self, own: Any) -> Kind:
        """Return the kind of a function's result that is NumPy's, as far as Numba's type tells."""
        if isinstance(own, types.Array):
            return frozenset({Items(as_dtype(own.dtype), raw=True)})
        if isinstance(own, (types.Integer, types.Boolean, types.Float)):
            return frozenset({as_dtype(types.unliteral(own))})
        if isinstance(own, types.BaseTuple):
            return tuple(map(self._as_compiled, own))
        return Each(self._as_compiled(own.dtype)) if isinstance(own, types.List) else usual(own)

    def refused(self, value: Any) -> bool:
        """Return whether NumPy may refuse the operands of *value*, an operator: `-` of two bools."""
        if value.op not in ("binop", "inplace_binop", "unary"):
            return False
        operands = [value.value.name] if value.op == "unary" else [value.lhs.name, value.rhs.name]
        function = value.immutable_fn if value.op == "inplace_binop" else value.fn
        if not any(self.may_be_numpys(name) for name in operands):
            return False
        try:
            parts = [samples_of(self.of(name), self.typeof(name)) for name in operands]
        except NotSampledError:
            return False
        return any(sampled(function, chosen) is None for chosen in combinations_of(parts))

    # Calls of other functions.

    def _of_call(self, value: Any, own: Any) -> Kind:
        kind, function = self.typeof(value.func.name), self.body.called(value)
        if isinstance(kind, types.RecursiveCall):
            return self._of_itself(value) if self._is_itself(kind) else usual(own)  # a circle returns no narrow ints
        if (helper := self.helper(value)) is not None:
            body, given = helper
            kinds = body.kinds(given)
            for written, item in kinds.written.items():
                self._write(written, item)
            return kinds.result
        if isinstance(kind, types.NamedTupleClass):
            return self._of_fields(value, kind)
        if isinstance(kind, types.BoundFunction):
            return self._of_list(value, kind, own)
        name = getattr(function, "__name__", "")
        if str(getattr(function, "__module__", "")).startswith("outplay.compile"):
            return self._of_ours(value, name, own)
        arguments = [self.of(argument.name) for argument in value.args]
        if getattr(builtins, name, None) is function and hasattr(self, f"_of_{name}_call"):
            if function in (min, max):
                arguments = [self._of_part(argument.name, own) for argument in value.args]
            return getattr(self, f"_of_{name}_call")(arguments)
        return usual(own, of_a_state=True)

    def _is_itself(self, kind: Any) -> bool:
        return kind.dispatcher_type.dispatcher.py_func is self.body.function

    def _of_itself(self, value: Any) -> Kind:
        for place, argument in enumerate(value.args):
            if place < len(self.given):
                self.given[place] = join(self.given[place], self.of(argument.name))
        return self.result

    def _of_fields(self, value: Any, kind: Any) -> Kind:
        named = {key: self.of(argument.name) for key, argument in value.kws}
        kinds = [self.of(argument.name) for argument in value.args]
        return (*kinds, *(named.get(name, PYTHONS) for name in kind.instance_class._fields[len(kinds) :]))

    def _of_list(self, value: Any, kind: Any, own: Any) -> Kind:
        this, _, method = kind.this, *str(kind.typing_key).partition(".")[1:]
        arguments = [self.of(argument.name) for argument in value.args]
        if isinstance(this, types.List):
            if method in ("append", "insert") and arguments:
                self._write(this, arguments[-1])
            elif method == "extend":
                self._write(this, any_item(arguments[0]))
            elif method in ("pop", "copy"):
                found = self.body.definition(value.func.name)
                kept = self.of(found.value.name) if isinstance(found, ir.Expr) else UNKNOWN
                kept = join(kept, Each(self.written.get(this, UNKNOWN)))
                return any_item(kept) if method == "pop" else kept
        return usual(own, of_a_state=True)

    def _of_ours(self, value: Any, name: str, own: Any) -> Kind:
        arguments = [self.of(argument.name) for argument in value.args]
        if name.startswith(PASSING_ON) and arguments:
            return arguments[0]
        if name.endswith("put") and len(arguments) == 3:
            return Each(join(any_item(arguments[0]), arguments[2]))
        return usual(own, of_a_state=True)

    @staticmethod
    def _of_min_call(arguments: list[Kind]) -> Kind:
        return any_item(arguments[0]) if len(arguments) == 1 else joined(arguments)

    _of_max_call = _of_min_call

    @staticmethod
    def _of_sum_call(arguments: list[Kind]) -> Kind:
        return total_kind(any_item(arguments[0]), arguments[1] if len(arguments) > 1 else PYTHONS)

    @staticmethod
    def _of_enumerate_call(arguments: list[Kind]) -> Kind:
        return Each((PYTHONS, _rows(arguments[0])))

    @staticmethod
    def _of_zip_call(arguments: list[Kind]) -> Kind:
        return Each(tuple(map(_rows, arguments)))

    @staticmethod
    def _of_list_call(arguments: list[Kind]) -> Kind:
        return Each(_rows(arguments[0])) if arguments else Each(UNKNOWN)

    _of_sorted_call = _of_reversed_call = _of_iter_call = _of_tuple_call = _of_list_call

    @staticmethod
    def _of_next_call(arguments: list[Kind]) -> Kind:
        return any_item(arguments[0])

    def helper(self, value: Any) -> tuple[Body, tuple[Kind, ...] | None] | None:
        """Return the function that *value* calls, and what it is given; None for the latter if that is as usual."""
        kind = self.typeof(value.func.name)
        signature = self.body.calls.get(value)
        if not isinstance(kind, types.Dispatcher) or signature is None:
            return None
        body = body_of(kind, signature.args)
        if body is None:
            return None
        if value.vararg is not None:  # f(*items); `loses_type` refuses narrow numbers there
            return body, None
        given = list[Kind]()
        named = {key: self.of(argument.name) for key, argument in value.kws}
        code = kind.dispatcher.py_func.__code__
        for place, own in enumerate(signature.args):
            name = code.co_varnames[place] if place < code.co_argcount + code.co_kwonlyargcount else ""
            if code.co_flags & VARARGS and place == code.co_argcount:
                given.append(tuple(self.of(argument.name) for argument in value.args[place:]))
            elif place < len(value.args):
                given.append(self.of(value.args[place].name))
            else:
                given.append(named.get(name, usual(own)))
        as_usual = all(
            part == usual(own) or (isinstance(own, types.Float)) for part, own in zip(given, signature.args, strict=True)
        )
        return body, None if as_usual or UNKNOWN in given else tuple(given)

    def has_narrow(self, name: str) -> bool:
        """Return whether the variable *name* may be, or hold, an int of NumPy that is narrower than Python's."""
        return _has_narrow(self.of(name))

    def loses_type(self, value: Any, own: Any) -> bool:
        """Return whether *value*, of the Numba type *own*, takes a narrow int of NumPy to a place where its type is lost.

        Such as a set, or a function that is chosen while the rule runs.
        """
        if value.op in ("build_set", "build_map"):
            return any(self.has_narrow(variable.name) for variable in value.list_vars())
        if value.op == "build_list":
            return isinstance(getattr(own, "dtype", None), types.Float) and any(
                self.has_narrow(item.name) for item in value.items
            )
        if value.op != "call":
            return False
        kind = self.typeof(value.func.name)
        operands = [variable.name for variable in (*value.args, *(named for _, named in value.kws))]
        if value.vararg is not None:
            operands.append(value.vararg.name)
        if not self._result_is_known(value, kind, own):
            return any(map(self.has_narrow, operands)) or any(map(self._makes_narrow, operands))
        return False

    def _result_is_known(self, value: Any, kind: Any, own: Any) -> bool:
        """Return whether the kind of what the call *value* returns follows from those of its arguments."""
        function = self.body.called(value)
        if isinstance(kind, types.RecursiveCall):
            return self._is_itself(kind) and not value.kws and value.vararg is None
        if value.vararg is not None:
            return False
        if isinstance(kind, types.Dispatcher):
            return True  # or it is being compiled, and `_guarded_for` refuses it
        if self.computed(value, own) is not None or isinstance(kind, types.NamedTupleClass):
            return True
        if isinstance(kind, types.BoundFunction):
            if not isinstance(kind.this, types.List) or str(kind.typing_key).rpartition(".")[2] not in OF_LISTS:
                return False
            return not isinstance(kind.this.dtype, types.Float)
        if str(getattr(function, "__module__", "")).startswith(("outplay.compile", "math")):
            return True
        name = getattr(function, "__name__", "")
        known = getattr(builtins, name, None) is function and hasattr(self, f"_of_{name}_call")
        return function in TO_PYTHON or (known and not value.kws and not isinstance(own, types.Float))

    def _makes_narrow(self, name: str) -> bool:
        """Return whether *name* is a function, such as map takes, that may return narrow ints of NumPy."""
        bodies = body_of(self.typeof(name), None)
        return bool(bodies) and any(_has_narrow(body.kinds().result) for body in bodies)

    def guards(self) -> Any:
        """Return all that decides about the guards of the function."""
        if self._recorded is None:
            self._recorded = ()  # it may call itself
            self._recorded = tuple(self._guards())
        return self._recorded

    def _guards(self) -> Iterator[Any]:
        for name, values in self.body.definitions.items():
            own = self.typeof(name)
            for value in values:
                if isinstance(value, ir.Var):  # an int may become a float
                    yield isinstance(own, types.Float) and self.has_narrow(value.name)
                if not isinstance(value, ir.Expr):
                    continue
                yield self.loses_type(value, own)
                if value.op == "binop" and value.fn in (operator.is_, operator.is_not):
                    yield any(map(self.may_be_numpys, (value.lhs.name, value.rhs.name)))
                kind = self.computed(value, own)
                if kind is not None:
                    yield frozenset(filter(_is_guarded, leaves(kind))), self.refused(value)
                if value.op == "unary" and value.fn is operator.invert:
                    yield self.of(value.value.name)
                elif value.op == "call":
                    helper = self.helper(value)
                    if helper is not None and helper[1] is not None and helper[0].differs(helper[1]):
                        yield helper[1]
                    function = self.body.called(value)
                    if function in (sum, round):
                        yield tuple(frozenset(leaves(self.of(argument.name))) for argument in value.args)
        for target, stored, key in self.body.stored:
            yield (
                frozenset(filter(_is_guarded, leaves(self.of(target)))),
                self.has_narrow(stored),
                bool(key) and self.has_narrow(key),
            )
        for name in self.body.returned:
            yield self.has_narrow(name)


def _has_narrow(kind: Kind) -> bool:
    parts = (part.dtype if isinstance(part, Items) and part.raw else part for part in leaves(kind))
    return any(is_narrow(part) and part.kind in "iu" for part in parts)


def _is_guarded(part: Any) -> bool:
    return is_narrow(part.dtype if isinstance(part, Items) else part)


def _rows(kind: Kind) -> Kind:
    """Return the kind of what a for loop takes from *kind*; from an array, its items or its rows."""
    return kind | any_item(kind) if isinstance(kind, frozenset) else any_item(kind)


def _fitted(kind: Kind, own: Any) -> Kind:
    """Return what of *kind* a variable of the Numba type *own* can be: an array, or a number."""
    if not isinstance(kind, frozenset) or not isinstance(own, (types.Array, types.Integer, types.Float, types.Boolean)):
        return kind
    return frozenset(part for part in kind if isinstance(part, Items) == isinstance(own, types.Array))


def total_kind(item: Kind, start: Kind) -> Kind:
    """Return the kind of a sum of items, and of all sums on the way."""
    if item == PYTHONS and start == PYTHONS:
        return PYTHONS
    found, before = start, None
    while found != before:
        before = found
        for one, other in product(found, item):
            if not isinstance(one, Items) and not isinstance(other, Items):
                described = tuple(("int",) if part is None else ("numpy", part.str) for part in (one, other))
                found = join(found, sampled(operator.add, described) or UNKNOWN)
    return found
