"""The ASGI application: routes, refusals and background tasks."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cached_property
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ninefold.errors import (
    DamagedClass,
    DamagedMatch,
    NinefoldError,
    StoreError,
    UnknownMatch,
)
from ninefold.playing.state import Viewer
from ninefold.server.class_endpoints import Classes
from ninefold.server.cleanup import Cleanup
from ninefold.server.commit_queue import Writer
from ninefold.server.endpoints import Endpoint, describe, endpoints
from ninefold.server.event_streams import PING_SECONDS
from ninefold.server.learner_endpoints import Learners
from ninefold.server.live_classes import LiveClasses
from ninefold.server.live_match import LiveMatch
from ninefold.server.live_matches import MATCHES_CACHED, LiveMatches
from ninefold.server.match_endpoints import Matches
from ninefold.server.metrics import Metrics
from ninefold.server.pages import Pages, Preview
from ninefold.server.qr_codes import draw_qr
from ninefold.server.rate_limits import Handler, RateLimits, RequestKind, address_of
from ninefold.server.requests import match_id_of
from ninefold.server.responses import (
    FORBIDDEN,
    NOT_FOUND,
    UNAVAILABLE,
    WRONG_METHOD,
    HttpRefusal,
    refusal_of,
    refuse,
)
from ninefold.server.route_table import Route, Routes
from ninefold.server.seats import SeatSecrets
from ninefold.server.security import SECONDS_FOR_A_BODY, SecurityMiddleware
from ninefold.server.thread_pool import Pool
from ninefold.store import Store

_log = logging.getLogger(__name__)

_PAGES = (
    *("/", "/m/{id}", "/explore", "/puzzles", "/puzzles/{day}", "/look-back"),
    *("/practise", "/progress", "/learn", "/class", "/teach"),
)
_IN_CLASS = ("/api/class", "/api/choices", "/api/matches/{id}")
"""The endpoints that answer everyone on the server of a single class."""
_GET = ("GET", "HEAD")
_OK = 200
_SECONDS_FOR_A_PREVIEW = 1.0
_STOP = re.compile(r"[^\w-]+$")


class Options(Struct, frozen=True, kw_only=True):
    """The options of a server."""

    public_url: str | None = None
    """The address at which others reach the server; links start with it."""
    hosts: tuple[str, ...] = ("localhost",)
    """The host names that requests may use, beside IP addresses."""
    keep_days: int | None = None
    """Remove matches unchanged for this many days; None removes none."""
    workers: int = 1
    """The number of processes."""
    trusted_proxies: tuple[str, ...] = ()
    """The addresses of proxies whose X-Forwarded-For is trusted."""
    matches_cached: int = MATCHES_CACHED
    """The most matches cached in memory, beside those in use."""
    class_id: str | None = None
    """The only class of a server that has no other use; None for a usual server."""
    addresses: tuple[str, ...] = ()
    """The addresses at which the devices of that class may reach the server."""


class Server:
    """A server: its parts, and the application that serves them."""

    def __init__(
        self,
        store: Store,
        key: bytes,
        *,
        clock: Callable[[], datetime],
        options: Options | None = None,
        rates: RateLimits | None = None,
        seconds_for_a_body: float = SECONDS_FOR_A_BODY,
    ) -> None:
        """Own ``store``, which nothing else may use; derive secrets from ``key``."""
        self.options = options or Options()
        self.metrics = Metrics()
        self._clock = clock
        self._rates = rates or RateLimits()
        self._seconds_for_a_body = seconds_for_a_body
        self._pool = Pool()
        self._explore = Pool(threads=1, most_waiting=32)
        """For public requests, so that they never delay a move."""
        self._writer = Writer(store, self.metrics)
        cached = self.options.matches_cached
        self.live_matches = LiveMatches(
            self._writer, self._pool, self.metrics, cached, clock
        )
        secrets, public_url = SeatSecrets(key), self.options.public_url
        only_class = self.options.class_id
        self.live_classes = LiveClasses(
            self._writer,
            self.live_matches,
            self._pool,
            clock,
            keeps_bands=only_class is not None,
        )
        self.classes = Classes(
            self.live_classes,
            self.live_matches,
            secrets,
            self._pool,
            self._writer,
            public_url=public_url,
            addresses=self.options.addresses,
            only_class=only_class,
        )
        self._matches = Matches(
            self.live_matches, self.classes, secrets, self._pool, public_url
        )
        learners = Learners(self._writer, self._explore, self._matches, clock)
        self._matches.subscribe(learners.record)
        calls = endpoints(self._matches, learners, self.classes, self._explore)
        self._calls = [self._guarded(call) for call in calls]
        self._cleanup = Cleanup(
            self._writer,
            self.options.keep_days,
            self.live_classes.remove_older_than,
            clock,
        )
        self._pages = Pages()
        self._routes = Routes(self._entries())

    def application(self) -> ASGIApp:
        """Return the ASGI application; its security also covers failures."""
        return SecurityMiddleware(
            self._serve,
            metrics=self.metrics,
            hosts=self.options.hosts,
            public_url=self.options.public_url,
            seconds_for_a_body=self._seconds_for_a_body,
        )

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except (HttpRefusal, NinefoldError) as error:
            response = _refused(request, error)
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> ASGIApp:
        scope = request.scope
        found = self._routes.find(scope["path"])
        if found is None:
            return self._not_found(request)
        route, scope["path_params"] = found
        scope["route"] = route.path
        handler = route.handlers.get(request.method)
        return _wrong_method(route) if handler is None else await handler(request)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Run the background tasks from startup to shutdown."""
        await receive()
        chores = [
            asyncio.create_task(self.live_matches.ping(PING_SECONDS)),
            asyncio.create_task(self.live_matches.follow()),
            asyncio.create_task(self.live_classes.watch()),
            asyncio.create_task(self._cleanup.remove_every_hour()),
        ]
        try:
            await send({"type": "lifespan.startup.complete"})
            await receive()
        finally:
            for chore in chores:
                chore.cancel()
            self.live_matches.end_streams()
            self._pool.close()
            self._explore.close()
            await self._writer.close()
        await send({"type": "lifespan.shutdown.complete"})

    def _entries(self) -> Iterator[tuple[str, tuple[str, ...], Handler]]:
        """Yield each path with its methods and their handler."""
        for call in self._calls:
            # HEAD for an endless stream would never end, either.
            is_read = call.method == "GET" and not call.is_endless
            methods = _GET if is_read else (call.method,)
            yield call.path, methods, self._rates.limit(call.kind, call.handler)
        for path in _PAGES:
            yield path, _GET, self._page
        if self.options.class_id is not None:
            yield "/", _GET, self._class_page
        yield "/page/{name:path}", _GET, self._pages.file
        yield "/m/{id}/qr.svg", _GET, self._rates.limit(RequestKind.THINK, self._qr)
        yield "/openapi.json", _GET, self._openapi
        yield "/healthz", _GET, self._healthy
        yield "/readyz", _GET, self._ready
        yield "/metrics", _GET, self._metrics

    def _guarded(self, call: Endpoint) -> Endpoint:
        """Return an endpoint, guarded if it is outside of a server's only class."""
        if self.options.class_id is None or call.path.startswith(_IN_CLASS):
            return call
        handler = self.classes.guard(call.handler)
        return replace(call, handler=handler, refuses=(*call.refuses, FORBIDDEN))

    async def _class_page(self, _: Request) -> Response:
        """Lead to the page of the only class, so that its address is short."""
        return RedirectResponse("/class")

    async def _page(self, request: Request) -> Response:
        self._note_visitor(request)
        address, status = self._matches.address(request), _OK
        try:
            preview = await self._preview(request)
        except UnknownMatch:  # the page itself reports it
            preview, status = Preview(), NOT_FOUND
        return self._pages.shell(request, address, preview, status)

    def _note_visitor(self, request: Request) -> None:
        """Note a device on the network that has reached the server of a class."""
        visitor = address_of(request)
        if self.options.class_id is not None and not self._is_own(visitor):
            self.live_classes.note_visitor(visitor)

    def _is_own(self, address: str) -> bool:
        own = {urlsplit(url).hostname for url in self.options.addresses}
        return address in own or address.startswith("127.") or address == "::1"

    async def _preview(self, request: Request) -> Preview:
        """Return a link's preview for chats; raise only for an unknown match.

        A failure never delays the page. A link from a sentence may end with its full
        stop.
        """
        named = request.path_params
        if "day" in named:
            return Preview.of_puzzle(named["day"])
        if "id" in named:
            named["id"] = _STOP.sub("", named["id"])
            try:
                self._rates.spend(RequestKind.READ, address_of(request))
                async with asyncio.timeout(_SECONDS_FOR_A_PREVIEW):
                    return await self._matches.preview(request)
            except UnknownMatch:
                raise
            except (NinefoldError, HttpRefusal, TimeoutError):
                pass
        return Preview()

    async def _qr(self, request: Request) -> Response:
        """Return a QR code for the link of a match, whether it exists or not."""
        link = self._matches.link(request, match_id_of(request))
        drawn = await self._explore(lambda: draw_qr(link))
        headers = {"cache-control": "no-store"}
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    @cached_property
    def _description(self) -> bytes:
        return msgspec.json.encode(describe(self._calls))

    def _not_found(self, request: Request) -> Response:
        """Respond with a refusal to a program, and with the page to a person.

        A path with a slash too many or too few at its end is redirected.
        """
        path = request.scope["path"]
        other = path.rstrip("/") if path.endswith("/") else f"{path}/"
        if self._routes.find(other) is not None:
            # Starlette quotes a path in some versions only.
            query = request.scope["query_string"].decode("latin-1")
            origin = f"{request.url.scheme}://{request.url.netloc}"
            query = f"?{query}" if query else ""
            return RedirectResponse(f"{origin}{quote(other)}{query}")
        accepted = request.headers.get("accept", "")
        if "text/html" in accepted and not path.startswith("/api/"):
            address = self._matches.address(request)
            return self._pages.shell(request, address, Preview(), NOT_FOUND)
        detail = "there is nothing at this address"
        return refuse(HttpRefusal(NOT_FOUND, "not_found", detail))

    async def _openapi(self, _: Request) -> Response:
        return Response(self._description, media_type="application/json")

    async def _healthy(self, _: Request) -> Response:
        """Respond if the process is alive."""
        return Response("alive\n", media_type="text/plain")

    async def _ready(self, _: Request) -> Response:
        """Respond if matches can be read and, as far as is known, written."""
        await self._writer.check()
        return Response("ready\n", media_type="text/plain")

    async def _metrics(self, _: Request) -> Response:
        return Response(
            self.metrics.format_metrics(), media_type="text/plain; version=0.0.4"
        )


def _refused(request: Request, error: Exception) -> Response:
    """Return the response to an error, with the current match if that helps."""
    refused = error if isinstance(error, HttpRefusal) else refusal_of(error)
    if isinstance(error, DamagedMatch):
        _log.warning("a match in the database is damaged")  # its id is secret
    elif isinstance(error, DamagedClass):
        _log.warning("a class in the database is damaged")  # it may name a pupil
    elif isinstance(error, StoreError) and refused.status == UNAVAILABLE:
        _log.warning("%s", error)  # the client learns less
    live: LiveMatch | None = getattr(request.state, "live", None)
    viewer: Viewer = getattr(request.state, "viewer", None)
    if refused.with_state and live is not None:
        after: int | None = getattr(request.state, "log_after", None)
        if after is None:
            return refuse(refused, live.snapshot.state(viewer))
        return refuse(refused, live.log_page(after))
    return refuse(refused)


def _wrong_method(route: Route) -> Response:
    detail = "this address does not support that method"
    response = refuse(HttpRefusal(WRONG_METHOD, "wrong_method", detail))
    response.headers["allow"] = ", ".join(sorted(route.handlers))
    return response
