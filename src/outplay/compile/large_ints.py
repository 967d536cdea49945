"""Ints of more than 63 bits among the constants of a function: compiled code makes them unsigned, or lets them wrap."""

import dis
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

LEAST, MOST = -(1 << 63), (1 << 63) - 1
SHOWN = 128  # bits of an int whose digits are shown


def large_int_in(value: Any) -> int | None:
    """Return an int that 64 bits with a sign do not hold: *value* itself, or an item of a tuple; None if there is none."""
    if isinstance(value, int):
        return None if LEAST <= value <= MOST else int(value)
    if isinstance(value, (tuple, frozenset)):
        return next((found for item in value if (found := large_int_in(item)) is not None), None)
    return None


def large_ints_in(function: Callable[..., Any]) -> Iterator[tuple[int, str]]:
    """Yield each line of *function* that uses a large int, and the int as text: a constant, a global, a default, an attribute."""
    code: types.CodeType = function.__code__
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    if (found := large_int_in(defaults)) is not None:
        yield code.co_firstlineno, shown(found)
    known = dict(function.__globals__)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # nothing is in it yet
            known[name] = cell.cell_contents
    yield from _used_by(code, known)


def _used_by(code: types.CodeType, known: dict[str, Any]) -> Iterator[tuple[int, str]]:
    owner: Any = None  # what the instruction before has loaded, if it is a module or a class
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        value: Any = None
        if instruction.positions and instruction.positions.lineno:
            line = instruction.positions.lineno
        if instruction.opcode in dis.hasconst:
            value = instruction.argval
        elif instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF"):
            value = known.get(instruction.argval)
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(owner, (types.ModuleType, type)):
            value = vars(owner).get(instruction.argval)
        if instruction.opname not in ("CACHE", "PUSH_NULL", "EXTENDED_ARG"):
            owner = value
        if isinstance(value, types.CodeType):
            yield from _used_by(value, known)
        elif (found := large_int_in(value)) is not None:
            yield line, shown(found)


def shown(number: int) -> str:
    """Return *number* as text, if it is not too long."""
    return str(number) if number.bit_length() <= SHOWN else f"an int of {number.bit_length()} bits"
