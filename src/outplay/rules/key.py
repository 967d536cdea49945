"""The default key of a state: all its fields, mixed into 64 bits."""

from collections.abc import Sequence
from typing import Any

from outplay.rules.bits import bits_of, mix

SEED = 0x51ED270B
LONG = 8  # a field of so many words or more is mixed in lanes
LANES = 4  # a processor mixes several words at once if none of them waits for another


def key_of(state: Any) -> int:
    """Return the default key of *state*. `compile/compiled_rules.py` generates the same steps for the fields of one game."""
    key = SEED
    for value in state:
        if isinstance(value, tuple):
            key = _mixed(key, [int(item) for item in value])
        elif hasattr(value, "tobytes") and hasattr(value, "flat"):
            key = _mixed(key, words_of(value))
        elif isinstance(value, float):
            key = mix(key, bits_of(value + 0.0))  # -0.0 and 0.0 are one value, so one key
        else:
            key = mix(key, int(value))
    return key


def words_of(array: Any) -> list[int]:
    """Return the bytes of *array*, row by row, as 64-bit ints; the last one is filled up with zeros."""
    data = array.astype(array.dtype.newbyteorder("<")).tobytes()
    return [int.from_bytes(data[at : at + 8], "little", signed=len(data) - at >= 8) for at in range(0, len(data), 8)]


def _mixed(key: int, words: Sequence[int]) -> int:
    if len(words) < LONG:
        for word in words:
            key = mix(key, word)
        return key
    lanes = [key] * LANES
    for place, word in enumerate(words):
        lanes[place % LANES] = mix(lanes[place % LANES], word)
    key = lanes[0]
    for lane in lanes[1:]:
        key = mix(key, lane)
    return key
