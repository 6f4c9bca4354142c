"""A client for tests: requests and streams, over a socket or into the application.

``InProcess`` calls an application without a socket, so that a test decides what
happens when. ``OverSocket`` speaks HTTP/1.1 to a server on this machine. ``Stream``
reads server-sent events from either.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import TypeVar

import msgspec
from msgspec import Struct
from starlette.types import ASGIApp, Message, Scope

from ninefold.notation.codec import decode
from ninefold.online import messages as wire
from ninefold.playing.state import State
from ninefold.session.table import PresenceChanged
from tests.program import WAIT_SECONDS
from tests.server.asgi import scope_of
from tests.servers import living

T = TypeVar("T", bound=Struct)


class Answer(Struct, frozen=True):
    """What a request was answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    def read(self, shape: type[T]) -> T:
        return decode(self.body, shape)

    @property
    def state(self) -> State:
        return self.read(State)

    @property
    def refusal(self) -> wire.Refusal:
        return self.read(wire.Refusal)


class Told(Struct, frozen=True):
    """One event of a stream."""

    id: int | None
    kind: str
    data: bytes

    @property
    def message(self) -> wire.Message:
        return decode(self.data, wire.Message)


class EventReader:
    """Reads server-sent events from bytes, however they are cut."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Told]:
        *whole, self._rest = (self._rest + data).split(b"\n\n")
        return [told for block in whole if (told := _event(block)) is not None]


def _event(block: bytes) -> Told | None:
    fields = dict(
        line.split(b": ", 1) for line in block.split(b"\n") if not line.startswith(b":")
    )
    if b"data" not in fields:
        return None  # a comment, or how long to wait before coming back
    number = fields.get(b"id")
    return Told(
        None if number is None else int(number),
        fields.get(b"event", b"message").decode(),
        fields[b"data"],
    )


class Stream:
    """An open stream: everything it told, and whether it has ended."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.ended = False
        self.ended_well = False
        """Whether the server said that it was the end."""
        self.close: Callable[[], None] = lambda: None
        self._reader = EventReader()
        self._changed = asyncio.Event()

    def feed(self, data: bytes) -> None:
        self.told += self._reader.feed(data)
        self._changed.set()

    def end(self) -> None:
        self.ended = True
        self._changed.set()

    @property
    def messages(self) -> list[Told]:
        """What has an id; who is here has none."""
        return [told for told in self.told if told.id is not None]

    @property
    def numbers(self) -> list[int]:
        return [told.id for told in self.told if told.id is not None]

    @property
    def presences(self) -> list[PresenceChanged]:
        """Who was here, each time that it changed."""
        return [
            decode(told.data, PresenceChanged)
            for told in self.told
            if told.kind == "presence"
        ]

    async def until(self, is_enough: Callable[[Stream], bool]) -> None:
        """Wait until enough was told, or the stream has ended."""
        async with asyncio.timeout(WAIT_SECONDS):
            while not is_enough(self) and not self.ended:
                self._changed.clear()
                await self._changed.wait()

    async def until_number(self, number: int) -> None:
        """Wait until a command was told."""
        await self.until(lambda stream: stream.numbers[-1:] >= [number])

    async def until_ended(self) -> None:
        await self.until(lambda _: False)


class Caller(ABC):
    """Makes requests, and opens streams."""

    @abstractmethod
    async def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> Answer: ...

    @abstractmethod
    async def listen(self, path: str, **headers: str) -> Stream: ...

    async def post(self, path: str, asked: object, secret: str = "") -> Answer:
        body = msgspec.json.encode(asked)
        headers = {"content-type": "application/json"} | bearer(secret)
        return await self.ask("POST", path, body, **headers)

    async def get(self, path: str, secret: str = "") -> Answer:
        return await self.ask("GET", path, b"", **bearer(secret))


def bearer(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"} if secret else {}


class InProcess(Caller):
    """Calls an application, once it has started."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._life = AsyncExitStack()
        self._streams: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        await self._life.enter_async_context(living(self._app))

    async def stop(self) -> None:
        await self._life.aclose()
        await asyncio.gather(*self._streams)

    async def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> Answer:
        received: list[Message] = []

        async def send(message: Message) -> None:
            received.append(message)

        asked = [{"type": "http.request", "body": body}]

        async def receive() -> Message:
            return asked.pop() if asked else {"type": "http.disconnect"}

        await asyncio.sleep(0)  # a request over a socket lets others go on, too
        await self._app(_scope(method, path, headers), receive, send)
        head, *parts = received
        return Answer(
            head["status"],
            {name.decode(): value.decode() for name, value in head["headers"]},
            b"".join(part.get("body", b"") for part in parts),
        )

    async def listen(self, path: str, **headers: str) -> Stream:
        stream, gone, answered = Stream(), asyncio.Event(), asyncio.Event()
        asked = [{"type": "http.request", "body": b""}]

        async def receive() -> Message:
            if asked:
                return asked.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                assert message["status"] == 200, message
                answered.set()
                return
            stream.feed(message.get("body", b""))
            if not message.get("more_body"):
                stream.ended_well = True

        run = self._app(_scope("GET", path, headers), receive, send)
        task = asyncio.ensure_future(run)
        self._streams.add(task)
        task.add_done_callback(self._streams.discard)
        task.add_done_callback(lambda _: stream.end())
        stream.close = gone.set
        await answered.wait()
        return stream


def _scope(method: str, path: str, headers: dict[str, str]) -> Scope:
    sent = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return scope_of(method, path, sent)


class OverSocket(Caller):
    """Speaks HTTP/1.1, over one connection for requests and one for each stream.

    Where the server is gone, a request raises ``OSError`` or ``EOFError``.
    """

    def __init__(self, host: str, port: int, own: str = "") -> None:
        self._host = host
        self._port = port
        self._own = (own, 0) if own else None
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None
        self._connection = None
        self._readings: set[asyncio.Task[None]] = set()

    async def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> Answer:
        if self._connection is None:
            self._connection = await asyncio.open_connection(
                self._host, self._port, local_addr=self._own
            )
        reader, writer = self._connection
        try:
            writer.write(self._write(method, path, body, headers))
            status, found = await _head(reader)
            length = int(found["content-length"])
            return Answer(status, found, await reader.readexactly(length))
        except BaseException:
            self.close()
            raise

    async def listen(self, path: str, **headers: str) -> Stream:
        reader, writer = await asyncio.open_connection(
            self._host, self._port, local_addr=self._own
        )
        try:
            writer.write(self._write("GET", path, b"", headers))
            status, _ = await _head(reader)
            assert status == 200, status
        except BaseException:
            writer.close()
            raise
        stream = Stream()
        stream.close = writer.close
        reading = asyncio.ensure_future(_read_chunks(reader, writer, stream))
        self._readings.add(reading)
        reading.add_done_callback(self._readings.discard)
        return stream

    def close(self) -> None:
        if self._connection is not None:
            _, writer = self._connection
            writer.close()
            self._connection = None

    def _write(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> bytes:
        sent = {"host": f"{self._host}:{self._port}", "content-length": str(len(body))}
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [
            f"{name.replace('_', '-')}: {value}"
            for name, value in (sent | headers).items()
        ]
        return "\r\n".join([*lines, "", ""]).encode() + body


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    pairs = (line.split(": ", 1) for line in lines if line)
    return int(first.split()[1]), {name.lower(): value for name, value in pairs}


async def _read_chunks(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, stream: Stream
) -> None:
    try:
        async for chunk in _chunks(reader):
            stream.feed(chunk)
        stream.ended_well = True
    except (OSError, EOFError):
        pass  # the server is gone, or the stream was closed here
    finally:
        stream.end()
        writer.close()


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the chunks of an answer; the last one, which is empty, ends it well."""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        yield (await reader.readexactly(size + 2))[:-2]
