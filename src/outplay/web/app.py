"""The application: the page's files, and the socket."""

import asyncio
import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from outplay.web.guard import Guard, deny
from outplay.web.page_constants import module
from outplay.web.service import Service
from outplay.web.session import Session

PAGE = Path(__file__).parent / "page"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}


def application(service: Service, *, host: str, port: int, token: str) -> Guard:
    """Return the guarded application."""
    for suffix, kind in TYPES.items():  # some systems say otherwise, and a browser then refuses the file
        mimetypes.add_type(kind, suffix)

    async def index(request: Request) -> FileResponse:
        return FileResponse(PAGE / "index.html")

    async def constants(request: Request) -> Response:
        return Response(module(), media_type=TYPES[".js"])

    async def socket(websocket: WebSocket) -> None:
        session = Session(service, websocket)
        visitor = service.visitors.enter(session)
        if visitor is None:
            refusal = PlainTextResponse("Too many pages are open.\n", 503, {"Retry-After": "5"})
            await deny(refusal, websocket.scope, websocket.receive, websocket.send)
            return
        try:
            await websocket.accept()
            await session.run(visitor)
        finally:
            service.visitors.leave(visitor)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(service.watch())
        yield
        watching.cancel()
        service.close()

    routes = [
        Route("/", index),
        WebSocketRoute("/ws", socket),
        Route("/page/js/constants.js", constants),
        Mount("/page", StaticFiles(directory=PAGE)),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), host=host, port=port, token=token)
