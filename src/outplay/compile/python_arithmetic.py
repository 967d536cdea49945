"""Arithmetic as Python computes it, for Numba: powers, quotients, rounding and sums. `number_guards.py` puts it in the place of Numba's."""

import math

import numpy


def checked_power(base, exponent):
    """Return *base* to the power *exponent*, and whether it needs more than 63 bits."""
    result, lost = 1, 0
    while exponent > 0:
        if exponent & 1:
            if abs(float(result)) * abs(float(base)) >= 9.223372036854775e18:
                lost = 1
            result *= base
        exponent >>= 1
        if exponent:
            if abs(float(base)) >= 3037000500.0:
                lost = 1
            base *= base
    return result, lost


def exact_quotient(dividend, divisor):
    """Return *dividend* / *divisor*, rounded once, as Python does it."""
    one, other = numpy.uint64(dividend), numpy.uint64(divisor)
    zero, bit = numpy.uint64(0), numpy.uint64(1)
    if dividend < 0:
        one = zero - one
    if divisor < 0:
        other = zero - other
    negative = (dividend < 0) != (divisor < 0)
    if one == zero or other == zero:
        return -0.0 if negative else 0.0
    whole, rest, scale = one // other, one % other, 1.0
    while whole < numpy.uint64(1 << 54):  # 55 bits, and one for what is left, so that the int is rounded as the quotient would be
        whole, rest, scale = whole << bit, rest << bit, scale * 0.5
        if rest >= other:
            whole, rest = whole | bit, rest - other
    if rest != zero:
        whole = whole | bit
    value = numpy.float64(whole) * scale
    return -value if negative else value


def exact_rounding(number, digits):
    """Return *number* rounded to *digits* decimals, a half to the even side, and 1 if this method cannot round it."""
    if digits < 0 or digits > 22:
        return number, 1
    power = 1.0
    for _ in range(digits):
        power *= 10.0
    product = number * power
    if not abs(product) < 4503599627370496.0:  # 2 ** 52
        return number, 1
    # The product and its rounding error, which is exact: each factor is split into halves of 26 bits (Veltkamp and Dekker).
    split = 134217729.0 * number
    high = split - (split - number)
    low = number - high
    split = 134217729.0 * power
    left = split - (split - power)
    right = power - left
    error = low * right - (((product - high * left) - low * left) - high * right)
    whole = math.floor(product)
    part = product - whole
    even = whole % 2 == 0
    if part > 0.5 or (part == 0.5 and (error > 0.0 or (error == 0.0 and not even))):
        whole += 1
    return whole / power, 0


def numpys_rounding(number, digits):
    """Return *number* rounded to *digits* decimals as NumPy does it, by way of a product that is rounded itself."""
    power = 10.0**digits
    return numpy.rint(number * power) / power


def checked_sum(items, start, least, most):
    """Return the sum of *items* and *start*, and 1 if it, or an item, lies beyond *least* or *most*."""
    total, lost = start, 0
    for item in items:
        after = total + item
        if (total ^ after) & (item ^ after) < 0 or min(item, after) < least or max(item, after) > most:
            lost = 1
        total = after
    return total, lost


def checked_unsigned_sum(items, start, least, most):
    """Do what `checked_sum` does; for items that may be above what an int64 holds."""
    total, lost = start, 0
    for item in items:
        number = numpy.int64(item)
        after = total + number
        if number < 0 or (total ^ after) & (number ^ after) < 0 or after < least or after > most:
            lost = 1
        total = after
    return total, lost
