"""A solved table: finds the code of a state, its value and distance, by its key."""

from dataclasses import dataclass
from typing import Any

from outplay.errors import StateError, TableError
from outplay.rules.bits import unmix
from outplay.rules.game import Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.solve.states.packing import WORD, Packing, words_of
from outplay.solve.values.value_codes import Scale

REACH = 64  # keys to look at beyond where a key is expected


@dataclass(frozen=True)
class Rows:
    """Some of the states: their keys in order, the code of each (`value_codes.py`), and the bits set in any and in all keys, unmixed.

    Keys and codes are anything with a length that can be sliced: an array, or a part of a file.
    """

    keys: Any
    codes: Any
    any: int
    all: int

    def find(self, key: int) -> int | None:
        """Return the place of *key*, or None. Keys are spread evenly, so the size of a key tells about where it is."""
        number = len(self.keys)
        expected = (key + (1 << 63)) * number >> 64
        reach = REACH
        while True:
            low, high = max(expected - reach, 0), min(expected + reach, number)
            window = self.keys[low:high]
            if (low == 0 or int(window[0]) <= key) and (high == number or int(window[-1]) >= key):
                place = int(window.searchsorted(key))
                return low + place if place < len(window) and int(window[place]) == key else None
            reach *= 4

    def may_hold(self, key: int) -> bool:
        """Return whether *key* may be present."""
        packed = unmix(key) & WORD
        return packed & ~self.any & WORD == 0 and self.all & ~packed & WORD == 0


@dataclass(frozen=True)
class Table:
    """All rows, and how to read them."""

    packing: Packing
    scale: Scale
    rows: tuple[Rows, ...]

    def holds(self, game: Game, state: Any) -> bool:
        """Return whether *state* is in the table."""
        return self._find(game, state) is not None

    def code(self, game: Game, state: Any) -> Any:
        """Return the code of *state*, as `scale` reads it."""
        found = self._find(game, state)
        if found is None:
            raise StateError(
                f"{game.write_state(state)} cannot be reached from the state that was solved, so it is not in the table; "
                "solve from it, or from an earlier state"
            )
        rows, place = found
        code = rows.codes[place : place + 1][0]
        if not self.scale.holds(code):
            raise TableError(
                f"the table has no value for the state {game.write_state(state)}: its entry, {code}, is invalid; solve again"
            )
        return code

    def _find(self, game: Game, state: Any) -> tuple[Rows, int] | None:
        key = self.packing.key(words_of(InterpretedRules(game), len(self.packing.words), state))
        if key is not None:
            for rows in self.rows:
                if rows.may_hold(key) and (place := rows.find(key)) is not None:
                    return rows, place
        return None
