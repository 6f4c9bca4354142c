"""A pool for what takes long: a level's move, a hint, a review, the perfect answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

from ninefold.server.responses import UNAVAILABLE, Refused

T = TypeVar("T")

_THREADS = 2
_MOST_WAITING = 64


class Pool:
    """A bounded pool of threads.

    Its threads are daemons: a server that shuts down does not wait for them.
    """

    def __init__(
        self, threads: int = _THREADS, most_waiting: int = _MOST_WAITING
    ) -> None:
        self._most_waiting = most_waiting
        self._waiting = 0
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = [
            Thread(target=self._run, name="ninefold-think", daemon=True)
            for _ in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    async def __call__(self, work: Callable[[], T]) -> T:
        """Run a function in the pool; refuse it if too many wait already."""
        if self._waiting >= self._most_waiting:
            detail = "too much is being worked out just now; try again in a moment"
            raise Refused(UNAVAILABLE, "busy", detail, retry_after=2)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def tell(found: T | None, problem: BaseException | None) -> None:
            if done.cancelled():
                return
            if problem is not None:
                done.set_exception(problem)
            else:
                done.set_result(found)  # type: ignore[arg-type]  # T may be None itself

        def think() -> None:
            if done.cancelled():
                return  # the request was cancelled
            found, problem = None, None
            try:
                found = work()
            except BaseException as error:  # noqa: BLE001 - raised in the caller
                problem = error
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(tell, found, problem)

        self._waiting += 1
        try:
            self._work.put(think)
            return await done
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Stop the threads once the queue is empty."""
        for _ in self._threads:
            self._work.put(None)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()
