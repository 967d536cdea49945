"""Solves a tree by hand, node by node from the bottom up and from left to right, in words."""

from collections.abc import Iterable
from fractions import Fraction

from outplay.trees.node import Step, TreeNode

PLAYERS = {"max": "Max", "min": "Min"}


def steps_of(nodes: tuple[TreeNode, ...]) -> list[Step]:
    """Return a step for each inner node, every node after all that are beneath it."""
    index = {id(node): place for place, node in enumerate(nodes)}
    order: list[TreeNode] = []
    waiting = [nodes[0]]
    while waiting:  # a node, then its children from right to left: the order of the steps, backwards
        node = waiting.pop()
        if node.children:
            order.append(node)
            waiting.extend(node.children)
    return [Step(node.name, _step(node), node.value, index[id(node)]) for node in reversed(order)]


def _step(node: TreeNode) -> str:
    names = [child.name or str(child.value) for child in node.children]
    values = [str(child.value) for child in node.children]
    sides = [node.name, _combined(node, names)]
    if names != values:
        sides.append(_combined(node, values))
    if node.kind != "chance" or len(node.children) > 1 or names != values:
        sides.append(str(node.value))
    return " = ".join(sides) + _best(node)


def _combined(node: TreeNode, values: list[str]) -> str:
    """Return the rule of *node* with *values* in it."""
    if node.kind != "chance":
        return f"{node.kind}({', '.join(values)})"
    weights = [child.probability or Fraction(1) for child in node.children]
    return " + ".join(
        _factor(value) if weight == 1 else f"{weight}·{_factor(value)}" for weight, value in zip(weights, values, strict=True)
    )


def _factor(value: str) -> str:
    return f"({value})" if value.startswith("-") or "/" in value else value


def _best(node: TreeNode) -> str:
    """Return which choice is best, where there is one and the choices are called something."""
    if node.kind == "chance" or len(node.children) < 2 or not any(child.name or child.label for child in node.children):
        return ""
    best = [_called(node.children[place]) for place in node.best]
    return f": {listed(best)} {'is' if len(best) == 1 else 'are'} best"


def _called(child: TreeNode) -> str:
    """Return a child as it stands in the step, with its label: `B (left)`, `5 (right)`."""
    return (child.name or str(child.value)) + (f" ({child.label})" if child.label else "")


def listed(words: Iterable[str]) -> str:
    """Return `a`, `a and b` or `a, b and c`."""
    *rest, last = words
    return f"{', '.join(rest)} and {last}" if rest else last


def explained(nodes: tuple[TreeNode, ...]) -> str:
    """Return the steps, one per line, and the result."""
    root = nodes[0]
    if not root.children:
        return f"The tree is a single leaf, worth {root.value}."
    lines = [step.text for step in steps_of(nodes)]
    if root.kind == "chance":
        lines += ["", f"The tree is worth {root.value} to Max on average; chance acts first."]
    else:
        best = [_called(root.children[place]) for place in root.best]
        lines += ["", f"The tree is worth {root.value} to Max. {PLAYERS[root.kind]}'s best choice: {' or '.join(best)}."]
        play, end = _line(root)
        if len(play) > 1:
            lines.append(f"Best play: {', then '.join(play)}{'; then chance decides' if end.kind == 'chance' else ''}.")
    return "\n".join(lines)


def _line(node: TreeNode) -> tuple[list[str], TreeNode]:
    """Return the choices of best play, the first of equals, as far as players choose; and the node they end at."""
    play: list[str] = []
    while node.kind in PLAYERS:
        place = node.best[0]
        play.append(_called(node.children[place]))
        node = node.children[place]
    return play, node
