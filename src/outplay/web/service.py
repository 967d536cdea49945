"""What all pages of a server share."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from outplay.errors import OutplayError
from outplay.web import messages
from outplay.web.jobs import Event, Jobs
from outplay.web.limits import Caps
from outplay.web.offered import Offered
from outplay.web.pool import Pool
from outplay.web.positions import Positions
from outplay.web.visitors import Visitors
from outplay.web.work import Work

LOOK = 0.5  # seconds from one look at users' files to the next


class Service:
    """The games, the jobs and the visitors of one server."""

    def __init__(self, files: Iterable[str] = (), caps: Caps | None = None) -> None:
        self.caps = caps or Caps()
        self.offered = Offered(files, self.caps)
        self.positions = Positions(self.offered)
        self.work = Work(self.positions, self.caps)
        self.pool, self.jobs, self.visitors = Pool(self.caps), Jobs(self.caps), Visitors(self.caps)

    def quick(self, asked: Any) -> Event:
        """Answer a request that needs no search."""
        positions = self.positions
        match asked:
            case messages.Games():
                return {"event": "games", "games": self.offered.listed(), "limits": self.caps.shown()}
            case messages.View():
                return {"event": "view", **positions.view(positions.place(asked))}
            case messages.Views():
                return {"event": "views", "views": positions.views(asked.positions)}
            case messages.Deal():
                return {"event": "dealt", "start": positions.deal(asked.game)}
            case messages.Read():
                return {"event": "state", "start": positions.start(asked.game, asked.text)}
            case messages.Roll():
                return {"event": "rolled", **positions.roll(positions.place(asked))}
        raise AssertionError(asked)  # every other request is a job

    async def watch(self) -> None:
        """Read users' files again when they change, and tell all pages."""
        while self.offered.own:
            await asyncio.sleep(LOOK)
            for label in self.offered.changed():
                with suppress(OutplayError):  # it does not come to an end, and what is known of it says so
                    await self.pool.run(self.offered.reload, label)
                event = {"id": None, "event": "changed", "game": label, "error": self.offered.broken(label)}
                for visitor in list(self.visitors.here):
                    visitor.session.tell(event)

    def close(self) -> None:
        """Stop everything."""
        self.jobs.stop_all()
        self.pool.close()
