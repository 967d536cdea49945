"""The legend of a drawn tree: a line for every mark that occurs in it."""

from collections.abc import Callable, Iterator

from outplay.draw import marks
from outplay.draw.boxes import CUTS
from outplay.draw.measure import text_width
from outplay.draw.node import UNSEEN, Node
from outplay.pictures.shapes import short

SIZE = 11.0
HEIGHT = 24.0  # of a line
APART = 22.0  # two entries

Mark = Callable[[float, float], str]  # draws a mark about 26 wide, from its left end and its middle line


def legend(root: Node, width: float, *, windows: bool) -> tuple[str, float]:
    """Return the legend of the tree beneath *root*, broken at *width* and drawn from (0, 0), and its height."""
    parts = []
    x, y = 0.0, HEIGHT / 2
    for draw, told in _entries(root, windows=windows):
        room = 32 + text_width(told, SIZE)
        if x > 0 and x + room > width:
            x, y = 0.0, y + HEIGHT
        parts.append(draw(x, y) + marks.words(x + 32, y + 0.36 * SIZE, told, "label", SIZE, fill=marks.FAINT, anchor="start"))
        x += room + APART
    return "".join(parts), y + HEIGHT / 2


def _entries(root: Node, *, windows: bool) -> Iterator[tuple[Mark, str]]:
    nodes = list(root.walk())
    seen = {(node.kind, node.why) for node in nodes if node.why not in UNSEEN}
    kinds, whys = {kind for kind, _ in seen}, {node.why for node in nodes}
    for kind, told in (
        ("max", "max: the largest of its children"),
        ("min", "min: the smallest"),
        ("chance", "chance: the average"),
    ):
        if kind in kinds:
            yield _shape(Node(kind), 18), told
    if ("leaf", "over") in seen:
        yield _shape(Node("leaf", why="over"), 16), "the game is over"
    if ("leaf", "horizon") in seen:
        yield _shape(Node("leaf", why="horizon"), 16), "the horizon: an estimate"
    if any(node.best for node in nodes[1:]):
        yield _edge(Node("leaf", best=True)), "best play"
    if "never" in whys:
        cut = any(node.why in CUTS and any(child.why == "never" for child in node.children) for node in nodes)
        yield _edge(Node("leaf", why="never"), slashed=cut), "cut off: never looked at" if cut else "never looked at"
    for why, told in (
        ("table", "found in the table"),
        ("bounds", "proved by the rules"),
        ("probed", "first move only"),
        ("left out", "not a useful move"),
        ("stopped", "limit reached"),
    ):
        if why in whys:
            yield _pill(why), told
    if any(node.hidden for node in nodes):
        yield _pill("+ 9"), "this many nodes beneath are not drawn"
    if windows and any(node.window and node.kind != "leaf" for node in nodes):
        yield _window, "window: alpha and beta on entry"


def _shape(node: Node, side: float) -> Mark:
    wide = 1.12 * side if node.kind in ("max", "min") else side
    return lambda x, y: marks.shape(node, x + 13, y - side / 2, wide, side)


def _edge(node: Node, *, slashed: bool = False) -> Mark:
    def draw(x: float, y: float) -> str:
        line = f'<path class="edge" d="M{short(x)} {short(y)}h26" fill="none" {marks.edge_look(node)}/>'
        return line + (marks.slash((x + 26, y), (x, y)) if slashed else "")

    return draw


def _pill(text: str) -> Mark:
    return lambda x, y: marks.pill(x + 11, y - 6.3, text, "tag", 9, text_width(text, 9) + 6)


def _window(x: float, y: float) -> str:
    return marks.words(x + 13, y + 3.8, "[α, β]", "window", 10.5, fill=marks.FAINT)
