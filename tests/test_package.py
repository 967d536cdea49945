"""What the package promises of itself."""

import inspect
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import psutil
from platformdirs import user_cache_path

import outplay
from outplay.compile.directory import directory
from outplay.solve.progress import free_memory


def test_the_public_names_are_these():
    assert sorted(outplay.__all__) == [
        "Agent",
        "Analysis",
        "CHANCE",
        "Candidate",
        "Choice",
        "Clock",
        "Game",
        "Interrupted",
        "Judgement",
        "Learned",
        "Match",
        "OVER",
        "OutplayError",
        "Playouts",
        "PolicyAgent",
        "Prover",
        "RandomAgent",
        "Report",
        "Result",
        "SearchAgent",
        "Searcher",
        "Solution",
        "SolvedAgent",
        "Stopper",
        "Tournament",
        "Trace",
        "Tree",
        "TreeTrace",
        "analyse",
        "check",
        "compare",
        "facing",
        "grid",
        "judge",
        "learn",
        "load",
        "match",
        "minimax",
        "perft",
        "playouts",
        "search",
        "solve",
        "stop",
        "tournament",
        "trace",
        "tree",
        "tree_of",
        "verify",
    ]
    assert all(hasattr(outplay, name) for name in outplay.__all__)


def test_importing_outplay_imports_neither_numba_nor_numpy():
    code = "import sys, outplay; print(sorted({'numba', 'numpy', 'llvmlite', 'rich', 'typer'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_interpreted_search_does_not_need_numba():
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from outplay import load, search\n"
        "print(search(load('tic-tac-toe'), depth=9, compiled=False).value)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0.0"


def test_the_version_is_written_once():
    root = Path(outplay.__file__).parent.parent.parent
    assert "version" in tomllib.loads((root / "pyproject.toml").read_text())["project"]["dynamic"]
    assert outplay.__version__ == version("outplay")


def test_compiled_code_is_kept_in_the_users_cache_directory_unless_another_is_chosen(monkeypatch, tmp_path):
    monkeypatch.delenv("OUTPLAY_CACHE_DIR", raising=False)
    assert directory() == user_cache_path() / "outplay"
    monkeypatch.setenv("OUTPLAY_CACHE_DIR", str(tmp_path))
    assert directory() == tmp_path


def test_free_memory_is_what_the_system_has_and_no_more_than_the_container_may_use(monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=8_000_000_000))
    files = {"memory.max": "max"}
    monkeypatch.setattr(Path, "read_text", lambda path: files[path.name])
    assert free_memory() == 8_000_000_000
    files |= {"memory.max": "5000000000", "memory.current": "2000000000"}
    assert free_memory() == 3_000_000_000


def test_the_map_of_the_rooms_names_files_that_exist():
    package = Path(outplay.__file__).parent
    text = (package.parent.parent / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"\w+\.py", text.partition("## Where things are")[2].partition("##")[0]))
    assert len(named) > 80
    assert named - {file.name for file in package.rglob("*.py")} == set()


def test_the_map_of_the_rooms_names_every_module():
    package = Path(outplay.__file__).parent
    text = (package.parent.parent / "CONTRIBUTING.md").read_text().partition("## Where things are")[2].partition("##")[0]
    parts = re.split(r"^    (?=\S)", text, flags=re.MULTILINE)[
        1:
    ]  # an entry of four spaces is a room, or modules outside of rooms
    named, modules = Counter(), Counter()
    for part in parts:
        room = part.split()[0]
        named.update((room if room.endswith("/") else "", name) for name in re.findall(r"\w+\.py", part))
    for path in package.rglob("*.py"):
        *rooms, name = path.relative_to(package).parts
        a_game = rooms in (["games"], ["games", "pictures"])  # named by its game
        if name != "__init__.py" and not a_game:
            modules["/".join((*rooms[:1], "")), name] += 1
    assert list((modules - named).elements()) == []


def test_threads_and_tables_have_the_same_names_and_defaults_everywhere():
    takers = (outplay.search, outplay.analyse, outplay.solve, outplay.verify, outplay.playouts, outplay.Searcher, outplay.Prover)
    parameters = [inspect.signature(taker).parameters for taker in (*takers, outplay.SearchAgent)]
    assert {found["threads"].default for found in parameters if "threads" in found} == {1}
    assert {found["table_mb"].default for found in parameters if "table_mb" in found} == {128}


def test_what_only_facing_and_load_set_is_no_argument_of_a_game():
    assert not {"cost", "loaded_as"} & set(inspect.signature(outplay.Game).parameters)
    game = outplay.load("tic-tac-toe")
    assert (game.loaded_as, game.replace(estimate=None).loaded_as) == ("tic-tac-toe", "")
    faced = outplay.facing(game, 1, "random")
    assert faced.replace(estimate=None).cost is faced.cost is not None


def test_every_result_is_plain_data_and_words_and_has_a_view_for_notebooks():
    game = outplay.load("tic-tac-toe")
    late = game.read_state("XOX.O..X.")
    options = {"depth": 9, "compiled": False}
    solution = outplay.solve(game, late, compiled=False)
    results = [
        outplay.search(game, late, **options),
        outplay.analyse(game, late, **options),
        outplay.trace(game, late, depth=9),
        outplay.minimax(game, late, **options),
        outplay.tree_of(game, late),
        outplay.match(game, "random", "random", games=2),
        solution,
        solution[late],
    ]
    for result in results:
        assert json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert result.explain()
        assert hasattr(result, "_repr_html_")
    assert json.dumps(outplay.Choice(3, why="because").to_dict())
