"""Which cells a network looks at together: tuples, grown cell by cell, mostly by related ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from outplay.learn.cells import ROUGHLY, Cell
from outplay.learn.symmetries import Permutation

WHOLE = 1 << 18  # a state with fewer combinations of all its cells has a weight for each
FEW, SHARPNESS = 8, 3  # of few tuples, each takes the cells that have most to do with it; many are better if they differ
NOISE = 0.02  # how often a tuple takes in a cell that has nothing to do with it


def choose_tuples(
    cells: Sequence[Cell], matrix: Any, symmetries: Sequence[Permutation], *, apart: set[int], lanes: int, length: int, most: int,
    seed: int,
) -> tuple[tuple[int, ...], ...]:  # fmt: skip
    """Return tuples with about *lanes* lanes, and one for each number alone; no tuple is the image of another.

    A tuple has at most *length* cells and *most* combinations of their codes. Cells of the words *apart* only stand alone.
    """
    outside = [place for place, cell in enumerate(cells) if cell.terms[0].word in apart]
    fine = [place for place, cell in enumerate(cells) if not cell.rough]
    alone = [(place,) for place in range(len(cells))]
    whole = tuple(fine)
    if np.prod([float(cells[place].size) for place in fine]) <= WHOLE:
        return _different([whole, *_rough(cells, fine), *alone], symmetries)
    inside = [place for place in range(len(cells)) if place not in outside]
    grown = _grown(cells, matrix, inside, symmetries, lanes, length, most, np.random.default_rng(seed))
    covered = {place for chosen in grown for image in images_of(chosen, symmetries) for place in image}
    alone = [(place,) for place, cell in enumerate(cells) if cell.kind == "number" or place not in covered]
    return _different([*grown, *alone], symmetries)


def images_of(chosen: Sequence[int], symmetries: Sequence[Permutation]) -> set[frozenset[int]]:
    """Return the sets of cells that a tuple and its images look at."""
    return {frozenset(symmetry[place] for place in chosen) for symmetry in symmetries}


def _different(tuples: Sequence[tuple[int, ...]], symmetries: Sequence[Permutation]) -> tuple[tuple[int, ...], ...]:
    """Return *tuples* without those that are images of others."""
    seen, kept = set[frozenset[int]](), []
    for chosen in tuples:
        if chosen and frozenset(chosen) not in seen:
            seen |= images_of(chosen, symmetries)
            kept.append(chosen)
    return tuple(kept)


def _rough(cells: Sequence[Cell], fine: Sequence[int]) -> list[tuple[int, ...]]:
    """Return tuples of all cells, all rough or all but one rough, and all pairs: they learn faster than the whole state."""
    rough = {cells[place].name: place for place in range(len(cells))}
    partner = {place: rough.get(cells[place].name + ROUGHLY, place) for place in fine}
    made = [tuple(partner[place] if place != kept else place for place in fine) for kept in fine]
    pairs = [(one, other) for one in fine for other in fine if one < other]
    return [tuple(partner[place] for place in fine), *made, *pairs]


def _grown(
    cells: Sequence[Cell], matrix: Any, inside: list[int], symmetries: Sequence[Permutation], lanes: int, length: int, most: int,
    dice: np.random.Generator,
) -> list[tuple[int, ...]]:  # fmt: skip
    """Return tuples grown by a random walk; each begins at a cell that few others have."""
    found, seen, width = list[tuple[int, ...]](), set[frozenset[int]](), 0
    words = [{term.word for term in cell.terms} for cell in cells]
    sizes = np.array([cell.size for cell in cells])
    sharpness = SHARPNESS if lanes <= FEW * len(symmetries) else 1
    times = np.full(len(cells), np.inf)
    times[inside] = 0
    outside = np.isinf(times)
    for _ in range(50 * lanes if inside else 0):
        if width >= lanes:
            break
        chosen = [int(dice.choice(np.flatnonzero(times == times.min())))]
        size = int(sizes[chosen[0]])
        while len(chosen) < length:
            pull = matrix[chosen].sum(0) + NOISE * matrix.mean()
            pull[(sizes * size > most) | outside] = 0
            for place in range(len(cells)):
                if place in chosen or any(words[place] & words[other] and cells[place].kind == "number" for other in chosen):
                    pull[place] = 0
            pull = (pull / max(pull.max(), 1e-300)) ** sharpness
            if pull.sum() <= 0:
                break
            chosen.append(int(dice.choice(len(cells), p=pull / pull.sum())))
            size *= int(sizes[chosen[-1]])
        made = tuple(sorted(chosen))
        if frozenset(made) in seen:
            times[chosen[0]] += 0.25
            continue
        found.append(made)
        images = images_of(made, symmetries)
        seen |= images
        width += len({tuple(symmetry[place] for place in made) for symmetry in symmetries})
        for image in images:
            times[list(image)] += 1 / len(images)
    return found
