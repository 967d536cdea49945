"""The server: where it listens, and how it starts and ends."""

import asyncio
import errno
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from types import FrameType
from urllib.parse import quote

import uvicorn

from outplay.errors import OptionError
from outplay.web.app import application
from outplay.web.connections import PromptSocket, patient
from outplay.web.limits import MESSAGE_BYTES, Caps
from outplay.web.memory import SWITCH, give_memory_back, warm
from outplay.web.service import Service

PORT = 8642
BACKLOG = 2048
AT_THE_END = 0.3  # seconds for pages to hear that the server ends
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_LENGTH = 16


class Server:
    """A server that listens; `run` serves until a signal, or `stop`, ends it."""

    def __init__(
        self,
        files: Iterable[str] = (),
        *,
        host: str | None = None,
        port: int | None = None,
        token: str | None = None,
        caps: Caps | None = None,
        tournaments: Iterable[str] = (),
        learned: Sequence[str] = (),
    ) -> None:
        check_reach(host, token)
        self.token = token or secrets.token_urlsafe(24)
        self.service = Service(files, caps, tournaments=tournaments, learned=learned)
        self.host = host or LOOPBACK[0]
        self.socket = listening(self.host, port)
        self.port: int = self.socket.getsockname()[1]
        self.app = application(self.service, host=self.host, port=self.port, token=self.token)
        self._uvicorn = _Server(
            uvicorn.Config(
                self.app,
                http=patient(self.service.caps.headers_seconds),
                ws=PromptSocket,
                loop="asyncio",
                lifespan="on",
                log_config=None,
                log_level="error",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                ws_max_size=MESSAGE_BYTES,
                ws_per_message_deflate=False,  # it takes memory for every socket
                backlog=BACKLOG,
                h11_max_incomplete_event_size=16 << 10,
                timeout_graceful_shutdown=1,
            )
        )

    @property
    def address(self) -> str:
        """Where a browser finds it, without the token."""
        host = LOOPBACK[0] if self.host in ("0.0.0.0", "") else "::1" if self.host == "::" else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def entrance(self) -> str:
        """The address with the token, which lets a browser in."""
        return f"{self.address}?token={quote(self.token, safe='')}"

    @property
    def started(self) -> bool:
        """Whether it serves by now."""
        return self._uvicorn.started

    def run(self) -> None:
        """Serve until Ctrl-C, SIGTERM or `stop`."""
        allow_many_files()
        give_memory_back()
        threading.Thread(target=warm, name="outplay-warm", daemon=True).start()
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        try:
            self._uvicorn.run(sockets=[self.socket])
        finally:
            sys.setswitchinterval(before)
            self.socket.close()

    @property
    def idle(self) -> bool:
        """Whether no job is running any more."""
        return self.service.jobs.idle

    def stop(self) -> None:
        """End it, from any thread."""
        self._uvicorn.should_exit = True


class _Server(uvicorn.Server):
    """uvicorn's, except that its end does not wait for pages that read nothing any more."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self.force_exit = False  # a second Ctrl-C would end it in the middle, with a traceback, and no sooner

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().call_later(AT_THE_END, self._abort)
        await super().shutdown(sockets)

    def _abort(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def serve(
    files: Iterable[str] = (),
    *,
    host: str | None = None,
    port: int | None = None,
    token: str | None = None,
    caps: Caps | None = None,
    say: Callable[[str], None] = print,
) -> Server:
    """Serve the page until Ctrl-C or SIGTERM; say where it is."""
    server = Server(files, host=host, port=port, token=token, caps=caps)
    say(server.entrance)
    server.run()
    return server


def check_reach(host: str | None, token: str | None) -> None:
    """Refuse to listen for other machines unless a token was chosen."""
    if token is not None and len(token) < TOKEN_LENGTH:
        raise OptionError(
            f"a token of {len(token)} character{'s' * (len(token) != 1)} can be guessed; give one of at least {TOKEN_LENGTH}"
        )
    if host is not None and host not in LOOPBACK and token is None:
        raise OptionError(
            f"--host {host} lets other machines in, so it needs a token that you choose: --token TEXT, at least {TOKEN_LENGTH} characters"
        )


def listening(host: str, port: int | None) -> socket.socket:
    """Return a socket bound to *port*; to the usual one, or a free one, if none is asked for."""
    if port is not None and not 0 <= port <= 65_535:
        raise OptionError(f"port {port} does not exist; ports go from 1 to 65535, and 0 takes a free one")
    for attempt in (port,) if port is not None else (PORT, 0):
        try:
            return _bound(host, attempt)
        except OSError as error:
            if port is None and attempt == PORT:
                continue
            raise OptionError(
                f"the server cannot listen on {host}:{attempt}: {error.strerror or error}; choose another --port, or leave it out"
            ) from None
    raise AssertionError  # the last attempt returns or raises


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except socket.gaierror as error:
        raise _foreign(host, error) from None
    found = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let two servers share a port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(where)
        found.listen(BACKLOG)  # only now is the port known to be free
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise _foreign(host, error) from None
        raise
    return found


def _foreign(host: str, error: OSError) -> OptionError:
    return OptionError(f"--host {host}: {error.strerror}; give an address of this machine, such as 192.168.1.5")


def allow_many_files() -> None:
    """Let the process hold as many connections as the system allows: idle ones must not keep a page out."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
