"""The client of a server: requests that are repeated until an answer comes.

A request carries an id by which the server knows it again, so that a repeat does
nothing twice.
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
"""Bytes; a page of a log, with its set-up, is less than half as large."""
PAUSES = (0.3, 0.7, 1.5)
"""How many seconds to wait before each further try."""
SECONDS_TO_ANSWER = 15.0
"""How long a server may be silent, and how long it may take in all."""
SECONDS_UNSAID = 2.0
"""How long somebody waits without being told for whom."""
_OK = range(200, 300)
TRY_AGAIN = (429, 502, 503, 504)
"""What a server answers that may answer the same request later."""
BOTH_TAKEN = "both seats of this match are taken; watch it with --watch"
_NOT_FOUND = 404
_REQUEST_BYTES = 18
_SECRET = re.compile(r"[A-Za-z0-9_-]{16,200}")


class TakenSeat(Struct, frozen=True):
    """A seat that was taken: its match, its secret, and the link for others.

    The link leads to the server that was asked.
    """

    id: str
    secret: str
    link: str


def new_request_id() -> str:
    """Return an id for a request that nobody can guess."""
    return secrets.token_urlsafe(_REQUEST_BYTES)


class Client:
    """Sends requests to a server, and reads its answers."""

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
        """Take the address; ``pauses`` are waited for between one try and the next.

        ``seconds`` is how long an answer may take. ``progress`` shows for whom somebody
        waits, once that takes longer than ``seconds_unsaid``; an empty text clears it.
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
        """Show that somebody waits for an answer, meanwhile."""
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
            timer.join()  # or it would show it afterwards
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
        """Refuse a secret and a link that cannot be any, or a link elsewhere."""
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
        """Repeat a request until an answer comes; raise what the server refuses.

        A server that has been silent for as long as an answer may take is given up.
        """
        until = monotonic() + self._seconds
        for pause in (*self._pauses, None):
            try:
                status, data = self._send(method, path, body, secret)
            except (OSError, HTTPException, UnicodeError) as error:
                # The last one is of a host name that cannot be any.
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
        """Send a request once; return the status and the body of the answer."""
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
        """Read an answer, up to a bound; refuse one that broke off."""
        data = response.read(LARGEST_ANSWER + 1)
        if len(data) > LARGEST_ANSWER:
            raise errors.ResponseTooLarge(self.url)
        if response.length:  # else http.client takes what there is for the whole
            raise IncompleteRead(data)
        return data

    def _read(self, data: bytes, shape: type[Answer]) -> Answer:
        try:
            return decode(data, shape)
        except errors.RecordError:
            raise self._not_ninefold() from None

    def open_stream(self, path: str, secret: str | None, seconds: float) -> OpenStream:
        """Open a stream of events; the caller closes it.

        ``seconds`` is how long the server may be silent.
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
        """Return a connection, not opened yet, which waits for so long."""
        make = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        return make(self._parts.hostname or "", self._parts.port, timeout=seconds)

    def _unreachable(self, error: Exception) -> errors.ServerUnreachable:
        problem = getattr(error, "strerror", None) or str(error) or "no answer"
        if isinstance(error, SSLError):  # whose words are for programmers
            problem = "it speaks no HTTPS that can be trusted"
        return errors.ServerUnreachable(
            f"the server at {self.url} cannot be reached ({problem}); look at the"
            " address, and whether the server runs"
        )

    def refused(self, status: int, data: bytes) -> errors.OnlineError:
        """Return what the server refused, in its own sentence."""
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
            f"what answers at {self.url} is no ninefold server, or another version of"
            " one; look at the address"
        )
        return errors.OnlineError(message)


@contextmanager
def _within(seconds: float, opened: socket.socket) -> Iterator[None]:
    """Cut a connection that takes longer, though it is never silent for long."""
    timer = Timer(seconds, _cut, [opened])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _cut(opened: socket.socket) -> None:
    """Let nothing more come from a connection; any thread may call this."""
    with suppress(OSError):  # it may have ended already
        opened.shutdown(socket.SHUT_RDWR)


def _headers_of(secret: str | None) -> dict[str, str]:
    return {} if secret is None else {"Authorization": f"Bearer {secret}"}


class OpenStream:
    """An open stream of events."""

    def __init__(
        self, connection: HTTPConnection, opened: socket.socket, response: HTTPResponse
    ) -> None:
        """Take the connection, its socket, and the answer that does not end."""
        self._connection = connection
        self._socket = opened
        self.response = response

    def interrupt(self) -> None:
        """Wake whoever reads from it in another thread: nothing more will come."""
        _cut(self._socket)

    def wait_up_to(self, seconds: float) -> None:
        """Wait for so long from now on until something comes."""
        self._socket.settimeout(seconds)

    def close(self) -> None:
        self.response.close()
        self._connection.close()
