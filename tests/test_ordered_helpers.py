"""Compiled rules take items in Python's order: sorting is stable, and what has another order when compiled is refused."""

import numpy as np
import pytest
from numba.core.errors import NumbaError

from outplay.compile.compiled_rules import AS_IN_PYTHON
from outplay.compile.guard_messages import OF_A_SET, PARTED, UNORDERED, UNSTABLE
from outplay.compile.helper_compiler import HelperCompiler


def compiled(function):
    return HelperCompiler("ordered", arena=False, **AS_IN_PYTHON).compiled(function, called=True)


def last_digit(card):
    return card % 10


def half(card):
    return (card % 4) * 0.5


def packed(items):
    total = 0
    for item in items:
        total = (total * 31 + item) % 1000003
    return total


def sorted_by_a_key(number):
    cards = sorted([place * 37 % 101 for place in range(number)], key=last_digit, reverse=number % 2 == 0)
    return packed(cards)


def a_list_sorted_by_a_key(number):
    cards = [place * 37 % 101 for place in range(number)]
    cards.sort(key=half, reverse=True)
    return packed(cards)


def argsorted_in_a_stable_order(number):
    return packed(np.argsort(np.arange(number) * 37 % 7, kind="stable"))


def sets_without_order(number):
    seen = {number % 3, 7, 9}
    other = {9, 11}
    seen.add(20)
    seen |= other
    return (
        len(seen) * 1000
        + min(seen)
        + max(seen) * 10
        + packed(sorted(seen))
        + (7 if other < seen else 8)
        + (5 if number in seen else 3)
        + in_any(seen)
    )


def in_any(seen):
    return 2 if 11 in seen else 1


def argsorted(number):
    return np.argsort(np.arange(number) % 2)[0]


def argsorted_by_method(number):
    return (np.arange(number) % 2).argsort()[0]


def argsorted_by_name(number):
    return np.argsort(np.arange(number) % 2, kind="quicksort")[0]


def parted_places(number):
    return np.argpartition(np.arange(number), 2)[0]


def a_loop_over_a_set(number):
    for square in {number - 3, 1}:
        return square
    return 0


def a_comprehension_over_a_set(number):
    return packed([square + 1 for square in {number - 3, 1}])


def a_set_by_number(number):
    for place, square in enumerate({number, 1}):
        return square + place
    return 0


def a_set_beside_a_tuple(number):
    for place, square in zip((1, 2), {number, 1}):  # noqa: B905
        return square + place
    return 0


def an_item_popped(number):
    squares = {number, 1}
    return squares.pop()


def a_list_of_a_set(number):
    return packed(list({number, 1}))


def a_list_with_a_set(number):
    squares = [5]
    squares.extend({number, 1})
    return squares[1]


def a_set_by_a_key(number):
    return sorted({number, 11, 21}, key=last_digit)[0]


def two_names_for_a_set(number):
    one, other = {number, 1}
    return one - other


REFUSED = {
    argsorted: UNSTABLE, argsorted_by_method: UNSTABLE, argsorted_by_name: UNSTABLE, parted_places: PARTED,
    a_loop_over_a_set: OF_A_SET, a_comprehension_over_a_set: OF_A_SET, a_set_by_number: OF_A_SET, a_set_beside_a_tuple: OF_A_SET,
    an_item_popped: OF_A_SET, a_list_of_a_set: OF_A_SET, a_list_with_a_set: OF_A_SET, a_set_by_a_key: OF_A_SET, two_names_for_a_set: OF_A_SET,
}  # fmt: skip


@pytest.mark.parametrize(
    "function",
    [sorted_by_a_key, a_list_sorted_by_a_key, argsorted_in_a_stable_order, sets_without_order],
    ids=lambda function: function.__name__,
)
def test_the_order_is_pythons(function):
    rule = compiled(function)
    for number in (0, 1, 2, 16, 17, 40, 101):
        if number or function is not argsorted_in_a_stable_order:
            assert rule(number) == function(number)


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_another_order_is_refused(function):
    with pytest.raises(NumbaError, match=REFUSED[function]):
        compiled(function)(5)


def test_what_has_no_order_raises():
    def lowest(number):
        return sorted([1.0, 0.5, (1e308 * number - 1e308 * number)])[0]

    rule = compiled(lowest)
    assert rule(1) == 0.0
    with pytest.raises(ValueError, match=UNORDERED):
        rule(10)
