"""A rule that never returns, where only a deep search comes to it: named with its line and its state, whoever calls it, and ended."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from patience import PATIENCE
from processes import outplay, python

from outplay import Interrupted, load
from outplay.cli import main
from outplay.compile import watchdog
from outplay.compile.announce import counted
from outplay.compile.watchdog import PATIENCE as WATCHED
from outplay.compile.watchdog import Watchdog
from outplay.errors import Endless
from outplay.runtime import large_stack
from outplay.runtime.overdue import SOON, SearchWatch, endless_in

RULES = """
from typing import NamedTuple
from outplay import OVER, Game

class State(NamedTuple):
    stones: int
    player: int
    twos: int  # taken without a one in between, from the start on

def turn(state):
    return OVER if state.stones <= 0 else state.player

def moves(state):
    if state.stones > 1:
        yield 2
    yield 1

def play(state, move):
    stones = state.stones - move
    while state.twos == 11 and move == 2:
        stones = state.stones - move
    return State(stones, 1 - state.player, state.twos + 1 if move == 2 and state.twos >= 0 else -1)

def score(state):
    return 1 if state.player == 1 else -1

game = Game(name="deep", start=State(40, 0, 0), turn=turn, moves=moves, play=play, score=score)
"""
LOOPS = ("stones = state.stones - move", "while state.twos == 11 and move == 2:")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "deep.py"
    path.write_text(RULES)
    return path


def assert_named(text):
    lines = [number for number, line in enumerate(RULES.splitlines(), 1) if line.strip() in LOOPS]
    assert any(f"play, line {number}: does not return" in text for number in lines)
    assert text.count("cannot be searched") == 1
    assert "see whether the loop there comes to an end: State(stones=18, player=1, twos=11)" in text


CALLS = {
    "search": "search(game, seconds=60)",
    "search interpreted": "search(game, depth=12, compiled=False)",
    "search on two threads": "search(game, depth=20, threads=2)",
    "analyse": "analyse(game, depth=20)",
    "trace": "trace(game, depth=12)",
    "playouts": "playouts(game, number=200_000)",
    "playouts on two threads": "playouts(game, seconds=60, threads=2)",
    "search by simulations": "search(game, method='mcts', seconds=60)",
    "solve": "solve(game)",
    "proof": "solve(game, method='proof')",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.fuzz) if name.endswith("two threads") else name for name in CALLS]
)
def test_a_rule_that_never_returns_deep_in_the_tree_is_named(file, name):
    # In a process of its own: a thread inside compiled code cannot be ended, and would go on to the end of all tests.
    # A search is given the time that users give it, the others less.
    hurry = (
        "" if name == "search" else "watchdog.STILL, forward.STILL = 1.0, 1.0\nwatchdog.PATIENCE, overdue.PATIENCE = 0.5, 0.5\n"
    )
    program = (
        "from outplay import analyse, load, playouts, search, solve, trace\nfrom outplay.errors import Endless\n"
        "from outplay.compile import watchdog\nfrom outplay.runtime import overdue\nfrom outplay.solve.states import forward\n"
        f"{hurry}game = load({str(file)!r})\ntry:\n    {CALLS[name]}\nexcept Endless as error:\n    print(error, flush=True)\n"
    )
    found = python(program)
    assert (found.returncode, found.stderr) == (0, "")
    assert_named(found.stdout)


def test_a_loop_that_ends_only_with_pythons_ints_is_noticed_before_the_search(tmp_path):
    path = tmp_path / "grows.py"
    score = (
        "def score(state):\n    size = 1\n    while size // 10 ** 18 < 100:\n        size *= 10\n"
        "    return 1 if state.player == 1 else -1\n"
    )
    rules = RULES.replace("state.twos == 11", "state.twos == -7")
    before, _, after = rules.partition("def score(state):\n    return 1 if state.player == 1 else -1\n")
    path.write_text(before + score + after)
    found = outplay("best", path, "--seconds", "2")
    assert found.returncode == 2
    line = path.read_text().splitlines().index("        size *= 10") + 1
    assert f"score, line {line}: an int needs more than 63 bits" in found.stderr


def test_rules_that_return_only_when_interpreted_are_told(file, monkeypatch):
    monkeypatch.setattr(watchdog, "STILL", 0.2)
    monkeypatch.setattr(watchdog, "PATIENCE", 0.1)
    ended = threading.Event()

    def compiled():
        while not ended.is_set():
            pass

    try:
        with pytest.raises(Endless, match="does not return when it is compiled, but returns when it is interpreted"):
            watchdog.watched(load(str(file)), compiled, pulse=lambda: 7)
    finally:
        ended.set()


def test_a_thread_that_gets_no_processor_is_not_taken_for_one_that_waits(file, monkeypatch):
    """On a busy machine a rule that computes without end may get less than a hundredth of a processor."""
    began, over, seconds = threading.Event(), threading.Event(), iter(range(0, 10**6, 100))

    def moves(state):
        began.set()
        while not over.is_set():
            pass

    game = load(str(file)).replace(moves=lambda state: moves(state) or iter((1,)))
    thread = threading.Thread(target=lambda: list(game.moves(game.start)))
    thread.start()
    monkeypatch.setattr(watchdog, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    monkeypatch.setattr(watchdog, "_processor_time", lambda ident: 0.0)
    try:
        assert began.wait(PATIENCE)
        starved, idle = Watchdog([game]), Watchdog([game])
        monkeypatch.setattr(watchdog, "_queued_time", lambda ident: next(seconds) / 2)
        for _ in range(3):
            starved.look([thread.ident])
        monkeypatch.setattr(watchdog, "_queued_time", lambda ident: 0.0)
        idle.look([thread.ident])
        with pytest.raises(Endless, match="see what it waits for; a rule only computes"):
            idle.look([thread.ident], end=False)
    finally:
        over.set()
        thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how long a thread has queued")
def test_the_time_in_the_queue_is_what_linux_says():
    before = watchdog._queued_time(threading.get_ident())
    said = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").read_text().split()[1]
    assert before <= int(said) / 1e9 <= watchdog._queued_time(threading.get_ident())
    assert watchdog._queued_time(-1) == 0.0


def test_best_ends_within_its_time_and_names_the_rule(file):
    found = outplay("best", file, "--seconds", "2")
    assert found.returncode == 2
    assert_named(found.stderr)


@pytest.mark.parametrize("command", [("play",), ("match", "random", "random")])
def test_a_function_that_the_command_line_calls_itself_is_named(tmp_path, command):
    path = tmp_path / "named.py"
    endless = "def name_move(state, move):\n    while True:\n        pass\n"
    if command[0] == "match":
        endless = "def deal(dice):\n    while True:\n        pass\n"
    rule = endless.partition("(")[0].removeprefix("def ")
    path.write_text(RULES.replace("game = Game(", f"{endless}game = Game({rule}={rule}, "))
    found = outplay(command[0], path, *command[1:])
    assert found.returncode == 2
    assert f"{rule}, line " in found.stderr
    assert "does not return" in found.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_first_ctrl_c_ends_a_search_whose_compiled_rule_never_returns(file):
    program = (
        "import sys; from outplay import Interrupted, load, search\n"
        f"game = load({str(file)!r})\n"
        "search(game, depth=2)\n"
        "print('ready', flush=True)\n"
        "try:\n    search(game, seconds=60)\n"
        "except Interrupted:\n    print('interrupted', flush=True)\n"
        "except Exception as error:\n    print(error, flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    # Either the interrupt was first, or the watchdog was: what counts is that one signal ended it.
    said, _ = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0
    assert "interrupted" in said or "does not return" in said


def test_ctrl_c_says_where_a_search_did_not_come_back(monkeypatch):
    def pressed():
        raise KeyboardInterrupt

    returned = threading.Event()
    monkeypatch.setattr(large_stack, "COMING_BACK", 0.01)
    with pytest.raises(Interrupted, match="a rule had not returned") as raised:
        large_stack.on_large_stack(returned.wait, 1 << 20, interrupt=lambda: None, tick=pressed)
    returned.set()
    assert raised.value.stuck


def test_ctrl_c_while_something_is_compiled_blames_no_rule(monkeypatch):
    begun, returned = threading.Event(), threading.Event()

    def compiles():
        with counted():
            begun.set()
            returned.wait()

    def pressed():
        begun.wait()
        raise KeyboardInterrupt

    monkeypatch.setattr(large_stack, "COMING_BACK", 0.01)
    with pytest.raises(Interrupted, match="while its code was compiled") as raised:
        large_stack.on_large_stack(compiles, 1 << 20, interrupt=lambda: None, tick=pressed)
    returned.set()
    assert not raised.value.stuck


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (KeyboardInterrupt(), "Interrupted.\n"),
        (Interrupted(None), "Interrupted.\n"),
        (
            Interrupted(None, stuck=True),
            "Interrupted; a rule had not returned. outplay check looks for a rule that never does.\n",
        ),
        (Interrupted(None, compiling=True), "Interrupted while the game was being compiled.\n"),
    ],
)
def test_an_interrupted_command_says_so(monkeypatch, capsys, raised, said):
    def interrupted(*arguments, **options):
        raise raised

    monkeypatch.setattr(main, "check_game", interrupted)
    monkeypatch.setattr(sys, "argv", ["outplay", "check", "nim"])
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # which main sets
    with pytest.raises(SystemExit) as left:
        main.main()
    assert (left.value.code, capsys.readouterr().err) == (130, said)


def test_ctrl_c_in_the_compiler_says_so():
    with pytest.raises(Interrupted, match="while code was compiled") as raised, counted():
        raise KeyboardInterrupt
    assert raised.value.compiling


def test_ctrl_c_inside_the_compiler_is_not_lost(monkeypatch, capsys):
    left = []
    monkeypatch.setattr(os, "_exit", left.append)
    monkeypatch.setattr(sys, "__unraisablehook__", lambda unraisable: None)
    main._leave_if_interrupted(SimpleNamespace(exc_value=ValueError()))
    assert left == []
    main._leave_if_interrupted(SimpleNamespace(exc_value=KeyboardInterrupt()))
    assert (left, capsys.readouterr().err) == ([130], "Interrupted.\n")


def test_a_search_that_looks_for_the_place_is_less_patient(file):
    game, patience = load(str(file)), []

    def repeat():
        patience.append(SearchWatch(game, game.start, [], lambda: None, compiled=False).watchdog.patience)

    assert endless_in(game, repeat) is None
    repeat()
    assert patience == [SOON, WATCHED]


def test_one_late_look_does_not_accuse_a_rule(monkeypatch):
    clocks = {"time": 0.0}
    for clock in ("monotonic", "process_time"):
        monkeypatch.setattr(watchdog.time, clock, lambda: clocks["time"])
    stillness = watchdog.Stillness()
    assert not stillness.lasts(5)
    clocks["time"] = 1000.0
    assert not stillness.lasts(5)
    looks = [stillness.lasts(5) for _ in range(watchdog.LOOKS)]
    assert looks == [False] * (watchdog.LOOKS - 3) + [True] * 3
    assert not stillness.lasts(6)
