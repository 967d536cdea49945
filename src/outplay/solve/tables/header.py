"""Checks the header of a table's file: a file with a valid checksum may still hold nonsense."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from outplay.errors import TooLarge
from outplay.rules.game import Game
from outplay.solve.states.packing import WORD, Extent, Packing

CODE_TYPES = ("uint8", "uint16", "uint32", "int64")  # of places and distances; values are float64


class Nonsense(Exception):
    """An entry of a header that is invalid."""


def check(header: Any, size: int) -> None:
    """Raise `Nonsense` unless *header* has every entry with the right type, and its rows fit into sections of *size* bytes."""
    _need(isinstance(header, dict), "it is not an object")
    for name in ("game", "rules", "loaded_as", "python"):
        _need(isinstance(header.get(name), str), f"{name!r} is not a text")
    _need(header.get("method") in ("table", "cycles"), "'method' is neither table nor cycles")
    _need(_is_real(header.get("endless")) and _is_real(header.get("error")), "'endless' or 'error' is not a number")
    _need(
        header["error"] >= 0 and isinstance(header.get("proper"), bool), "'error' is negative, or 'proper' neither true nor false"
    )
    _need(_is_list(header.get("root"), _is_word) and header["root"], "'root' is not a list of words")
    _need(_is_list(header.get("counts"), _is_count) and header["counts"], "'counts' is not a list of counts")
    _need(_is_list(header.get("rows"), _is_rows) and header["rows"], "'rows' is not a list of runs of states")
    _check_scale(header.get("scores"), header.get("span"))
    _check_sections(header, size)


def check_game(header: dict[str, Any], game: Game) -> Packing:
    """Return the packing in *header*; raise `Nonsense` if the packing or the root does not fit *game*."""
    words = sum(field.words for field in game.fields)
    _need(len(header["root"]) == words, f"'root' has {len(header['root'])} words, and a state {words}")
    data: Any = header.get("packing")
    _need(isinstance(data, dict) and _is_list(data.get("extents"), _is_extent), "'packing' has no extents")
    extents = tuple(Extent(*extent) for extent in data["extents"])
    _need(len(extents) == words, f"'packing' is of {len(extents)} words, and a state has {words}")
    try:
        packing = Packing.over(extents, game.name)
    except TooLarge:
        raise Nonsense("'packing' takes more than 64 bits") from None
    held = [list(part) for part in packing.words], [list(part) for part in packing.runs], packing.bits
    _need((data.get("words"), data.get("runs"), data.get("bits")) == held, "'packing' does not follow from its extents")
    return packing


def _need(holds: Any, why: str) -> None:
    if not holds:
        raise Nonsense(why)


def _check_scale(scores: Any, span: Any) -> None:
    _need(_is_list(scores, _is_real) and _is_count(span), "'scores' or 'span' is not a number")
    _need(all(one < other for one, other in pairwise(scores)), "'scores' are not in order")
    _need(bool(scores) == (span > 0) and len(scores) * span <= 1 << 63, "'scores' and 'span' do not fit each other")


def _check_sections(header: dict[str, Any], size: int) -> None:
    sections: Any = header.get("sections")
    _need(isinstance(sections, dict) and set(sections) == {"keys", "codes"}, "'sections' are not keys and codes")
    number = sum(part["states"] for part in header["rows"])
    _need(number > 0, "'rows' hold no state")
    end = 0
    for name, kinds in (("keys", ("int64",)), ("codes", CODE_TYPES if header["span"] else ("float64",))):
        section = sections[name]
        _need(isinstance(section, dict) and section.get("type") in kinds, f"the type of {name} is not one of {', '.join(kinds)}")
        offset, states = section.get("offset"), section.get("states")
        _need(_is_count(offset) and _is_count(states) and states == number, f"{name} are not of the {number:,} states in 'rows'")
        _need(end <= offset and offset % 8 == 0, f"{name} begin where they cannot")
        end = offset + states * np.dtype(section["type"]).itemsize
    _need(end <= size, f"the sections take {end:,} bytes, and the file has {size:,}")


def _is_list(value: Any, item: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(item, value))


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_word(value: Any) -> bool:
    return _is_int(value) and -1 << 63 <= value < 1 << 63


def _is_bits(value: Any) -> bool:
    return _is_int(value) and 0 <= value <= WORD


def _is_count(value: Any) -> bool:
    return _is_int(value) and 0 <= value < 1 << 63


def _is_real(value: Any) -> bool:
    return (_is_word(value) or isinstance(value, float)) and math.isfinite(value)


def _is_rows(value: Any) -> bool:
    return (
        isinstance(value, dict) and _is_count(value.get("states")) and _is_bits(value.get("any")) and _is_bits(value.get("all"))
    )


def _is_extent(value: Any) -> bool:
    if not (isinstance(value, list) and len(value) == 4):
        return False
    low, high, some, every = value
    return _is_word(low) and _is_word(high) and low <= high and _is_bits(some) and _is_bits(every)
