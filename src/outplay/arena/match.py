"""A match between two agents: each start is played from both seats."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from random import Random
from statistics import fmean
from typing import Any

from outplay.agents.agent import Agent
from outplay.agents.named import agent
from outplay.arena.opening import opened, plies_to_differ, would_replay
from outplay.arena.player import AgentPlayer, Fault, Player
from outplay.arena.record import GameRecord, Verdict
from outplay.arena.referee import GameRun
from outplay.arena.solo import Series, Solo, SoloMatch, fault_note
from outplay.compile.watchdog import watched
from outplay.errors import IllegalMove, OptionError, OutplayError
from outplay.intervals import clipped, mean_within, plain
from outplay.pictures.notebook import paragraph
from outplay.rules.game import Game
from outplay.rules.number_text import signed_margin
from outplay.runtime.limits import check_seconds, check_seed


@dataclass(frozen=True)
class Played:
    """One game: its score to player 0, the seat of the first agent, and the number of moves.

    `start` is the state that it began with, as text; `choices` are all moves and outcomes from there, None if nobody noted them.
    `fault` is how the game ended if an agent was to blame, 0 for the first in `fault_by` or 1 for the second; `detail` says more.
    """

    score: float
    seat: int
    moves: int
    start: str = ""
    choices: tuple[int, ...] | None = None
    fault: str = ""
    fault_by: int | None = None
    detail: str = ""

    @property
    def margin(self) -> float:
        """The score to the first agent."""
        return self.score if self.seat == 0 else -self.score


@dataclass(frozen=True)
class Match:
    """The result of a match, from the first agent's point of view. `opening`: the number of random plies before each game.

    `scale`: the lowest and the highest score of the game.
    """

    game: str
    first: str
    second: str
    played: tuple[Played, ...]
    opening: int = 0
    scale: tuple[float, float] = (-math.inf, math.inf)

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
    def faults(self) -> tuple[int, int]:
        """How many games the first and the second agent lost by a fault: an illegal move or an exception."""
        first, second = (sum(game.fault_by == agent for game in self.played) for agent in (0, 1))
        return first, second

    @property
    def distinct(self) -> int:
        """The number of different games: by seats, start and choices."""
        return len({self._what(number) for number in range(len(self.played))})

    def _what(self, number: int) -> tuple[object, ...]:
        """Return what identifies a game; a game without recorded choices counts as unique."""
        game = self.played[number]
        return (game.seat, game.start, game.choices) if game.choices is not None else (number,)

    @property
    def rate(self) -> tuple[float, float]:
        """The share of points (a draw counts half) and the half-width of its 95 % interval, infinite if it is unknown."""
        return self._mean([(game.margin > 0) + (game.margin == 0) / 2 for game in self.played])

    @property
    def margin(self) -> tuple[float, float]:
        """The mean margin and the half-width of its 95 % interval."""
        return self._mean([game.margin for game in self.played])

    @property
    def rate_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the share of points, within 0 and 1; None if nothing tells it."""
        return clipped(*self.rate, 0.0, 1.0)

    @property
    def margin_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean margin, within what is possible; None if nothing tells it."""
        low, high = self.scale
        most = (high - low) / 2 if len(self.played) % 2 == 0 else max(abs(low), abs(high))  # of a pair, each seat once
        return clipped(*self.margin, -most, most)

    def _mean(self, values: list[float]) -> tuple[float, float]:
        # The two games of a pair share a start and dice, so it is the pairs that are independent. Replayed pairs tell nothing.
        mean = fmean(values)
        pairs = [sum(values[place : place + 2]) / 2 for place in range(0, len(values) - 1, 2)]
        if len({(self._what(place), self._what(place + 1)) for place in range(0, len(values) - 1, 2)}) < 2:
            return mean, math.inf
        return mean, mean_within(pairs)[1]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return {
            "game": self.game,
            "first": self.first,
            "second": self.second,
            "games": len(self.played),
            "distinct": self.distinct,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "faults": list(self.faults),
            "rate": plain(self.rate),
            "margin": plain(self.margin),
            "rate_interval": plain(self.rate_interval),
            "margin_interval": plain(self.margin_interval),
            "opening": self.opening,
            "played": [asdict(game) for game in self.played],
        }

    def explain(self) -> str:
        """Return the match in words: the counts, the share of points, the mean margin, and their intervals."""
        return str(self)

    def _repr_html_(self) -> str:
        return paragraph(str(self))

    def __str__(self) -> str:
        (rate, rate_error), (margin, margin_error) = self.rate, self.margin
        games = f"{len(self.played)} game{'s' * (len(self.played) > 1)}"
        counted = (
            f"{self.game}: {self.first} against {self.second}, {games}: {self.wins} won, {self.draws} drawn, {self.losses} lost; "
        )
        points, margins = f"{rate:.1%} of the points", f"mean margin {signed_margin(margin, 2)}"
        if self.rate_interval is not None:
            points += f" (95 %: {self.rate_interval[0]:.1%} to {self.rate_interval[1]:.1%})"
        if self.margin_interval is not None:
            margins += f" (95 %: {signed_margin(self.margin_interval[0], 2)} to {signed_margin(self.margin_interval[1], 2)})"
        said = f"{counted}{points}; {margins}{self._why_none(rate_error, margin_error)}"
        return ". ".join([said, *self._notes()])

    def _why_none(self, *errors: float) -> str:
        """Say why there is no interval at all, if there is none."""
        if math.isinf(max(errors)):
            return " (too few games for an interval)" if len(self.played) < 4 else " (no interval: the games repeat)"
        return "" if max(errors) > 0 else " (no interval: every pair of games came out alike)"

    def _notes(self) -> list[str]:
        """Return notes on how the games differ."""
        notes = []
        for number, name in enumerate((self.first, self.second)):
            if faulty := [(game.fault, game.detail) for game in self.played if game.fault_by == number]:
                notes.append(fault_note(name, faulty))
        if self.opening:
            plies = f"{self.opening} random {'ply' if self.opening == 1 else 'plies'}"
            notes.append(
                f"Each start has {plies}, and both agents play it from both seats: one that is already won favours neither"
            )
        decided = sum(one.score * other.score > 0 for one, other in zip(self.played[::2], self.played[1::2], strict=False))
        if self.opening and 2 * decided > len(self.played) // 2:
            notes.append(
                f"In {decided} of {len(self.played) // 2} pairs the same seat won both games: there the start decided, more than the agents"
            )
        if self.distinct < len(self.played):
            notes.append(f"{self.distinct} of {len(self.played)} games are distinct")
        return notes


def _cause(fault: Fault) -> OutplayError:
    """Return the error that a fault came from."""
    return fault.__cause__ if isinstance(fault.__cause__, OutplayError) else IllegalMove(fault.detail)


def _played(game: Game, players: Sequence[Player], start: Any, opening: list[int], luck: str) -> GameRecord:
    """Return the record of a game in which a fault of an agent is a verdict; errors of the rules, and agents that cannot start, raise."""
    run = GameRun(game, players, start=start, opening=opening, luck=luck)
    try:
        return run.record(Verdict.FINISHED, None, run.score(), "")
    except Fault as fault:
        if fault.verdict is Verdict.REFUSED:
            raise _cause(fault) from None
        return run.record(fault.verdict, run.acting, float(game.low if run.acting == 0 else game.high), fault.detail)


def match(
    game: Game,
    first: Agent | str,
    second: Agent | str | None = None,
    *,
    games: int = 20,
    seed: int = 0,
    opening: int | None = None,
    start: Any = None,
    seconds: float = 0.1,
    progress: Callable[[Any], None] | None = None,
) -> Match | SoloMatch:
    """Play *games* games. Each start, with its dice, is played twice with the seats exchanged.

    A game for one player is played by one agent, or by each of two from the same starts with the same dice; the result is a
    `SoloMatch` with mean, median and best score.

    An agent that plays an illegal move or raises an exception loses that game, by the worst score; such games are counted apart.

    An agent may be named, as on the command line: "search:depth=4", "random", "agents/mine.py:choose". A search that names no
    limit takes *seconds* a move. A game begins with *start*, with a deal, or with the game's own start; *opening* random plies follow. By
    default there are random plies only if all pairs would otherwise be the same: no dice, no deal, and two deterministic agents.
    """
    if games < 1:
        raise OptionError(f"games={games}: a match has one game or more")
    check_seed(seed, "starts and dice")
    check_seconds(seconds)
    named = [agent(one, game, seconds=seconds) if isinstance(one, str) else one for one in (first, second) if one is not None]
    if watched(game, lambda: game.solitaire):
        return _solo_match(game, named, games, seed, opening or 0, start, progress)
    if len(named) < 2:
        raise OptionError(f"{game.name} has two players; name a second agent, such as random")
    return match_pairs(game, named[0], named[1], games=games, seed=seed, opening=opening, start=start, progress=progress)


def match_pairs(
    game: Game,
    first: Agent,
    second: Agent,
    *,
    games: int,
    seed: int = 0,
    opening: int | None = None,
    start: Any = None,
    progress: Callable[[Any], None] | None = None,
) -> Match:
    """Play a game of two players, as `match` does."""
    if opening is None:
        replayed = games > 2 and would_replay(game, (first, second), start)
        opening = plies_to_differ(game, game.start if start is None else start, (games + 1) // 2) if replayed else 0
    played: list[Played] = []
    players = AgentPlayer(first), AgentPlayer(second)
    for number in range(games):
        pair, seat = divmod(number, 2)
        begin, _, choices = _begun(game, start, opening, Random(f"{seed}/{pair}"))
        seated = players if seat == 0 else players[::-1]
        record = _played(game, seated, begin, choices, f"{seed}/{pair}/dice")
        fault = "" if record.blamed is None else str(record.verdict)
        by = None if record.blamed is None else record.blamed ^ seat
        assert record.score is not None  # errors of the rules raise
        played.append(Played(record.score, seat, record.moves, record.start, record.choices, fault, by, record.detail))
        if progress is not None:
            progress(played[-1])
    return Match(game.name, first.name, second.name, tuple(played), opening, _scale(game))


def _begun(game: Game, start: Any, opening: int, source: Random) -> tuple[Any, Any, list[int]]:
    """Return the start of a game, the state after its random opening, and the choices of the opening."""
    begin = game.state(start) if start is not None else game.dealt(source)
    return begin, *opened(game, begin, opening, source)


def _solo_match(
    game: Game, agents: list[Agent], games: int, seed: int, opening: int, start: Any, progress: Callable[[Any], None] | None
) -> SoloMatch:
    series = []
    for one in agents:
        played, player = [], AgentPlayer(one)
        for number in range(games):
            begin, _, choices = _begun(game, start, opening, Random(f"{seed}/{number}"))
            record = _played(game, (player, player), begin, choices, f"{seed}/{number}/dice")
            fault = "" if record.blamed is None else str(record.verdict)
            assert record.score is not None  # errors of the rules raise
            played.append(Solo(record.score, record.moves, record.start, record.choices, fault, record.detail))
            if progress is not None:
                progress(played[-1])
        series.append(Series(one.name, tuple(played), _scale(game)))
    return SoloMatch(game.name, tuple(series))


def _scale(game: Game) -> tuple[float, float]:
    return float(game.low), float(game.high)
