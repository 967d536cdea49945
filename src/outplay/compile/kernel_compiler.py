"""A faster compiler for kernels: the passes of Numba's own, without the work that changes nothing.

Numba looks at every statement once for each variable that is assigned twice, and a kernel has about a hundred of them. It looks
for closures and for array expressions to fuse, and analyses the whole function anew each time. Kernels rarely have any.
"""

from collections import defaultdict
from copy import copy
from typing import Any

from numba import types

from outplay.compile.numba_patches import speed_up_analysis, speed_up_typing
from outplay.compile.numba_private import (
    CompilerBase,
    DefaultPassBuilder,
    InlineClosureLikes,
    NopythonRewrites,
    ReconstructSSA,
    control_flow,
    ir,
    register_pass,
    renew_analysis,
    ssa,
)

speed_up_typing()
speed_up_analysis()


def assigned_once(blocks: dict[int, Any]) -> dict[int, Any]:
    """Return *blocks* of Numba's intermediate code so that every variable is assigned once.

    It is Numba's own algorithm, but for each variable only the blocks that name it are rewritten.
    """
    blocks = {label: copy(block) for label, block in blocks.items()}
    flow = control_flow(blocks)
    frontiers = ssa._iterated_domfronts(flow)
    naming = defaultdict(list)  # by variable: the labels of the blocks that name it
    for label, block in blocks.items():
        for name in {variable.name for statement in block.body for variable in statement.list_vars()}:
            naming[name].append(label)
    uses = ssa._FixSSAVars(ssa._CacheListVars())
    for name in ssa._find_defs_violators(blocks, flow):
        named, assignments = ssa._fresh_vars({label: blocks[label] for label in naming[name]}, name)
        phis: dict[int, list[Any]] = defaultdict(list)
        steps = {
            "scope": ssa._get_scope(blocks),
            "varname": name,
            "defmap": assignments,
            "phimap": phis,
            "cfg": flow,
            "phi_locations": ssa._compute_phi_locations(frontiers, assignments),
        }
        blocks |= ssa._run_block_rewrite(named, steps, uses)
        for label, found in phis.items():
            blocks[label].body = found + blocks[label].body
    return blocks


@register_pass(mutates_CFG=False, analysis_only=False)
class _AssignOnce(ReconstructSSA):  # type: ignore[misc]
    _name = "outplay_assign_once"

    def run_pass(self, state: Any) -> bool:
        state.func_ir.blocks = assigned_once(state.func_ir.blocks)
        self._patch_locals(state)
        renew_analysis(state.func_ir)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlineClosures(InlineClosureLikes):  # type: ignore[misc]
    _name = "outplay_inline_closures"

    def run_pass(self, state: Any) -> bool:
        statements = (statement for block in state.func_ir.blocks.values() for statement in block.body)
        values = (statement.value for statement in statements if isinstance(statement, ir.Assign))
        if any(isinstance(value, ir.Expr) and value.op in ("make_function", "build_list") for value in values):
            return bool(super().run_pass(state))
        return False


@register_pass(mutates_CFG=True, analysis_only=False)
class _FuseArrays(NopythonRewrites):  # type: ignore[misc]
    _name = "outplay_fuse_arrays"

    def run_pass(self, state: Any) -> bool:
        if any(isinstance(kind, types.Array) for kind in state.typemap.values()):
            return bool(super().run_pass(state))
        return False


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler for kernels and for what they call."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        quicker = {
            ReconstructSSA: _AssignOnce,
            InlineClosureLikes: _InlineClosures,
            NopythonRewrites: _FuseArrays,
        }
        passes.passes = [(quicker.get(kind, kind), text) for kind, text in passes.passes]
        passes.finalize()
        return [passes]
