"""The events that wait to be sent to one page.

A page that reads slowly gets the latest news, not all of it: an event that only says how far a job is takes the place of
the one before it.
"""

import asyncio
from collections import OrderedDict
from typing import Any

from outplay.web.answers import Event


class Overflow(Exception):
    """More events than a page takes."""


class Outbox:
    """Events in order, for one sender to take out."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._events: OrderedDict[tuple[Any, ...], Event] = OrderedDict()
        self._number = 0
        self._some, self._none = asyncio.Event(), asyncio.Event()
        self._none.set()
        self.overflown = False

    def __len__(self) -> int:
        return len(self._events)

    def put(self, event: Event) -> None:
        """Add *event*."""
        if event.news and not event.done:
            key: tuple[Any, ...] = (event.id, type(event))
            self._events.pop(key, None)
        else:
            self._number += 1
            key = (self._number,)
        self._events[key] = event
        self.overflown = self.overflown or len(self._events) > self._most
        self._some.set()
        self._none.clear()

    async def take(self) -> Event:
        """Return the oldest event; wait for one if there is none."""
        await self._some.wait()
        if self.overflown:
            raise Overflow
        _, event = self._events.popitem(last=False)
        if not self._events:
            self._some.clear()
        return event

    def sent(self) -> None:
        """Say that what was taken is on its way."""
        if not self._events:
            self._none.set()

    async def drained(self) -> None:
        """Wait until everything is on its way."""
        await self._none.wait()
