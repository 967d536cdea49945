"""Trees as SVG, text, DOT and Mermaid: made by hand here, so that nothing has to be searched."""

import itertools
import os
import random
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.draw.boxes import COMPACT, ROOMY, boxes
from outplay.draw.dot import tree_dot
from outplay.draw.files import write
from outplay.draw.layout import tidy
from outplay.draw.mermaid import tree_mermaid
from outplay.draw.node import WHYS, Node
from outplay.draw.places import Places, place
from outplay.draw.svg import tree_svg
from outplay.draw.text import tree_text
from outplay.errors import OptionError, OutplayError

SVG = "{http://www.w3.org/2000/svg}"
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" role="img" aria-label="a board" font-family="serif">'
    '<rect class="board" width="200" height="100" fill="#E9E4D8"/><rect class="hit" data-moves="1"/></svg>'
)


def over(label: str, value: str, **more: object) -> Node:
    return Node("leaf", label, value=value, why="over", **more)  # type: ignore[arg-type]


# The tree of the textbooks: max over three min nodes, alpha-beta from left to right.
FIRST = Node(
    "min", "a1", value="3", window="[-∞, ∞]", best=True, children=(over("b1", "3", best=True), over("b2", "12"), over("b3", "8"))
)
SECOND = Node(
    "min",
    "a2",
    value="≤ 2",
    window="[3, ∞]",
    why="alpha cut",
    children=(over("c1", "2"), Node("leaf", "c2", why="never"), Node("leaf", "c3", why="never")),
)
THIRD = Node("min", "a3", value="2", window="[3, ∞]", children=(over("d1", "14"), over("d2", "5"), over("d3", "2")))
TEXTBOOK = Node("max", value="3", window="[-∞, ∞]", best=True, children=(FIRST, SECOND, THIRD))
DICE = Node(
    "chance",
    value="1/4",
    children=(Node("leaf", "heads", "1/2", "1", why="horizon"), Node("leaf", "tails", "1/2", "-1/2", why="table", note="again")),
)


def random_tree(count: int, seed: int) -> Node:
    dice = random.Random(seed)
    children: list[list[int]] = [[] for _ in range(count)]
    for node in range(1, count):
        children[dice.randrange(max(0, node // 3 - 3), node // 2 + 1 if node > 1 else 1)].append(node)
    made: dict[int, Node] = {}
    for node in range(count - 1, -1, -1):
        below = tuple(made.pop(child) for child in children[node])
        why = dice.choice(["", "beta cut", "searched"]) if below else dice.choice(["over", "horizon", "never", "table"])
        kind = dice.choice(["max", "min", "chance"]) if below else "leaf"
        label = dice.choice(["a", "column 4", "roll"]) if node else ""
        made[node] = Node(kind, label, value=dice.choice(["+1", "≥ 0.25", ""]), window="[-1, 1]", why=why, children=below)
    return made[0]


def chain(length: int) -> Node:
    node = over("end", "0")
    for step in range(length):
        node = Node("max" if step % 2 else "min", f"step {step}", value="0", children=(node, over("off", "1")))
    return node


# Nodes


def test_a_tree_is_walked_parents_first_from_left_to_right():
    assert [node.label for node in TEXTBOOK.walk()] == [
        "",
        "a1",
        "b1",
        "b2",
        "b3",
        "a2",
        "c1",
        "c2",
        "c3",
        "a3",
        "d1",
        "d2",
        "d3",
    ]


def test_pairs_number_the_nodes_as_walk_meets_them():
    assert [parent for _, parent in TEXTBOOK.pairs()] == [-1, 0, 1, 1, 1, 0, 5, 5, 5, 0, 9, 9, 9]
    assert [node for node, _ in TEXTBOOK.pairs()] == list(TEXTBOOK.walk())


# The layout


@st.composite
def shapes(draw: st.DrawFn) -> tuple[list[list[int]], list[float]]:
    """Trees of all shapes: each node hangs beneath one of those just before it, or of all before it."""
    count = draw(st.integers(1, 60))
    reach = draw(st.sampled_from([1, 3, 8, 100]))
    parents = [draw(st.integers(max(0, node - reach), node - 1)) for node in range(1, count)]
    children: list[list[int]] = [[] for _ in range(count)]
    for node, parent in enumerate(parents, 1):
        children[parent].append(node)
    return children, draw(st.lists(st.sampled_from([1.0, 20.0, 30.5, 90.0]), min_size=count, max_size=count))


def levels(children: list[list[int]]) -> list[list[int]]:
    found, level = [], [0]
    while level:
        found.append(level)
        level = [child for node in level for child in children[node]]
    return found


@given(shapes())
def test_no_two_nodes_overlap_and_they_keep_their_order(tree):
    children, widths = tree
    centres = tidy(children, widths, gap=7)
    for level in levels(children):
        for left, right in itertools.pairwise(level):
            assert centres[right] - centres[left] >= (widths[left] + widths[right]) / 2 + 7 - 1e-6


@given(shapes())
def test_a_parent_stands_midway_between_its_first_child_and_its_last(tree):
    children, widths = tree
    centres = tidy(children, widths, gap=7)
    for node, below in enumerate(children):
        if below:
            assert centres[node] == pytest.approx((centres[below[0]] + centres[below[-1]]) / 2, abs=1e-6)


@given(shapes())
def test_the_leftmost_edge_is_at_0(tree):
    children, widths = tree
    centres = tidy(children, widths, gap=7)
    assert min(centre - width / 2 for centre, width in zip(centres, widths, strict=True)) == pytest.approx(0)


def test_equal_subtrees_have_equal_shapes():
    children = [[1, 2, 3], [4, 5], [], [6, 7], [], [], [], []]
    centres = tidy(children, [10] * 8, gap=2)
    assert [centres[child] - centres[1] for child in (4, 5)] == [centres[child] - centres[3] for child in (6, 7)] == [-6, 6]


def test_small_subtrees_between_large_ones_are_spread_evenly():
    # The first and the last child are broad below; two leaves stand between them.
    children = [[1, 2, 3, 4], [5, 6, 7, 8, 9], [], [], [10, 11, 12, 13, 14], *[[] for _ in range(10)]]
    centres = tidy(children, [10] * 15, gap=2)
    assert centres[2] - centres[1] == pytest.approx(centres[3] - centres[2]) == pytest.approx(centres[4] - centres[3])


def test_a_tree_is_no_wider_than_its_parts_need():
    assert tidy([[1, 2], [], []], [40, 10, 30], gap=5) == [20, 7.5, 32.5]


def test_two_thousand_nodes_and_a_deep_tree_are_laid_out():
    for root in (random_tree(2000, seed=1), chain(500)):
        placed = placed_boxes(root, COMPACT)
        check_apart(placed)


# The SVG


def placed_boxes(root: Node, sizes=ROOMY, *, pictures: bool = False) -> Places:
    return place(boxes(root, sizes, windows=True, pictures=pictures), sizes, top=0)


def check_apart(placed: Places) -> None:
    """No two boxes share a place: those of a level stand beside each other, and a level ends before the next begins."""
    last: dict[int, float] = {}
    for box in placed.boxes:
        left = placed.x(box) - box.width / 2
        assert left >= last.get(box.depth, -1.0) - 1e-6
        last[box.depth] = placed.x(box) + box.width / 2
        assert placed.last(box) <= placed.row(box).end
        assert placed.row(box).joint + box.label_height <= placed.shape_top(box)
        if box.parent >= 0:
            assert placed.rows[box.depth - 1].end < placed.row(box).joint


@settings(max_examples=20)
@given(st.integers(1, 150), st.integers(0, 1000), st.sampled_from([ROOMY, COMPACT]))
def test_labels_shapes_and_notes_never_overlap(count, seed, sizes):
    check_apart(placed_boxes(random_tree(count, seed), sizes))


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def nodes_of(svg: str) -> list[ElementTree.Element]:
    return [group for group in parsed(svg).iter(f"{SVG}g") if group.get("class", "").startswith("node")]


def texts(element: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def test_the_svg_has_a_group_for_every_node_with_its_kind_and_why():
    classes = [group.get("class") for group in nodes_of(tree_svg(TEXTBOOK))]
    assert classes[:4] == ["node max best", "node min best", "node min alpha-cut", "node min"]
    assert sorted(classes[4:]) == ["node leaf never"] * 2 + ["node leaf over"] * 6 + ["node leaf over best"]


def test_max_points_up_min_down_chance_is_round_and_a_leaf_square():
    def shape(node: Node) -> ElementTree.Element:
        return next(element for element in nodes_of(tree_svg(node))[0] if element.get("class") == "shape")

    def heights(path: str) -> list[float]:
        apex, corner = re.fullmatch(r"M[\d.]+ ([\d.]+)L[\d.]+ ([\d.]+)H[\d.]+Z", path).groups()
        return [float(apex), float(corner)]

    apex, base = heights(shape(Node("max")).get("d"))
    assert apex < base
    apex, base = heights(shape(Node("min")).get("d"))
    assert apex > base
    assert shape(Node("chance")).tag == f"{SVG}circle"
    assert shape(Node("leaf")).tag == f"{SVG}rect"


def test_a_horizon_is_dashed_and_the_end_of_a_game_filled():
    def shape(why: str) -> dict[str, str]:
        return next(element for element in nodes_of(tree_svg(Node("leaf", why=why)))[0] if element.get("class") == "shape").attrib

    assert "stroke-dasharray" in shape("horizon")
    assert "stroke-dasharray" not in shape("over")
    assert shape("over")["fill"] != shape("horizon")["fill"] == "#FFFFFF"


def test_values_windows_labels_and_probabilities_are_written():
    root, first = nodes_of(tree_svg(TEXTBOOK))[:2]
    assert texts(root) == ["3", "[-∞, ∞]"]
    assert texts(first) == ["3", "a1", "[-∞, ∞]"]
    assert texts(nodes_of(tree_svg(DICE))[1]) == ["1", "1/2", "heads"]
    assert all("[" not in text for group in nodes_of(tree_svg(TEXTBOOK, windows=False)) for text in texts(group))


def test_a_cut_is_named_where_it_happened_and_slashes_every_branch_that_it_cut():
    svg = tree_svg(TEXTBOOK)
    tree, _, legend = svg.partition('<g class="legend"')
    assert tree.count('class="slash"') == 2
    assert legend.count('class="slash"') == 1
    assert texts(nodes_of(svg)[2]) == ["≤ 2", "a2", "[3, ∞]", "α cut"]
    for why, word in (
        ("beta cut", "β cut"),
        ("best cut", "best cut"),
        ("star1 cut", "Star1 cut"),
        ("star2 cut", "Star2 cut"),
        ("table", "table"),
    ):
        assert texts(nodes_of(tree_svg(Node("max", why=why)))[0]) == [word]


def test_a_branch_that_was_not_visited_without_a_cut_has_no_slash():
    stopped = Node("max", why="stopped", children=(over("a", "1"), Node("leaf", "b", why="never")))
    assert 'class="slash"' not in tree_svg(stopped)


def test_the_best_line_is_bold_and_drawn_over_the_others():
    edges = [line for line in tree_svg(TEXTBOOK).splitlines() if line.startswith('<path class="edge')]
    assert len(edges) == 12
    assert ["best" in edge for edge in edges] == [False] * 10 + [True] * 2
    assert ["never" in edge for edge in edges] == [True] * 2 + [False] * 10
    assert all('stroke="#009E73" stroke-width="3.2"' in edge for edge in edges[-2:])


def test_the_legend_explains_what_occurs_and_nothing_else():
    def legend(root: Node) -> list[str]:
        return texts(next(group for group in parsed(tree_svg(root)).iter(f"{SVG}g") if group.get("class") == "legend"))

    assert legend(DICE) == ["chance: the average", "the horizon: an estimate", "table", "found in the table"]
    assert legend(TEXTBOOK) == [
        "max: the largest of its children",
        "min: the smallest",
        "the game is over",
        "best play",
        "cut off: never looked at",
        "[α, β]",
        "window: alpha and beta on entry",
    ]


def test_the_svg_stands_alone_and_says_what_it_is():
    svg = tree_svg(TEXTBOOK, title="A <tree> & more")
    root = parsed(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == "A <tree> & more: a tree of 13 nodes, value 3"
    assert "A <tree> & more" in texts(root)
    assert not re.search(r"<style|<script| style=| id=|href", svg)


def test_what_a_game_calls_its_moves_cannot_break_the_svg():
    nasty = Node("max", value='<"&', children=(Node("leaf", "</svg>\x00\x0b<script>", "&lt;", '"', why="over", note="]]>"),))
    assert any("</svg>" in text for text in texts(nodes_of(tree_svg(nasty))[1]))


def test_the_tooltip_says_all_that_is_known():
    leaf = Node("leaf", "tails", "1/2", "-1", "[0, 1]", "table", note="scout", order=7)
    title = nodes_of(tree_svg(leaf))[0].find(f"{SVG}title")
    assert title is not None
    assert title.text == ("tails, probability 1/2\nleaf -1\nwindow [0, 1]\ntable: found in the table\nscout\nvisited as number 7")


def test_a_wide_value_is_written_beneath_the_shape():
    box = boxes(Node("max", value="≥ -123.4567"), ROOMY, windows=True, pictures=False)[0]
    assert (box.inside, box.notes) == ("", (("value", "≥ -123.4567"),))
    assert box.shape_width == boxes(Node("max"), ROOMY, windows=True, pictures=False)[0].shape_width


def test_a_long_label_is_cut_short_but_whole_in_the_tooltip():
    group = nodes_of(tree_svg(Node("max", children=(over("a very long name of a move, of no use", "1"),))))[1]
    assert "a very long name of a m…" in texts(group)
    assert "of no use" in (group.find(f"{SVG}title").text or "")


def test_pictures_stand_beneath_their_nodes_only_when_asked_for():
    root = Node("max", picture=PICTURE, children=(over("a", "1", picture=PICTURE), over("b", "2")))
    assert len(list(parsed(tree_svg(root)).iter(f"{SVG}svg"))) == 1
    svg = tree_svg(root, pictures=True)
    first = next(parsed(svg).iter(f"{SVG}g")).find(f".//{SVG}svg")
    assert [first.get(name) for name in ("width", "height", "viewBox", "font-family")] == ["96", "48", "0 0 200 100", "serif"]
    assert len(list(parsed(svg).iter(f"{SVG}svg"))) == 3
    assert "data-moves" not in svg
    assert "a board" not in svg
    check_apart(placed_boxes(root, pictures=True))


def test_the_picture_of_a_state_that_was_never_visited_is_pale():
    assert tree_svg(Node("leaf", why="never", picture=PICTURE), pictures=True).count('opacity="0.4"') == 1


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("<svg><rect></svg>", "the picture of a state is not valid SVG: mismatched tag"),
        ("<p/>", "it has no <svg>"),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', 'has no size: give its <svg> a viewBox="0 0 WIDTH HEIGHT"'),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 x 5"/>', "has no size"),
    ],
)
def test_a_picture_that_is_no_svg_is_an_error(picture, message):
    with pytest.raises(OptionError, match=re.escape(message)):
        tree_svg(Node("max", picture=picture), pictures=True)


def test_a_picture_without_a_view_box_is_measured_by_its_width_and_height():
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40px" height="80"/>'
    assert 'width="48" height="96" viewBox="0 0 40 80"' in tree_svg(Node("max", picture=picture), pictures=True)


def test_a_large_tree_is_drawn_whole_and_compact():
    svg = tree_svg(random_tree(2000, seed=3))
    assert len(nodes_of(svg)) == 2000
    small, large = random_tree(200, seed=4), random_tree(201, seed=4)
    assert 'font-size="13"' in tree_svg(small)
    assert 'font-size="13"' not in tree_svg(large)


def test_a_deep_tree_is_drawn_in_every_form():
    root = chain(500)
    assert len(nodes_of(tree_svg(root))) == 1001
    assert len(tree_text(root).splitlines()) == 1001
    assert tree_dot(root).count(" -> ") == 1000
    assert tree_mermaid(root).count(" --- ") + tree_mermaid(root).count(" ---|") == 1000


# The text


def test_a_tree_as_text():
    assert (
        tree_text(TEXTBOOK)
        == """\
▲ 3  [-∞, ∞]
├─* a1: ▼ 3  [-∞, ∞]
│   ├─* b1: ■ 3  over
│   ├── b2: ■ 12  over
│   └── b3: ■ 8  over
├── a2: ▼ ≤ 2  [3, ∞]  alpha cut
│   ├── c1: ■ 2  over
│   ├╌╌ c2: ■  never
│   └╌╌ c3: ■  never
└── a3: ▼ 2  [3, ∞]
    ├── d1: ■ 14  over
    ├── d2: ■ 5  over
    └── d3: ■ 2  over
"""
    )


def test_a_tree_as_plain_text():
    assert (
        tree_text(SECOND, plain=True)
        == """\
a2: min <= 2  [3, inf]  alpha cut
|-- c1: leaf 2  over
|.. c2: leaf  never
`.. c3: leaf  never
"""
    )
    assert tree_text(random_tree(50, seed=5), plain=True).isascii()


def test_probabilities_and_notes_are_in_the_text():
    assert tree_text(DICE).splitlines()[1:] == ["├── heads (1/2): ■ 1  horizon", "└── tails (1/2): ■ -1/2  table  again"]


def test_a_node_that_is_its_own_sibling_is_drawn_twice():
    same = over("a", "1")
    assert tree_text(Node("max", children=(same, same))).splitlines() == ["▲", "├── a: ■ 1  over", "└── a: ■ 1  over"]


def test_windows_may_be_left_out_everywhere():
    for draw in (tree_text, tree_dot, tree_mermaid):
        assert "∞" in draw(TEXTBOOK)
        assert "∞" not in draw(TEXTBOOK, windows=False)


# DOT and Mermaid

NASTY = Node(
    "max",
    value='a"b\\',
    window="[&lt;, #35;]",
    children=(Node("leaf", '1. e4; "q" |x| `y`', value="- 3", why="over"), Node("min", "end --> n0", "1/2", "x\ny", best=True)),
)


def test_dot_has_a_shape_for_every_kind():
    dot = tree_dot(Node("max", children=(Node("min"), Node("chance"), Node("leaf"))))
    assert re.findall(r"shape=(\w+)", dot) == ["triangle", "invtriangle", "circle", "box"]
    assert re.findall(r"n\d -> n\d", dot) == ["n0 -> n1", "n0 -> n2", "n0 -> n3"]


def test_dot_greys_what_was_never_visited_and_thickens_the_best_line():
    lines = tree_dot(TEXTBOOK).splitlines()
    assert '  n0 -> n1 [label="a1", penwidth=3, color="#009E73"];' in lines
    assert '  n5 -> n7 [label="c2", style=dashed, color="#A9A598", fontcolor="#A9A598"];' in lines
    assert any(line.startswith('  n5 [shape=invtriangle, label="≤ 2\\n[3, ∞]\\nalpha cut"') for line in lines)


def test_dot_is_escaped():
    dot = tree_dot(NASTY)
    assert 'label="a\\"b\\\\\\n[&amp;lt;, #35;]"' in dot
    assert 'label="1. e4; \\"q\\" |x| `y`"' in dot
    for line in dot.splitlines():
        assert len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2 == 0


def test_mermaid_has_a_shape_for_every_kind():
    lines = tree_mermaid(Node("max", children=(Node("min", "a"), Node("chance"), Node("leaf", value="3")))).splitlines()
    assert lines[0] == "flowchart TD"
    for line in ('  n0[/"▲"\\]', '  n1[\\"▼"/]', '  n2(("●"))', '  n3["3"]', '  n0 ---|"a"| n1', "  n0 --- n2"):
        assert line in lines


def test_mermaid_has_classes_for_what_was_never_visited_and_the_best_line():
    lines = tree_mermaid(TEXTBOOK).splitlines()
    assert "  class n1 best" in lines
    assert '  n0 ===|"a1"| n1' in lines
    assert '  n5 -.-|"c2"| n7' in lines
    assert "  class n7 never" in lines
    assert {line.split()[1] for line in lines if line.startswith("  classDef")} >= {"best", "never", "max", "min"}


def test_mermaid_is_escaped():
    lines = tree_mermaid(NASTY).splitlines()
    assert '  n0[/"▲ a#34;b#92;<br/>[#38;lt#59;, #35;35#59;]"\\]' in lines
    assert '  n0 ---|"1#46; e4#59; #34;q#34; #124;x#124; #96;y#96;"| n1' in lines
    assert '  n1["#45; 3"]' in lines
    assert '  n2[\\"▼ x<br/>y"/]' in lines


# Files


@pytest.mark.parametrize(
    ("ending", "begins"), [(".svg", "<svg"), (".txt", "▲"), (".dot", "digraph"), (".mmd", "flowchart"), (".SVG", "<svg")]
)
def test_the_ending_of_a_file_says_how_to_draw(tmp_path, ending, begins):
    path = write(TEXTBOOK, tmp_path / f"tree{ending}")
    assert path.read_text(encoding="utf-8").startswith(begins)
    assert list(tmp_path.iterdir()) == [path]


def test_a_form_may_be_said_instead(tmp_path):
    assert write(TEXTBOOK, tmp_path / "tree", form="dot").read_text(encoding="utf-8") == tree_dot(TEXTBOOK)
    with pytest.raises(OptionError, match="'pdf' is not a format of a tree; write svg, text, dot or mermaid"):
        write(TEXTBOOK, tmp_path / "tree", form="pdf")


def test_another_ending_is_an_error_that_says_the_endings(tmp_path):
    with pytest.raises(OptionError, match=r"tree\.png does not say how to draw; end it in \.svg, \.txt, \.dot or \.mmd"):
        write(TEXTBOOK, tmp_path / "tree.png")


def test_a_file_that_cannot_be_written_is_an_error_and_what_was_there_stays(tmp_path):
    with pytest.raises(OutplayError, match="there is no folder .*nowhere.* for tree.svg; make it, or name another place"):
        write(TEXTBOOK, tmp_path / "nowhere" / "tree.svg")
    (tmp_path / "tree.svg").mkdir()
    with pytest.raises(OutplayError, match="could not be written"):
        write(TEXTBOOK, tmp_path / "tree.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["tree.svg"]


def test_a_link_stays_a_link_and_a_pipe_is_written_to(tmp_path):
    (tmp_path / "link.svg").symlink_to(tmp_path / "tree.svg")
    write(TEXTBOOK, tmp_path / "link.svg")
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == tree_svg(TEXTBOOK)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(TEXTBOOK, pipe, form="text")
    assert os.read(reader, 10_000).decode() == tree_text(TEXTBOOK)
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("place", ["file/tree.svg", "a" * 250 + ".svg"])
def test_a_place_where_nothing_can_be_is_an_error(tmp_path, place):
    (tmp_path / "file").write_text("kept")
    with pytest.raises(OutplayError, match="could not be written"):
        write(TEXTBOOK, tmp_path / place)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("draw", [tree_svg, tree_text, tree_dot, tree_mermaid])
def test_what_would_steer_a_terminal_or_is_half_a_letter_is_not_drawn(draw, tmp_path):
    nasty = "\0\x1b[31mred\x9b31m\x7f \ud800"
    text = draw(Node("max", value="1", note=nasty, children=(Node("leaf", nasty, value="1", note=nasty),)))
    assert not set(nasty) & set(text) - set("[31mred ")
    text.encode("utf-8")


def test_a_note_stays_on_its_line():
    assert tree_text(Node("leaf", value="1", note="two\nlines")) == "■ 1  two lines\n"


def test_every_why_can_be_drawn():
    root = Node("max", children=tuple(Node("leaf", why, value="1", why=why) for why in WHYS))
    assert len(nodes_of(tree_svg(root))) == len(WHYS) + 1
    assert all(why in tree_text(root) for why in WHYS if why != "searched")


def test_windows_without_bounds_are_not_worth_drawing():
    plain = Node("max", value="1", window="[-∞, ∞]", children=(over("a", "1"),))
    assert not plain.has_windows()
    assert TEXTBOOK.has_windows()
    for draw in (tree_svg, tree_text, tree_dot, tree_mermaid):
        assert "∞" not in re.sub("<title>.*?</title>", "", draw(plain), flags=re.DOTALL)
