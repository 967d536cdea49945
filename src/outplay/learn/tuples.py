"""Which cells a network looks at together: tuples, grown cell by cell, mostly by related ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from outplay.learn.cells import ROUGHLY, Cell
from outplay.learn.symmetries import Permutation

WHOLE = 1 << 18  # a state with fewer combinations of all its cells has a weight for each
FEW = 8  # so few tuples are those of the most closely related cells; many are better if they differ
SHORTER, MORE_SHORT = 2 / 3, 1.25  # beside few long tuples, short ones learn sooner: so long, and so many times as many
KEPT = 24  # while few tuples grow: the best so many sets with each cell
NOISE = 0.02  # of many tuples: how often one takes in a cell that has nothing to do with it


def choose_tuples(
    cells: Sequence[Cell], matrix: Any, symmetries: Sequence[Permutation], *, apart: set[int], lanes: int, length: int, most: int,
    seed: int,
) -> tuple[tuple[int, ...], ...]:  # fmt: skip
    """Return tuples with about *lanes* lanes, and one for each number alone; no tuple is the image of another.

    A tuple has at most *length* cells and *most* combinations of their codes. Cells of the words *apart* only stand alone.
    """
    outside = [place for place, cell in enumerate(cells) if cell.terms[0].word in apart or cell.kind == "count"]
    fine = [place for place, cell in enumerate(cells) if not cell.rough and cell.kind != "count"]
    alone = [(place,) for place, cell in enumerate(cells) if cell.kind != "count"]
    whole = tuple(fine)
    if np.prod([float(cells[place].size) for place in fine]) <= WHOLE:
        return _different([whole, *_rough(cells, fine), *alone], symmetries)
    inside = [place for place in range(len(cells)) if place not in outside]
    if lanes <= FEW * len(symmetries):
        grown = _closest(cells, matrix, inside, symmetries, lanes, length, most)
        short, few = int(length * SHORTER), round(most**SHORTER)
        grown += _closest(cells, matrix, inside, symmetries, int(lanes * MORE_SHORT), short, few)
    else:
        grown = _grown(cells, matrix, inside, symmetries, lanes, length, most, np.random.default_rng(seed))
    covered = {place for chosen in grown for image in images_of(chosen, symmetries) for place in image}
    alone = [(place,) for place, cell in enumerate(cells) if cell.kind == "number" or place not in covered]
    numbers = [place for place in inside if cells[place].kind == "number"]
    return _different([*grown, *alone, *_counted(cells, numbers, most)], symmetries)


def _counted(cells: Sequence[Cell], numbers: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """Return the tuple of all counts of squares, and the same with each number that has room: how much each side has, and when."""
    counts = [place for place, cell in enumerate(cells) if cell.kind == "count"]
    size = int(np.prod([float(cells[place].size) for place in counts]))
    if not counts or size > most:
        return []
    return [tuple(counts), *((*counts, place) for place in numbers if size * cells[place].size <= most)]


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


def _closest(
    cells: Sequence[Cell], matrix: Any, inside: list[int], symmetries: Sequence[Permutation], lanes: int, length: int, most: int
) -> list[tuple[int, ...]]:
    """Return the tuples whose cells are related most closely: first such that see all cells, then the best of the others.

    Sets of cells grow side by side, cell by cell; of each length, those with the strongest relations within are kept.
    """
    links = np.mean([matrix[np.ix_(symmetry, symmetry)] for symmetry in symmetries], axis=0)
    sizes = [cell.size for cell in cells]
    growing, grown = {_first_image((place,), symmetries): 0.0 for place in inside}, dict[tuple[int, ...], float]()
    while growing:
        larger = dict[tuple[int, ...], float]()
        for chosen, strength in growing.items():
            room = most // int(np.prod([sizes[place] for place in chosen]))
            fits = [place for place in inside if sizes[place] <= room and _goes_with(cells, place, chosen)]
            if len(chosen) == length or not fits:
                grown[chosen] = strength
                continue
            pull = links[list(chosen)].sum(0)
            for place in fits:
                larger[_first_image((*chosen, place), symmetries)] = strength + float(pull[place])
        ranked, times, growing = _ranked(larger), np.zeros(len(cells), int), {}
        for chosen in ranked:
            seen = sorted({place for image in images_of(chosen, symmetries) for place in image})
            if (times[seen] < KEPT).any():
                growing[chosen] = larger[chosen]
                times[seen] += 1
    found, seen_cells, width = list[tuple[int, ...]](), set[int](), 0
    for must_see_more in (True, False):
        for chosen in _ranked(grown):
            images = images_of(chosen, symmetries)
            sees = {place for image in images for place in image}
            if width < lanes and chosen not in found and not (must_see_more and sees <= seen_cells):
                found.append(chosen)
                seen_cells |= sees
                width += len({tuple(symmetry[place] for place in chosen) for symmetry in symmetries})
    return found


def _ranked(strengths: dict[tuple[int, ...], float]) -> list[tuple[int, ...]]:
    """Return sets of cells, the strongest first. Sums that differ by rounding alone are equal."""
    return sorted(strengths, key=lambda chosen: (-round(strengths[chosen], 9), chosen))


def _first_image(chosen: Sequence[int], symmetries: Sequence[Permutation]) -> tuple[int, ...]:
    """Return one set of cells for all images of *chosen*: the first of them."""
    return min(tuple(sorted(symmetry[place] for place in chosen)) for symmetry in symmetries)


def _goes_with(cells: Sequence[Cell], place: int, chosen: Sequence[int]) -> bool:
    """Return whether a cell may join a tuple: it is not there yet, and neither is the same number in other detail."""
    if place in chosen:
        return False
    if cells[place].kind != "number":
        return True
    words = {term.word for other in chosen for term in cells[other].terms}
    return not words & {term.word for term in cells[place].terms}


def _grown(
    cells: Sequence[Cell], matrix: Any, inside: list[int], symmetries: Sequence[Permutation], lanes: int, length: int, most: int,
    dice: np.random.Generator,
) -> list[tuple[int, ...]]:  # fmt: skip
    """Return tuples grown by a random walk; each begins at a cell that few others have."""
    found, seen, width = list[tuple[int, ...]](), set[frozenset[int]](), 0
    sizes = np.array([cell.size for cell in cells])
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
                if not _goes_with(cells, place, chosen):
                    pull[place] = 0
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
