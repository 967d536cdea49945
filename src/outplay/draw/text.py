"""A tree for a terminal: one node a line, best play marked with stars.

▲ 3  [-∞, ∞]
├─* a1: ▼ 3  [-∞, ∞]
│   ├─* b1: ■ 3  over
│   └── b2: ■ 12  over
└── a2: ▼ ≤ 2  [3, ∞]  alpha cut
    ├── c1: ■ 2  over
    └╌╌ c2: ■  never
"""

from outplay.draw.node import UNSEEN, Node
from outplay.pictures.shapes import legible

SYMBOLS = {"max": "▲", "min": "▼", "chance": "●", "leaf": "■"}
# For a terminal that knows ASCII alone.
PLAIN = str.maketrans("├└│─╌", "|`|-.") | str.maketrans({"≥": ">=", "≤": "<=", "∞": "inf", "…": "...", "·": "*"})


def tree_text(root: Node, *, windows: bool = True, plain: bool = False) -> str:
    """Return the tree beneath *root* as lines of text.

    *plain*: in words and ASCII lines, for a terminal that has no other letters.
    """
    windows = windows and root.has_windows()
    lines = []
    waiting = [(root, "", "")]  # a node, what stands before it, and what before those beneath it
    while waiting:
        node, before, beneath = waiting.pop()
        lines.append(before + _told(node, windows=windows, plain=plain))
        for index in range(len(node.children) - 1, -1, -1):
            child, ends = node.children[index], index == len(node.children) - 1
            dash = "╌" if child.why in UNSEEN else "─"
            branch = ("└" if ends else "├") + dash + ("*" if child.best else dash) + " "
            waiting.append((child, beneath + branch, beneath + ("    " if ends else "│   ")))
    text = legible("\n".join(lines) + "\n")
    return text.translate(PLAIN) if plain else text


def _told(node: Node, *, windows: bool, plain: bool) -> str:
    symbol = node.kind if plain else SYMBOLS[node.kind]
    label = " ".join(" ".join([node.label, f"({node.probability})" if node.probability else ""]).split())
    why = "" if node.why == "searched" else node.why
    parts = [f"{symbol} {node.value}".strip(), node.window if windows else "", why, " ".join(node.note.split())]
    return (f"{label}: " if label else "") + "  ".join(part for part in parts if part)
