"""Learning on the page: a learned estimate stays in the server's memory, under a key that only its page knows.

A user's game is learned in the process of its rules, and what was learned is lost when that process ends.
"""

import secrets
import tempfile
import threading
from collections import OrderedDict
from contextlib import ExitStack, suppress
from pathlib import Path

from outplay.errors import LearnedError, OutplayError, TooLarge
from outplay.learn.learn import learn
from outplay.learn.learned import Learned
from outplay.learn.progress import Progress
from outplay.rules.game import Game
from outplay.web import answers, messages
from outplay.web.game_registry import GameRegistry
from outplay.web.limits import Caps
from outplay.web.preparation import Preparation
from outplay.web.work import Stopped, Work

WEIGHT_BYTES = 12  # three float32: the weight, and its trust


class Lessons:
    """Learns games for the jobs of one server, and keeps the latest estimates."""

    def __init__(self, registry: GameRegistry, preparation: Preparation, caps: Caps) -> None:
        self.registry, self.preparation, self.caps = registry, preparation, caps
        self._lock = threading.Lock()
        self._learned: OrderedDict[str, Learned] = OrderedDict()

    def learn(self, job: Work, asked: messages.Learn) -> answers.Learned:
        """Learn a game, and report progress. If it is stopped, answer with what was learned so far."""
        game = self.registry.game(asked.game)
        before = self.find(asked.learned, game) if asked.learned else None
        self.registry.admit(game, "learn")
        with ExitStack() as compiling, tempfile.TemporaryDirectory(prefix="outplay-") as folder:
            file = Path(folder) / "estimate"
            if before is not None:
                before.save(file)
            compiling.enter_context(self.preparation.compiling(job, game))
            report = _Report(job, compiling, self.caps)
            found = learn(
                game, seconds=asked.seconds, file=file if before is not None else None, upon="nothing", progress=report,
                stopper=job.stopper,
            )  # fmt: skip
            if report.too_large:
                raise TooLarge(
                    f"what can be learned of {game.name!r} takes more than the {self.caps.lesson_mb:g} MB that the page may take; "
                    "learn it at the command line: outplay learn"
                )
        if not found.games:  # stopped before the first game was over
            raise Stopped
        key = self._keep(found, asked.learned)
        return answers.Learned(
            key=key,
            games=found.games,
            seconds=found.seconds,
            error=found.history[-1].error if found.history else 0.0,
            history=[answers.LearnedMoment(games=moment.games, error=moment.error) for moment in found.history],
            told=found.explain(),
            stopped_by="busy" if job.hurried else "stop" if job.stopper.stopped else "time",
        )

    def find(self, key: str, game: Game) -> Learned:
        """Return the estimate under *key*; it must be one of *game*."""
        with self._lock:
            found = self._learned.get(key)
            if found is not None:
                self._learned.move_to_end(key)
        if found is None:
            raise LearnedError("the server no longer has what was learned of this game; learn it again")
        with suppress(OutplayError):
            found.check(game)
            return found
        raise LearnedError("what was learned is of other rules than the game has now; learn it again")

    def game(self, key: str, game: Game) -> Game:
        """Return *game* with the estimate under *key*; *game* itself if the key is empty."""
        return self.find(key, game).game if key else game

    def _keep(self, found: Learned, replaced: str) -> str:
        key = secrets.token_urlsafe(12)
        with self._lock:
            self._learned.pop(replaced, None)
            self._learned[key] = found
            while len(self._learned) > self.caps.lessons or (
                len(self._learned) > 1 and self._bytes() > self.caps.lessons_mb * 2**20
            ):
                self._learned.popitem(last=False)
        return key

    def _bytes(self) -> int:
        return WEIGHT_BYTES * sum(found.weights for found in self._learned.values())


class _Report:
    """Tells the page how far learning is; stops it if it takes too much memory."""

    def __init__(self, job: Work, compiling: ExitStack, caps: Caps) -> None:
        self.job, self.compiling, self.caps = job, compiling, caps
        self.too_large = False

    def __call__(self, progress: Progress) -> None:
        if progress.phase != "learning":
            return
        if not self.job.searching:
            with suppress(Stopped):  # then learning ends by itself
                self.compiling.close()
            self.job.begin_search()
        if progress.weights * WEIGHT_BYTES > self.caps.lesson_mb * 2**20:
            self.too_large = True
            self.job.stopper.stop()
            return
        self.job.post(
            answers.Learning(
                games=progress.games,
                rate=progress.moves_per_second,
                error=progress.error,
                seconds=progress.seconds,
                seconds_left=progress.seconds_left,
            )
        )
