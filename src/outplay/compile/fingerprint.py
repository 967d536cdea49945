"""The fingerprint of functions: a hash of all the code that they run, in any module. It names a compiled game.

It hashes code and constants instead of source text. So it works in a notebook and at the prompt, and a changed comment
changes nothing. `cache.py` takes care of the versions of Python and Numba.
"""

import enum
import functools
import hashlib
import itertools
import operator
import re
import types
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from outplay.compile.learned_estimate import LearnedEstimate
from outplay.compile.names import NATIVE_MODULES, attributes_in, behaviour, globals_in
from outplay.rules.game import OPTIONAL, REQUIRED, Game

ABSENT = object()  # the value of a name that is not defined yet: a builtin may be shadowed, a helper defined later


class Fingerprint:
    """A digest of functions and values that can check later whether they have changed."""

    def __init__(self, *parts: Any) -> None:
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}
        self._number = itertools.count()
        self._keep: list[Any] = []  # so that no id is used twice
        self._functions: list[tuple[types.FunctionType, Any, Any, Any]] = []
        self._watched: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = {}  # by scope: values by name
        self._cells: list[tuple[types.CellType, Any]] = []
        self._arrays: list[tuple[Any, bytes]] = []
        self._collections: list[tuple[Any, list[Any]]] = []
        for part in parts:
            self._add(part)
        self.digest = self._hash.hexdigest()[:24]
        self._scopes = [_Scope(scope, values) for scope, values in self._watched.values()]
        del self._hash, self._watched  # a hash cannot be copied, and a game that holds one could not be either

    def holds(self) -> bool:
        """Return whether the functions still use the same values as when they were hashed."""
        # Written as plain loops, because this runs before every search. IPython's autoreload changes functions in place.
        for function, code, defaults, keywords in self._functions:  # Python keeps their cells, whose contents are compared below
            if function.__code__ is not code or function.__defaults__ is not defaults or function.__kwdefaults__ is not keywords:
                return False
        for scope in self._scopes:
            if not scope.holds():
                return False
        for cell, value in self._cells:
            if _content(cell) is not value:
                return False
        for array, held in self._arrays:
            if not _frozen(array) and array.tobytes() != held:
                return False
        for value, items in self._collections:
            now = _items(value)
            if len(now) != len(items) or not all(map(operator.is_, now, items)):
                return False
        return True

    def _watch(self, scope: Mapping[str, Any], name: str, value: Any) -> None:
        self._watched.setdefault(id(scope), (scope, {}))[1][name] = value

    def _say(self, *words: Any) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else repr(word).encode()
            self._hash.update(len(data).to_bytes(8, "little") + data)

    def _add(self, value: Any) -> None:
        if isinstance(value, (int, float, complex, str, bytes, type(None))) and not isinstance(value, enum.Enum):
            self._say(type(value).__name__, value)
        elif isinstance(value, tuple):
            # Python's compiler decides whether two equal constants are one object, so a tuple is always hashed in full.
            self._say(type(value).__qualname__, len(value), getattr(value, "_fields", ()))
            for item in value:
                self._add(item)
        elif isinstance(value, types.CodeType):
            self._add_code(value)
        elif id(value) in self._seen:
            self._say("again", self._seen[id(value)])
        else:
            self._seen[id(value)] = next(self._number)
            self._keep.append(value)
            self._add_new(value)

    def _add_new(self, value: Any) -> None:
        if isinstance(value, LearnedEstimate):  # its weights are data: they are not compiled
            self._say("learned")
            self._add((value.base, value.turn, value.bounds))
        elif isinstance(function := source_of(value), types.FunctionType):
            if function is not value:  # one that the user has compiled
                self._say("compiled", sorted(map(str, getattr(value, "targetoptions", {}).items())))
            self._add_function(function)
        elif isinstance(value, type):
            self._add_class(value)
        elif isinstance(value, (list, set, frozenset, dict)):
            self._add_collection(value)
        elif hasattr(value, "tobytes") and hasattr(value, "dtype"):
            held = value.tobytes()
            self._say("array", str(value.dtype), value.shape, held)
            self._arrays.append((value, held))
        elif isinstance(value, types.ModuleType):
            self._say("module", value.__name__)
        elif isinstance(value, enum.Enum):
            self._say("enum", value.name, value.value)
        elif isinstance(value, types.MethodType):
            self._say("method")
            self._add(value.__func__)
            self._add(value.__self__)
        elif isinstance(value, functools.partial):
            self._say("partial")
            self._add((value.func, value.args, value.keywords))
        elif isinstance(value, (staticmethod, classmethod, property)):
            self._say(type(value).__name__)
            self._add(value.fget if isinstance(value, property) else value.__func__)
        elif isinstance(value, types.BuiltinFunctionType):
            self._say("builtin", value.__qualname__)
            self._add(value.__self__)
        else:
            self._say("object", type(value).__qualname__, _shown(value))

    def _add_collection(self, value: Any) -> None:
        self._collections.append((value, _items(value)))
        self._say(type(value).__name__, len(value))
        if isinstance(value, (set, frozenset)):
            self._say(sorted(map(repr, value)))
            return
        for item in value.items() if isinstance(value, dict) else value:
            self._add(item)

    def _add_function(self, function: types.FunctionType) -> None:
        code = function.__code__
        self._functions.append((function, code, function.__defaults__, function.__kwdefaults__))
        self._say("function", function.__name__)
        self._add_code(code)
        self._add(function.__defaults__)
        self._add(function.__kwdefaults__)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self._say("closure", name)
            self._cells.append((cell, _content(cell)))
            self._add(_content(cell))
        self._add_names(function.__globals__, globals_in(code), attributes_in(code))

    def _add_names(self, scope: dict[str, Any], names: frozenset[str], attributes: frozenset[str]) -> None:
        """Add the values of *names* in *scope*; of a module, add the values of its *attributes*."""
        for name in sorted(names):
            if name not in scope:
                self._watch(scope, name, ABSENT)
            else:
                value = scope[name]
                self._say("global", name)
                self._watch(scope, name, value)
                if isinstance(value, types.ModuleType):
                    self._say("module", value.__name__)
                    if value.__name__.partition(".")[0] not in NATIVE_MODULES and id(value) not in self._seen:
                        self._seen[id(value)] = next(self._number)
                        self._add_names(value.__dict__, attributes, attributes)
                        del self._seen[id(value)]
                else:
                    self._add(value)

    def _add_code(self, code: types.CodeType) -> None:
        self._say("code", code.co_flags, *behaviour(code))
        for constant in code.co_consts:
            self._add(constant)

    def _add_class(self, kind: type) -> None:
        fields = getattr(kind, "_fields", ())
        self._say("class", kind.__qualname__, fields)
        self._add(getattr(kind, "_field_defaults", None))
        if issubclass(kind, enum.Enum):
            for member in kind:
                self._say(member.name, member.value)
        elif kind.__module__.partition(".")[0] not in (*NATIVE_MODULES, "builtins"):
            attributes = vars(kind)
            for name, value in sorted(attributes.items()):
                if not name.startswith("_") and name not in fields:
                    self._say("attribute", name)
                    self._watch(attributes, name, value)
                    self._add(value)


class _Scope:
    """The values of some names in a scope. Looking them up and comparing them all at once is faster than one by one."""

    def __init__(self, scope: Mapping[str, Any], values: dict[str, Any]) -> None:
        present = {name: value for name, value in values.items() if value is not ABSENT}
        self.scope, self.absent = scope, values.keys() - present.keys()
        names, self.values = tuple(present), tuple(present.values())
        if len(names) == 1:  # a getter of one name would not return a tuple
            names, self.values = names * 2, self.values * 2
        self.getter = operator.itemgetter(*names) if names else _nothing

    def holds(self) -> bool:
        """Return whether every name still has its value, the same object, and what was not defined is still not."""
        try:
            if not all(map(operator.is_, self.getter(self.scope), self.values)):
                return False
        except KeyError:
            return False
        return not self.absent or self.scope.keys().isdisjoint(self.absent)


def _nothing(scope: Mapping[str, Any]) -> tuple[Any, ...]:
    return ()


def _frozen(array: Any) -> bool:
    """Return whether nobody can write into *array*: it owns its memory and is read-only. Then it need not be compared."""
    return array.base is None and not array.flags.writeable


def source_of(value: Any) -> Any:
    """Return the plain function of a function that the user has compiled with Numba; return anything else unchanged."""
    function = getattr(value, "py_func", None) or getattr(getattr(value, "_dispatcher", None), "py_func", None)
    return function if isinstance(function, types.FunctionType) else value


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing is assigned to the name yet
        return ABSENT


def _items(value: Any) -> list[Any]:
    """Return the items of a list, set or dict."""
    return [*value, *value.values()] if isinstance(value, dict) else [*value]


def _shown(value: Any) -> str:
    """Return the repr of an object without its address, which differs from process to process."""
    try:
        return re.sub(r"0x[0-9a-fA-F]+", "", repr(value))
    except Exception:
        return ""


_fingerprints: WeakKeyDictionary[Game, Fingerprint] = WeakKeyDictionary()


def value_fingerprint(game: Game) -> Fingerprint:
    """Return a fingerprint of all that a value depends on, without the rules that serve only speed or people."""
    reward = () if game.reward is None else ("reward",)
    return _fingerprint(game, ("turn", "moves", "chances", "play", "score", *reward))


def value_digest(game: Game) -> str:
    """Return the digest of `value_fingerprint`."""
    return value_fingerprint(game).digest


def rules_fingerprint(game: Game) -> Fingerprint:
    """Return the fingerprint of all that compiling *game* depends on; compute it again if something has changed."""
    fingerprint = _fingerprints.get(game)
    if fingerprint is None or not fingerprint.holds():
        fingerprint = _fingerprints[game] = _fingerprint(game, REQUIRED + OPTIONAL)
    return fingerprint


def _fingerprint(game: Game, rules: tuple[str, ...]) -> Fingerprint:
    fields = tuple(repr(field) for field in game.fields)
    return Fingerprint(fields, type(game.start), float(game.low), float(game.high), *(getattr(game, rule) for rule in rules))
