"""What replaces parts of Numba finds what Numba's own parts find."""

import importlib.util
import operator
from itertools import product

import pytest
from numba import types
from numba.core import analysis, ir
from numba.core.compiler import Flags, run_frontend
from numba.core.errors import TypingError
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.registry import cpu_target
from test_kernel_compiler import FUNCTIONS, nothing_twice, undefined_at_times

from outplay.compile.numba_patches import known_operators, live_at_entry, variables_in
from outplay.compile.numba_private import load_target


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_variables_live_where_numba_finds_that_they_live(function):
    blocks = run_frontend(function).blocks
    lifetime = VariableLifetime(blocks)
    parts = lifetime.cfg, blocks, lifetime.usedefs.usemap, lifetime.usedefs.defmap
    found = live_at_entry(*parts)
    assert found == numbas_own(analysis).compute_live_map(*parts)
    assert any(found.values()) == (function is not nothing_twice)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_statement_has_the_variables_that_numba_finds(function):
    shipped = numbas_own(ir).Inst._rec_list_vars
    shipped.__globals__.update(Var=ir.Var, Inst=ir.Inst)  # of the statements below

    class Numbas:
        _rec_list_vars = shipped

    statements = [statement for block in run_frontend(function).blocks.values() for statement in block.body]
    parts = [vars(statement) for statement in statements]
    parts += [statement.value._kws for statement in statements if isinstance(getattr(statement, "value", None), ir.Expr)]
    assert sum(len(variables_in(part)) for part in parts) >= 5
    for part in parts:
        assert variables_in(part) == Numbas()._rec_list_vars(part)


def test_variables_are_found_in_collections_of_any_kind():
    class Pair(tuple):
        __slots__ = ()

    place = ir.Loc("nowhere", 1)
    one, other = (ir.Var(None, name, place) for name in ("one", "other"))
    assert variables_in(one) == [one]
    assert variables_in({"a": [1, one, (other, None)], "b": Pair((other, "text", place))}) == [one, other, other]
    assert variables_in("text") == []


def numbas_own(module):
    """Return a copy of *module* as Numba ships it."""
    plan = importlib.util.spec_from_file_location(f"{module.__name__}_as_shipped", module.__file__)
    copy = importlib.util.module_from_spec(plan)
    plan.loader.exec_module(copy)
    return copy


def test_lifetimes_of_a_kernel_are_found_once():
    function = run_frontend(undefined_at_times)
    PostProcessor(function).run()
    assert "deadmaps" not in vars(function.variable_lifetime)
    PostProcessor(function).run(emit_dels=True)
    assert "deadmaps" in vars(function.variable_lifetime)
    assert any(isinstance(statement, ir.Del) for block in function.blocks.values() for statement in block.body)


NUMBERS = (types.int8, types.uint8, types.int64, types.uint64, types.float32, types.float64, types.boolean, types.literal(3))


def test_operators_have_the_types_that_numba_finds():
    load_target()
    known_operators.clear()
    found = {}
    for again in (False, True):  # the first time Numba finds the types, the second time they are remembered
        for symbol in (
            operator.add,
            operator.iadd,
            operator.floordiv,
            operator.truediv,
            operator.lshift,
            operator.lt,
            operator.eq,
        ):
            for pair in product(NUMBERS, repeat=2):
                try:
                    signature = cpu_target.typing_context.resolve_function_type(symbol, pair, {})
                except TypingError:
                    signature = None
                if again:
                    assert str(found[symbol, pair]) == str(signature)
                    remembered = any(told is signature for _, told in known_operators.values())
                    assert remembered or signature is None
                found[symbol, pair] = signature
    assert found[operator.add, (types.int64, types.int64)].return_type == types.int64
    assert found[operator.lt, (types.int64, types.float64)].return_type == types.boolean


def test_options_are_equal_if_all_their_values_are():
    def options(**chosen):
        made = Flags()
        for name, value in chosen.items():
            setattr(made, name, value)
        return made

    cases = [options(), options(nrt=False), options(nrt=True), options(nrt=True, boundscheck=True), options(error_model="numpy")]
    for one, other in product(cases, repeat=2):
        assert (one == other) is (one.values() == other.values())
        assert one != other or hash(one) == hash(other)
    assert options() == options(nrt=False)  # a value that is set to its default
    assert options() != "options"
