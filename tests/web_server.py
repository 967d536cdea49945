"""A running server for tests, and a page that asks it."""

import os
import socket
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any

import httpx
from patience import PATIENCE, wait_until

from bench.client import Page, open_page
from outplay.web.limits import Caps
from outplay.web.server import Server

TOKEN = "a-token-for-the-tests"


class Running:
    """A server that runs in a thread of this process."""

    def __init__(self, server: Server) -> None:
        self.server, self.service = server, server.service
        self.port, self.token, self.address, self.entrance = server.port, server.token, server.address, server.entrance
        self.host = f"127.0.0.1:{server.port}"
        self.client = httpx.Client(
            verify=False, timeout=PATIENCE
        )  # there is nothing to verify, and to get ready for it takes a while
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

    def page(self, **options: Any) -> AbstractContextManager[Page]:
        """Open a socket as the page does."""
        return open_page(self.host, self.headers, **{"open_timeout": PATIENCE, "ping_interval": None, **options})


@contextmanager
def running_server(
    games: Iterable[str] = (),
    *,
    caps: Caps | None = None,
    token: str = TOKEN,
    tournaments: Iterable[str] = (),
    learned: Sequence[str] = (),
) -> Iterator[Running]:
    """Run a server on a free port while the block lasts. *games*, *tournaments* and *learned*: files, as given at the command line."""
    server = Server(games, port=0, token=token, caps=caps, tournaments=tournaments, learned=learned)
    thread = threading.Thread(target=server.run, name="server")
    thread.start()
    try:
        wait_until(lambda: server.started)
        running = Running(server)
        with closing(running.client):
            yield running
    finally:
        server.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


@contextmanager
def changed_file(running: Running, game: str, old: str, new: str) -> Iterator[None]:
    """Let a user's game file say *new* where it said *old*, while the block lasts."""
    file = running.service.own.path(game)
    before = file.read_text()
    assert old in before
    file.write_text(before.replace(old, new))
    try:
        yield
    finally:
        file.write_text(before)
        stamp = file.stat()
        os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1))  # two changes within one tick of the clock are two
        wait_until(lambda: not running.service.own.changed() and not running.service.own.broken(game))


def raw(port: int, request: str) -> bytes:
    """Return what the server answers to *request*, byte for byte, up to its end."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(request.encode())
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer
