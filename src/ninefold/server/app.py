"""The ASGI application: routes, error handlers, and tasks in the background."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from functools import cached_property

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ninefold.errors import DamagedMatch, NinefoldError, StoreError
from ninefold.server.api import calls, describe
from ninefold.server.cleanup import OldMatches
from ninefold.server.learners import Learners
from ninefold.server.live_match import LiveMatch
from ninefold.server.live_matches import MATCHES_CACHED, LiveMatches
from ninefold.server.matches import Matches, match_id_of
from ninefold.server.metrics import Metrics
from ninefold.server.pages import Pages, Preview
from ninefold.server.qr import draw_qr
from ninefold.server.rate_limits import Kind, RateLimits, address_of
from ninefold.server.responses import (
    FAILED,
    NOT_FOUND,
    UNAVAILABLE,
    WRONG_METHOD,
    Refused,
    refusal_of,
    refuse,
)
from ninefold.server.seat_secrets import SeatSecrets
from ninefold.server.security import SECONDS_FOR_A_BODY, Guard
from ninefold.server.streams import PING_SECONDS
from ninefold.server.threads import Pool, Writer
from ninefold.store import Store
from ninefold.views.state import Viewer

_log = logging.getLogger(__name__)

_PAGES = (
    *("/", "/m/{id}", "/explore", "/puzzles", "/puzzles/{day}", "/look-back"),
    *("/practise", "/progress", "/learn"),
)
_SECONDS_FOR_A_PREVIEW = 1.0


class Options(Struct, frozen=True, kw_only=True):
    """The options of a server."""

    public_url: str | None = None
    """The address at which others reach it; links begin with it."""
    hosts: tuple[str, ...] = ("localhost",)
    """The host names that requests may use, beside IP addresses."""
    keep_days: int | None = None
    """Remove matches unchanged for so many days; None keeps all."""
    workers: int = 1
    """How many processes serve."""
    trusted_proxies: tuple[str, ...] = ()
    """The addresses of proxies whose X-Forwarded-For is trusted."""
    matches_cached: int = MATCHES_CACHED
    """How many matches are held in memory, beside those that somebody watches."""


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
        """Take the store, which nobody else may use, and the key of secrets."""
        self.options = options or Options()
        self.metrics = Metrics()
        self._clock = clock
        self._rates = rates or RateLimits()
        self._seconds_for_a_body = seconds_for_a_body
        self._think = Pool()
        self._explore = Pool(threads=1, most_waiting=32)
        """For public questions, so that they never delay a move."""
        self._writer = Writer(store, self.metrics)
        cached = self.options.matches_cached
        self.live_matches = LiveMatches(
            self._writer, self._think, self.metrics, cached, clock
        )
        self._matches = Matches(
            self.live_matches, SeatSecrets(key), self._think, self.options.public_url
        )
        learners = Learners(self._writer, self._explore, self._matches, clock)
        self._calls = calls(self._matches, learners, self._explore)
        self._pages = Pages()

    def application(self) -> ASGIApp:
        """Return the ASGI application; its security covers failures, too."""
        answering = Starlette(
            routes=list(self._routes()),
            exception_handlers={
                Refused: _refused,
                NinefoldError: _refused,
                NOT_FOUND: self._not_found,
                WRONG_METHOD: _wrong_method,
                Exception: _failed,
            },
            lifespan=self._lifespan,
        )
        return Guard(
            answering,
            metrics=self.metrics,
            hosts=self.options.hosts,
            public_url=self.options.public_url,
            seconds_for_a_body=self._seconds_for_a_body,
        )

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        chores = [
            asyncio.create_task(self.live_matches.ping(PING_SECONDS)),
            asyncio.create_task(self.live_matches.follow()),
        ]
        if self.options.keep_days is not None:
            old = OldMatches(self._writer, self.options.keep_days, self._clock)
            chores.append(asyncio.create_task(old.remove_every_hour()))
        try:
            yield
        finally:
            for chore in chores:
                chore.cancel()
            self.live_matches.end_streams()
            self._think.close()
            self._explore.close()
            await self._writer.close()

    def _routes(self) -> Iterator[Route]:
        for call in self._calls:
            handler = self._rates.limit(call.kind, call.handler)
            route = Route(call.path, handler, methods=[call.method])
            if call.is_endless:
                route.methods = {call.method}  # an answer to HEAD would never end
            yield route
        for path in _PAGES:
            yield Route(path, self._page)
        yield Route("/page/{name:path}", self._pages.file)
        yield Route("/m/{id}/qr.svg", self._rates.limit(Kind.THINK, self._qr))
        yield Route("/openapi.json", self._openapi)
        yield Route("/healthz", self._healthy)
        yield Route("/readyz", self._ready)
        yield Route("/metrics", self._metrics)

    async def _page(self, request: Request) -> Response:
        address, preview = self._matches.address(request), await self._preview(request)
        return self._pages.shell(request, address, preview)

    async def _preview(self, request: Request) -> Preview:
        """Return what a chat shows of a link: no page is refused or late for it."""
        named = request.path_params
        if "day" in named:
            return Preview.of_puzzle(named["day"])
        if "id" in named:
            with suppress(NinefoldError, Refused, TimeoutError):
                self._rates.spend(Kind.READ, address_of(request))
                async with asyncio.timeout(_SECONDS_FOR_A_PREVIEW):
                    return await self._matches.preview(request)
        return Preview()

    async def _qr(self, request: Request) -> Response:
        """Draw the link of a match, whether there is one or not."""
        link = self._matches.link(request, match_id_of(request))
        drawn = await self._explore(lambda: draw_qr(link))
        headers = {"cache-control": "no-store"}
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    @cached_property
    def _description(self) -> bytes:
        return msgspec.json.encode(describe(self._calls))

    def _not_found(self, request: Request, _: Exception) -> Response:
        """Answer a program with a refusal, and a person with the page."""
        wanted = request.headers.get("accept", "")
        if "text/html" in wanted and not request.url.path.startswith("/api/"):
            address = self._matches.address(request)
            return self._pages.shell(request, address, Preview(), NOT_FOUND)
        detail = "there is nothing at this address"
        return refuse(Refused(NOT_FOUND, "not_found", detail))

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
        return Response(self.metrics.write(), media_type="text/plain; version=0.0.4")


def _refused(request: Request, error: Exception) -> Response:
    """Answer a refusal, with the match as it stands where that helps."""
    refused = error if isinstance(error, Refused) else refusal_of(error)
    if isinstance(error, DamagedMatch):
        _log.warning("a match in the database is damaged")  # its id is secret
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


def _wrong_method(_: Request, error: Exception) -> Response:
    detail = "this address is not asked for in this way"
    response = refuse(Refused(WRONG_METHOD, "wrong_method", detail))
    response.headers.update(getattr(error, "headers", None) or {})  # Allow: GET
    return response


def _failed(_: Request, __: Exception) -> Response:
    """Answer where the server itself failed; its log has the traceback."""
    detail = "this should not have happened; please report it"
    return refuse(Refused(FAILED, "failed", detail))
