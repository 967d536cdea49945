"""Game trees typed in as text: the format, its errors, exact values, steps, and the tree as a game."""

import doctest
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay import CHANCE, OVER, Game, check, facing, load, minimax, search
from outplay.errors import LimitError, OptionError, OutplayError, RuleError, RuleRaised, TooLarge, TreeError
from outplay.search.trace import trace
from outplay.trees.examples import examples
from outplay.trees.tree import tree
from outplay.trees.unfold import simplest, tree_of

TEXTBOOK = "max(min(3, 12, 8), min(2, 4, 6), min(14, 5, 2))"
HALF = Fraction(1, 2)


# One tree, many texts


@pytest.mark.parametrize(
    "text",
    [
        "(max (min 3 12 8) (min 2 4 6) (min 14 5 2))",
        "max (min 3 12 8) (min 2 4 6) (min 14 5 2)",
        "max (min (3, 12, 8), min (2, 4, 6), min (14, 5, 2))",
        "[max, [min, 3, 12, 8], [min, 2, 4, 6], [min, 14, 5, 2]]",
        "[[3,12,8],[2,4,6],[14,5,2]]",
        "((3 12 8) (2 4 6) (14 5 2))",
        "MAX(Min(3 12 8) min[2; 4; 6] (min 14 5 2))",
        "(max min(3, 12, 8) min(2, 4, 6) min(14, 5, 2))",
        "max: min(3, 12, 8), min(2, 4, 6), min(14, 5, 2)",
        "△(▽(3, 12, 8) ▽(2, 4, 6) ▽(14, 5, 2))",
        "((max((min(3, 12, 8)), ((min 2 4 6)), min((14), 5, +2))))",
        "max(  # a comment with max( in it\n  min(3, 12, 8),\n  min(2, 4, 6),\n  min(14, 5, 2),\n)\n# the end",
        "max\n  min\n    3\n    12\n    8\n  min\n    2, 4, 6\n  min 14 5 2\n",
        "\n\n  max\n      min 3 12 8\n\n      # between\n      min 2 4\n           6\n      min(14, 5, 2)",
        "max:\n\tmin: 3, 12, 8\n\tmin:\n\t\t2 4\n\t\t6\n\t(min 14 5 2)",
        "\ufeffmax(min(3, 12, 8),\r\n min(2, 4, 6),\r\n min(14, 5, 2))\r\n",
        "max(min(3.0, 24/2, 8), min(4/2, 4, 6), min(14, 5, 2.00))",
    ],
)
def test_one_tree_may_be_written_in_many_ways(text):
    assert tree(text) == tree(TEXTBOOK)
    assert str(tree(text)) == TEXTBOOK


@pytest.mark.parametrize(
    "text",
    [
        "chance 1/2: 3, 1/2: -1",
        "chance(1/2: 3 1/2: -1)",
        "chance(0.5 3, 0.5 -1)",
        "chance 1/2 1/2 (3, -1)",
        "(chance 1/2 1/2 (3 -1))",
        "chance(1/2, 1/2, [3, -1])",
        "chance(50% 3 50% -1)",
        "chance 50%: 3, 50%: -1",
        "chance(3, -1)",
        "(chance 3 -1)",
        "chance(0.5: 3, -1 )".replace(", -1", ", 1/2: -1"),
        "[chance, [0.5, 3], [0.5, -1]]",
        "(chance (1/2: 3) (1/2: -1))",
        "chance\n  1/2: 3\n  1/2: -1",
        "chance\n  0.5 3\n  0.5 -1",
        "chance 1/2: 3,\n       1/2: -1",
        "exp(.5: +3; 50%: \u22121)",
        "○[1\u20442: 3, 1/2: -1]",
        "expect 3 -1",
        "Random(3, -1)",
    ],
)
def test_chances_may_be_written_in_many_ways(text):
    assert tree(text) == tree("chance(1/2: 3, 1/2: -1)")
    assert tree(text).value == 1


def test_chances_stand_before_nodes_too():
    wanted = tree("chance(1/3: min(3, 4), 2/3: max(1, 2))")
    assert tree("(chance 1/3 (min 3 4) 2/3 (max 1 2))") == wanted
    assert tree("chance(1/3 min(3, 4), 2/3 max(1, 2))") == wanted
    assert tree("chance 1/3 2/3 (min(3, 4), max(1, 2))") == wanted
    assert tree("[chance, [1/3, [min, 3, 4]], [2/3, [max, 1, 2]]]") == wanted
    assert tree("chance\n  1/3 min 3 4\n  2/3: max\n    1\n    2") == wanted
    assert wanted.value == Fraction(7, 3)


def test_names_and_labels_come_in_any_order():
    wanted = tree('chance(1/4: "top left" -> B = min(3, 4), 3/4: tails -> 5)')
    assert tree('chance("top left" -> B = 1/4: min(3, 4), tails -> 3/4: 5)') == wanted
    assert tree("chance(B: 'top left' -> 25%: (min 3 4), 'tails': 75% 5)") == wanted
    assert tree("chance(1/4: (“top left” -> (B = min 3 4)), 3/4: (tails → 5))") == wanted
    assert [(child.name, child.label, child.probability) for child in wanted.root.children] == [
        ("B", "top left", Fraction(1, 4)),
        ("", "tails", Fraction(3, 4)),
    ]


def test_a_word_of_a_kind_may_be_a_label_and_a_number_may():
    assert tree("max(min -> 3, 4 -> 5)").root.choices == ("min", "4")
    assert tree("[random -> 3, 4]") == tree("max(random -> 3, 4)")


def test_lists_without_words_take_turns():
    assert tree("[[[1, 2], [3]], [4]]") == tree("max(min(max(1, 2), max(3)), min(4))")
    assert tree("[[3, 12], [2, 4]]", first="min") == tree("min(max(3, 12), max(2, 4))")
    assert tree(str([[3, 12], [2, 4]])).value == 3


def test_names_of_inner_nodes_are_letters_level_by_level_and_skip_those_taken():
    solved = tree("max(min(max(1)), B = min(2), min(max(3)))")
    assert [node.name for node in solved.nodes if node.children] == ["A", "C", "B", "D", "E", "F"]
    wide = tree(f"max({' '.join(['min(1)'] * 30)})")
    assert [node.name for node in wide.nodes if node.children][25:28] == ["Z", "AA", "AB"]


def test_numbers_are_exact():
    assert tree("chance(0.1, 0.2, 0.3)").value == Fraction(1, 5)
    assert tree("-1/2").value == -HALF
    assert tree(".25").value == Fraction(1, 4)


def test_examples_in_the_documentation_are_read_and_run():
    text = (Path(__file__).parent.parent / "docs" / "trees.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```tree\n(.*?)```", text, re.DOTALL)
    trees = [tree(block) for block in blocks]
    assert len(trees) == 12
    assert len({str(found) for found in trees}) == 3  # each of the first two is written in many ways
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", text, re.DOTALL)).replace(
        "from outplay import", "from outplay.trees.tree import"
    )
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(code, {}, "trees.md", None, 0))
    assert runner.failures == 0


# Errors


def said(text, **options):
    with pytest.raises(TreeError) as caught:
        tree(text, **options)
    return str(caught.value)


def test_an_error_shows_the_line_the_place_and_the_remedy():
    assert said("max(min(3, 12),\n    mim(2, 4))") == (
        "line 2, column 5: 'mim' is not a kind of node; did you mean min? There are max, min and chance\n        mim(2, 4))\n        ^"
    )
    with pytest.raises(TreeError) as caught:
        tree("max(min(3, 12),\n    mim(2, 4))")
    assert (caught.value.line, caught.value.column) == (2, 5)
    assert isinstance(caught.value, OutplayError)
    assert isinstance(caught.value, ValueError)


def test_probabilities_that_do_not_add_up_show_their_sum():
    assert said("max(3, chance(1/2: 3, 1/3: -1))") == (
        "line 1, column 8: the probabilities of this chance node add up to 5/6, not to 1: 1/2 + 1/3\n"
        "    max(3, chance(1/2: 3, 1/3: -1))\n"
        "           ^"
    )
    assert "add up to 99/100, not to 1" in said("chance(0.33: 1, 0.33: 2, 0.33: 3)")
    assert "0.33 is not 1/3: write fractions" in said("chance(0.33: 1, 0.33: 2, 0.33: 3)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no tree in this text; write one"),
        (",", "there is no tree in this text; write one"),
        (" # nothing\n", "there is no tree in this text; write one"),
        ("max(3, 4", "column 4: this '(' is never closed; add ) behind its children"),
        ("max(3, 4))", "column 10: this ')' closes no bracket; take it out"),
        ("max(3, 4]", "column 9: ']' closes the '(' of line 1; close a bracket by one of its own kind"),
        ("max()", "a max node without children"),
        ("max", "max has no children; write them behind it: max(3, 12, 8)"),
        ("[]", "a max node without children"),
        ("max(3, ())", "an empty bracket"),
        ("3 4", "column 3: a second node follows the first"),
        ("max(3), min(4)", "column 9: a second node follows the first"),
        ("(max(min 3 12 8)(min 2 4 6))", "column 1: this bracket holds several nodes, and no word before it"),
        ("max((3, 4), 5)", "column 5: this bracket holds several nodes, and no word before it"),
        ("max(3,, 4)", "column 7: nothing stands before this comma"),
        ("max(, 4)", "column 5: nothing stands before this comma"),
        ("max(left -> , 4)", "column 5: no node follows"),
        ("A =", "column 1: no node follows"),
        ("max(top left -> 3, 4)", "'top' stands alone; a label of several words is put in quotes: \"top left\" -> 3"),
        ("max(x, 4)", "'x' is neither a number nor a kind of node; expected a number, max, min or chance; a name is written x = …"),
        ('max("left", 4)', "'\"left\"' stands alone; a label is followed by an arrow and its node"),
        ('max("left -> 4)', "column 5: this quote is not closed on its line"),
        ('max("" -> 4)', "an empty label"),
        ("max = 3", "'max' says what kind of node comes; as a name take another word"),
        ("max(: 3)", "a colon without a name, a label or a probability before it"),
        ("max(= 3)", "an equals sign without a name before it"),
        ("max(-> 3)", "an arrow without a label before it"),
        ("max(A = B = 3)", "a second name of one node"),
        ("max(A = (B = 3))", "a second name of one node, once before its bracket and once inside"),
        ("max(A = 3, A = 4)", "column 12: two nodes are named A; give one another name, or write A -> …"),
        ("max(A = 3,\nA = 4)", "two nodes are named A (the other is in line 1)"),
        ("max(a -> 3, a -> 4)", "two children of one node are labelled 'a'"),
        ("max(1/2: 3, 1/2: 4)", "a probability beneath a max node, where a player chooses"),
        ("1/2: max(3, 4)", "a probability at the root"),
        ("chance(3: 1, 2: 4)", "a probability is above 0 and at most 1, and this is 3"),
        ("chance(0: 1, 1: 4)", "a probability is above 0 and at most 1, and this is 0"),
        ("chance(1/2: 3, 4)", "column 16: no probability for this child, though others have one"),
        ("chance(1/2 3, 4)", "some of these children have a number before them and some have not"),
        ("chance(2 3, 4 5)", "2 stands where a probability is expected"),
        ("chance 1/2 1/2 (1/2: 3, 1/2: 4)", "two probabilities for one child"),
        ("chance 1/2 1/4 1/4 (3, -1)", "3 probabilities stand before 2 children"),
        ("(chance 1/2 3 1/2 -1)", "these could be children that are equally likely, or some of these numbers the probabilities"),
        ("chance(0.5, 3, 0.5, -1)", "write 1/2: with a colon before its child if it is a probability, else 1/4: before each child"),
        ("chance 1/2 1/2 3 -1", "these could be children that are equally likely, or some of these numbers the probabilities"),
        ("chance(1/3, 1/3, 1/3, 5, 6, min(7, 8))", "else 1/6: before each child"),
        ("max(min 3 4, min 5 6)", "column 5: it is not clear where the children of this min end; put them in a bracket"),
        ("max(3, min 4 5)", "column 8: it is not clear where the children of this min end"),
        ("max(min (max 1 2), 7)", "column 5: this min can be read in two ways"),
        ("max(min (3), 7)", "column 5: this min can be read in two ways"),
        ("[min (max 3 4), min (2, 5)]", "column 2: this min can be read in two ways"),
        ("max(1e5, 2)", "'1e5' is not a number; a number is written 3, -1/2 or 0.25"),
        ("max(3-1, 2)", "'3-1' is not a number"),
        ("max(1.5/2)", "'1.5/2' is not a number"),
        ("max(- 3)", "'-' stands alone; write a sign right before its number"),
        ("max(1 / 2)", "'/' stands alone; write a fraction as 1/2"),
        ("max(1/0)", "'1/0' divides by 0"),
        ("max(1,000, 2)", "000 begins with a needless 0; for a thousand write 1000 without a comma"),
        ("max{3, 4}", "'{' has no meaning here; children stand in ( ) or [ ]"),
        ("max(3 * 4)", "'*' has no meaning in a tree"),
        ("max(3 ½)", "'½' is neither a number nor a kind of node"),
        ("max(3 ≤)", "'≤' (less-than or equal to) has no meaning in a tree"),
        ("max\n  min 3 4\n min 5 6", "line 3, column 2: this line is indented like no line above it"),
        ("max\n\tmin 3 4\n        min 5 6", "tabs and spaces are mixed here"),
        ("max\n  3\nmin\n  4", "line 3, column 1: a second tree begins here"),
        ("[3, 4]\n[5, 6]", "indent this line, or put all into one bracket"),
        ("max\n  3\n    4", "line 2, column 3: lines are indented beneath this one, but it does not say what kind of node it is"),
        ("max\n  min(3, 4)\n    5", "line 2, column 6: the children stand in this bracket, and more are indented beneath"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(text, message):
    assert message in said(text)


def test_a_long_line_is_quoted_around_the_place():
    message, quoted, caret = said(f"max({'3, ' * 500}oops, {'4, ' * 500})").splitlines()
    assert message.startswith("line 1, column 1505: 'oops' is neither a number nor a kind of node")
    assert len(quoted) <= 104
    assert quoted.startswith("    …")
    assert quoted.endswith("…")
    assert quoted[caret.index("^") :].startswith("oops")


def test_options_and_other_things_than_text_are_refused():
    with pytest.raises(OptionError, match="first='chance' must be 'max' or 'min'"):
        tree("[3, 4]", first="chance")
    with pytest.raises(
        TreeError, match=re.escape("a tree is typed as text, and this is a list; for lists write tree(str(lists))")
    ):
        tree([3, 4])


# Hostile texts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max(" * 501 + "1" + ")" * 501, "brackets are nested deeper than 500"),
        ("(" * 60_000, "brackets are nested deeper than 500"),
        ("\n".join(" " * level + "max" for level in range(440)), "max has no children"),
        (
            "\n".join(" " * level + "max" for level in range(400)) + "(" + "max(" * 150 + "1" + ")" * 151,
            "the tree is deeper than 500",
        ),
        ("max(" + "1," * 20_000 + ")", "the tree has more than 20,000 nodes"),
        ("max(" + "1," * 50_000 + ")", "the text has 100,005 characters, and a tree may have 100,000"),
        ("max(" + "9" * 51 + ")", "a number may have 50 digits"),
        ("max(0." + "1" * 51 + ")", "a number may have 50 digits"),
        ("max(0." + "1" * 50 + ")", "as a fraction this number has more than 50 digits"),
        ("1/" + "9" * 90_000, "a number may have 50 digits"),
        ("a" * 90_000, "a name or label may have 100 letters, and this one has 90,000"),
        ("__import__(3)", "'__import__' is neither a number nor a kind of node"),
        ("max(0,5; 3)", "'0,5' may be one number or two; write 0.5, or a space behind the comma"),
        ("max(\x00)", "has no meaning in a tree"),
        ("max(\u202e3)", "(right-to-left override) has no meaning in a tree"),
        ("max(\ud800)", "has no meaning in a tree"),
        ("max(٣)", "has no meaning in a tree"),
    ],
    ids=range(17),
)
def test_hostile_texts_are_refused(text, message):
    assert message in said(text)


def test_an_exact_value_that_grows_without_end_is_refused():
    primes = [number for number in range(1_000, 6_000) if all(number % factor for factor in range(2, 78))]
    text = "1"
    for prime in primes[:450]:
        text = f"chance(1/{prime}: {text}, {prime - 1}/{prime}: 0)"
    assert "has more than 450 digits; take probabilities with smaller denominators" in said(text)


def test_the_deepest_and_the_widest_tree_are_solved():
    deep = tree("max(min(" * 250 + "1" + "))" * 250)
    assert (deep.value, deep.depth, len(deep.nodes)) == (1, 500, 501)
    assert tree(str(deep)) == deep
    assert hash(deep) == hash(tree(str(deep)))
    assert len(deep.steps()) == 500
    wide = tree("max(" + "1 " * 19_999 + ")")
    assert len(wide.best) == 19_999
    assert wide.best[0] == "1 [1]"
    assert tree(str(wide)) == wide


@settings(max_examples=300)
@given(st.lists(st.sampled_from(["max", "min", "chance", "(", ")", "[", "]", ",", " ", "\n  ", "\n", "3", "-1", "1/2", "0.5", "50%", ":", "=", "->", "A", "left", '"b c"', "#"]), max_size=25))  # fmt: skip
def test_any_text_is_a_tree_or_an_error_that_says_where(pieces):
    text = "".join(pieces)
    try:
        found = tree(text)
    except TreeError as error:
        message = str(error)
    else:
        message = "line ^"
        assert tree(str(found)) == found
    assert message.startswith("line ")
    assert message.endswith("^")


STYLES = {
    "call": "{kind}({comma})",
    "brackets": "{kind}[{space}]",
    "lisp": "({kind} {space})",
    "list": "[{kind}, {comma}]",
    "loose": "{kind} ({comma})",
}


def restyled(node, style):
    """The text of a node in another style."""
    if not node.children:
        return str(node.value)
    before = ["" if child.probability is None else f"{child.probability}: " for child in node.children]
    children = [text + restyled(child, style) for text, child in zip(before, node.children, strict=True)]
    return STYLES[style].format(kind=node.kind, comma=", ".join(children), space=" ".join(children))


def outlined(node, indent="", before=""):
    """The text of a node as an outline."""
    lines = [indent + before + (node.kind if node.children else str(node.value))]
    for child in node.children:
        lines.append(outlined(child, indent + "  ", "" if child.probability is None else f"{child.probability}: "))
    return "\n".join(lines)


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_a_random_tree_is_the_same_in_every_style(seed):
    wanted = tree(random_tree(random.Random(seed), 4))
    for style in ("call", "brackets", "lisp", "list"):
        assert tree(restyled(wanted.root, style)) == wanted
    assert tree(outlined(wanted.root)) == wanted
    try:
        loose = tree(restyled(wanted.root, "loose"))
    except TreeError as error:
        loose, message = wanted, str(error)
        assert "can be read in two ways" in message or "end; put them" in message
    assert loose == wanted


# Values and steps


def test_steps_go_from_the_bottom_up_and_from_left_to_right():
    solved = tree("max(chance(1/2: 0, 1/2: -1), min(3, max(2, 2), 8), left -> D = min(-1/2, x = 4), 2)")
    assert [step.text for step in solved.steps()] == [
        "B = 1/2·0 + 1/2·(-1) = -1/2",
        "E = max(2, 2) = 2",
        "C = min(3, E, 8) = min(3, 2, 8) = 2: E is best",
        "D = min(-1/2, x) = min(-1/2, 4) = -1/2: -1/2 is best",
        "A = max(B, C, D, 2) = max(-1/2, 2, -1/2, 2) = 2: C and 2 are best",
    ]
    assert [solved.nodes[step.index].name for step in solved.steps()] == [step.node for step in solved.steps()]
    assert [step.value for step in solved.steps()] == [solved.values[step.node] for step in solved.steps()]
    assert dict(solved.values) == {"A": 2, "B": -HALF, "C": 2, "D": -HALF, "E": 2, "x": 4}
    assert solved.best == ("C", "2")


def test_steps_of_single_children_and_of_chances_of_nodes():
    solved = tree("chance(1/4: min(3), 3/4: left -> max(a -> 1/2, b -> 0), 0)".replace(", 0)", ")"))
    assert [step.text for step in solved.steps()] == [
        "B = min(3) = 3",
        "C = max(1/2, 0) = 1/2: 1/2 (a) is best",
        "A = 1/4·B + 3/4·C = 1/4·3 + 3/4·(1/2) = 9/8",
    ]
    assert [step.text for step in tree("chance(5)").steps()] == ["A = 5"]


def test_explain_says_value_choice_and_play():
    assert tree(TEXTBOOK).explain() == (
        "B = min(3, 12, 8) = 3\n"
        "C = min(2, 4, 6) = 2\n"
        "D = min(14, 5, 2) = 2\n"
        "A = max(B, C, D) = max(3, 2, 2) = 3: B is best\n"
        "\n"
        "The tree is worth 3 to Max. Max's best choice: B.\n"
        "Best play: B, then 3."
    )
    assert tree("min(a -> max(1, 2), b -> max(2, 0))").explain().endswith(
        "The tree is worth 2 to Max. Min's best choice: B (a) or C (b).\nBest play: B (a), then 2."
    )  # fmt: skip
    assert tree("max(min(chance(0, 1), 4), 0)").explain().endswith("Best play: B, then C; then chance decides.")
    assert tree("chance(1, 0)").explain().endswith("The tree is worth 1/2 to Max on average; chance acts first.")
    assert tree("7").explain() == "The tree is a single leaf, worth 7."


def test_a_tree_is_shown_and_drawn():
    solved = tree("max(left -> min(3, 12), chance(1, 0))")
    assert repr(solved) == "<Tree of 7 nodes, value 3>"
    assert repr(solved.root.children[0]) == "<min B, value 3>"
    drawn = solved.node()
    assert [(node.kind, node.label, node.probability, node.value, node.best) for node in drawn.walk()] == [
        ("max", "A", "", "3", True),
        ("min", "left → B", "", "3", True),
        ("leaf", "", "", "3", True),
        ("leaf", "", "", "12", False),
        ("chance", "C", "", "1/2", False),
        ("leaf", "", "1/2", "1", False),
        ("leaf", "", "1/2", "0", False),
    ]
    assert solved._repr_svg_().startswith("<svg")
    assert "left → B" in solved.svg(title="An exercise")
    assert "left → B" in solved.text()
    assert solved.dot().startswith("digraph")
    assert solved.mermaid().startswith(("flowchart", "graph"))


# Seed 001: coin tic-tac-toe

QUARTER = HALF / 2
LAYERS = [
    [Fraction(3, 8), Fraction(3, 4), Fraction(3, 8)],
    [HALF, QUARTER, 1, HALF, 1, 1, HALF, 1, QUARTER],
    [0, 1, -HALF, 1, -HALF, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, -HALF, 1, 1, 1, 1, -HALF],
    [0, -1, -1, 0, 0, -1, -1, 0],
]


def layers(nodes):
    """The values as the seed draws its tree: a toss and the move that follows it are one step."""
    found = []
    while nodes:
        found.append([node.value for node in nodes])
        tossed = [outcome for node in nodes for outcome in node.children]
        nodes = [below for node in tossed for below in (node.children if node.kind in ("max", "min") else [node])]
    return found


def coin(*, text=False):
    if text:
        return tree(examples()["seed-001"])
    game = load("coin-tic-tac-toe")
    return tree_of(game, game.play(game.start, 1))


@pytest.mark.parametrize("text", [False, True])
def test_seed_001_comes_out_whole_from_the_rules_and_from_its_text(text):
    solved = coin(text=text)
    found = layers(solved.root.children)
    assert found == LAYERS
    assert 1 + sum(map(len, found)) == 42
    assert solved.value == Fraction(3, 4)
    assert solved.root.best == (1,)


def test_seed_001_has_56_nodes_before_the_toss_and_is_worth_a_half():
    solved = tree_of(load("coin-tic-tac-toe"))
    assert solved.value == HALF
    assert sum(map(len, layers([solved.root]))) == 56
    assert len(solved.nodes) == 87  # the tosses that leave a player a choice counted too
    assert tree(str(solved)) == solved


def test_seed_001_is_the_same_tree_but_for_moves_that_are_forced():
    assert len(coin().nodes) == 67
    assert len(coin(text=True).nodes) == 48
    assert coin(text=True).best == ("bottom left",)
    assert [child.label for child in coin().root.children[0].children] == [
        load("coin-tic-tac-toe").name_outcome(None, outcome) for outcome in (2, 1)
    ]


# Games as trees


def test_tree_of_ends_at_a_depth_by_the_estimate():
    game = load("tic-tac-toe")
    solved = tree_of(game, depth=2)
    assert (len(solved.nodes), solved.depth) == (1 + 9 + 72, 2)
    assert float(solved.value) == minimax(game, depth=2, compiled=False).value


def test_tree_of_follows_pig_as_minimax_does():
    game = load("pig:goal=6")
    solved = tree_of(game, depth=2)
    verdict = minimax(game, depth=2, compiled=False)
    assert len(solved.nodes) == verdict.nodes
    assert float(solved.value) == pytest.approx(verdict.value)
    assert {node.probability for node in solved.nodes} == {None, Fraction(1, 6)}


def test_tree_of_names_the_moves_of_a_modelled_player():
    game = load("tic-tac-toe")
    solved = tree_of(facing(game, 1, "random"), game.read_state("XO..X.O.."), depth=2)
    reply = solved.root.children[0]
    assert reply.kind == "chance"
    assert [child.label for child in reply.children] == ["4", "6", "8", "9"]


def test_an_accent_may_be_a_letter_of_its_own():
    assert tree("max(e\u0301te\u0301 -> 3, 4)") == tree("max(été -> 3, 4)")


def test_equal_children_that_look_like_probabilities_are_written_with_theirs():
    text = "chance(1/4: 1/2, 1/4: 1/2, 1/4: 3, 1/4: -1)"
    assert str(tree(text)) == text


def test_tree_of_refuses_what_is_too_large():
    with pytest.raises(TooLarge, match=r"has more than 2,000 nodes; look fewer moves ahead by depth=…, begin nearer to the end"):
        tree_of(load("connect-four"))
    with pytest.raises(LimitError, match="a tree cannot look back"):
        tree_of(load("pig"), depth=-1)


def test_tree_of_takes_floats_for_the_fractions_they_were_made_of():
    assert simplest(1 / 3) == Fraction(1, 3)
    assert simplest(0.1) == Fraction(1, 10)
    assert simplest(-7.0) == -7
    assert float(simplest(2**-40)) == 2**-40
    assert simplest(0.1234567890123) == Fraction(0.1234567890123)


def toy(chances, moves=lambda state: iter((0, 1))):
    """Chance acts, then the game is over, worth the outcome."""
    start = tree("max(0, 1)").game.start
    turns = {0: CHANCE}
    return Game(
        name="toy",
        start=start,
        turn=lambda state: turns.get(state.node, OVER),
        moves=moves,
        chances=chances,
        play=lambda state, choice: type(start)(choice),
        score=lambda state: state.node / 10,
    )


def test_tree_of_scales_odd_probabilities_to_1_and_refuses_wrong_ones():
    odd = (0.123456789, 0.3, 0.576543211 + 1e-12)
    solved = tree_of(toy(lambda state: zip((1, 2, 3), odd, strict=True)))
    assert sum(child.probability for child in solved.root.children) == 1
    assert float(solved.value) == pytest.approx(0.123456789 * 0.1 + 0.3 * 0.2 + 0.576543211 * 0.3)
    with pytest.raises(RuleError, match="probabilities must be above 0 and sum to 1; these sum to 0.9"):
        tree_of(toy(lambda state: iter(((1, 0.5), (2, 0.4)))))


def test_tree_of_refuses_a_player_without_moves_and_a_turn_that_is_none():
    stuck = toy(lambda state: iter(())).replace(turn=lambda state: 0, moves=lambda state: iter(()))
    with pytest.raises(RuleError, match="yields nothing in State\\(node=0\\), and turn says that player 0 is to move"):
        tree_of(stuck)
    with pytest.raises(RuleError, match="returns 7; it must return 0, 1, CHANCE or OVER"):
        tree_of(stuck.replace(turn=lambda state: 7))


# Trees as games


def random_tree(dice, depth):
    """A random tree as text: uneven, with chances, ties and single children."""
    if depth == 0 or dice.random() < 0.15:
        return str(Fraction(dice.randint(-8, 8), dice.choice((1, 1, 2, 4))))
    kind = dice.choice(("max", "min", "chance"))
    children = [random_tree(dice, depth - 1) for _ in range(dice.randint(1, 3))]
    if kind == "chance":
        weights = [dice.randint(1, 3) for _ in children]
        children = [f"{weight}/{sum(weights)}: {child}" for weight, child in zip(weights, children, strict=True)]
    return f"{kind}({', '.join(children)})"


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_searches_of_a_tree_agree_with_its_exact_value(seed):
    solved = tree(f"max({random_tree(random.Random(seed), 4)}, {random_tree(random.Random(seed + 1), 3)})")
    assert tree(str(solved)) == solved
    assert minimax(solved.game, depth=solved.depth, compiled=False) == (
        pytest.approx(float(solved.value), abs=1e-9),
        len(solved.nodes),
    )
    found = search(solved.game, depth=solved.depth, compiled=False)
    assert found.value == pytest.approx(float(solved.value), abs=1e-9)
    assert found.proven
    assert float(solved.root.children[found.move].value) == pytest.approx(found.value)
    unfolded = tree_of(solved.game)
    assert [(node.kind, node.value, node.probability) for node in unfolded.nodes] == [
        (node.kind, node.value, node.probability) for node in solved.nodes
    ]


def test_a_tree_is_searched_compiled_too():
    solved = coin()
    found = search(solved.game, depth=solved.depth)
    assert (found.value, found.move, found.proven) == (0.75, 1, True)


def test_a_large_tree_is_a_game_too():
    solved = tree(f"max({', '.join(f'min({first}, {300 - first})' for first in range(200))})")
    assert len(solved.nodes) > 256  # beyond which tables are arrays
    assert search(solved.game, depth=2, compiled=False).value == float(solved.value) == 150
    after = solved.game.play(solved.game.start, 3)
    assert repr(after) == "State(node=4)"
    assert solved.game.name_move(after, 1) == "297"


def test_a_tree_is_a_game_written_right():
    game = tree(examples()["star1"]).game
    assert check(game, games=20).ok
    assert (game.players, game.low, game.high) == (("Max", "Min"), 0, 8)
    assert [game.name_move(game.start, move) for move in game.moves(game.start)] == ["safe", "bold"]
    tossed = game.play(game.start, 1)
    assert [game.name_outcome(tossed, outcome) for outcome, _ in game.chances(tossed)] == ["heads", "tails"]
    assert game.show(tossed) == "C = chance(1/2: F, 1/2: G)"
    assert tree(TEXTBOOK).game.chances is None
    assert tree(TEXTBOOK).game is not tree(TEXTBOOK).game
    same = tree("max(5, 5)").game
    assert same.low < 5 < same.high


def test_a_single_leaf_has_a_value_and_no_game():
    leaf = tree("7/2")
    assert (leaf.value, leaf.depth, leaf.best, leaf.steps()) == (Fraction(7, 2), 0, (), [])
    with pytest.raises(TreeError, match="the tree is a single leaf, worth 7/2: there is no move, and so no game"):
        leaf.game  # noqa: B018


def test_a_tree_with_chance_at_its_root_is_searched():
    game = tree("chance(1/4: max(1, 2), 3/4: 4)").game
    assert search(game, depth=1, compiled=False).value == 3.5


# Examples


def test_examples_are_what_their_comments_say():
    solved = {name: tree(text) for name, text in examples().items()}
    assert {name: found.value for name, found in solved.items()} == {
        "every-technique": Fraction(9, 2),
        "four-moves-deep": 5,
        "loaded-die": Fraction(11, 10),
        "seed-001": Fraction(3, 4),
        "star1": 6,
        "textbook": 3,
    }
    assert dict(solved["loaded-die"].values)["C"] == HALF
    never = [node.name for node in trace(solved["textbook"].game, depth=2, only=("pruning",)).nodes if node.why == "never"]
    assert never == ["4", "6"]
    bold = trace(solved["star1"].game, depth=2, only=("pruning", "star1"))
    assert bold.counts["star1 cut"] == 1


def test_a_rule_that_raises_while_a_tree_is_unfolded_is_named():
    def play(state, choice):
        raise ZeroDivisionError("no such stone")

    with pytest.raises(
        RuleRaised, match=r"a rule of 'nim' raised ZeroDivisionError: no such stone \(in play, line \d+ of test_trees.py\)"
    ):
        tree_of(load("nim").replace(play=play))


def test_equal_subtrees_are_one_position_that_a_table_knows_again():
    twice = tree("max(min(max(1, 2), max(3, 4)), min(max(1, 2), max(3, 4)))")
    game = twice.game
    assert search(game, depth=3, only=(), compiled=False).nodes == 15
    known = search(game, depth=3, only=("table",), compiled=False)
    assert (known.nodes, known.value) == (9, 2)  # the second half is one visit
    other = tree("max(min(max(1, 2), max(3, 4)), max(max(1, 2), max(3, 5)))")  # nothing but max(1, 2) is the same
    assert search(other.game, depth=3, only=("table",), compiled=False).value == 5
    chances = tree("max(chance(1/2: 1, 1/2: 2), chance(1/3: 1, 2/3: 2))")  # equal but for the odds
    assert search(chances.game, depth=2, only=("table",), compiled=False).value == pytest.approx(5 / 3)
