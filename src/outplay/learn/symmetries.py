"""Symmetries, guessed and then verified against the rules: only a symmetry that holds in every tried state is used.

A symmetry is a permutation of cells: cell permutation[i] of the image has the code of cell i. A *flip* exchanges the players:
a permutation of words under which the turn changes sides and scores change sign.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from outplay.checking.inspection import image_of
from outplay.checking.problem import Mistake
from outplay.checking.trust import as_error
from outplay.compile.watchdog import watched
from outplay.errors import Endless
from outplay.learn.cells import Cell
from outplay.learn.watching import Watched, words_of
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.interpreted_rules import InterpretedRules

Permutation = tuple[int, ...]

TRIED = 300  # states in which a symmetry must hold
CHILDREN = 1000  # choices of a state that are compared: where there are more, nothing is verified
MOST = 16  # symmetries, the identity included
EFFORT = 4_000_000  # cells that are moved in all: a few µs each. A count, and no time, so that a seed gives the same weights everywhere.
ACCURACY = 1e-9  # rewards, scores and estimates may differ by this share of the scale, by rounding


@dataclass(frozen=True)
class Answer:
    """What the rules say about a state: who acts, the score or the estimate, and what follows each choice."""

    who: int
    value: float
    follows: Any


class Verifier:
    """Asks the rules of a game whether images of states are worth the same; *estimated* compares its estimate, too."""

    def __init__(self, game: Game, watched: Watched, cells: Sequence[Cell], *, estimated: bool, tried: int = TRIED) -> None:
        self.game, self.rules, self.cells = game, InterpretedRules(game), cells
        self.estimated = estimated
        self.watched = watched
        self.effort = EFFORT  # what is left of it
        # Rough cells are written first, because fine ones add the detail.
        self.order = sorted(
            range(len(cells)), key=lambda place: -cells[place].terms[0].shift if cells[place].kind == "number" else 0
        )
        self.grain = ACCURACY * (float(game.high) - float(game.low))
        step = max(len(watched) // tried, 1)
        over = np.flatnonzero(watched.acting == OVER)
        places = {*range(0, len(watched), step), *over[:: max(len(over) // (tried // 3), 1)].tolist()}
        # In a mixed order: states of one game are alike, and a wrong guess is then refuted sooner.
        self.places = sorted(places, key=lambda place: (place * 0x9E3779B1) & 0xFFFFFFFF)

    def image(self, words: Sequence[int], permutation: Permutation) -> list[int] | None:
        """Return the words of the image, or None if a cell cannot have that code."""
        image = list(words)
        for place in self.order:
            if permutation[place] != place:
                changed = self.cells[permutation[place]].written(image, self.cells[place].code(words))
                if changed is None:
                    return None
                image = changed
        return image

    def holds(self, permutation: Permutation) -> bool:
        """Return whether the rules cannot tell states from their images by *permutation*."""
        return self._holds(lambda words: self.image(words, permutation), 1)

    def flips(self, exchange: Permutation, side: int) -> bool:
        """Return whether the players change places if the words are exchanged and the word *side* changes from 0 to 1 or back."""

        def image(words: Sequence[int]) -> list[int]:
            exchanged = [words[place] for place in exchange]
            exchanged[side] = 1 - exchanged[side]
            return exchanged

        return bool(self.game.low == -self.game.high) and self._holds(image, -1)

    def maps(self, symmetry: Any) -> bool:
        """Return whether the user's *symmetry*, a function of states, leaves their value the same; raise an error if it fails."""

        def image(state: Any) -> Any:
            return image_of(self.game, symmetry, state)

        try:
            return all(
                self._same(self._answer(state), self._answer(image(state)), 1, image)
                for state in (self.watched.states[place] for place in self.places)
            )
        except Mistake as mistake:
            raise as_error(self.game, mistake.problem) from None
        except Exception:  # the rules do not know what to do with an image
            return False

    def _holds(self, image: Any, sign: int) -> bool:
        number = self.watched.words.shape[1]
        load = self.rules.load_state

        def turned(state: Any) -> Any:
            words = image(words_of(self.game, self.rules, state))
            if words is None or len(words) != number:
                raise ValueError("no image")
            return load(words, 0)

        try:
            for place in self.places:
                state = self.watched.states[place]
                answer = self._answer(state)
                self.effort -= len(self.cells) * (len(answer.follows) + 1)
                if self.effort < 0 or not self._same(answer, self._answer(turned(state)), sign, turned):
                    return False
        except Exception:  # the rules do not know what to do with an image, so it is none; or it takes too long to know
            return False
        return True

    def _answer(self, state: Any) -> Answer:
        rules = self.rules
        who = rules.turn(state)
        if who == OVER:
            return Answer(who, rules.score(state), [])
        value = rules.estimate(state) if self.estimated else 0.0
        choices = list(self.rules.chances(state)) if who == CHANCE else [(move, 0.0) for move in rules.moves(state)]
        if len(choices) > CHILDREN:
            raise ValueError("too many choices to compare them all")
        follows = [(probability, rules.reward(state, choice), rules.play(state, choice)) for choice, probability in choices]
        return Answer(who, value, follows)

    def _same(self, one: Answer, other: Answer, sign: int, turned: Any) -> bool:
        """Return whether *other* is the answer to the image of the state with the answer *one*."""
        who = 1 - one.who if sign < 0 and one.who >= 0 else one.who
        if other.who != who or abs(other.value - sign * one.value) > self.grain:
            return False
        ours, theirs = Counter[Any](), Counter[Any]()
        for probability, reward, child in one.follows:
            ours[self._key(turned(child), sign * reward)] += probability + 1
        for probability, reward, child in other.follows:
            theirs[self._key(child, reward)] += probability + 1
        return ours.keys() == theirs.keys() and all(abs(ours[key] - theirs[key]) < 1e-9 for key in ours)

    def _key(self, state: Any, reward: float) -> Any:
        return tuple(_words(self.rules, state)), round(reward / self.grain) if self.rules.has_reward else 0


def _words(rules: InterpretedRules, state: Any) -> list[int]:
    from outplay.rules.memory import Memory

    ints = Memory()
    rules.store_state(state, ints, 0)
    return [int(ints[place]) for place in range(len(ints))]


def find_symmetries(verifier: Verifier, symmetries: Iterable[Any] = ()) -> tuple[tuple[Permutation, ...], tuple[str, ...]]:
    """Return the permutations of cells that hold, the identity first, and notes about the user's *symmetries*."""
    cells, found, notes = verifier.cells, dict[Permutation, None](), list[str]()
    for symmetry in symmetries:
        permutation = _permutation_under_watch(verifier, symmetry)
        if permutation is None:
            name = getattr(symmetry, "__name__", "a symmetry")
            notes.append(f"{name} is not used: it does not hold in all states that were tried, or does not map cells to cells")
        else:
            found[permutation] = None
    if verifier.game.cells is None:
        for guess in guesses(cells):
            if verifier.effort < 0:
                break
            if guess not in found and verifier.holds(guess):
                found[guess] = None
        if verifier.effort < 0:
            notes.append("symmetries were not all tried: the states are too large; `symmetries` of the game can name some")
    return composed(list(found), len(cells)), tuple(notes)


def _permutation_under_watch(verifier: Verifier, symmetry: Any) -> Permutation | None:
    """Return the permutation of a user's *symmetry* if it holds; raise an error if it does not return."""
    try:
        return watched(verifier.game, lambda: _permutation_of(verifier, symmetry) if verifier.maps(symmetry) else None)
    except Endless as error:
        raise error.of(verifier.game.name) from None


def _permutation_of(verifier: Verifier, symmetry: Any) -> Permutation | None:
    """Return the permutation of cells that does what a user's *symmetry* does to states; None if there is none."""
    watched, game, rules = verifier.watched, verifier.game, verifier.rules
    images = np.array([words_of(game, rules, game.state(symmetry(watched.states[place]))) for place in verifier.places], np.int64)
    here = np.stack([cell.codes(watched.words[verifier.places]) for cell in verifier.cells])
    there = np.stack([cell.codes(images) for cell in verifier.cells])
    free, permutation = set(range(len(verifier.cells))), []
    for cell, codes in zip(verifier.cells, here, strict=True):
        fits = [place for place in sorted(free) if verifier.cells[place].size == cell.size and (there[place] == codes).all()]
        if not fits:
            return None
        permutation.append(fits[0])
        free.discard(fits[0])
    return tuple(permutation)


def guesses(cells: Sequence[Cell]) -> Iterator[Permutation]:
    """Yield permutations that are common on boards: each group of cells as a grid of any shape, mirrored, turned or shifted."""
    groups: dict[tuple[str, int], list[int]] = {}
    for place, cell in enumerate(cells):
        if cell.kind != "count":
            groups.setdefault((cell.group, cell.size), []).append(place)
    by_length: dict[int, list[list[int]]] = {}
    for group in groups.values():
        by_length.setdefault(len(group), []).append(group)
    seen = {tuple(range(len(cells)))}
    kinds: dict[tuple[str, int], list[int]] = {}  # a board may take several words
    for place, cell in enumerate(cells):
        if cell.kind != "count":
            kinds.setdefault((cell.kind, cell.size), []).append(place)
    for group in kinds.values():
        if len(group) > 2 and len({cells[place].group for place in group}) > 1:
            for moved in grid_moves(len(group)):
                yield from _new(_moved(len(cells), [group], moved), seen)
    for length, alike in by_length.items():
        for moved in grid_moves(length):
            for moving in ([group] for group in alike) if len(alike) > 1 else ():
                yield from _new(_moved(len(cells), moving, moved), seen)
            yield from _new(_moved(len(cells), alike, moved), seen)
        for one, other in pairwise(alike):  # two groups change places
            swapped = list(range(len(cells)))
            for first, second in zip(one, other, strict=True):
                swapped[first], swapped[second] = second, first
            if cells[one[0]].size == cells[other[0]].size:
                yield from _new(tuple(swapped), seen)


def _new(permutation: Permutation, seen: set[Permutation]) -> Iterator[Permutation]:
    if permutation not in seen:
        seen.add(permutation)
        yield permutation


def _moved(number: int, groups: Iterable[list[int]], moved: Sequence[int]) -> Permutation:
    permutation = list(range(number))
    for group in groups:
        for place, to in enumerate(moved):
            permutation[group[place]] = group[to]
    return tuple(permutation)


def grid_moves(length: int) -> Iterator[tuple[int, ...]]:
    """Yield where the squares of a grid of *length* squares go if it is mirrored, turned or shifted, for every shape of the grid."""
    for rows in range(1, length + 1):
        if length % rows or length == 1:
            continue
        grid = np.arange(length).reshape(rows, length // rows)
        for image in (grid[::-1], grid[:, ::-1], grid[::-1, ::-1]):
            yield tuple(image.ravel().tolist())
        if rows * rows == length:
            for image in (grid.T, grid[::-1, ::-1].T, grid[::-1].T, grid[:, ::-1].T):
                yield tuple(image.ravel().tolist())
        for shift in range(1, length // rows):
            yield tuple(np.roll(grid, shift, 1).ravel().tolist())
            yield tuple(np.roll(grid[:, ::-1], shift, 1).ravel().tolist())


def composed(found: Sequence[Permutation], number: int) -> tuple[Permutation, ...]:
    """Return the permutations that follow from those *found*, the identity first; at most MOST, those found before others."""
    identity = tuple(range(number))
    group = dict.fromkeys([identity, *found])
    waiting = list(group)
    while waiting and len(group) <= MOST:
        one = waiting.pop()
        for other in found:
            made = tuple(one[place] for place in other)
            if made not in group:
                group[made] = None
                waiting.append(made)
    return tuple(list(group)[:MOST])


def find_flip(verifier: Verifier, side: int) -> Permutation | None:
    """Return how words change places when the players do, or None if the players are not alike."""
    if side < 0 or verifier.game.cells is not None:
        return None
    verifier.effort = EFFORT
    number = verifier.watched.words.shape[1]
    identity = tuple(range(number))
    if verifier.flips(identity, side):
        return identity
    # A field of player 0 and the same field of player 1 have about the same range. They stand side by side or in two halves.
    lows, highs = verifier.watched.words.min(0), verifier.watched.words.max(0)
    wide = [word for word in range(number) if word != side and lows[word] != highs[word]]
    pairs = [(one, other) for one, other in pairwise(wide) if _alike(lows, highs, one, other)]
    half = len(wide) // 2
    tried = [[pair] for pair in pairs]
    tried += [
        list(zip(wide[::2], wide[1::2], strict=False)),
        list(zip(wide[:half], wide[half:], strict=False)),
        list(zip(wide[:half], wide[::-1], strict=False)),
    ]
    for exchange in tried:
        permutation = list(identity)
        for one, other in exchange:
            permutation[one], permutation[other] = other, one
        if tuple(permutation) != identity and verifier.flips(tuple(permutation), side):
            return tuple(permutation)
    return None


def _alike(lows: Any, highs: Any, one: int, other: int) -> bool:
    return bool(abs(int(highs[one] - lows[one]).bit_length() - int(highs[other] - lows[other]).bit_length()) <= 2)
