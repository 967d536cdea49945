"""Sums of floats of NumPy are rounded as NumPy rounds them, which adds pairwise; other orders are refused."""

import numpy as np
import pytest
from numba.core.errors import NumbaError

from outplay.compile.compiled_rules import AS_IN_PYTHON
from outplay.compile.guard_messages import OTHER_SUM
from outplay.compile.helper_compiler import HelperCompiler

SIZES = (1, 2, 7, 8, 9, 15, 16, 17, 100, 127, 128, 129, 136, 257, 1000, 4096, 20001)


def compiled(function):
    return HelperCompiler("sums", arena=False, **AS_IN_PYTHON).compiled(function, called=True)


def sums(items):
    return np.sum(items), items.std()


def sums_of_part(items):
    return np.sum(items[::-2]), items[1:].sum()


def mean_of_ints(numbers):
    return np.mean(numbers), numbers.var()


def sum_of_a_board(items):
    return np.sum(items.reshape(3, items.size // 3))


def along_an_axis(items):
    return items.reshape(3, 3).sum(axis=0)[0]


def sum_of_a_transposed_one(items):
    return np.sum(items.reshape(3, 3).T)


def without_nan(items):
    return np.nansum(items)


def made(size, seed=5):
    luck = np.random.default_rng(seed + size)
    return luck.standard_normal(size) * 10.0 ** luck.integers(-5, 6, size)


@pytest.mark.parametrize("function", [sums, sums_of_part], ids=lambda function: function.__name__)
def test_sums_of_floats_are_numpys(function):
    rule = compiled(function)
    for size in SIZES:
        assert rule(made(size)) == function(made(size))


def test_a_mean_of_ints_is_numpys():
    rule = compiled(mean_of_ints)
    for size in SIZES:
        numbers = np.random.default_rng(size).integers(-(2**60), 2**60, size)
        assert rule(numbers) == mean_of_ints(numbers)


def test_the_sum_of_a_board_is_numpys():
    assert compiled(sum_of_a_board)(made(300)) == sum_of_a_board(made(300))


def python_s(items):
    listed = list(items)
    return sum(listed), sum(listed, 3), sum(listed, 0.1), sum(items)


def test_sums_of_floats_of_python_are_pythons_compensated_from_3_12_on():
    rule = compiled(python_s)
    for size in SIZES[:7]:
        items = tuple(made(12, seed=size).tolist())
        assert rule(items) == python_s(items)
    assert rule((1e308, 1e308, -1e308) * 4) == python_s((1e308, 1e308, -1e308) * 4)
    assert rule((1.0, 1e100, 1.0, -1e100) * 3) == python_s((1.0, 1e100, 1.0, -1e100) * 3)


@pytest.mark.parametrize(
    "function", [along_an_axis, sum_of_a_transposed_one, without_nan], ids=lambda function: function.__name__
)
def test_another_order_of_floats_is_refused(function):
    with pytest.raises(NumbaError, match=OTHER_SUM):
        compiled(function)(made(9))
