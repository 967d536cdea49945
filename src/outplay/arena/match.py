"""A match: two agents, seats alternated, each start played from both."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from outplay.agents.agents import Agent
from outplay.errors import IllegalMove, OptionError, RuleError
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.key import key_of

MOST_PLIES = 10_000


@dataclass(frozen=True)
class Played:
    """One game: its score to player 0, in which seat the first agent sat, and how many moves it took."""

    score: float
    seat: int
    moves: int

    @property
    def margin(self) -> float:
        """The score as the first agent sees it."""
        return self.score if self.seat == 0 else -self.score


@dataclass(frozen=True)
class Match:
    """What came of a match, as the first agent sees it."""

    game: str
    first: str
    second: str
    played: tuple[Played, ...]

    @property
    def wins(self) -> int:
        return sum(game.margin > 0 for game in self.played)

    @property
    def draws(self) -> int:
        return sum(game.margin == 0 for game in self.played)

    @property
    def losses(self) -> int:
        return sum(game.margin < 0 for game in self.played)

    @property
    def rate(self) -> tuple[float, float]:
        """The share of points (a draw counts half) and the half-width of its 95 % interval."""
        return self._mean([(game.margin > 0) + (game.margin == 0) / 2 for game in self.played])

    @property
    def margin(self) -> tuple[float, float]:
        """The mean margin and the half-width of its 95 % interval."""
        return self._mean([game.margin for game in self.played])

    def _mean(self, values: list[float]) -> tuple[float, float]:
        # The two games of a pair share a start and dice, so it is the pairs that are independent.
        mean = sum(values) / len(values)
        pairs = [sum(values[place : place + 2]) / 2 for place in range(0, len(values) - 1, 2)]
        if len(pairs) < 2:
            return mean, math.inf
        middle = sum(pairs) / len(pairs)
        spread = math.sqrt(sum((pair - middle) ** 2 for pair in pairs) / (len(pairs) - 1))
        return mean, 1.96 * spread / math.sqrt(len(pairs))

    def __str__(self) -> str:
        (rate, rate_error), (margin, margin_error) = self.rate, self.margin
        games = f"{len(self.played)} game{'s' * (len(self.played) > 1)}"
        counted = (
            f"{self.game}: {self.first} against {self.second}, {games}: {self.wins} won, {self.draws} drawn, {self.losses} lost; "
        )
        if math.isinf(rate_error):
            return f"{counted}{rate:.1%} of the points; mean margin {signed(margin, 2)} (too few games for an interval)"
        return (
            f"{counted}{rate:.1%} ± {rate_error:.1%} of the points; mean margin {signed(margin, 2)} ± {margin_error:.2f} (95 %)"
        )


def signed(margin: float, decimals: int) -> str:
    """Return a margin with its sign; zero has none."""
    text = f"{margin:+.{decimals}f}"
    return text if float(text) else text[1:]


def play_out(game: Game, state: Any, agents: tuple[Agent, Agent], dice: Random) -> tuple[float, int]:
    """Play *state* to its end; return the score to player 0 and the number of moves.

    Without chance, a state that comes back for the third time ends the game: play that never ends is worth nothing.
    """
    moves, seen = 0, Counter[int]()
    for _ in range(MOST_PLIES):
        who = game.turn(state)
        if who == OVER:
            return float(game.score(state)), moves
        if game.chances is None:
            seen[key := key_of(state)] += 1
            if seen[key] == 3:
                return 0.0, moves
        if who == CHANCE:
            outcomes, weights = zip(*game.chances(state), strict=True)  # type: ignore[misc]
            choice = dice.choices(outcomes, weights)[0]
        else:
            choice = agents[who].choose(game, state, dice)
            moves += 1
            if choice not in game.legal(state):
                raise IllegalMove(f"{agents[who].name} plays {choice!r}, which is not legal in {game.write_state(state)}")
        state = game.state(game.play(state, choice))
    raise RuleError(
        f"a game of {game.name} did not end within {MOST_PLIES:,} plies; see whether its rules allow it to go on for ever"
    )


def match(
    game: Game,
    first: Agent,
    second: Agent,
    *,
    games: int,
    seed: int = 0,
    opening: int = 0,
    start: Any = None,
    progress: Callable[[Played], None] | None = None,
) -> Match:
    """Play *games* games, each start and its dice twice with the seats exchanged.

    A start is *start*, one that the game deals, or its own; *opening* random plies follow.
    """
    if games < 1:
        raise OptionError(f"games={games}: a match has one game or more")
    played: list[Played] = []
    for number in range(games):
        pair, seat = divmod(number, 2)
        source = Random(f"{seed}/{pair}")
        state = _opened(game, start if start is not None else game.deal(source) if game.deal else game.start, opening, source)
        agents = (first, second) if seat == 0 else (second, first)
        score, moves = play_out(game, state, agents, Random(f"{seed}/{pair}/dice"))
        played.append(Played(score, seat, moves))
        if progress is not None:
            progress(played[-1])
    return Match(game.name, first.name, second.name, tuple(played))


def _opened(game: Game, state: Any, plies: int, source: Random) -> Any:
    """Return the state after so many random plies; an opening that ends the game is drawn anew."""
    for _ in range(1000):
        opened = state
        for _ in range(plies):
            who = game.turn(opened)
            if who == OVER:
                break
            choices = [outcome for outcome, _ in game.chances(opened)] if who == CHANCE and game.chances else game.legal(opened)
            opened = game.play(opened, source.choice(choices))
        if game.turn(opened) != OVER:
            return game.state(opened)
    raise OptionError(f"{plies} random plies always end a game of {game.name}; choose a shorter opening")
