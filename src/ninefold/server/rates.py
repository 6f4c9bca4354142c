"""How often an address may ask: enough for a class of thirty behind one."""

from __future__ import annotations

from enum import Enum

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from ninefold.server.refusals import TOO_MANY, Refused

MOST_STREAMS_OF_ADDRESS = 300
MOST_STREAMS_OF_MATCH = 200


class Kind(Enum):
    """What a request costs the server."""

    CREATE = "create"
    STEP = "step"
    THINK = "think"
    READ = "read"


DEFAULT_RATES: dict[Kind, RateLimitItem] = {
    Kind.CREATE: RateLimitItemPerMinute(240),
    Kind.STEP: RateLimitItemPerMinute(6_000),
    Kind.THINK: RateLimitItemPerMinute(3_000),
    Kind.READ: RateLimitItemPerMinute(12_000),
}


class Rates:
    """Counts what each address asks for, minute by minute."""

    def __init__(self, allowed: dict[Kind, RateLimitItem] | None = None) -> None:
        """Take what is allowed; without it, the usual."""
        self._allowed = allowed or DEFAULT_RATES
        self._limiter = FixedWindowRateLimiter(MemoryStorage())

    def spend(self, kind: Kind, address: str) -> None:
        """Count a request; refuse one too many."""
        if not self._limiter.hit(self._allowed[kind], kind.value, address):
            raise too_many()


def too_many() -> Refused:
    """Refuse more than a fair share."""
    detail = "too many requests from this address; wait a minute"
    return Refused(TOO_MANY, "too_many", detail, retry_after=60)
