"""What all pages of a server share, and where a request is answered: here, or in the process of a user's rules."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from outplay.web import answers, messages
from outplay.web.answers import Event
from outplay.web.game_registry import GameRegistry
from outplay.web.handlers import Handlers
from outplay.web.jobs import Job, Jobs
from outplay.web.lessons import given_estimates
from outplay.web.limits import Caps
from outplay.web.own_games import OwnGames
from outplay.web.rules_process import RulesProcess
from outplay.web.tournaments import Tournaments
from outplay.web.visitors import Visitors

LOOK = 0.5  # seconds from one look at users' files to the next


class Service:
    """The games, the jobs and the visitors of one server."""

    def __init__(
        self,
        files: Iterable[str] = (),
        caps: Caps | None = None,
        *,
        tournaments: Iterable[str | Path] = (),
        learned: Sequence[str] = (),
    ) -> None:
        """*learned*: files of learned estimates, for built-in games or for those in *files*; *tournaments*: stores."""
        self.caps = caps or Caps()
        self.tournaments = Tournaments(tournaments)  # first: a store that cannot be read is said before a process starts
        given, others = given_estimates(learned)
        self.own = OwnGames(files, self.caps, others)
        self.registry = GameRegistry(caps=self.caps, labels=self.own.processes)
        self.tournaments.know(self.registry, {label: self.own.path(label) for label in self.own.processes})
        self.handlers = Handlers(self.registry, self.caps, tournaments=self.tournaments, given=given)
        self.jobs, self.visitors = Jobs(self.caps), Visitors(self.caps)
        self._threads = ThreadPoolExecutor(self.caps.rules_threads, "outplay-rules")

    async def answer(self, asked: Any) -> Event:
        """Answer a request that needs no search."""
        own = self._process(asked)
        if own is not None:
            return await own.answer(asked)
        found = await asyncio.get_running_loop().run_in_executor(self._threads, self.handlers.quick[type(asked)], asked)
        if isinstance(found, answers.Games):
            found.games[:0] = [process.entry for process in self.own.processes.values() if process.entry is not None]
        return found

    def begin(self, asked: Any, owner: Any, post: Callable[[Event], None]) -> Job:
        """Begin the job that a request asks for, as soon as there is a place for it."""
        work, own = self.handlers.lengthy[type(asked)], self._process(asked)

        def run(job: Job) -> Event:
            return work.answer(job, asked) if own is None else own.run(job, asked)

        job = Job(owner, messages.name_of(asked), work.lane(asked), asked.id, run, post)
        self.jobs.begin(job)
        return job

    def _process(self, asked: Any) -> RulesProcess | None:
        """Return the process that runs the rules that a request is about; None for those of built-in games."""
        named = (
            [position.game for position in asked.positions] if isinstance(asked, messages.Views) else [getattr(asked, "game", "")]
        )
        return next((self.own.processes[game] for game in named if game in self.own.processes), None)

    async def watch(self) -> None:
        """Read users' files again when they change, and tell all pages."""
        while self.own.processes:
            await asyncio.sleep(LOOK)
            for label in self.own.changed():
                await asyncio.to_thread(self.own.reload, label)
                for visitor in list(self.visitors.here):
                    visitor.session.tell(answers.Changed(game=label, error=self.own.broken(label)))

    def close(self) -> None:
        """Stop everything."""
        self.jobs.stop_all()
        self.own.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
