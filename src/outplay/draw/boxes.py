"""The size of each node of a drawn tree: from top to bottom its label, its shape, and the text beneath.

column 4        label: the choice, and its probability, where the edge from above ends
   ▲            shape: with the value in it, if there is room
[2, ∞]          notes: the value if not, the window, the cut or a tag
 ┌──┐
 └──┘           the picture of the state
"""

from collections.abc import Iterable
from dataclasses import dataclass

from outplay.draw.measure import shortened, text_width
from outplay.draw.nested import Picture, nested
from outplay.draw.node import UNSEEN, Node

# What a cut is called where it happened, and what is said of other nodes that ended early.
CUTS = {"alpha cut": "α cut", "beta cut": "β cut", "best cut": "best cut", "star1 cut": "Star1 cut", "star2 cut": "Star2 cut"}
TAGS = {word: word for word in ("table", "bounds", "probed", "left out", "stopped")}


@dataclass(frozen=True)
class Sizes:
    """All lengths of a drawing, in pixels."""

    value: float = 13
    label: float = 12
    small: float = 10.5
    triangle: float = 40  # its height
    circle: float = 18  # its radius
    leaf: float = 26  # the side of its square
    gap: float = 16  # between neighbours
    picture: float = 96  # the longer side
    letters: int = 24  # of a label
    roomiest: float = 60  # a value that is wider is written beneath
    upright: bool = False  # whether long labels of leaves stand upright

    def line(self, size: float) -> float:
        """Return the height of a line of text of *size*."""
        return size * 1.25


ROOMY = Sizes()
COMPACT = Sizes(
    value=11, label=10, small=9, triangle=32, circle=14.5, leaf=20, gap=5, picture=56, letters=18, roomiest=48, upright=True
)
MANY = 200  # a tree of more nodes is drawn compact


@dataclass(frozen=True)
class Box:
    """One node with its measures."""

    node: Node
    index: int
    parent: int
    depth: int
    width: float  # of all of it
    labels: tuple[str, ...]
    label_height: float
    upright: bool  # the label stands upright
    shape_width: float
    shape_height: float
    inside: str  # the value, if it is written into the shape
    notes: tuple[tuple[str, str], ...]  # (class, text), one a line
    notes_height: float
    picture: Picture | None

    @property
    def below(self) -> float:
        """How much is beneath the shape."""
        return self.notes_height + (self.picture.height + 6 if self.picture else 0)


def boxes(root: Node, sizes: Sizes, *, windows: bool, pictures: bool) -> list[Box]:
    """Return the box of every node, parents first, from left to right on each level."""
    found: list[Box] = []
    level = [(root, -1)]
    depth = 0
    while level:
        below: list[tuple[Node, int]] = []
        for node, parent in level:
            box = _box(node, len(found), parent, depth, sizes, windows=windows, pictures=pictures)
            below.extend((child, box.index) for child in node.children)
            found.append(box)
        level, depth = below, depth + 1
    return found


def _box(node: Node, index: int, parent: int, depth: int, sizes: Sizes, *, windows: bool, pictures: bool) -> Box:
    value = "" if node.why in UNSEEN else node.value
    fits = text_width(value, sizes.value, bold=True) <= sizes.roomiest
    shape_width, shape_height = _shape(node, value if fits else "", sizes)
    notes = tuple(_notes(node, "" if fits else value, windows=windows))
    labels = tuple(shortened(text, sizes.letters) for text in (node.label, node.probability) if text)
    picture = nested(node.picture, sizes.picture) if pictures and node.picture else None
    label_width = max((text_width(text, sizes.label, bold=node.best) for text in labels), default=0.0)
    upright = sizes.upright and not node.children and label_width > 1.3 * shape_width and picture is None
    if upright:
        label = shortened(node.edge, 2 * sizes.letters)
        label_height, label_width = text_width(label, sizes.label, bold=node.best) + 4, sizes.line(sizes.label)
        labels = (label,)
    else:
        label_height = len(labels) * sizes.line(sizes.label)
    width = max(
        shape_width,
        label_width,
        max((note_width(kind, text, sizes) for kind, text in notes), default=0.0),
        picture.width if picture else 0.0,
    )
    return Box(
        node=node,
        index=index,
        parent=parent,
        depth=depth,
        width=width,
        labels=labels,
        label_height=label_height,
        upright=upright,
        shape_width=shape_width,
        shape_height=shape_height,
        inside=value if fits else "",
        notes=notes,
        notes_height=sum(note_height(kind, sizes) for kind, _ in notes) + (4 if notes else 0),
        picture=picture,
    )


def _shape(node: Node, value: str, sizes: Sizes) -> tuple[float, float]:
    """Return the width and height of the shape of *node* with *value* in it."""
    size = 0.7 if node.why in UNSEEN else 1.0
    room = text_width(value, sizes.value, bold=True)
    if node.kind in ("max", "min"):
        # The text stands where the triangle is two thirds of its width.
        return max(1.12 * sizes.triangle * size, room / 0.64 + 7), sizes.triangle * size
    if node.kind == "chance":
        across = max(2 * sizes.circle * size, room + 9)
        return across, across
    return max(sizes.leaf * size, room + 10), sizes.leaf * size


def _notes(node: Node, value: str, *, windows: bool) -> Iterable[tuple[str, str]]:
    if value:
        yield "value", value
    if windows and node.window and node.kind != "leaf" and node.why not in UNSEEN:
        yield "window", node.window
    if node.why in CUTS:
        yield "cut", CUTS[node.why]
    elif node.why in TAGS:
        yield "tag", TAGS[node.why]
    if node.hidden:
        yield "tag", f"+ {node.hidden:,}"


def note_height(kind: str, sizes: Sizes) -> float:
    """Return the height of one line beneath a shape."""
    return sizes.line(sizes.value if kind == "value" else sizes.small) + (3 if kind in ("cut", "tag") else 0)


def note_width(kind: str, text: str, sizes: Sizes) -> float:
    """Return the width of one line beneath a shape."""
    if kind == "value":
        return text_width(text, sizes.value, bold=True)
    return text_width(text, sizes.small, bold=kind == "cut") + (10 if kind in ("cut", "tag") else 0)
