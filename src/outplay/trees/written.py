"""A tree as the one text that stands for it, which `tree` reads as the same tree."""

import re
from fractions import Fraction

from outplay.trees.chances import looks_weighed
from outplay.trees.node import TreeNode
from outplay.trees.tokens import WORD_PATTERN

ONE_WORD = re.compile(WORD_PATTERN)


def written(root: TreeNode) -> str:
    """Return *root* and all beneath it on one line: `max(min(3, 12, 8), left -> B = min(2, 4, 6))`."""
    parts: list[str] = []
    waiting: list[TreeNode | str] = [root]
    shown: dict[int, bool] = {id(root): False}  # whether the probability of a node is written
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        parts.append(_before(node, probability=shown.pop(id(node))))
        if not node.children:
            parts.append(str(node.value))
            continue
        parts.append(f"{node.kind}(")
        waiting.append(")")
        needed = node.kind == "chance" and _needs_probabilities(node)
        for place in reversed(range(len(node.children))):
            shown[id(node.children[place])] = needed
            waiting.append(node.children[place])
            if place:
                waiting.append(", ")
    return "".join(parts)


def _before(node: TreeNode, *, probability: bool) -> str:
    label = node.label if ONE_WORD.fullmatch(node.label) else '"' + re.sub(r'(["\\])', r"\\\1", node.label) + '"'
    return (
        (f"{node.probability}: " if probability else "")
        + (f"{label} -> " if node.label else "")
        + (f"{node.name} = " if node.named else "")
    )


def _needs_probabilities(node: TreeNode) -> bool:
    """Return whether the children of a chance node are not equally likely, or would be read otherwise if it were not said."""
    number = len(node.children)
    if any(child.probability != Fraction(1, number) for child in node.children):
        return True
    bare = [None if child.children or child.label or child.named else child.value for child in node.children]
    return looks_weighed(bare, commas=True)
