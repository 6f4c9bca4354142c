"""Server-sent events: the streams of a match, cut off if they are too slow."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from starlette.types import Receive, Send

from ninefold.notation.codec import encode_bytes
from ninefold.online.messages import LogStep, Message
from ninefold.playing.state import Viewer
from ninefold.session.table import PresenceChanged, TableClosed

LONGEST_QUEUE = 64
"""The most messages that may wait for a listener."""
LARGEST_QUEUE = 2**20
"""The most bytes that may wait for a listener, beside the last message."""
MOST_MISSED = LONGEST_QUEUE // 2
"""The most missed messages to send again, which leaves room for new ones."""
PING = b": ping\n\n"
PING_SECONDS = 20.0
_BEGINNING = b"retry: 1000\n\n"
_PRESENCE = b"event: presence\n"
_HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # or nginx buffers the stream
)


def encode_message(number: int, message: Message | LogStep) -> bytes:
    """Encode the result of a command, or the command itself, with its number as id."""
    return b"id: %d\ndata: %s\n\n" % (number, encode_bytes(message))


def encode_presence_event(presence: PresenceChanged) -> bytes:
    """Encode presence, which has no id and is not stored."""
    return b"%sdata: %s\n\n" % (_PRESENCE, encode_bytes(presence))


def encode_closed(closed: TableClosed) -> bytes:
    """Encode the last message of a host's server that closes."""
    return b"event: closed\ndata: %s\n\n" % encode_bytes(closed)


class MatchListener(Protocol):
    """Receives the messages of one match."""

    viewer: Viewer
    reads_log: bool
    """Whether it receives commands, else events with the state."""
    seq: int
    """The number of the last command that was enqueued."""

    def enqueue_message(self, number: int, data: bytes) -> None:
        """Queue the message of a command, unless it was queued before."""

    def enqueue_presence(self, data: bytes) -> None:
        """Queue presence, replacing an older message that is still queued."""

    def end(self, last: bytes = b"") -> None:
        """End with a last message."""


class Listener:
    """An open stream; it has a task of its own only while messages wait."""

    def __init__(
        self, viewer: Viewer, address: str, send: Send, *, reads_log: bool = False
    ) -> None:
        """Open a stream for a viewer at an address.

        With ``reads_log`` it sends commands, else events with the state.
        """
        self.viewer = viewer
        self.reads_log = reads_log
        self.address = address
        self.seq = 0
        """The number of the last command that was enqueued."""
        self.was_too_slow = False
        self._send = send
        self._waiting: deque[bytes] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._last = b""
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def enqueue(self, data: bytes) -> None:
        """Queue data to send; end the stream if it is too slow."""
        if self._ended.done():
            return
        many = len(self._waiting) >= LONGEST_QUEUE
        if many or sum(map(len, self._waiting)) > LARGEST_QUEUE:
            self.was_too_slow = True
            self.end()
            return
        self._waiting.append(data)
        if self._pump is None:
            self._pump = asyncio.create_task(self._send_waiting())

    def enqueue_message(self, number: int, data: bytes) -> None:
        """Queue the message of a command, unless it was queued before."""
        if number > self.seq:
            self.seq = number
            self.enqueue(data)

    def enqueue_presence(self, data: bytes) -> None:
        """Queue presence, replacing an older message that is still queued.

        So a class that joins all at once slows nobody down.
        """
        if self._waiting and self._waiting[-1].startswith(_PRESENCE):
            self._waiting[-1] = data
        else:
            self.enqueue(data)

    def end(self, last: bytes = b"") -> None:
        """End the stream with a last message; the client reconnects and resumes."""
        if not self._ended.done():
            self._last = last
            self._ended.set_result(None)

    async def listen(self, receive: Receive) -> None:
        """Keep the stream open until either side ends it."""
        gone = asyncio.create_task(_disconnected(receive))
        gone.add_done_callback(lambda _: self.end())
        try:
            await self._ended
        finally:
            gone.cancel()
            if self._pump is not None:
                self._pump.cancel()

    async def _send_waiting(self) -> None:
        try:
            while self._waiting:
                data = self._waiting.popleft()
                await self._send(
                    {"type": "http.response.body", "body": data, "more_body": True}
                )
        except OSError:
            self.end()
        finally:
            self._pump = None

    async def begin(self) -> None:
        await self._send(
            {"type": "http.response.start", "status": 200, "headers": list(_HEADERS)}
        )
        await self._send(
            {"type": "http.response.body", "body": _BEGINNING, "more_body": True}
        )

    async def finish(self) -> None:
        await self._send({"type": "http.response.body", "body": self._last})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
