"""Who is let in: the middleware that every request and every WebSocket passes.

The address that the server prints holds a token. Whoever opens it gets a cookie, and everything else asks for the cookie.
A foreign Host (DNS rebinding), a foreign Origin (another site's script) and every method but GET and HEAD are refused.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import socket
from http import HTTPStatus
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
ANYWHERE = ("0.0.0.0", "::", "")  # what a server is told that is to listen on every address

REFUSED = "Open the address that outplay web has printed in the terminal; it holds the token that lets you in.\n"
ENTER = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Outplay</title>'
    '<link rel="icon" href="data:,">'  # else the browser asks for one
    # A redirect would still belong to the site that the link stood on, and so come without the cookie.
    '<script src="/page/js/enter.js"></script></head><body><p><a href="/">Outplay</a></p></body></html>'
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Lets through what may pass to *app*, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, *, host: str, port: int, token: str) -> None:
        self.app, self.token, self.port = app, token, port
        self.anywhere = host in ANYWHERE
        written = f"[{host}]" if ":" in host and not host.startswith("[") else host
        self.hosts = {f"{name}:{port}".lower() for name in (*LOOPBACK, written)}
        if self.anywhere:
            self.hosts |= {f"{name}:{port}".lower() for name in (socket.gethostname(), socket.getfqdn())}
        self.cookie = f"outplay-{port}"  # a browser sends a cookie to every port of a host
        self.secret = hmac.new(token.encode(), f"cookie of port {port}".encode(), hashlib.sha256).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        send = self._with_headers(scope, headers, send)
        refusal = self._refusal(scope, headers)
        if refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await refusal(scope, receive, send)
        else:
            await deny(refusal, scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return what is answered instead of what was asked for; None if it may pass."""
        if len(headers.getlist("host")) != 1 or not self.knows(headers.get("host", "")):
            return PlainTextResponse("This server does not answer for that host.\n", HTTPStatus.MISDIRECTED_REQUEST)
        is_socket = scope["type"] == "websocket"
        if not is_socket and scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Only GET and HEAD.\n", HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": "GET, HEAD"})
        origin = headers.get("origin")
        if (is_socket or origin is not None) and origin != f"http://{headers['host']}":
            return PlainTextResponse("A request of another site.\n", HTTPStatus.FORBIDDEN)
        if not is_socket and scope["path"] == "/" and scope["query_string"]:
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
            if given and hmac.compare_digest(given[-1].encode("utf-8", "surrogateescape"), self.token.encode()):
                answer = HTMLResponse(ENTER)
                answer.set_cookie(self.cookie, self.secret, path="/", httponly=True, samesite="strict")
                return answer
        if not self._has_cookie(headers):
            return PlainTextResponse(REFUSED, HTTPStatus.FORBIDDEN)
        return None

    def knows(self, host: str) -> bool:
        """Return whether *host*, as a Host header has it, is one that this server answers for."""
        host = host.lower()
        if host in self.hosts or (self.port == 80 and f"{host}:80" in self.hosts):
            return True
        if not self.anywhere:
            return False
        name, _, port = host.rpartition(":")
        try:
            ipaddress.ip_address(name.strip("[]"))  # a number cannot be rebound, as a name can
        except ValueError:
            return False
        return port == str(self.port)

    def _has_cookie(self, headers: Headers) -> bool:
        for line in headers.getlist("cookie"):
            held = cookie_parser(line).get(self.cookie)  # forgiving: another program's odd cookie must not hide ours
            if held is not None and hmac.compare_digest(held.encode("utf-8", "surrogateescape"), self.secret.encode()):
                return True
        return False

    def _with_headers(self, scope: Scope, asked: Headers, send: Send) -> Send:
        host = asked.get("host", "")
        # Not every browser takes ws: for a part of 'self'.
        sockets = f" ws://{host}" if self.knows(host) else ""
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self'{sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

        async def guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy
                for name, value in HEADERS.items():
                    headers[name] = value
                # A file of the page is asked for anew each time, and answered in short if it is the same.
                kept = scope["path"].startswith("/page/") and message["status"] in (200, 304)
                headers["Cache-Control"] = "no-cache" if kept else "no-store"
            await send(message)

        return guarded


async def deny(refusal: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a WebSocket's request with a plain refusal, before it becomes one."""
    message = await receive()
    if message["type"] != "websocket.connect":
        return
    await refusal(scope, receive, send)
    await asyncio.sleep(0)  # uvicorn takes a socket for refused once it is closed, which is in a moment
