"""A state as one 64-bit key, and back. The key is exact: a table holds states, not hashes.

A state is first a row of words (`store_state`): one for each field or item. Of each word only what varies is kept:
its distance from the lowest value seen, or, where that takes more than 64 bits for all words together, the bits that
differ between states. The bits of all words stand side by side in one word, which is then stirred by `bits.mix`: keys
are spread evenly, so that the top bits of a key tell where in a sorted array it stands.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from outplay.errors import TooLarge
from outplay.rules.bits import mix, unmix
from outplay.rules.game import Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory

WORD = (1 << 64) - 1
PLAYOUTS, PLIES, PLIES_IN_ALL = 64, 500, 4_000  # from which a packing is learnt; they are the same ones each time


def signed(word: int) -> int:
    """Return the low 64 bits of *word* as a signed number."""
    word &= WORD
    return word - (1 << 64) if word >> 63 else word


@dataclass(frozen=True)
class Extent:
    """The values of one word in all states seen: their range, and the bits set in any and in all of them."""

    low: int
    high: int
    any: int
    all: int

    @classmethod
    def of(cls, word: int) -> "Extent":
        """Return the extent of a word seen once."""
        return cls(word, word, word & WORD, word & WORD)

    def joined(self, other: "Extent") -> "Extent":
        """Return the extent of both together."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Extent(low, high, self.any | other.any, self.all & other.all)

    @property
    def span(self) -> int:
        """How many bits the distance from the lowest value takes."""
        return (self.high - self.low).bit_length()

    @property
    def varying(self) -> int:
        """The bits that are not the same in all states."""
        return self.any & ~self.all & WORD


@dataclass(frozen=True)
class Packing:
    """Where each bit of each word is in a key.

    *words*: of each word what is subtracted from it, and which bits may then be set. *runs*: (word, place in the word,
    mask, place in the key) of bits that stay together.
    """

    extents: tuple[Extent, ...]
    words: tuple[tuple[int, int], ...]
    runs: tuple[tuple[int, int, int, int], ...]
    bits: int

    @classmethod
    def over(cls, extents: Sequence[Extent], name: str) -> "Packing":
        """Return the packing of words within *extents*; raise `TooLarge` if the game *name* needs more than 64 bits."""
        by_span = sum(extent.span for extent in extents) <= 64
        words, runs, place = [], [], 0
        for number, extent in enumerate(extents):
            if by_span or extent.span < extent.varying.bit_count():
                base, allowed = extent.low, (1 << extent.span) - 1
            else:
                base, allowed = signed(extent.all), extent.varying
            words.append((base, signed(allowed)))
            for start, length in _runs(allowed):
                runs.append((number, start, signed((1 << length) - 1), place))
                place += length
        if place > 64:
            raise TooLarge(
                f"a state of {name!r} takes {place} bits in a table, and a key has 64: no table of every state can be made; "
                'use method="proof", or write the state with fewer bits (fields that follow from others can go)'
            )
        return cls(tuple(extents), tuple(words), tuple(runs), place)

    def widened(self, extents: Sequence[Extent], name: str) -> "Packing":
        """Return a packing for *extents* as well, with space on the side to which a range has grown."""
        joined = [known.joined(new) for known, new in zip(self.extents, extents, strict=True)]
        roomy = [
            Extent(max(extent.low - (extent.high - extent.low), -1 << 63), extent.high, extent.any, extent.all)
            if extent.low < known.low
            else extent
            for known, extent in zip(self.extents, joined, strict=True)
        ]
        return Packing.over(roomy if sum(extent.span for extent in roomy) <= 64 else joined, name)

    def key(self, words: Sequence[int]) -> int | None:
        """Return the key of the state with these *words*, or None if it does not fit and so is not in the table."""
        packed, rest = 0, [word - base for word, (base, _) in zip(words, self.words, strict=True)]
        if any(distance & ~allowed & WORD for distance, (_, allowed) in zip(rest, self.words, strict=True)):
            return None
        for word, start, mask, place in self.runs:
            packed |= (rest[word] >> start & mask & WORD) << place
        return mix(0, packed)

    def unpacked(self, key: int) -> list[int]:
        """Return the words of the state with this *key*."""
        packed = unmix(key) & WORD
        words = [base for base, _ in self.words]
        for word, start, mask, place in self.runs:
            words[word] += (packed >> place & mask & WORD) << start
        return [signed(word) for word in words]


def _runs(bits: int) -> Iterable[tuple[int, int]]:
    """Yield the place and the length of each run of ones in *bits*."""
    place = 0
    while bits:
        zeros = (bits & -bits).bit_length() - 1
        bits >>= zeros
        ones = (~bits & bits + 1).bit_length() - 1
        yield place + zeros, ones
        bits >>= ones
        place += zeros + ones


def words_of(rules: InterpretedRules, number: int, state: Any) -> list[int]:
    """Return the *number* words of *state*."""
    memory = Memory()
    rules.store_state(state, memory, 0)
    return [memory[place] for place in range(number)]


def learnt(game: Game, state: Any) -> Packing:
    """Return a packing for the states of some random playouts of *game* from *state*; the same on each call."""
    rules, number = InterpretedRules(game), sum(field.words for field in game.fields)
    dice = random.Random(1)
    extents: list[Extent] | None = None
    plies = 0
    for _ in range(PLAYOUTS):
        for met in _playout(game, state, dice):
            seen = [Extent.of(word) for word in words_of(rules, number, met)]
            extents = seen if extents is None else [known.joined(new) for known, new in zip(extents, seen, strict=True)]
            plies += 1
        if plies > PLIES_IN_ALL:
            break
    assert extents is not None
    return Packing.over(extents, game.name)


def _playout(game: Game, state: Any, dice: random.Random) -> Iterable[Any]:
    """Yield the states of one random playout; a faulty rule ends it, and the kernel reports the fault later."""
    yield state
    for _ in range(PLIES):
        try:
            choices = game.choices(state)
            if not choices:
                return
            state = game.state(game.play(state, dice.choice(choices)[0]))
        except Exception:
            return
        yield state
