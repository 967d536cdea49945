"""Valid probabilities, and the errors for others."""

from typing import Any

from outplay.errors import RuleError
from outplay.rules.memory import real_at

TOLERANCE = 1e-6  # how far from 1 a sum of probabilities may be, for they are rounded

ILLEGAL = -1.0  # as a probability: the policy chose an illegal move; the search stops and reports it


def sums_to_one(total: float) -> bool:
    """Return whether *total* is 1 up to rounding. Kernels call this too."""
    return -TOLERANCE < total - 1.0 < TOLERANCE


def fair(outcomes: int, number: int, ints: Any) -> bool:
    """Return whether the probabilities that `fill_chances` wrote to *outcomes* are above 0 and sum to 1. Kernels call this."""
    total = 0.0
    for outcome in range(number):
        probability = real_at(ints, outcomes + 4 * outcome + 1)
        if not probability > 0.0:
            return False
        total += probability
    return sums_to_one(total)


def illegal_choice(whose: str, move: Any, where: str, legal: list[int]) -> RuleError:
    """Return the error for an illegal move of a policy."""
    if move is None:
        return RuleError(f"{whose} returns None {where}; every path must return a legal move, or yield some: {legal}")
    return RuleError(f"{whose} chooses {move!r} {where}, which is not legal; legal moves: {legal}")


def bad_probabilities(whose: str, chosen: list[tuple[int, float]], where: str) -> RuleError:
    """Return the error for invalid probabilities."""
    if not chosen:
        return RuleError(f"{whose} yields nothing {where}; yield every outcome with its probability")
    total = sum(probability for _, probability in chosen)
    return RuleError(f"{whose} yields {chosen} {where}; probabilities must be above 0 and sum to 1; these sum to {total:.6g}")
