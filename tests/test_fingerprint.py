"""The fingerprint of rules: another one for whatever behaves otherwise, the same for all else, and it notices what changes in place."""

import functools
import math
import sys
import types

import numba
import numpy as np
import pytest
from toy_games import Pile, pile

from outplay import facing, minimax, search
from outplay.compile.compiled_rules import compiled_rules
from outplay.compile.fingerprint import Fingerprint, value_digest
from outplay.compile.names import attributes_in, globals_in


def function(text, name="rule", **scope):
    """Return the function *name* that *text* defines."""
    exec(text, scope)
    return scope[name]


def digest(text, **scope):
    return Fingerprint(function(text, **scope)).digest


TRIED = "def rule(x):\n    try:\n        y = 1\n        z = x\n    except Exception:\n        y = 2\n    return y\n"
ELSE = "def rule(x):\n    try:\n        y = 1\n    except Exception:\n        y = 2\n    else:\n        z = x\n    return y\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def rule(x): return x + 0.0", "def rule(x): return x + -0.0"),
        ("def rule(x): return x == 1", "def rule(x): return x == True"),
        ("def rule(x): return x * 1", "def rule(x): return x * 1.0"),
        ("def rule(x): return (x, (1, 2))", "def rule(x): return (x, (1, 2.0))"),
        ("def rule(x): return x in {1, 2}", "def rule(x): return x in {1, 3}"),
        ("def rule(x): return x in {0.0, 2}", "def rule(x): return x in {-0.0, 2}"),
        ("def rule(x): return x in {1, 2}", "def rule(x): return x in {True, 2}"),
        ("def rule(x, y): return x", "def rule(x, *, y): return x"),
        ("def rule(x, y): return x", "def rule(x, /, y): return x"),
        ("def rule(x, y=1): return x", "def rule(x, y=2): return x"),
        ("def rule(x, *, y=1): return x", "def rule(x, *, y=2): return x"),
        ("def rule(x):\n    y = x\n    return x", "def rule(x, y):\n    y = x\n    return x"),
        ("def rule(x): return lambda: x", "def rule(x): return lambda: 1"),
        ("def rule(x): return x.a", "def rule(x): return x.b"),
        ("def rule(x): return x", "def rule(x): yield x"),
    ],
)
def test_rules_that_behave_otherwise_have_another_digest(one, other):
    assert digest(one) != digest(other)
    assert digest(one) == digest("\n\n# a comment\n" + one)


def test_a_line_that_moves_from_try_to_else_is_another_rule():
    """On such rules only the exception table differs."""
    tried = function(TRIED).__code__
    moved = tried.replace(co_exceptiontable=function(ELSE).__code__.co_exceptiontable)
    assert tried.co_exceptiontable != moved.co_exceptiontable
    assert Fingerprint(types.FunctionType(tried, {})).digest != Fingerprint(types.FunctionType(moved, {})).digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (math.nan, 0.0),
        (numba.int32, numba.int64),
        (np.int8, np.int16),
        (np.dtype("int8"), np.dtype("int16")),
        (np.add, np.multiply),
        (functools.partial(max, 1), functools.partial(max, 2)),
        ({"a": 1}, {"a": 2}),
        ([1, 2], [1, 3]),
        (types.SimpleNamespace(size=1), types.SimpleNamespace(size=2)),
        (type("Config", (), {"size": 1}), type("Config", (), {"size": 2})),
        ([1, 2].index, [1, 3].index),
    ],
)
def test_another_constant_is_another_rule(one, other):
    assert digest("def rule(x): return constant", constant=one) != digest("def rule(x): return constant", constant=other)
    assert digest("def rule(x): return constant", constant=one) == digest("def rule(x): return constant", constant=one)


def test_globals_and_attributes_are_told_apart_in_nested_functions_too():
    inner = "    def inner(y):\n        return deep + y.low\n"
    rule = function(f"def rule(x):\n{inner}    return helpers.f(x.stones) + g(inner) + x.count(1)")
    assert globals_in(rule.__code__) == {"deep", "helpers", "g"}
    assert attributes_in(rule.__code__) == {"low", "f", "stones", "count"}


def test_a_global_named_like_a_field_is_no_constant_of_the_rules():
    scope = {"Pile": Pile, "stones": 5, "player": 1}
    play = function("def rule(state, move): return Pile(state.stones - move, 1 - state.player)", **scope)
    game = pile(play=play)
    before, table = compiled_rules(game), value_digest(game)
    for number in range(6, 9):
        play.__globals__["stones"] = number
        assert compiled_rules(game) is before
        assert value_digest(game) == table


def test_what_a_rule_takes_from_a_module_is_followed():
    helpers, inner = types.ModuleType("helpers"), types.ModuleType("helpers.inner")
    helpers.inner, inner.WORTH, helpers.other = inner, 1, 1
    rule = function("def rule(state): return helpers.inner.WORTH", helpers=helpers)
    before = Fingerprint(rule)
    helpers.other = 2
    assert before.holds()
    inner.WORTH = 2
    assert not before.holds()
    assert Fingerprint(rule).digest != before.digest


CHANGES = {
    "code": lambda rule: setattr(rule, "__code__", function("def rule(x, y=1, *, z=1): return -helper(x)").__code__),
    "defaults": lambda rule: setattr(rule, "__defaults__", (2,)),
    "keyword defaults": lambda rule: setattr(rule, "__kwdefaults__", {"z": 2}),
    "one keyword default": lambda rule: rule.__kwdefaults__.update(z=2),
    "a helper": lambda rule: setattr(rule.__globals__["helper"], "__code__", function("def rule(x): return 2 * x").__code__),
    "a global": lambda rule: rule.__globals__.update(BONUS=2),
    "an item of a list": lambda rule: rule.__globals__["LIST"].append(2),
    "an item of an array": lambda rule: rule.__globals__["ARRAY"].fill(2),
    "an attribute of a class": lambda rule: setattr(rule.__globals__["Config"], "size", 2),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_in_place_is_noticed(change):
    scope = {"BONUS": 1, "LIST": [1], "ARRAY": np.ones(2), "Config": type("Config", (), {"size": 1})}
    scope["helper"] = function("def rule(x): return x + BONUS", **scope)
    rule = function("def rule(x, y=1, *, z=1): return helper(x) + BONUS + LIST[0] + ARRAY[0] + Config.size", **scope)
    before = Fingerprint(rule)
    assert before.holds()
    CHANGES[change](rule)
    assert not before.holds()
    assert Fingerprint(rule).digest != before.digest


def test_a_changed_closure_is_noticed_and_an_empty_cell_survived():
    def make(bonus):
        def rule(x):
            return x + bonus

        def change(value):
            nonlocal bonus
            if value is None:
                del bonus
            else:
                bonus = value

        return rule, change

    rule, change = make(1)
    before = Fingerprint(rule)
    change(2)
    assert not before.holds()
    change(None)
    assert not before.holds()
    assert Fingerprint(rule).digest != before.digest


SCORE = "def rule(state): return {0} if state.player == 1 else -{0}"


def test_rules_that_change_in_place_are_compiled_anew():
    """As IPython's `%autoreload 2` changes them: the same function object gets another code."""
    score = function(SCORE.format("1.0"))
    game, twin = pile(score=score), pile(score=function(SCORE.format("1.0")))
    assert minimax(game, depth=5).value == 1.0
    score.__code__ = function(SCORE.format("0.25")).__code__
    assert minimax(game, depth=5).value == 0.25
    # Another kernel, compiled only now, for a game whose rules are still those that the first one had.
    assert compiled_rules(twin).game is twin
    score.__code__ = function(SCORE.format("1.0")).__code__
    assert minimax(game, depth=5).value == 1.0


def test_a_policy_that_changes_in_place_is_asked_anew():
    policy = function("def rule(state): return 1")
    game = pile(start=Pile(4, 0), policies={"mine": policy})
    one = search(game, depth=6, opponent="mine", compiled=False).value
    assert one == search(facing(game, 1, policy), depth=6, compiled=False).value
    policy.__code__ = function("def rule(state):\n    yield 2 if state.stones > 1 else 1, 1.0\n").__code__
    for opponent in ("mine", policy):
        found = search(game, depth=6, opponent=opponent, compiled=False).value
        assert found == search(facing(game, 1, policy), depth=6, compiled=False).value


def test_a_table_says_which_rules_it_was_made_by_after_a_change_in_place(tmp_path):
    from outplay import Clock, SolvedAgent, solve
    from outplay.errors import OptionError, TableError

    score = function(SCORE.format("1.0"))
    game, same = pile(score=score), pile(score=function(SCORE.format("1.0")))
    solution = solve(game, file=tmp_path / "table", compiled=False)
    agent = SolvedAgent(solution)
    assert agent.choose(same, same.start, Clock(), None).move == 2
    score.__code__ = function(SCORE.format("0.25")).__code__
    with pytest.raises(TableError, match="have changed since"):
        solve(game, file=tmp_path / "table", compiled=False)
    with pytest.raises(OptionError, match="by other rules"):
        agent.choose(same, same.start, Clock(), None)


def test_what_the_user_has_compiled_is_compiled_anew_with_the_constants_of_now():
    scope = {"njit": numba.njit, "WORTH": 1.0}
    exec(
        "@njit\ndef worth():\n    return WORTH\ndef score(state):\n    return worth() if state.player == 1 else -worth()\n"
        "@njit\ndef cost(state):\n    return worth()\n",
        scope,
    )
    game = pile(score=scope["score"])
    assert minimax(game, depth=5).value == 1.0
    scope["WORTH"] = 0.5
    assert minimax(game, depth=5).value == 0.5
    scope["WORTH"] = 0.25
    assert minimax(pile(score=scope["score"], estimate=scope["cost"]), depth=1).value == 0.25


def test_what_a_rule_names_is_told_by_the_instructions_of_this_python():
    rule = function("def rule(x): return x.method(1).attribute + name")
    assert (globals_in(rule.__code__), attributes_in(rule.__code__)) == ({"name"}, {"method", "attribute"}), sys.version


MODULE = """
from typing import NamedTuple
from outplay import OVER, Game

class State(NamedTuple):
    stones: int
    score: float
    player: int

def turn(state):
    return OVER if state.stones == 0 else state.player

def moves(state):
    yield 1

def play(state, move):
    if state.player == 1:
        return State(state.stones - move, 0, 0)
    return State(state.stones - move, WORTH, 1)

def score(state):
    return state.score

game = Game(name="reloaded", start=State(3, 0, 0), turn=turn, moves=moves, play=play, score=score)
"""


def test_a_module_reloaded_as_ipython_does_is_searched_as_it_is_now():
    """Autoreload runs the file again in the old module, and then gives the old functions the code of the new ones."""
    module = types.ModuleType("reloaded_game")
    exec(MODULE.replace("WORTH", "0.5"), vars(module))
    before = dict(vars(module))
    game = module.game
    assert minimax(game, depth=3).value == 0.5
    exec(MODULE.replace("WORTH", "0.25"), vars(module))
    for name in ("turn", "moves", "play", "score"):
        before[name].__code__ = vars(module)[name].__code__
    assert module.State is not type(game.start)
    assert minimax(game, depth=3).value == minimax(game, depth=3, compiled=False).value == 0.25
