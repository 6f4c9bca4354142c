"""Plays the chunks of a tournament on workers, any of which may be killed.

A chunk whose worker died is played again. Which of several killed it nobody knows: so
each is played alone, and one that kills its worker then, again and again, is set aside.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import AbstractContextManager, contextmanager, nullcontext
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from socket import MSG_WAITALL, create_connection
from threading import Thread
from types import FrameType
from typing import NoReturn

from msgspec import Struct

from ninefold.arena.standings import Evidence
from ninefold.arena.tournament import Chunk, Plan, Score, play_chunk
from ninefold.errors import NinefoldError
from ninefold.text import excerpt

ENDS = [
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
]
"""The signals that end a program."""
_MOST_DEATHS = 3
_SECONDS_TO_ANSWER = 10
_SECONDS_TO_END = 2.0
_LONGEST_GREETING = 100_000


class Pool(Struct, frozen=True):
    """Workers behind an executor."""

    executor: Executor
    width: int
    """How many chunks to hand out at once."""
    deaths: tuple[type[BaseException], ...] = (BrokenExecutor,)
    """The errors which say that the worker of a chunk died."""


Pools = Callable[[], AbstractContextManager[Pool]]
"""Opens a pool; it is called again when one breaks."""


class Runner:
    """Plays the chunks of a plan whose scores are not there yet.

    Whoever takes a score adds it to these, before the next one is asked for.
    """

    def __init__(self, plan: Plan, scores: Mapping[int, Score]) -> None:
        self._plan = plan
        self._scores = scores
        self._evidence = None if plan.sprt is None else Evidence(plan)
        self._waiting = deque(c for c in plan.chunks if c.number not in scores)
        self._suspects: deque[Chunk] = deque()
        """Their worker died while others were at work; each is played alone."""
        self._kills: Counter[Chunk] = Counter()
        self.set_aside: list[Chunk] = []
        """The chunks that killed their worker repeatedly."""

    def play(self, pools: Pools) -> Generator[Score, None, None]:
        """Yield the score of each chunk as it is done, in any order.

        A sequential test ends it once it is decided.
        """
        while (self._waiting or self._suspects) and not self._is_decided:
            with pools() as pool:
                for score in self._play_until_broken(pool):
                    yield score
                    if self._is_decided:
                        return

    @property
    def _is_decided(self) -> bool:
        evidence = self._evidence
        return evidence is not None and evidence.decides(self._scores, self.set_aside)

    def _play_until_broken(self, pool: Pool) -> Iterator[Score]:
        running: dict[Future[Score], Chunk] = {}
        broken = False
        while not broken and (self._waiting or self._suspects or running):
            try:
                self._hand_out(pool, running)
            except BrokenExecutor:
                broken = True
            is_alone = len(running) == 1
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                chunk, error = running.pop(future), _error(future)
                if error is None:
                    yield future.result()
                elif not isinstance(error, pool.deaths):
                    raise error
                else:
                    broken = broken or isinstance(error, BrokenExecutor)
                    self._bury(chunk, is_alone=is_alone)
        self._suspects += running.values()

    def _hand_out(self, pool: Pool, running: dict[Future[Score], Chunk]) -> None:
        alone = bool(self._suspects)
        queue = self._suspects if alone else self._waiting
        while queue and len(running) < (1 if alone else pool.width):
            future = pool.executor.submit(_play, self._plan, queue[0])
            running[future] = queue.popleft()

    def _bury(self, chunk: Chunk, *, is_alone: bool) -> None:
        self._kills[chunk] += is_alone
        if self._kills[chunk] < _MOST_DEATHS:
            self._suspects.append(chunk)
        else:
            self.set_aside.append(chunk)


def _play(plan: Plan, chunk: Chunk) -> Score:
    """Play a chunk in a worker, which closes its bots when it is told to end."""
    try:
        return play_chunk(plan, chunk)
    except SystemExit:  # which the executor would keep for later
        os._exit(1)


def _error(future: Future[Score]) -> BaseException | None:
    try:
        error = future.exception()
    except CancelledError:
        message = "the cluster has gone; run the same command again to go on"
        return NinefoldError(message)
    if isinstance(error, ModuleNotFoundError):
        message = f"a worker of the cluster has no {error.name}; install ninefold there"
        return NinefoldError(message)
    return error


@contextmanager
def processes(count: int) -> Iterator[Pool]:
    """Open a pool of processes on this machine, which end with this one."""
    others = set(active_children())
    executor = ProcessPoolExecutor(
        count, get_context("spawn"), initializer=_end_with_parent
    )
    try:
        yield Pool(executor, 2 * count)
    except BaseException:
        for process in set(active_children()) - others:
            process.terminate()
        raise
    finally:
        workers = set(active_children()) - others
        executor.shutdown(wait=False, cancel_futures=True)
        # One may wait for a lock that another held when it was killed, and never end.
        for process in workers:
            process.join(_SECONDS_TO_END)
            process.kill()
        executor.shutdown()


def _end_with_parent() -> None:
    """Let a worker end when it is told to, or its parent is gone; not by Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for each in ENDS:
        signal.signal(each, _leave)
    Thread(target=_follow, args=(parent_process(),), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_SECONDS_TO_END)
    os._exit(1)  # as above


def _leave(_: int, __: FrameType | None) -> NoReturn:
    for each in ENDS:
        signal.signal(each, signal.SIG_IGN)  # it would interrupt the end of its bots
    raise SystemExit


def _check_scheduler(address: str) -> None:
    """Refuse an address soon, at which a client would try again and again.

    A scheduler speaks first, and begins with the length of what it says.
    """
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    place = (host.strip("[]"), int(port))
    with create_connection(place, _SECONDS_TO_ANSWER) as connection:
        length = connection.recv(8, MSG_WAITALL)
    if int.from_bytes(length, "little") not in range(1, _LONGEST_GREETING):
        message = "no scheduler"
        raise ValueError(message)


@contextmanager
def cluster(address: str) -> Iterator[Pools]:
    """Connect to a Dask cluster; refuse one that does not answer, or has no worker."""
    try:
        _check_scheduler(address)
        # An extra, which takes half a second to import.
        from distributed import Client, KilledWorker

        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        client = Client(address, timeout=_SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, OverflowError):
        message = (
            f"no cluster answers at '{excerpt(address)}'; start a dask scheduler,"
            " and give its address, such as tcp://127.0.0.1:8786"
        )
        raise NinefoldError(message) from None
    except ModuleNotFoundError as error:
        message = (
            f"a cluster needs {error.name}, which is not installed;"
            " run: pip install 'ninefold[dask]'"
        )
        raise NinefoldError(message) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_SECONDS_TO_ANSWER)
        except TimeoutError:
            message = (
                f"the cluster at {address} has no worker; start some with dask worker"
            )
            raise NinefoldError(message) from None
        width = 2 * sum(client.ncores().values())
        pool = Pool(client.get_executor(pure=False), width, (KilledWorker,))
        yield lambda: nullcontext(pool)
