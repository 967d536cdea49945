"""The command line, as its user meets it."""

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from patience import PATIENCE
from processes import outplay, python
from rich.console import Console
from typer.testing import CliRunner

from outplay import __version__, load, search
from outplay.__main__ import start
from outplay.cli.best import outcome_hint
from outplay.cli.live import shorten, watching
from outplay.cli.main import _options, app, techniques
from outplay.cli.option_words import as_typed
from outplay.errors import OptionError, StateError
from outplay.rules.number_text import signed_value
from outplay.search.result import Iteration

GAME_FILE = """
from typing import NamedTuple
from outplay import OVER, Game

class State(NamedTuple):
    stones: int
    player: int

def turn(state):
    return OVER if state.stones <= 0 else state.player

def moves(state):
    yield 1
    if state.stones > 1:
        yield 2

def play(state, move):
    return State(state.stones - move, 1 - state.player)

def score(state):
    return 1 if state.player == 1 else -1

def greedy(state):
    return 2 if state.stones > 1 else 1

game = Game(name="pile", start=State(7, 0), turn=turn, moves=moves, play=play, score=score)
"""


def test_games_lists_every_game_with_its_parameters():
    done = outplay("games")
    assert done.returncode == 0
    for words in ("connect-four", "columns=7, rows=6, line=4", "pig", "goal=100", "misere=false", "tic-tac-toe"):
        assert words in done.stdout
    assert "*" not in done.stdout  # markup of docstrings


def test_the_version_is_printed():
    assert CliRunner().invoke(app, ["--version"]).output == f"outplay {__version__}\n"


def test_ctrl_c_while_the_commands_are_imported_ends_with_a_word(monkeypatch, capsys):
    class Interrupting:
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "outplay.cli.main", Interrupting())
    with pytest.raises(SystemExit) as ended:
        start()
    assert (ended.value.code, capsys.readouterr().err) == (130, "Interrupted.\n")


def test_help_says_what_is_typed_and_names_no_type_of_pythons():
    commands = [command.callback.__name__ for command in app.registered_commands]
    assert {"best", "verify", "web"} <= set(commands)
    for command in ([], *([name] for name in commands)):
        shown = CliRunner().invoke(app, [*command, "--help"]).output
        assert "--help" in shown
        assert not re.search(r"<\w|\[\[|\bstr\b|INTEGER|BOOLEAN|None", shown)


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (-0.0, "0"), (0.00001, "0"), (-0.00001, "0"), (1.0, "+1"), (-2.0, "-2"), (0.25, "+0.2500")]
)
def test_a_value_has_a_sign_unless_it_is_zero(value, text):
    assert signed_value(value) == text


def test_the_line_of_a_running_search_is_in_the_games_words_and_ends_at_a_roll():
    game, console = load("pig"), Console(file=io.StringIO(), width=200)
    with watching(console, game, game.start, verbose=True) as progress:
        progress(Iteration(depth=2, value=0.0, line=(1, 1, 1), nodes=40, seconds=1.0, proven=False))
    assert (
        console.file.getvalue() == "depth 2, value 0 to player 0, 40 nodes, 40 a second, line roll ... (then one of 6 outcomes)\n"
    )
    with watching(console, game, game.start) as progress:
        assert progress is None  # without a terminal only the result is printed


def test_the_live_line_of_a_search_names_the_player_or_says_undecided():
    game, console = load("connect-four"), Console(file=io.StringIO(), width=200)
    with watching(console, game, game.start, verbose=True) as progress:
        for value in (0.0, -2.0):
            progress(Iteration(depth=2, value=value, line=(1,), nodes=40, seconds=1.0, proven=False))
    undecided, lost = console.file.getvalue().splitlines()
    assert undecided.startswith("depth 2, undecided, 40 nodes")
    assert lost.startswith("depth 2, value -2 to X, 40 nodes")


def test_best_explains_a_position_in_plain_lines_without_a_terminal():
    done = outplay("best", "connect-four", "44353", "--depth", "6", "--learned", "none")
    assert done.returncode == 0
    assert ". . X X O . ." in done.stdout
    assert not re.search("^depth ", done.stdout, re.MULTILINE)
    assert "O should play 3: undecided so far.\n" in done.stdout
    assert "\x1b" not in done.stdout


def test_best_prints_every_depth_if_it_is_told_to():
    done = outplay("best", "connect-four", "44353", "--depth", "6", "--verbose", "--learned", "none")
    assert [int(depth) for depth in re.findall(r"^depth (\d), [\w ]+, [\d,]+ nodes, ", done.stdout, re.MULTILINE)] == [
        1,
        2,
        3,
        4,
        5,
        6,
    ]


def test_best_comes_to_a_position_by_moves_and_searches_by_the_techniques_named():
    whole = json.loads(outplay("best", "tic-tac-toe", "--depth", "9", "--only", "pruning", "--json").stdout)
    assert whole["nodes"] == 18297  # textbook alpha-beta
    options = ["--depth", "9", "--only", "none", "--without", "table", "--without", "scout,useful", "--json"]
    late = json.loads(outplay("best", "tic-tac-toe", "XO.......", "--moves", "4 5 9, 7", *options).stdout)
    assert (late["state"], late["move"], late["value"], late["nodes"]) == ("XO./XO./O.X", 3, -1, 12)


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["table", "scout"], ("table", "scout")),
        (["table,scout", " ordering "], ("table", "scout", "ordering")),
        (["none"], ()),
        ([], None),
        (None, None),
    ],
)
def test_techniques_are_named_by_commas_or_by_saying_the_option_again(texts, names):
    assert techniques(texts) == names


def test_both_options_of_techniques_are_taken_as_often_as_they_are_said(monkeypatch):
    asked = {}
    monkeypatch.setattr("outplay.cli.main.run_best", lambda *arguments, **options: asked.update(options))
    repeated = ["--without", "table", "--without", "scout", "--only", "pruning", "--only", "table,scout"]
    assert CliRunner().invoke(app, ["best", "tic-tac-toe", *repeated]).exit_code == 0
    assert (asked["only"], asked["without"]) == (("pruning", "table", "scout"), ("table", "scout"))


@pytest.mark.parametrize(("rule", "parameters", "command"), [("show", "state", "best"), ("name_move", "state, move", "tree")])
def test_a_mistake_in_a_function_for_people_is_told_with_its_line_and_the_remedy(tmp_path, rule, parameters, command):
    function = f"def {rule}({parameters}):\n    return str(state.stone)\n\n"
    text = GAME_FILE.replace("game = Game(", f"{function}game = Game({rule}={rule}, ")
    (tmp_path / "pile.py").write_text(text)
    line = text.splitlines().index("    return str(state.stone)") + 1
    done = outplay(command, "pile.py", "--depth", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        f"Error: {rule}, line {line}: State has no field 'stone'; did you mean 'stones'? Its fields are stones, player\n"
    )


def test_best_as_json_is_json_and_nothing_else():
    done = outplay("best", "connect-four", "44", "--depth", "5", "--learned", "none", "--json")
    found = json.loads(done.stdout)
    assert (found["depth"], found["stopped_by"], found["state"]) == (
        5,
        "depth",
        "......./......./......./......./...O.../...X...",
    )
    assert found["move"] in range(1, 8)
    assert len(found["candidates"]) == 7
    assert {"value", "proven", "nodes", "seconds", "line", "branching", "table_hit_rate"} <= set(found)


def test_best_takes_every_limit_and_an_opponent():
    for options in (
        ["--nodes", "500"],
        ["--seconds", "0.05"],
        ["--depth", "3", "--opponent", "random"],
        ["--depth", "5", "--threads", "2"],
    ):
        found = json.loads(outplay("best", "tic-tac-toe", *options, "--json").stdout)
        assert found["move"] in range(1, 10)


def test_best_searches_a_game_in_a_file_against_a_policy_in_it(tmp_path):
    (tmp_path / "pile.py").write_text(GAME_FILE)
    perfect = json.loads(outplay("best", "pile.py", "6,0", "--depth", "6", "--json", cwd=tmp_path).stdout)
    assert perfect["value"] == -1
    greedy = json.loads(
        outplay("best", "pile.py", "6,0", "--depth", "6", "--opponent", "pile.py:greedy", "--json", cwd=tmp_path).stdout
    )
    assert greedy["value"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["best", "conect-four"], "there is no game 'conect-four'; did you mean connect-four?"),
        (["best", "connect-four", "99"], "'99': move 1, '9', is not a column"),
        (["best", "connect-four", "--depth", "-3"], "--depth -3 is not a valid limit"),
        (
            ["best", "connect-four", "--opponent", "worst"],
            "connect-four has no opponent 'worst'; it has best, random, and FILE.py:function",
        ),
        (
            ["match", "tic-tac-toe", "search:depth=2", "magic"],
            "there is no agent 'magic' for tic-tac-toe; there are search, mcts, random",
        ),
        (["match", "tic-tac-toe", "", ""], "A is empty; name an agent, such as random or search:depth=5"),
        (["best", "tic-tac-toe", "XXXOO...."], "the game is over"),
        (
            ["best", "tic-tac-toe", "--moves", "5 5"],
            "'5 5': move 2, '5', is not a legal move of O; legal moves: 1, 2, 3, 4, 6, 7, 8, 9",
        ),
        (["play", "tic-tac-toe", "--moves", "0"], "'0': move 1, '0', is not a legal move of X"),
        (["solve", "tic-tac-toe", "--moves", "0"], "'0': move 1, '0', is not a legal move of X"),
        (["best", "tic-tac-toe", "--only", "magic"], "there is no technique 'magic'; there are pruning, star1"),
        (["best", "nowhere.py"], "there is no file 'nowhere.py'"),
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "tic-tac-toe", "--against", "mct"], "there is no agent 'mct' for tic-tac-toe; there are search, mcts, random"),
        (["play", "tic-tac-toe", "--against", "mcts", "--depth", "3"], "--against names the opponent with its options"),
        (["check", "nowhere.py"], "there is no file 'nowhere.py'"),
    ],
)
def test_bad_input_gets_one_clear_line_and_status_2(arguments, words):
    done = outplay(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_match_is_summed_up_in_one_line():
    done = outplay("match", "tic-tac-toe", "search:depth=9", "random", "--games", "6", "--seed", "4")
    assert re.fullmatch(
        r"tic-tac-toe: search:depth=9 against random, 6 games: \d won, \d drawn, 0 lost; [\d.]+% of the points "
        r"\(95 %: [\d.]+% to 100.0%\); mean margin \+[\d.]+ \(95 %: \+[\d.]+ to \+1.00\)\n",
        done.stdout,
    )


def test_check_says_what_is_wrong_and_exits_with_1(tmp_path):
    (tmp_path / "pile.py").write_text(GAME_FILE)
    well = outplay("check", "pile.py", cwd=tmp_path)
    assert (well.returncode, well.stdout.startswith("pile: all is well")) == (0, True)
    (tmp_path / "pile.py").write_text(
        GAME_FILE.replace("return State(state.stones - move, 1 - state.player)", "return state._replace(stones=0)")
    )
    ill = outplay("check", "pile.py", cwd=tmp_path)
    assert ill.returncode == 1
    assert "play, line 18: _replace does not compile; write State(...) with every field" in ill.stdout


def test_a_game_is_played_to_its_end():
    done = outplay("play", "tic-tac-toe", "--depth", "9", given="moves\n5\nnonsense\nhint\nundo\n1\n2\n3\n4\n5\n6\n7\n8\n9\n" * 3)
    assert done.returncode == 0
    for words in (
        "you are X",
        "Legal: 1, 2, 3, 4, 5, 6, 7, 8, 9\n",
        "Outplay plays",
        "'nonsense' is not a legal move here",
        "A good move is ",
    ):
        assert words in done.stdout
    assert re.search(r"A draw|Outplay wins", done.stdout)


def test_undo_takes_back_the_reply_too():
    done = outplay("play", "tic-tac-toe", "--depth", "2", given="undo\n5\nundo\nquit\n")
    boards = re.findall(r"(  \w \| \w \| \w\n ---\+---\+---\n  \w \| \w \| \w\n)", done.stdout)
    assert "There is nothing to undo." in done.stdout
    assert boards[0] == boards[-1]
    assert done.stdout.rstrip().endswith("Goodbye.")


def test_dice_are_rolled_by_a_seed():
    one, other = (
        outplay("play", "pig:goal=20", "--depth", "2", "--seed", "5", given="roll\nhold\n" * 20).stdout for _ in range(2)
    )
    assert one == other
    assert "Chance: " in one


def test_the_end_of_input_leaves_cleanly():
    done = outplay("play", "connect-four", "--depth", "2", given="4\n")
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("Goodbye.")
    assert done.stderr == ""


def test_outplay_may_start():
    done = outplay("play", "connect-four", "--seat", "1", "--depth", "4", given="quit\n")
    assert "you are O, and Outplay is X" in done.stdout
    assert "Outplay plays" in done.stdout


# Ctrl-C


def test_play_against_any_agent():
    done = outplay("play", "tic-tac-toe", "--against", "mcts:simulations=100", "--seed", "1", given="5\nquit\n")
    assert re.search(r"Outplay plays \d as O: worth \S+ to you \(100 simulations\)", done.stdout)
    done = outplay("play", "nim", "--against", "random", "--seed", "1", given="quit\n")
    assert "and random is " in done.stdout


def test_ctrl_c_raises_within_50_milliseconds_with_the_result_so_far():
    code = (
        "import time, signal, os, threading\n"
        "from outplay import load, search, Interrupted\n"
        "game = load('connect-four'); search(game, depth=1)\n"
        "times = []\n"
        "for _ in range(5):\n"
        "    def press():\n"
        "        times.append(time.perf_counter()); os.kill(os.getpid(), signal.SIGINT)\n"
        "    threading.Timer(0.2, press).start()\n"
        "    try:\n"
        "        search(game, seconds=30, threads=2)\n"
        "    except Interrupted as stopped:\n"
        "        print(time.perf_counter() - times[-1], stopped.result.stopped_by, stopped.result.depth, stopped.result.move)\n"
        "print(search(game, depth=5).value)\n"
    )
    done = python(code)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 6, done.stderr
    assert all(line[1] == "stop" and int(line[2]) > 3 and line[3] == "4" for line in lines[:5])
    assert lines[5] == ["0.0"]


def test_ctrl_c_in_best_still_shows_the_best_move():
    command = [sys.executable, "-u", "-m", "outplay", "best", "connect-four", "--seconds", str(PATIENCE), "--verbose"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.startswith("depth 12,"):
            process.send_signal(signal.SIGINT)
            break
    out, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "X should play 4" in out
    assert "it was told to stop" in out
    assert "Traceback" not in error


# A terminal


def in_a_terminal(*arguments, keys=(), prompt=b"your move>", until=b"Goodbye"):
    """Run outplay in a terminal of its own, one of *keys* at each *prompt*; return what it shows."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.executable, [sys.executable, "-m", "outplay", *arguments])
    shown, end, waiting = b"", time.monotonic() + PATIENCE, list(keys)
    while time.monotonic() < end and until not in shown:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if ready:
            try:
                shown += os.read(terminal, 65536)
            except OSError:
                break
        if waiting and shown.count(prompt) > len(keys) - len(waiting):
            time.sleep(0.5)  # a person takes a moment; a signal that comes before the read begins would be noticed late
            os.write(terminal, waiting.pop(0))
    os.close(terminal)
    os.waitpid(child, 0)
    return shown.decode(errors="replace")


def test_on_a_terminal_the_board_is_coloured_and_ctrl_c_leaves_cleanly():
    shown = in_a_terminal("play", "connect-four", "--depth", "3", keys=[b"4\n", b"\x03"])
    assert "Goodbye." in shown
    assert "Traceback" not in shown
    assert "\x1b[1;31mX" in shown


def test_on_a_terminal_a_compilation_is_announced(tmp_path, monkeypatch):
    (tmp_path / "pile.py").write_text(GAME_FILE)
    monkeypatch.setenv("OUTPLAY_CACHE_DIR", str(tmp_path / "cache"))
    shown = in_a_terminal("best", str(tmp_path / "pile.py"), "--depth", "7", until=b"thread.")
    assert re.search(r"Compiling pile, once \.\.\. done in \d+\.\d s\.", shown)


def test_on_a_terminal_a_search_is_watched_on_one_line():
    shown = in_a_terminal("best", "connect-four", "--seconds", "1", "--learned", "none", until=b"thread.")
    live = re.findall(r"depth \d+, undecided, [^\r\n]*", shown)
    assert live
    assert all(len(re.sub(r"\x1b\[[\d;?]*\w", "", line)) <= 80 for line in live)
    assert re.search(r"\x1b\[2K", shown)  # each is wiped
    assert shorten("depth 12, undecided, 5 nodes", 20) == "depth 12, undeci ..."


@pytest.mark.parametrize(
    ("message", "typed"),
    [
        ("seconds=-1.0 is not valid; give method=\"mcts\" too", "--seconds -1.0 is not valid; give --method mcts too"),
        ("give simulations, such as simulations=10_000", "give simulations, such as --simulations 10000"),
        ("memory_mb=0 must be above 0", "--memory-mb 0 must be above 0"),
        ("a file has games; resume to go on", "a file has games; --resume goes on"),
        ("F is not an estimate; `learn(game, file=...)` or `learned.save(...)` writes one", "F is not an estimate; outplay learn GAME --file FILE writes one"),
        ("written search:depth=4,seed=1, as in search(game, depth=4)", "written search:depth=4,seed=1, as in search(game, depth=4)"),
        ("columns=0 of connect-four", "columns=0 of connect-four"),
    ],
)  # fmt: skip
def test_errors_name_options_as_they_are_typed(message, typed):
    options = set(_options())
    assert as_typed(OptionError(message), options) == typed
    assert "depth=3" in as_typed(StateError("State(depth=3) or depth=3"), options)  # a field may be called so


def test_judge_names_the_option_where_an_estimate_follows_the_game():
    with pytest.raises(OptionError, match="write outplay judge good.py --learned F$"):
        CliRunner().invoke(app, ["judge", "good.py", "F"], catch_exceptions=False)


def test_best_says_how_to_name_what_chance_does():
    pig = load("pig:goal=20")
    found = search(pig, pig.read_state("14,19,5,0,1"), depth=1, compiled=False)
    assert outcome_hint(found, "roll") == 'For the best move after an outcome, name it: --moves "roll a 1"'
    unnamed = replace(found, candidates=found.candidates[:1], game=pig.replace(name_outcome=lambda state, face: f"a,{face};c"))
    assert outcome_hint(
        replace(unnamed, candidates=[replace(unnamed.candidates[0], namer=lambda face: f"a,{face};c")]), ""
    ).endswith(' "1"')
