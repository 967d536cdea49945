"""Drawings of discs, signs, cards, dice, coins and buttons."""

from collections.abc import Iterable, Sequence

from outplay.pictures.shapes import Point, box, centred, crosses, dots, hit, path, round_at, short, words

PLAYERS = ("first", "second")  # the classes of the players' pieces

# Where the pips of a die lie, in quarters of its side from its middle.
PIPS: tuple[tuple[Point, ...], ...] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)


def discs(centres: Iterable[Point], radius: float, player: int, *, mark: str = "") -> str:
    """Return discs of *player*, with a *mark* on each: "x", "o" or "none"; without a word, x of player 0 and o of player 1."""
    places, mark = list(centres), mark or "xo"[player]
    marks = crosses(places, 0.34 * radius, "mark", line=0.2 * radius) if mark == "x" else ""
    if mark == "o":
        marks = dots(places, 0.4 * radius, "mark", line=0.2 * radius)
    return dots(places, radius, PLAYERS[player]) + marks


def signs(centres: Iterable[Point], radius: float, player: int, letter: str) -> str:
    """Return large signs, X or O, in the colour of *player*; filled, so that one class colours all that is a player's."""
    if letter == "O":
        return path("".join(round_at(x, y, radius) + round_at(x, y, 0.66 * radius) for x, y in centres), PLAYERS[player])
    thick = short(0.28 * radius)
    arm = short(0.86 * radius)
    shape = f"l{arm} {arm}l{thick} -{thick}l-{arm} -{arm}l{arm} -{arm}l-{thick} -{thick}l-{arm} {arm}"
    shape += f"l-{arm} -{arm}l-{thick} {thick}l{arm} {arm}l-{arm} {arm}l{thick} {thick}z"
    return path("".join(f"M{short(x)} {short(y + 0.28 * radius)}{shape}" for x, y in centres), PLAYERS[player])


def tile(x: float, y: float, size: float, text: object, kind: str = "card") -> str:
    """Return a square tile with *text* on it; *kind* is card, or first or second where it is a player's."""
    face = box(x, y, size, size, kind, corner=size / 7, edge=kind == "card")
    return face + centred(x + size / 2, y + size / 2, text, "ink" if kind == "card" else "glyph", size=0.46 * size, bold=True)


def card(x: float, y: float, width: float, number: object, *, height: float = 0, kind: str = "card") -> str:
    """Return a playing card with a number in its corner and its middle; without a number it lies face down."""
    height = height or 1.4 * width
    face = box(x, y, width, height, kind, corner=width / 8, edge=True)
    if number is None:
        step = width / 6
        lattice = "".join(f"M{short(x + step)} {short(y + row * height / 8)}h{short(width - 2 * step)}" for row in range(1, 8))
        return face + path(lattice, "grid", line=1.5)
    corner = words(x + width / 10, y + 0.38 * width, number, size=0.34 * width, at="start", bold=True)
    return face + corner + centred(x + 0.56 * width, y + 0.64 * height, number, "faint", size=0.46 * width)


def die(x: float, y: float, size: float, face: int, *, kind: str = "die") -> str:
    """Return a die by its middle, with that face up; 0 for one without pips, in the air."""
    pips = [(x + right * size / 4, y + down * size / 4) for right, down in PIPS[face]]
    body = box(x - size / 2, y - size / 2, size, size, kind, corner=size / 5, edge=True)
    return body + (dots(pips, size / 10, "ink") if face else centred(x, y, "?", "faint", size=0.6 * size, bold=True))


def coin(x: float, y: float, radius: float, letter: str) -> str:
    """Return a coin with a letter up; without a letter it is seen from its edge, in the air."""
    if letter:
        rim = dots([(x, y)], radius, "card") + dots([(x, y)], radius, "grid", line=3)
        return rim + dots([(x, y)], 0.78 * radius, "grid", line=1) + centred(x, y, letter, size=radius, bold=True)
    across, thick = short(radius), short(0.22 * radius)
    edge = f"M{short(x - radius)} {short(y)}a{across} {thick} 0 1 0 {short(2 * radius)} 0a{across} {thick} 0 1 0 -{short(2 * radius)} 0z"
    swings = "".join(
        f"M{short(x - 0.5 * radius)} {short(y + side * far * radius)}q{short(0.5 * radius)} {short(side * 0.25 * radius)} {across} 0"
        for side in (-1, 1)
        for far in (0.5, 0.85)
    )
    return path(edge, "card") + path(edge, "grid", line=3) + path(swings, "grid", line=2)


def button(
    x: float, y: float, width: float, height: float, text: str, moves: Sequence[int], *, label: str = "", around: float = 0
) -> str:
    """Return a button with *text* on it, a screen reader's *label* if longer; without a move it is faint, and cannot be clicked.

    What is clicked reaches beyond it by so much *around*.
    """
    face = box(x, y, width, height, "card" if moves else "cell", corner=8, edge=bool(moves))
    size = min(15, 1.7 * width / max(len(text), 1))
    said = centred(x + width / 2, y + height / 2, text, "ink" if moves else "faint", size=size, bold=bool(moves))
    place = x - around, y - around, width + 2 * around, height + 2 * around
    return face + said + hit(*place, moves, label or text, corner=8 + around)


def gauge(
    x: float, y: float, width: float, share: float, player: int, *, more: float = 0, height: float = 12, ground: str = "cell"
) -> str:
    """Return a bar that *player* has filled to a *share* of 1, and may fill by so much *more*, which is pale."""
    bar = [box(x, y, width, height, ground, corner=height / 2)]
    for part, paleness in ((share + more, ' fill-opacity="0.4"'), (share, "")):
        long = max(min(part, 1) * width, height)
        if part > 0 and (more or not paleness):
            bar.append(box(x, y, long, height, PLAYERS[player], corner=height / 2).replace("<rect", f"<rect{paleness}"))
    return "".join(bar)
