"""How often an address may ask: enough for a class of thirty behind one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import Enum
from time import monotonic

from limits import RateLimitItem, RateLimitItemPerMinute

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
    """Counts what each address asks for, minute by minute.

    The storage of ``limits`` would start a thread every few requests to forget what
    it counted; here a new minute forgets all of the last.
    """

    def __init__(
        self,
        allowed: dict[Kind, RateLimitItem] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Take what is allowed, without which it is the usual, and a clock."""
        self._allowed = allowed or DEFAULT_RATES
        self._clock = clock
        self._spent: dict[Kind, tuple[float, Counter[str]]] = {}

    def spend(self, kind: Kind, address: str) -> None:
        """Count a request; refuse one too many."""
        allowed = self._allowed[kind]
        window = self._clock() // allowed.get_expiry()
        counted, spent = self._spent.get(kind, (None, Counter[str]()))
        if counted != window:
            spent = Counter()
            self._spent[kind] = window, spent
        spent[address] += 1
        if spent[address] > allowed.amount:
            raise too_many()


def too_many() -> Refused:
    """Refuse more than a fair share."""
    detail = "too many requests from this address; wait a minute"
    return Refused(TOO_MANY, "too_many", detail, retry_after=60)
