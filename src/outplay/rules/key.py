"""The key that a state has by default: all its fields, mixed into 64 bits."""

from typing import Any

from outplay.rules.bits import bits_of, mix

SEED = 0x51ED270B


def key_of(state: Any) -> int:
    """Return the default key of *state*. `compile/compiled_rules.py` writes the same steps out for one game's fields."""
    key = SEED
    for value in state:
        if isinstance(value, tuple) or hasattr(value, "flat"):
            for item in getattr(value, "flat", value):
                key = mix(key, int(item))
        elif isinstance(value, float):
            key = mix(key, bits_of(value + 0.0))  # -0.0 and 0.0 are one value, so one key
        else:
            key = mix(key, int(value))
    return key
