"""A tree in a notebook: in full if it fits; otherwise folded, with the full tree to unfold and scroll."""

import re
from collections import deque
from dataclasses import replace

from outplay.draw.node import Node
from outplay.draw.svg import tree_svg

CELL = 900.0  # pixels: about the width of a cell
FOLDS = (150, 100, 70, 50, 35, 25, 15, 0)  # how many nodes are drawn, until they fit
WHOLE = 2000  # nodes at the most, lest a notebook grow by megabytes

BOX = "overflow: auto; max-width: 100%; max-height: 42em; border: 1px solid #8A857766; border-radius: 6px; background: #FFFFFF"


def cell_svg(root: Node, *, windows: bool = True, title: str = "") -> str:
    """Return the tree beneath *root* as an SVG text that fits the width of a cell: in full or folded."""
    svg = tree_svg(root, windows=windows, title=title)
    for most in FOLDS:
        if _width(svg) <= CELL:
            break
        svg = tree_svg(folded(root, most), windows=windows, title=title)
    return svg


def cell_html(root: Node, *, windows: bool = True, title: str = "") -> str | None:
    """Return the folded tree above the full one, which can be unfolded and scrolled; None if the full tree fits."""
    if _width(tree_svg(root, windows=windows, title=title)) <= CELL:
        return None
    small = cell_svg(root, windows=windows, title=title)
    total = sum(1 for _ in root.walk())
    whole = folded(root, WHOLE)
    shown = sum(1 for _ in whole.walk())
    said = f"The whole tree: {total:,} nodes" if shown == total else f"More of it: {shown:,} of {total:,} nodes"
    large = tree_svg(whole, windows=windows)
    return (
        f'<div style="{BOX}">{_unsqueezed(small)}</div>'
        f'<details><summary style="cursor: pointer; padding: 0.4em 0">{said}</summary>'
        f'<div style="{BOX}">{_unsqueezed(large)}</div></details>'
    )


def folded(root: Node, most: int) -> Node:
    """Return the tree with at most *most* nodes, or those of a line of best play and beside it; other nodes have their children folded.

    Nodes near the root stay; `hidden` of a folded node says how many nodes were beneath it.
    """
    order = [root]  # level by level: every node after its parent
    for node in order:
        order.extend(node.children)
    sizes: dict[int, int] = {}
    for node in reversed(order):
        sizes[id(node)] = 1 + sum(sizes[id(child)] for child in node.children)
    if len(order) <= most:
        return root
    line = root  # of best play, where there is one; it stays open
    open_nodes = {id(root)}
    while following := next((child for child in line.children if child.best), None):
        line = following
        open_nodes.add(id(line))
    number = 1 + sum(len(node.children) for node in order if id(node) in open_nodes)
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        if id(node) not in open_nodes and number + len(node.children) <= most:
            open_nodes.add(id(node))
            number += len(node.children)
        if id(node) in open_nodes:
            waiting.extend(node.children)
    made: dict[int, Node] = {}
    for node in reversed(order):
        if not node.children:
            made[id(node)] = node
        elif id(node) in open_nodes:
            made[id(node)] = replace(node, children=tuple(made[id(child)] for child in node.children))
        else:
            made[id(node)] = replace(node, children=(), hidden=sizes[id(node)] - 1)
    return made[id(root)]


def _width(svg: str) -> float:
    found = re.search(r'<svg [^>]*?\bwidth="([\d.]+)"', svg)
    return float(found.group(1)) if found else 0.0


def _unsqueezed(svg: str) -> str:
    """Return a drawing that keeps its size in whatever is around it."""
    return svg.replace("<svg ", '<svg style="display: block; max-width: none; margin: 0 auto" ', 1)
