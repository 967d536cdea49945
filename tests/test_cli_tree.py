"""`outplay tree`: searched trees and typed ones, to the terminal and into files."""

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from outplay.cli.tree import tree
from outplay.errors import OptionError, OutplayError, TreeError, UnknownGame

LATE = "XO.XO.O.X"  # of tic-tac-toe: three squares are free
TEXTBOOK = "max(min(3, 12, 8), min(2, 4, 6), min(14, 5, 2))"


def run(name, state="", *, encoding="utf-8", **options):
    """Return what the command prints to the terminal and what it says aside."""
    out, aside = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n") for _ in range(2))
    tree(Console(file=out, highlight=False, width=40), Console(file=aside, highlight=False, width=40), name, state, **options)
    texts = []
    for file in (out, aside):
        file.flush()
        texts.append(file.buffer.getvalue().decode(encoding))
    return tuple(texts)


def test_a_searched_tree_is_printed_with_its_cuts_and_figures():
    assert run("tic-tac-toe", LATE, only=("pruning",), depth=9) == (
        """\
▲ -1  [-∞, ∞]
├─* 3: ▼ -1  [-∞, ∞]
│   ├── 6: ▲ 0  [-∞, ∞]
│   │   └── 8: ■ 0  over
│   └─* 8: ■ -1  over
├── 6: ▼ ≤ -1  [-1, ∞]  alpha cut
│   ├── 3: ■ -1  over
│   └╌╌ 8: ■  never
└── 8: ▼ ≤ -1  [-1, ∞]  alpha cut
    ├── 3: ■ -1  over
    └╌╌ 6: ▲  never

Best: 3, worth -1 to X.
9 nodes visited, 2 branches cut off; 2 alpha cuts.
""",
        "",
    )


def test_plain_minimax_visits_every_node_and_needs_no_windows():
    printed, _ = run("tic-tac-toe", LATE, only=(), depth=9)
    assert "12 nodes visited, 0 branches cut off; no cuts.\n" in printed
    assert "∞" not in printed


def test_three_moves_are_looked_ahead_if_nothing_is_said():
    printed, _ = run("tic-tac-toe", only=("pruning",))
    assert max(line.count("    ") + line.count("│   ") for line in printed.splitlines()) == 2


def test_a_tree_without_an_estimate_or_an_end_is_undecided():
    printed, _ = run("nim", depth=1)
    assert "undecided so far.\nNo decisive line was searched to its end, and the game has no estimate" in printed
    assert "worth 0" not in printed


def test_a_tree_that_was_cut_short_says_so():
    printed, _ = run("tic-tac-toe", nodes=100)
    assert "100 nodes visited, " in printed
    assert "times, deeper each time; the drawing shows the last time, 3 moves deep.\n" in printed
    assert "The window in brackets at its root is narrow, because the search expects a value near the last one; " in printed
    assert printed.endswith("The tree is incomplete: the search ended after 100 nodes. Allow more nodes, or a smaller depth.\n")


def test_chance_and_a_modelled_opponent():
    printed, _ = run("coin-tic-tac-toe", "....h", only=(), depth=9)
    assert "67 nodes visited, 0 branches cut off; no cuts.\n" in printed
    assert "●" in run("tic-tac-toe", LATE, opponent="random", depth=9)[0]


def test_an_opponent_that_is_not_known_is_refused():
    with pytest.raises(OptionError, match="tic-tac-toe has no opponent 'mine'; it has best, random, and FILE.py:function"):
        run("tic-tac-toe", LATE, opponent="mine", depth=1)


def test_a_position_is_come_to_by_moves():
    assert run("tic-tac-toe", moves="1 2 4, 5, 9 7", depth=9) == run("tic-tac-toe", LATE, depth=9)
    with pytest.raises(OptionError, match="an explicit tree is searched from its root; leave out '--moves'"):
        run(TEXTBOOK, moves="1")


@pytest.mark.parametrize(("ending", "begins"), [("svg", "<svg"), ("txt", "▲"), ("dot", "digraph"), ("mmd", "flowchart")])
def test_a_file_is_written_as_its_ending_says(tmp_path, ending, begins):
    path = tmp_path / f"late.{ending}"
    printed, _ = run("tic-tac-toe", LATE, depth=9, only=("pruning",), file=path)
    assert printed == f"The tree is in {path}.\nBest: 3, worth -1 to X.\n9 nodes visited, 2 branches cut off; 2 alpha cuts.\n"
    assert path.read_text(encoding="utf-8").startswith(begins)


def test_a_wrong_ending_is_told_before_anything_is_searched(tmp_path):
    with pytest.raises(OptionError, match=r"end it in \.svg, \.txt, \.dot or \.mmd"):
        run("no such game", file=tmp_path / "tree.png")
    with pytest.raises(OptionError, match="'png' is not a format of a tree"):
        run("no such game", form="png")


def test_a_small_tree_has_pictures_unless_they_are_declined(tmp_path):
    def pictures(**options):
        run("tic-tac-toe", LATE, depth=9, file=tmp_path / "late.svg", **options)
        root = ElementTree.fromstring((tmp_path / "late.svg").read_text(encoding="utf-8"))
        return len(list(root.iter("{http://www.w3.org/2000/svg}svg"))) - 1

    assert pictures(only=("pruning",)) == 11
    assert pictures(only=("pruning",), pictures=False) == 0


def test_a_large_tree_has_pictures_only_when_they_are_asked_for(tmp_path):
    run("tic-tac-toe", only=(), depth=2, file=tmp_path / "start.svg")
    assert (tmp_path / "start.svg").read_text(encoding="utf-8").count("<svg") == 1
    run("tic-tac-toe", only=(), depth=2, file=tmp_path / "start.svg", pictures=True)
    assert (tmp_path / "start.svg").read_text(encoding="utf-8").count("<svg") == 1 + 1 + 9 + 72


def test_a_format_for_another_program_is_printed_alone():
    printed, aside = run("tic-tac-toe", LATE, depth=9, only=("pruning",), form="dot", windows=False)
    assert printed.startswith("digraph tree {\n")
    assert printed.endswith("}\n")
    assert "∞" not in printed
    assert aside == "Best: 3, worth -1 to X.\n9 nodes visited, 2 branches cut off; 2 alpha cuts.\n"


def test_a_terminal_without_such_letters_gets_plain_ones():
    printed, _ = run("tic-tac-toe", LATE, depth=9, only=("pruning",), encoding="ascii")
    assert printed.startswith("max -1  [-inf, inf]\n|-* 3: min -1  [-inf, inf]\n")


def test_a_typed_tree_is_solved_step_by_step():
    printed, _ = run(TEXTBOOK)
    assert printed.startswith("A: ▲ 3\n├─* B: ▼ 3\n│   ├─* ■ 3\n")
    assert "C = min(2, 4, 6) = 2\n" in printed


@pytest.mark.parametrize("text", ["MAX (min 3 12) (min 2 4)", "[[3, 12], [2, 4]]", "(max (min 3 12) (min 2 4))"])
def test_a_tree_is_known_from_a_game_by_its_look(text):
    assert "▼ 3\n" in run(text)[0]


def test_a_typed_tree_is_searched_when_something_is_said_of_the_search():
    printed, _ = run(TEXTBOOK, only=("pruning",))
    assert "├── C: ▼ ≤ 2  [3, ∞]  alpha cut\n" in printed
    assert printed.endswith("11 nodes visited, 2 branches cut off; 1 alpha cut.\n")


def test_a_tree_may_be_in_a_file(tmp_path):
    (tmp_path / "sheet 4.tree").write_text(TEXTBOOK, encoding="utf-8")
    drawing = tmp_path / "sheet.svg"
    printed, _ = run(str(tmp_path / "sheet 4.tree"), file=drawing)
    assert printed.startswith(f"The tree is in {drawing}.\nB = min(3, 12, 8) = 3\n")
    assert 'aria-label="sheet 4: a tree of 13 nodes, value 3"' in drawing.read_text(encoding="utf-8")


def test_what_is_wrong_with_a_tree_or_its_file_is_said(tmp_path):
    with pytest.raises(TreeError, match="never closed"):
        run("max(min(3,")
    with pytest.raises(OptionError, match=r"could not be read: No such file or directory; a tree may also be typed: 'max\("):
        run(str(tmp_path / "nothing.tree"))
    (tmp_path / "bytes.txt").write_bytes(b"max(\xff)")
    with pytest.raises(OptionError, match=r"bytes\.txt is not a text file: invalid start byte at byte 4; save it as UTF-8"):
        run(str(tmp_path / "bytes.txt"))
    with pytest.raises(OptionError, match="an explicit tree is searched from its root; leave out '44'"):
        run(TEXTBOOK, "44")


def test_other_mistakes_are_errors_of_ours():
    with pytest.raises(UnknownGame, match="there is no game 'maxi'"):
        run("maxi")
    with pytest.raises(UnknownGame):
        run(str(Path("my games (old)") / "max.py"))
    for options in ({"only": ("magic",)}, {"without": ("magic",)}, {"depth": 0}, {"nodes": -1}):
        with pytest.raises(OutplayError):
            run("tic-tac-toe", **options)


@pytest.mark.parametrize(("form", "letter"), [("svg", "&#21517;"), ("dot", "&#21517;"), ("mermaid", "#21517;"), ("text", "?")])
def test_a_pipe_without_such_letters_gets_their_numbers(form, letter):
    printed, aside = run('max("名" -> 1/2, chance(1/3, 1))', form=form, encoding="ascii")
    assert letter in printed
    assert "1/2*(1/3) + 1/2*1" in printed + aside
    if form == "svg":
        assert any(element.text == "名" for element in ElementTree.fromstring(printed).iter())


@pytest.mark.parametrize(("name", "options"), [("seed-001", {}), ("textbook", {"only": ("pruning",)})])
def test_the_pictures_in_the_docs_are_drawn_as_now(tmp_path, name, options):
    root = Path(__file__).parent.parent
    source = root / "src" / "outplay" / "trees" / "examples" / f"{name}.tree"
    run(str(source), file=tmp_path / "now.svg", **options)
    kept = root / "docs" / "pictures" / f"{name}.svg"
    assert kept.read_text() == (tmp_path / "now.svg").read_text(), f"draw it anew: outplay tree {source.name} -o {kept.name}"
