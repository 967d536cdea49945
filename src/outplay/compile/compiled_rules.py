"""A game as a Numba type. Its rules are methods of the type, with the same names as in `InterpretedRules`.

A compiled state is a plain tuple of the fields, not the NamedTuple. So the disk cache holds no class of a user, and every
field has one fixed type. The rules themselves still get their NamedTuple.
"""

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)

from outplay.compile import primitives
from outplay.compile.fingerprint import Fingerprint, rules_fingerprint
from outplay.compile.guarded_lowering import rule_compiler
from outplay.compile.helper_compiler import HelperCompiler
from outplay.compile.numba_private import AttributeTemplate
from outplay.compile.rewrite import STATE, stores
from outplay.rules.fields import Field, another_shape
from outplay.rules.game import Game
from outplay.rules.key import SEED

# A division by zero and an index out of range raise, as in interpreted rules.
AS_IN_PYTHON: dict[str, Any] = {"error_model": "python", "boundscheck": True}
JOINED = 1024  # bytes of code: longer functions are not inlined

_known_rules: dict[str, "CompiledRules"] = {}


class CompiledRules:
    """The compiled rules of one game. Games with the same rules share them."""

    def __init__(self, game: Game, fingerprint: Fingerprint) -> None:
        self.game, self.fingerprint = game, fingerprint
        self.digest = digest = fingerprint.digest
        self.helpers = HelperCompiler(digest, **AS_IN_PYTHON)
        # Only the low 64 bits of a key count, interpreted too; a rank orders moves, and changes no value.
        self.wrapping = HelperCompiler(f"{digest}_wrapping", wraps=True, **AS_IN_PYTHON)
        self.helpers.instead[type(game.start)] = self.wrapping.instead[type(game.start)] = self._constructor()
        # `bounds` and `useful` often compute the same things. Inlined in one function, they compute them once.
        self.joined = self.helpers
        if game.bounds is not None and game.useful is not None:
            self.joined = HelperCompiler(f"{digest}_joined", inline=JOINED, **AS_IN_PYTHON)
            self.joined.instead |= self.helpers.instead
        self.state_type = types.Tuple([_numba_type(field) for field in game.fields])
        self.methods: dict[str, Callable[..., Any]] = {}

    def method(self, name: str) -> Callable[..., Any]:
        """Return the method *name* as a plain function for Numba to compile."""
        if name not in self.methods:
            self.methods[name] = getattr(self, f"_{name}")()
        return self.methods[name]

    def _constructor(self) -> Any:
        """Return the function that replaces `State(...)`: it converts each field to its type, so that 0, 0.0 and False may mix."""
        names = [field.name for field in self.game.fields]
        made = ", ".join(_packed_field(field, name) for field, name in zip(self.game.fields, names, strict=True))
        return self.helpers.compiled(self._function("made", ", ".join(names), [f"return outplay_State({made})"]))

    def _turn(self) -> Callable[..., Any]:
        return self._simple("turn", "as_int({call})")

    def _score(self) -> Callable[..., Any]:
        return self._simple("score", "as_real({call})")

    def _reward(self) -> Callable[..., Any]:
        return self._simple("reward", "as_real({call})", default="0.0", more="choice")

    def _estimate(self) -> Callable[..., Any]:
        return self._simple("estimate", "as_real({call})", default="0.0")

    def _cost(self) -> Callable[..., Any]:
        return self._simple("cost", "as_int({call})", default="0")

    def _moves(self) -> Callable[..., Any]:
        return self._simple("moves", "{call}")

    def _chances(self) -> Callable[..., Any]:
        return self._simple("chances", "{call}", default="((0, 1.0),)")

    def _key(self) -> Callable[..., Any]:
        if self.game.key is not None:
            return self._simple("key", "mix(0, as_int({call}))", compiler=self.wrapping)
        lines = [f"key = {SEED}"]
        for place, field in enumerate(self.game.fields):
            if field.kind == "tuple":
                lines += [f"key = mix(key, state[{place}][{item}])" for item in range(field.length)]
            elif field.kind == "array":
                lines += [f"for item in state[{place}].flat:", "    key = mix(key, item)"]
            elif field.kind == "float":
                lines.append(f"key = mix(key, bits_of(state[{place}] + 0.0))")
            else:
                lines.append(f"key = mix(key, state[{place}])")
        return self._function("key", "game, state", [*lines, "return key"])

    def _rank(self) -> Callable[..., Any]:
        return self._simple("rank", "as_real({call})", default="0.0", more="move", compiler=self.wrapping)

    def _bounds(self) -> Callable[..., Any]:
        if self.game.bounds is None:
            return self._function("bounds", "game, state", [f"return {float(self.game.low)!r}, {float(self.game.high)!r}"])
        lines = [f"low, high = rule({self._unpacked('state')})", "return as_real(low), as_real(high)"]
        return self._function("bounds", "game, state", lines, rule=self.joined.compiled(self.game.bounds))

    def _play(self) -> Callable[..., Any]:
        lines = [f"after = rule({self._unpacked('state')}, choice)"]
        for place, field in enumerate(self.game.fields):
            if field.kind == "array":  # of another shape it would be written beyond its place
                lines += [f"if after[{place}].shape != {field.shape}:", f"    raise ValueError({another_shape(field)!r})"]
        lines.append(f"return ({self._packed('after')},)")
        return self._function("play", "game, state, choice", lines, rule=self.helpers.compiled(self.game.play))

    def _fill_moves(self) -> Callable[..., Any]:
        return self._fill(self.game.moves)

    def _fill_useful(self) -> Callable[..., Any]:
        return self._fill(self.game.useful or self.game.moves, self.joined)

    def _fill(self, rule: Callable[..., Any], compiler: HelperCompiler | None = None) -> Callable[..., Any]:
        compiler = compiler or self.helpers
        rewritten = self._rewritten(rule, compiler, pairs=False)
        if rewritten is not None:
            return rewritten
        lines = [
            "number = 0",
            f"for move in rule({self._unpacked('state')}):",
            "    if number < limit:",
            "        ints[top + number] = move",
            "    number += 1",
            "return number",
        ]
        return self._function("fill", "game, state, ints, top, limit", lines, rule=compiler.compiled(rule))

    def _fill_chances(self) -> Callable[..., Any]:
        parameters = "game, state, ints, top, limit"
        if self.game.chances is None:
            return self._function("fill_chances", parameters, ["return 0"])
        rewritten = self._rewritten(self.game.chances, self.helpers, pairs=True)
        if rewritten is not None:
            return rewritten
        lines = [
            "number = 0",
            f"for outcome, probability in rule({self._unpacked('state')}):",
            "    if number < limit:",
            "        ints[top + 4 * number] = outcome",
            "        put_real(ints, top + 4 * number + 1, probability)",
            "    number += 1",
            "return number",
        ]
        return self._function("fill_chances", parameters, lines, rule=self.helpers.compiled(self.game.chances))

    def _store_state(self) -> Callable[..., Any]:
        lines, at = ["pass"], 0
        for place, field in enumerate(self.game.fields):
            if field.kind == "tuple":
                lines += [f"ints[at + {at + item}] = state[{place}][{item}]" for item in range(field.length)]
            elif field.kind == "array":
                lines += [f"place = at + {at}", f"for item in state[{place}].flat:", "    ints[place] = item", "    place += 1"]
            elif field.kind == "float":
                lines.append(f"ints[at + {at}] = bits_of(state[{place}] + 0.0)")
            else:
                lines.append(f"ints[at + {at}] = as_int(state[{place}])")
            at += field.words
        return self._function("store_state", "game, state, ints, at", lines)

    def _load_state(self) -> Callable[..., Any]:
        lines, values, at = [], [], 0
        for place, field in enumerate(self.game.fields):
            if field.kind == "tuple":
                values.append(f"({', '.join(f'ints[at + {at + item}]' for item in range(field.length))},)")
            elif field.kind == "array":
                name = f"array_{place}"
                lines += [f"{name} = empty({field.words}, {field.dtype})", f"for place in range({field.words}):"]
                lines.append(f"    {name}[place] = ints[at + {at} + place]")
                values.append(f"{name}.reshape({field.shape})")
            else:
                values.append({"int": "", "bool": "as_bool", "float": "real_of"}[field.kind] + f"(ints[at + {at}])")
            at += field.words
        return self._function("load_state", "game, ints, at", [*lines, f"return ({', '.join(values)},)"])

    def _rewritten(self, rule: Callable[..., Any], compiler: HelperCompiler, *, pairs: bool) -> Callable[..., Any] | None:
        module = stores(rule, unpack=self._unpacked(STATE), pairs=pairs)
        if module is None:
            return None
        scope = compiler.scope(rule)
        scope.update(outplay_State=type(self.game.start), outplay_put_real=primitives.put_real)
        exec(
            compile(module, rule.__code__.co_filename, "exec"), scope
        )  # its module is the scope's, as the compiler of helpers has it
        scope[rule.__name__].outplay_code = rule.__code__
        function = self._tagged(scope[rule.__name__])
        # A rule that calls itself must find the rule, not the rewritten function.
        if rule.__name__ in rule.__globals__:
            scope[rule.__name__] = compiler.value(rule.__globals__[rule.__name__], rule.__code__)
        return function

    def _simple(
        self, name: str, result: str, *, default: str | None = None, more: str = "", compiler: HelperCompiler | None = None
    ) -> Callable[..., Any]:
        rule = getattr(self.game, name)
        parameters = "game, state" + (f", {more}" if more else "")
        if rule is None:
            return self._function(name, parameters, [f"return {default}"])
        call = f"rule({self._unpacked('state')}" + (f", {more})" if more else ")")
        return self._function(
            name, parameters, [f"return {result.format(call=call)}"], rule=(compiler or self.helpers).compiled(rule)
        )

    def _function(self, name: str, parameters: str, lines: list[str], rule: Any = None) -> Callable[..., Any]:
        scope = {
            "rule": rule,
            "outplay_State": type(self.game.start),
            "as_int": primitives.as_int,
            "as_bool": primitives.as_bool,
            "as_real": primitives.as_real,
            "mix": primitives.mix,
            "bits_of": primitives.bits_of,
            "real_of": primitives.real_of,
            "put_real": primitives.put_real,
        }
        if any(field.kind == "array" for field in self.game.fields):
            import numpy

            scope["empty"] = numpy.empty
            scope.update({field.dtype: numpy.dtype(field.dtype).type for field in self.game.fields if field.dtype})
        text = f"def {name}({parameters}):\n" + "".join(f"    {line}\n" for line in lines)
        exec(compile(text, f"<outplay {name}>", "exec"), scope)
        return self._tagged(scope[name])

    def _tagged(self, function: Any) -> Callable[..., Any]:
        """Return *function* with a name that is unique among games (see `HelperCompiler`)."""
        function.__qualname__ = f"{function.__name__}_{self.digest}"
        tagged: Callable[..., Any] = function
        return tagged

    def _unpacked(self, state: str) -> str:
        return f"outplay_State({', '.join(f'{state}[{place}]' for place in range(len(self.game.fields)))})"

    def _packed(self, state: str) -> str:
        return ", ".join(_packed_field(field, f"{state}[{place}]") for place, field in enumerate(self.game.fields))


def _packed_field(field: Field, value: str) -> str:
    if field.kind == "tuple":
        items = ", ".join(f"as_int({value}[{item}])" for item in range(field.length))
        return f"({items},)"
    if field.kind == "array":
        return value
    return {"int": "as_int", "bool": "as_bool", "float": "as_real"}[field.kind] + f"({value})"


def _numba_type(field: Field) -> types.Type:
    if field.kind == "tuple":
        return types.UniTuple(types.int64, field.length)
    if field.kind == "array":
        from numba import from_dtype
        from numpy import dtype

        return types.Array(from_dtype(dtype(field.dtype)), len(field.shape), "C")
    return {"int": types.int64, "bool": types.boolean, "float": types.float64}[field.kind]


def compiled_rules(game: Game) -> CompiledRules:
    """Return the compiled rules of *game*: the same object as long as nothing that the rules use has changed."""
    fingerprint = rules_fingerprint(game)
    known = _known_rules.get(fingerprint.digest)
    # Another game with the same rules may have made them, and its functions may have changed since.
    if known is None or (known.fingerprint is not fingerprint and not known.fingerprint.holds()):
        known = _known_rules[fingerprint.digest] = CompiledRules(game, fingerprint)
    return known


class CompiledRulesType(types.Type):
    """The Numba type of `CompiledRules`; its name has the fingerprint, so that the disk cache distinguishes games."""

    def __init__(self, digest: str) -> None:
        self.digest = digest
        super().__init__(name=f"CompiledRules({digest})")


register_model(CompiledRulesType)(models.OpaqueModel)


@typeof_impl.register(CompiledRules)
def _(rules: CompiledRules, context: Any) -> CompiledRulesType:
    return CompiledRulesType(rules.digest)


@unbox(CompiledRulesType)
def _(kind: CompiledRulesType, rules: Any, context: Any) -> NativeValue:
    return NativeValue(context.context.get_dummy_value())


def _add_method(name: str, parameters: str) -> None:
    scope = {"known_rules": _known_rules}
    text = f"def method(game, {parameters}):\n    return known_rules[game.digest].method({name!r})\n"
    exec(text, scope)
    options = {"forceinline": name in ("bounds", "fill_useful"), "no_cfunc_wrapper": True}
    overload_method(CompiledRulesType, name, strict=False, jit_options=options)(scope["method"])


for _name in ("turn", "score", "estimate", "cost", "moves", "chances", "key", "bounds"):
    _add_method(_name, "state")
_add_method("rank", "state, move")
_add_method("play", "state, choice")
_add_method("reward", "state, choice")


def _add_fill(name: str, parameters: str) -> None:
    scope = {"known_rules": _known_rules}
    text = f"def method({parameters}):\n    return known_rules[game.digest].method({name!r})\n"
    exec(text, scope)
    options: dict[str, Any] = {"forceinline": name in ("bounds", "fill_useful"), "no_cfunc_wrapper": True}
    if name in ("fill_moves", "fill_useful", "fill_chances"):  # rules themselves, rewritten
        options |= {**AS_IN_PYTHON, "pipeline_class": rule_compiler()}
    overload_method(CompiledRulesType, name, strict=False, jit_options=options)(scope["method"])


_add_fill("fill_moves", "game, state, ints, top, limit")
_add_fill("fill_useful", "game, state, ints, top, limit")
_add_fill("fill_chances", "game, state, ints, top, limit")
_add_fill("store_state", "game, state, ints, at")
_add_fill("load_state", "game, ints, at")


_FACTS: dict[str, tuple[types.Type, Callable[[Game], Any]]] = {
    "low": (types.float64, lambda game: float(game.low)),
    "high": (types.float64, lambda game: float(game.high)),
    "has_rank": (types.boolean, lambda game: game.rank is not None),
    "has_useful": (types.boolean, lambda game: game.useful is not None),
    "has_bounds": (types.boolean, lambda game: game.bounds is not None),
    "has_chances": (types.boolean, lambda game: game.chances is not None),
    "has_cost": (types.boolean, lambda game: game.cost is not None),
    "has_reward": (types.boolean, lambda game: game.reward is not None),
}


@infer_getattr
class _Facts(AttributeTemplate):
    """What compiled code knows of a game beside its rules: constants, for which no function is compiled."""

    key = CompiledRulesType

    def generic_resolve(self, kind: CompiledRulesType, name: str) -> types.Type | None:
        return _FACTS[name][0] if name in _FACTS else None


@lower_getattr_generic(CompiledRulesType)
def _(context: Any, builder: Any, kind: CompiledRulesType, rules: Any, name: str) -> Any:
    result, fact = _FACTS[name]
    return context.get_constant(result, fact(_known_rules[kind.digest].game))
