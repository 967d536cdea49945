"""`Node`: one node of a drawn tree, with texts that are ready to print.

Those who have a tree (a trace of a search, an explicit tree) make these of it; this room knows nothing of where they come from.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

UNBOUNDED = "[-∞, ∞]"
NodeKind = Literal["max", "min", "chance", "leaf"]

# Why a node is as it is: one word for one idea, in the API, the text, the classes of the SVG and on the page.
WHYS = {
    "over": "the game is over",
    "horizon": "as deep as the search looks: an estimate",
    "alpha cut": "max already has better elsewhere: the rest is not looked at",
    "beta cut": "min already has better elsewhere: the rest is not looked at",
    "best cut": "nothing can be better: the rest is not looked at",
    "star1 cut": "whatever the remaining outcomes bring, the average lies outside the window",
    "star2 cut": "one move of each outcome already shows that the average lies outside the window",
    "table": "found in the table",
    "bounds": "the rules prove it",
    "searched": "all its children were looked at",
    "probed": "only its first move was looked at",
    "never": "never looked at",
    "left out": "not among the moves that the rules call useful",
    "stopped": "the limit was reached here",
}
UNSEEN = ("never", "left out")  # drawn grey: no search has been there


@dataclass(frozen=True)
class Node:
    """One node of a tree, and its children from left to right."""

    kind: NodeKind
    label: str = ""  # the choice that leads here, in the game's words; "" at the root
    probability: str = ""  # "1/2", "0.17" under a chance node
    value: str = ""  # "3/4", "+1", "≥ 2"; "" if none
    window: str = ""  # "[-∞, 3]" on entry; "" if none
    why: str = ""  # one of WHYS; "" for an ordinary node
    best: bool = False  # in best play: of a player one choice, of chance every outcome
    picture: str = ""  # an SVG text of the state; "" if none
    note: str = ""  # more, such as "scout" or "again"
    children: tuple["Node", ...] = ()
    order: int = -1  # when the search came here; -1: never
    hidden: int = 0  # nodes beneath it that are not drawn

    @property
    def edge(self) -> str:
        """The text at the edge from above: the choice, then its probability."""
        return f"{self.label} ({self.probability})" if self.label and self.probability else self.label or self.probability

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all beneath it, parents first, from left to right."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def pairs(self) -> Iterator[tuple["Node", int]]:
        """Yield each node with the number of its parent, as `walk` counts them from 0; the root's is -1."""
        waiting = [(self, -1)]
        number = 0
        while waiting:
            node, parent = waiting.pop()
            yield node, parent
            waiting.extend((child, number) for child in reversed(node.children))
            number += 1

    def has_windows(self) -> bool:
        """Whether a window here or beneath has an end; without pruning none has."""
        return any(node.window not in ("", UNBOUNDED) for node in self.walk())
