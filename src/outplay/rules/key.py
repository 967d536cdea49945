"""The default key of a state: all its fields, mixed into 64 bits."""

from typing import Any

from outplay.rules.bits import bits_of, mix

SEED = 0x51ED270B


def key_of(state: Any) -> int:
    """Return the default key of *state*. `compile/compiled_rules.py` generates the same steps for the fields of one game."""
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
