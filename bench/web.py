"""The page's server: how long a page waits, alone and among others, and what abandoned analyses leave behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

from bench.client import Page, open_page
from bench.figure import Figure
from bench.timing import Times

START = "from outplay.web.server import serve; serve(port=0, say=lambda text: print(text, flush=True))"
VIEWS = 300
VIEW_TARGET, FIRST_TARGET, GROWTH_TARGET = 200.0, 300.0, 20.0  # milliseconds, milliseconds, megabytes
CROWD, ANALYSES, ABANDONED, STARTS = 1_000, 8, 100, 5
POSITION = {"game": "connect-four", "choices": [4, 4, 3]}


class Served:
    """A server in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        self.process, entrance = process, process.stdout.readline().strip()
        found = re.fullmatch(r"http://([^/]+)/\?token=.+", entrance)
        assert found is not None
        self.host = found[1]
        with urlopen(entrance) as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
        self.headers = {"Cookie": cookie, "Origin": f"http://{self.host}"}

    def page(self) -> AbstractContextManager[Page]:
        """Open a socket."""
        return open_page(self.host, self.headers, close_timeout=0.1, ping_interval=None)

    def megabytes(self) -> float:
        """Return the memory that the server holds."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def idle(self) -> bool:
        """Tell whether the server spends next to no time for a moment."""
        before = self._ticks()
        time.sleep(0.5)
        return self._ticks() - before <= 5  # hundredths of a second

    def _ticks(self) -> int:
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(words[11]) + int(words[12])


@contextmanager
def served(cache: str | None = None) -> Iterator[Served]:
    """Run a server while the block lasts."""
    environment = {**os.environ, **({"OUTPLAY_CACHE_DIR": cache} if cache else {})}
    with subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield Served(process)
        finally:
            process.send_signal(signal.SIGTERM)


def figures() -> Iterator[Figure]:
    """Yield how long a page waits in all kinds of company."""
    yield first_values()
    with served() as server, server.page() as honest:
        yield _views("alone", honest)
        with crowd(server):
            yield _views(f"beside {CROWD:,} sockets", honest)
        with idle_connections(server):
            yield _views(f"beside {CROWD:,} connections that ask for nothing", honest)
        with analyses(server):
            yield _views(f"beside {ANALYSES} analyses", honest)
        with flood(server):
            yield _views("beside one that asks for all it can", honest)
        yield abandoned(server)
    with ExitStack() as stack:
        cache = stack.enter_context(tempfile.TemporaryDirectory(prefix="outplay-bench-"))
        server = stack.enter_context(served(cache))
        honest, *others = (stack.enter_context(server.page()) for _ in range(4))
        for other, game in zip(others, ("connect-four", "pig", "othello"), strict=True):
            other.send("prepare", game=game)
        yield _views("while others' games compile", honest)


def _views(where: str, page: Page) -> Figure:
    """Return how long views take: a move without a search."""
    seconds = []
    for _ in range(VIEWS):
        began = time.perf_counter()
        page.ask("view", **POSITION)
        seconds.append(time.perf_counter() - began)
        time.sleep(0.01)
    times = Times.of(seconds)
    p99 = 1000 * times.within(0.99)
    note = f"p50 {1000 * times.within(0.5):.1f}, max {1000 * times.worst:.1f} ms over {VIEWS} views"
    return Figure(f"a move without a search, {where}, p99", p99, "ms", VIEW_TARGET, at_least=False, ours=times, note=note)


def first_values() -> Figure:
    """Return how long the first value of an analysis takes in a fresh server, compiled code on disk."""
    seconds = []
    for attempt in range(STARTS + 1):
        with served() as server, server.page() as page:
            time.sleep(2)  # the page is opened, and a person finds the button
            page.ask("view", **POSITION)
            began = time.perf_counter()
            page.first("analysis", "analyse", **POSITION, seconds=5)
            if attempt:  # the first one may compile
                seconds.append(time.perf_counter() - began)
    times = Times.of(seconds)
    note = f"worst of {STARTS} fresh servers"
    return Figure(
        "first values of an analysis, warm", 1000 * times.worst, "ms", FIRST_TARGET, at_least=False, ours=times, note=note
    )


def abandoned(server: Served) -> Figure:
    """Return by how much the server's memory grows over analyses whose pages go away."""
    for _ in range(20):
        _abandon(server)
    time.sleep(1)
    before = server.megabytes()
    for _ in range(ABANDONED):
        _abandon(server)
    time.sleep(1)
    note = "no search runs on" if server.idle() else "A SEARCH RUNS ON"
    grown = server.megabytes() - before
    return Figure(f"memory that {ABANDONED} abandoned analyses leave", grown, "MB", GROWTH_TARGET, at_least=False, note=note)


def _abandon(server: Served) -> None:
    with server.page() as page:
        page.first("analysis", "analyse", **POSITION, seconds=600)


@contextmanager
def crowd(server: Served) -> Iterator[None]:
    """Hold a thousand sockets, as far as they are let in."""
    lines = ["GET /ws HTTP/1.1", f"Host: {server.host}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", *(f"{name}: {value}" for name, value in server.headers.items())]
    with idle_connections(server, "\r\n".join(lines) + "\r\n\r\n"):
        yield


@contextmanager
def idle_connections(server: Served, says: str = "") -> Iterator[None]:
    """Hold a thousand connections that only say so much, and open each again that is closed."""
    host, _, port = server.host.partition(":")
    with ExitStack() as stack:
        ended = threading.Event()

        def hold() -> None:
            while not ended.is_set():
                for _ in range(CROWD):
                    if ended.wait(0.001):
                        break
                    with suppress(OSError):
                        connection = stack.enter_context(socket.create_connection((host, int(port)), timeout=5))
                        connection.sendall(says.encode())
                ended.wait(5)

        holder = threading.Thread(target=hold)
        holder.start()
        try:
            yield
        finally:
            ended.set()
            holder.join()


@contextmanager
def analyses(server: Served) -> Iterator[None]:
    """Have other pages analyse."""
    with ExitStack() as stack:
        for _ in range(ANALYSES):
            page = stack.enter_context(server.page())
            page.first("analysis", "analyse", **POSITION, seconds=600)
        yield


@contextmanager
def flood(server: Served) -> Iterator[None]:
    """Have one other page ask for pictures as often as it is answered, and for traces."""
    ended = threading.Event()

    def ask() -> None:
        with server.page() as page:
            while not ended.is_set():
                page.send("trace", game="tic-tac-toe", nodes=5_000)
                page.ask("views", positions=[POSITION] * 200)

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield
    finally:
        ended.set()
        asker.join()
