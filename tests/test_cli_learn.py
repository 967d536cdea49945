"""`outplay learn`, and learned estimates at the command line and as agents."""

import io
import json
import re
from dataclasses import replace
from random import Random

import pytest
from processes import outplay
from rich.console import Console
from toy_games import Pile, pile
from typer.testing import CliRunner

from outplay import Learned, match
from outplay.agents.agent import Clock
from outplay.agents.named import agent
from outplay.cli import learn as cli_learn
from outplay.cli import main
from outplay.errors import Interrupted, LearnedError, NotSaved, OptionError
from outplay.learn.progress import Progress
from outplay.learn.session import learn_games


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A file with what a few games of the pile teach, learned without compiling."""
    path = tmp_path_factory.mktemp("learned") / "pile.learned"
    learn_games(pile(), games=64, compiled=False).save(path)
    return path


def test_a_search_agent_takes_a_learned_estimate_by_its_file(file):
    game = pile()
    for text in (f"search:depth=1,learned={file}", f"mcts:simulations=20,learned={file}"):
        one = replace(agent(text, game), compiled=False)
        assert isinstance(one.estimate, Learned)
        choice = one.choose(game, Pile(5, 0), Clock(), Random(1))
        assert choice.move == 2  # leaves three, which are lost for the other
        assert choice.value is not None
    learner = replace(agent(f"search:depth=1,learned={file}", game), compiled=False)
    found = match(game, learner, "random", games=4, seed=1)
    assert found.first == f"search:depth=1,learned={file}"
    assert len(found.played) == 4


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("search:depth=1,learned=nowhere.learned", LearnedError, "nowhere.learned cannot be read"),
        ("search:depth=1,learned=", OptionError, "a learned estimate is a file that outplay learn has written"),
        ("search:depth=1,estimate=a.py:f,learned={file}", OptionError, "there is no file|leave out estimate or learned"),
    ],
)
def test_a_learned_estimate_that_cannot_be_had_is_refused(file, text, kind, message):
    with pytest.raises((kind, ValueError), match=message):
        agent(text.format(file=file), pile())


def test_a_learned_estimate_of_other_rules_is_refused(file):
    with pytest.raises(LearnedError, match="was learned with other rules than those of 'pile'"):
        agent(f"search:depth=1,learned={file}", pile(score=lambda state: -1 if state.player == 1 else 1))


def test_a_page_opens_no_learned_file(file):
    with pytest.raises(OptionError, match="a learned estimate is a file"):
        agent(f"search:depth=1,learned={file}", pile(), files=False)


def test_learn_writes_a_file_goes_on_from_it_and_the_other_commands_use_it(tmp_path):
    first = outplay("learn", "tic-tac-toe", "--seconds", "0.1", "--file", "board.learned", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    assert first.stderr == ""  # no live line without a terminal
    assert first.stdout.startswith("tic-tac-toe: an estimate learned from ")
    assert "To use it: outplay best tic-tac-toe --learned board.learned" in first.stdout
    games = int(re.search(r"learned from ([\d,]+) games", first.stdout)[1].replace(",", ""))
    again = outplay("learn", "tic-tac-toe", "--seconds", "0.1", "--file", "board.learned", "--json", cwd=tmp_path)
    told = json.loads(again.stdout)
    assert told["games"] > games
    assert told["file"] == "board.learned"
    best = outplay("best", "tic-tac-toe", "XO..X..O.", "--learned", "board.learned", "--depth", "1", "--json", cwd=tmp_path)
    assert json.loads(best.stdout)["move"] == 9  # the third of a diagonal
    other = outplay("best", "connect-four", "--learned", "board.learned", cwd=tmp_path)
    assert other.returncode == 2
    assert "it is of 'tic-tac-toe'" in other.stderr
    both = outplay("play", "tic-tac-toe", "--learned", "board.learned", "--solved", "x.table", cwd=tmp_path)
    assert "--solved looks moves up and needs no estimate; leave out --learned, or --solved" in both.stderr
    played = outplay("play", "tic-tac-toe", "--learned", "board.learned", "--depth", "1", cwd=tmp_path, given="1\nquit\n")
    assert "Goodbye." in played.stdout


def test_ctrl_c_keeps_what_was_learned_and_says_so(file, monkeypatch):
    def interrupted(game, **options):
        raise Interrupted(Learned.load(file, pile()))

    monkeypatch.setattr(cli_learn, "run_learn", interrupted)
    done = CliRunner().invoke(main.app, ["learn", "nim", "--file", str(file)])
    assert done.exit_code == 130
    assert "pile: an estimate learned from 64 games" in done.stdout
    assert f"Interrupted. {file} holds what was learned: the same command goes on from there." in " ".join(
        done.stderr.split("\n")
    )


def test_what_has_no_room_in_its_folder_is_saved_elsewhere(file, monkeypatch, tmp_path):
    def full(game, **options):
        raise NotSaved("there is no room; what was learned is in the result of this error: ...", Learned.load(file, pile()))

    monkeypatch.setattr(cli_learn, "run_learn", full)
    monkeypatch.setattr(cli_learn.tempfile, "mkdtemp", lambda **_: str(tmp_path))
    done = CliRunner().invoke(main.app, ["learn", "nim", "--file", "pile.learned"])
    place = tmp_path / "pile.learned"
    assert str(done.exception) == f"there is no room. What was learned is in {place}: move it to where there is room"
    assert Learned.load(place, pile()).games == 64


def test_the_live_line_has_games_speed_error_and_a_plot():
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=100)
    with cli_learn.learning(console) as progress:
        progress(Progress(0, 0, 0.0, 60.0, 0.0, 0.0, 0.0, 0, 0, phase="looking"))
        progress(Progress(64, 600, 1.0, 59.0, 64.0, 600.0, 0.4, 0, 10))
    at = Progress(12_000, 90_000, 30.0, 29.6, 400.0, 3_000.0, 0.1, 0, 10)
    assert cli_learn.words(at, [0.4, 0.2, 0.1], 100) == "30 s left, 12,000 games, 3,000 moves/s, error █▅▃"
    assert cli_learn.words(at, [0.4, 0.2, 0.1], 48) == "30 s left, 12,000 games, 3,000 moves/s, error █▄"
    assert cli_learn.words(at, [0.4, 0.2, 0.1], 40) == "30 s left, 12,000 games, 3,000 moves/s, error "
    assert "moves/s, 93% against its start, error █" in cli_learn.words(replace(at, strength=0.93), [0.1], 100)
    assert "moves/s, mean result 151,500, error █" in cli_learn.words(replace(at, result=151_500.0), [0.1], 100)
    assert cli_learn.words(Progress(0, 0, 0, None, 0, 0, 0, 0, 0, phase="looking"), [], 100) == "looking at random games ..."
    with cli_learn.learning(Console(file=io.StringIO())) as progress:
        assert progress is None


def test_a_plot_has_so_many_columns_at_most():
    assert cli_learn.plot([1.0] * 100, 10) == "█" * 10
    assert cli_learn.plot([8.0, 4.0, 1.0, 0.0], 4) == "█▅▂▁"
    assert cli_learn.plot([0.0]) == "▁"
    assert cli_learn.plot([]) == ""
