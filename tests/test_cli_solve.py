"""`outplay solve` and `outplay verify`, and playing from a table, at the command line."""

import io
import json
import os
import re
import signal
import subprocess
import sys

import pytest
from patience import PATIENCE
from processes import outplay, python
from rich.console import Console
from test_cli import in_a_terminal
from typer.testing import CliRunner

from outplay.cli import bar, main
from outplay.solve.progress import Progress

BOARD = "connect-four:columns=4,rows=4"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the table of tic-tac-toe."""
    path = tmp_path_factory.mktemp("tables")
    assert outplay("solve", "tic-tac-toe", "--file", "board.table", cwd=path).returncode == 0
    return path


def test_solve_says_nothing_on_its_way_to_a_small_table_and_then_what_it_found(tmp_path):
    done = outplay("solve", BOARD, "-o", "four.table", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.startswith(". . . .\n")
    for words in (
        "By best play the game is drawn: worth 0 to X.\n",
        "All moves are equally good for X.\n",
        "   2      16     5     436     8   5,084    11  21,720    14  24,912\n",
    ):
        assert words in done.stdout
    assert re.search(r"^Solved by a table: 161,029 states in [\d.]+ s, [\d,]+ a second\.$", done.stdout, re.MULTILINE)
    assert done.stdout.endswith("The table is in four.table, 1.5 MB. To check it: outplay verify four.table\n")
    assert os.listdir(tmp_path) == ["four.table"]
    verified = outplay("verify", "four.table", cwd=tmp_path)
    assert verified.returncode == 0
    assert "Checked: the checksums of the file; that it was made by the rules as they are now; " in verified.stdout
    assert "connect-four 4x4, 4 in line: all 161,029 states follow from the rules" in verified.stdout


def test_the_game_that_a_table_is_of_is_said_behind_the_file_or_as_an_option(monkeypatch):
    asked = []
    monkeypatch.setattr(main, "run_verify", lambda _, __, file, name, threads: asked.append((str(file), name)))
    for arguments in (["x.table"], ["x.table", "mine.py"], ["x.table", "--game", "mine.py"], ["--game", "mine.py", "x.table"]):
        assert CliRunner().invoke(main.app, ["verify", *arguments]).exit_code == 0
    assert asked == [("x.table", ""), *[("x.table", "mine.py")] * 3]
    twice = CliRunner().invoke(main.app, ["verify", "x.table", "nim", "--game", "pig"])
    assert str(twice.exception) == "the game is named twice, nim and --game pig; leave one out"


def test_a_file_that_is_there_is_reported_from(folder):
    done = outplay("solve", "tic-tac-toe", "--file", "board.table", cwd=folder)
    assert "board.table is there already, and this is what it says.\nBy best play the game is drawn" in done.stdout
    assert "5,478 states, read from a file.\n" in done.stdout
    assert done.stderr == ""
    other = outplay("solve", "tic-tac-toe", "X........", "--file", "board.table", cwd=folder)
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    assert "board.table holds the table from .../.../... with --endless 0.0, and not the one asked for" in other.stderr


def test_a_file_with_less_accuracy_than_asked_for_is_said_to_be_so(tmp_path):
    outplay("solve", "pig:goal=20", "-o", "pig.table", "--accuracy", "0.01", cwd=tmp_path)
    done = outplay("solve", "pig:goal=20", "-o", "pig.table", cwd=tmp_path)
    assert "To have it to within 1e-09, delete pig.table and solve again.\n" in done.stdout


def test_solve_as_json_is_json_and_nothing_else():
    found = json.loads(outplay("solve", "tic-tac-toe", "XX.OO....", "--json").stdout)
    assert (found["game"], found["state"], found["method"]) == ("tic-tac-toe", "XX./OO./...", "table")
    assert (found["value"], found["error"], found["distance"], found["ends"]) == (1.0, 0.0, 1, True)
    assert (found["moves"], found["move_names"], found["states"], found["file"]) == ([3], ["3"], 69, None)
    assert found["counts"] == [1, 5, 16, 24, 18, 5]
    first = {"move": 3, "move_name": "3", "value": 1.0, "distance": 1, "best": True}
    assert found["candidates"][0] == {**first, "bound": "exact", "depth": 1, "proven": True}
    assert found["seconds"] > 0


def test_a_proof_has_nodes_and_knows_one_state():
    found = json.loads(outplay("solve", "tic-tac-toe", "--method", "proof", "--threads", "1", "--json").stdout)
    assert (found["method"], found["value"], len(found["candidates"])) == ("proof", 0.0, 1)
    assert found["nodes"] > 0
    assert found["states"] == 1


def test_solve_takes_every_option():
    options = ["--method", "cycles", "--threads", "2", "--memory-mb", "512", "--endless", "0.5", "--accuracy", "1e-6"]
    done = outplay("solve", "three-mens-morris", *options)
    assert done.stderr == ""
    assert "By best play X wins in 9 moves, both players' counted: worth +1 to X." in done.stdout
    assert "States can come back, and the players can go on for ever.\n" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "tic-tac-to"], "there is no game 'tic-tac-to'; did you mean tic-tac-toe?"),
        (
            ["solve", "tic-tac-toe", "--method", "magic"],
            "--method magic is unknown; there are proof, table, cycles; left out, it is chosen\n",
        ),
        (["solve", "tic-tac-toe", "--threads", "0"], "--threads 0 must be a whole number from 1 to 256\n"),
        (["solve", "tic-tac-toe", "--memory-mb", "-1"], "--memory-mb -1.0 must be above 0"),
        (["solve", "tic-tac-toe", "--endless", "3"], "--endless 3.0 must lie between low=-1 and high=1 of 'tic-tac-toe'"),
        (["solve", "tic-tac-toe", "--accuracy", "0"], "--accuracy 0.0 must be above 0"),
        (["solve", "tic-tac-toe", "--method", "proof", "-o", "x"], "a proof makes no table, so there is none to write"),
        (["solve", "tic-tac-toe", "XYZ"], "'XYZ'"),
        (["verify", "nowhere.table"], "nowhere.table cannot be read (No such file or directory)"),
        (["verify", __file__], "is not a table of this version of Outplay"),
        (["play", "tic-tac-toe", "--solved", "nowhere.table"], "nowhere.table cannot be read"),
        (["play", "tic-tac-toe", "--solved", "x", "--depth", "3"], "--solved looks moves up and does not search; leave out"),
        (["match", "tic-tac-toe", "solved:nowhere.table", "random"], "nowhere.table cannot be read"),
    ],
)
def test_bad_input_gets_one_clear_line_and_status_2(arguments, words):
    done = outplay(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_table_too_large_for_its_memory_is_refused():
    done = outplay("solve", BOARD, "--method", "table", "--memory-mb", "0.1")
    assert done.returncode == 2
    assert "states and more, and their table needs more than 0.1 MB" in done.stderr


def test_a_changed_byte_is_refused(folder, tmp_path):
    data = bytearray((folder / "board.table").read_bytes())
    data[-1] ^= 1
    (tmp_path / "changed.table").write_bytes(data)
    for arguments in (["verify", "changed.table"], ["play", "tic-tac-toe", "--solved", "changed.table"]):
        done = outplay(*arguments, given="5\n1\n2\n3\n" * 5, cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "changed.table is damaged: block 0 of its sections does not have its checksum; copy it again" in done.stderr


def test_verify_finds_a_value_that_does_not_follow_from_the_rules(tmp_path):
    """A table that is sound as a file, and wrong: status 1."""
    code = (
        "import dataclasses\n"
        "from outplay import load, solve\n"
        "found = solve(load('tic-tac-toe'))\n"
        "found.table.rows[3].codes[0] = 0\n"
        "found.save('wrong.table')\n"
    )
    assert python(code, cwd=tmp_path).returncode == 0
    done = outplay("verify", "wrong.table", cwd=tmp_path)
    assert done.returncode == 1
    assert re.search(
        r"^tic-tac-toe: \d+ entries of 5,478 are wrong; do not use this table, solve again$", done.stdout, re.MULTILINE
    )


# Play and match


def test_replies_and_hints_come_from_a_table(folder):
    done = outplay("play", "tic-tac-toe", "--solved", "board.table", given="hint\n5\n" + "2\n3\n4\n6\n7\n8\n9\n" * 3, cwd=folder)
    assert done.returncode == 0
    assert "A good move is 1 as X: worth 0 to you (solved). Best play goes on: 5 2 3 7 4 6 8\n" in done.stdout
    assert "Outplay plays 1 as O: worth 0 to you (solved). Best play goes on: 2 8 4 6 3 7 9\n" in done.stdout
    assert re.search(r"Outplay wins|A draw", done.stdout)


def test_a_table_counts_the_moves_to_the_end(folder):
    done = outplay("play", "tic-tac-toe", "XX.O.....", "--seat", "0", "--solved", "board.table", given="quit\n", cwd=folder)
    assert (
        "Outplay plays 3 as O: worth +1 to you (solved; over in 4 moves, both players' counted). Best play goes on: 5 6 8\n"
        in done.stdout
    )
    lost = outplay("play", "tic-tac-toe", "XX.OO....", "--seat", "1", "--solved", "board.table", cwd=folder)
    assert "Outplay plays 3 as X: worth -1 to you (solved; over in 1 move).\n" in lost.stdout
    assert "Outplay wins" in lost.stdout


def test_a_state_outside_the_table_is_refused_at_once(tmp_path):
    outplay("solve", "tic-tac-toe", "X........", "-o", "later.table", cwd=tmp_path)
    done = outplay("play", "tic-tac-toe", "--solved", "later.table", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert ".../.../... cannot be reached from the state that was solved, so it is not in the table" in done.stderr


def test_a_match_is_played_from_a_table_or_from_one_made_now(folder):
    done = outplay("match", "tic-tac-toe", "solved:board.table", "random", "--games", "200", cwd=folder)
    assert re.search(r"solved:board.table against random, 200 games: \d+ won, \d+ drawn, 0 lost;", done.stdout)
    done = outplay("match", "tic-tac-toe", "solved", "solved:board.table", "--games", "2", cwd=folder)
    assert "solved against solved:board.table, 2 games: 0 won, 2 drawn, 0 lost;" in done.stdout


# Ctrl-C

# The command line, which waits to be interrupted once some layers of the table are done.
WAITING = """
import time
from outplay.cli.main import main
from outplay.solve.tables.checkpoint import Checkpoint
keep = Checkpoint.keep

def wait(self, states):
    keep(self, states)
    if len(states.counts) == 9:
        print("here", flush=True)
        time.sleep(600)

Checkpoint.keep = wait
main()
"""


def interrupted(*arguments, **options):
    """Return the status of a solve that Ctrl-C ends, and what it says of that."""
    command = [sys.executable, "-c", WAITING, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    assert "here\n" in process.stdout
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=PATIENCE)
    return process.returncode, error.splitlines()[-1]  # after what memory allows, and how far it is


def test_ctrl_c_says_how_to_go_on_and_the_same_command_does(tmp_path):
    arguments = ["solve", BOARD, "-o", "four.table"]
    assert interrupted(*arguments, cwd=tmp_path) == (
        130,
        "Interrupted. four.table.work holds what is done: the same command goes on from there.",
    )
    assert os.listdir(tmp_path) == ["four.table.work"]
    done = outplay(*arguments, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith("four.table.work is there: what it holds of this solve is used.\n")
    assert "161,029 states in" in done.stdout
    assert os.listdir(tmp_path) == ["four.table"]


def test_ctrl_c_without_a_file_keeps_nothing_and_says_so(tmp_path):
    assert interrupted("solve", BOARD, cwd=tmp_path) == (
        130,
        "Interrupted; nothing is kept. A table that is made with --file goes on later where it was.",
    )
    assert os.listdir(tmp_path) == []


def test_ctrl_c_in_a_proof_says_what_is_known():
    shown = in_a_terminal("solve", "connect-four", "--method", "proof", keys=[b"\x03"], prompt=b"value between", until=b"anew.")
    said = " ".join(shown.split())  # it is broken at words, to fit the terminal
    assert re.search(r"Interrupted\. The value lies between -?\d+ and -?\d+; a proof keeps nothing, and begins anew\.", said)


# A terminal


def test_without_a_terminal_a_line_comes_now_and_then(monkeypatch):
    monkeypatch.setattr(bar, "SELDOM", 0.0)
    console = Console(file=io.StringIO(), width=200)
    with bar.solving(console) as progress:
        progress(Progress("memory", 0, 416_666, 0, 0.0, None))
        progress(Progress("states", 1_000, None, 1_000, 500.0, None))  # a small solve says nothing
        progress(Progress("values", 0, 4_000, 4_000, 0.0, None))
        progress(Progress("states", 2_000_000, None, 2_000_000, 500.0, None))
        progress(Progress("values", 0, 4_000_000, 4_000_000, 0.0, None))
        progress(Progress("values", 2_000_000, 4_000_000, 4_000_000, 1250.0, 160.0))
        progress(Progress("file", 3_000_000, 4_000_000, 4_000_000, 0.1, 10_000.0))
    with bar.solving(console) as progress:
        progress(Progress("memory", 0, 83_333_333, 0, 0.0, None))
        progress(Progress("no table", 0, None, 0, 0.0, None, "a state of 'x' takes 83 bits in a table, and a key has 64"))
        progress(Progress("proof", 9_900_000, None, 9_900_000, 3.0, None, "between 0 and 1"))
    assert console.file.getvalue() == (
        "Memory allows a table of about 416,666 states.\n"
        "counting states: 2,000,000 states, 500 a second\n"
        "finding values: 4,000,000 states\n"
        "finding values: 2,000,000 of 4,000,000 states, 1,250 a second, 3 min left\n"
        "writing the file: 3,000,000 of 4,000,000 states, 2 h 47 min left\n"
        "No table: a state of 'x' takes 83 bits in a table, and a key has 64. "
        "The value of this one state is proven by a search instead, which may take long.\n"
        "proving: 9,900,000 nodes, 3 a second, value between 0 and 1\n"
    )


def test_on_a_terminal_a_bar_shows_phase_states_and_speed():
    shown = in_a_terminal("solve", "connect-four:columns=5,rows=4", until=b"Solved by a table")
    assert re.search(r"counting states .*[\d,]+ states, [\d,]+ a second", shown)
    assert re.search(r"finding values .*[\d,]+ of 3,945,711 states, [\d,]+ a second, \d+ s left", shown)
    assert "By best play the game is drawn" in shown
