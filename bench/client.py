"""A page as its server sees it: a socket that asks. The tests use it too."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 600.0  # seconds; beside a busy machine a game may be compiled first


class Page:
    """One socket, asked one thing after the other."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection, self.number = connection, 0

    def send(self, do: str, **parts: Any) -> int:
        """Send a request and return its number."""
        self.number += 1
        self.connection.send(json.dumps({"id": self.number, "do": do, **parts}))
        return self.number

    def event(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """Return the next event, whatever it belongs to."""
        return json.loads(self.connection.recv(timeout=timeout))  # type: ignore[no-any-return]

    def events(self, number: int | None, timeout: float = PATIENCE) -> Iterator[dict[str, Any]]:
        """Yield the events of a request up to its last."""
        while True:
            event = self.event(timeout)
            if event["id"] == number:
                yield event
                if event.get("done"):
                    return

    def first(self, name: str, do: str, **parts: Any) -> dict[str, Any]:
        """Send a request and return its first event of that name; the request may go on."""
        return next(event for event in self.events(self.send(do, **parts)) if event["event"] == name)

    def ask(self, do: str, **parts: Any) -> dict[str, Any]:
        """Send a request and return its last event."""
        return list(self.events(self.send(do, **parts)))[-1]


@contextmanager
def open_page(host: str, headers: dict[str, str], **options: Any) -> Iterator[Page]:
    """Open a socket as the page does."""
    with connect(
        f"ws://{host}/ws", additional_headers=headers, compression=None, max_size=None, proxy=None, **options
    ) as connection:
        yield Page(connection)
