"""How a learner plays."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How games of self-play go, and how much is learned from each."""

    plies: int  # a longer game is cut, and counts as endless
    opening: int  # random moves at the beginning, at most; -1: all moves are random
    epsilon: float = 0.0  # how often a move is random later on
    decay: float = 0.5  # the lambda of TD(lambda)
    rate: float = 1.0
    every: int = 0  # which states are recorded
    trains: bool = True
