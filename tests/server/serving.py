"""Servers for tests: a clock that stands still, and a store that is gone after."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from ninefold.server.app import Options, Server
from ninefold.server.rate_limits import Kind, RateLimits
from ninefold.store import Store
from ninefold.store.sqlite import SqliteStore

KEY = b"k" * 32
NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


def make_store(folder: Path | None = None) -> SqliteStore:
    """Open a store, in memory where there is no folder."""
    numbers = count(1)
    return SqliteStore(folder, clock=lambda: NOW, new_id=lambda: f"id-{next(numbers)}")


def boundless() -> RateLimits:
    """Let an address ask as often as it likes."""
    much: dict[Kind, int] = dict.fromkeys(Kind, 10000000)
    return RateLimits(much)


def make_server(
    store: Store | None = None,
    *,
    options: Options | None = None,
    rates: RateLimits | None = None,
) -> Server:
    """Make a server; without a store, one in memory."""
    return Server(
        store or make_store(),
        KEY,
        clock=lambda: NOW,
        options=options,
        rates=rates or boundless(),
    )
