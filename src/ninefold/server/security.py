"""Security of every request: hosts, origins, headers, the size of request heads."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ninefold.server.metrics import Metrics
from ninefold.server.responses import BAD_FORM, FORBIDDEN, Refused, refuse

_log = logging.getLogger("ninefold.server.access")

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_SAFE = ("GET", "HEAD", "OPTIONS")
_UNMATCHED = "(none)"
_HOST = re.compile(r"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
"""A name or a number, with a port perhaps, and nothing that links would carry on."""


class Guard:
    """Refuses foreign hosts and origins; adds headers; counts and logs."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        metrics: Metrics,
        hosts: Iterable[str],
        public_url: str | None,
    ) -> None:
        """Take the host names of the server; IP addresses are always accepted."""
        self._app = app
        self._metrics = metrics
        self._hosts = {host.lower() for host in hosts}
        self._origin = None if public_url is None else origin_of(public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        try:
            self._check(scope)
        except Refused as refused:
            await refuse(refused)(scope, receive, send_guarded)
        else:
            await self._app(scope, receive, send_guarded)
        finally:
            # The path itself has the id of a match, which is secret.
            route = scope.get("route")
            path = getattr(route, "path", _UNMATCHED)
            seconds = time.perf_counter() - began
            counted = self._metrics.requests.labels(scope["method"], path, str(status))
            counted.inc()
            self._metrics.seconds.observe(seconds)
            _log.info("%s %s %d %.1f ms", scope["method"], path, status, seconds * 1000)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._knows(host):
            detail = "this server is not known by that name; see --public-url"
            raise Refused(BAD_FORM, "wrong_host", detail)
        if scope["method"] in _SAFE:
            return
        site, origin = headers.get("sec-fetch-site", ""), headers.get("origin")
        own = {f"{scope['scheme']}://{host}".lower(), self._origin}
        is_foreign = origin is not None and origin.lower() not in own
        if site in ("cross-site", "same-site") or is_foreign:
            detail = "this request comes from another site; open the match itself"
            raise Refused(FORBIDDEN, "foreign_origin", detail)

    def _knows(self, host: str) -> bool:
        """Whether a host is this server: a name of it, or a number.

        A page elsewhere could lead a name of its own here, but no number.
        """
        if not _HOST.fullmatch(host):
            return False
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._hosts or _is_number(name)


@lru_cache(maxsize=256)
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


LARGEST_HEAD = 64 * 1024
SECONDS_FOR_A_HEAD = 10.0


class BoundedProtocol(HttpToolsProtocol):
    """Limits the size and arrival time of request headers."""

    seconds_for_a_head = SECONDS_FOR_A_HEAD
    _head = 0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(  # type: ignore[override]  # as its base does
        self, transport: asyncio.Transport
    ) -> None:
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_head()
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
        self._end_head()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._end_head()
        super().on_body(body)

    def _expect_head(self) -> None:
        wait = self.seconds_for_a_head
        self._deadline = self.loop.call_later(wait, self.transport.close)

    def _end_head(self) -> None:
        self._head = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
