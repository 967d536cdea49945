"""`judge`: how well a learned estimate plays, measured by exact values, or by a match if there are none."""

import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import fmean
from typing import Any, NamedTuple, Protocol

from outplay.agents.search import SearchAgent
from outplay.arena.judgement import Judgement, Level
from outplay.arena.match import match
from outplay.arena.opening import opened
from outplay.errors import GameError, Interrupted, LimitError, OptionError, TooDeep, TooLarge
from outplay.intervals import mean_within
from outplay.learn.learned import Learned
from outplay.rules.fields import is_int
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.key import key_of
from outplay.runtime.limits import Limits, check_seed
from outplay.runtime.stopper import Stopper
from outplay.search.searcher import Searcher
from outplay.solve.progress import Progress
from outplay.solve.proof.prover import NotWhole, Prover
from outplay.solve.solution import Solution
from outplay.solve.solve import solve

AGAINST = ("nothing", "estimate")
SHARE_FOR_TABLE = 0.5  # of the time, to make a solved table
MOST_DRAWS = 20  # draws for each position to judge; many are drawn twice or left out
ENOUGH, FEW = 100, 10  # draws after which to give up where fewer positions than this could be judged
MOST_PLIES = 10_000  # of a random game
ALIKE = 1e-6  # values of a table with an error that differ by less, in units of the scale, are equal


class Exact(Protocol):
    """A source of exact values: its name, and the value of every move of a state, to player 0."""

    name: str

    def values(self, state: Any) -> dict[int, float]: ...


def judge(
    game: Game,
    learned: Learned,
    *,
    depth: int = 1,
    positions: int = 500,
    opening: int | None = None,
    against: str | None = None,
    games: int = 100,
    seconds: float = 60.0,
    nodes: int = 1_000_000,
    memory_mb: float = 512.0,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    stopper: Stopper | None = None,
    compiled: bool = True,
) -> Judgement:
    """Choose moves by a search of *depth* moves with *learned*, and compare them with exact values.

    The values come from a solved table if `solve` makes one within half of *seconds* and within *memory_mb*. Otherwise each move is
    proven, within *nodes* nodes. Random play from the start of the game draws so many different *positions*: after *opening* plies,
    or at any ply of a random game. When *seconds* are over, the report covers fewer positions; the time to compile does not count.

    If there are no exact values, or hardly any, or if *against* is given, a match of *games* games judges: against a search of the
    same depth without an estimate ("nothing") or with the game's own ("estimate").

    *progress* is called with the number of positions or games that are done, and with their total. *stopper* ends it early.
    """
    _check(game, learned, positions=positions, games=games, depth=depth, nodes=nodes)
    limits = Limits(seconds)
    if opening is not None and not (is_int(opening) and opening >= 0):
        raise OptionError(f"opening={opening!r:.40} must be a number of random plies, 0 or more")
    if against is not None and against not in AGAINST:
        raise OptionError(f"against={against!r:.40} is unknown; the other player has {' or '.join(map(repr, AGAINST))}")
    if against == "estimate" and learned.original.estimate is None:
        raise OptionError(f"{game.name!r} has no estimate of its own to play against; against='nothing' needs none")
    check_seed(seed, "positions")
    learned.check(game)
    began, stopper = time.monotonic(), stopper or Stopper()
    assert limits.seconds is not None
    game = learned.original
    exact = None if against is not None else _exact(game, SHARE_FOR_TABLE * limits.seconds, nodes, memory_mb, stopper, compiled)
    if exact is not None:
        judging = _Judging(game, learned, exact, depth, opening, seed, compiled)
        judging.run(positions, (1 - SHARE_FOR_TABLE) * limits.seconds, stopper, progress)
        if exact.name == "table" or any(choice.decisive for choice in judging.choices):
            return judging.judgement(time.monotonic() - began, stopped=stopper.stopped)
        if stopper.stopped:
            raise Interrupted(None, "stopped before anything was judged")
    found = _by_match(game, learned, against, depth, games, opening, seed, progress, began, compiled)
    return found if exact is None else replace(found, draws=judging.draws, left_out=tuple(judging.left_out.most_common()))


def _check(game: Game, learned: Learned, **numbers: Any) -> None:
    if not isinstance(game, Game):
        raise GameError(f"judge takes a Game, and got {game!r:.60}")
    if not isinstance(learned, Learned):
        raise OptionError(f"judge takes a learned estimate, and got {learned!r:.60}; Learned.load(file, game) reads one")
    for name, number in numbers.items():
        if not is_int(number) or number < 1:
            raise LimitError(f"{name}={number!r:.40} is not valid; it must be a whole number above 0")


class _Table:
    """Exact values by a solved table."""

    name = "table"

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def values(self, state: Any) -> dict[int, float]:
        return {candidate.move: float(candidate.value or 0) for candidate in self.solution[state].candidates}


class _Proofs:
    """Exact values, each by a proof."""

    name = "proof"

    def __init__(self, game: Game, nodes: int, stopper: Stopper, compiled: bool) -> None:
        self.game, self.nodes, self.stopper = game, nodes, stopper
        self.prover = Prover(game, compiled=compiled)

    def values(self, state: Any) -> dict[int, float]:
        found = {}
        for move in self.game.legal(state):
            after = self.game.state(self.game.play(state, move))
            value: float
            if self.game.turn(after) == OVER:
                value = float(self.game.score(after))
            else:
                value = self.prover.value(after, nodes=self.nodes, stopper=self.stopper)
            found[move] = value + (float(self.game.reward(state, move)) if self.game.reward is not None else 0.0)
        return found


def _exact(game: Game, seconds: float, nodes: int, memory_mb: float, stopper: Stopper, compiled: bool) -> Exact | None:
    """Return a source of exact values of *game*; None if there is none."""
    ends, until = Stopper(), math.inf

    def look(at: Progress) -> None:
        nonlocal until
        until = min(until, time.monotonic() + seconds)  # from the first report on: compiling does not count
        if stopper.stopped or time.monotonic() > until:
            ends.stop()

    try:
        return _Table(solve(game, method="cycles", memory_mb=memory_mb, progress=look, stopper=ends, compiled=compiled))
    except (TooLarge, Interrupted) as error:
        if isinstance(error, Interrupted) and (stopper.stopped or not ends.stopped):
            raise
    if game.reward is not None:
        return None
    try:
        return _Proofs(game, nodes, stopper, compiled)
    except NotWhole:
        return None


class _Choice(NamedTuple):
    """A judged choice.

    `decisive`: some move gives the result away; `kept`: this choice does not; `best`: its value is the best one; `loss`: the value
    that it gives away; `by_chance`: the share of moves that keep the result; `plies`: from the start to the position.
    """

    decisive: bool
    kept: bool
    best: bool
    loss: float
    by_chance: float
    plies: int


class _Judging:
    """Draws positions and compares choices with exact values."""

    def __init__(
        self, game: Game, learned: Learned, exact: Exact, depth: int, opening: int | None, seed: int, compiled: bool
    ) -> None:
        self.game, self.learned, self.exact, self.depth = game, learned, exact, depth
        self.opening, self.seed, self.dice = opening, seed, Random(f"{seed}/judge")
        self.searcher = Searcher(game, estimate=learned, compiled=compiled)
        self.draws, self.left_out = 0, Counter[str]()
        self.choices: list[_Choice] = []
        self.seen: set[int] = set()
        # With chance, or with one player, no sign of the value says who wins: the result is the value itself.
        self.by_sign = game.chances is None and not game.solitaire and game.low < 0 < game.high
        self.alike = ALIKE * (game.high - game.low) if game.chances is not None else 0.0

    @property
    def positions(self) -> int:
        return len(self.choices)

    def run(
        self, positions: int, seconds: float, stopper: Stopper, progress: Callable[[int, int], None] | None
    ) -> None:  # fmt: skip
        """Judge *positions* positions, or as many as there is time for."""
        self.searcher.prepare()
        began = time.monotonic()
        while self.positions < positions and self.draws < MOST_DRAWS * positions:
            if stopper.stopped or time.monotonic() - began > seconds or (self.draws >= ENOUGH and self.positions < FEW):
                return
            self.draw()
            if progress is not None:
                progress(self.positions, positions)

    def draw(self) -> None:
        """Draw a position and judge the choice there, or note why the position is left out."""
        self.draws += 1
        drawn = self._position()
        if drawn is None:
            self.left_out["with no player to move"] += 1
            return
        state, plies = drawn
        if (key := key_of(state)) in self.seen:
            self.left_out["repeats of an earlier one"] += 1
            return
        self.seen.add(key)
        if len(self.game.legal(state)) < 2:
            self.left_out["with only one legal move"] += 1
            return
        try:
            values = self.exact.values(state)
        except TooLarge:
            self.left_out["not proven within the limit of nodes"] += 1
            return
        except (NotWhole, TooDeep):
            self.left_out["beyond a proof: fractions in a score, or play without end"] += 1
            return
        except Interrupted:
            self.left_out["stopped"] += 1
            return
        self.choices.append(self._judged(state, values, plies))

    def _position(self) -> tuple[Any, int] | None:
        """Return a state in which a player is to move, and its ply."""
        if self.opening is not None:
            state, _ = opened(self.game, self.game.start, self.opening, self.dice)
            return (state, self.opening) if self.game.turn(state) != CHANCE else None
        state, way = self.game.state(self.game.start), []
        for ply in range(MOST_PLIES):
            who = self.game.turn(state)
            if who == OVER:
                break
            if who != CHANCE:
                way.append((state, ply))
            choice = self.game.roll(state, self.dice) if who == CHANCE else self.dice.choice(self.game.legal(state))
            state = self.game.state(self.game.play(state, choice))
        return self.dice.choice(way) if way else None

    def _judged(self, state: Any, values: dict[int, float], plies: int) -> _Choice:
        sign = 1 if self.game.turn(state) == 0 else -1
        worth = {move: sign * value for move, value in values.items()}
        best = max(worth.values())
        kept = {move: self._same(value, best) for move, value in worth.items()}
        move = self.searcher.search(state, depth=self.depth).move
        assert move is not None
        loss = best - worth[move]
        alike = loss <= self.alike
        return _Choice(not all(kept.values()), kept[move], alike, 0.0 if alike else loss, fmean(kept.values()), plies)

    def _same(self, value: float, best: float) -> bool:
        if self.by_sign:
            return (value > 0) - (value < 0) == (best > 0) - (best < 0)
        return best - value <= self.alike

    def judgement(self, seconds: float, *, stopped: bool) -> Judgement:
        """Return what was found."""
        choices = self.choices
        if not choices:
            why = ", ".join(f"{number:,} {reason}" for reason, number in self.left_out.items()) or "there was no time"
            raise LimitError(
                f"no position of {self.game.name!r} could be judged: of {self.draws:,} drawn, {why}; allow more seconds or nodes, "
                "draw later positions by opening, or judge by a match: against='nothing'"
            )
        decisive = [choice for choice in choices if choice.decisive]
        losses = [choice.loss for choice in choices]
        loss, error = mean_within(losses)
        plies = [choice.plies for choice in choices]
        return Judgement(
            game=self.game.name,
            learned=self.learned.games,
            depth=self.depth,
            by=self.exact.name,
            level=Level(
                positions=len(choices),
                decisive=len(decisive),
                kept=sum(choice.kept for choice in decisive),
                kept_by_chance=fmean(choice.by_chance for choice in decisive) if decisive else 1.0,
                best=sum(choice.best for choice in choices),
                loss=loss,
                loss_error=error,
                by_sign=self.by_sign,
                most_loss=float(self.game.high - self.game.low),
            ),
            seed=self.seed,
            opening=self.opening,
            plies=(min(plies), fmean(plies), max(plies)),
            draws=self.draws,
            left_out=tuple(self.left_out.most_common()),
            stopped=stopped,
            seconds=seconds,
        )


def _by_match(
    game: Game, learned: Learned, against: str | None, depth: int, games: int, opening: int | None, seed: int,
    progress: Callable[[int, int], None] | None, began: float, compiled: bool,
) -> Judgement:  # fmt: skip
    against = against or ("estimate" if game.estimate is not None else "nothing")
    played = [0]

    def count(_: Any) -> None:
        played[0] += 1
        if progress is not None:
            progress(played[0], total)

    total = 2 * games if game.solitaire else games
    others = game if against == "estimate" else game.replace(estimate=None)
    named = "no estimate" if against == "nothing" else "the game's own estimate"
    first = SearchAgent(depth=depth, estimate=learned, compiled=compiled, name=f"depth {depth} with the learned estimate")
    second = SearchAgent(depth=depth, compiled=compiled, name=f"depth {depth} with {named}")
    found = match(others, first, second, games=games, seed=seed, opening=opening, progress=count)
    return Judgement(
        game=game.name, learned=learned.games, depth=depth, by="match", against=against, match=found, seed=seed, opening=opening,
        seconds=time.monotonic() - began,
    )  # fmt: skip
