"""`TreeNode` and `Step`: the parts of a solved tree."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from outplay.draw.node import NodeKind


@dataclass(frozen=True, eq=False, repr=False)
class TreeNode:
    """A solved node: max, min, chance or leaf. Its value is Max's.

    An inner node always has a name; one that the text did not name got a letter. Two nodes are equal if they and all
    beneath them are.
    """

    kind: NodeKind
    name: str  # "" for a leaf that the text does not name
    label: str  # what the choice that leads here is called, or ""
    probability: Fraction | None  # beneath a chance node
    value: Fraction
    children: tuple["TreeNode", ...] = ()
    named: bool = False  # by the text, not by a letter

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The places of all best children of a max or min node; none for other nodes."""
        if self.kind not in ("max", "min"):
            return ()
        return tuple(place for place, child in enumerate(self.children) if child.value == self.value)

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The name of each choice: its label, else the child's name, else its value; numbered where two are the same."""
        plain = [child.label or child.name or str(child.value) for child in self.children]
        times = Counter(plain)
        return tuple(f"{text} [{number}]" if times[text] > 1 else text for number, text in enumerate(plain, 1))

    def __repr__(self) -> str:
        called = f" {self.name}" if self.name else ""
        return f"<{self.kind}{called}, value {self.value}>"

    def __eq__(self, other: object) -> bool:
        from outplay.trees.written import written

        return isinstance(other, TreeNode) and (self is other or written(self) == written(other))

    def __hash__(self) -> int:
        return hash((self.kind, self.name, self.label, self.value, len(self.children)))


@dataclass(frozen=True)
class Step:
    """How the value of one inner node is computed: `D = min(3, 12, 8) = 3`."""

    node: str  # its name
    text: str
    value: Fraction
    index: int  # its place in `Tree.nodes`
