"""From a game to the shape of its network: everything that `learn` finds out before it plays to learn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.compile.engine import Engine
from outplay.errors import GameError
from outplay.learn.cells import Cell, Sight, clocks, counts, find_cells
from outplay.learn.hidden_layer import find_inputs, settings_for_units, with_hidden_units
from outplay.learn.influence import influence
from outplay.learn.network import Network, Scale, Shape
from outplay.learn.settings import Settings
from outplay.learn.symmetries import Verifier, find_flip, find_symmetries
from outplay.learn.tuples import choose_tuples
from outplay.learn.watching import Watched, watch, word_names, word_number
from outplay.rules.game import OVER, Game

LANES = 160  # tuples with their images, about; more of them play better and take longer
LENGTH = 9  # most cells of a tuple
WEIGHTS = 1 << 26  # most weights of a network, about
LONG_ENOUGH, FEW = 6, 4  # a few tuples of six cells are better than many shorter ones
EMPHASIS = 0.8  # the value of the narrowest win in a game without chance, where the widest win is worth 1
PLIES = 100_000  # a longer game with chance is given up
EXPLORED = 0.1  # random moves in a game as short as random play, of a player alone
LONG_GAME = 10  # moves; such a game of dice is played again from its middle by a player alone
TIMES_AS_LONG = 8  # a game without chance is given up if it is longer than so many random games


@dataclass(frozen=True)
class Found:
    """What a learner has found out about a game: the shape of its network, how to play, and notes for the user."""

    shape: Shape
    settings: Settings
    notes: tuple[str, ...]


def blank_network(game: Game) -> Network:
    """Return a network that sees nothing, for random play, which does not use it."""
    scale = Scale(float(game.low), float(game.high))
    return Network(game, Shape((), ((),), ((),), (2,), -1, None, word_number(game), scale))


def find_shape(engine: Engine, seed: int, *, base: Callable[[Any], float] | None) -> Found:
    """Watch random games, and return what to look at in states of the engine's game, whose estimate is *base*."""
    game = engine.game
    watched = watch(engine, blank_network(game).estimate(game, base), seed)
    names = word_names(game)
    sight = find_cells(watched, names, given=game.cells is not None)
    if not sight.cells:
        raise GameError(
            f"{game.name!r} cannot be learned: nothing that a learner looks at changes from state to state; "
            "let cells yield what changes, or leave that rule out"
        )
    verifier = Verifier(game, watched, sight.cells, estimated=base is not None)
    symmetries, notes = find_symmetries(verifier, game.symmetries)
    flip = find_flip(verifier, sight.side)
    counted = counts(sight.cells, names)
    cells, plain = (*sight.cells, *counted), len(sight.cells)
    # Symmetries leave counts in place: if a board takes two words, its halves are counted apart.
    images = tuple((*symmetry, *range(plain, len(cells))) for symmetry in symmetries)
    fixed = unchanging(watched)
    inputs, tuples = find_inputs(game, watched, cells, fixed), list[tuple[int, ...]]()
    if not inputs:
        matrix = np.zeros((len(cells), len(cells)))  # counts have no relations of their own
        matrix[:plain, :plain] = influence(game, sight.cells, watched, symmetries, seed)
        lanes, most = tuple_sizes(cells, len(symmetries))
        apart = clocks(watched) | fixed
        tuples += choose_tuples(cells, matrix, images, apart=apart, lanes=lanes, length=LENGTH, most=most, seed=seed)
    phases = phases_of(watched, sight, watched.afterstates)
    ahead = tuple(phase for phase in phases_of(watched, sight, watched.after_chance) if phase in phases)
    shape = Shape(
        cells, tuple(tuples) or ((),), images, phases or (2,), sight.side, flip, word_number(game), scale_of(game, watched, base), ahead
    )  # fmt: skip
    if inputs:
        shape = with_hidden_units(shape, game, watched, inputs)
    notes = (*notes, *(f"left out: {what}" for what in sight.left_out))
    settings = settings_of(game, watched)
    return Found(shape, settings_for_units(settings) if inputs else settings, notes)


def unchanging(watched: Watched) -> set[int]:
    """Return the words that are the same in all states that a move leads to: they tell nothing."""
    words = watched.words[watched.afterstates]
    return {word for word in range(words.shape[1]) if len(words) and np.ptp(words[:, word]) == 0}


def tuple_sizes(cells: Sequence[Cell], symmetries: int) -> tuple[int, int]:
    """Return the number of lanes, and the most combinations of codes in a tuple. Where cells have many codes, there are fewer tuples."""
    number = max(LANES // symmetries, FEW)
    usual = float(np.median([cell.size for cell in cells])) if cells else 1.0
    seen = len(cells) <= FEW * LONG_ENOUGH  # few tuples may see all cells
    if usual**LONG_ENOUGH * number > WEIGHTS and usual**LONG_ENOUGH * FEW <= WEIGHTS and seen:
        number = int(WEIGHTS // usual**LONG_ENOUGH)
    return number * symmetries, WEIGHTS // number


def phases_of(watched: Watched, sight: Sight, places: Any) -> tuple[int, ...]:
    """Return the phases of the states at these *places*; see `see` in `network_kernel.py`."""
    acting = watched.acting[places]
    side = watched.words[places, sight.side] & 1 if sight.side >= 0 else (acting == 1).astype(np.int64)
    return tuple(sorted({int(phase) for phase in 2 * (acting + 1) + side}))


def scale_of(game: Game, watched: Watched, base: Callable[[Any], float] | None) -> Scale:
    """Return the scale of the network's values.

    Without chance, results are never averaged, so any scale that keeps their order will do. A scale on which winning counts more
    than the margin is learned faster. With chance, with rewards or upon an estimate, values are scores.
    """
    low, high = float(game.low), float(game.high)
    places = np.flatnonzero(watched.acting == OVER)
    sizes = {abs(float(game.score(watched.states[place]))) for place in places} - {0.0}
    most = max(abs(low), abs(high))
    plain = game.chances is not None or game.reward is not None or base is not None or not low < 0.0 < high
    if plain or len(sizes) < 2 or min(sizes) >= most:
        return Scale(low, high)
    least = min(sizes)

    def valued(score: float) -> float:
        size = EMPHASIS + (1.0 - EMPHASIS) * (abs(score) - least) / (most - least)
        return size if score > 0 else -size

    return Scale(valued(low), valued(high), EMPHASIS, least, most)


def settings_of(game: Game, watched: Watched) -> Settings:
    """Return how to play. Where there are dice, they explore, and few moves are random.

    A player alone learns only from its own play, so a random move now and then shows what it has not tried. More of them would cost
    much in a long game that one mistake ends. A player alone also plays a long game again from its middle.
    """
    moves = max(watched.moves, 1.0)
    if game.chances is not None:
        alone = not (watched.acting == 1).any()
        if alone:
            return Settings(plies=PLIES, opening=0, epsilon=EXPLORED / moves, restart=LONG_GAME)
        return Settings(plies=PLIES, opening=int(moves / 2), epsilon=0.02)
    return Settings(plies=int(TIMES_AS_LONG * moves) + 64, opening=int(0.9 * moves), epsilon=0.1)
