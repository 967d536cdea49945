"""The application: the page's files, and the socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket

from outplay.web.guard import Guard, deny
from outplay.web.page_files import PageFiles, constants_response
from outplay.web.service import Service
from outplay.web.session import Session


def application(service: Service, *, host: str, port: int, token: str) -> Guard:
    """Return the guarded application."""
    files = PageFiles()

    async def index(request: Request) -> Response:
        return files.index(request.scope)

    async def constants(request: Request) -> Response:
        return constants_response(request.scope, tuple(service.tournaments.labels))

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
        Mount("/page", files),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), host=host, port=port, token=token)
