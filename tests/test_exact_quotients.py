"""`int / int` is rounded once, as in Python, even where the ints are too large to be floats; NumPy's ints are divided as NumPy does."""

import random

import numpy as np
import pytest

from outplay.compile.compiled_rules import AS_IN_PYTHON
from outplay.compile.helper_compiler import HelperCompiler

EDGES = (0, 1, 2, 3, 5, 2**53 - 1, 2**53, 2**53 + 1, 2**53 + 3, 2**54 + 1, 2**54 + 6, 2**62 + 1, 2**63 - 1, 2**63 - 513)
LARGE = np.array([2**53 + 1, 3])


def compiled(function):
    return HelperCompiler("quotients", arena=False, **AS_IN_PYTHON).compiled(function, called=True)


def quotient(one, other):
    return one / other


def a_constant_divided(number):
    number += 1
    number /= 3
    return number


def one_by(number):
    return 1 / number


def of_numpy(number):
    return LARGE[0] / number


def test_a_quotient_of_large_ints_is_pythons():
    rule, luck = compiled(quotient), random.Random(7)
    pairs = [(one * sign, other) for one in EDGES for other in EDGES for sign in (1, -1)] + [(-(2**63), 3), (7, -(2**63))]
    pairs += [(luck.getrandbits(luck.randint(50, 63)), -luck.getrandbits(luck.randint(1, 63)) - 1 + 2**62) for _ in range(2000)]
    for one, other in pairs:
        if other:
            assert (found := rule(one, other)) == one / other, (one, other)
            assert np.signbit(found) == np.signbit(one / other)
        else:
            with pytest.raises(ZeroDivisionError):
                rule(one, other)


def test_a_quotient_with_a_constant_is_pythons():
    by_three, one_over = compiled(a_constant_divided), compiled(one_by)
    for number in (2, 2**53 + 1, 2**53 + 4, 9007199254740993, 2**62 + 12345):
        assert by_three(number) == a_constant_divided(number)
        assert one_over(number) == one_by(number)


def test_a_quotient_of_numpy_is_rounded_twice_as_numpy_does():
    rule = compiled(of_numpy)
    for number in (3, 7, 2**53 + 1, 2**60 + 7):
        assert rule(number) == of_numpy(number)
