"""Which cells affect each other: change one cell of a state, play the same move, and see which other cells change."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from outplay.compile.watchdog import watched as under_watch
from outplay.errors import OutplayError
from outplay.learn.cells import Cell, changed_together
from outplay.learn.watching import Watched
from outplay.rules.game import OVER, Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory

PLAYS = 60_000  # calls of `play`, about; changed states included
LARGEST = 10  # cells that change together; larger groups say little about their members


def influence(game: Game, cells: Sequence[Cell], watched: Watched, seed: int) -> Any:
    """Return a matrix: how strongly each pair of cells is related.

    A changed state may be one that no game reaches, and rules may fail or never return there without being wrong. If they do, only
    the cells that change together in play count.
    """
    matrix = changed_together(watched, cells)
    matrix /= max(matrix.max(), 1e-9)
    if game.cells is not None or len(cells) < 2:
        return matrix
    try:
        found = under_watch(game, lambda: _by_changes(game, cells, watched, seed))
    except OutplayError:
        return matrix
    return 0.25 * matrix + found / max(found.max(), 1e-9)


def _by_changes(game: Game, cells: Sequence[Cell], watched: Watched, seed: int) -> Any:
    dice, rules = Random(seed), InterpretedRules(game)
    matrix = np.zeros((len(cells), len(cells)))
    playing = np.flatnonzero(watched.acting >= 0).tolist()
    rows = watched.words.tolist()

    def answer(state: Any, choice: int) -> tuple[Any, list[int]]:
        child = rules.play(state, choice)
        ints = Memory()
        rules.store_state(child, ints, 0)
        words = [int(ints[place]) for place in range(len(ints))]
        over = rules.turn(child) == OVER
        return (over, np.sign(rules.score(child)) if over else 0), [cell.code(words) for cell in cells]

    for _ in range(max(PLAYS // len(cells), 50)):
        place = dice.choice(playing)
        words, state = rows[place], watched.states[place]
        choice = dice.choice(list(rules.moves(state)))
        over, codes = answer(state, choice)
        groups: dict[int, set[int]] = {}
        for index, cell in enumerate(cells):
            changed = cell.written(words, cell.code(rows[dice.choice(playing)]))
            if changed is None or cell.code(changed) == cell.code(words):
                continue
            try:
                over_now, codes_now = answer(rules.load_state(changed, 0), choice)
            except Exception:  # no game reaches this state
                continue
            if over_now != over:
                groups.setdefault(-1, set()).add(index)
            for other, (before, after) in enumerate(zip(codes, codes_now, strict=True)):
                if before != after and other != index:
                    groups.setdefault(other, {other}).add(index)
        for group in groups.values():
            if 2 <= len(group) <= LARGEST:
                members = sorted(group)
                matrix[np.ix_(members, members)] += 1 / (len(members) - 1)
    np.fill_diagonal(matrix, 0)
    return matrix
