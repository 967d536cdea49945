"""What was learned, square by square: how much the code of each cell adds to the value, as a picture.

The effect of a cell in a tuple is the mean of the tuple's weights over all codes of its other cells, each weight counted as often as it
was in use. The effects of all tuples with this cell add up, and so does what hidden units say when the code is put into the start of
the game. The game's own text tells where a square lies: put a stone on it, and see
which place in the text of `show` changes.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from outplay.learn.cells import Cell
from outplay.learn.network import Network, Shape
from outplay.learn.watching import words_of
from outplay.pictures.shapes import clean
from outplay.rules.game import Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory

PLAYER_0 = 2  # the phase in which player 0 is to move
SIDE, GAP, EDGE, HEAD = 26, 22, 10, 22  # of a square, between maps, around all, and above a map
MOST_MAPS = 4
GOOD, BAD = "#0072B2", "#D55E00"
Place = tuple[int, int]  # a row and a column


@dataclass(frozen=True)
class HeatMap:
    """What a code of each square of a board adds to the value, to player 0; *title* says which code."""

    title: str
    effects: dict[Place, float]


def heat_maps(game: Game, network: Network) -> list[HeatMap]:
    """Return a map for each code of the squares of each board. A board of digits has one map: what one more on a square adds."""
    shape = network.shape
    found: list[HeatMap] = []
    effects = [one + other for one, other in zip(_effects(network), _hidden_effects(game, network), strict=True)]
    for group in dict.fromkeys(cell.group for cell in shape.cells if cell.kind in ("square", "digit")):
        places = [place for place, cell in enumerate(shape.cells) if cell.group == group]
        cells = [shape.cells[place] for place in places]
        spots, signs = _spots(game, cells)
        if cells[0].kind == "square":
            for code in range(1, cells[0].size):
                title = f"“{signs[code]}”" if code in signs else _named(cells[0], code)
                worth = {spot: effects[place][code] - effects[place][0] for place, spot in zip(places, spots, strict=True)}
                found.append(HeatMap(title, worth))
        else:
            found.append(
                HeatMap(f"{group}, each more", {spot: _slope(effects[place]) for place, spot in zip(places, spots, strict=True)})
            )
    return found[:MOST_MAPS]


def heat_map_svg(game: Game, network: Network) -> str:
    """Return the maps side by side as SVG; an empty text if the learner sees no board."""
    maps = heat_maps(game, network)
    if not maps:
        return ""
    most = max((abs(effect) for one in maps for effect in one.effects.values()), default=0.0) or 1.0
    parts, left, tall = [], float(EDGE), 0.0
    for one in maps:
        rows, columns = (1 + max(place[axis] for place in one.effects) for axis in (0, 1))
        parts.append(f'<text x="{left:g}" y="{EDGE + 10}" fill="currentColor">{clean(one.title)}</text>')
        for (row, column), effect in one.effects.items():
            x, y = left + column * SIDE, HEAD + EDGE + row * SIDE
            parts.append(
                f'<rect x="{x:g}" y="{y:g}" width="{SIDE - 2}" height="{SIDE - 2}" rx="3" fill="{GOOD if effect >= 0 else BAD}" '
                f'fill-opacity="{0.06 + 0.94 * abs(effect) / most:.2f}"><title>{effect:+.3f}</title></rect>'
            )
        left += max(columns * SIDE, 90) + GAP
        tall = max(tall, rows * SIDE)
    player = clean(game.players[0])
    words = f"Blue: good for {player}; orange: bad. The strongest colour is {most:.2g}."
    width, height = max(left - GAP + EDGE, 6.0 * len(words) + 2 * EDGE), HEAD + EDGE + tall + 24
    parts.append(f'<text x="{EDGE}" y="{height - 8:g}" fill="currentColor">{words}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" '
        f'aria-label="What each square is worth to {player}, as it was learned" font-family="sans-serif" font-size="11">{"".join(parts)}</svg>'
    )


def _effects(network: Network) -> list[Any]:
    """Return for each cell what each of its codes adds to the value on average, where player 0 is to move."""
    shape = network.shape
    phase = _phase_of_player_0(shape)
    known = bool(network.trust.any())
    found = [np.zeros(cell.size) for cell in shape.cells]
    means = []
    for number, chosen in enumerate(shape.tuples):
        sizes = shape.sizes(chosen)
        length = int(np.prod(sizes))
        first = shape.offsets[number] + phase * length
        weights = network.weights[first : first + length].astype(np.float64).reshape(sizes[::-1])
        uses = network.trust[2 * first + 1 : 2 * (first + length) : 2] if known else network.weights[first : first + length] != 0
        uses = uses.astype(np.float64).reshape(sizes[::-1])
        # The first cell of a tuple is the last axis.
        means.append([_mean_by_code(weights, uses, len(sizes) - 1 - place) for place in range(len(sizes))])
    for image, number in shape.lanes:
        for place, mean in zip(image, means[number], strict=True):
            found[place] += mean
    return found


def _hidden_effects(game: Game, network: Network) -> list[Any]:
    """Return for each cell how hidden units change the value when it has each of its codes in the start, and all else stays."""
    shape = network.shape
    found = [np.zeros(cell.size) for cell in shape.cells]
    if not shape.units:
        return found
    words = words_of(game, InterpretedRules(game), game.state(game.start))
    phase = _phase_of_player_0(shape)
    rows = [network.input_rows(number)[phase].astype(np.float64) for number in range(len(shape.inputs))]
    own = [each[shape.cells[place].code(words)] for place, each in zip(shape.inputs, rows, strict=True)]
    total = np.sum(own, axis=0)
    for place, each, here in zip(shape.inputs, rows, own, strict=True):
        sums = total - here + each
        values = shape.span * (sums / (1.0 + np.abs(sums)) * network.outputs).sum(1)
        found[place] = values - values.mean()
    return found


def _phase_of_player_0(shape: Shape) -> int:
    """Return which of the sets of phases holds states in which player 0 is to move; the first, if none does."""
    return shape.sets.index(PLAYER_0) if PLAYER_0 in shape.sets else 0


def _mean_by_code(weights: Any, uses: Any, axis: int) -> Any:
    """Return the mean weight for each code of one cell less the mean of all, each weight counted as often as it was in use."""
    others = tuple(other for other in range(weights.ndim) if other != axis)
    total, times = (weights * uses).sum(others), uses.sum(others)
    if not times.sum():
        return np.zeros(weights.shape[axis])
    mean = total.sum() / times.sum()
    return np.where(times > 0, total / np.maximum(times, 1e-30), mean) - mean


def _slope(effects: Any) -> float:
    """Return by how much an effect grows with each code, by least squares over the codes that were met."""
    codes = np.flatnonzero(effects)
    if len(codes) < 2:
        return 0.0
    centred = codes - codes.mean()
    return float((centred * effects[codes]).sum() / (centred**2).sum())


def _spots(game: Game, cells: Sequence[Cell]) -> tuple[list[Place], dict[int, str]]:
    """Return the row and the column of each of the *cells* of a board, and the sign that the game's text has for each code."""
    seen = _seen_spots(game, cells)
    return seen if seen is not None else (_guessed_spots(cells), {})


def _seen_spots(game: Game, cells: Sequence[Cell]) -> tuple[list[Place], dict[int, str]] | None:
    """Return where the text of a state changes with each cell, and to what; None if it does not tell."""
    if game.cells is not None:
        return None
    rules = InterpretedRules(game)
    changes: list[dict[Place, tuple[str, ...]]] = []
    try:
        words = words_of(game, rules, game.state(game.start))
        for cell in cells:
            texts = [_text(game, rules, cell.written(words, code)) for code in range(min(cell.size, 3))]
            changes.append(_changes(texts))
    except Exception:  # the game may be unable to show a state that no game reaches
        return None
    # A place that changes with most cells is not a square but, for example, a score below the board.
    often = Counter(place for change in changes for place in change)
    changes = [{place: signs for place, signs in change.items() if 2 * often[place] <= len(cells)} for change in changes]
    places = [next(iter(change)) for change in changes if len(change) == 1]
    if len(places) != len(cells) or len(set(places)) != len(cells):
        return None
    signs = {next(iter(change.values())) for change in changes}
    return _packed(places), dict(enumerate(signs.pop(), 1)) if len(signs) == 1 else {}


def _named(cell: Cell, code: int) -> str:
    """Return what a code of a square means, as far as the names of the boards tell."""
    names = cell.group.split(" and ")
    return f"{cell.group}, code {code}" if cell.nested or len(names) != cell.size - 1 else names[code - 1]


def _text(game: Game, rules: InterpretedRules, words: Sequence[int] | None) -> list[str]:
    if words is None:
        raise ValueError("the cell cannot have this code")
    return str(game.show(rules.load_state(Memory(enumerate(words)), 0))).split("\n")


def _changes(texts: Sequence[list[str]]) -> dict[Place, tuple[str, ...]]:
    """Return the characters at which all *texts* differ, by row and column; the characters of the first text are left out."""
    if any(list(map(len, text)) != list(map(len, texts[0])) for text in texts):
        return {}
    found = {}
    for row, line in enumerate(texts[0]):
        for column in range(len(line)):
            signs = tuple(text[row][column] for text in texts)
            if len(set(signs)) == len(texts):
                found[row, column] = signs[1:]
    return found


def _packed(places: list[Place]) -> list[Place]:
    """Return *places* without the rows and the columns that none of them is in."""
    rows, columns = (sorted({place[axis] for place in places}) for axis in (0, 1))
    return [(rows.index(row), columns.index(column)) for row, column in places]


def _guessed_spots(cells: Sequence[Cell]) -> list[Place]:
    """Return places for *cells*: bits that follow each other without a gap are a row; otherwise rows are as long as there are rows."""
    bits = [cell.terms[0].shift if cell.kind == "square" else place for place, cell in enumerate(cells)]
    row, spots = 0, [(0, 0)]
    for before, bit in pairwise(bits):
        row, column = (row, spots[-1][1] + 1) if bit == before + 1 else (row + 1, 0)
        spots.append((row, column))
    if row == 0 and len(cells) > 8 and math.isqrt(len(cells)) ** 2 == len(cells):
        width = math.isqrt(len(cells))
        return [divmod(place, width) for place in range(len(cells))]
    return spots
