"""When probabilities are valid. The same function runs interpreted and compiled."""

TOLERANCE = 1e-6  # how far from 1 a sum of probabilities may be, for they are rounded


def sums_to_one(total: float) -> bool:
    """Return whether *total* is 1 but for rounding."""
    return -TOLERANCE < total - 1.0 < TOLERANCE
