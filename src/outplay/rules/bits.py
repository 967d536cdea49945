"""Bit counting and mixing for rules: plain Python when interpreted, an instruction or two when compiled.

Compiled ints have 64 bits and a sign, so a board has at most 63 squares. Each function returns the same as
its compiled twin in `compile/primitives.py`; `tests/test_bits.py` checks that.
"""

import struct

_WORD = (1 << 64) - 1
_SIGN = 1 << 63


def count(bits: int) -> int:
    """Return the number of bits that are set."""
    return (bits & _WORD).bit_count()


def lowest(bits: int) -> int:
    """Return the place of the lowest bit set, or 64 if there is none."""
    bits &= _WORD
    return (bits & -bits).bit_length() - 1 if bits else 64


def highest(bits: int) -> int:
    """Return the place of the highest bit set, or -1 if there is none."""
    return (bits & _WORD).bit_length() - 1


def mix(seed: int, word: int) -> int:
    """Return *seed* and *word* mixed into one 64-bit int. A `key` is built of such steps."""
    word = ((seed * 0xA0761D6478BD642F ^ word) & _WORD) * 0x9E3779B97F4A7C15 & _WORD
    word = (word ^ word >> 32) * 0xD6E8FEB86659FD93 & _WORD
    word ^= word >> 29
    return word - (1 << 64) if word & _SIGN else word


def unmix(word: int) -> int:
    """Return the word that `mix(0, ...)` turns into *word*: mixing is one to one."""
    word &= _WORD
    word = (word ^ word >> 29 ^ word >> 58) * 0xCFEE444D8B59A89B & _WORD
    word = (word ^ word >> 32) * 0xF1DE83E19937733D & _WORD
    return word - (1 << 64) if word & _SIGN else word


def splitmix(seed: int, number: int) -> int:
    """Return random number *number* of *seed*, by SplitMix64: any number of the sequence, without those before it."""
    word = seed + (number + 1) * 0x9E3779B97F4A7C15 & _WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    word ^= word >> 31
    return word - (1 << 64) if word & _SIGN else word


def bits_of(real: float) -> int:
    """Return the 64 bits of the float *real* as an int."""
    return int(struct.unpack("<q", struct.pack("<d", real))[0])


def real_of(bits: int) -> float:
    """Return the float whose 64 bits are *bits*: the reverse of `bits_of`."""
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])
