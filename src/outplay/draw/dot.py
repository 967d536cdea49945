"""A tree in DOT, the language of Graphviz: `dot -Tpdf tree.dot -o tree.pdf`."""

from outplay.draw.marks import ACCENT, GREY, LINE, OVER, PAPER, SHAPES
from outplay.draw.node import UNSEEN, Node
from outplay.pictures.shapes import legible

FORMS = {"max": "triangle", "min": "invtriangle", "chance": "circle", "leaf": "box"}
FONT = 'fontname="Helvetica,Arial,sans-serif"'


def tree_dot(root: Node, *, windows: bool = True) -> str:
    """Return the tree beneath *root* as a DOT text."""
    windows = windows and root.has_windows()
    lines = [
        "digraph tree {",
        "  graph [ordering=out, ranksep=0.5, nodesep=0.2];",  # ordering: children stay as they are
        f'  node [{FONT}, fontsize=12, margin="0.05,0.04"];',
        f'  edge [{FONT}, fontsize=11, arrowhead=none, color="{LINE}"];',
    ]
    for number, (node, parent) in enumerate(root.pairs()):
        lines.append(f"  n{number} [{_node(node, windows=windows)}];")
        if parent >= 0:
            lines.append(f"  n{parent} -> n{number} [{_edge(node)}];")
    return "\n".join([*lines, "}", ""])


def _node(node: Node, *, windows: bool) -> str:
    unseen = node.why in UNSEEN
    window = node.window if windows and node.kind != "leaf" and not unseen else ""
    why = "" if node.why in ("searched", "over", "horizon", "never") else node.why
    said = "\n".join(text for text in ("" if unseen else node.value, window, why) if text)
    fill, line = SHAPES[node.kind]
    style = "filled"
    if unseen:
        fill, line, style = PAPER, GREY, "filled,dashed"
    elif node.why == "over":
        fill = OVER
    elif node.why == "horizon":
        style = "filled,dashed"
    if node.kind == "leaf":
        style += ",rounded"
    parts = [f"shape={FORMS[node.kind]}", f"label={quoted(said)}", f'style="{style}"', f'fillcolor="{fill}"']
    parts.append(f'color="{ACCENT}", penwidth=2.5' if node.best else f'color="{line}"')
    if unseen:
        parts.append(f'fontcolor="{GREY}"')
    if node.note:
        parts.append(f"tooltip={quoted(node.note)}")
    return ", ".join(parts)


def _edge(node: Node) -> str:
    parts = [f"label={quoted(node.edge)}"]
    if node.why in UNSEEN:
        parts.append(f'style=dashed, color="{GREY}", fontcolor="{GREY}"')
    elif node.best:
        parts.append(f'penwidth=3, color="{ACCENT}"')
    return ", ".join(parts)


def quoted(text: str) -> str:
    """Return *text* as a DOT string: Graphviz reads backslashes, quotes and HTML entities in it."""
    lines = (legible(line).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in text.splitlines())
    return '"' + "\\n".join(lines) + '"'
