"""What surrounds a tournament: the TOML file, the command line, replays, exports and imports."""

import csv
import json
import re
from pathlib import Path

import pytest
from test_tournament import FIRST, LAST, played_of
from typer.testing import CliRunner

from outplay import load
from outplay.arena.notation import HEAD, read_text, write_text
from outplay.arena.record import GameRecord, Step, Verdict
from outplay.arena.store import Effort, GameKey, Store, StoredGame
from outplay.arena.tournament import tournament
from outplay.arena.tournament_file import TournamentFile
from outplay.cli import main
from outplay.errors import OptionError, OutplayError, StoreError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "agents").mkdir()
    for name, text in (("first", FIRST), ("last", LAST)):
        (tmp_path / "agents" / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outplay(*arguments):
    """Run a command; return what it prints, or raise its error."""
    found = CliRunner().invoke(main.app, arguments, catch_exceptions=False)
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.output


WHOLE = """
game = "tic-tac-toe"
agents = ["agents/*.py", { name = "chance", agent = "random" }]
games = 4
seed = 3
openings = ["X...O....", "....X...O"]
trusted = true

[time]
preset = "ladder"
move_seconds = 2
"""


def test_a_file_says_all_of_a_tournament(folder):
    (folder / "class.toml").write_text(WHOLE)
    said = outplay("tournament", "class.toml")
    assert re.search(r"12 of 12 games played", said)
    assert {"first", "last", "chance"} <= set(said.split())
    assert "2 s a move, a bank of 1 s a game" in said
    assert len(played_of(folder / "class.store")) == 12
    assert "12 games are in the store already; 0 are left" in outplay("tournament", "class.toml", "--resume")
    with pytest.raises(StoreError, match="has 12 games already"):
        outplay("tournament", "class.toml")
    with pytest.raises(OptionError, match=r"class.toml names the agents; leave out random"):
        outplay("tournament", "class.toml", "random")


def test_files_are_taken_from_the_folder_of_the_file(folder, monkeypatch):
    (folder / "class.toml").write_text(WHOLE)
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    found = TournamentFile(Path("..") / "class.toml").options
    assert [Path(text).is_file() for text in found["agents"]] == [True, True, False]
    assert found["names"] == [None, None, "chance"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("games = 4", "games = four", r"is not TOML: .*line 4"),
        ("games = 4", 'games = "4"', r"line 4: the key games must be a whole number, and is '4'"),
        ("games = 4", "game_s = 4", r"line 4: the key game_s is not known here; did you mean games\?"),
        ("games = 4", "zebra = 4", r"line 4: the key zebra is not known here; there are game, agents,"),
        ("seed = 3", "seed = 3.5", r"line 5: the key seed must be a whole number"),
        ("trusted = true", "trusted = 1", r"line 7: the key trusted must be true or false, and is 1"),
        ("move_seconds = 2", "move_second = 2", r"line 11: the key time.move_second is not known here; did you mean move_seconds\?"),
        ("move_seconds = 2", "move_seconds = -2", r"line 9, \[time\]: move_seconds=-2 is not a time control"),
        ('preset = "ladder"', 'preset = "blitz"', r"line 10: the key time.preset is 'blitz'; there are contest, ladder"),
        ('"agents/*.py"', '"agents/*.txt"', r"line 3: the key agents has the pattern 'agents/\*.txt', which fits no file"),
        ('"agents/*.py"', "7", r"line 3: the key agents has 7 as its item 1"),
        ('agent = "random"', 'agnt = "random"', r"line 3: the key agents.agnt is not known here; did you mean agent\?"),
        ('game = "tic-tac-toe"', "", r"has no game; write a line such as game = "),
        ("[time]", "[[time]]", r"line 9: the key time is a table"),
        ("games = 4", 'schedule = "cup"', r"line 4: the key schedule is 'cup'; there are round-robin"),
        ('agent = "random"', 'agent = "search:dpth=1"', r"line 3: the key agents is wrong: the agent 'search:dpth=1': 'dpth=1' is not an option"),
        ('"agents/*.py"', '"search:depth=1,seed=3"', r"line 3: the key agents is wrong: 'search:depth=1,seed=3': only a search with samples"),
        ('"agents/*.py"', '"agents/nobody.py"', r"line 3: the key agents is wrong: there is no agent file 'agents/nobody.py'"),
        ('"tic-tac-toe"', '"tick-tack"', r"line 2: the key game is wrong: there is no game 'tick-tack'"),
        ('"X...O....", ', "4, ", r"line 6: the key openings has 4 as its item 1"),
    ],
)  # fmt: skip
def test_a_broken_file_is_told_by_line_and_key(folder, old, new, words):
    assert old in WHOLE
    (folder / "class.toml").write_text(WHOLE.replace(old, new))
    with pytest.raises(OptionError, match=words) as raised:
        outplay("tournament", "class.toml")
    assert "class.toml" in str(raised.value)


def test_a_file_that_is_no_text_or_not_there_is_told(folder):
    (folder / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(OptionError, match="bytes.toml is not a text in UTF-8"):
        TournamentFile("bytes.toml")
    with pytest.raises(OptionError, match="nothing.toml cannot be read: No such file"):
        TournamentFile("nothing.toml")


def test_the_command_line_says_what_it_plays_and_prints_a_table(folder):
    (folder / "agents" / "broken.py").write_text("def choose(state:\n")
    said = outplay(
        "tournament", "tic-tac-toe", "agents/*.py", "random", "--games", "2", "--trusted", "--time", "move=5", "--seed", "1"
    )
    assert "tic-tac-toe: 3 agents, 6 games, 5 s a move" in said
    assert "broken cannot start and plays no game: " in said
    assert said.index("broken cannot start") < said.index("6 of 6 games played")
    (folder / "starts.txt").write_text("# two\nX...O....\n\n....X...O\n")
    found = json.loads(
        outplay("tournament", "tic-tac-toe", "random", "random", "--openings", "starts.txt", "--games", "4", "--seed", "1", "--store", "b.store", "--json").split("\n", 1)[1]
    )  # fmt: skip
    assert found["played"] == 4
    with pytest.raises(OptionError, match="no agents are named"):
        outplay("tournament", "tic-tac-toe")
    with pytest.raises(OptionError, match=r"no file fits 'x\*.py'"):
        outplay("tournament", "tic-tac-toe", "x*.py")
    (folder / "none.txt").write_text("\n")
    with pytest.raises(OptionError, match="has no openings"):
        outplay("tournament", "tic-tac-toe", "random", "random", "--openings", "none.txt")


@pytest.fixture
def store(folder):
    file = folder / "t.store"
    tournament("pig:goal=10", ["random", "random", "random"], names=[None, "=deep", None], games=2, store=file)
    return file


def test_the_store_is_exported_and_read_back(store, folder):
    assert "holds the games" in outplay("export", str(store), "-o", "games.txt")
    text = (folder / "games.txt").read_text()
    assert text.startswith(HEAD)
    assert "6 of 6 games are new" in outplay("import", "games.txt", "again.store")
    assert "0 of 6 games are new" in outplay("import", "games.txt", "again.store")
    with Store(store, readonly=True) as one, Store("again.store", readonly=True) as other:
        assert list(one.records()) == list(other.records())  # times, nodes and values as well
        assert other.problems(load("pig:goal=10")) == []
    assert outplay("standings", "again.store").splitlines()[1:] != []
    named = re.findall(r"^\d+\. (?:player[01]|chance) \S+", text, re.MULTILINE)
    assert any("roll" in line for line in named)


def test_other_formats_hold_every_game(store, folder):
    found = json.loads(outplay("export", str(store), "--format", "json"))
    assert len(found) == 6
    assert {one["first_name"] for one in found} == {"random", "=deep", "random #2"}
    outplay("export", str(store), "-o", "games.csv")
    with open("games.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [one["id"] for one in found]
    assert {row["first"] for row in rows} == {"random", "'=deep", "random #2"}  # no spreadsheet takes it for a formula
    with pytest.raises(OptionError, match="there is no format 'xml'"):
        outplay("export", str(store), "--format", "xml")


def test_a_game_is_replayed_step_by_step(store, folder):
    with Store(store, readonly=True) as opened:
        game, record = next(opened.records())
    said = outplay("replay", str(store), game.id[:8])
    assert f"game {game.id}: " in said
    assert said.count("\n\n") == len(record.choices) + 1
    assert f"finished, score {record.score:g}" in said
    shown = json.loads(outplay("replay", str(store), game.id, "--json"))
    assert len(shown["states"]) == len(record.choices) + 1
    outplay("export", str(store), "-o", "games.txt")
    assert outplay("replay", "games.txt", game.id) == said
    with pytest.raises(OptionError, match="games.txt has 6 games; name one"):
        outplay("replay", "games.txt")
    listed = outplay("replay", str(store)).splitlines()
    assert len(listed) == 6 + 1
    assert sum(line.startswith(f"{game.id[:8]}  ") and " against " in line and ", score " in line for line in listed) == 1
    assert {one["id"] for one in json.loads(outplay("replay", str(store), "--json"))} >= {game.id}
    with pytest.raises(StoreError, match="there is no game 'zz' in .*; outplay replay .* lists its games"):
        outplay("replay", str(store), "zz")
    with pytest.raises(OptionError, match="nothing cannot be read"):
        outplay("replay", "nothing")
    with pytest.raises(OutplayError, match="there is no folder 'nowhere' for games.txt; make it, or name another place"):
        outplay("export", str(store), "-o", "nowhere/games.txt")
    with pytest.raises(OptionError, match="nothing cannot be read: No such file or directory; name a text by outplay export"):
        outplay("import", "nothing", "new.store")
    (folder / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(OptionError, match="binary cannot be read: it is not text in UTF-8; name a text by outplay export"):
        outplay("import", "binary", "new.store")
    with pytest.raises(OptionError, match="the openings in binary cannot be read: it is not text in UTF-8; name a text file"):
        outplay("tournament", "tic-tac-toe", "random", "random", "--openings", "binary")
    with pytest.raises(StoreError, match="is a folder; name the file in it that outplay tournament wrote"):
        outplay("standings", str(folder))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (HEAD, "PGN", "its first line must be"),
        ('[Pair 0]', "[Pair zero]", r"line \d+: .* does not have a JSON value after Pair"),
        ('[Pair 0]', "[Pair 1]", "does not have the name that follows from what it is"),
        ('[Pair 0]\n', "", "has no Pair; a game has"),
        ("player0", "player9", r"line \d+: 'player9' is not chance, player0 or player1"),
        ("1. player0", "one: player0", "is neither .Tag value. nor a move"),
        ('[Verdict "finished"]', '[Verdict "won"]', "cannot be read: 'won' is not a valid Verdict"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_notation_is_told_by_its_line(old, new, words):
    text = _one_game()
    assert old in text
    with pytest.raises(OptionError, match=words):
        list(read_text(text.replace(old, new, 1), "games.txt"))


def test_time_nodes_and_values_survive_the_notation():
    key = GameKey("rules", "x", "y", 7, "0/7", "{}", "s [t]", (3,))
    steps = (Step(0, 4, 0.1 + 0.2, 123, -1 / 3), Step(-1, 2), Step(1, -5, 1e-7, 0, 0.0))
    record = GameRecord(Verdict.CRASH, 1, 1.0, "s [t]", (3,), steps, 'it said: "no\n[Id 5]"')
    stored = StoredGame(key, record.verdict, 1, 1.0, record.detail, (Effort(1, 0.3, 0.3), Effort(1, 0.0, 0.0)))
    ((game, names, found),) = read_text("".join(write_text("toy", [(stored, record)], {"x": 'a "b"'})))
    assert (game, names, found) == ("toy", {"x": 'a "b"', "y": "y"}, (key, record))


def _one_game():
    with Store() as kept:
        tournament("tic-tac-toe", ["random", "random"], games=2, store=kept)
        return "".join(write_text("tic-tac-toe", kept.records(), {}))


def _exported(folder, *agents):
    tournament("tic-tac-toe", ["random", "random", *agents], games=4, seed=1, store=folder / "played.store", trusted=True)
    outplay("export", "played.store", "-o", "games.txt")
    return (folder / "games.txt").read_text()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (r"\[Score 1.0\]", "[Score -1.0]", "its score is 1 by the rules, not -1.0"),
        (r"^(\d+\. player[01]) \S+ \(\d+\)", r"\1 9 (99)", "99 is not a legal move"),
        (r"^\d+\. .*\n\n", "\n", "it is not over by the rules"),
        (r'\[Verdict "finished"\]\n\[Blamed null\]\n\[Score [^]]*\]', '[Verdict "timeout"]\n[Blamed 0]\n[Score 1.0]', "is its worst score"),
        (r"\[Blamed null\]", "[Blamed 1]", "it is finished, and blames a player"),
    ],
)  # fmt: skip
def test_a_game_that_does_not_follow_from_the_rules_is_not_imported(folder, old, new, words):
    text, number = re.subn(old, new, _exported(folder), count=1, flags=re.MULTILINE)
    assert number == 1
    (folder / "forged.txt").write_text(text)
    with pytest.raises(OptionError, match=rf"forged.txt, line \d+: the game \w+ does not follow .*: .*{words}") as raised:
        outplay("import", "forged.txt", "other.store")
    line, name = re.search(r"line (\d+): the game (\w+)", str(raised.value)).groups()
    assert text.splitlines()[int(line) - 1] == f'[Id "{name}"]'
    assert not (folder / "other.store").exists()


def test_games_of_rules_that_are_not_here_are_imported_and_said_to_be_unchecked(folder):
    (folder / "strange.txt").write_text(_exported(folder).replace('[Game "tic-tac-toe"]', '[Game "elsewhere.py"]'))
    said = outplay("import", "strange.txt", "other.store")
    assert "4 of 4 games are new in other.store." in said
    assert "They were not checked by the rules: there is no file 'elsewhere.py'" in said
    tournament("pig", ["random", "random"], games=2, store="pig.store")
    with pytest.raises(StoreError, match=r"is a tournament of pig, and games.txt has games of tic-tac-toe"):
        outplay("import", "games.txt", "pig.store")


def test_agents_that_did_not_start_are_exported_and_imported(folder):
    (folder / "agents" / "broken.py").write_text("def choose(state:\n")
    _exported(folder, "agents/broken.py")
    outplay("import", "games.txt", "other.store")
    one, other = (json.loads(outplay("standings", name, "--json"))["standings"] for name in ("played.store", "other.store"))
    assert one == other
    assert one[-1]["agent"] == "broken"


def test_files_with_endings_that_say_another_format_are_refused(store):
    with pytest.raises(OptionError, match=r"games.pdf ends in .pdf; write .txt, .json or .csv"):
        outplay("export", str(store), "-o", "games.pdf")
    with pytest.raises(OptionError, match=r"'report.txt' is a web page; give it a name that ends in .html"):
        outplay("tournament", "tic-tac-toe", "random", "random", "--report", "report.txt")
