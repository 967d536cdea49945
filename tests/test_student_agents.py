"""What a student's file may be: it gets ready outside of its clock, and what it does wrong is told with its own line."""

import re
import sys
from pathlib import Path

import pytest
from toy_games import Pile, pile

from outplay import load
from outplay.agents.named import agent
from outplay.arena.isolation.tiers import choose_isolation
from outplay.arena.player import open_player
from outplay.arena.record import Verdict
from outplay.arena.referee import play_game
from outplay.arena.time_control import TimeControl
from outplay.errors import OptionError

GAME = load("tic-tac-toe")
DOCUMENT = (Path(__file__).parent.parent / "docs" / "tournaments.md").read_text()


@pytest.fixture(params=["here", "apart"])
def how(request):
    if request.param == "apart" and sys.platform != "linux":
        pytest.skip("files are played in processes of their own on Linux only")
    return None if request.param == "here" else choose_isolation()


def played(tmp_path, how, source, control=None):
    """Play a game of the file *source* against itself, and return its record."""
    file = tmp_path / "mine.py"
    file.write_text(source)
    with open_player(str(file), GAME, isolation=how) as one:
        return play_game(GAME, (one, one), control=control or TimeControl())


def test_a_file_gets_ready_for_a_game_before_its_clock_runs(tmp_path, how):
    # Its preparation computes for ten times as long as a move may take.
    source = (
        "import time\nready = []\n"
        "def prepare(game):\n"
        "    until = time.process_time() + 2.0\n"
        "    while time.process_time() < until: pass\n"
        "    ready.append(game.name)\n"
        "def choose(game, state):\n"
        "    assert ready == ['tic-tac-toe']\n"
        "    return game.legal(state)[0]\n"
    )
    record = played(tmp_path, how, source, TimeControl(move_seconds=0.2, margin=1.0))
    assert record.verdict is Verdict.FINISHED, record.detail


def test_a_file_that_fails_to_get_ready_does_not_start(tmp_path, how):
    record = played(tmp_path, how, "def prepare(game):\n    return 1 / 0\ndef choose(state):\n    return 1\n")
    assert record.verdict is Verdict.REFUSED
    assert "ZeroDivisionError: division by zero (in prepare, line 2 of mine.py)" in record.detail


@pytest.mark.skipif(sys.platform != "linux", reason="files are played in processes of their own on Linux only")
@pytest.mark.parametrize("imported", ["from outplay import search", "import outplay\nsearch = outplay.search"])
def test_a_search_is_compiled_before_the_clock_runs(tmp_path, imported):
    # Numba compiles when it is first asked: what the process compiles later is counted.
    source = (
        f"{imported}\nfrom numba.core.event import install_recorder\n"
        "def choose(game, state):\n"
        "    with install_recorder('numba:compile') as recorder:\n"
        "        move = search(game, state, depth=3).move\n"
        "    assert not recorder.buffer, f'{len(recorder.buffer)} compilations in a turn'\n"
        "    return move\n"
    )
    record = played(tmp_path, choose_isolation(), source, TimeControl(start_seconds=600.0))
    assert record.verdict is Verdict.FINISHED, record.detail


def test_an_error_names_the_line_of_the_student_and_not_that_of_a_library(tmp_path, how):
    source = "from pathlib import Path\ndef choose(state):\n    return Path('/no/such/file').read_text()\n"
    record = played(tmp_path, how, source)
    assert record.verdict is Verdict.CRASH
    assert "raised FileNotFoundError" in record.detail
    assert "(in choose, line 3 of mine.py)" in record.detail


def test_an_error_of_outplay_names_the_line_of_the_student(tmp_path, how):
    record = played(tmp_path, how, "from outplay import load\ndef choose(state):\n    load('nim:piles=x')\n")
    assert record.verdict is Verdict.CRASH
    assert "(in choose, line 3 of mine.py)" in record.detail


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ("1.0", "1.0 is a float; return an int"),
        ("True", "True is a bool; return an int"),
        ("None", "None is no move"),
        ("'1'", "'1' is a str"),
    ],
)
def test_a_move_that_is_not_an_int_is_illegal_and_told_so(tmp_path, how, returned, words):
    record = played(tmp_path, how, f"def choose(state):\n    return {returned}\n")
    assert record.verdict is Verdict.ILLEGAL
    assert words in record.detail


def test_the_agent_of_the_document_wins_where_it_can(tmp_path, how):
    source = re.search(r"## An agent in ten lines\n\n```python\n(.*?)```", DOCUMENT, re.DOTALL)[1]
    assert len(source.splitlines()) <= 10
    file = tmp_path / "mine.py"
    file.write_text(source)
    assert all(f"`{field.name}`" in DOCUMENT for field in GAME.fields)
    starts = [("XX..OO...", 3), ("X...OO..X", None), ("XX.OO...X", 6)]
    with open_player(str(file), GAME, isolation=how) as one:
        for board, wins in starts:
            record = play_game(GAME, (one, one), start=GAME.read_state(board))
            assert record.verdict is Verdict.FINISHED, record.detail
            assert wins is None or record.choices[0] == wins
        o_to_move = play_game(GAME, (one, one), start=GAME.read_state("XX.OO.X.."))
        assert (o_to_move.choices[0], o_to_move.score) == (6, -1)


def test_the_agent_of_the_document_asks_for_the_score_of_a_finished_game_alone():
    scope = {}
    exec(re.search(r"## An agent in ten lines\n\n```python\n(.*?)```", DOCUMENT, re.DOTALL)[1], scope)
    game = pile(score=lambda state: 1)  # as of many a game: only the score of an end means anything
    assert [scope["choose"](game, Pile(stones, 0), None) for stones in (1, 2, 3, 4)] == [1, 2, 2, 2]


def test_the_fields_of_any_game_are_printed_as_the_document_says():
    command = re.search(r"python3 -c '(.*?)'", DOCUMENT)[1]
    said = []
    exec(command, {"print": said.append})
    assert said == [load("connect-four").start]


def test_a_file_that_is_a_program_is_told_how_to_take_part(tmp_path):
    script = tmp_path / "agent.js"
    script.write_text("")
    for text, words in [
        (str(script), f"program:node {script}"),
        (str(tmp_path), "is a folder; name the Python files in it"),
        ("magic", "FILE.py, FILE.py:function, program:COMMAND;"),
    ]:
        with pytest.raises(OptionError, match=re.escape(words)):
            open_player(text, GAME)
    with pytest.raises(OptionError, match="programs play in a tournament"):
        agent("program:node agent.js", GAME)
