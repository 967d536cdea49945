"""What all pages of a server share, and who answers which request."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from outplay.compile.watchdog import Watchdog
from outplay.errors import OutplayError
from outplay.web import answers, messages
from outplay.web.analyses import Analyses
from outplay.web.answers import Event
from outplay.web.game_registry import GameRegistry
from outplay.web.jobs import Job, Jobs
from outplay.web.limits import Caps
from outplay.web.moves import Moves
from outplay.web.pool import Pool
from outplay.web.positions import Positions
from outplay.web.preparation import Preparation
from outplay.web.traces import Traces
from outplay.web.visitors import Visitors

LOOK = 0.5  # seconds from one look at users' files to the next


class Lengthy(NamedTuple):
    """Who answers a request that takes a while, and what its job has to wait for: a place in a lane."""

    answer: Callable[[Job, Any], Event]
    lane: Callable[[Any], str] = lambda asked: "search"


class Service:
    """The games, the jobs and the visitors of one server."""

    def __init__(self, files: Iterable[str] = (), caps: Caps | None = None) -> None:
        self.caps = caps or Caps()
        self.registry = GameRegistry(files, self.caps)
        self.pool, self.jobs = Pool(self.caps, self.registry.own.values), Jobs(self.caps)
        self.visitors = Visitors(self.caps)
        positions, preparation = Positions(self.registry, self.caps), Preparation(self.registry, self.caps)
        moves = Moves(positions, preparation, self.caps)
        analyses = Analyses(positions, preparation, self.caps)
        traces = Traces(positions, preparation, self.caps)
        # Every request but `stop` stands in one of these two: a new one needs a class in messages.py, one in answers.py, a line here.
        self.quick: dict[type, Callable[[Any], Event]] = {
            messages.Games: lambda asked: answers.Games(games=self.registry.entries()),
            messages.View: positions.view,
            messages.Views: positions.views,
            messages.Deal: positions.deal,
            messages.Read: positions.typed,
            messages.Roll: positions.roll,
        }
        self.lengthy: dict[type, Lengthy] = {
            messages.Prepare: Lengthy(preparation.prepare),
            messages.Move: Lengthy(moves.move, moves.lane),
            messages.Analyse: Lengthy(analyses.analyse),
            messages.Graph: Lengthy(analyses.graph),
            messages.Trace: Lengthy(traces.trace, lambda asked: "trace"),
            messages.Ladder: Lengthy(traces.ladder, traces.lane),
            messages.Tree: Lengthy(traces.tree, lambda asked: "trace"),
        }

    async def answer(self, asked: Any) -> Event:
        """Answer a request that needs no search."""
        return await self.pool.run(self.quick[type(asked)], asked)

    def begin(self, asked: Any, owner: Any, post: Callable[[Event], None]) -> Job:
        """Begin the job that a request asks for, as soon as there is a place for it."""
        work = self.lengthy[type(asked)]

        def run(job: Job) -> Event:
            game = self.registry.own.get(getattr(asked, "game", ""))
            job.watchdog = None if game is None else Watchdog([game])  # the rules of built-in games return
            return work.answer(job, asked)

        job = Job(owner, messages.name_of(asked), work.lane(asked), asked.id, run, post)
        self.jobs.begin(job)
        return job

    async def watch(self) -> None:
        """Read users' files again when they change, and tell all pages."""
        while self.registry.own:
            await asyncio.sleep(LOOK)
            for label in self.registry.changed():
                with suppress(OutplayError):  # it does not come to an end, and what is known of it says so
                    await self.pool.run(self.registry.reload, label)
                for visitor in list(self.visitors.here):
                    visitor.session.tell(answers.Changed(game=label, error=self.registry.broken(label)))

    def close(self) -> None:
        """Stop everything."""
        self.jobs.stop_all()
        self.pool.close()
