"""The hourly removal of old classes and, with a limit in days, of old matches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from time import monotonic
from typing import NoReturn

from ninefold.errors import NinefoldError
from ninefold.server.commit_queue import Writer

_log = logging.getLogger(__name__)

_SECONDS_BETWEEN = 3600.0
LIFETIME_OF_A_CLASS = timedelta(hours=24)


RemoveClasses = Callable[[datetime], Awaitable[int]]
"""Removes the classes last changed before a time; returns their number."""


class Cleanup:
    """Removes classes a day after their last command, and matches after some days.

    Guards against a clock that jumps ahead: time passes at most as fast as this process
    has run since the newest change that it found in the store.
    """

    def __init__(
        self,
        writer: Writer,
        days: int | None,
        remove_classes: RemoveClasses,
        clock: Callable[[], datetime],
        timer: Callable[[], float] = monotonic,
    ) -> None:
        self._writer = writer
        self._days = days
        self._remove_classes = remove_classes
        self._clock = clock
        self._timer = timer
        self._started: tuple[datetime, float] | None = None
        """The time of the newest change at the start, and the timer then."""

    async def remove_every_hour(self) -> NoReturn:
        while True:
            try:
                await self.remove()
            except NinefoldError as error:  # try again in an hour
                _log.warning("old matches and classes could not be removed: %s", error)
            await asyncio.sleep(_SECONDS_BETWEEN)

    async def remove(self) -> None:
        """Remove what is old by now, and log the numbers."""
        if self._started is None:
            newest = await self._writer.query(lambda store: store.newest_change())
            self._started = newest or self._clock(), self._timer()
        newest, began = self._started
        now = min(self._clock(), newest + timedelta(seconds=self._timer() - began))
        if self._days is not None:
            kept = timedelta(days=self._days)
            count = await self._writer.query(
                lambda store: store.delete_older_than(now - kept)
            )
            if count:
                _log.info("removed %d matches unchanged for %d days", count, self._days)
        count = await self._remove_classes(now - LIFETIME_OF_A_CLASS)
        if count:
            _log.info("removed %d classes of the day before", count)
