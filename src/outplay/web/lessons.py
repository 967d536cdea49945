"""Learning on the page: a learned estimate stays in the server's memory, under a key that only its page knows.

Without a key, searches use the estimate in a file that the server was started with, or the one that ships with Outplay.

A user's game is learned in the process of its rules, and what was learned is lost when that process ends.
"""

import secrets
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from outplay.errors import LearnedError, OutplayError, TooLarge
from outplay.games import catalogue
from outplay.learn.file import game_of
from outplay.learn.learn import learn
from outplay.learn.learned import Learned
from outplay.learn.progress import Progress
from outplay.learn.shipped import shipped
from outplay.rules.game import Game
from outplay.web import answers, messages
from outplay.web.game_registry import GameRegistry
from outplay.web.limits import PICTURE_BYTES, Caps
from outplay.web.preparation import Preparation
from outplay.web.work import Stopped, Work

NONE = "none"  # as a key: searches use no learned estimate
WEIGHT_BYTES = 12  # three float32: the weight, and its trust


class Lessons:
    """Learns games for the jobs of one server, and keeps the latest estimates."""

    def __init__(
        self, registry: GameRegistry, preparation: Preparation, caps: Caps, given: Sequence[Learned] = ()
    ) -> None:  # fmt: skip
        """*given*: estimates of files that the server was started with."""
        self.registry, self.preparation, self.caps, self.given = registry, preparation, caps, list(given)
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
            seconds=found.seconds,
            stopped_by="busy" if job.hurried else "stop" if job.stopper.stopped else "time",
            **_facts(found, "here"),
        )

    def lesson(self, asked: messages.Lesson) -> answers.Lesson:
        """Tell what was learned about a game before."""
        game = self.registry.game(asked.game)
        found = self.usual(game)
        if found is None:
            return answers.Lesson()
        return answers.Lesson(**_facts(found, "file" if found in self.given else "shipped"))

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

    def usual(self, game: Game) -> Learned | None:
        """Return the estimate that searches of *game* use if a page says nothing: of a file that the server was given, or one that ships."""
        for found in self.given:
            with suppress(OutplayError):
                found.check(game)
                return found
        return shipped(game)

    def estimate(self, key: str, game: Game) -> Learned | None:
        """Return the learned estimate of *game* that a page asks for; None if there is none, or if it wants none."""
        if key == NONE:
            return None
        return self.find(key, game) if key else self.usual(game)

    def game(self, key: str, game: Game) -> Game:
        """Return *game* with the learned estimate that a page asks for, if there is one."""
        found = self.estimate(key, game)
        return game if found is None else found.game

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


def _facts(found: Learned, origin: str) -> dict[str, Any]:
    """Return what the page shows of an estimate."""
    picture = found.svg()
    return {
        "origin": origin,
        "games": found.games,
        "error": found.history[-1].error if found.history else 0.0,
        "history": [answers.LearnedMoment(games=moment.games, error=moment.error) for moment in found.history],
        "told": found.explain(),
        "picture": picture if len(picture) <= PICTURE_BYTES else "",
    }


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


def given_estimates(files: Sequence[str]) -> tuple[list[Learned], list[str]]:
    """Return the learned estimates of built-in games in *files*, and the files of other games; refuse what is no such file."""
    found, others = [], []
    for file in files:
        name = game_of(Path(file))
        if name:
            found.append(Learned.load(file, catalogue.built_in(name)))
        else:
            others.append(file)
    return found, others
