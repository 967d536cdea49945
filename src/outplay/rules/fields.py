"""The fields of a state: their kinds, and how a value is converted to its kind."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, TypeVar, get_type_hints

from outplay.errors import GameError, StateError

Kind = Literal["int", "bool", "float", "tuple", "array"]
State = TypeVar("State")

PLAIN = frozenset({int, bool, float})  # the types of Python's numbers
LONGEST = 400  # items of a tuple; each is a separate value in compiled code
KINDS = "int, bool, float, a tuple of ints or a NumPy integer array"


@dataclass(frozen=True)
class Field:
    """One field of a state: its name and kind, and its length or shape where it has one."""

    name: str
    kind: Kind
    length: int = 0  # of a tuple
    dtype: str = ""  # of an array
    shape: tuple[int, ...] = ()  # of an array

    @property
    def words(self) -> int:
        """The number of 64-bit words that the field takes when a state is stored word by word."""
        return self.length if self.kind == "tuple" else math.prod(self.shape) if self.kind == "array" else 1

    @property
    def stored_words(self) -> int:
        """The number of 64-bit words that the field takes in the memory of compiled code, where arrays keep their type."""
        return -(-self.words * self.item_bytes // 8) if self.kind == "array" else self.words

    @property
    def item_bytes(self) -> int:
        """The size of an item of an array, in bytes."""
        return 1 if self.dtype == "bool" else int(self.dtype.lstrip("uint")) // 8

    def __str__(self) -> str:
        if self.kind == "tuple":
            return f"a tuple of {self.length} ints"
        if self.kind == "array":
            return f"an array of {self.dtype} of shape {self.shape}"
        return {"int": "an int", "bool": "a bool", "float": "a float"}[self.kind]


def fields_of(start: Any) -> tuple[Field, ...]:
    """Return the fields of the NamedTuple *start*: by its annotations, or by its values where an annotation does not say."""
    try:
        hints = get_type_hints(type(start))
    except Exception:  # an annotation has an unknown name: the values decide
        hints = {}
    return tuple(_field(name, value, hints.get(name)) for name, value in zip(start._fields, start, strict=True))


def _field(name: str, value: Any, hint: Any) -> Field:
    if _is_array(value):
        if value.dtype.kind not in "iub" or value.dtype.itemsize > 8 or str(value.dtype) == "uint64":
            raise GameError(
                f"state field {name!r} is an array of {value.dtype}; an array field holds integers of at most 63 bits "
                "(int8 to int64, uint8 to uint32, bool): give it such a dtype"
            )
        return Field(name, "array", dtype=str(value.dtype), shape=value.shape)
    if isinstance(value, tuple):
        if len(value) > LONGEST:
            raise GameError(
                f"state field {name!r} is a tuple of {len(value)} items, which would take minutes to compile; "
                f"make it a NumPy array, such as np.zeros({len(value)}, np.int8)"
            )
        if all(is_int(item) for item in value) and value:
            return Field(name, "tuple", length=len(value))
        raise GameError(f"state field {name!r} is the tuple {value!r}; a tuple field holds one or more ints and nothing else")
    if hint is float and not isinstance(value, bool) and isinstance(value, (int, float)):
        return Field(name, "float")
    if isinstance(value, bool) and hint is not int:
        return Field(name, "bool")
    if is_int(value):
        return Field(name, "bool" if hint is bool else "int")
    if isinstance(value, float):
        return Field(name, "float")
    if value is None:
        raise GameError(f"state field {name!r} holds None; a field is {KINDS}: write a number instead, such as -1 for none")
    if isinstance(value, Enum):
        raise GameError(f"state field {name!r} holds {value}, a member of an Enum; a field is {KINDS}: write {value}.value")
    hint = ": write tuple(...) around it" if isinstance(value, list) else ""
    raise GameError(f"state field {name!r} holds {value!r}, a {type(value).__name__}; a field is {KINDS}{hint}")


def conform(fields: tuple[Field, ...], kind: Callable[..., State], state: Any) -> State:
    """Return *state* as a *kind* in which every field has its declared type, or raise a StateError."""
    if not isinstance(state, tuple) or len(state) != len(fields):
        raise StateError(
            f"a state of this game is a {kind.__name__}({', '.join(field.name for field in fields)}); "
            f"got {state!r}: build it from game.start with play, or by its fields"
        )
    return kind(*(_conformed(field, value) for field, value in zip(fields, state, strict=True)))


def _conformed(field: Field, value: Any) -> Any:
    if field.kind == "array":
        if _is_array(value) and str(value.dtype) == field.dtype and value.shape == field.shape:
            from outplay.rules.cells import cells

            return cells(value)
    elif field.kind == "tuple":
        if isinstance(value, tuple) and len(value) == field.length and all(is_int(item) for item in value):
            return tuple(_fitting(field, int(item)) for item in value)
    elif field.kind == "float":
        if is_int(value) or isinstance(value, float) or type(value).__name__.startswith("float"):
            return float(value) + 0.0  # no state holds -0.0, which would have the key of 0.0
    elif is_int(value):
        if field.kind == "int":
            return _fitting(field, int(value))
        if value in (0, 1):
            return bool(value)
        raise StateError(
            f"state field {field.name!r} is a bool in the game's start, and holds {value} here; write an int in the start, 0 instead of False"
        )
    raise StateError(f"state field {field.name!r} must be {field}, as in the game's start; got {_got(value)}")


def _got(value: Any) -> str:
    return f"an array of {value.dtype} of shape {value.shape}" if _is_array(value) else repr(value)


def _fitting(field: Field, value: int) -> int:
    if -(1 << 63) <= value < 1 << 63:
        return value
    raise StateError(
        f"state field {field.name!r} holds {value}, which needs more than 63 bits; compiled ints have 63 and a sign: "
        "mask after a left shift, or split the field in two"
    )


def another_shape(field: Field, value: Any = None) -> str:
    """Return the sentence for a `play` that gives *field*, a tuple or an array, a *value* of another size."""
    found = "" if value is None else f", {_size(value)},"
    return f"play gives the field {field.name!r} another shape{found} than in the start, where it is {field}; keep the shape"


def shaped(field: Field, value: Any) -> bool:
    """Return whether *value* has the shape of *field*."""
    if field.kind == "tuple":
        return isinstance(value, tuple) and len(value) == field.length
    return field.kind != "array" or getattr(value, "shape", None) == field.shape


def _size(value: Any) -> str:
    return str(value.shape) if _is_array(value) else f"{len(value)} items" if isinstance(value, tuple) else repr(value)


def plain(value: Any) -> Any:
    """Return *value*, a number or a tuple of numbers, with Python's numbers instead of NumPy's, which may wrap."""
    if isinstance(value, tuple):
        return value if PLAIN.issuperset(map(type, value)) else tuple(map(plain, value))
    return value.item() if hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0 else value


def is_int(value: Any) -> bool:
    """Return whether *value* is an int of Python or NumPy."""
    return isinstance(value, int) or (hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0 and value.dtype.kind in "iub")


def _is_array(value: Any) -> bool:
    return hasattr(value, "dtype") and getattr(value, "ndim", 0) > 0
