"""Bit functions agree with their compiled twins, and the default key is mixed well."""

import itertools
from typing import NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.compile.helper_compiler import TWINS
from outplay.rules import bits
from outplay.rules.key import key_of

words = st.integers(-(2**63), 2**63 - 1)


def twin(function, arity):
    compiled = TWINS[function]
    return numba.njit(lambda a, b: compiled(a, b)) if arity == 2 else numba.njit(lambda a: compiled(a))


@pytest.mark.parametrize(
    ("function", "arity"), [(bits.count, 1), (bits.lowest, 1), (bits.highest, 1), (bits.mix, 2), (bits.splitmix, 2)]
)
def test_interpreted_and_compiled_bit_functions_agree(function, arity):
    compiled = twin(function, arity)

    @settings(max_examples=300, database=None)
    @given(words, words)
    def agree(one, other):
        arguments = (one, other)[:arity]
        assert function(*arguments) == compiled(*arguments)

    agree()
    for edge in (0, 1, -1, 2**63 - 1, -(2**63)):
        assert function(*(edge, edge)[:arity]) == compiled(*(edge, edge)[:arity])


def test_splitmix_is_the_published_generator():
    """The first numbers of seed 1234567, as Rosetta Code and the reference implementation in C have them."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert [bits.splitmix(1234567, number) % 2**64 for number in range(5)] == published


@pytest.mark.parametrize("real", [0.0, 1.0, -2.5, 1e300, 5e-324, float("inf")])
def test_bits_and_reals_turn_into_each_other(real):
    assert bits.real_of(bits.bits_of(real)) == real
    assert twin(bits.bits_of, 1)(real) == bits.bits_of(real)
    assert twin(bits.real_of, 1)(bits.bits_of(real)) == real


class Mixed(NamedTuple):
    number: int
    flag: bool
    real: float
    row: tuple[int, int]
    board: np.ndarray


def test_the_default_key_depends_on_every_field_and_every_item():
    state = Mixed(1, False, 0.5, (1, 2), np.array([[1, 2], [3, 4]], np.int8))
    others = [
        state._replace(number=2),
        state._replace(flag=True),
        state._replace(real=-0.5),
        state._replace(row=(2, 1)),
        state._replace(board=np.array([[1, 2], [4, 3]], np.int8)),
    ]
    assert len({key_of(other) for other in (state, *others)}) == 6
    assert key_of(state._replace(real=0.0)) == key_of(state._replace(real=-0.0))


def test_keys_of_neighbouring_states_differ_in_about_half_of_their_64_bits():
    class Point(NamedTuple):
        x: int
        y: int

    keys = [key_of(Point(x, y)) for x in range(64) for y in range(64)]
    assert len(set(keys)) == len(keys)
    flips = [bits.count(one ^ other) for one, other in itertools.pairwise(keys)]
    assert 31 < sum(flips) / len(flips) < 33
    for place in range(64):
        ones = sum(key >> place & 1 for key in keys)
        assert 0.4 < ones / len(keys) < 0.6
