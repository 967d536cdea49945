"""Numbers as texts show them, and when probabilities are valid."""

import math

import pytest

from outplay.rules.number_text import (
    error_bound,
    exact_value,
    probability_text,
    short_value,
    signed_margin,
    signed_value,
)
from outplay.rules.probabilities import sums_to_one


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (signed_value(1.0), "+1"),
        (signed_value(-0.25), "-0.2500"),
        (signed_value(-0.0), "0"),
        (signed_value(254.58766), "+254.59"),
        (signed_value(-1089.268), "-1089.3"),
        (signed_value(0.00001), "0"),
        (exact_value(1 / 3), "+0.333333333333"),
        (exact_value(1 / 3, 1e-3), "+0.333"),
        (exact_value(-1e-15), "0"),
        (short_value(0.25), "0.25"),
        (short_value(-math.inf), "-∞"),
        (short_value(-0.00001), "0"),
        (signed_margin(0.126, 2), "+0.13"),
        (signed_margin(-0.001, 2), "0.00"),
        (error_bound(1.2e-7), "2e-07"),
        (probability_text(1 / 6), "1/6"),
        (probability_text(0.1234567), "0.123"),
    ],
)
def test_each_meaning_of_a_number_has_its_text(shown, text):
    assert shown == text


def test_probabilities_may_be_off_by_rounding_alone():
    assert sums_to_one(sum([0.1] * 10))
    assert not sums_to_one(0.99999)
    assert not sums_to_one(1.00001)
    assert not sums_to_one(math.nan)
