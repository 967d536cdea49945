"""Parts of Numba that Outplay replaces: some for speed, some because rules need them otherwise. `numba_private.py` imports the originals.

`keeping_writes` replaces a part while its block of code runs; each of the others replaces one for the whole process.
"""

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import types

from outplay.compile.numba_private import (
    BaseFunction,
    InPlaceOperator,
    PostProcessor,
    TargetConfig,
    TypingError,
    VariableLifetime,
    analysis,
    ir,
    ir_utils,
    transforms,
)


def speed_up_typing() -> None:
    """Have Numba find types in fewer steps, and the same types. It takes a fifth less time to compile then.

    For each `a + b` of numbers Numba tries a long list of signatures: here it remembers the one that fits. It also compares its
    options thousands of times, all of them each time, and they all have one hash: here only options that were set are compared.
    """
    typed = BaseFunction.get_call_type

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or self.typing_key not in _OPERATORS or not all(isinstance(kind, _NUMBERS) for kind in args):
            return typed(self, context, args, kws)
        place = id(self), context, tuple(args)
        if place in known_operators:
            return known_operators[place][1]
        found: Any = typed(self, context, args, kws)
        if self._impl_keys.get(found.args) is self.typing_key:  # built in, so that no options of the compiler matter
            known_operators[place] = self, found  # with *self*, so that no other function gets its id
        return found

    def equal(self: Any, other: Any) -> Any:
        if not isinstance(other, TargetConfig):
            return NotImplemented
        options, here, there = self.options, self._values, other._values
        if options is not other.options:
            return self.values() == other.values()
        return here == there or all(
            here.get(name, options[name].default) == there.get(name, options[name].default) for name in {*here, *there}
        )

    for kind, name, method in (
        (BaseFunction, "get_call_type", get_call_type),
        (TargetConfig, "__eq__", equal),
        (TargetConfig, "__hash__", lambda self: len(self.options)),
    ):
        setattr(kind, name, method)


_OPERATORS = {value for name, value in vars(operator).items() if callable(value) and not name.startswith("_")}
_NUMBERS = (types.Integer, types.Float, types.Boolean)
known_operators: dict[Any, tuple[Any, Any]] = {}  # by function, context and types: the function and the signature that fits


def speed_up_analysis() -> None:
    """Have Numba find out where variables live only where it asks for that, and in fewer steps. It takes a sixth less time then.

    Numba does so after almost each of its passes, and uses what it finds after the last one alone, except in generators.
    """
    whole = PostProcessor.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = self.func_ir
        if emit_dels or function.is_generator:
            whole(self, emit_dels=emit_dels, extend_lifetimes=extend_lifetimes)
            return
        function.blocks = canonical(function.blocks)
        function.variable_lifetime = VariableLifetime(function.blocks)  # each of its properties is found when it is first read
        function.generator_info = None

    canonical = transforms.canonicalize_cfg
    PostProcessor.run = run
    analysis.compute_live_map = live_at_entry
    ir.Inst._rec_list_vars = lambda self, value: variables_in(value)


_WITHOUT_VARIABLES = {str, int, float, bool, type(None), ir.Loc, ir.Scope}


def variables_in(value: Any) -> list[Any]:
    """Return the variables in *value*, a part of Numba's intermediate code, in their order, as Numba does.

    Most parts are names, places and numbers, which hold no variable: Numba compares each of them with five classes first.
    """
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return [value] if isinstance(value, ir.Var) else value.list_vars() if isinstance(value, ir.Inst) else []
    found = []
    for item in value:
        kind = type(item)
        if kind is ir.Var:
            found.append(item)
        elif kind not in _WITHOUT_VARIABLES:
            found += variables_in(item)
    return found


def live_at_entry(flow: Any, blocks: Any, uses: dict[int, set[str]], assignments: dict[int, set[str]]) -> dict[int, set[str]]:
    """Return which variables are alive at the entry of each block, as Numba does, with sets of variables as bits of ints."""
    names = sorted(set().union(*uses.values(), *assignments.values()))
    bit = {name: 1 << place for place, name in enumerate(names)}
    used = {label: sum(bit[name] for name in found) for label, found in uses.items()}
    assigned = {label: sum(bit[name] for name in found) for label, found in assignments.items()}
    order = flow.topo_order()
    after = {label: [next_label for next_label, _ in flow.successors(label)] for label in order}

    known = {label: used[label] | assigned[label] for label in order}  # used or assigned in a block, or on the way to it
    live = dict(used)
    changed = True
    while changed:
        changed = False
        for label in order:
            for following in after[label]:
                wider = known[following] | known[label]
                if wider != known[following]:
                    known[following], changed = wider, True
    changed = True
    while changed:
        changed = False
        for label in reversed(order):
            wider = live[label]
            for following in after[label]:
                wider |= live[following] & known[label] & ~assigned[label]
            if wider != live[label]:
                live[label], changed = wider, True

    def named(bits: int) -> Iterator[str]:  # a kernel has two thousand names, and a few dozens of them live in a block
        while bits:
            lowest = bits & -bits
            yield names[lowest.bit_length() - 1]
            bits ^= lowest

    return {label: set(named(bits)) for label, bits in live.items()}


@contextmanager
def keeping_writes() -> Iterator[None]:
    """Have Numba remove no write into an array as dead code.

    Where it has inlined something, it removes assignments to items of an array that is not used afterwards, although the array may
    be a view of another one: it does not know that `row` is one in `for row in board`. Here every variable counts as such a view.
    Numba's lock must be held.
    """
    found = ir_utils.find_potential_aliases

    def all_of_them(blocks: Any, *arguments: Any, **options: Any) -> Any:
        aliases, _ = found(blocks, *arguments, **options)
        names = {variable.name for block in blocks.values() for statement in block.body for variable in statement.list_vars()}
        return aliases, names

    ir_utils.find_potential_aliases = all_of_them
    try:
        yield
    finally:
        ir_utils.find_potential_aliases = found


def check_in_place_operators(check: Callable[[Any], None], misfit: str) -> None:
    """Have *check*, called with the type of the array, refuse what `array += ...` and its kin may not change.

    If the result does not fit into the array, Numba ends in an AttributeError without a place; *misfit* is the error's text then.
    """
    typed = InPlaceOperator.generic

    def generic(self: Any, args: Any, kws: Any) -> Any:
        check(args[0])
        try:
            return typed(self, args, kws)
        except AttributeError:
            raise TypingError(misfit) from None

    InPlaceOperator.generic = generic
