"""From a bare tree to a solved one: every inner node gets a name and every node its exact value."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import count, product
from string import ascii_uppercase

from outplay.errors import TreeError
from outplay.trees.node import TreeNode
from outplay.trees.parse import Draft

MOST_BITS = 1_500  # of the parts of a value: exact arithmetic with longer ones takes its time


def solved(root: Draft) -> tuple[TreeNode, ...]:
    """Return all nodes, solved, level by level from the top and from left to right; the root is the first."""
    drafts = [root]
    for draft in drafts:  # which grows meanwhile
        drafts.extend(draft.children)
    names = _names(drafts)
    nodes: list[TreeNode] = []  # from the last to the first, so that children come before parents
    used = 0
    for draft, name in zip(reversed(drafts), reversed(names), strict=True):
        children = tuple(nodes[used + place] for place in reversed(range(len(draft.children))))
        used += len(children)
        value = _value(draft, children, name)
        nodes.append(TreeNode(draft.kind, name, draft.label, draft.probability, value, children, named=bool(draft.name)))
    return tuple(reversed(nodes))


def _names(drafts: list[Draft]) -> list[str]:
    """Return the name of each node; inner nodes without one get the letters that are free, in order."""
    taken = {draft.name for draft in drafts}
    free = (letters for letters in _letters() if letters not in taken)
    return [draft.name or (next(free) if draft.children else "") for draft in drafts]


def _letters() -> Iterator[str]:
    """Yield A, B, …, Z, AA, AB, …"""
    for length in count(1):
        for letters in product(ascii_uppercase, repeat=length):
            yield "".join(letters)


def _value(draft: Draft, children: tuple[TreeNode, ...], name: str) -> Fraction:
    if draft.kind == "max":
        return max(child.value for child in children)
    if draft.kind == "min":
        return min(child.value for child in children)
    if draft.kind == "leaf":
        return draft.number
    total = Fraction(0)
    for child in children:
        total += (child.probability or 0) * child.value
        if max(total.numerator.bit_length(), total.denominator.bit_length()) > MOST_BITS:
            raise TreeError(
                f"the exact value of {name} has more than {MOST_BITS * 3 // 10} digits; "
                "take probabilities with smaller denominators, or fewer chance nodes"
            )
    return total
