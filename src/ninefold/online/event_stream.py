"""The event stream of a match: server-sent events, or polling if none get through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from threading import Event, Lock, Thread
from typing import Protocol

from ninefold.errors import (
    MatchChanged,
    OnlineError,
    RecordError,
    RequestRefused,
    ResponseTooLarge,
)
from ninefold.notation.codec import decode
from ninefold.online.http_client import Client, OpenStream
from ninefold.online.messages import LogStep
from ninefold.session import table

PAUSES = (0.2, 0.5, 1.0, 2.0, 3.0)
"""Seconds to wait before each try to reconnect; the last one repeats."""
SECONDS_TO_BEGIN = 10.0
"""Seconds to wait for the first message, which lists the connected seats."""
_SILENCE = 50.0
"""Seconds of silence before reconnecting; the server sends something every 20."""
_SECONDS_TO_END = 2.0
_LARGEST_MESSAGE = 64 * 1024
"""Bytes; a command has at most two numbers, of 1,000 and of 2,000 digits."""
_OK, _EVENTS = 200, "text/event-stream"
_MATCH_GONE = (401, 403, 404, 410)
_SILENT_FAILURES = 1
"""Failed tries that are not reported: the server may just be restarting."""


class StreamHandler(Protocol):
    """Receives the log of a match, from the stream's thread."""

    def catch_up(self) -> None:
        """Fetch the missing commands."""

    def receive(self, step: LogStep) -> None:
        """Process a command from the stream."""


class EventStream:
    """Follows a match in a thread of its own, and reconnects when disconnected."""

    def __init__(
        self,
        open_stream: Callable[[float], OpenStream],
        client: Client,
        follower: StreamHandler,
        listener: table.Listener,
        *,
        pauses: Sequence[float] = PAUSES,
        seconds_to_begin: float = SECONDS_TO_BEGIN,
    ) -> None:
        self._open_stream = open_stream
        self._client = client
        self._follower = follower
        self._listener = listener
        self._pauses = tuple(pauses)
        self._seconds_to_begin = seconds_to_begin
        self._is_closed = False
        """Whether the server has announced that it closes, and has not returned."""
        self._stopped = Event()
        self._lock = Lock()
        self._open: OpenStream | None = None
        self._thread = Thread(target=self._run, name="event-stream", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait until nothing more is reported."""
        self._stopped.set()
        with self._lock:
            if self._open is not None:
                self._open.interrupt()
        self._thread.join(_SECONDS_TO_END)

    def _run(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            try:
                received = self._follow(back_message=failures > _SILENT_FAILURES)
                if not received:  # a proxy may hold streams back: poll
                    self._follower.catch_up()
            except RequestRefused as refused:
                if refused.status in _MATCH_GONE:
                    self._report(table.MatchGone(refused))
                    return
                received = False
            except (MatchChanged, ResponseTooLarge) as error:
                self._report(table.MatchGone(error))
                return
            except (OSError, HTTPException, OnlineError):
                received = False
            failures = 1 if received else failures + 1
            if self._is_closed:  # that is reported already; so no ``Disconnected``
                failures = max(failures, _SILENT_FAILURES + 1)
            elif failures == _SILENT_FAILURES + 1:
                self._report(table.Disconnected())
            self._stopped.wait(self._pauses[min(failures, len(self._pauses)) - 1])

    def _follow(self, *, back_message: bool) -> bool:
        """Read the stream until it ends; return whether anything was received."""
        try:
            opened = self._open_stream(self._seconds_to_begin)
        except TimeoutError:
            return False
        with self._lock:
            self._open = opened
            if self._stopped.is_set():
                opened.interrupt()
        try:
            response = opened.response
            if response.status != _OK:
                data = self._client.read_body(response)
                raise self._client.refused(response.status, data)
            if response.headers.get_content_type() != _EVENTS:
                return False
            return self._receive_all(opened, back_message=back_message)
        finally:
            with self._lock:
                self._open = None
            opened.close()

    def _receive_all(self, opened: OpenStream, *, back_message: bool) -> bool:
        received = False
        # A malformed message ends the stream; the next stream resends the command.
        with suppress(OSError, HTTPException, RecordError):
            for message in self._messages(opened.response):
                if isinstance(message, table.TableClosed):
                    self._close(message)
                    return True
                if not received:
                    received, self._is_closed = True, False
                    opened.wait_up_to(_SILENCE)
                    if back_message:
                        self._report(table.Reconnected())
                    self._follower.catch_up()  # from here on, no command is missed
                if isinstance(message, LogStep):
                    self._follower.receive(message)
                else:
                    self._report(message)
        return received

    def _close(self, closed: table.TableClosed) -> None:
        """Report that the table is closed; not again until the server is back."""
        if not self._is_closed:
            self._report(closed)
        self._is_closed = True

    def _messages(
        self, response: HTTPResponse
    ) -> Iterator[LogStep | table.PresenceChanged | table.TableClosed]:
        """Decode a stream of server-sent events."""
        event, data = b"", b""
        while line := response.readline(_LARGEST_MESSAGE):
            name, _, value = line.rstrip(b"\r\n").partition(b":")
            value = value.removeprefix(b" ")
            if name == b"event":
                event = value
            elif name == b"data":
                data += value
            elif not line.strip():
                if data:
                    match event:
                        case b"presence":
                            yield decode(data, table.PresenceChanged)
                        case b"closed":
                            yield decode(data, table.TableClosed)
                        case _:
                            yield decode(data, LogStep)
                event, data = b"", b""
            if len(line) == _LARGEST_MESSAGE or len(data) >= _LARGEST_MESSAGE:
                raise ResponseTooLarge(self._client.url)

    def _report(
        self,
        news: table.PresenceChanged
        | table.Disconnected
        | table.TableClosed
        | table.Reconnected
        | table.MatchGone,
    ) -> None:
        if not self._stopped.is_set():
            self._listener(news)
