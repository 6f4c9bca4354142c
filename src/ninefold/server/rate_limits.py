"""Rate limits for each address: enough for a class of thirty that shares one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from ipaddress import ip_network
from time import monotonic
from typing import TypeAlias

from starlette.requests import Request
from starlette.types import ASGIApp

from ninefold.server.responses import TOO_MANY, HttpRefusal

Handler: TypeAlias = Callable[[Request], Awaitable[ASGIApp]]
"""Handles a request; returns the application that sends the response."""

MOST_STREAMS_OF_ADDRESS = 300
MOST_WATCHING_A_MATCH = 200
MOST_STREAMS_OF_A_SEAT = 20


class RequestKind(Enum):
    """The cost of a request for the server."""

    CREATE = "create"
    STEP = "step"
    THINK = "think"
    READ = "read"


DEFAULT_RATES = {
    RequestKind.CREATE: 240,
    RequestKind.STEP: 6_000,
    RequestKind.THINK: 3_000,
    RequestKind.READ: 12_000,
}
"""Requests allowed per minute."""
_MINUTE = 60
_HOUSEHOLD_BITS = 64


class RateLimits:
    """Counts the requests of each address in the current minute."""

    def __init__(
        self,
        allowed: Mapping[RequestKind, int] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._allowed = allowed or DEFAULT_RATES
        self._clock = clock
        self._minute = 0
        self._spent: Counter[tuple[RequestKind, str]] = Counter()

    def limit(self, kind: RequestKind, handler: Handler) -> Handler:
        """Wrap a handler so that each request is first counted as this kind."""

        async def counted(request: Request) -> ASGIApp:
            self.spend(kind, address_of(request))
            return await handler(request)

        return counted

    def spend(self, kind: RequestKind, address: str) -> None:
        """Count a request; raise ``HttpRefusal`` if it is above the limit."""
        minute = int(self._clock() // _MINUTE)
        if minute != self._minute:
            self._minute = minute
            self._spent.clear()
        asker = kind, household(address)
        self._spent[asker] += 1
        if self._spent[asker] > self._allowed[kind]:
            raise too_many()


def address_of(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client else ""


def household(address: str) -> str:
    """Return the unit of the limits: an address, or the /64 network of an IPv6 one."""
    if ":" not in address:
        return address
    try:
        return str(ip_network((address, _HOUSEHOLD_BITS), strict=False))
    except ValueError:
        return address


def too_many() -> HttpRefusal:
    """Return the refusal above a limit."""
    detail = "too many requests from this address; wait a minute"
    return HttpRefusal(TOO_MANY, "too_many", detail, retry_after=_MINUTE)
