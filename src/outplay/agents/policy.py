"""Agents that do not look ahead: a random one, and one that follows a policy."""

import inspect
from dataclasses import dataclass
from random import Random
from typing import Any

from outplay.agents.agent import Agent, Choice, Clock
from outplay.rules.game import Game, Rule
from outplay.rules.opponents import answer


@dataclass(frozen=True)
class RandomAgent(Agent):
    """Plays a legal move at random, all equally likely."""

    name: str = "random"

    def choose(self, game: Game, state: Any, clock: Clock, dice: Random, **_: Any) -> Choice:
        return Choice(dice.choice(game.legal(state)), why="at random")


@dataclass(frozen=True)
class PolicyAgent(Agent):
    """Follows a policy: a function of the state that returns a move, or yields moves with their probabilities."""

    policy: Rule
    name: str = "policy"

    @property
    def deterministic(self) -> bool:
        return not inspect.isgeneratorfunction(self.policy)

    def choose(self, game: Game, state: Any, clock: Clock, dice: Random, **_: Any) -> Choice:
        moves, weights = zip(*answer(game, state, self.policy, self.name), strict=True)
        return Choice(int(moves[0] if len(moves) == 1 else dice.choices(moves, weights)[0]), why="by its policy")
