"""Connections that neither stay open for nothing nor ask for too much."""

from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from outplay.web.limits import Bucket

FRAMES_PER_SECOND, FRAMES = 50.0, 500
SLICE = 4 << 10  # bytes read before the next look at what was in them
LINGER = 2.0  # seconds in which a page may take what was still sent to it


def patient(seconds: float) -> type[H11Protocol]:
    """Return HTTP as uvicorn speaks it, except that a connection is closed after a while in which nothing comes of it.

    Else one that never sends a whole request, or never takes its answer, would stay open for good.
    """

    class Patient(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._patience = self.loop.call_later(seconds, self._out_of_patience)
            self._answering: Any = None  # the request that was being answered at the last look

        def connection_lost(self, exc: Exception | None) -> None:
            self._patience.cancel()
            super().connection_lost(exc)

        def _out_of_patience(self) -> None:
            if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it is a WebSocket by now
                return
            if self.cycle is None or self.cycle.response_complete:
                self.transport.close()
            elif self.cycle is self._answering:
                self.transport.abort()
            else:
                self._answering = self.cycle
                self._patience = self.loop.call_later(seconds, self._out_of_patience)

    return Patient


class PromptSocket(WebSocketsSansIOProtocol):
    """A WebSocket as uvicorn has it, except for pages that mean ill.

    Its end does not wait for one that reads nothing any more. Pings and parts of messages, of which uvicorn takes any number
    before the server hears of them, are counted: a page that sends too many is cut off.
    """

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._bucket = Bucket(FRAMES_PER_SECOND, FRAMES)

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), SLICE):
            if not self.transport.is_closing():
                super().data_received(data[at : at + SLICE])

    def handle_ping(self) -> None:
        self._count()
        super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        self._count()
        super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        self._count()
        super().handle_cont(event)

    def _count(self) -> None:
        if not self._bucket.take():
            self.transport.abort()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(LINGER, self.transport.abort)
