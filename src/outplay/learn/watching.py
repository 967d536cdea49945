"""Watches random games: from their states a learner finds out what to look at."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.compile.engine import Engine
from outplay.errors import GameError
from outplay.learn import layout
from outplay.learn.selfplay import SelfPlayer
from outplay.learn.settings import Settings
from outplay.rules.game import CHANCE, Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory
from outplay.rules.rule_errors import rule_errors

GAMES = 400
STATES = 12_000
PLIES = 1_000  # a longer game is given up


@dataclass(frozen=True)
class Watched:
    """States in the order of play. `before`: the place of the state before, -1 where a game begins; `words`: a row for each."""

    states: tuple[Any, ...]
    acting: Any
    before: Any
    words: Any

    @property
    def moves(self) -> float:
        """The mean number of players' moves in a game."""
        return float((self.acting >= 0).sum()) / max(int((self.before < 0).sum()), 1)

    @property
    def afterstates(self) -> Any:
        """The places of states that a player's move led to, and that are not over."""
        moved = (self.before >= 0) & (self.acting[self.before] >= 0)
        return np.flatnonzero(moved & (self.acting >= -1))

    @property
    def after_chance(self) -> Any:
        """The places of states that chance led to, and in which a player is to move."""
        rolled = (self.before >= 0) & (self.acting[self.before] == CHANCE)
        return np.flatnonzero(rolled & (self.acting >= 0))

    def __len__(self) -> int:
        return len(self.states)


def words_of(game: Game, rules: InterpretedRules, state: Any) -> list[int]:
    """Return what a learner looks at in *state*: what the rule `cells` yields, or else all words of the state."""
    if game.cells is not None:
        return [int(cell) for cell in game.cells(state)]
    ints = Memory()
    rules.store_state(state, ints, 0)
    return [int(ints[place]) for place in range(len(ints))]


def word_number(game: Game) -> int:
    """Return how many words a learner looks at; with the rule `cells`, as many as it yields in the start."""
    if game.cells is None:
        return sum(field.words for field in game.fields)
    with rule_errors(game):
        number = len(list(game.cells(game.start)))
    if number == 0:
        raise GameError(
            f"cells of {game.name!r} yields nothing in the start; it must yield what a learner looks at, as small ints"
        )
    return number


def word_names(game: Game) -> list[str]:
    """Return a name for each word: the field, and the place within it."""
    if game.cells is not None:
        return [f"cell[{place}]" for place in range(word_number(game))]
    names: list[str] = []
    for field in game.fields:
        several = field.kind in ("tuple", "array")
        names += [f"{field.name}[{place}]" for place in range(field.words)] if several else [field.name]
    return names


def watch(engine: Engine, estimate: Any, seed: int, *, games: int = GAMES, states: int = STATES) -> Watched:
    """Return the states of random games, played by the *engine* of self-play. It needs an *estimate*, but does not use its value."""
    player = SelfPlayer(engine, 0, 1, seed=seed, room=states)
    player.use(estimate)
    player.set(Settings(plies=PLIES, opening=-1, every=1, trains=False))
    rows: list[list[int]] = []
    for last in range(1, games + 1):
        player.unlimited()
        player.run(last)
        if (fault := player.fault()) is not None:
            raise fault
        rows += player.recorded()
        if len(rows) >= states:
            break
    return watched_states(engine.game, rows)


def watched_states(game: Game, rows: Sequence[Sequence[int]]) -> Watched:
    """Return recorded *rows* as states."""
    rules, number = InterpretedRules(game), word_number(game)
    states = tuple(rules.load_state(row, layout.MARKS) for row in rows)
    acting = np.array([row[layout.WHO] for row in rows])
    fresh = np.array([bool(row[layout.FRESH]) for row in rows])
    before = np.where(fresh, -1, np.arange(len(rows)) - 1)
    if game.cells is None:
        words = np.array([row[layout.MARKS :] for row in rows], np.int64)
    else:
        words = np.array([_cells(game, state, number) for state in states], np.int64)
    return Watched(states, acting, before, words)


def _cells(game: Game, state: Any, number: int) -> list[int]:
    with rule_errors(game):
        found = [int(cell) for cell in game.cells(state)]  # type: ignore[misc]
    if len(found) != number:
        raise GameError(
            f"cells of {game.name!r} yields {number} ints in the start and {len(found)} in {game.write_state(state)}; "
            "it must yield as many in every state"
        )
    return found
