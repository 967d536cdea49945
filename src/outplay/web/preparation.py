"""Compiling what a search of a game takes: one game at a time, and only so many."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from outplay.learn.learned import Learned
from outplay.rules.game import OVER, Game
from outplay.rules.opponents import Policy
from outplay.search.search import prepare
from outplay.web import answers, messages
from outplay.web.game_registry import GameRegistry
from outplay.web.limits import Caps
from outplay.web.work import Work

LOOK = 0.25  # seconds from one look at whether another one still compiles to the next


class Preparation:
    """Compiles for the jobs of one server."""

    def __init__(self, registry: GameRegistry, caps: Caps) -> None:
        self.registry, self.caps = registry, caps
        self._lock, self._compiling = threading.Lock(), threading.Lock()  # only one compiles at a time
        self._ready: set[tuple[str, str, int]] = set()

    def prepare(self, job: Work, asked: messages.Prepare) -> answers.Ready:
        """Load or compile what a search of a game takes."""
        game = self.registry.game(asked.game)
        self.compile(job, game, game.start)
        return answers.Ready()

    def compile(self, job: Work, game: Game, state: Any, opponent: Policy = "best", method: str = "alpha-beta") -> None:
        """Load or compile what a search of *state* by *method* takes."""
        if game.acting(state) == OVER:
            return
        label = opponent if isinstance(opponent, str) else getattr(opponent, "__qualname__", "policy")
        if isinstance(game.estimate, Learned):
            label += " learned"
        if method != "alpha-beta":
            label += f" {method}"
        self.registry.admit(game, label)
        variant = (game.loaded_as or game.name, label, 0 if game.loaded_as else id(game))
        with job.compiling(game.name), nullcontext() if variant in self._ready else self._alone(job):
            prepare(game, state, opponent=opponent, method=method)
            self._ready.add(variant)

    @contextmanager
    def compiling(self, job: Work, game: Game) -> Iterator[None]:
        """Within this block, compile for *game* while nothing else compiles."""
        with job.compiling(game.name), self._alone(job):
            yield

    @contextmanager
    def _alone(self, job: Work) -> Iterator[None]:
        """Let only one compile at a time; but whoever takes too long, for a rule may never return, is waited for no more."""
        began, lock = time.monotonic(), self._compiling
        while not lock.acquire(timeout=LOOK):
            job.check()
            with self._lock:
                if lock is not self._compiling:
                    began, lock = time.monotonic(), self._compiling
                elif time.monotonic() - began > self.caps.compile_seconds:
                    lock = self._compiling = threading.Lock()
        try:
            job.check()  # whoever has left while another one compiled
            yield
        finally:
            lock.release()
