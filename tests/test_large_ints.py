"""Ints of 64 bits and more are refused wherever the rules use them: compiled code would make them unsigned, or let them wrap."""

import enum
import types
from pathlib import Path
from typing import NamedTuple

import pytest
from numba.core.errors import NumbaError

from outplay import OVER, Game
from outplay.compile.compiled_rules import AS_IN_PYTHON
from outplay.compile.guard_messages import LARGE
from outplay.compile.helper_compiler import HelperCompiler
from outplay.compile.traps import traps_in

MASK = 0xFFFFFFFFFFFFFFFF
NUMBERS = (7, (1 << 64) - 1)
HUGE = 1 << 20000
LEAST, MOST = -(2**63), 2**63 - 1
config = types.ModuleType("config")
config.MASK = MASK


class Flags(enum.IntEnum):
    LAST = 1 << 63


class Two(NamedTuple):
    turns: int
    total: int


def a_global(total):
    return (total & MASK) % 10


def an_item_of_a_global(total):
    return total & NUMBERS[1]


def a_folded_power(total):
    return total % 2**63


def a_folded_shift(total):
    return total ^ (1 << 63)


def a_constant_tuple(total):
    return (total, 1) < (1 << 63, 0)


def a_default(total, mask=MASK):
    return total & mask


def a_default_of_a_helper(total):
    return a_default(total) % 10


def a_lambda(total):
    return (lambda number: number & 0xFFFFFFFFFFFFFFFF)(total)


def a_closure(mask=1 << 63):
    def inner(total):
        return total % mask

    return inner


def a_member(total):
    return total % Flags.LAST


def an_attribute(total):
    return total & config.MASK


def far_too_large(total):
    return 1 if total > HUGE else 0


USED = {
    a_global: "return (total & MASK)", an_item_of_a_global: "NUMBERS[1]", a_folded_power: "return total % 2**63",
    a_folded_shift: "return total ^ (1 << 63)", a_constant_tuple: "(total, 1) <", a_default: "def a_default(", a_default_of_a_helper: "def a_default(",
    a_lambda: "lambda number", a_closure(): "total % mask", a_member: "total % Flags", an_attribute: "& config.MASK", far_too_large: "total > HUGE",
}  # fmt: skip
COMPILED_SO_FAR = (a_global, an_item_of_a_global, a_folded_power, a_default_of_a_helper, a_member, an_attribute)


@pytest.mark.parametrize("function", USED, ids=lambda function: function.__name__)
def test_a_large_int_is_told_with_the_line_that_uses_it(function):
    def turn(state):
        return OVER if state.turns == 2 else 0

    def play(state, move):
        return Two(state.turns + 1, state.total - 1)

    def score(state):
        return function(state.total)

    game = Game(name="large", start=Two(0, 0), turn=turn, moves=lambda state: (0, 1), play=play, score=score)
    (told,) = [trap for trap in traps_in(game) if "bits" in trap.what]
    lines = Path(__file__).read_text().splitlines()
    assert told.line == next(number for number, line in enumerate(lines, 1) if USED[function] in line and ': "' not in line)
    number = "an int of 20001 bits" if function is far_too_large else f"{MASK}" if "MASK" in USED[function] else ""
    assert f"line {told.line}: {number}" in str(told)
    assert str(told).endswith(" needs more than 63 bits; compiled ints have 63 and a sign: use a smaller one or two")


@pytest.mark.parametrize("function", COMPILED_SO_FAR, ids=lambda function: function.__name__)
def test_a_large_int_does_not_compile(function):
    with pytest.raises(NumbaError, match=LARGE):
        HelperCompiler("large", **AS_IN_PYTHON).compiled(function, called=True)(-1)


def test_the_least_and_the_largest_int_are_not_too_large():
    def masked(total):
        return (total << 7 & MOST) + (total & LEAST) // 3 + (total & -9223372036854775808) // 2

    assert HelperCompiler("large", **AS_IN_PYTHON).compiled(masked, called=True)(-1) == masked(-1)
