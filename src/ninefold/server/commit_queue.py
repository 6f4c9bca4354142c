"""The server's access to the store: one thread, and group commit.

While one commit is on its way to disk, new commands queue up for the next, which they
share under load. Waits for a hanging database are bounded.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import suppress
from functools import partial
from typing import TypeVar

from ninefold.errors import NinefoldError, StoreError, StoreUnavailable
from ninefold.server.metrics import Metrics
from ninefold.server.thread_pool import Pool
from ninefold.store import Append, ClassAppend, Store

T = TypeVar("T")

_MOST_AT_ONCE = 256
_MOST_WAITING = 1_000_000
_PATIENCE = 10.0
_SECONDS_TO_END = 0.5
_ENDS = "the server is shutting down; try again"
_HANGS = "it takes too long to respond; try again"
Appended = Append | ClassAppend
Waiting = tuple[Appended, "asyncio.Future[None]"]


class Writer:
    """Gives asynchronous callers access to a synchronous store."""

    def __init__(
        self, store: Store, metrics: Metrics, patience: float = _PATIENCE
    ) -> None:
        """Own ``store``, which nothing else may use from now on.

        A query fails after ``patience`` seconds without a response.
        """
        self._store = store
        self.is_shared = store.is_shared
        """Whether other processes may change the store at the same time."""
        self._metrics = metrics
        self._patience = patience
        self._thread = Pool(threads=1, most_waiting=_MOST_WAITING)
        self._waking: asyncio.Task[None] | None = None
        """Waits for a hanging store; meanwhile queries fail at once."""
        self._waiting: list[Waiting] = []
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._gave_up = False
        """Whether a query timed out, which the store may still have executed."""
        self._was_refused = False
        """Whether the last commit failed because the store was unavailable."""

    @property
    def may_be_ahead(self) -> bool:
        """Whether the store may hold commands that this process does not know."""
        return self.is_shared or self._gave_up

    def subscribe(self) -> AsyncGenerator[frozenset[str] | None, None]:
        """Yield messages of other processes; None when some may have been lost."""
        return self._store.subscribe()

    async def publish(self, words: Collection[str]) -> None:
        """Send words to other processes, such as the ids of changed matches."""
        await self.query(partial(_publish, words))

    async def query(self, question: Callable[[Store], T]) -> T:
        """Run a function with the store; raise ``StoreUnavailable`` if it hangs."""
        if self._is_closed:
            raise _unavailable(_ENDS)
        if self._waking is not None:
            raise _unavailable(_HANGS)
        try:
            async with asyncio.timeout(self._patience):
                return await self._thread(partial(question, self._store))
        except TimeoutError:
            self._gave_up = True
            if self._waking is None:
                self._waking = asyncio.create_task(self._wait_for_store())
            raise _unavailable(_HANGS) from None

    async def _wait_for_store(self) -> None:
        await self._thread(lambda: None)
        self._waking = None

    async def check(self) -> None:
        """Raise if the store cannot be read or, after a failed commit, written."""
        await self.query(lambda store: store.find("", unfinished=True))
        if self._was_refused:
            await self.query(lambda store: store.check_writable())
            self._was_refused = False

    async def append(self, append: Appended) -> None:
        """Append commands; they are on disk when this returns."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, done))
        if self._task is None:
            self._task = asyncio.create_task(self._commit_all())
        await done

    async def close(self) -> None:
        """Commit the queue, and close the store; later queries fail.

        A hanging store is abandoned: none of the commands waiting for it was
        acknowledged.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_END):
                if self._task is not None:
                    await asyncio.shield(self._task)
                self._is_closed = True
                await self._thread(self._store.close)
        self._is_closed = True
        self._thread.close()

    async def _commit_all(self) -> None:
        while self._waiting:
            group = self._waiting[:_MOST_AT_ONCE]
            del self._waiting[:_MOST_AT_ONCE]
            appends = [append for append, _ in group]
            committing = asyncio.ensure_future(self.query(partial(_commit, appends)))
            await asyncio.wait([committing])
            # Unexpected errors go to the waiting callers; the writer keeps running.
            failure = committing.exception()
            refusals = [failure] * len(group) if failure else committing.result()
            self._was_refused = any(
                isinstance(refusal, StoreUnavailable) for refusal in refusals
            )
            self._metrics.commits.inc()
            self._metrics.commands.inc(len(group))
            committed = {
                append.match_id if isinstance(append, Append) else append.class_id
                for append, refusal in zip(appends, refusals, strict=True)
                if refusal is None
            }
            for (_, done), refusal in zip(group, refusals, strict=True):
                if done.cancelled():
                    continue
                if refusal is None:
                    done.set_result(None)
                else:
                    done.set_exception(refusal)
            if committed and self.is_shared:
                with suppress(StoreError):  # others catch up on their next read
                    await self.publish(committed)
        self._task = None


def _unavailable(problem: str) -> StoreUnavailable:
    return StoreUnavailable("the store", problem)


def _publish(words: Collection[str], store: Store) -> None:
    store.publish(words)


def _commit(group: list[Appended], store: Store) -> list[BaseException | None]:
    """Commit a group at once or, if that is rejected, one by one; return the errors."""
    try:
        store.append(*group)
    except StoreUnavailable as error:
        return [error] * len(group)  # one by one, each would only time out again
    except NinefoldError as error:
        if len(group) == 1:
            return [error]
        return [refusal for append in group for refusal in _commit([append], store)]
    return [None] * len(group)
