"""Threads for what takes long: a level's move, a hint, a review, the perfect answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ninefold.server.refusals import UNAVAILABLE, Refused

T = TypeVar("T")

_THREADS = 2
_MOST_WAITING = 64


class Thinker:
    """Works things out beside everything else, a few at a time."""

    def __init__(self) -> None:
        """Begin with nothing to do."""
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="ninefold")
        self._waiting = 0

    async def __call__(self, work: Callable[[], T]) -> T:
        """Work something out; refuse it where too much waits already."""
        if self._waiting >= _MOST_WAITING:
            detail = "too much is being worked out just now; try again in a moment"
            raise Refused(UNAVAILABLE, "busy", detail, retry_after=2)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Begin nothing else."""
        self._threads.shutdown(wait=False, cancel_futures=True)
