"""What the package promises of itself."""

import subprocess
import sys

import outplay


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
        "Match",
        "OVER",
        "OutplayError",
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
        "Trace",
        "Tree",
        "analyse",
        "check",
        "facing",
        "grid",
        "load",
        "match",
        "minimax",
        "perft",
        "search",
        "solve",
        "stop",
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
