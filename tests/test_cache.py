"""The disk cache: it hits across processes, misses after any change, and survives whatever is done to it."""

import os
import shutil
from pathlib import Path

import pytest
from processes import kernels_in, python

GAME = """
from typing import NamedTuple
from outplay import OVER, Game
from helpers import TAKE, left
import helpers

class State(NamedTuple):
    stones: int
    player: int

def turn(state):
    return OVER if state.stones <= 0 else state.player

def moves(state):
    for take in range(1, TAKE + 1):
        if take <= state.stones:
            yield take

def make(bonus):
    def estimate(state):
        return bonus / helpers.scale(10)
    return estimate

def play(state, move):
    return State(left(state.stones, move), 1 - state.player)

def score(state):
    return 1 if state.player == 1 else -1

game = Game(name="pile", start=State(20, 0), turn=turn, moves=moves, play=play, score=score, estimate=make(1))
"""
HELPERS = """
TAKE = 2
def left(stones, move):
    return stones - move
def scale(number):
    return number * 1
"""
RUN = """
from outplay import minimax
from outplay.search.minimax import plain_value
from outplay.compile.engine import _kernel
found = minimax(game, depth=4)  # the smallest kernel, for it is compiled many times
print(_kernel(plain_value, "value").cache.hits, found.value, found.nodes)
"""
LOADED, IMPORTED = "from outplay import load; game = load('game.py')", "from game import game"


@pytest.fixture
def workshop(tmp_path):
    """A folder with a game in a file."""
    (tmp_path / "game.py").write_text(GAME)
    (tmp_path / "helpers.py").write_text(HELPERS)
    return tmp_path


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """What a process says that compiles the game into an empty cache, and this cache."""
    folder = tmp_path_factory.mktemp("first")
    (folder / "game.py").write_text(GAME)
    (folder / "helpers.py").write_text(HELPERS)
    said = run(folder)
    assert said[0] == "0"
    return said, folder / "cache"


@pytest.fixture
def compiled(workshop, first):
    """The same folder with that cache; what was said."""
    shutil.copytree(first[1], workshop / "cache")
    return first[0]


def run(folder: Path, cache: Path | None = None, got: str = LOADED, run: str = RUN) -> list[str]:
    """Search in a fresh process; return cache hits, value and nodes."""
    environment = {**os.environ, "OUTPLAY_CACHE_DIR": str(cache or folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = python(got + run, cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.split()


def test_the_second_process_hits_and_a_changed_rule_misses(workshop, compiled):
    second = run(workshop)
    assert (compiled[0], second[0]) == ("0", "1")
    assert compiled[1:] == second[1:]
    (workshop / "game.py").write_text(GAME.replace("return 1 if state.player == 1", "return 0.5 if state.player == 1"))
    assert run(workshop)[0] == "0"
    assert run(workshop)[0] == "1"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("helpers.py", "stones - move", "stones - move - 0"),  # a helper in another module
        ("helpers.py", "TAKE = 2", "TAKE = 3"),  # a constant in another module
        ("helpers.py", "number * 1", "number * 2"),  # a helper called through its module
        ("game.py", "make(1)", "make(2)"),  # a closure value
        ("game.py", "stones: int", "stones: float"),  # the type of a field
    ],
)
def test_a_change_anywhere_misses(workshop, compiled, file, old, new):
    text = (workshop / file).read_text()
    assert old in text
    (workshop / file).write_text(text.replace(old, new))
    assert run(workshop)[0] == "0"


SIZES = """
import sys
from outplay import load, minimax
for size in sys.argv[1:]:
    print(minimax(load(f"connect-four:columns={size},rows={size}"), depth=4).nodes)
"""


def test_code_from_disk_is_never_linked_to_another_game_s_rules(tmp_path):
    """Two boards have rules of the same names and types; each process counts its functions anew."""

    def searched(*sizes):
        environment = {**os.environ, "OUTPLAY_CACHE_DIR": str(tmp_path / "cache")}
        return python(SIZES, *sizes, env=environment).stdout.split()

    four = searched("4")
    assert four == ["341"]
    five, four_again = searched("5", "4")
    assert [four_again] == four
    assert searched("4", "5") == [four_again, five]


def test_a_changed_comment_hits(workshop, compiled):
    (workshop / "game.py").write_text("# a comment\n" + GAME)
    assert run(workshop)[0] == "1"


def test_a_damaged_cache_is_compiled_anew(workshop, compiled):
    for file in (workshop / "cache").iterdir():
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    assert run(workshop) == compiled
    for file in (workshop / "cache").iterdir():
        file.write_bytes(b"")
    assert run(workshop) == compiled
    assert run(workshop)[0] == "1"


def test_a_sound_file_under_another_s_name_is_compiled_anew(workshop, compiled):
    (mine,) = kernels_in(workshop / "cache")
    data = mine.read_bytes()
    mine.unlink()
    (workshop / "game.py").write_text(GAME.replace("return 1 if state.player == 1", "return 0.5 if state.player == 1"))
    other = run(workshop)
    (theirs,) = kernels_in(workshop / "cache")
    theirs.write_bytes(data)
    assert run(workshop) == other
    (workshop / "game.py").write_text(GAME)
    assert run(workshop) == compiled


RAISES = """
from outplay import minimax
try:
    minimax(game, depth=4)
except Exception as error:
    print(error)
"""


@pytest.mark.parametrize("order", [(LOADED, IMPORTED), (IMPORTED, LOADED)], ids=["loaded first", "imported first"])
def test_a_file_is_compiled_once_whatever_it_is_called_and_wherever_it_stands(workshop, tmp_path, order):
    raising = "class Bad(ValueError): ...\n\ndef play(state, move):\n    if state.stones < 17:\n        raise Bad('too few')\n"
    (workshop / "game.py").write_text(GAME.replace("def play(state, move):\n", raising))
    other, cache = tmp_path / "other", tmp_path / "cache"
    other.mkdir()
    for name in ("game.py", "helpers.py"):
        (other / name).write_text((workshop / name).read_text())
    first = run(workshop, cache, order[0], RAISES)
    assert "raises Bad: too few" in " ".join(first)
    (file,) = kernels_in(cache)
    data = file.read_bytes()
    for folder, got in ((workshop, order[1]), (other, order[1]), (other, order[0])):
        assert run(folder, cache, got, RAISES) == first
    assert [(path.name, path.read_bytes()) for path in kernels_in(cache)] == [(file.name, data)]  # nothing was compiled


def test_a_cache_that_cannot_be_written_is_survived(workshop):
    (workshop / "file").write_text("no directory")
    assert run(workshop, workshop / "file" / "cache")[0] == "0"
    assert run(workshop, Path("/proc/nowhere"))[0] == "0"


def test_the_oldest_kernels_make_room(tmp_path, monkeypatch):
    from outplay.compile import cache

    monkeypatch.setattr(cache, "KEEP_BYTES", 250)
    for age, name in enumerate(("new", "middle", "old")):
        file = tmp_path / (name + cache.KERNEL)
        file.write_bytes(bytes(100))
        os.utime(file, (1_000_000 - age, 1_000_000 - age))
    cache._make_room(tmp_path)
    assert sorted(file.stem for file in tmp_path.iterdir()) == ["middle", "new"]


def test_verdicts_go_with_the_kernels_that_were_used_as_long_ago(tmp_path, monkeypatch):
    from outplay.compile import cache

    monkeypatch.setattr(cache, "KEEP_BYTES", 150)
    for age, name in enumerate(("new.kernel", "new.checked", "old.kernel", "old.checked", "directory.checked")):
        path = tmp_path / name
        path.mkdir() if name.startswith("directory") else path.write_bytes(bytes(100))
        os.utime(path, (1000 - age, 1000 - age))
    cache._make_room(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["directory.checked", "new.checked", "new.kernel"]


def test_a_game_can_be_copied_and_pickled_after_a_search():
    import copy
    import pickle

    from toy_games import pile

    from outplay import search

    game = pile()
    search(game, depth=3)
    assert search(copy.deepcopy(game), depth=3).nodes == search(pickle.loads(pickle.dumps(game)), depth=3).nodes


def test_a_builtin_shadowed_later_and_a_helper_of_the_user_s_own_making_are_noticed():
    import numba
    from toy_games import pile

    from outplay import minimax

    scope = {"njit": numba.njit}
    exec("def score(state):\n    return max(1.0, 0.5) if state.player == 1 else -1.0\n", scope)
    game = pile(score=scope["score"])
    assert minimax(game, depth=5).value == 1.0
    exec("def max(one, other):\n    return 0.25\n", scope)
    assert minimax(game, depth=5).value == 0.25
    for worth in (0.5, 0.75):
        exec(
            f"@njit\ndef worth():\n    return {worth}\ndef score(state):\n    return worth() if state.player == 1 else -worth()\n",
            scope,
        )
        assert minimax(pile(score=scope["score"]), depth=5).value == worth


def test_a_constant_changed_in_this_process_is_noticed():
    """At a prompt or in a notebook, a global that a rule uses may be set anew at any time."""
    from toy_games import pile

    from outplay import minimax

    scope = {}
    exec("WORTH = 1.0\ndef score(state):\n    return WORTH if state.player == 1 else -WORTH\n", scope)
    game = pile(score=scope["score"])
    assert minimax(game, depth=5).value == 1.0
    scope["WORTH"] = 0.25
    assert minimax(game, depth=5).value == 0.25
