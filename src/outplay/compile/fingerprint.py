"""The fingerprint of functions: all that they run, whichever module it stands in. It names a compiled game.

Code and constants are hashed rather than source text, so it works in a notebook and at the prompt too, and a
change of a comment costs nothing. Python's and Numba's versions are the cache's business, not this file's.
"""

import enum
import hashlib
import itertools
import types
from typing import Any

from outplay.compile.names import NATIVE_MODULES, names_in

ABSENT = object()  # what stands for a name that is not there yet: a builtin may be shadowed, a helper defined later


class Fingerprint:
    """A digest of functions and values, and the means to tell later whether it still holds."""

    def __init__(self, *parts: Any) -> None:
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}
        self._number = itertools.count()
        self._keep: list[Any] = []  # so that no id is used twice
        self._watched: list[tuple[dict[str, Any], str, Any]] = []
        self._cells: list[tuple[types.CellType, Any]] = []
        self._arrays: list[tuple[Any, bytes]] = []
        for part in parts:
            self._add(part)
        self.digest = self._hash.hexdigest()[:24]
        del self._hash  # a hash cannot be copied, and a game that holds one could not be either

    def holds(self) -> bool:
        """Tell whether everything that was hashed is still what the functions would use."""
        return (
            all(scope.get(name, ABSENT) is value for scope, name, value in self._watched)
            and all(cell.cell_contents is value for cell, value in self._cells)
            and all(array.tobytes() == held for array, held in self._arrays)
        )

    def _say(self, *words: Any) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else repr(word).encode()
            self._hash.update(len(data).to_bytes(8, "little") + data)

    def _add(self, value: Any) -> None:
        if isinstance(value, (int, float, complex, str, bytes, type(None))) and not isinstance(value, enum.Enum):
            self._say(type(value).__name__, value)
            return
        if id(value) in self._seen:
            self._say("again", self._seen[id(value)])
            return
        self._seen[id(value)] = next(self._number)
        self._keep.append(value)
        if isinstance(getattr(value, "py_func", None), types.FunctionType):
            value = value.py_func  # a function that the user has compiled
        if isinstance(value, types.FunctionType):
            self._add_function(value)
        elif isinstance(value, types.CodeType):
            self._add_code(value)
        elif isinstance(value, (tuple, list)):
            self._say(type(value).__qualname__, len(value), getattr(value, "_fields", ()))
            for item in value:
                self._add(item)
        elif isinstance(value, (set, frozenset)):
            self._say(type(value).__name__, sorted(map(repr, value)))
        elif isinstance(value, dict):
            self._say("dict", len(value))
            for key, item in value.items():
                self._add(key)
                self._add(item)
        elif hasattr(value, "tobytes") and hasattr(value, "dtype"):
            held = value.tobytes()
            self._say("array", str(value.dtype), value.shape, held)
            self._arrays.append((value, held))
        elif isinstance(value, type):
            self._add_class(value)
        elif isinstance(value, types.ModuleType):
            self._say("module", value.__name__)
        elif isinstance(value, enum.Enum):
            self._say("enum", value.name, value.value)
        elif isinstance(value, (types.BuiltinFunctionType, types.MethodType)):
            self._say("builtin", getattr(value, "__qualname__", ""))
        else:
            self._say("object", type(value).__qualname__)

    def _add_function(self, function: types.FunctionType) -> None:
        code = function.__code__
        self._say("function", function.__name__)
        self._add_code(code)
        self._add(function.__defaults__)
        self._add(function.__kwdefaults__)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self._say("closure", name)
            self._cells.append((cell, cell.cell_contents))
            self._add(cell.cell_contents)
        self._add_names(function.__globals__, code)

    def _add_names(self, scope: dict[str, Any], code: types.CodeType) -> None:
        """Add what *code* may look up in *scope*; in a module that it names, what it may look up there."""
        for name in sorted(names_in(code)):
            if name not in scope:
                self._watched.append((scope, name, ABSENT))
            else:
                value = scope[name]
                self._say("global", name)
                self._watched.append((scope, name, value))
                if isinstance(value, types.ModuleType):
                    self._say("module", value.__name__)
                    if value.__name__.partition(".")[0] not in NATIVE_MODULES and id(value) not in self._seen:
                        self._seen[id(value)] = next(self._number)
                        self._add_names(value.__dict__, code)
                        del self._seen[id(value)]
                else:
                    self._add(value)

    def _add_code(self, code: types.CodeType) -> None:
        self._say("code", code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags)
        for constant in code.co_consts:
            self._add(constant)

    def _add_class(self, kind: type) -> None:
        self._say("class", kind.__qualname__, getattr(kind, "_fields", ()))
        self._add(getattr(kind, "_field_defaults", None))
        if issubclass(kind, enum.Enum):
            for member in kind:
                self._say(member.name, member.value)
