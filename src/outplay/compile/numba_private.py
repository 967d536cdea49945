"""The private interfaces of Numba and llvmlite that Outplay uses. No other module imports them; `numba_patches.py` replaces some.

Numba may change them in any release, so pyproject.toml has an upper bound for its version. `tests/test_private_interfaces.py`
names what is missing in a new version.
"""

from typing import Any

from llvmlite.binding.ffi import lib as _llvm
from numba.core import analysis as analysis
from numba.core import cgutils as cgutils
from numba.core import ir as ir
from numba.core import ir_utils as ir_utils
from numba.core import ssa as ssa
from numba.core import transforms as transforms
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
from numba.core.postproc import PostProcessor as PostProcessor
from numba.core.postproc import VariableLifetime as VariableLifetime
from numba.core.registry import cpu_target as _cpu_target
from numba.core.serialize import dumps as _dumps
from numba.core.targetconfig import TargetConfig as TargetConfig
from numba.core.typeconv import Conversion as Conversion
from numba.core.typed_passes import InlineOverloads as InlineOverloads
from numba.core.typed_passes import NativeLowering as NativeLowering
from numba.core.typed_passes import NopythonRewrites as NopythonRewrites
from numba.core.types.functions import BaseFunction as BaseFunction
from numba.core.typing.npydecl import NumpyRulesInplaceArrayOperator as InPlaceOperator
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
    "BaseFunction",
    "CPUCallConv",
    "CPUContext",
    "CompilerBase",
    "Conversion",
    "DefaultPassBuilder",
    "DispatcherCache",
    "FixupArgs",
    "FunctionPass",
    "InPlaceOperator",
    "InlineClosureLikes",
    "InlineOverloads",
    "ListInstance",
    "Lower",
    "LoweringError",
    "NativeLowering",
    "NopythonRewrites",
    "NumbaError",
    "PostProcessor",
    "ReconstructSSA",
    "RefType",
    "TargetConfig",
    "TypingError",
    "VariableLifetime",
    "analysis",
    "as_dtype",
    "cgutils",
    "control_flow",
    "excinfo_ptr_t",
    "extents_may_overlap",
    "get_array_memory_extents",
    "infer",
    "infer_global",
    "ir",
    "ir_utils",
    "iternext_impl",
    "make_array",
    "populate_array",
    "register_pass",
    "signature",
    "ssa",
    "transforms",
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
    PostProcessor(function).run(emit_dels=False)


def compiler_locks() -> list[Any]:
    """Return the locks of Numba and LLVM, in the order in which a compilation takes them."""
    return [_numba_lock, _llvm._lock]
