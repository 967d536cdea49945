"""The sockets that are open, and who has to leave when there are too many."""

import time
from dataclasses import dataclass, field
from typing import Protocol

from outplay.web.answers import Event
from outplay.web.limits import Caps


class Leaves(Protocol):
    """A session that can be told to leave, or told something else."""

    def leave(self, code: int, why: str) -> None: ...

    def tell(self, event: Event) -> None: ...


@dataclass(eq=False)
class Visitor:
    """One open socket."""

    session: Leaves
    last: float = field(default_factory=time.monotonic)  # when it came, or last said something
    spoke: bool = False
    working: bool = False

    def heard(self) -> None:
        """Note that it has said something."""
        self.last, self.spoke = time.monotonic(), True


class Visitors:
    """All open sockets of a server."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.here: set[Visitor] = set()
        self.refused = 0

    def enter(self, session: Leaves) -> Visitor | None:
        """Return the place of a new socket, or None if there is no room and nobody idle enough to make some."""
        if len(self.here) >= self.caps.sockets and not self._make_room():
            self.refused += 1
            return None
        visitor = Visitor(session)
        self.here.add(visitor)
        return visitor

    def leave(self, visitor: Visitor) -> None:
        """Forget a socket that has closed."""
        self.here.discard(visitor)

    def _make_room(self) -> bool:
        """Send the idlest one away: one that never said anything rather than one that is only silent."""
        now = time.monotonic()
        idle = [
            visitor
            for visitor in self.here
            if not visitor.working and now - visitor.last > (self.caps.idle if visitor.spoke else self.caps.mute)
        ]
        if not idle:
            return False
        leaving = min(idle, key=lambda visitor: (visitor.spoke, visitor.last))
        self.leave(leaving)
        leaving.session.leave(1013, "others came, and this page was idle")
        return True
