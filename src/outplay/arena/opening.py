"""Openings of a match: random plies before the agents take over, so that games differ."""

from random import Random
from typing import Any

from outplay.agents.agent import Agent
from outplay.errors import OptionError
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.key import key_of

MOST_PLIES = 8  # of an opening that nobody asked for
SPARE = 4  # positions to draw from for each pair of games, so that few pairs begin alike


def would_replay(game: Game, agents: tuple[Agent, Agent], start: Any) -> bool:
    """Return whether every pair of games would be the same: no dice, no deal, no random agent."""
    dealt = game.deal is not None and start is None
    return game.chances is None and not dealt and all(agent.deterministic for agent in agents)


def plies_to_differ(game: Game, state: Any, pairs: int) -> int:
    """Return the number of random plies that give *pairs* pairs of games different starts; 0 if no number gives two."""
    best, most = 0, 1
    level = {key_of(state): state}
    for plies in range(1, MOST_PLIES + 1):
        level = _next(game, level, SPARE * pairs)
        if len(level) > most:
            best, most = plies, len(level)
        if most >= SPARE * pairs:
            break
    return best


def _next(game: Game, level: dict[int, Any], enough: int) -> dict[int, Any]:
    """Return the unfinished states one move after those in *level*, by their keys; no more than *enough*."""
    found: dict[int, Any] = {}
    for state in level.values():
        for move in game.legal(state):
            after = game.state(game.play(state, move))
            if game.turn(after) != OVER:
                found[key_of(after)] = after
            if len(found) >= enough:
                return found
    return found


def opened(game: Game, state: Any, plies: int, source: Random) -> tuple[Any, list[int]]:
    """Return the state after so many random plies, and the choices; an opening that ends the game is drawn again."""
    for _ in range(1000):
        after, choices = state, []
        for _ in range(plies):
            if game.turn(after) == OVER:
                break
            choices.append(_drawn(game, after, source))
            after = game.play(after, choices[-1])
        if game.turn(after) != OVER:
            return game.state(after), choices
    raise OptionError(f"{plies} random plies always end a game of {game.name}; choose a shorter opening")


def _drawn(game: Game, state: Any, source: Random) -> int:
    """Return a random legal move, or an outcome of chance by its probability."""
    return game.roll(state, source) if game.turn(state) == CHANCE else source.choice(game.legal(state))
