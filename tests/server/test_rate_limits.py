"""How often an address may ask."""

from __future__ import annotations

import pytest

from ninefold.server.rate_limits import RateLimits, RequestKind
from ninefold.server.responses import HttpRefusal

ALLOWED: dict[RequestKind, int] = {
    kind: number for number, kind in enumerate(RequestKind, start=2)
}


class Watch:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_each_address_has_a_share_of_each_kind_a_minute() -> None:
    watch = Watch()
    rates = RateLimits(ALLOWED, watch)
    for minute in range(3):
        watch.seconds = 60.0 * minute
        for address in ("a", "b"):
            for number, kind in enumerate(RequestKind, start=2):
                for _ in range(number):
                    rates.spend(kind, address)
                with pytest.raises(HttpRefusal) as refused:
                    rates.spend(kind, address)
                assert refused.value.status == 429
                assert refused.value.retry_after == 60


def test_what_was_refused_stays_refused_until_the_minute_is_over() -> None:
    watch = Watch()
    rates = RateLimits({RequestKind.STEP: 1}, watch)
    rates.spend(RequestKind.STEP, "a")
    for watch.seconds in (0.0, 30.0, 59.9):
        with pytest.raises(HttpRefusal):
            rates.spend(RequestKind.STEP, "a")
    watch.seconds = 60.0
    rates.spend(RequestKind.STEP, "a")


def test_a_household_with_many_long_addresses_has_one_share() -> None:
    rates = RateLimits({RequestKind.STEP: 1}, Watch())
    rates.spend(RequestKind.STEP, "2001:db8::1")
    with pytest.raises(HttpRefusal):
        rates.spend(RequestKind.STEP, "2001:db8::2")
    rates.spend(RequestKind.STEP, "2001:db8:0:1::1")
    rates.spend(RequestKind.STEP, "not:an:address")
