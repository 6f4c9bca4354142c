"""Security of every request: hosts, origins, headers; limits on headers and bodies."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ninefold.server.metrics import Metrics
from ninefold.server.responses import BAD_FORM, FAILED, FORBIDDEN, HttpRefusal, refuse

_log = logging.getLogger("ninefold.server.access")

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
_DOCUMENT_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_PARTS = (b"text/css", b"text/javascript")
"""Types that are never a document, and need fewer headers; a page has many of them."""
_PREVIEW = b"image/png"
"""The type that other sites may show: pictures for previews of links."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_UNMATCHED = "(none)"
_HOSTS_CACHED = 64
_HOST = re.compile(r"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
"""A name or IP address, perhaps with a port, and nothing else: links repeat it."""
SECONDS_FOR_A_BODY = 10.0
MOST_READ = 2**20
"""The most bytes to read of a body, most of them only to drain it."""


class _Body:
    """The body of a request, with a deadline for whichever code reads it."""

    def __init__(self, receive: Receive, seconds: float) -> None:
        self._receive = receive
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._size = 0
        self._has_ended = False

    async def receive(self) -> Message:
        """Receive a part; raise ``TimeoutError`` after the deadline.

        After the end of the body, wait for the client to disconnect.
        """
        if self._has_ended:
            return await self._receive()
        async with asyncio.timeout_at(self._deadline):
            message = await self._receive()
        self._size += len(message.get("body", b""))
        self._has_ended = not message.get("more_body", False)
        return message

    async def discard(self) -> bool:
        """Drain the unread body, up to a limit; return whether it ended.

        A client that is still sending would not see the response if the connection
        closed.
        """
        with suppress(TimeoutError):
            while not self._has_ended and self._size <= MOST_READ:
                await self.receive()
        return self._has_ended


class SecurityMiddleware:
    """Refuses foreign hosts and origins, bounds bodies, adds headers, counts, logs."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        metrics: Metrics,
        hosts: Iterable[str],
        public_url: str | None,
        seconds_for_a_body: float,
    ) -> None:
        """Wrap ``app``, which accepts requests to ``hosts`` and to IP addresses."""
        self._app = app
        self._seconds_for_a_body = seconds_for_a_body
        self._metrics = metrics
        self._hosts = {host.lower() for host in hosts}
        self._knows = lru_cache(_HOSTS_CACHED)(self._is_own)
        self._origin = None if public_url is None else origin_of(public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, is_stream = time.perf_counter(), 0, False
        body = _Body(receive, self._seconds_for_a_body)

        async def send_guarded(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message["headers"]
                kind = dict(headers).get(b"content-type", b"")
                is_stream = kind.startswith(b"text/event-stream")
                message["headers"] = [*headers, *_headers_beside(kind)]
                if not await body.discard():
                    message["headers"].append((b"connection", b"close"))
            await send(message)

        try:
            refused = self._refused(scope)
            if refused is None:
                await self._app(scope, body.receive, send_guarded)
            else:
                await refuse(refused)(scope, body.receive, send_guarded)
        except Exception:
            if not status:
                detail = "the server failed; please report it"
                failed = refuse(HttpRefusal(FAILED, "failed", detail))
                await failed(scope, body.receive, send_guarded)
            raise  # uvicorn logs the traceback
        finally:
            # Log the route: the path itself contains a match's id, which is secret.
            method, route = scope["method"], scope.get("route", _UNMATCHED)
            seconds = time.perf_counter() - began
            answered_in = None if is_stream else seconds
            self._metrics.count(method, route, status, answered_in)
            milliseconds = seconds * 1000
            _log.info("%s %s %d %.1f ms", method, route, status, milliseconds)

    def _refused(self, scope: Scope) -> HttpRefusal | None:
        """Return the refusal of a wrong host or origin, or None."""
        host, *others = _values(scope, b"host") or [""]
        if others or not self._knows(host):
            detail = "unknown host name; see --public-url"
            return HttpRefusal(BAD_FORM, "wrong_host", detail)
        if scope["method"] in _SAFE:
            return None
        sites, origins = _values(scope, b"sec-fetch-site"), _values(scope, b"origin")
        own = (f"{scope['scheme']}://{host}".lower(), self._origin)
        is_foreign = any(origin.lower() not in own for origin in origins)
        if is_foreign or "cross-site" in sites or "same-site" in sites:
            detail = "this request comes from another site; open the match directly"
            return HttpRefusal(FORBIDDEN, "foreign_origin", detail)
        return None

    def _is_own(self, host: str) -> bool:
        """Whether a host is one of the server's names, or an IP address.

        Prevents DNS rebinding: another site can point its own name at this server, but
        not an IP address.
        """
        if not _HOST.fullmatch(host):
            return False
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._hosts or _is_number(name)


def _values(scope: Scope, header: bytes) -> list[str]:
    """Return all values of a header."""
    return [
        value.decode("latin-1") for name, value in scope["headers"] if name == header
    ]


@lru_cache
def _headers_beside(kind: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Return the security headers for content of this type."""
    shown = b"cross-origin" if kind == _PREVIEW else b"same-origin"
    headers = (*_HEADERS, (b"cross-origin-resource-policy", shown))
    return headers if kind.startswith(_PARTS) else headers + _DOCUMENT_HEADERS


def _is_number(name: str) -> bool:
    """Whether a host is an IP address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def origin_of(url: str) -> str:
    """Return the scheme, host and port of an address, as browsers write them."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


_TLS_HELLO = b"\x16\x03"
LARGEST_HEAD = 64 * 1024
SECONDS_FOR_A_HEAD = 10.0


class BoundedProtocol(HttpToolsProtocol):
    """Limits the size and arrival time of request headers."""

    seconds_for_a_head = SECONDS_FOR_A_HEAD
    _head = 0
    _deadline: asyncio.TimerHandle | None = None
    """Closes the connection if the headers are late; None while none are expected."""
    _in_body = False

    def connection_made(  # type: ignore[override]  # as its base does
        self, transport: asyncio.Transport
    ) -> None:
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process received data; close the connection if the headers are too large.

        Data after the headers may be a body, which ``SecurityMiddleware`` bounds. A
        browser that tries HTTPS first is refused at once, without a line in the log.
        """
        if not self._in_body and not self._head and data.startswith(_TLS_HELLO):
            self.transport.close()
            return
        if not self._in_body:
            self._head += len(data)
            if self._deadline is None:
                self._expect_head()
        super().data_received(data)
        if self._head > LARGEST_HEAD:
            self.transport.close()

    def on_headers_complete(self) -> None:
        self._end_head()
        self._in_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_body = False
        super().on_message_complete()

    def _expect_head(self) -> None:
        wait = self.seconds_for_a_head
        self._deadline = self.loop.call_later(wait, self.transport.close)

    def _end_head(self) -> None:
        self._head = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
