"""The hidden layer of a network: which games have one instead of tuples, its first weights, and how it learns.

The weights of tuples are added up, and each tuple sees few cells. In some games the value of a state depends on all of it at once.
A hidden unit adds up a weight for the code of each cell; `soften` turns this sum into an activation between -1 and 1; and the
activations of all units, each times a weight, add up to the value.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import log2

import numpy as np

from outplay.learn.cells import Cell
from outplay.learn.network import Network, Shape
from outplay.learn.settings import Settings
from outplay.learn.watching import Watched
from outplay.rules.bits import splitmix
from outplay.rules.game import OVER, Game

UNITS = 64
MANY_BITS = 128  # tuples see too little of a larger state; below, tuples learn better (Can't Stop has 118, backgammon 150)
RATE = 0.3  # how far hidden units move a value toward its target at first
SLOWED = 200_000.0  # after so many states, the rate of a weight falls with the square root of their number
DECAY = 0.8  # the lambda of TD(lambda)
FIRST_WEIGHT = 0.1  # standard deviation of a weight at first
# What units add whose outputs add up to 1, as a share of a usual result. With a smaller share, inputs learn faster than outputs.
USUAL_SHARE = 0.25
SEEDS = (1 << 63) - 1


def find_inputs(game: Game, watched: Watched, cells: Sequence[Cell], apart: set[int]) -> tuple[int, ...]:
    """Return the cells that hidden units look at: for a game of two players with chance whose states have many bits, else none.

    Words *apart* tell nothing. Without chance, tuples see what matters, and are much faster to look up.
    """
    inputs = tuple(place for place, cell in enumerate(cells) if not cell.rough and cell.terms[0].word not in apart)
    bits = sum(log2(cells[place].size) for place in inputs if cells[place].kind != "count")
    return inputs if game.chances is not None and (watched.acting == 1).any() and bits > MANY_BITS else ()


def with_hidden_units(shape: Shape, game: Game, watched: Watched, inputs: tuple[int, ...]) -> Shape:
    """Return *shape* with hidden units that look at the cells *inputs*."""
    return replace(shape, units=UNITS, inputs=inputs, span=USUAL_SHARE * usual_result(game, watched))


def settings_for_units(settings: Settings) -> Settings:
    """Return *settings* for hidden units. Games begin without random moves: after these, units would learn from states that good play never meets."""
    return replace(settings, opening=0, decay=DECAY, hidden_rate=RATE, slowed=SLOWED)


def usual_result(game: Game, watched: Watched) -> float:
    """Return how large the results of random games are: the root of their mean square."""
    scores = np.array([float(game.score(watched.states[place])) for place in np.flatnonzero(watched.acting == OVER)])
    found = float(np.sqrt((scores**2).mean())) if len(scores) else 0.0
    return found or max(abs(float(game.low)), abs(float(game.high)))


def new_network(game: Game, shape: Shape, seed: int) -> Network:
    """Return a network that has learned nothing: its weights are 0, but those of hidden inputs are drawn from *seed*.

    Codes of a number that follow each other begin with similar weights, so that what is learned about one helps with the next.
    """
    made, dice = Network(game, shape), np.random.default_rng(splitmix(seed, 3) & SEEDS)
    for number, place in enumerate(shape.inputs):
        rows = made.input_rows(number)
        drawn = FIRST_WEIGHT * dice.standard_normal(rows.shape)
        drawn[:, 0] = 0.0
        if shape.cells[place].kind != "square":
            drawn = np.cumsum(drawn / np.maximum(np.arange(rows.shape[1]), 1)[:, None], axis=1)
        rows[:] = drawn
    return made
