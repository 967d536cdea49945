"""Where the nodes of a tree stand, side by side: a tidy layout.

After Reingold and Tilford, with Buchheim's way of spreading the subtrees between: each subtree is laid out on its own, then
pushed against those to its left until no two nodes of one level overlap. Only the contours are compared, and a thread leads
from the end of a short contour on to the deeper one behind it, so the time is linear. No recursion: trees may be deep.

Places are kept relative to the parent until the end, so that a subtree is moved by moving its root.
"""

from collections.abc import Sequence


def tidy(children: Sequence[Sequence[int]], widths: Sequence[float], *, gap: float) -> list[float]:
    """Return the centre of each node from the left; the leftmost edge is at 0.

    Node 0 is the root, and every node has a larger number than its parent. On each level nodes stand in order, at least *gap*
    between their edges; a parent stands midway between its first child and its last.
    """
    outlines = _Outlines(len(children))
    offsets = [0.0] * len(children)
    for node in range(len(children) - 1, -1, -1):
        if children[node]:
            places = _side_by_side(children[node], widths, gap, outlines)
            outlines.close(node, children[node], places)
            for child, place in zip(children[node], places, strict=True):
                offsets[child] = place - places[-1] / 2
    centres = [0.0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            centres[child] = centres[node] + offsets[child]
    left = min(centre - width / 2 for centre, width in zip(centres, widths, strict=True))
    return [centre - left for centre in centres]


class _Outlines:
    """The contours of the subtrees laid out so far: from each node the next one down on either side, and how far off it is.

    `end` is the lowest node of a subtree's contour: where a thread to a deeper neighbour begins.
    """

    def __init__(self, count: int) -> None:
        self.height = [0] * count
        self.left, self.left_by = [-1] * count, [0.0] * count
        self.right, self.right_by = [-1] * count, [0.0] * count
        self.left_end, self.left_end_by = list(range(count)), [0.0] * count
        self.right_end, self.right_end_by = list(range(count)), [0.0] * count

    def close(self, node: int, below: Sequence[int], places: Sequence[float]) -> None:
        """Make the contours of *node*'s subtree of those of its children, which stand at *places* from the first."""
        middle = places[-1] / 2
        deepest = max(self.height[child] for child in below)
        self.height[node] = deepest + 1
        self.left[node], self.left_by[node] = below[0], -middle
        self.right[node], self.right_by[node] = below[-1], middle
        first = next(index for index, child in enumerate(below) if self.height[child] == deepest)
        last = next(index for index in range(len(below) - 1, -1, -1) if self.height[below[index]] == deepest)
        self.left_end[node] = self.left_end[below[first]]
        self.left_end_by[node] = places[first] + self.left_end_by[below[first]] - middle
        self.right_end[node] = self.right_end[below[last]]
        self.right_end_by[node] = places[last] + self.right_end_by[below[last]] - middle


def _side_by_side(below: Sequence[int], widths: Sequence[float], gap: float, outlines: _Outlines) -> list[float]:
    """Return the places of the children *below*, from that of the first, and thread their contours together."""
    places = [0.0] * len(below)
    room, share = [0.0] * len(below), [0.0] * len(below)  # what is later spread among the subtrees between two that touch
    seen = [0]  # the children whose end can be seen from the right: each deeper than all after it
    deepest = 0  # the first of the deepest children so far: its left contour is the longest

    for index in range(1, len(below)):
        # 1. Walk down the right contour of those before and the left one of this child, as far as both go.
        child = below[index]
        right, right_at = below[index - 1], places[index - 1]
        left, left_at = child, 0.0  # counted from the child, which has no place yet
        place, level, owner = -float("inf"), 0, len(seen) - 1
        while True:
            while outlines.height[below[seen[owner]]] < level:
                owner -= 1
            missing = right_at + (widths[right] + widths[left]) / 2 + gap - left_at - place
            if missing > 0:
                steps = index - seen[owner]
                if steps > 1:  # the subtrees between are spread evenly, lest all the room be on one side
                    room[index] += missing
                    share[index] -= missing / steps
                    share[seen[owner]] += missing / steps
                    place += missing
                else:
                    place = right_at + (widths[right] + widths[left]) / 2 + gap - left_at
            if outlines.right[right] < 0 or outlines.left[left] < 0:
                break
            right_at += outlines.right_by[right]
            right = outlines.right[right]
            left_at += outlines.left_by[left]
            left = outlines.left[left]
            level += 1
        places[index] = place

        # 2. Where the one is deeper, the contour of the other goes on along it.
        if outlines.left[left] >= 0:
            end = outlines.left_end[below[deepest]]
            end_at = places[deepest] + outlines.left_end_by[below[deepest]]
            outlines.left[end] = outlines.left[left]
            outlines.left_by[end] = place + left_at + outlines.left_by[left] - end_at
            deepest = index
        elif outlines.right[right] >= 0:
            end = outlines.right_end[child]
            outlines.right[end] = outlines.right[right]
            outlines.right_by[end] = right_at + outlines.right_by[right] - place - outlines.right_end_by[child]
        while seen and outlines.height[below[seen[-1]]] <= outlines.height[child]:
            seen.pop()
        seen.append(index)

    # 3. Those between two that touch lie lower than neither, so their contours are not used again and they may move.
    moved = growth = 0.0
    for index in range(len(below) - 1, -1, -1):
        places[index] += moved
        growth += share[index]
        moved += room[index] + growth
    return places
