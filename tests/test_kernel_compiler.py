"""The compiler for kernels: faster than Numba's own, and with the same result."""

import io
from contextlib import redirect_stdout

import numpy as np
import pytest
from numba.core.compiler import run_frontend
from numba.core.ssa import reconstruct_ssa

from outplay.compile.helper_compiler import HelperCompiler
from outplay.compile.kernel_compiler import assigned_once
from outplay.search import kernel
from outplay.search.minimax import plain_value
from outplay.solve.proof.kernel import exceeds
from outplay.solve.states.unfold import unfold


def text_of(function):
    text = io.StringIO()
    with redirect_stdout(text):
        function.dump()
    return text.getvalue()


def undefined_at_times(items):
    for item in items:
        last = item
    while items:
        if last:
            last, items = items, last
        elif items == 2:
            continue
        last += 1
    return last, items


def nothing_twice(one):
    return one + 1


FUNCTIONS = [
    kernel.explore,
    kernel.pick_next,
    kernel.score_moves,
    plain_value,
    exceeds,
    unfold,
    undefined_at_times,
    nothing_twice,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_variables_are_told_apart_as_numba_does_it(function):
    one, other = run_frontend(function), run_frontend(function)
    before = text_of(one)
    one.blocks = assigned_once(one.blocks)
    assert text_of(one) == text_of(reconstruct_ssa(other))
    assert (text_of(one) == before) == (function is nothing_twice)


def compiled(function):
    return HelperCompiler("tag", keep=True).compiled(function, called=True)


def test_a_kernel_may_have_closures_and_lists():
    def total(number):
        def squared(x):
            return x * x

        return sum([squared(item) for item in range(number)]) + np.array([number + item for item in range(2)]).sum()

    assert compiled(total)(4) == total(4) == 23


def test_expressions_of_arrays_are_fused_in_a_kernel():
    def scaled(one, other):
        return one + other * 2 - one

    found = compiled(scaled)
    assert found(np.arange(3), np.arange(3)).tolist() == [0, 2, 4]
    typed = found.overloads[found.signatures[0]].type_annotation
    assert "arrayexpr" in str(typed)
