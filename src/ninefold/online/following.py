"""Following a match: everything that happens, as it happens, lost connections apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from threading import Event, Lock, Thread
from typing import Literal

from msgspec import Struct

from ninefold.errors import OnlineError, RecordError, RequestRefused
from ninefold.online.answers import LARGEST_ANSWER, read_answer, read_body
from ninefold.online.client import OpenStream, RemoteMatch
from ninefold.online.messages import (
    Message,
    Presence,
)
from ninefold.views.state import State

PAUSES = (0.2, 0.5, 1.0, 2.0, 3.0)
"""How many seconds to wait before each try to connect again; the last one repeats."""
_SECONDS_TO_BEGIN = 10.0
"""How long a stream may take to tell who is here, which it does first."""
_SILENCE = 50.0
"""Seconds without a sign of life, of which the server gives one every 20."""
_SECONDS_TO_END = 2.0
"""A thread that still waits for a connection ends by itself, and tells nothing."""
_OK, _EVENTS = 200, "text/event-stream"
_MATCH_GONE = (401, 403, 404)
_TRIES_UNSAID = 1
"""How many tries may fail before anybody is told: a server may only be restarted."""


class Lost(Struct, frozen=True):
    """The connection is lost; it is tried again."""


class Back(Struct, frozen=True):
    """The connection is back; what was missed follows."""


class Gone(Struct, frozen=True):
    """The match cannot be followed any more."""

    error: OnlineError


class SetBack(Struct, frozen=True):
    """The server was set back to an earlier copy, and the match stands so."""

    state: State


Heard = Message | Presence | Lost | Back | Gone | SetBack


class Following:
    """Listens in a thread of its own, and tells whatever it hears."""

    def __init__(
        self,
        match: RemoteMatch,
        after: int,
        tell: Callable[[Heard], None],
        *,
        pauses: Sequence[float] = PAUSES,
        seconds_to_begin: float = _SECONDS_TO_BEGIN,
    ) -> None:
        """Follow a match from behind a command; ``tell`` is called from the thread."""
        self._match = match
        self._after = after
        self._tell = tell
        self._pauses = tuple(pauses)
        self._seconds_to_begin = seconds_to_begin
        self._stopped = Event()
        self._lock = Lock()
        self._open: OpenStream | None = None
        self._thread = Thread(target=self._run, name="following", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening, and wait until nothing is told any more."""
        self._stopped.set()
        with self._lock:
            if self._open is not None:
                self._open.interrupt()
        self._thread.join(_SECONDS_TO_END)

    def _run(self) -> None:
        failed = 0
        while not self._stopped.is_set():
            try:
                heard = self._listen(is_back=failed > _TRIES_UNSAID) or self._ask()
            except RequestRefused as refused:
                if refused.status in _MATCH_GONE:
                    self._say(Gone(refused))
                    return
                heard = False
            except (OSError, HTTPException, OnlineError):
                heard = False
            failed = 1 if heard else failed + 1
            if failed == _TRIES_UNSAID + 1:
                self._say(Lost())
            self._stopped.wait(self._pauses[min(failed, len(self._pauses)) - 1])

    def _ask(self) -> Literal[False]:
        """Ask how the match stands, where something in between holds streams back."""
        self._take(Message((), self._match.state()))
        return False

    def _take(self, message: Message) -> None:
        """Tell what a command brought, unless it is known."""
        known, self._after = self._after, message.state.seq
        if self._after > known:
            self._say(message)
        elif self._after < known:
            self._say(SetBack(message.state))

    def _listen(self, *, is_back: bool) -> bool:
        """Tell what comes until the stream ends; whether anything did."""
        try:
            opened = self._match.listen(self._after, self._seconds_to_begin)
        except TimeoutError:
            return False
        with self._lock:
            self._open = opened
            if self._stopped.is_set():
                opened.interrupt()
        try:
            response = opened.response
            if response.status != _OK:
                refusal = read_body(response)
                raise self._match.server.refused(response.status, refusal)
            if response.headers.get_content_type() != _EVENTS:
                return False
            return self._tell_all(opened, is_back=is_back)
        finally:
            with self._lock:
                self._open = None
            opened.close()

    def _tell_all(self, opened: OpenStream, *, is_back: bool) -> bool:
        heard_any = False
        # What is no message ends the stream, and is told anew in the next one.
        with suppress(OSError, HTTPException, RecordError):
            for heard in _read(opened.response):
                if not heard_any:
                    heard_any = True
                    opened.wait_up_to(_SILENCE)
                    if is_back:
                        self._say(Back())
                if isinstance(heard, Message):
                    self._take(heard)
                else:
                    self._say(heard)
        return heard_any

    def _say(self, heard: Heard) -> None:
        if not self._stopped.is_set():
            self._tell(heard)


def _read(response: HTTPResponse) -> Iterator[Message | Presence]:
    """Yield what a stream of server-sent events holds."""
    event, data = b"", b""
    while line := response.readline(LARGEST_ANSWER):
        name, _, value = line.rstrip(b"\r\n").partition(b":")
        value = value.removeprefix(b" ")
        if name == b"event":
            event = value
        elif name == b"data":
            data += value
            if len(data) > LARGEST_ANSWER:
                return
        elif not line.strip():
            if data:
                is_presence = event == b"presence"
                shape: type[Message | Presence] = Presence if is_presence else Message
                yield read_answer(data, shape)
            event, data = b"", b""
