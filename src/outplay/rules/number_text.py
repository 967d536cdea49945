"""Numbers as text: one function for each meaning."""

import math
from fractions import Fraction

DECIMALS = 12  # of an exact value, at most


def signed_value(value: float) -> str:
    """Return a value with its sign, whole numbers without decimals, large ones with fewer; zero has no sign."""
    decimals = 0 if value == int(value) else 4 if abs(value) < 100 else 2 if abs(value) < 1000 else 1
    text = f"{value:+.{decimals}f}"
    return text if float(text) else "0"


def exact_value(value: float, error: float = 0.0) -> str:
    """Return a value with its sign and only the decimals that *error* leaves certain; zero has no sign."""
    decimals = min(DECIMALS, max(0, math.floor(-math.log10(error)))) if error else DECIMALS
    text = f"{value:+.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if float(text) else "0"


def short_value(value: float) -> str:
    """Return a value or the end of a window, without a plus sign and with four decimals at most."""
    if math.isinf(value):
        return "-∞" if value < 0 else "∞"
    return f"{value:.4f}".rstrip("0").rstrip(".") if round(value, 4) else "0"


def signed_margin(margin: float, decimals: int) -> str:
    """Return a margin with its sign and so many *decimals*; zero has no sign."""
    text = f"{margin:+,.{decimals}f}"
    return text if text.strip("+-0.") else text[1:]


def error_bound(error: float) -> str:
    """Return *error* to one digit, rounded up, so that it is never understated."""
    power = math.floor(math.log10(error))
    return f"{math.ceil(error / 10.0**power) * 10.0**power:.0e}"


def probability_text(probability: float) -> str:
    """Return a probability as a fraction such as 1/6, or with three digits where no simple fraction equals it."""
    exact = Fraction(probability).limit_denominator(100)
    return str(exact) if abs(float(exact) - probability) < 1e-12 else f"{probability:.3g}"
