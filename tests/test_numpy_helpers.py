"""NumPy's narrow ints keep their type through helpers: compiled rules raise where NumPy would wrap, and only there."""

import operator
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.errors import NumbaError

from outplay import CHANCE, OVER, Game, perft
from outplay.compile.compiled_rules import AS_IN_PYTHON
from outplay.compile.guard_messages import (
    BY_IDENTITY,
    FAR_SHIFT,
    HANDED,
    MASK,
    NARROW,
    NOT_EXACT,
    NOT_HELD,
    OPERATOR,
    OTHER_TYPE,
    SIGN,
)
from outplay.compile.helper_compiler import HelperCompiler
from outplay.rules.cells import cells

WEIGHTS = np.array([100, 50, 27, 3], np.int8)
BYTES = np.array([200, 8, 0, 3], np.uint8)
LARGE = np.array([2**53 + 1, 5])


def twice(number):
    return number * 2


def sum_of(items):
    total = items[0]
    for item in items[1:]:
        total = total + item
    return total


def weights():
    return np.array([100, 50, 27, 3], np.int8)


def first_two(items):
    return items[0], items[1]


def larger(one, other):
    return one if one > other else other


def grown(board, by):
    return board + by


def filled(size, item):
    made = np.zeros(size, np.int8)
    made[:] = item
    return made


def through(items):
    return tripled(items)


def tripled(items):
    return items[0] * 3


def marked(board, mark):
    return board == mark


def both(marks):
    return marks[0] + marks[1]


def down_from(number, steps):
    return number if steps == 0 else down_from(number - 100, steps - 1)


def reversed_board(board):
    return board[::-1]


def with_bonus(item, bonus=100):
    return item + bonus


def lines(board):
    for start in range(0, len(board), 2):
        yield board[start] * 60


def added(*numbers):
    return numbers[0] + numbers[1]


def counted_down(number, steps, times):
    return number * times if steps == 0 else counted_down(number=WEIGHTS[0], steps=steps - 1, times=times)


def here(steps, number, times):
    return number * times if steps == 0 else there(steps, number, times)


def there(steps, number, times):
    return 0 if steps < 0 else here(steps - 1, WEIGHTS[0], times)


def walker(size):
    def walk(seen, place):
        if place >= size or seen[place]:
            return 0
        seen[place] = True
        return 1 + walk(seen, place + 1)

    return walk


walk = walker(4)


# Functions of a number, the int8 board [1, 2, 1, 0] and the uint8 board [200, 8, 0, 3] of a state.


def an_item_that_is_handed_on(number, board, bytes_):
    return twice(WEIGHTS[1 - number])


def an_array_that_is_handed_on(number, board, bytes_):
    return sum_of(WEIGHTS[2 - 2 * number :])


def an_array_that_a_helper_makes(number, board, bytes_):
    return np.max(twice(weights()[2 - 2 * number :]))


def an_array_that_grows_in_a_helper(number, board, bytes_):
    return grown(weights(), 100 * number)[1]


def a_tuple_of_a_helper(number, board, bytes_):
    one, other = first_two(WEIGHTS[2 - 2 * number :])
    return one + other


def one_of_two(number, board, bytes_):
    return larger(WEIGHTS[0], 3) + 27 + number


def an_item_of_a_filled_array(number, board, bytes_):
    return filled(3, 100)[0] + 27 + number


def two_helpers(number, board, bytes_):
    return through(WEIGHTS[2 - 2 * number :])


def a_default(number, board, bytes_):
    return with_bonus(WEIGHTS[2 - number])


def a_recursive_helper(number, board, bytes_):
    return down_from(np.int8(50), 1 + number)


def a_part_of_a_reversed_array(number, board, bytes_):
    return reversed_board(WEIGHTS)[3] + 27 + number


def what_may_be_none(number, board, bytes_):
    best = None
    for weight in WEIGHTS[1 - number :]:
        if best is None or weight > best:
            best = weight
    return best * 2


def the_next_item(number, board, bytes_):
    return next(iter(WEIGHTS[1 - number :])) * 2


def a_power(number, board, bytes_):
    return pow(WEIGHTS[3 - number], 4)


def items_after_a_star(number, board, bytes_):
    return added(WEIGHTS[1 - number], WEIGHTS[2 - number])


def an_enumerated_board(number, board, bytes_):
    total = 0
    for _, item in np.ndenumerate(board):
        total = total + item * (60 + number)
    return total


def a_part_that_is_narrower_in_numpy(number, board, bytes_):
    remainders = WEIGHTS % 5
    remainders[:2] = np.array([100, 127 + number], np.int16)
    return remainders[1]


def an_int_that_is_a_float_on_another_path(number, board, bytes_):
    worth = 100 + number if number else 0.5
    return worth + WEIGHTS[2]


WRONG = (
    an_int_that_is_a_float_on_another_path,
    an_item_that_is_handed_on, an_array_that_is_handed_on, an_array_that_a_helper_makes, an_array_that_grows_in_a_helper,
    a_tuple_of_a_helper, one_of_two, an_item_of_a_filled_array, two_helpers, a_default, a_recursive_helper, a_part_of_a_reversed_array,
    what_may_be_none, the_next_item, a_power, items_after_a_star, an_enumerated_board, a_part_that_is_narrower_in_numpy,
)  # fmt: skip


def items_of_a_state(number, board, bytes_):
    return twice(board[0] * 50) + sum_of(board * 1) + tripled(board) * 70 + through(board[1:])


def python_ints_of_numpy_ones(number, board, bytes_):
    return twice(int(WEIGHTS[0])) + with_bonus(int(weights()[0]), 300) + int(np.sum(bytes_[:2])) - 1000


def marks_of_a_board(number, board, bytes_):
    return np.sum(marked(board, 1)) * 1000 + np.sum(marked(reversed_board(board), 2)) + (5 if both(marked(board, 9)) else 7)


def sums_of_a_state(number, board, bytes_):
    one, other = first_two(board)
    total = both(board[:2]) * 100 + both(board[1:].copy()) + one * 1000 + other
    for line in lines(board):
        total += line
    return total + sum_of((100, 200)) + added(board[0] * 100, 100)


def sums_of_numpy(number, board, bytes_):
    return np.sum(grown(weights(), 27)) + np.sum(weights()) + int(sum_of(weights()[1:])) + np.abs(board - 2).max()


def bits_of_narrow_items(number, board, bytes_):
    return (~bytes_[1] & 300) * 10000 + (-bytes_[1] & 1023) + int(~BYTES[1] & 30) + (~board[1] & 511)


def a_recursion_of_an_inner_function(number, board, bytes_):
    return walk(np.zeros(6, np.bool_), number)


def a_start_of_a_sum(number, board, bytes_):
    return sum(board, start=100) + sum((1, 2), start=2**61)


RIGHT = (
    items_of_a_state, python_ints_of_numpy_ones, marks_of_a_board, sums_of_a_state, sums_of_numpy, bits_of_narrow_items,
    a_recursion_of_an_inner_function, a_start_of_a_sum,
)  # fmt: skip


def a_set(number, board, bytes_):
    total = 0
    for item in {WEIGHTS[0], WEIGHTS[number]}:
        total += item * 100
    return total


def a_dict(number, board, bytes_):
    worth = {1: WEIGHTS[0]}
    return worth[1] * 2


def a_float_on_another_path(number, board, bytes_):
    worth = WEIGHTS[0] if number else 2.5
    return worth * 2


def a_list_of_floats(number, board, bytes_):
    return [WEIGHTS[0], 2.5][0] * 2


def a_function_by_condition(number, board, bytes_):
    change = twice if number > 1 else tripled_number
    return change(WEIGHTS[0])


def tripled_number(number):
    return number * 3


def a_map(number, board, bytes_):
    total = 0
    for item in map(twice, WEIGHTS):
        total += item
    return total


def a_circle_of_calls(number, board, bytes_):
    return here(2, 5, 2)


def a_recursion_by_keyword(number, board, bytes_):
    return counted_down(5, 2, 2)


def a_star_in_a_call(number, board, bytes_):
    pair = WEIGHTS[0], WEIGHTS[1]
    return added(*pair)


def a_function_of_operator(number, board, bytes_):
    return operator.add(2**62, number * 2**61)


def a_comparison_by_is(number, board, bytes_):
    return 1 if (WEIGHTS[number] > 5) is True else 2


def a_sign_of_bytes(number, board, bytes_):
    return np.sign(bytes_)[0]


def the_size_of_items(number, board, bytes_):
    return (WEIGHTS % 5).nbytes


def a_mask_of_two_dimensions(number, board, bytes_):
    square = board.copy().reshape(2, 2)
    square[square == 1] = 5
    return square[0, 0]


def a_dict_with_narrow_keys(number, board, bytes_):
    worth, total = {1: 2}, 0
    worth[WEIGHTS[0]] = 5
    for key in worth:
        total += key * 2
    return total


def a_circle_of_calls_with_narrow_ints(number, board, bytes_):
    return even(4, WEIGHTS[0])


def even(steps, number):
    return int(number * 2) if steps == 0 else odd(steps - 1, number)


def odd(steps, number):
    return 0 if steps == 0 else even(steps - 1, number)


def in_a_set(item):
    total = 0
    for one in sorted({item}):
        total += one * 100
    return total


def in_a_dict(item):
    worth = {1: item}
    return worth[1] * 2


def or_a_float(item, number):
    return item if number else 2.5


def by_identity(one, other):
    return 1 if one is other else 2


def a_set_in_a_helper(number, board, bytes_):
    return in_a_set(WEIGHTS[1])


def a_dict_in_a_helper(number, board, bytes_):
    return in_a_dict(WEIGHTS[0])


def a_float_in_a_helper(number, board, bytes_):
    return or_a_float(WEIGHTS[0], number) * 2


def is_in_a_helper(number, board, bytes_):
    return by_identity(WEIGHTS[1] > 5, True)


REFUSED = {
    a_dict_with_narrow_keys: HANDED, a_circle_of_calls_with_narrow_ints: HANDED, a_set_in_a_helper: HANDED, a_dict_in_a_helper: HANDED,
    a_float_in_a_helper: HANDED, is_in_a_helper: BY_IDENTITY,
    a_set: HANDED, a_dict: HANDED, a_float_on_another_path: HANDED, a_list_of_floats: HANDED, a_function_by_condition: HANDED,
    a_map: HANDED, a_circle_of_calls: HANDED, a_recursion_by_keyword: HANDED, a_star_in_a_call: HANDED, a_function_of_operator: OPERATOR,
    a_comparison_by_is: BY_IDENTITY, a_sign_of_bytes: SIGN, the_size_of_items: OTHER_TYPE, a_mask_of_two_dimensions: MASK,
}  # fmt: skip


def an_int_with_a_float_on_another_path(number, board, bytes_):
    worth = (1 << 53) + number if number else 0.5
    return 1 if worth == (1 << 53) + 1 else 2


def a_float_or_an_int(number):
    if number:
        return (1 << 60) + number
    return 0.5


def an_int_that_a_helper_returns_as_a_float(number, board, bytes_):
    return 1 if a_float_or_an_int(number) == (1 << 60) + 1 else 2


def an_int_of_numpy_beside_a_float(number, board, bytes_):
    return 1 if LARGE[1 - number] == 9007199254740992.0 else 2


def refused_by_numpy_alone(number, board, bytes_):
    found = 0
    try:
        if number == 1:
            found = twice(WEIGHTS[number - 1])  # a helper raises, and its caller would catch it
        elif number == 2:
            found = WEIGHTS[number] & bytes_[0]
        elif number == 3:
            found = divmod(WEIGHTS[number], bytes_[0])[1]
        elif number == 4:
            found = np.minimum(WEIGHTS, 50 * number)[0]
        elif number == 5:
            found = (np.array([-128, number], np.int8) % -board[:2])[0]  # a processor cannot divide -128 by -1
        elif number == 6:
            found = sum([byte + 9 * number for byte in BYTES])
        elif number == 9:
            found = np.array((board[0], 90 * number), np.int8)[1]
        elif number == 10:
            found = np.clip(WEIGHTS, 0, 20 * number)[0]
        elif number == 7:
            found = divmod(WEIGHTS[0], board[3])[0]
        elif number == 8:
            found = round((1 << 62) + number) - (1 << 62) + (board % 2)[0] + (WEIGHTS % (-board - 2))[0]
    except Exception:
        return -1
    return found


def a_maximum_of_an_int_and_a_float(number, board, bytes_):
    return 1 if max(0.5, (1 << 53) + number) == (1 << 53) + 1 else 2


def compiled(function):
    return HelperCompiler("helpers", arena=False, **AS_IN_PYTHON).compiled(function, called=True)


def boards(prepare):
    """Return the arrays of a state: interpreted, their items are Python's ints; compiled, nobody writes to them."""
    found = np.array([1, 2, 1, 0], np.int8), np.array([200, 8, 0, 3], np.uint8)
    for board in found:
        board.flags.writeable = False
    return map(prepare, found)


@pytest.mark.parametrize("function", WRONG, ids=lambda function: function.__name__)
def test_what_wraps_in_numpy_raises(function):
    rule = compiled(function)
    with pytest.raises(OverflowError, match=f"{NARROW}: int8"):
        rule(1, *boards(np.asarray))


@pytest.mark.parametrize("function", RIGHT, ids=lambda function: function.__name__)
def test_what_does_not_wrap_has_the_interpreted_value(function):
    rule = compiled(function)
    for number in (0, 1):
        assert rule(number, *boards(np.asarray)) == function(number, *boards(cells))


@pytest.mark.filterwarnings("ignore:First-class function type")
@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_a_narrow_int_is_refused_where_its_type_is_not_followed(function):
    with pytest.raises(NumbaError, match=REFUSED[function]):
        compiled(function)(1, *boards(np.asarray))


@pytest.mark.parametrize(
    "function",
    [
        an_int_with_a_float_on_another_path,
        an_int_that_a_helper_returns_as_a_float,
        an_int_of_numpy_beside_a_float,
        a_maximum_of_an_int_and_a_float,
    ],
)
def test_an_int_that_a_float_cannot_hold_raises(function):
    rule = compiled(function)
    assert rule(0, *boards(np.asarray)) == function(0, *boards(cells)) == 2
    with pytest.raises(OverflowError, match=NOT_EXACT):
        rule(1, *boards(np.asarray))


def test_what_only_compiled_rules_refuse_is_no_error_for_the_rule():
    rule = compiled(refused_by_numpy_alone)
    texts = {6: f"{NARROW}: uint8", 7: "zero", 9: f"{NOT_HELD}: int8"}
    for number in (1, 2, 3, 4, 5, 6, 7, 9, 10):
        kind = ZeroDivisionError if number == 7 else OverflowError
        with pytest.raises(kind, match=texts.get(number, f"{NARROW}: int8")):
            rule(number, *boards(np.asarray))
    assert rule(8, *boards(np.asarray)) == refused_by_numpy_alone(8, *boards(cells)) == 7


class Rolled(NamedTuple):
    turns: int
    total: int


def test_moves_and_outcomes_may_be_narrow_ints_of_numpy():
    def moves(state):
        for weight in WEIGHTS[1:]:
            if weight < 50:
                yield weight

    def chances(state):
        yield 0, 0.5
        yield WEIGHTS[1], 0.5

    def play(state, choice):
        return Rolled(state.turns + 1, state.total + choice * 100)

    game = Game(
        name="rolled",
        start=Rolled(0, 0),
        turn=lambda state: OVER if state.total > 7000 else CHANCE if state.turns == 1 else 0,
        moves=moves,
        chances=chances,
        play=play,
        score=lambda state: 0,
    )
    assert perft(game, depth=3) == perft(game, depth=3, compiled=False) == 6


def test_a_shift_that_numpy_does_not_refuse_is_no_error_for_the_rule():
    def shifted(number, board, bytes_):
        try:
            return (np.arange(3) << (7 + 70 * number))[1]
        except Exception:
            return -1

    rule = compiled(shifted)
    assert rule(0, *boards(np.asarray)) == 128
    with pytest.raises(ValueError, match=FAR_SHIFT):
        rule(1, *boards(np.asarray))
