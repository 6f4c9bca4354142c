"""Several processes that serve one port, and are replaced if they die."""

from __future__ import annotations

import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnProcess
from threading import Thread
from types import FrameType

_log = logging.getLogger(__name__)

_SECONDS_TO_END = 3.0
_SHORT_LIFE = 10.0
_MOST_SHORT_LIVES = 10

Job = Callable[[socket.socket], None]


class Workers:
    """Runs a number of processes, and replaces those that die, until a signal.

    ``work`` is called in each, and has to be picklable. They end with this process,
    however it ends.
    """

    def __init__(
        self,
        count: int,
        listening: socket.socket,
        work: Job,
        seconds_to_end: float = _SECONDS_TO_END,
    ) -> None:
        self._seconds_to_end = seconds_to_end
        self._count = count
        self._listening = listening
        self._work = work
        self._context = get_context("spawn")
        self._processes: dict[SpawnProcess, float] = {}
        self._short_lives = 0
        self._wake, self._woken = socket.socketpair()
        self._alive, self._parent = socket.socketpair()

    def run(self) -> None:
        """Run the processes; return when all have ended."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)
        while self._short_lives < _MOST_SHORT_LIVES:
            while len(self._processes) < self._count:
                self._start()
            sentinels = [process.sentinel for process in self._processes]
            if self._woken in connection.wait([*sentinels, self._woken]):
                break
            self._bury()
        else:
            _log.error("the workers exit as soon as they start; see the log above")
        self._stop()
        for end in (self._wake, self._woken, self._alive, self._parent):
            end.close()

    def _end(self, _: int, __: FrameType | None) -> None:
        self._wake.send(b".")

    def _start(self) -> None:
        process = self._context.Process(
            target=work_with, args=(self._parent, self._work, self._listening)
        )
        process.start()
        self._processes[process] = time.monotonic()

    def _bury(self) -> None:
        for process, began in list(self._processes.items()):
            if process.exitcode is not None:
                del self._processes[process]
                # A killed process does not mean that the next one fails.
                short = time.monotonic() - began < _SHORT_LIFE
                failed = short and process.exitcode >= 0
                self._short_lives = self._short_lives + 1 if failed else 0
                code = process.exitcode
                _log.warning("worker exited with code %d; starting another", code)

    def _stop(self) -> None:
        for process in self._processes:
            process.terminate()
        deadline = time.monotonic() + self._seconds_to_end
        for process in self._processes:
            process.join(max(deadline - time.monotonic(), 0))
            if process.exitcode is None:
                process.kill()
                process.join()


def work_with(parent: socket.socket, work: Job, listening: socket.socket) -> None:
    """Run a worker; exit if the parent process dies."""
    Thread(target=_follow, args=(parent,), daemon=True).start()
    work(listening)


def _follow(parent: socket.socket) -> None:
    parent.recv(1)  # nothing is ever sent: this returns when the parent is gone
    os.kill(os.getpid(), signal.SIGTERM)
