"""Learning: slices of self-play in a crew of threads. Between slices, the network grows for values that it does not see yet.

With several threads, a slice has rounds: after each, the copies of the network are merged (`copies.py`).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.learn import layout
from outplay.learn.copies import Copies, copies_for
from outplay.learn.hidden_layer import new_network
from outplay.learn.network import Network, Shape
from outplay.learn.progress import Counts, Moment, Progress
from outplay.learn.selfplay import SelfPlayer
from outplay.learn.settings import Settings
from outplay.learn.symmetries import Verifier
from outplay.learn.watching import Watched, watched_states
from outplay.rules.bits import splitmix
from outplay.runtime import meter
from outplay.runtime.crew import Crew
from outplay.runtime.stopper import Stopper

FIRST_SLICE = 64  # games
GROWTH = 1.5  # of a slice over the one before
ROOM = 4096  # states that a thread records of a slice
MOST_WEIGHTS = 1 << 28
# A round has so many moves for each weight, by all threads together, because the time to merge grows with the weights;
MOVES_PER_WEIGHT = 1 / 8
LEAST_MOVES, MOST_MOVES = 60_000, 3_000_000  # but for each thread at least and at most so many: what is not merged is not saved
CONTEST, LEAST_CONTEST = 100, 16  # most and least games against the network that has learned nothing
CONTEST_SHARE = 40  # games of self-play for each of these
CONTEST_OPENING = 4  # their openings have so many times fewer random moves than those of self-play
COMMON = 8  # at most so many of the lowest and of the highest values of a slice are left out as rare


class Learning:
    """Plays games and learns from them, up to a limit; continues from *network* and *counts*."""

    def __init__(
        self, engine: Engine, network: Network, settings: Settings, counts: Counts, *, seed: int, threads: int,
        base: Callable[[Any], float] | None, compares: bool = False,
    ) -> None:  # fmt: skip
        self.engine, self.game, self.network, self.settings, self.counts = engine, engine.game, network, settings, counts
        self.base = base
        self.seed = seed
        players = [SelfPlayer(engine, index, threads, seed=seed, room=ROOM) for index in range(threads)]
        for player in players:
            player.skip_to(counts.games)
        self.crew = Crew(engine, players)
        self.notes: list[str] = []
        self.contest = Crew(engine, [SelfPlayer(engine, 0, 1, seed=splitmix(seed, 4), room=1)])
        self.strength: float | None = None
        self._alone = not any(phase & 1 for phase in network.shape.phases)  # player 1 has no turn
        self._compares = compares and not self._alone
        self._before = replace(counts, history=[])
        self._began = now()
        self._last = (
            0,
            0,
            0.0,
            0,
            0.0,
        )  # games, moves, and of errors the sum and the number, and the sum of results at the last moment
        self._adopt(network)

    def _adopt(self, network: Network) -> None:
        self.network, players = network, self.crew.workers
        self.copies: Copies | None = None  # the old ones make room for the new ones
        for player in players:
            player.release()
        self.copies = copies_for(network, len(players), compiled=self.engine.compiled)
        self.networks = self.copies.networks if self.copies else (network,) * len(players)  # of each thread
        for player, own in zip(players, self.networks, strict=True):
            player.use(own.estimate(self.game, self.base))
            player.set(replace(self.settings, every=16))
        if self._compares:
            (player,) = self.contest.workers
            player.use(network.estimate(self.game, self.base))
            player.face(new_network(self.game, network.shape, self.seed).estimate(self.game, self.base))
            player.set(
                replace(self.settings, opening=self.settings.opening // CONTEST_OPENING, epsilon=0.0, restart=0, trains=False)
            )

    def prepare(self) -> None:
        """Compile the kernel of self-play, and what merges copies."""
        self.engine.prepare(self.crew.memories[0])
        if self.copies:
            self.copies.merge()  # nothing is learned yet, so this only compiles

    def run(self, deadline: int, games: int | None, stopper: Stopper) -> str:
        """Play until *deadline*, a moment of the clock, or up to game number *games*; return what ended it."""
        self._began = now()
        self.crew.limit(deadline, None)
        last = meter.NEVER if games is None else games
        with self.crew, stopper.watching(self.memories):
            while True:
                slice_end = min(self._slice_end(), last)
                until = min(slice_end, self._round_end())
                self.crew.run((until,), stopper)
                if self.copies:
                    self.copies.merge()
                for player in self.crew.workers:
                    if (fault := player.fault()) is not None:
                        raise fault
                self.counts = self._count()
                slice_over = until == slice_end and all(player.played for player in self.crew.workers)
                if slice_over:
                    self._note_moment()
                    self._see_more()
                    self._compare(deadline, stopper)
                if stopper.stopped:
                    return "stop"
                if now() >= deadline:
                    return "time"
                if slice_over and until >= last:
                    return "games"

    @property
    def memories(self) -> list[Any]:
        """The memories of all kernels that it runs."""
        return [*self.crew.memories, *self.contest.memories]

    def _compare(self, deadline: int, stopper: Stopper) -> None:
        """Play against the network that has learned nothing: few games beside those of the last slice."""
        (player,), games = self.contest.workers, min(self.counts.games // CONTEST_SHARE, CONTEST)
        if not self._compares or games < LEAST_CONTEST or stopper.stopped or now() >= deadline:
            return
        before, first = player.real(layout.POINTS), player.game
        self.contest.limit(deadline, None)
        self.contest.run((first + games,), stopper)
        if (fault := player.fault()) is not None:
            raise fault
        if player.played:
            self.strength = (player.real(layout.POINTS) - before) / games

    def _slice_end(self) -> int:
        """Return the number of the game at which the slice ends; it does not depend on time, so that a seed gives the same weights."""
        end = FIRST_SLICE
        while end <= self.counts.games:
            end = int(end * GROWTH)
        return end

    def _round_end(self) -> int:
        """Return the number of the game before which the round ends: the games that make enough moves at the mean length so far.

        It does not depend on time, so that a seed gives the same weights. Without copies, a slice is one round.
        """
        counts, threads = self.counts, self.crew.threads
        if not self.copies:
            return meter.NEVER
        if not counts.moves:
            return counts.games + threads
        moves = min(max(LEAST_MOVES, int(MOVES_PER_WEIGHT * self.network.shape.weights / threads)), MOST_MOVES) * threads
        return counts.games + max(moves * counts.games // counts.moves, threads)

    def _count(self) -> Counts:
        """Return the counts as they are now. `counts` stays as it was after the last round, which decides how long the next one is."""
        before = self._before
        return replace(
            self.counts,
            games=min(player.game for player in self.crew.workers),
            moves=before.moves + self.crew.total(layout.MOVES),
            endless=before.endless + self.crew.total(layout.ENDLESS),
            seconds=before.seconds + (now() - self._began) / 1e9,
        )

    def merged_counts(self) -> Counts:
        """Return the counts of the games that the network has learned from."""
        return self.counts if self.copies else self._count()

    def progress(self, deadline: int) -> Progress:
        """Return how far it is."""
        counts = self._count()
        passed = max(counts.seconds - self._before.seconds, 1e-9)
        left = None if deadline >= meter.NEVER else max((deadline - now()) / 1e9, 0.0)
        return Progress(
            counts.games, counts.moves, counts.seconds, left, (counts.games - self._before.games) / passed,
            (counts.moves - self._before.moves) / passed, self._error()[0], counts.endless, self.network.shape.all_weights,
            self.strength, counts.history[-1].result if counts.history and self._alone else None,
        )  # fmt: skip

    def _error(self) -> tuple[float, float, int]:
        """Return the mean error since the last moment, and the sum and the number of all errors."""
        total = sum(player.real(layout.ERROR) for player in self.crew.workers)
        number = self.crew.total(layout.COUNTED)
        return (total - self._last[2]) / max(number - self._last[3], 1), total, number

    def _note_moment(self) -> None:
        counts = self.counts
        error, total, number = self._error()
        results = sum(player.real(layout.RESULTS) for player in self.crew.workers)
        played = max(counts.games - (self._last[0] or self._before.games), 1)
        moment = Moment(counts.games, counts.moves, counts.seconds, error, (results - self._last[4]) / played)
        counts.history.append(moment)
        self._last = (counts.games, counts.moves, total, number, results)

    def _see_more(self) -> None:
        """Look at states of learned play: make room for values that random play never reached, and drop symmetries that do not hold."""
        rows = [row for player in self.crew.workers for row in player.recorded()]
        if not rows:
            return
        watched = watched_states(self.game, rows)
        shape = without_broken(self.engine, self.network.shape, watched, self.base)
        if shape is not self.network.shape:
            self.notes.append("a symmetry did not hold in learned play, and is no longer used")
            self._adopt(new_network(self.game, shape, self.seed))
            return
        grown = grown_shape(shape, watched)
        if grown is not shape and grown.all_weights <= MOST_WEIGHTS:
            self._adopt(self.network.grown(self.game, grown))


def without_broken(engine: Engine, shape: Shape, watched: Watched, base: Any) -> Shape:
    """Return *shape* without symmetries that do not hold in the *watched* states; itself if all hold."""
    if engine.game.cells is not None or (len(shape.symmetries) == 1 and shape.flip is None):
        return shape
    verifier = Verifier(engine.game, watched, shape.cells, estimated=base is not None, tried=20)
    kept = tuple(symmetry for symmetry in shape.symmetries[1:] if verifier.holds(symmetry))
    flip = shape.flip if shape.flip is not None and verifier.flips(shape.flip, shape.side) else None
    if len(kept) + 1 == len(shape.symmetries) and flip == shape.flip:
        return shape
    return replace(shape, symmetries=(shape.symmetries[0], *kept), flip=flip)


def grown_shape(shape: Shape, watched: Watched) -> Shape:
    """Return *shape* with room for all values of the *watched* states that are common; itself if it has room for them."""
    cells, changed = list(shape.cells), False
    for place, cell in enumerate(cells):
        if cell.kind not in ("number", "digit") or len(cell.terms) > 1:
            continue
        (term,) = cell.terms
        column = watched.words[:, term.word]
        values = column if cell.kind == "number" else column >> term.shift & term.mask
        low, high = common_range(values)
        room = (term.base, term.base + term.mask) if cell.kind == "number" else (0, cell.size - 1)
        if low < room[0] or high > room[1]:
            for other in sorted({symmetry[place] for symmetry in shape.symmetries}):
                cells[other] = cells[other].grown(low, max(high, room[1]))
            changed = True
    return replace(shape, cells=tuple(cells)) if changed else shape


def common_range(values: Any) -> tuple[int, int]:
    """Return the range of *values* without those that are hardly ever met."""
    ordered = np.sort(values)
    rare = min(COMMON, len(ordered) // 100)
    return int(ordered[rare]), int(ordered[-1 - rare])
