"""The experiments by the number of their project."""

from outplay.arena.reproduce import blacksin, coin, extended, scrabble
from outplay.arena.reproduce.row import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    extended.POINTS_PROJECT: extended.points,
    coin.PROJECT: coin.experiment,
    scrabble.PROJECT: scrabble.experiment,
    blacksin.PROJECT: blacksin.experiment,
    extended.WINDOWS_PROJECT: extended.windows,
}
