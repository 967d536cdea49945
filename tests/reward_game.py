"""Random trees with a reward on every edge; `whole` ones are exact in floating point, the others are not."""

from random_game import MOST, hashed, random_game

LARGEST = 3  # reward, either way
LONGEST = 8  # plies of a tree


def whole(state, choice):
    return hashed(state, 40 + choice) % (2 * LARGEST + 1) - LARGEST


def fractional(state, choice):
    return (hashed(state, 40 + choice) % 2001 - 1000) * LARGEST / 1000.7


def rewarded(reward, **changes):
    """Return the random trees with *reward*; what they say of bounds and of useful moves does not hold with it."""
    high = MOST + LARGEST * LONGEST
    name = f"random tree with {reward.__name__} rewards"
    return random_game.replace(name=name, reward=reward, bounds=None, useful=None, low=-high, high=high, **changes)


whole_rewards = rewarded(whole)
fractional_rewards = rewarded(fractional)
