"""The private interfaces of Numba and llvmlite that Outplay uses. No other module imports them.

Numba may change them in any release, so pyproject.toml has an upper bound for its version. `tests/test_private_interfaces.py`
names what is missing in a new version.
"""

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding.ffi import lib as _llvm
from numba import types as _types
from numba.core import analysis as _analysis
from numba.core import cgutils as cgutils
from numba.core import ir as ir
from numba.core import ir_utils as _ir_utils
from numba.core import ssa as ssa
from numba.core import transforms as _transforms
from numba.core.analysis import compute_cfg_from_blocks as control_flow
from numba.core.caching import _Cache as DispatcherCache
from numba.core.callconv import RETCODE_USEREXC as RETCODE_USEREXC
from numba.core.callconv import CPUCallConv as CPUCallConv
from numba.core.callconv import excinfo_ptr_t as excinfo_ptr_t
from numba.core.codegen import RuntimeLinker as _RuntimeLinker
from numba.core.compiler import CompilerBase as CompilerBase
from numba.core.compiler import CompileResult as _CompileResult
from numba.core.compiler import DefaultPassBuilder as DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock as _numba_lock
from numba.core.compiler_machinery import FunctionPass as FunctionPass
from numba.core.compiler_machinery import register_pass as register_pass
from numba.core.cpu import CPUContext as CPUContext
from numba.core.errors import LoweringError as LoweringError
from numba.core.errors import NumbaError as NumbaError
from numba.core.errors import TypingError as TypingError
from numba.core.imputils import RefType as RefType
from numba.core.imputils import iternext_impl as iternext_impl
from numba.core.ir_utils import build_definitions as _build_definitions
from numba.core.lowering import Lower as Lower
from numba.core.postproc import PostProcessor as _PostProcessor
from numba.core.postproc import VariableLifetime as _VariableLifetime
from numba.core.registry import cpu_target as _cpu_target
from numba.core.serialize import dumps as _dumps
from numba.core.targetconfig import TargetConfig as _TargetConfig
from numba.core.typeconv import Conversion as Conversion
from numba.core.typed_passes import InlineOverloads as InlineOverloads
from numba.core.typed_passes import NativeLowering as NativeLowering
from numba.core.typed_passes import NopythonRewrites as NopythonRewrites
from numba.core.types.functions import BaseFunction as _BaseFunction
from numba.core.typing.npydecl import NumpyRulesInplaceArrayOperator as _InPlaceOperator
from numba.core.typing.templates import AbstractTemplate as AbstractTemplate
from numba.core.typing.templates import AttributeTemplate as AttributeTemplate
from numba.core.typing.templates import infer as infer
from numba.core.typing.templates import infer_global as infer_global
from numba.core.typing.templates import signature as signature
from numba.core.untyped_passes import FixupArgs as FixupArgs
from numba.core.untyped_passes import InlineClosureLikes as InlineClosureLikes
from numba.core.untyped_passes import ReconstructSSA as ReconstructSSA
from numba.cpython.listobj import ListInstance as ListInstance
from numba.np.arrayobj import extents_may_overlap as extents_may_overlap
from numba.np.arrayobj import get_array_memory_extents as get_array_memory_extents
from numba.np.arrayobj import make_array as make_array
from numba.np.arrayobj import populate_array as populate_array
from numba.np.numpy_support import as_dtype as as_dtype

__all__ = [
    "RETCODE_USEREXC",
    "AbstractTemplate",
    "AttributeTemplate",
    "CPUCallConv",
    "CPUContext",
    "CompilerBase",
    "Conversion",
    "DefaultPassBuilder",
    "DispatcherCache",
    "FixupArgs",
    "FunctionPass",
    "InlineClosureLikes",
    "InlineOverloads",
    "ListInstance",
    "Lower",
    "LoweringError",
    "NativeLowering",
    "NopythonRewrites",
    "NumbaError",
    "ReconstructSSA",
    "RefType",
    "TypingError",
    "as_dtype",
    "cgutils",
    "control_flow",
    "excinfo_ptr_t",
    "extents_may_overlap",
    "get_array_memory_extents",
    "infer",
    "infer_global",
    "ir",
    "iternext_impl",
    "make_array",
    "populate_array",
    "register_pass",
    "signature",
    "ssa",
]


def load_target() -> None:
    """Load what Numba puts off until the first compilation."""
    _cpu_target.target_context.refresh()


def code_generator() -> Any:
    """Return the generator of machine code for this processor."""
    return _cpu_target.target_context.codegen()


def to_bytes(compiled: Any) -> bytes:
    """Return a compiled function as bytes."""
    return bytes(_dumps(compiled._reduce()))


def from_parts(target: Any, parts: tuple[Any, ...]) -> Any:
    """Return the compiled function whose unpickled bytes are *parts*."""
    return _CompileResult._rebuild(target, *parts)


def calls_by_pointer(library: Any) -> bool:
    """Return whether the code calls functions by pointers that are valid in this process alone.

    Rules that call each other in a circle do.
    """
    return any(found.name.startswith(_RuntimeLinker.PREFIX) for found in library._final_module.global_variables)


def use_cache(dispatcher: Any, cache: DispatcherCache) -> None:
    """Have *dispatcher* ask *cache* for compiled code before it compiles."""
    dispatcher._cache = cache


def define(function: Any, variable: Any, value: Any) -> None:
    """Note in the intermediate code of *function* that *variable* is *value*."""
    function._definitions[variable.name].append(value)


def renew_analysis(function: Any) -> None:
    """Find anew what Numba knows of the intermediate code of *function*, whose blocks have changed."""
    function._definitions = _build_definitions(function.blocks)
    _PostProcessor(function).run(emit_dels=False)


@contextmanager
def keeping_writes() -> Iterator[None]:
    """Have Numba remove no write into an array as dead code.

    Where it has inlined something, it removes assignments to items of an array that is not used afterwards, although the array may
    be a view of another one: it does not know that `row` is one in `for row in board`. Here every variable counts as such a view.
    Numba's lock must be held.
    """
    found = _ir_utils.find_potential_aliases

    def all_of_them(blocks: Any, *arguments: Any, **options: Any) -> Any:
        aliases, _ = found(blocks, *arguments, **options)
        names = {variable.name for block in blocks.values() for statement in block.body for variable in statement.list_vars()}
        return aliases, names

    _ir_utils.find_potential_aliases = all_of_them
    try:
        yield
    finally:
        _ir_utils.find_potential_aliases = found


def quicker_typing() -> None:
    """Have Numba find types in fewer steps, and the same types. It takes a fifth less time to compile then.

    For each `a + b` of numbers Numba tries a long list of signatures: here it remembers the one that fits. It also compares its
    options thousands of times, all of them each time, and they all have one hash: here only options that were set are compared.
    """
    typed = _BaseFunction.get_call_type

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
        if not isinstance(other, _TargetConfig):
            return NotImplemented
        options, here, there = self.options, self._values, other._values
        if options is not other.options:
            return self.values() == other.values()
        return here == there or all(
            here.get(name, options[name].default) == there.get(name, options[name].default) for name in {*here, *there}
        )

    for kind, name, method in (
        (_BaseFunction, "get_call_type", get_call_type),
        (_TargetConfig, "__eq__", equal),
        (_TargetConfig, "__hash__", lambda self: len(self.options)),
    ):
        setattr(kind, name, method)


_OPERATORS = {value for name, value in vars(operator).items() if callable(value) and not name.startswith("_")}
_NUMBERS = (_types.Integer, _types.Float, _types.Boolean)
known_operators: dict[Any, tuple[Any, Any]] = {}  # by function, context and types: the function and the signature that fits


def quicker_analysis() -> None:
    """Have Numba find out where variables live only where it asks for that, and in fewer steps. It takes a seventh less time then.

    Numba does so after almost each of its passes, and uses what it finds after the last one alone, except in generators.
    """
    whole = _PostProcessor.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = self.func_ir
        if emit_dels or function.is_generator:
            whole(self, emit_dels=emit_dels, extend_lifetimes=extend_lifetimes)
            return
        function.blocks = canonical(function.blocks)
        function.variable_lifetime = _VariableLifetime(function.blocks)  # each of its properties is found when it is first read
        function.generator_info = None

    canonical = _transforms.canonicalize_cfg
    _PostProcessor.run = run
    _analysis.compute_live_map = live_at_entry


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
    return {label: {name for name in names if bits & bit[name]} for label, bits in live.items()}


def check_in_place_operators(check: Callable[[Any], None], misfit: str) -> None:
    """Have *check*, called with the type of the array, refuse what `array += ...` and its kin may not change.

    If the result does not fit into the array, Numba ends in an AttributeError without a place; *misfit* is the error's text then.
    """
    typed = _InPlaceOperator.generic

    def generic(self: Any, args: Any, kws: Any) -> Any:
        check(args[0])
        try:
            return typed(self, args, kws)
        except AttributeError:
            raise TypingError(misfit) from None

    _InPlaceOperator.generic = generic


def compiler_locks() -> list[Any]:
    """Return the locks of Numba and LLVM, in the order in which a compilation takes them."""
    return [_numba_lock, _llvm._lock]
