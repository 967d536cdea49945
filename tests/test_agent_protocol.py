"""docs/agent-protocol.md: its examples play, and messages carry every kind of state."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from outplay import load
from outplay.arena.isolation import protocol
from outplay.arena.isolation.protocol import ProtocolError, choice_of_reply, fields_of, line_of, message_of, printable, state_of
from outplay.arena.isolation.tiers import choose_isolation
from outplay.arena.player import open_player
from outplay.arena.record import Verdict
from outplay.arena.referee import play_game
from outplay.arena.time_control import TimeControl
from outplay.errors import OptionError

DOCUMENT = (Path(__file__).parent.parent / "docs" / "agent-protocol.md").read_text()
GAME = load("tic-tac-toe")


@pytest.mark.skipif(sys.platform != "linux", reason="programs as agents need Linux")
@pytest.mark.parametrize(
    ("language", "interpreter", "file"), [("python", "python3", "agent.py"), ("javascript", "node", "agent.js")]
)
def test_the_example_of_the_document_plays(tmp_path, language, interpreter, file):
    if interpreter != "python3" and shutil.which(interpreter) is None:
        pytest.skip(f"there is no {interpreter} here")
    source = re.search(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)[1]
    assert len(source.splitlines()) <= 30
    path = tmp_path / file
    path.write_text(source)
    for isolation in (None, choose_isolation()):
        with open_player(f"program:{interpreter} {path}", GAME, isolation=isolation) as one, open_player("random", GAME) as two:
            records = [play_game(GAME, (one, two), luck=luck) for luck in ("1", "2", "1")]
        assert {record.verdict for record in records} == {Verdict.FINISHED}, records[0].detail
        assert records[0].choices == records[2].choices


def test_the_messages_of_the_document_are_messages():
    examples = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    assert {message_of(text.replace("\n", "").encode())["type"] for text in examples} == {"hello", "begin", "turn", "move"}
    assert f"version {protocol.VERSION}" in DOCUMENT
    assert f"{protocol.LONGEST_LINE:,} bytes" in DOCUMENT


@pytest.mark.skipif(sys.platform != "linux", reason="programs as agents need Linux")
def test_the_messages_of_the_document_are_those_of_tic_tac_toe(tmp_path):
    # The program writes down what it is told, and plays as in the document: 5, then the first legal move.
    (tmp_path / "scribe.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    print(line, file=sys.stderr, flush=True) if said.get('ply') != 4 else None\n"
        "    if said['type'] == 'end': continue\n"
        "    print(json.dumps({'type': 'ready'} if said['type'] in ('hello', 'begin') else\n"
        "          {'type': 'move', 'id': said['id'], 'move': 5 if 5 in said['legal'] else said['legal'][0]}), flush=True)\n"
    )
    (tmp_path / "first.py").write_text(
        "def choose(game, state):\n    return min(game.legal(state)) if state.noughts == 0 else 0\n"
    )
    with (
        open_player(f"program:python3 {tmp_path / 'scribe.py'}", GAME) as one,
        open_player(str(tmp_path / "first.py"), GAME) as two,
    ):
        play_game(GAME, (one, two), control=TimeControl(move_seconds=1.0, margin=60.0))
        told = [json.loads(line) for line in re.findall(r"\{.*?\}(?= |$)(?= \{|\s*$)", one.errors)]
    documented = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)]
    hello, begin, turn, _ = documented
    heard = {message["type"]: message for message in told if message.get("ply") != 0}
    assert heard["hello"] == hello
    assert heard["begin"] | {"seed": begin["seed"]} == begin | {"time": begin["time"] | {"margin": 60.0}}
    assert heard["turn"] | {"id": turn["id"], "clock": turn["clock"]} == turn
    assert heard["turn"]["clock"].keys() == turn["clock"].keys()


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "backgammon", "2048", "connect-four", "yahtzee"])
def test_a_state_survives_its_message(name):
    game = load(name)
    state = game.state(game.start)
    said = json.loads(line_of({"fields": fields_of(game, state)}))["fields"]
    back = state_of(game, said)
    assert type(back) is type(state)
    assert game.write_state(back) == game.write_state(state)
    assert fields_of(game, back) == said


def test_a_state_with_an_array_survives_its_message():
    numpy = pytest.importorskip("numpy")
    from typing import NamedTuple

    from outplay import OVER, Game

    class State(NamedTuple):
        board: object
        share: float
        over: bool

    def moves(state):
        yield 0

    start = State(numpy.array([[1, -2], [3, 1 << 40]], dtype=numpy.int64), 0.25, False)
    game = Game(
        name="arrays", start=start, turn=lambda state: OVER, moves=moves, play=lambda state, move: state, score=lambda state: 0
    )
    back = state_of(game, json.loads(line_of(fields_of(game, game.start))))
    assert (back.board == start.board).all()
    assert back.board.dtype == start.board.dtype
    assert (back.share, back.over) == (0.25, False)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({}, "without a move"),
        ({"move": 1, "value": "x"}, "a value is a number"),
        ({"move": 1, "value": True}, "a value is a number"),
        ({"move": 1, "nodes": -1}, "nodes is a whole number"),
        ({"move": 1, "nodes": 1 << 70}, "nodes is a whole number"),
    ],
)
def test_a_reply_that_is_wrong_is_told_so(reply, words):
    with pytest.raises(ProtocolError, match=words):
        choice_of_reply(reply)


@pytest.mark.parametrize(
    "line", [b"NaN", b'{"move": NaN}', b'{"move": Infinity}', b"{", b"", b"null", b'"x"', b"\xff", b"[" * 65_000]
)
def test_bytes_that_are_no_message_are_told_so(line):
    with pytest.raises(ProtocolError):
        message_of(line)


def test_words_of_an_agent_cannot_control_a_terminal():
    assert printable("\x1b[2J\x00ab\u202ec\nd") == "[2J ab c d"
    assert len(printable("x" * 10_000)) == 400


@pytest.mark.skipif(sys.platform != "linux", reason="programs as agents need Linux")
def test_a_program_that_is_not_there_is_told_before_the_first_game():
    with pytest.raises(OptionError, match="there is no program 'no-such-program'"):
        open_player("program:no-such-program x", GAME)
    with pytest.raises(OptionError, match="names no program"):
        open_player("program:", GAME)


@pytest.mark.skipif(sys.platform != "linux", reason="programs as agents need Linux")
def test_the_end_of_standard_error_tells_why_a_program_failed(tmp_path):
    path = tmp_path / "agent.py"
    path.write_text("import sys\ninput()\nsys.stderr.write('noise ' * 100)\nraise ValueError('the reason')\n")
    with open_player(f"program:python3 {path}", GAME) as one, open_player("random", GAME) as two:
        record = play_game(GAME, (one, two))
    assert record.verdict is Verdict.REFUSED
    assert record.detail.endswith("ValueError: the reason")
