"""Server-sent events: streams of a match, each cut off if it is too slow."""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec
from msgspec import Struct
from starlette.types import Receive, Send

from ninefold.online.wire import Message, Presence
from ninefold.server.snapshots import Viewer

LONGEST_QUEUE = 64
"""How many messages may wait for a listener."""
PING = b": ping\n\n"
_BEGINNING = b"retry: 1000\n\n"
_HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would hold messages back
)


def write_message(message: Message) -> bytes:
    """Write a message; its id is the number of its command."""
    data = msgspec.json.encode(message)
    return b"id: %d\ndata: %s\n\n" % (message.state.seq, data)


def write_presence(presence: Presence) -> bytes:
    """Write who is here; it has no id, and is not stored."""
    return b"event: presence\ndata: %s\n\n" % msgspec.json.encode(presence)


class Listener:
    """One open stream. It has a task of its own only while something waits."""

    def __init__(self, viewer: Viewer, address: str, send: Send) -> None:
        """Take who listens, from which address, and how to send to them."""
        self.viewer = viewer
        self.address = address
        self.seq = 0
        """The number of the last command that was offered."""
        self._send = send
        self._waiting: deque[bytes] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def offer(self, data: bytes) -> bool:
        """Send soon; False if the listener is too slow, and was cut off."""
        if self._ended.done():
            return True
        if len(self._waiting) >= LONGEST_QUEUE:
            self.end()
            return False
        self._waiting.append(data)
        if self._pump is None:
            self._pump = asyncio.create_task(self._send_waiting())
        return True

    def offer_message(self, number: int, data: bytes) -> bool:
        """Send the message of a command soon, unless it was sent already."""
        if number <= self.seq:
            return True
        self.seq = number
        return self.offer(data)

    def end(self) -> None:
        """End the stream; whoever listens comes back and resumes by its id."""
        if not self._ended.done():
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
        """Send the head of the stream."""
        await self._send(
            {"type": "http.response.start", "status": 200, "headers": list(_HEADERS)}
        )
        await self._send(
            {"type": "http.response.body", "body": _BEGINNING, "more_body": True}
        )

    async def finish(self) -> None:
        """Send the end of the stream."""
        await self._send({"type": "http.response.body", "body": b""})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Listeners(Struct):
    """The open streams of one match."""

    everyone: set[Listener] = msgspec.field(default_factory=set)

    def presence(self) -> Presence:
        """Return who is here."""
        seats = [listener.viewer for listener in self.everyone]
        one, two = (any(v is not None and v.value == n for v in seats) for n in (1, 2))
        return Presence((one, two), seats.count(None))
