"""A running server for tests, and a page that asks it."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from outplay.web.limits import Caps
from outplay.web.server import Server

TOKEN = "a-token-for-the-tests"


class Running:
    """A server that runs in a thread of this process."""

    def __init__(self, server: Server) -> None:
        self.server, self.service = server, server.service
        self.port, self.token, self.address, self.entrance = server.port, server.token, server.address, server.entrance
        self.host = f"127.0.0.1:{server.port}"
        self.client = httpx.Client(verify=False)  # there is nothing to verify, and to get ready for it takes a while
        self.client.get(self.entrance)
        ((self.cookie_name, self.cookie),) = self.client.cookies.items()
        self.headers = {"Cookie": f"{self.cookie_name}={self.cookie}", "Origin": f"http://{self.host}"}

    @property
    def jobs(self) -> int:
        """How many jobs run."""
        return len(self.service.jobs.running)

    @property
    def sockets(self) -> int:
        """How many sockets are open."""
        return len(self.service.visitors.here)

    @property
    def threads(self) -> int:
        """How many threads of ours there are in the process."""
        return sum(thread.name.startswith("outplay") for thread in threading.enumerate())

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Ask for *path* with the cookie."""
        return self.client.get(self.address.rstrip("/") + path, headers={"Cookie": self.headers["Cookie"], **headers})

    @contextmanager
    def page(self, **options: Any) -> Iterator["Page"]:
        """Open a socket as the page does."""
        with connect(
            f"ws://{self.host}/ws", additional_headers=self.headers, compression=None, max_size=None, proxy=None, **options
        ) as connection:
            yield Page(connection)


class Page:
    """One socket, asked one thing after the other."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection, self.number = connection, 0

    def send(self, do: str, **parts: Any) -> int:
        """Send a request and return its number."""
        self.number += 1
        self.connection.send(json.dumps({"id": self.number, "do": do, **parts}))
        return self.number

    def event(self, timeout: float = 60) -> dict[str, Any]:
        """Return the next event, whatever it belongs to."""
        return json.loads(self.connection.recv(timeout=timeout))  # type: ignore[no-any-return]

    def events(self, number: int | None, timeout: float = 60) -> Iterator[dict[str, Any]]:
        """Yield the events of a request up to its last."""
        while True:
            event = self.event(timeout)
            if event["id"] == number:
                yield event
                if event.get("done"):
                    return

    def ask(self, do: str, **parts: Any) -> dict[str, Any]:
        """Send a request and return its last event."""
        return list(self.events(self.send(do, **parts)))[-1]


@contextmanager
def running_server(games: Iterable[str] = (), *, caps: Caps | None = None, token: str = TOKEN) -> Iterator[Running]:
    """Run a server on a free port while the block lasts. *games*: files, as given at the command line."""
    server = Server(games, port=0, token=token, caps=caps)
    thread = threading.Thread(target=server.run, name="server")
    thread.start()
    try:
        wait_until(lambda: server.started)
        running = Running(server)
        with closing(running.client):
            yield running
    finally:
        server.stop()
        thread.join(20)
        assert not thread.is_alive()


def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for *condition*, or fail."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came to be"
        time.sleep(0.01)


def raw(port: int, request: str) -> bytes:
    """Return what the server answers to *request*, byte for byte, up to its end."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request.encode())
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer
