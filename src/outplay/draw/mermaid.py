"""A tree as a Mermaid flowchart, which Markdown pages show.

Mermaid has triangles only in its later versions, so max stands on its broad side and min on its narrow one, each with its
triangle before the value. Mermaid draws at most 500 edges unless its `maxEdges` is raised where it runs.
"""

import re

from outplay.draw.marks import ACCENT, GREY, OVER, SHAPES
from outplay.draw.node import UNSEEN, Node

FORMS = {"max": ("[/", "\\]", "▲"), "min": ("[\\", "/]", "▼"), "chance": ("((", "))", "●"), "leaf": ("[", "]", "")}
CLASSES = [
    *(f"classDef {kind} fill:{fill},stroke:{line},color:#1F2328" for kind, (fill, line) in SHAPES.items()),
    f"classDef over fill:{OVER}",
    "classDef horizon stroke-dasharray:4 3",
    f"classDef never fill:none,stroke:{GREY},color:{GREY},stroke-dasharray:4 3",
    f"classDef best stroke:{ACCENT},stroke-width:3px",
]


def tree_mermaid(root: Node, *, windows: bool = True) -> str:
    """Return the tree beneath *root* as a Mermaid text."""
    windows = windows and root.has_windows()
    lines = ["flowchart TD"]
    for number, (node, parent) in enumerate(root.pairs()):
        left, right, symbol = FORMS[node.kind]
        lines.append(f"  n{number}{left}{_said(node, symbol, windows=windows)}{right}")
        classes: list[str] = [node.kind]
        if node.why in UNSEEN:
            classes = ["never"]
        elif node.why in ("over", "horizon"):
            classes.append(node.why)
        if node.best:
            classes.append("best")
        lines.extend(f"  class n{number} {name}" for name in classes)
        if parent >= 0:
            line = "-.-" if node.why in UNSEEN else "===" if node.best else "---"
            lines.append(f"  n{parent} {line}{f'|{quoted(node.edge)}|' if node.edge else ''} n{number}")
    return "\n".join([*lines, *(f"  {line}" for line in CLASSES), ""])


def _said(node: Node, symbol: str, *, windows: bool) -> str:
    window = node.window if windows and node.kind != "leaf" else ""
    why = "" if node.why in ("searched", "over", "horizon", "never") else node.why
    value = "" if node.why in UNSEEN else node.value
    texts = [" ".join(text for text in (symbol, value) if text), "" if node.why in UNSEEN else window, why]
    return quoted("\n".join(text for text in texts if text) or " ")


# All but letters, digits and signs that mean nothing there; what begins a list does so only before a space.
UNSAFE = re.compile(r"[^\w \[\](),/≥≤∞▲▼●+.-]|[+.-](?=\s|$)")


def quoted(text: str) -> str:
    """Return *text* as a Mermaid string: all that Mermaid or Markdown could take for a sign is written as its number."""
    lines = [UNSAFE.sub(lambda sign: f"#{ord(sign.group())};", line) for line in text.splitlines()]
    return '"' + ("<br/>".join(lines) or " ") + '"'
