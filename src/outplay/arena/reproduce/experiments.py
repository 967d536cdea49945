"""The experiments by the number of their seed."""

from outplay.arena.reproduce import blacksin, coin, extended, scrabble
from outplay.arena.reproduce.row import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    extended.POINTS_SEED: extended.points,
    coin.SEED: coin.experiment,
    scrabble.SEED: scrabble.experiment,
    blacksin.SEED: blacksin.experiment,
    extended.WINDOWS_SEED: extended.windows,
}
