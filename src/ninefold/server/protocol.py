"""HTTP as it comes in: the head of a request has a size, and a time to come."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 64 * 1024
SECONDS_FOR_A_HEAD = 10.0


class BoundedProtocol(HttpToolsProtocol):
    """Closes a connection whose request does not begin well."""

    seconds_for_a_head = SECONDS_FOR_A_HEAD
    _head = 0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(  # type: ignore[override]  # as its base does
        self, transport: asyncio.Transport
    ) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; of a head, not too much."""
        if self._deadline is None and self._head == 0:
            self._expect_head()
        self._head += len(data)
        if self._head > LARGEST_HEAD:
            self.transport.close()
            return
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Count no more: a body has bounds of its own."""
        self._stop_waiting()
        self._head = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body."""
        self._stop_waiting()
        self._head = 0
        super().on_body(body)

    def _expect_head(self) -> None:
        wait = self.seconds_for_a_head
        self._deadline = self.loop.call_later(wait, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
