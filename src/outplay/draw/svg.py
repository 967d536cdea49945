"""A tree as an SVG that stands alone: the picture of a textbook.

Colours are presentation attributes, and a page may restyle them by the classes:

    tree        the whole            paper   the ground          edge    a line from parent to child
    node        a group, with its kind (max, min, chance, leaf), its why ("beta-cut", "never", ...) and "best"
    shape       triangle, circle or square                       value   label   window   cut   tag   texts
    slash       the double stroke through an edge that was cut   legend  heading

No script, no style and no id, so that several stand on one page. The tooltip of a node says all that is known of it.
"""

from outplay.draw import marks
from outplay.draw.boxes import COMPACT, CUTS, MANY, ROOMY, Box, Sizes, boxes, note_height, note_width
from outplay.draw.legend import legend
from outplay.draw.node import UNSEEN, WHYS, Node
from outplay.draw.places import STEM, Places, place
from outplay.pictures.shapes import clean, short

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
MARGIN = 24.0
NARROWEST = 440.0  # the legend and the title need some room


def tree_svg(root: Node, *, windows: bool = True, pictures: bool = False, title: str = "") -> str:
    """Return the tree beneath *root* as an SVG text.

    *windows*: write alpha and beta at the nodes. *pictures*: draw the states beneath their nodes, where they have a picture.
    """
    windows = windows and root.has_windows()
    sizes = COMPACT if sum(1 for _ in root.walk()) > MANY else ROOMY
    tree = place(boxes(root, sizes, windows=windows, pictures=pictures), sizes, top=36 if title else 0)
    inner = max(tree.right, NARROWEST)
    key, key_height = legend(root, min(inner, 1600), windows=windows)
    width, height = inner + 2 * MARGIN, tree.bottom + 20 + key_height + 2 * MARGIN
    shift = MARGIN + (inner - tree.right) / 2
    # What is drawn later covers what is drawn earlier: grey edges, then the plain ones, then best play.
    edges = sorted((box for box in tree.boxes if box.parent >= 0), key=lambda box: (box.node.best, box.node.why not in UNSEEN))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" aria-label="{clean(_name(root, title))}" '
            f'width="{short(width)}" height="{short(height)}" viewBox="0 0 {short(width)} {short(height)}" font-family="{FONT}">',
            f'<rect class="paper" width="{short(width)}" height="{short(height)}" fill="{marks.PAPER}"/>',
            *([marks.words(MARGIN, MARGIN + 14, title, "heading", 16, bold=True, anchor="start")] if title else []),
            f'<g transform="translate({short(shift)} {short(MARGIN)})">',
            '<g fill="none">',
            *(_edge(tree, box) for box in edges),
            "</g>",
            *(_slash(tree, box) for box in edges if box.node.why == "never" and tree.boxes[box.parent].node.why in CUTS),
            *(_node(tree, box, sizes) for box in tree.boxes),
            "</g>",
            f'<g class="legend" transform="translate({short(MARGIN)} {short(tree.bottom + 20 + MARGIN)})">{key}</g>',
            "</svg>",
            "",
        ]
    )


def _edge(tree: Places, box: Box) -> str:
    """Return the line to *box*: down from its parent, slanting to the joint, and upright on to the shape; the label breaks it."""
    parent = tree.boxes[box.parent]
    x, row = tree.x(box), tree.row(box)
    path = f"M{short(tree.x(parent))} {short(tree.last(parent))}V{short(tree.row(parent).end)}L{short(x)} {short(row.joint)}"
    if box.labels:
        path += f"V{short(row.top - STEM - box.label_height)}M{short(x)} {short(row.top - STEM + 1)}"
    return f'<path class="edge{_classes(box.node)}" d="{path}V{short(tree.shape_top(box))}" {marks.edge_look(box.node)}/>'


def _slash(tree: Places, box: Box) -> str:
    parent = tree.boxes[box.parent]
    return marks.slash((tree.x(parent), tree.row(parent).end), (tree.x(box), tree.row(box).joint))


def _node(tree: Places, box: Box, sizes: Sizes) -> str:
    node, x, top = box.node, tree.x(box), tree.shape_top(box)
    parts = [f'<g class="node {node.kind}{_classes(node)}"><title>{clean(told(node))}</title>']
    parts.append(marks.shape(node, x, top, box.shape_width, box.shape_height))
    if box.inside:
        line = marks.value_line(node.kind, top, box.shape_height, sizes.value)
        parts.append(marks.words(x, line, box.inside, "value", sizes.value, bold=True))
    parts.append(_labels(tree, box, sizes))
    y = tree.foot(box) + (4 if box.notes else 0)
    for kind, text in box.notes:
        parts.append(_note(x, y, kind, text, sizes))
        y += note_height(kind, sizes)
    if box.picture:
        size = f'width="{short(box.picture.width)}" height="{short(box.picture.height)}"'
        if node.why in UNSEEN:
            size += ' opacity="0.4"'
        parts.append(
            f'<svg x="{short(x - box.picture.width / 2)}" y="{short(y + 6)}" {size} {box.picture.attributes}>{box.picture.inside}</svg>'
        )
    return "".join([*parts, "</g>"])


def _labels(tree: Places, box: Box, sizes: Sizes) -> str:
    node, x, size = box.node, tree.x(box), sizes.label
    bottom = tree.row(box).top - STEM
    ink = marks.FAINT if node.why in UNSEEN else marks.INK
    if box.upright:
        return marks.words(
            x + 0.35 * size, bottom - 2, box.labels[0], "label", size, fill=ink, bold=node.best, anchor="start", upright=True
        )
    lines = []
    for line, text in enumerate(reversed(box.labels)):
        chance = line == 0 and node.probability != ""
        baseline = bottom - line * sizes.line(size) - 0.25 * size
        lines.append(marks.words(x, baseline, text, "label", size, fill=marks.FAINT if chance else ink, bold=node.best))
    return "".join(lines)


def _note(x: float, y: float, kind: str, text: str, sizes: Sizes) -> str:
    if kind in ("cut", "tag"):
        return marks.pill(x, y + 2, text, kind, sizes.small, note_width(kind, text, sizes))
    if kind == "value":
        return marks.words(x, y + sizes.value, text, kind, sizes.value, bold=True)
    return marks.words(x, y + sizes.small, text, kind, sizes.small, fill=marks.FAINT)


def _classes(node: Node) -> str:
    return (" " + node.why.replace(" ", "-") if node.why else "") + (" best" if node.best else "")


def told(node: Node) -> str:
    """Return all that is known of *node*, one thing a line."""
    lines = [
        f"{node.label}, probability {node.probability}" if node.label and node.probability else node.label or node.probability,
        f"{node.kind} {node.value}".strip(),
        f"window {node.window}" if node.window else "",
        f"{node.why}: {WHYS[node.why]}" if node.why in WHYS else node.why,
        node.note,
        f"{node.hidden:,} nodes beneath are not drawn" if node.hidden else "",
        f"visited as number {node.order}" if node.order >= 0 else "",
    ]
    return "\n".join(line for line in lines if line)


def _name(root: Node, title: str) -> str:
    count = sum(1 for _ in root.walk())
    worth = f", value {root.value}" if root.value else ""
    return f"{title + ': ' if title else ''}a tree of {count:,} node{'s' if count > 1 else ''}{worth}"
