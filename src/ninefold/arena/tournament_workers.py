"""Plays the chunks of a tournament on workers, any of which may be killed.

A chunk whose worker died is played again, alone; one that repeatedly kills its worker
is set aside.
"""

from __future__ import annotations

import logging
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Container, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from socket import MSG_WAITALL, create_connection
from threading import Lock, Thread, local

from msgspec import Struct

from ninefold.arena.tournament import Chunk, Plan, Score, play_chunk
from ninefold.errors import NinefoldError
from ninefold.text import excerpt

_MOST_DEATHS = 3
_SECONDS_TO_ANSWER = 10
_SECONDS_FOR_A_WORKER = 30
_LONGEST_GREETING = 100_000
_SPAWN = get_context("spawn")  # a fork of a process with threads may hang


class Pool(Struct, frozen=True):
    """Workers that play chunks."""

    submit: Callable[[Plan, Chunk], Future[Score]]
    width: int
    """How many chunks to submit at once."""
    death: type[Exception]
    """The exception of a chunk whose worker died."""
    check: Callable[[], None] = lambda: None
    """Raise an error if no worker is left; called if no chunk finishes for a while."""


class WorkerDied(Exception):
    """The process that played a chunk died."""


class Runner:
    """Plays the chunks of a plan, except those whose numbers are in ``done``."""

    def __init__(self, plan: Plan, done: Container[int]) -> None:
        self._plan = plan
        self._waiting = deque(c for c in plan.chunks if c.number not in done)
        self._deaths: Counter[Chunk] = Counter()
        self.set_aside: list[Chunk] = []
        """The chunks that killed their worker repeatedly."""

    def play(self, pool: Pool) -> Generator[Score, None, None]:
        """Yield the score of each chunk as it finishes, in any order."""
        running: dict[Future[Score], Chunk] = {}
        while self._waiting or running:
            while self._waiting and len(running) < self._room(pool, running.values()):
                chunk = self._waiting.popleft()
                running[pool.submit(self._plan, chunk)] = chunk
            done = wait(running, _SECONDS_TO_ANSWER, FIRST_COMPLETED).done
            if not done:
                pool.check()
            for future in done:
                chunk = running.pop(future)
                try:
                    yield future.result()
                except pool.death:
                    self._bury(chunk)

    def _room(self, pool: Pool, running: Iterable[Chunk]) -> int:
        """Return how many chunks may run; one whose worker died runs alone."""
        alone = any(self._deaths[chunk] for chunk in (self._waiting[0], *running))
        return 1 if alone else pool.width

    def _bury(self, chunk: Chunk) -> None:
        self._deaths[chunk] += 1
        if self._deaths[chunk] < _MOST_DEATHS:
            self._waiting.appendleft(chunk)
        else:
            self.set_aside.append(chunk)


@contextmanager
def processes(count: int) -> Iterator[Pool]:
    """Yield a pool of ``count`` processes on this machine; they end with this one."""
    workers = _Processes()
    if hasattr(signal, "pthread_sigmask"):
        with _starting():  # start it now: later it would unblock Ctrl-C in a thread
            resource_tracker.ensure_running()
    with ThreadPoolExecutor(count, initializer=_block_interrupts) as threads:
        try:
            yield Pool(
                lambda plan, chunk: threads.submit(workers.play, plan, chunk),
                2 * count,
                WorkerDied,
            )
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            workers.end()


def _block_interrupts() -> None:
    """Block Ctrl-C in this thread, and so in the process that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


class _Processes:
    """One process for each thread that plays; one that died is replaced."""

    def __init__(self) -> None:
        self._started: list[SpawnProcess] = []
        self._has_ended = False
        self._lock = Lock()
        """Locked while a process starts, so that ``end`` misses none."""
        self._of_thread = local()

    def play(self, plan: Plan, chunk: Chunk) -> Score:
        """Play a chunk in this thread's process."""
        pipe = self._pipe()
        try:
            pipe.send((plan, chunk))
            score: Score | NinefoldError = pipe.recv()
        except (EOFError, OSError):
            self._of_thread.pipe = None
            raise WorkerDied from None
        if isinstance(score, NinefoldError):
            raise score
        return score

    def _pipe(self) -> Connection:
        pipe: Connection | None = getattr(self._of_thread, "pipe", None)
        if pipe is None:
            with self._lock:
                if self._has_ended:
                    raise WorkerDied
                pipe, process = _start()
                self._started.append(process)
            self._of_thread.pipe = pipe
        return pipe

    def end(self) -> None:
        with self._lock:
            self._has_ended = True
        for process in self._started:
            process.kill()
            process.join()


def _start() -> tuple[Connection, SpawnProcess]:
    """Start a process that plays chunks; return the pipe to it."""
    with _starting():
        pipe, its_end = _SPAWN.Pipe()
        with its_end:
            process = _SPAWN.Process(target=_work, args=(its_end,), daemon=True)
            process.start()
    return pipe, process


@contextmanager
def _starting() -> Iterator[None]:
    """Raise a ``NinefoldError`` with advice if a process cannot be started."""
    try:
        yield
    except OSError as error:
        message = (
            f"the processes that play cannot be started ({error.strerror or error});"
            " allow more open files, processes and memory, or fewer --workers"
        )
        raise NinefoldError(message) from None


def _work(pipe: Connection) -> None:
    """Play the chunks that arrive, as the main function of a process."""
    Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            plan, chunk = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(play_chunk(plan, chunk))
        except NinefoldError as error:
            pipe.send(error)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _check_scheduler(address: str) -> None:
    """Raise ``ValueError`` or ``OSError`` if no Dask scheduler answers at an address.

    A client would retry for long. A scheduler sends a greeting, which starts with its
    length.
    """
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    place = (host.strip("[]"), int(port))
    with create_connection(place, _SECONDS_TO_ANSWER) as connection:
        length = connection.recv(8, MSG_WAITALL)
    if int.from_bytes(length, "little") not in range(1, _LONGEST_GREETING):
        message = "not a scheduler"
        raise ValueError(message)


@contextmanager
def cluster(address: str) -> Iterator[Pool]:
    """Yield a pool on a Dask cluster; raise an error without one or its workers."""
    try:
        _check_scheduler(address)
        # An optional package, which takes half a second to import.
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

    def expect_worker() -> None:
        try:
            client.wait_for_workers(1, timeout=_SECONDS_FOR_A_WORKER)
        except TimeoutError:
            message = (
                f"the cluster at {address} has no worker; start some with dask worker"
            )
            raise NinefoldError(message) from None

    with client:
        expect_worker()
        executor = client.get_executor(pure=False)
        width = 2 * sum(client.ncores().values())
        try:
            yield Pool(
                lambda plan, chunk: executor.submit(play_chunk, plan, chunk),
                width,
                KilledWorker,
                expect_worker,
            )
        except CancelledError:
            message = "the cluster was lost; run the same command again to continue"
            raise NinefoldError(message) from None
        except ModuleNotFoundError as error:
            message = (
                f"a worker of the cluster has no {error.name}; install ninefold there"
            )
            raise NinefoldError(message) from None
