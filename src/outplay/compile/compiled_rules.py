"""A game as a Numba type. Its rules are methods of the type, with the same names as in `InterpretedRules`.

A compiled state is a plain tuple of the fields, not the NamedTuple. So the disk cache holds no class of a user, and every
field has one fixed type. The rules themselves still get their NamedTuple. A state with tuples or arrays is *stored*: it is the
address of its fields in memory (`stored_states.py`), unless the rules use a tuple in a way that only Numba's own tuples support.
"""

from collections.abc import Callable
from functools import cache
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
from outplay.compile.arena import empty_arena
from outplay.compile.fingerprint import Fingerprint, rules_fingerprint
from outplay.compile.helper_compiler import HelperCompiler
from outplay.compile.learned_estimate import LearnedEstimate
from outplay.compile.network_kernel import learned_value
from outplay.compile.numba_private import AttributeTemplate
from outplay.compile.read_only import array_type, read_only, writable
from outplay.compile.rewrite import STATE, stores
from outplay.compile.rows import row_maker
from outplay.compile.rule_compiler import rule_compiler
from outplay.compile.stored_states import Plan, StoredStateType, copy_row, put_word, room, row_finder, word_at
from outplay.rules.fields import Field, another_shape
from outplay.rules.game import Game
from outplay.rules.key import LANES, LONG, SEED
from outplay.rules.memory import NETWORK

# A division by zero and an index out of range raise, as in interpreted rules.
AS_IN_PYTHON: dict[str, Any] = {"error_model": "python", "boundscheck": True}
FROM_THE_GAME = object()
MOST_WORDS = 4096  # of a stored state; a larger one would fill the stack
JOINED = 1024  # bytes of code: longer functions are not inlined

_known_rules: dict[str, "CompiledRules"] = {}


def base_bounds(game: Game) -> Callable[..., Any] | None:
    """Return the rule `bounds` of the game that a learned estimate was learned for; `facing` may have dropped it since."""
    estimate = game.estimate
    return estimate.bounds if isinstance(estimate, LearnedEstimate) else game.bounds


class CompiledRules:
    """The compiled rules of one game. Games with the same rules share them. *stored* says whether states are stored."""

    def __init__(self, game: Game, fingerprint: Fingerprint, *, stored: bool) -> None:
        self.game, self.fingerprint = game, fingerprint
        self.digest = digest = fingerprint.digest + ("_stored" if stored else "")
        self.plan = Plan(game.fields) if stored else None
        # An array is passed as ten words. Inlined, its shape and strides are constants: Othello on an array searches twice as fast.
        inline = JOINED if stored and any(field.kind == "array" for field in game.fields) else 0
        self.helpers = HelperCompiler(digest, arena=stored, inline=inline, **AS_IN_PYTHON)
        # Only the low 64 bits of a key count, interpreted too; a rank orders moves, and changes no value.
        self.wrapping = HelperCompiler(f"{digest}_wrapping", wraps=True, arena=stored, **AS_IN_PYTHON)
        self.helpers.instead[type(game.start)] = self.wrapping.instead[type(game.start)] = self._constructor()
        # `bounds` and `useful` often compute the same things. Inlined in one function, they compute them once.
        self.joined = self.helpers
        if game.bounds is not None and game.useful is not None:
            self.joined = HelperCompiler(f"{digest}_joined", inline=JOINED, arena=stored, **AS_IN_PYTHON)
            self.joined.instead |= self.helpers.instead
        self.field_types = (
            [place.kind for place in self.plan.places] if self.plan else [_numba_type(field) for field in game.fields]
        )
        self.state_type = StoredStateType(digest, self.plan) if self.plan else types.Tuple(self.field_types)
        self.methods: dict[str, Callable[..., Any]] = {}

    def method(self, name: str) -> Callable[..., Any]:
        """Return the method *name* as a plain function for Numba to compile."""
        if name not in self.methods:
            self.methods[name] = getattr(self, f"_{name}")()
        return self.methods[name]

    def _constructor(self) -> Any:
        """Return the function that replaces `State(...)`: it converts each field to its type, so that 0, 0.0 and False may mix."""
        names = [field.name for field in self.game.fields]
        made = ", ".join(self._packed_field(field, name) for field, name in zip(self.game.fields, names, strict=True))
        return self.helpers.compiled(self._function("made", ", ".join(names), [f"return outplay_State({made})"]))

    def _turn(self) -> Callable[..., Any]:
        return self._simple("turn", "as_int({call})")

    def _score(self) -> Callable[..., Any]:
        return self._simple("score", "as_real({call})")

    def _reward(self) -> Callable[..., Any]:
        return self._simple("reward", "as_real({call})", default="0.0", more="choice")

    def _estimate(self) -> Callable[..., Any]:
        if isinstance(self.game.estimate, LearnedEstimate):
            lines = ["return rule(game, state, game.base_turn(state), block(ints, NETWORK))"]
            return self._function("estimate", "game, state, ints", lines, rule=_learned_value())
        return self._simple("estimate", "as_real({call})", default="0.0", ints=True)

    def _base_estimate(self) -> Callable[..., Any]:
        rule = self.game.estimate
        rule = rule.base if isinstance(rule, LearnedEstimate) else rule
        return self._simple("base_estimate", "as_real({call})", default="0.0", rule=rule)

    def _base_turn(self) -> Callable[..., Any]:
        rule = self.game.estimate.turn if isinstance(self.game.estimate, LearnedEstimate) else self.game.turn
        return self._simple("base_turn", "as_int({call})", rule=rule)

    def _base_bounds(self) -> Callable[..., Any]:
        rule = base_bounds(self.game)
        if rule is None:
            return self._function("base_bounds", "game, state", [f"return {float(self.game.low)!r}, {float(self.game.high)!r}"])
        lines = [f"low, high = rule({self._unpacked('state')})", "return as_real(low), as_real(high)"]
        return self._function("base_bounds", "game, state", lines, rule=self.helpers.compiled(rule))

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
            if field.kind in ("tuple", "array"):
                lines += self._mixed_words(place, field)
            elif field.kind == "float":
                lines.append(f"key = mix(key, bits_of(state[{place}] + 0.0))")
            else:
                lines.append(f"key = mix(key, state[{place}])")
        return self._function("key", "game, state", [*lines, "return key"])

    def _mixed_words(self, index: int, field: Field) -> list[str]:
        """Return the lines that mix the words of a tuple or an array into the key, as `rules/key.py` does."""
        lines: list[str] = []
        if self.plan:
            at, number = self.plan.places[index].at, self.plan.places[index].words
            word = f"word_at(state, {at} + place)"
        elif field.kind == "tuple":
            number, word = field.length, f"state[{index}][place]"
        else:
            number, word = field.stored_words, f"packed_word(items, place, {field.item_bytes})"
            lines.append(f"items = state[{index}].ravel()")
        if number < LONG:
            return [*lines, f"for place in range({number}):", f"    key = mix(key, {word})"]
        whole = number - number % LANES
        lines += [f"{' = '.join(f'lane_{lane}' for lane in range(LANES))} = key", f"for place in range(0, {whole}, {LANES}):"]
        for lane in range(LANES):
            lines += [f"    lane_{lane} = mix(lane_{lane}, {word})", "    place += 1"]
        for lane in range(number - whole):
            lines += [f"place = {whole + lane}", f"lane_{lane} = mix(lane_{lane}, {word})"]
        return [*lines, "key = lane_0", *(f"key = mix(key, lane_{lane})" for lane in range(1, LANES))]

    def _rank(self) -> Callable[..., Any]:
        return self._simple("rank", "as_real({call})", default="0.0", more="move", compiler=self.wrapping)

    def _bounds(self) -> Callable[..., Any]:
        if self.game.bounds is None:
            return self._function("bounds", "game, state", [f"return {float(self.game.low)!r}, {float(self.game.high)!r}"])
        lines = [f"low, high = rule({self._unpacked('state')})", "return as_real(low), as_real(high)"]
        return self._function("bounds", "game, state", lines, rule=self.joined.compiled(self.game.bounds))

    def _play(self) -> Callable[..., Any]:
        lines = [f"after = rule({self._unpacked('state')}, choice)"]
        if self.plan:
            lines.insert(0, "empty_arena()")
        for place, field in enumerate(self.game.fields):
            if field.kind == "array":  # of another shape it would be written beyond its place
                lines += [f"if after[{place}].shape != {field.shape}:", f"    raise ValueError({another_shape(field)!r})"]
        # Items of a slice or a transposed array do not lie side by side, as those of a state do. No state holds -0.0: it has the key of 0.0.
        kept = {"array": "contiguous(after[{0}])", "float": "as_real(after[{0}]) + 0.0"}
        values = [kept.get(field.kind, "after[{0}]").format(place) for place, field in enumerate(self.game.fields)]
        if self.plan:
            lines += [f"set_{place}(room, {value})" for place, value in enumerate(values)] + ["return room"]
        else:
            packed = [
                f"read_only({value})" if field.kind == "array" else self._packed_field(field, value)
                for field, value in zip(self.game.fields, values, strict=True)
            ]
            lines.append(f"return ({', '.join(packed)},)")
        return self._function("play", "game, state, choice, room=None", lines, rule=self.helpers.compiled(self.game.play))

    def _fill_moves(self) -> Callable[..., Any]:
        return self._fill(self.game.moves)

    def _fill_until(self) -> Callable[..., Any]:
        parameters = "game, state, ints, top, limit, enough, wanted"
        if self.game.chances is None:  # no search stops early
            return self._function("fill_until", parameters, ["return game.fill_moves(state, ints, top, limit)"])
        rewritten = self._rewritten(self.game.moves, self.helpers, until=True)
        if rewritten is not None:
            return rewritten
        lines = [
            "number = 0",
            f"for move in rule({self._unpacked('state')}):",
            "    ints[top + number] = move",
            "    number += 1",
            "    if move == wanted:",
            "        limit = enough",
            "    if number > limit:",
            "        break",
            "return number",
        ]
        return self._function("fill_until", parameters, lines, rule=self.helpers.compiled(self.game.moves))

    def _fill_useful(self) -> Callable[..., Any]:
        return self._fill(self.game.useful or self.game.moves, self.joined)

    def _fill_cells(self) -> Callable[..., Any]:
        if self.game.cells is None:
            return self._function("fill_cells", "game, state, ints, top, limit", ["return 0"])
        return self._fill(self.game.cells)

    def _fill(self, rule: Callable[..., Any], compiler: HelperCompiler | None = None) -> Callable[..., Any]:
        compiler = compiler or self.helpers
        rewritten = self._rewritten(rule, compiler)
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
            if self.plan and field.kind == "tuple":
                lines.append(f"copy_row(state[{place}], ints, at + {at})")
            elif field.kind == "tuple":
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
        lines, values, at = ["empty_arena()"] if self.plan else [], [], 0
        for place, field in enumerate(self.game.fields):
            if self.plan and field.kind == "array":
                last = self.plan.places[place].at + self.plan.places[place].words - 1
                lines += [f"put_word(room, {last}, 0)", f"place = at + {at}", f"items = writable(room[{place}]).ravel()"]
                lines.append(f"for item in range({field.words}):")
                lines.append("    items[item] = ints[place + item]")
                values.append("")
            elif self.plan and field.kind == "tuple":
                values.append(f"row_at_{place}(ints, at + {at})")
            elif field.kind == "tuple":
                values.append(f"({', '.join(f'ints[at + {at + item}]' for item in range(field.length))},)")
            elif field.kind == "array":
                name = f"array_{place}"
                lines += [f"{name} = empty({field.words}, {field.dtype})", f"for place in range({field.words}):"]
                lines.append(f"    {name}[place] = ints[at + {at} + place]")
                values.append(f"read_only({name}.reshape({field.shape}))")
            else:
                values.append({"int": "", "bool": "as_bool", "float": "real_of"}[field.kind] + f"(ints[at + {at}])")
            at += field.words
        if self.plan:
            lines += [f"set_{place}(room, {value})" for place, value in enumerate(values) if value] + ["return room"]
        else:
            lines.append(f"return ({', '.join(values)},)")
        return self._function("load_state", "game, ints, at, room=None", lines)

    def _rewritten(
        self, rule: Callable[..., Any], compiler: HelperCompiler, *, pairs: bool = False, until: bool = False
    ) -> Callable[..., Any] | None:
        module = stores(rule, unpack=self._unpacked(STATE), pairs=pairs, until=until)
        if module is None:
            return None
        scope = compiler.scope(rule)
        scope.update(outplay_State=type(self.game.start), outplay_put_real=primitives.put_real)
        exec(
            compile(module, rule.__code__.co_filename, "exec"), scope
        )  # its module is the scope's, as the compiler of helpers has it
        scope[rule.__name__].outplay_code = rule.__code__
        scope[rule.__name__].outplay_arena = self.plan is not None
        function = self._tagged(scope[rule.__name__])
        # A rule that calls itself must find the rule, not the rewritten function.
        if rule.__name__ in rule.__globals__:
            scope[rule.__name__] = compiler.value(rule.__globals__[rule.__name__], rule.__code__)
        return function

    def _simple(
        self,
        name: str,
        result: str,
        *,
        default: str | None = None,
        more: str = "",
        ints: bool = False,
        rule: Any = FROM_THE_GAME,
        compiler: HelperCompiler | None = None,
    ) -> Callable[..., Any]:
        """Return the method *name*: it calls the game's rule of that name, or *rule*. *ints*: kernels pass their memory too."""
        rule = getattr(self.game, name) if rule is FROM_THE_GAME else rule
        parameters = "game, state" + (f", {more}" if more else "") + (", ints" if ints else "")
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
            "block": primitives.block,
            "NETWORK": NETWORK,
        }
        if self.plan:
            scope |= {"empty_arena": empty_arena, "copy_row": copy_row, "word_at": word_at, "put_word": put_word}
            for index, place in enumerate(self.plan.places):
                scope[f"set_{index}"] = place.setter()
                if place.field.kind == "tuple":
                    scope[f"as_row_{place.field.length}"] = row_maker(place.field.length)
                    scope[f"row_at_{index}"] = row_finder(place.field.length)
        if any(field.kind == "array" for field in self.game.fields):
            import numpy

            scope |= {"empty": numpy.empty, "contiguous": numpy.ascontiguousarray, "packed_word": primitives.packed_word}
            scope |= {"read_only": read_only, "writable": writable}
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

    def _packed_field(self, field: Field, value: str) -> str:
        if self.plan and field.kind == "tuple":
            return f"as_row_{field.length}({value})"
        if field.kind == "tuple":
            items = ", ".join(f"as_int({value}[{item}])" for item in range(field.length))
            return f"({items},)"
        if field.kind == "array":
            return value
        return {"int": "as_int", "bool": "as_bool", "float": "as_real"}[field.kind] + f"({value})"


@cache
def _learned_value() -> Any:
    """Return the compiled kernel of learned estimates, one for all games."""
    return HelperCompiler("learned", keep=True, error_model="numpy").compiled(learned_value)


def _numba_type(field: Field) -> types.Type:
    if field.kind == "tuple":
        return types.UniTuple(types.int64, field.length)
    if field.kind == "array":
        return array_type(field)
    return {"int": types.int64, "bool": types.boolean, "float": types.float64}[field.kind]


def compiled_rules(game: Game, *, stored: bool = False) -> CompiledRules:
    """Return the compiled rules of *game*: the same object as long as nothing that the rules use has changed."""
    fingerprint = rules_fingerprint(game)
    known = _known_rules.get(fingerprint.digest + ("_stored" if stored else ""))
    # Another game with the same rules may have made them, and its functions may have changed since.
    if known is None or (known.fingerprint is not fingerprint and not known.fingerprint.holds()):
        known = CompiledRules(game, fingerprint, stored=stored)
        _known_rules[known.digest] = known
    return known


def can_be_stored(game: Game) -> bool:
    """Return whether states of *game* have tuples or arrays, and a few of them fit into the stack frame of a kernel."""
    return (
        any(field.kind in ("tuple", "array") for field in game.fields)
        and sum(field.stored_words for field in game.fields) <= MOST_WORDS
    )


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


for _name in ("turn", "score", "cost", "moves", "chances", "key", "bounds", "base_estimate", "base_turn", "base_bounds"):
    _add_method(_name, "state")
_add_method("estimate", "state, ints")
_add_method("rank", "state, move")
_add_method("play", "state, choice, room=None")
_add_method("reward", "state, choice")


def _add_fill(name: str, parameters: str) -> None:
    scope = {"known_rules": _known_rules}
    text = f"def method({parameters}):\n    return known_rules[game.digest].method({name!r})\n"
    exec(text, scope)
    options: dict[str, Any] = {"forceinline": name in ("bounds", "fill_useful"), "no_cfunc_wrapper": True}
    if name in ("fill_moves", "fill_until", "fill_useful", "fill_chances", "fill_cells"):  # rules themselves, rewritten
        options |= {**AS_IN_PYTHON, "pipeline_class": rule_compiler()}
    overload_method(CompiledRulesType, name, strict=False, jit_options=options)(scope["method"])


_add_fill("fill_moves", "game, state, ints, top, limit")
_add_fill("fill_until", "game, state, ints, top, limit, enough, wanted")
_add_fill("fill_useful", "game, state, ints, top, limit")
_add_fill("fill_chances", "game, state, ints, top, limit")
_add_fill("fill_cells", "game, state, ints, top, limit")
_add_fill("store_state", "game, state, ints, at")
_add_fill("load_state", "game, ints, at, room=None")


_FACTS: dict[str, tuple[types.Type, Callable[[Game], Any]]] = {
    "low": (types.float64, lambda game: float(game.low)),
    "high": (types.float64, lambda game: float(game.high)),
    "has_rank": (types.boolean, lambda game: game.rank is not None),
    "has_useful": (types.boolean, lambda game: game.useful is not None),
    "has_bounds": (types.boolean, lambda game: game.bounds is not None),
    "has_base_bounds": (types.boolean, lambda game: base_bounds(game) is not None),
    "has_chances": (types.boolean, lambda game: game.chances is not None),
    "has_cost": (types.boolean, lambda game: game.cost is not None),
    "has_reward": (types.boolean, lambda game: game.reward is not None),
    "has_cells": (types.boolean, lambda game: game.cells is not None),
}


@infer_getattr
class _Facts(AttributeTemplate):
    """What compiled code knows of a game beside its rules: constants, for which no function is compiled."""

    key = CompiledRulesType

    def generic_resolve(self, kind: CompiledRulesType, name: str) -> types.Type | None:
        if name == "room":
            rules = _known_rules[kind.digest]
            return rules.state_type if rules.plan else types.none
        return _FACTS[name][0] if name in _FACTS else None


@lower_getattr_generic(CompiledRulesType)
def _(context: Any, builder: Any, kind: CompiledRulesType, rules: Any, name: str) -> Any:
    if name == "room":
        plan = _known_rules[kind.digest].plan
        return room(builder, plan) if plan else context.get_dummy_value()
    result, fact = _FACTS[name]
    return context.get_constant(result, fact(_known_rules[kind.digest].game))
