"""One call of `learn`, from its options to the estimate."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import get_ident
from typing import Any

from outplay.checking.trust import inspect_rules, trust_compiled
from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.compile.watchdog import give_up
from outplay.errors import GameError, Interrupted, LimitError, NotSaved, OptionError, OutplayError, RuleRaised, StateError
from outplay.learn.file import check_target
from outplay.learn.hidden_layer import new_network
from outplay.learn.learned import Learned, plain
from outplay.learn.learning import Learning
from outplay.learn.progress import Counts, Progress
from outplay.learn.selfplay import engine_for
from outplay.learn.shape import find_shape
from outplay.rules.fields import is_int
from outplay.rules.game import OVER, Game
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.limits import Limits
from outplay.runtime.meter import NEVER
from outplay.runtime.overdue import SearchWatch
from outplay.runtime.stopper import Stopper
from outplay.runtime.threads import thread_count

UPON = ("nothing", "estimate")
SAVE_EVERY = 45.0  # seconds
REPORT_EVERY = 0.2


def learn_games(
    game: Game,
    *,
    games: int | None,
    seconds: float | None = None,
    threads: int | None = 1,
    upon: str = "nothing",
    file: str | Path | None = None,
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
    stopper: Stopper | None = None,
    compiled: bool = True,
) -> Learned:
    """Do what `learn` does, for *seconds* or up to game number *games*.

    At the same game, the same *seed* and number of *threads* give the same weights; `copies.py` names the exception.

    With *compiled*=False, self-play is interpreted.
    """
    number, stopper = thread_count(threads), stopper or Stopper()
    if games is not None and not (is_int(games) and games > 0):
        raise LimitError(f"games={games!r:.40} is not a valid limit; it must be a whole number above 0")
    if not is_int(seed) or isinstance(seed, bool):
        raise OptionError(f"seed={seed!r:.40} must be a whole number: it says which games are played")
    path = None if file is None else Path(file)
    if path is not None:
        check_target(path)
    game, played = _resolve(game, upon)
    engine = engine_for(played, compiled=compiled)
    inspect_rules(played)
    if progress is not None:
        progress(Progress(0, 0, 0.0, seconds, 0.0, 0.0, 0.0, 0, 0, phase="looking"))
    if compiled:
        trust_compiled(played)
    base = played.estimate
    before = Learned.load(path, game) if path is not None and path.exists() else None
    if before is not None and before.upon != upon:
        raise OptionError(f"{path} was learned upon {before.upon!r}; give upon={before.upon!r} to go on, or another file")
    if before is not None and not before.network.resumable:
        raise OptionError(f"{path} was saved with resumable=False, to be used and not to be learned on; learn into another file")
    if before is None:
        found = _under_watch(engine, stopper, lambda: find_shape(engine, seed, base=base))
        network, settings, notes, counts = new_network(game, found.shape, seed), found.settings, found.notes, Counts()
    else:
        network, settings, notes = before.network.copy(game), before.settings, before.notes
        counts, seed = replace(before.counts, history=list(before.counts.history)), before.seed
    compares = progress is not None
    learning = Learning(engine, network, settings, counts, seed=seed, threads=number, base=base, compares=compares)
    learning.prepare()
    run = _Run(game, learning, upon, seed, notes, path, progress)
    return run.result(seconds, games, stopper)


def _resolve(game: Game, upon: str) -> tuple[Game, Game]:
    """Return *game* without a learned estimate, and the game for self-play: its estimate is the one to learn upon, or none."""
    if not isinstance(game, Game):
        hint = f"; load({game!r}) gives the one of that name" if isinstance(game, str) else ""
        raise GameError(f"learn takes a Game, and got {game!r:.60}{hint}")
    if upon not in UPON:
        raise OptionError(f"upon={upon!r:.40} is unknown; an estimate is learned upon {' or '.join(map(repr, UPON))}")
    game = plain(game)
    if upon == "estimate" and game.estimate is None:
        raise OptionError(f"{game.name!r} has no estimate to learn upon; leave upon out")
    if game.acting(game.start) == OVER:
        raise StateError(f"the game is over in its start, and there is nothing to learn: {game.write_state(game.start)}")
    return game, game if upon == "estimate" else game.replace(estimate=None)


def _under_watch(engine: Engine, stopper: Stopper, work: Callable[[], Any]) -> Any:
    """Run *work*, which plays random games, on a large stack. Nothing is learned yet, so an interruption has no result."""
    threads: list[int] = []

    def begun() -> Any:
        threads.append(get_ident())
        return work()

    def end() -> None:
        stopper.stop()
        for ident in threads:  # nothing of the work is kept, so its thread is ended wherever it is
            give_up(ident)

    try:
        return on_large_stack(begun, stack_for(engine.game), interrupt=end)
    except Interrupted as error:
        message = "learning interrupted before its first game"
        raise Interrupted(None, message, stuck=error.stuck, compiling=error.compiling) from None


class _Run:
    """One call of `learn`, after the shape of the network is known."""

    def __init__(
        self, game: Game, learning: Learning, upon: str, seed: int, notes: tuple[str, ...], path: Path | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:  # fmt: skip
        self.game, self.learning, self.upon, self.seed, self.notes = game, learning, upon, seed, notes
        self.path, self.progress = path, progress
        self.deadline = NEVER
        self._saved, self._reported = time.monotonic(), 0.0

    def result(self, seconds: float | None, games: int | None, stopper: Stopper) -> Learned:
        """Learn, and return the estimate; a rule that raises or never returns is reported with its name and line."""
        learning, engine = self.learning, self.learning.engine
        watch = SearchWatch(engine.game, engine.game.start, learning.memories, self._repeat, compiled=engine.compiled)
        if seconds is not None:
            learning.crew.watch_time(seconds)

        def work() -> Learned:
            self.deadline = Limits(seconds, nodes=1).deadline(now())
            learning.run(self.deadline, games, stopper)
            return self._learned()

        def tick() -> None:
            watch.look()
            self._report()
            self._save_now_and_then()

        try:
            found = on_large_stack(work, stack_for(engine.game), interrupt=stopper.stop, tick=tick)
        except Interrupted as error:
            if error.result is not None:
                self._save(error.result)
            raise
        except RuleRaised as error:
            if engine.compiled and error.place is None:
                self._repeat()
            raise error from None
        self._save(found)
        return found

    def _learned(self) -> Learned:
        learning = self.learning
        counts = learning.merged_counts()
        notes = tuple(dict.fromkeys([*self.notes, *learning.notes]))
        return Learned(
            self.game, learning.network, learning.settings, replace(counts, history=list(counts.history)), upon=self.upon,
            seed=self.seed, notes=notes,
        )  # fmt: skip

    def _report(self) -> None:
        if self.progress is not None and time.monotonic() - self._reported >= REPORT_EVERY:
            self._reported = time.monotonic()
            self.progress(self.learning.progress(self.deadline))

    def _save_now_and_then(self) -> None:
        """Save what was learned so far, if it is time; the threads go on learning. A disk that is full now may have room at the end."""
        if self.path is not None and time.monotonic() - self._saved >= SAVE_EVERY:
            with suppress(OutplayError):
                self._learned().save(self.path)
            self._saved = time.monotonic()

    def _save(self, found: Learned) -> None:
        if self.path is None:
            return
        try:
            found.save(self.path)
        except OutplayError as error:
            raise NotSaved(f"{error}; what was learned is in the result of this error: error.result.save(...)", found) from None

    def _repeat(self) -> None:
        """Play the current games again, interpreted and without learning: a rule that fails there has a line."""
        learning = self.learning
        for player, network in zip(learning.crew.workers, learning.networks, strict=True):
            engine = engine_for(learning.game, compiled=False)
            again = Learning(
                engine, network, replace(learning.settings, trains=False), Counts(), seed=self.seed, threads=1, base=learning.base
            )  # fmt: skip
            again.run(NEVER, again.crew.workers[0].repeat(player), Stopper())
