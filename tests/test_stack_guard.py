"""Rules that call themselves: as deep as the stack allows, and without end a clear error, never a crash."""

import os
import types

from processes import kernels_in, python

from outplay.compile.stack_guard import calls_itself

GAME = """
from typing import NamedTuple
from outplay import OVER, Game

class State(NamedTuple):
    stones: int
    player: int

def turn(state):
    return OVER if state.stones <= 0 else state.player

def moves(state):
    yield 1

def play(state, move):
    return State(state.stones - 1, 1 - state.player)

def score(state):
    return 0

def deep(number):
    return 0 if number == 0 else 1 + deep(number - 1)

def even(number):
    return 0 if number == -1 else 1 + odd(number + 1) % 7

def odd(number):
    return 0 if number == -1 else 1 + even(number + 1) % 5

def estimate(state):
    return ESTIMATE

game = Game(name="deep", start=State(9, 0), turn=turn, moves=moves, play=play, score=score, estimate=estimate)
"""
RUN = """
from outplay import minimax
from game import State, game
print(minimax(game, depth=2).value)
try:
    minimax(game, State(4, 0), depth=2)
except Exception as error:
    print(type(error).__name__, error)
"""


def run_twice(folder, estimate):
    """Search in two processes, of which the second takes from the disk what the first has left there; return how many files."""
    (folder / "game.py").write_text(GAME.replace("ESTIMATE", estimate))
    environment = {**os.environ, "OUTPLAY_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    for _ in range(2):
        done = python(RUN, cwd=folder, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        value, error = done.stdout.splitlines()
        assert value == "0.3"
        assert error.startswith("RuleRaised a rule of 'deep' raised RecursionError: it calls itself without end, or deeper than")
    return len(kernels_in(folder / "cache"))


def test_endless_recursion_in_a_compiled_rule_is_an_error_and_no_crash(tmp_path):
    assert run_twice(tmp_path, "deep(3000 if state.stones > 5 else -1) * 1e-4") == 1


def test_functions_that_call_each_other_in_a_circle_are_compiled_in_each_process(tmp_path):
    """What calls by a pointer that one process has set must not be kept for the next."""
    assert run_twice(tmp_path, "0.3 if state.stones > 5 else even(1)") == 0


def test_a_function_that_comes_back_to_itself_is_known():
    scope = {"helpers": types.ModuleType("helpers")}
    exec(
        "def once(x): return x\ndef self(x): return self(x)\ndef there(x): return helpers.back(x)\n"
        "def back(x): return there(x)\ndef calls(x): return self(once(x))\n",
        scope,
    )
    scope["helpers"].back = scope["back"]
    assert [name for name in ("once", "self", "there", "back", "calls") if calls_itself(scope[name])] == ["self", "there", "back"]

    def closed(x):
        return closed(x)

    def later(x):
        return unborn(x)

    assert calls_itself(closed)
    assert not calls_itself(later)
    unborn = None
