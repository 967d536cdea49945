"""The compiler of rules: Numba's passes, of which some are replaced so that rules can be guarded."""

from functools import cache
from typing import Any

from numba import types

from outplay.compile.guarded_lowering import RuleLowering
from outplay.compile.numba_patches import keeping_writes
from outplay.compile.numba_private import (
    CompilerBase,
    DefaultPassBuilder,
    FixupArgs,
    InlineClosureLikes,
    InlineOverloads,
    NativeLowering,
    NopythonRewrites,
    register_pass,
)
from outplay.compile.stack_guard import CheckTheStack, stack_can_be_checked


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
