"""Pictures of states, made small to stand within the drawing of a tree."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from outplay.errors import OptionError

_HIT = re.compile(r'<[^<>]*\bclass="hit"[^<>]*/>')  # what can be clicked on the page: unseen, and of no use here
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')""")
_OWN = ("x", "y", "width", "height", "xmlns", "role", "aria-label", "id", "class", "style")


@dataclass(frozen=True)
class Picture:
    """An SVG to nest into another: its size, the attributes of its root, and its content."""

    width: float
    height: float
    attributes: str
    inside: str


def nested(svg: str, side: float) -> Picture:
    """Return *svg* scaled so that its longer side is *side*; one that is no SVG is an error that says why."""
    try:
        ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise OptionError(
            f"the picture of a state is not valid SVG: {error}; correct the game's draw, or draw without pictures"
        ) from error
    opening = re.search(r"<svg\b[^>]*>", svg)
    if opening is None:
        raise OptionError(
            "the picture of a state is not an SVG: it has no <svg>; correct the game's draw, or draw without pictures"
        )
    attributes = {name: value[1:-1] for name, value in _ATTRIBUTE.findall(opening.group())}
    width, height = _view(attributes)
    scale = side / max(width, height)
    attributes.setdefault("viewBox", f"0 0 {width:g} {height:g}")
    kept = " ".join(f'{name}="{value}"' for name, value in attributes.items() if name not in _OWN and '"' not in value)
    inside = "" if opening.group().endswith("/>") else svg[opening.end() : svg.rindex("</svg")]
    return Picture(width * scale, height * scale, kept, _HIT.sub("", inside))


def _view(attributes: dict[str, str]) -> tuple[float, float]:
    """Return the width and height that an SVG's root tells."""
    try:
        if "viewBox" in attributes:
            _, _, width, height = map(float, attributes["viewBox"].replace(",", " ").split())
        else:
            width, height = (float(attributes[name].removesuffix("px")) for name in ("width", "height"))
    except (KeyError, ValueError):
        width = height = 0.0
    if not (width > 0 and height > 0):
        raise OptionError('the picture of a state has no size: give its <svg> a viewBox="0 0 WIDTH HEIGHT"')
    return width, height
