"""The shapes of which pictures of games consist. `outplay.pictures.picture` explains their classes and data.

Every function returns SVG as text. Many shapes of one kind are one path, because a tree may show thousands of pictures.
"""

import re
from collections.abc import Iterable
from html import escape

COLOURS = {
    "board": "#E9E4D8",
    "cell": "#F7F4EC",
    "grid": "#8A8577",
    "first": "#0072B2",
    "second": "#D55E00",
    "mark": "#FFFFFF",
    "glyph": "#FFFFFF",
    "ink": "#1F2328",
    "faint": "#6B7280",
    "card": "#FFFFFF",
    "die": "#FFFFFF",
    "last": "#009E73",
    "hit": "#009E73",
}
STROKED = ("grid", "mark", "last")
FONT = "system-ui, sans-serif"

Point = tuple[float, float]


def svg(width: float, height: float, label: str, *parts: str) -> str:
    """Return a complete picture of *parts* on a background; *label* is for a screen reader."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {short(width)} {short(height)}" role="img" '
        f'aria-label="{clean(label)}" font-family="{FONT}">{box(0, 0, width, height, "board", corner=12)}{"".join(parts)}</svg>'
    )


def legible(text: str) -> str:
    """Return *text* with a replacement sign for each control character and surrogate, which SVG does not allow."""
    return re.sub("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


def clean(text: str) -> str:
    """Return *text* for SVG: legible and escaped."""
    return escape(legible(text))


def short(number: float) -> str:
    """Return a coordinate with one decimal at most."""
    text = f"{number:.1f}"
    return text[:-2] if text.endswith(".0") else text


def paint(kind: str, line: float = 2) -> str:
    """Return the attributes that give a shape its class and colour; *line* is the width of a stroke.

    A *kind* that is a colour, such as #6F4323, has no class: it is the same in dark mode.
    """
    if kind.startswith("#"):
        return f'fill="{kind}"'
    if kind in STROKED:
        return f'class="{kind}" fill="none" stroke="{COLOURS[kind]}" stroke-width="{short(line)}" stroke-linecap="round"'
    return f'class="{kind}" fill="{COLOURS[kind]}"'


def box(
    x: float, y: float, width: float, height: float, kind: str, *, corner: float = 0, line: float = 2, edge: bool = False
) -> str:
    """Return a rectangle with corners of radius *corner*, with or without an *edge*."""
    more = (f' rx="{short(corner)}"' if corner else "") + (f' stroke="{COLOURS["grid"]}"' if edge else "")
    return f'<rect x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}" {paint(kind, line)}{more}/>'


def path(points: str, kind: str, *, line: float = 2) -> str:
    """Return an SVG path; a path inside another one is a hole."""
    rule = "" if kind in STROKED else ' fill-rule="evenodd"'
    return f'<path d="{points}" {paint(kind, line)}{rule}/>' if points else ""


def lines(ends: Iterable[tuple[float, float, float, float]], kind: str, *, line: float = 2) -> str:
    """Return straight lines, each from (x, y) to (x, y), as one path."""
    return path("".join(f"M{short(a)} {short(b)}L{short(c)} {short(d)}" for a, b, c, d in ends), kind, line=line)


def through(one: Point, other: Point) -> tuple[float, float, float, float]:
    """Return the line from *one* point to the *other*, slightly longer at both ends."""
    across, down = (other[0] - one[0]) / 6, (other[1] - one[1]) / 6
    return one[0] - across, one[1] - down, other[0] + across, other[1] + down


def dots(centres: Iterable[Point], radius: float, kind: str, *, line: float = 2) -> str:
    """Return circles of one size as one path."""
    return path("".join(round_at(x, y, radius) for x, y in centres), kind, line=line)


def round_at(x: float, y: float, radius: float) -> str:
    """Return the path of a circle."""
    r, across = short(radius), short(2 * radius)
    return f"M{short(x - radius)} {short(y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0z"


def crosses(centres: Iterable[Point], radius: float, kind: str, *, line: float = 2) -> str:
    """Return crosses, whose arms reach *radius* to each side, as one path."""
    across = short(2 * radius)
    arms = (f"M{short(x - radius)} {short(y - radius)}l{across} {across}m0 -{across}l-{across} {across}" for x, y in centres)
    return path("".join(arms), kind, line=line)


def squares(corners: Iterable[Point], size: float, kind: str) -> str:
    """Return squares of one size, by their upper left corners, as one path with slightly round corners."""
    side, bend = short(0.8 * size), f"a{short(0.1 * size)} {short(0.1 * size)} 0 0 1 "
    one, back = short(0.1 * size), f"-{short(0.1 * size)}"
    shape = f"h{side}{bend}{one} {one}v{side}{bend}{back} {one}h-{side}{bend}{back} {back}v-{side}{bend}{one} {back}z"
    return path("".join(f"M{short(x + 0.1 * size)} {short(y)}{shape}" for x, y in corners), kind)


def words(
    x: float,
    y: float,
    text: object,
    kind: str = "ink",
    *,
    size: float = 14,
    at: str = "middle",
    bold: bool = False,
    font: str = "",
) -> str:
    """Return a line of text; *y* is its baseline, and *x* its start, end or middle, as *at* says."""
    more = ("" if at == "start" else f' text-anchor="{at}"') + (' font-weight="600"' if bold else "")
    more += f' font-family="{font}"' if font else ""
    return f'<text x="{short(x)}" y="{short(y)}" font-size="{short(size)}"{more} {paint(kind)}>{clean(str(text))}</text>'


def centred(x: float, y: float, text: object, kind: str = "ink", *, size: float = 14, bold: bool = False) -> str:
    """Return a line of text whose capitals and digits have their middle at a point."""
    return words(x, y + 0.36 * size, text, kind, size=size, bold=bold)


# Elements to click. They are invisible until the page shows them; without a move there is no element.


def hit(
    x: float,
    y: float,
    width: float,
    height: float,
    moves: Iterable[int],
    label: str,
    *,
    corner: float = 6,
    anchored: bool = True,
    start: Iterable[int] | None = None,
) -> str:
    """Return a rectangle to click for *moves*. *anchored*: their values are written in its middle.

    *start*: the moves of a piece that stands here; none of them, where nothing goes from one place to another.
    """
    place = f'x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}" rx="{short(corner)}"'
    going = "" if start is None else f' data-from="{" ".join(map(str, start))}"'
    return _hit(f"rect {place}{going}", moves, label, anchored)


def hit_path(points: str, moves: Iterable[int], label: str, *, anchored: bool = True) -> str:
    """Return the shape of a path to click for *moves*."""
    return _hit(f'path d="{points}"', moves, label, anchored)


def hit_dot(x: float, y: float, radius: float, moves: Iterable[int], label: str, *, anchored: bool = True) -> str:
    """Return a circle to click for *moves*."""
    return _hit(f'circle cx="{short(x)}" cy="{short(y)}" r="{short(radius)}"', moves, label, anchored)


def anchor(x: float, y: float, moves: Iterable[int]) -> str:
    """Return the place for the values of *moves*, if it is not the middle of the element to click."""
    listed = " ".join(map(str, moves))
    place = f'cx="{short(x)}" cy="{short(y)}" r="8" fill="none"'
    return f'<circle {place} data-moves="{listed}" data-anchor=""/>' if listed else ""


def _hit(shape: str, moves: Iterable[int], label: str, anchored: bool) -> str:
    listed = " ".join(map(str, moves))
    data = f'data-moves="{listed}"' + (' data-anchor=""' if anchored else "")
    return f'<{shape} {paint("hit")} fill-opacity="0" {data} aria-label="{clean(label)}"/>' if listed else ""
