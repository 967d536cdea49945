"""The marks that a drawn tree is made of, as pieces of SVG; the drawing and its legend share them."""

from outplay.draw.node import UNSEEN, Node
from outplay.pictures.shapes import clean, short

INK, FAINT, PAPER = "#1F2328", "#6B7280", "#FFFFFF"
ACCENT = "#009E73"  # best play
GREY = "#A9A598"  # where no search has been
LINE = "#8A8577"
CUT, TAG = "#F3D9E6", "#EEECE5"  # the grounds of small tags
SHAPES = {  # fill and outline of each kind
    "max": ("#D9EAF5", "#0072B2"),
    "min": ("#FBE5D6", "#D55E00"),
    "chance": ("#FFFFFF", "#1F2328"),
    "leaf": ("#FFFFFF", "#8A8577"),
}
PAST = 0.6  # how far down an edge it is cut
OVER = "#E9E4D8"  # a leaf is filled where the game is over


def words(
    x: float,
    y: float,
    text: str,
    kind: str,
    size: float,
    *,
    fill: str = INK,
    bold: bool = False,
    anchor: str = "middle",
    upright: bool = False,
) -> str:
    """Return a line of text with its baseline at *y*; *upright*: it reads from the bottom to the top."""
    look = f'font-size="{short(size)}" fill="{fill}"'
    if anchor != "start":
        look += f' text-anchor="{anchor}"'
    if bold:
        look += ' font-weight="bold"'
    if upright:
        look += f' transform="rotate(-90 {short(x)} {short(y)})"'
    return f'<text class="{kind}" x="{short(x)}" y="{short(y)}" {look}>{clean(text)}</text>'


def shape(node: Node, x: float, top: float, width: float, height: float) -> str:
    """Return the shape of *node*, centred on *x*: triangle up, triangle down, circle or square."""
    fill, line = SHAPES[node.kind]
    look = 'stroke-width="1.6"'
    if node.why in UNSEEN:
        fill, line, look = PAPER, GREY, 'stroke-width="1.2" stroke-dasharray="3 2.5"'
    elif node.kind == "leaf" and node.why == "over":
        fill = OVER
    elif node.kind == "leaf" and node.why == "horizon":
        look = 'stroke-width="1.4" stroke-dasharray="3.5 2.5"'
    if node.best:
        line, look = ACCENT, look.replace('stroke-width="1.', 'stroke-width="2.')
    look = f'class="shape" fill="{fill}" stroke="{line}" {look} stroke-linejoin="round"'
    half = width / 2
    if node.kind == "max":
        return f'<path d="M{short(x)} {short(top)}L{short(x + half)} {short(top + height)}H{short(x - half)}Z" {look}/>'
    if node.kind == "min":
        return f'<path d="M{short(x)} {short(top + height)}L{short(x + half)} {short(top)}H{short(x - half)}Z" {look}/>'
    if node.kind == "chance":
        return f'<circle cx="{short(x)}" cy="{short(top + half)}" r="{short(half)}" {look}/>'
    return f'<rect x="{short(x - half)}" y="{short(top)}" width="{short(width)}" height="{short(height)}" rx="{short(0.2 * height)}" {look}/>'


def value_line(kind: str, top: float, height: float, size: float) -> float:
    """Return the baseline of a value in a shape: low in a triangle that stands, high in one that hangs."""
    if kind == "max":
        return top + height - 0.36 * size
    if kind == "min":
        return top + 1.16 * size
    return top + height / 2 + 0.36 * size


def edge_look(node: Node) -> str:
    """Return the attributes of the edge that leads to *node*."""
    if node.why in UNSEEN:
        return f'stroke="{GREY}" stroke-width="1.3" stroke-dasharray="4 3"'
    if node.best:
        return f'stroke="{ACCENT}" stroke-width="3.2" stroke-linejoin="round"'
    return f'stroke="{LINE}" stroke-width="1.3"'


def slash(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return a double stroke through the line from *start* to *end*, past its middle: there lines that spread are apart."""
    (x0, y0), (x1, y1) = start, end
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
    along_x, along_y = (x1 - x0) / length, (y1 - y0) / length
    # The strokes meet the edge at 60 degrees, 4 pixels apart; on either side of the parent the steeper way.
    half = -0.5 if x1 >= x0 else 0.5
    lean_x, lean_y = 5.5 * (half * along_x + 0.87 * along_y), 5.5 * (half * along_y - 0.87 * along_x)
    path = ""
    for shift in (-2, 2):
        x, y = x0 + (PAST * length + shift) * along_x, y0 + (PAST * length + shift) * along_y
        path += f"M{short(x - lean_x)} {short(y - lean_y)}L{short(x + lean_x)} {short(y + lean_y)}"
    return f'<path class="slash" d="{path}" fill="none" stroke="{INK}" stroke-width="1.5" stroke-linecap="round"/>'


def pill(x: float, y: float, text: str, kind: str, size: float, width: float) -> str:
    """Return a small tag centred on *x*, its upper edge at *y*."""
    height = 1.4 * size
    ground = f'fill="{CUT if kind == "cut" else TAG}"'
    rectangle = f'<rect x="{short(x - width / 2)}" y="{short(y)}" width="{short(width)}" height="{short(height)}" rx="{short(height / 2)}" {ground}/>'
    text = f'<text x="{short(x)}" y="{short(y + 1.05 * size)}" font-size="{short(size)}" fill="{INK}" text-anchor="middle"' + (
        f' font-weight="bold">{clean(text)}</text>' if kind == "cut" else f">{clean(text)}</text>"
    )
    return f'<g class="{kind}">{rectangle}{text}</g>'
