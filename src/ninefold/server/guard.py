"""Around every request: who may ask, how often, what is logged, what browsers obey."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ninefold.server.metrics import Metrics
from ninefold.server.refusals import BAD_FORM, FORBIDDEN, Refused
from ninefold.server.responses import refuse

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
        """Take the hosts that the server is known by; numbers are always let in."""
        self._app = app
        self._metrics = metrics
        self._hosts = {host.lower() for host in hosts}
        self._origin = None if public_url is None else origin_of(public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
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
            # The path itself would tell the id of a match, which opens it.
            route = scope.get("route")
            path = getattr(route, "path", _UNMATCHED)
            seconds = time.perf_counter() - began
            self._metrics.answered(scope["method"], path, status, seconds)
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
    """Whether a host is named by its number."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def origin_of(url: str) -> str:
    """Return the scheme, host and port of an address, as browsers write them."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()
