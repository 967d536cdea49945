"""Connections that do not stay open for nothing."""

from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LINGER = 2.0  # seconds in which a page may take what was still sent to it


def patient(seconds: float) -> type[H11Protocol]:
    """Return HTTP as uvicorn speaks it, except that a connection in which nothing is being answered is closed after a while.

    Else one that never sends a whole request would stay open for good.
    """

    class Patient(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._patience = self.loop.call_later(seconds, self._out_of_patience)

        def connection_lost(self, exc: Exception | None) -> None:
            self._patience.cancel()
            super().connection_lost(exc)

        def _out_of_patience(self) -> None:
            if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it is a WebSocket by now
                return
            if self.cycle is None or self.cycle.response_complete:
                self.transport.close()
            else:
                self._patience = self.loop.call_later(seconds, self._out_of_patience)

    return Patient


class PromptSocket(WebSocketsSansIOProtocol):
    """A WebSocket as uvicorn has it, except that its end does not wait for a page that reads nothing any more."""

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(LINGER, self.transport.abort)
