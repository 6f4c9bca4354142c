"""A bounded thread pool for slow work, so that the event loop never waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

from ninefold.server.responses import UNAVAILABLE, HttpRefusal

T = TypeVar("T")


class Pool:
    """A bounded pool of threads for a level's move, a hint, a review or a solution.

    Its threads are daemons: a server that shuts down does not wait for them.
    """

    def __init__(self, threads: int = 2, most_waiting: int = 64) -> None:
        self._most_waiting = most_waiting
        self._waiting = 0
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = threads
        for _ in range(threads):
            Thread(target=self._run, name="ninefold-think", daemon=True).start()

    async def __call__(self, work: Callable[[], T]) -> T:
        """Run a function in the pool; raise ``HttpRefusal`` if too many are waiting."""
        if self._waiting >= self._most_waiting:
            detail = "the server is busy; try again in a moment"
            raise HttpRefusal(UNAVAILABLE, "busy", detail, retry_after=2)
        done: Future[T] = Future()

        def run() -> None:
            if not done.set_running_or_notify_cancel():
                return  # the request was cancelled
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001 - raised in the caller
                done.set_exception(error)

        self._waiting += 1
        try:
            self._work.put(run)
            return await asyncio.wrap_future(done)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Stop the threads once the queue is empty."""
        for _ in range(self._threads):
            self._work.put(None)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()
