"""How a learner plays."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How games of self-play go, and how much is learned from each."""

    plies: int  # a longer game is given up, and counts as endless
    opening: int  # random moves at the beginning, at most; -1: all moves are random
    epsilon: float = 0.0  # how often a move is random later on
    decay: float = 0.5  # the lambda of TD(lambda)
    rate: float = 1.0
    hidden_rate: float = 0.0  # the same for hidden units, at first
    slowed: float = 1.0  # states after which a weight of hidden units learns more slowly
    restart: int = 0  # a game of at least so many moves is played again from its middle; 0: no game is
    every: int = 0  # every so many-th state is recorded; none if 0
    trains: bool = True  # whether weights change
