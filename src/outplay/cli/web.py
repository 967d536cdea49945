"""`outplay web`: start the page's server, say where it is, and end without a trace."""

import os
import signal
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from html import escape
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape as plain

from outplay.errors import OutplayError

EXTRA = ("anyio", "h11", "msgspec", "starlette", "uvicorn", "websockets")
LAST_MOMENT = 0.5  # seconds that threads have to end in


def run_web(
    console: Console,
    errors: Console,
    files: Sequence[str],
    *,
    host: str | None = None,
    port: int | None = None,
    token: str | None = None,
    opens: bool = True,
    tournaments: Sequence[str] = (),
    learned: Sequence[str] = (),
) -> None:
    """Serve the page until Ctrl-C; open it in a browser, if *opens* and there is one."""
    try:
        from outplay.web.server import PORT, Server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        raise OutplayError(
            f"the page needs {error.name}, which is not installed: pip install 'outplay[web]' installs all it takes"
        ) from None
    server = Server(files, host=host, port=port, token=token, tournaments=tournaments, learned=learned)
    if port is None and server.port != PORT:
        errors.print(f"Port {PORT} is taken; this is another one.")
    console.print(f"Outplay is at {plain(server.entrance)}", soft_wrap=True)
    console.print("Open that address in a browser. Ctrl-C ends it.")
    if tournaments:
        console.print("Its room Tournament shows games as they are added.")
    if files:
        console.print("A file that changes is loaded again.")
    status = 0
    with _terminated(), _opened(server.entrance) if opens and _has_browser() else nullcontext():
        try:
            server.run()
        except KeyboardInterrupt:
            console.print()
        except SystemExit as ended:
            status = int(ended.code or 0)
    _leave(server, status)


@contextmanager
def _terminated() -> Iterator[None]:
    """Let SIGTERM end the command in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _: Any) -> None:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(server: Any, status: int) -> None:
    """End the process, also where a thread is still compiling: it cannot be stopped, and is not worth waiting for."""
    until = time.monotonic() + LAST_MOMENT
    while not server.idle and time.monotonic() < until:
        time.sleep(0.01)
    if not server.idle:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    if status:
        sys.exit(status)


def _has_browser() -> bool:
    """Return whether there is a person with a browser: a screen, and a terminal to have typed the command in."""
    screen = sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return screen and sys.stdout.isatty()


@contextmanager
def _opened(address: str) -> Iterator[None]:
    """Open *address* in a browser, by way of a file: what a browser is started with, every user of the machine can see."""
    content = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={escape(address)}">'
    with tempfile.NamedTemporaryFile("w", prefix="outplay-", suffix=".html", delete=False) as file:  # for its owner alone
        file.write(content)
    path = Path(file.name)
    # After a moment, so that the server is there to answer.
    timer = threading.Timer(0.5, lambda: webbrowser.open(path.as_uri()))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        path.unlink(missing_ok=True)
