"""What a notebook shows: reports, wide trees, errors."""

import re
from xml.etree import ElementTree

import pytest

from outplay import Interrupted, OutplayError, Report, load, search, trace, tree
from outplay.draw.node import Node
from outplay.draw.notebook import CELL, WHOLE, cell_html, folded
from outplay.errors import LimitError, RuleRaised
from outplay.pictures.notebook import report
from outplay.rules.rule_errors import describe_error


def widths(html):
    """The widths of the drawings in *html*, all of which are well formed."""
    return [float(ElementTree.fromstring(svg).get("width")) for svg in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


def test_a_report_has_a_view():
    good = Report("pig", (), 100, 200, 1.0)
    assert "pig: all is well" in good._repr_html_()
    assert "<li" not in good._repr_html_()
    bad = Report("pig", ("play mutates <board>\nline 3",), 100, 200, 1.0, remarks=("nobody wins",))
    assert "pig: one problem" in bad._repr_html_()
    assert ">play mutates &lt;board&gt;\nline 3</li>" in bad._repr_html_()
    assert ">nobody wins</li>" in bad._repr_html_()
    odd = Report("pig", (), 100, 200, 1.0, remarks=("nobody wins",))._repr_html_()
    assert "pig: no problem found, but see the remark" in odd
    assert "\N{CHECK MARK}" not in odd


def test_a_report_says_what_it_saw():
    html = report(True, "pig: all is well", (), (), ["116 games won by A", "a final <state>"])
    assert "What it saw" in html
    assert ">a final &lt;state&gt;</li>" in html
    assert "Problems" not in html


def test_a_board_in_a_report_is_a_board_and_no_list():
    html = report(True, "toy: all is well", (), (), ["one of them ended so:", "  . O", "  X .", "and more"])
    assert html.count("<li") == 2
    assert re.search(r"ended so:<pre [^>]*>\. O\nX \.</pre></li>", html)


def test_a_trace_of_a_hundred_nodes_fits_the_width_of_a_cell_and_the_whole_can_be_unfolded():
    found = trace(load("tic-tac-toe"), depth=2, only=())
    assert len(found.nodes) == 82
    html = found._repr_html_()
    small, large = widths(html)
    assert widths(found._repr_svg_()) == [small]  # where no HTML is shown
    assert small <= CELL < large
    assert "overflow: auto" in html
    assert "max-width: none" in html
    assert "The whole tree: 82 nodes" in html
    assert "+ 8<" in html  # the answers to a move that is not best
    assert found.svg().count('class="node ') == 82


def test_a_small_trace_and_a_small_tree_are_drawn_as_they_are():
    found = trace(load("nim:heaps=1-2"), depth=2)
    assert (found._repr_svg_(), found._repr_html_()) == (found.svg(), None)
    typed = tree("max(min(3, 12, 8), min(2, 4, 6))")
    assert (typed._repr_svg_(), typed._repr_html_()) == (typed.svg(), None)


def test_a_wide_typed_tree_is_folded_too():
    typed = tree(f"max({', '.join(['min(3, 12, 8, 5, 7)'] * 12)})")
    assert widths(typed._repr_svg_())[0] <= CELL < widths(typed.svg())[0]
    assert "The whole tree: 73 nodes" in typed._repr_html_()


def test_folding_keeps_best_play_and_counts_what_it_hides():
    leaves = tuple(Node("leaf", str(leaf)) for leaf in range(3))
    root = Node(
        "max", children=(Node("min", "a", children=leaves), Node("min", "b", best=True, children=leaves), Node("leaf", "c"))
    )
    small = folded(root, 4)
    assert [(node.label, len(node.children), node.hidden) for node in small.children] == [("a", 0, 3), ("b", 3, 0), ("c", 0, 0)]
    assert folded(root, 10) is root
    assert sum(1 + node.hidden for node in small.walk()) == sum(1 for _ in root.walk())


def test_a_deep_tree_and_a_huge_one_are_folded():
    deep = Node("leaf")
    for _ in range(5000):
        deep = Node("max", children=(deep, Node("leaf")))
    assert folded(deep, 100).hidden == 0
    assert sum(1 + node.hidden for node in folded(deep, 100).walk()) == 10_001
    wide = Node("max", children=tuple(Node("min", children=(Node("leaf"),) * 40) for _ in range(100)))
    assert f"of {1 + 100 * 41:,} nodes" in cell_html(wide)
    assert sum(1 for _ in folded(wide, WHOLE).walk()) <= WHOLE


def test_an_error_shows_the_line_of_the_user_and_the_message_and_none_of_ours():
    with pytest.raises(LimitError) as caught:
        search(load("tic-tac-toe"), depth=-1)
    *places, empty, message = caught.value._render_traceback_()
    assert (empty, message) == ("", f"LimitError: {caught.value}")
    assert len(places) == 1
    assert re.fullmatch(r"line \d+ of test_notebook\.py:  search\(load\(.*\), depth=-1\)", places[0])


def test_an_error_without_a_line_of_the_user_is_its_message():
    assert OutplayError("it is wrong")._render_traceback_() == ["OutplayError: it is wrong"]
    assert RuleRaised("play raised")._render_traceback_() == ["RuleRaised: play raised"]
    assert Interrupted()._render_traceback_()[-1].startswith("Interrupted: search interrupted")


@pytest.mark.parametrize("path", ["/tmp/ipykernel_4711/123456.py", "<ipython-input-3-0123456789ab>"])
def test_a_line_in_a_cell_is_called_so(path):
    scope = {}
    exec(compile("def play(state, move):\n    return state.bord", path, "exec"), scope)
    with pytest.raises(AttributeError) as caught:
        scope["play"](1, 2)
    assert describe_error(caught.value).endswith("(in play, line 2 of the cell)")
    with pytest.raises(RuleRaised) as told:
        exec(compile("raise error", path, "exec"), {"error": RuleRaised("play raised")})
    assert "line 1 of the cell" in told.value._render_traceback_()[-3]
