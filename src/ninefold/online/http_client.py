"""The client of a server: requests with retries.

A request carries an id by which the server recognises a repeat, so that nothing is done
twice.
"""

from __future__ import annotations

import re
import secrets
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
)
from ssl import SSLError
from threading import Event, Timer
from time import monotonic
from time import sleep as sleep_seconds
from typing import TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from ninefold import errors
from ninefold.notation.codec import decode, encode_bytes
from ninefold.online.links import read_link
from ninefold.online.messages import CreateMatch, Refusal, TakeSeat
from ninefold.text import excerpt

Answer = TypeVar("Answer", bound=Struct)

LARGEST_ANSWER = 1024 * 1024
"""Bytes; a page of a log, with its setup, is less than half as large."""
PAUSES = (0.3, 0.7, 1.5)
"""Seconds to wait before each retry."""
SECONDS_TO_ANSWER = 15.0
"""Seconds that a server may be silent, and that a response may take in all."""
SECONDS_UNSAID = 2.0
"""Seconds to wait before the program shows that it is waiting for a server."""
_OK = range(200, 300)
TRY_AGAIN = (429, 502, 503, 504)
"""Statuses of refusals that are worth a retry."""
BOTH_TAKEN = "both seats of this match are taken; watch it with --watch"
_NOT_FOUND = 404
_REQUEST_BYTES = 18
_SECRET = re.compile(r"[A-Za-z0-9_-]{16,200}")


class TakenSeat(Struct, frozen=True):
    """A taken seat: its match, its secret, and the link for others.

    The link is on the server that issued it.
    """

    id: str
    secret: str
    link: str


def new_request_id() -> str:
    """Return a random id for a request, which nobody can guess."""
    return secrets.token_urlsafe(_REQUEST_BYTES)


class Client:
    """Sends requests to a server, and reads its responses."""

    def __init__(
        self,
        url: str,
        *,
        pauses: Sequence[float] = PAUSES,
        sleep: Callable[[float], None] = sleep_seconds,
        seconds: float = SECONDS_TO_ANSWER,
        progress: Callable[[str], None] = lambda _: None,
        seconds_unsaid: float = SECONDS_UNSAID,
    ) -> None:
        """Create a client of a server, which waits for ``pauses`` between its tries.

        A response may take ``seconds``. Once a wait takes ``seconds_unsaid``,
        ``progress`` is called with a text about it, and with "" at its end.
        """
        self.url = url
        self._parts = urlsplit(url)
        self._pauses = tuple(pauses)
        self._sleep = sleep
        self._seconds = seconds
        self._progress = progress
        self._seconds_unsaid = seconds_unsaid

    @contextmanager
    def waited_for(self) -> Iterator[None]:
        """Within the block, show that the program waits, if it takes long."""
        shown = Event()

        def show() -> None:
            shown.set()
            self._progress(f"Waiting for {self.url} ...")

        timer = Timer(self._seconds_unsaid, show)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # or it could still show the text afterwards
            if shown.is_set():
                self._progress("")

    def create(self, body: CreateMatch) -> TakenSeat:
        return self._checked(self.request("POST", "/api/matches", TakenSeat, body))

    def take_seat(self, match_id: str, body: TakeSeat) -> TakenSeat:
        path = f"/api/matches/{match_id}/seat"
        seated = self._checked(self.request("POST", path, TakenSeat, body))
        if seated.id != match_id:
            raise self._not_ninefold()
        return seated

    def _checked(self, seated: TakenSeat) -> TakenSeat:
        """Return a seat; raise if its secret or link is malformed or of elsewhere."""
        try:
            link = read_link(seated.link)
        except errors.InvalidLink:
            raise self._not_ninefold() from None
        if link.id != seated.id or not _SECRET.fullmatch(seated.secret):
            raise self._not_ninefold()
        if link.server != self.url:
            message = (
                f"{self.url} sent a link to another server, {excerpt(link.server)};"
                " if you trust that one, use its address"
            )
            raise errors.OnlineError(message)
        return seated

    def request(
        self,
        method: str,
        path: str,
        shape: type[Answer],
        body: Struct | None = None,
        secret: str | None = None,
    ) -> Answer:
        """Send a request, with retries; raise an error if the server refuses it.

        No retry starts later than one response timeout after the first attempt.
        """
        until = monotonic() + self._seconds
        for pause in (*self._pauses, None):
            try:
                status, data = self._send(method, path, body, secret)
            except (OSError, HTTPException, UnicodeError) as error:
                # A malformed host name raises a UnicodeError.
                failure: errors.OnlineError = self._unreachable(error)
            else:
                if status in _OK:
                    return self._read(data, shape)
                failure = self.refused(status, data)
                if status not in TRY_AGAIN:
                    break
            if pause is None or monotonic() >= until:
                break
            self._sleep(pause)
        raise failure

    def _send(
        self, method: str, path: str, body: Struct | None, secret: str | None
    ) -> tuple[int, bytes]:
        """Send a request once; return the status and the body of the response."""
        headers = _headers_of(secret)
        sent = None
        if body is not None:
            sent = encode_bytes(body)
            headers["Content-Type"] = "application/json"
        with closing(self.connect(self._seconds)) as connection:
            connection.connect()
            with _within(self._seconds, connection.sock):
                connection.request(method, self._parts.path + path, sent, headers)
                response = connection.getresponse()
                return response.status, self.read_body(response)

    def read_body(self, response: HTTPResponse) -> bytes:
        """Read a body; raise an error if it is too large or incomplete."""
        data = response.read(LARGEST_ANSWER + 1)
        if len(data) > LARGEST_ANSWER:
            raise errors.ResponseTooLarge(self.url)
        if response.length:  # http.client accepts an incomplete body silently
            raise IncompleteRead(data)
        return data

    def _read(self, data: bytes, shape: type[Answer]) -> Answer:
        try:
            return decode(data, shape)
        except errors.RecordError:
            raise self._not_ninefold() from None

    def open_stream(self, path: str, secret: str | None, seconds: float) -> OpenStream:
        """Open a stream of events; the caller closes it.

        The server may be silent for ``seconds``.
        """
        connection = self.connect(seconds)
        headers = _headers_of(secret)
        try:
            connection.connect()
            opened = connection.sock
            with _within(2 * seconds, opened):
                connection.request("GET", self._parts.path + path, headers=headers)
                return OpenStream(connection, opened, connection.getresponse())
        except (OSError, HTTPException):
            connection.close()
            raise

    def connect(self, seconds: float) -> HTTPConnection:
        """Return a connection, not opened yet, with a timeout."""
        make = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        return make(self._parts.hostname or "", self._parts.port, timeout=seconds)

    def _unreachable(self, error: Exception) -> errors.ServerUnreachable:
        problem = getattr(error, "strerror", None) or str(error) or "no answer"
        if isinstance(error, SSLError):  # its message is for programmers
            problem = "it does not offer trusted HTTPS"
        return errors.ServerUnreachable(
            f"cannot reach the server at {self.url} ({problem}); check the address,"
            " and that the server is running"
        )

    def refused(self, status: int, data: bytes) -> errors.OnlineError:
        """Return the error for a refused request, with the server's own message."""
        try:
            refusal = decode(data, Refusal)
        except errors.RecordError:
            return self._not_ninefold()
        detail = refusal.detail
        if status == _NOT_FOUND and refusal.error == "no_such_match":
            detail = f"there is no such match at {self.url}; ask for the link again"
        elif refusal.error == "seat_taken":
            detail = BOTH_TAKEN
        return errors.RequestRefused(status, refusal.error, detail, refusal)

    def _not_ninefold(self) -> errors.OnlineError:
        message = (
            f"{self.url} is not a ninefold server, or runs another version; check the"
            " address"
        )
        return errors.OnlineError(message)


@contextmanager
def _within(seconds: float, opened: socket.socket) -> Iterator[None]:
    """Shut the connection down after ``seconds``, even if data keeps trickling in."""
    timer = Timer(seconds, _cut, [opened])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _cut(opened: socket.socket) -> None:
    """Shut a connection down; any thread may call this."""
    with suppress(OSError):  # it may be closed already
        opened.shutdown(socket.SHUT_RDWR)


def _headers_of(secret: str | None) -> dict[str, str]:
    return {} if secret is None else {"Authorization": f"Bearer {secret}"}


class OpenStream:
    """An open stream of events."""

    def __init__(
        self, connection: HTTPConnection, opened: socket.socket, response: HTTPResponse
    ) -> None:
        """Wrap a connection, its socket, and its response, which does not end."""
        self._connection = connection
        self._socket = opened
        self.response = response

    def interrupt(self) -> None:
        """Unblock a reader in another thread; no more data is delivered."""
        _cut(self._socket)

    def wait_up_to(self, seconds: float) -> None:
        """Set how long reading waits for data from now on."""
        self._socket.settimeout(seconds)

    def close(self) -> None:
        self.response.close()
        self._connection.close()
