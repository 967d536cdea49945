"""Which cells affect each other: change one cell of a state, and see what else changes.

Three things may change: what the same move does, which moves there are, and who wins. A line of Connect Four shows in who wins, and
a mill of nine men's morris in the moves alone.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from outplay.compile.watchdog import watched as under_watch
from outplay.errors import OutplayError
from outplay.learn.cells import Cell, changed_together, whereabouts
from outplay.learn.symmetries import Permutation
from outplay.learn.watching import Watched
from outplay.rules.game import OVER, Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory

PLAYS = 60_000  # calls of `play`, about; changed states included
CERTAIN = 1  # standard deviations: what chance may add
CLEAR = 0.1  # the share of relations beyond chance from which on a matrix counts in full
TOGETHER = 0.25  # how much it counts that cells change in the same move, where each of the other relations counts 1
MOST_TRIED = 20  # moves of a state that are tried, to find some that end the game
MOST_MOVES, SOME_MOVES = 200, 6  # if more moves come or go, the change says little; so many of them are looked at
LARGEST = 10  # cells that change together; larger groups say little about their members


def influence(game: Game, cells: Sequence[Cell], watched: Watched, symmetries: Sequence[Permutation], seed: int) -> Any:
    """Return a matrix: how strongly each pair of cells is related. Pairs that are images of each other are related alike.

    A changed state may be one that no game reaches, and rules may fail or never return there without being wrong. If they do, only
    the cells that change together in play count.
    """
    after = whereabouts(watched, cells)
    together = beyond_chance(changed_together(watched, cells, after), cells, symmetries)
    if game.cells is not None or len(cells) < 2:
        return together
    changes = _Changes(game, cells, watched, after, seed)
    try:
        under_watch(game, changes.look)
    except OutplayError:
        return together
    found = (changes.by_play, changes.by_moves, changes.by_result)
    return sum(beyond_chance(matrix, cells, symmetries) for matrix in found) + TOGETHER * together


def beyond_chance(matrix: Any, cells: Sequence[Cell], symmetries: Sequence[Permutation]) -> Any:
    """Return how strongly cells are related, from 0 to 1: by what was seen, and by how much of it is beyond chance.

    By chance alone, a cell that is often changed would seem to be related to all others. Images by *symmetries* share what was
    seen. If hardly anything is beyond chance, the matrix counts less as a whole.
    """
    seen = np.mean([matrix[np.ix_(symmetry, symmetry)] for symmetry in symmetries], axis=0)
    seen[_same_number(cells)] = 0
    degree = seen.sum(0)
    expected = np.outer(degree, degree) / max(degree.sum(), 1e-9)
    beyond = np.maximum(seen - expected - CERTAIN * np.sqrt(expected / len(symmetries)), 0)
    share = beyond.sum() / max(seen.sum(), 1e-9)
    strength = np.sqrt(seen * beyond)
    return strength / max(strength.max(), 1e-9) * min(share / CLEAR, 1.0)


def _same_number(cells: Sequence[Cell]) -> Any:
    """Return which pairs of cells are one number in different detail: these always change together, and say nothing."""
    words = [{term.word for term in cell.terms} if cell.kind == "number" else set() for cell in cells]
    return np.array([[bool(one & other) for other in words] for one in words]).reshape(len(cells), len(cells))


class _Changes:
    """Changes cells of watched states, and compares what the rules say before and after."""

    def __init__(self, game: Game, cells: Sequence[Cell], watched: Watched, after: Sequence[int], seed: int) -> None:
        self.after = [cells[place] for place in after]  # where the things of each cell stand after a move
        self.rules, self.cells, self.dice = InterpretedRules(game), cells, Random(seed)
        self.watched, self.rows = watched, watched.words.tolist()
        self.playing = np.flatnonzero(watched.acting >= 0).tolist()
        self.by_play, self.by_moves, self.by_result = (np.zeros((len(cells), len(cells))) for _ in range(3))

    def look(self) -> None:
        """Find how strongly cells are related by what moves do, by which moves there are, and by who wins."""
        times = max(PLAYS // len(self.cells), 50)
        for _ in range(times):
            self._change(self.dice.choice(self.playing), None)
        for place, choice in self._last_moves(times):
            self._change(place, choice)
        for matrix in (self.by_play, self.by_moves, self.by_result):
            np.fill_diagonal(matrix, 0)

    def _last_moves(self, number: int) -> list[tuple[int, int]]:
        """Return at most *number* moves that end the game, each with the place of a watched state."""
        found, rules, states = list[tuple[int, int]](), self.rules, self.watched.states
        for place in self.dice.sample(self.playing, len(self.playing)):
            if len(found) >= number:
                break
            moves = list(rules.moves(states[place]))
            moves = self.dice.sample(moves, min(len(moves), MOST_TRIED))
            found += [(place, move) for move in moves if rules.turn(rules.play(states[place], move)) == OVER]
        return found[:number]

    def _change(self, place: int, last: int | None) -> None:
        """Change each cell of a watched state in turn, and take the same move: any, or *last*, which ends the game."""
        words, state, dice, rules = self.rows[place], self.watched.states[place], self.dice, self.rules
        moves = list(rules.moves(state))
        choice = dice.choice(moves) if last is None else last
        over, codes = self._answer(state, choice)
        groups: dict[int, set[int]] = {}
        for index, cell in enumerate(self.cells):
            changed = cell.written(words, cell.code(self.rows[dice.choice(self.playing)]))
            if changed is None or cell.code(changed) == cell.code(words):
                continue
            try:
                other = rules.load_state(changed, 0)
                over_now, codes_now = self._answer(other, choice)
                if last is None:
                    self._compare_moves(index, (state, words, moves), (other, changed, list(rules.moves(other))))
            except Exception:  # no game reaches this state
                continue
            if over_now != over:
                groups.setdefault(-1, set()).add(index)
            for place, (before, after) in enumerate(zip(codes, codes_now, strict=True)):
                if before != after and place != index and last is None:
                    groups.setdefault(place, {place}).add(index)
        for about, group in groups.items():
            if 2 <= len(group) <= LARGEST:
                members = sorted(group)
                matrix = self.by_result if about < 0 else self.by_play
                matrix[np.ix_(members, members)] += 1 / (len(members) - 1)

    def _answer(self, state: Any, choice: int) -> tuple[Any, list[int]]:
        """Return whether *choice* ends the game and who wins, and the codes of all cells after it, each where the same things stand."""
        rules, ints = self.rules, Memory()
        child = rules.play(state, choice)
        rules.store_state(child, ints, 0)
        words = [int(ints[place]) for place in range(len(ints))]
        over = rules.turn(child) == OVER
        return (over, np.sign(rules.score(child)) if over else 0), [cell.code(words) for cell in self.after]

    def _compare_moves(self, index: int, one: tuple[Any, Any, list[int]], other: tuple[Any, Any, list[int]]) -> None:
        """Relate the changed cell to the cells that moves change which only one of two states has."""
        found = []
        for (state, words, moves), rival in ((one, other), (other, one)):
            own = set(moves) - set(rival[2])
            found += [(state, words, move) for move in own]
        if not 0 < len(found) <= MOST_MOVES:
            return
        if len(found) > SOME_MOVES:
            found = self.dice.sample(found, SOME_MOVES)
        for state, words, move in found:
            _, codes = self._answer(state, move)
            touched = [place for place, cell in enumerate(self.cells) if codes[place] != cell.code(words)]
            for place in touched if len(touched) <= LARGEST else ():
                self.by_moves[index, place] += 1 / len(found)
                self.by_moves[place, index] += 1 / len(found)
