"""The removal of matches that nobody has touched for long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import NoReturn

from ninefold.errors import StoreError
from ninefold.server.writer import Writer
from ninefold.store import Store

_SECONDS_BETWEEN = 3600.0


async def remove_old_matches(
    writer: Writer, clock: Callable[[], datetime], days: int
) -> NoReturn:
    """Remove matches that have not changed for so many days, every hour."""
    while True:
        before = clock() - timedelta(days=days)
        with suppress(StoreError):  # the next hour is as good
            await writer.ask(partial(_forget, before))
        await asyncio.sleep(_SECONDS_BETWEEN)


def _forget(before: datetime, store: Store) -> int:
    return store.forget(before)
