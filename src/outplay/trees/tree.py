"""`tree`: a game tree typed in as text, solved with exact fractions. The format is in docs/trees.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from outplay.draw.dot import tree_dot
from outplay.draw.mermaid import tree_mermaid
from outplay.draw.node import Node
from outplay.draw.notebook import cell_html, cell_svg
from outplay.draw.svg import tree_svg
from outplay.draw.text import tree_text
from outplay.rules.frozen_mapping import FrozenMapping
from outplay.rules.game import Game
from outplay.trees.game import game_of
from outplay.trees.node import Step, TreeNode
from outplay.trees.parse import Draft, parse
from outplay.trees.solve import solved
from outplay.trees.steps import explained, steps_of
from outplay.trees.written import written


def tree(text: str, *, first: Literal["max", "min"] = "max") -> "Tree":
    """Return the tree that *text* writes: `max(min(3, 12, 8), min(2, 4, 6))`, and many other ways (docs/trees.md).

    Lists without words alternate, and *first* says who is to move at their root: `[[3, 12, 8], [2, 4, 6]]`.
    """
    return made(parse(text, first=first))


def made(root: Draft) -> "Tree":
    """Return the solved tree beneath *root*."""
    return Tree(solved(root))


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A solved tree. `str(tree)` is a text that `tree` reads as the same tree."""

    nodes: tuple[TreeNode, ...]  # level by level from the top, from left to right

    @property
    def root(self) -> TreeNode:
        """The node at the top."""
        return self.nodes[0]

    @property
    def value(self) -> Fraction:
        """What the tree is worth to Max."""
        return self.root.value

    @property
    def best(self) -> tuple[str, ...]:
        """The best choices at the root, by label, name or value; none where no player chooses."""
        return tuple(self.root.choices[place] for place in self.root.best)

    @cached_property
    def values(self) -> Mapping[str, Fraction]:
        """The value of every named node."""
        return FrozenMapping({node.name: node.value for node in self.nodes if node.name})

    @cached_property
    def depth(self) -> int:
        """The depth at which a search sees the whole tree: only moves count, outcomes of chance are free."""
        below: dict[int, int] = {}
        for node in reversed(self.nodes):
            deepest = max((below[id(child)] for child in node.children), default=0)
            below[id(node)] = max(1, deepest) if node.kind == "chance" else deepest + bool(node.children)
        return below[id(self.root)]

    def steps(self) -> list[Step]:
        """Return how the value of each inner node is computed, from the bottom up and from left to right."""
        return steps_of(self.nodes)

    def explain(self) -> str:
        """Return all steps, one per line, and the result."""
        return explained(self.nodes)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes; values are exact fractions, as text."""
        return {
            "text": str(self),
            "value": str(self.value),
            "best": list(self.best),
            "values": {name: str(value) for name, value in self.values.items()},
            "steps": [step.text for step in self.steps()],
        }

    @cached_property
    def game(self) -> Game:
        """The tree as a game, for `search`, `trace` and all else: a state is a place in `nodes`, a move a child's place."""
        return game_of(self.nodes)

    def node(self) -> Node:
        """Return the tree as it is drawn: values, names and best play."""
        on_line = [False] * len(self.nodes)
        on_line[0] = True
        first = 1
        for place, node in enumerate(self.nodes):
            if on_line[place]:
                for child in node.best or range(len(node.children)):  # chance leaves no choice
                    on_line[first + child] = True
            first += len(node.children)
        drawn: list[Node] = []  # from the last to the first, so that children come before parents
        used = 0
        for node, best in zip(reversed(self.nodes), reversed(on_line), strict=True):
            children = tuple(drawn[used + place] for place in reversed(range(len(node.children))))
            used += len(children)
            drawn.append(
                Node(
                    kind=node.kind,
                    label=" → ".join(filter(None, (node.label, node.name))),
                    probability="" if node.probability is None else str(node.probability),
                    value=str(node.value),
                    best=best,
                    children=children,
                )
            )
        return drawn[-1]

    def svg(self, *, title: str = "") -> str:
        """Return the tree as an SVG text."""
        return tree_svg(self.node(), title=title)

    def text(self) -> str:
        """Return the tree drawn in letters."""
        return tree_text(self.node())

    def dot(self) -> str:
        """Return the tree in Graphviz's language."""
        return tree_dot(self.node())

    def mermaid(self) -> str:
        """Return the tree as a Mermaid diagram."""
        return tree_mermaid(self.node())

    def __str__(self) -> str:
        return written(self.root)

    def __repr__(self) -> str:
        nodes = f"{len(self.nodes):,} node{'s' if len(self.nodes) > 1 else ''}"
        return f"<Tree of {nodes}, value {self.value}>"

    def _repr_svg_(self) -> str:
        return cell_svg(self.node())

    def _repr_html_(self) -> str | None:
        return cell_html(self.node())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self.root == other.root

    def __hash__(self) -> int:
        return hash(self.root)
