"""Workers: as many as were asked for, until they are told to end."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from threading import Event

import pytest

from ninefold.server.worker_processes import Job, Workers, work_with
from tests.arena.programs import until
from tests.processes import start
from tests.program import WAIT_SECONDS
from tests.server.jobs import answer, answer_for_ever, end_at_once

pytestmark = pytest.mark.usefixtures("own_process")


def visit(port: int, count: int = 2) -> set[int]:
    """Return the workers that answer; each has one visitor at a time."""
    with ExitStack() as stack:
        found: set[int] = set()
        for _ in range(count):
            while not (said := _ask(port, stack)):
                pass  # it was killed just when it let this visitor in
            found.add(int(said))
        return found


def _ask(port: int, stack: ExitStack) -> str:
    """Ask a worker for its number; it is taken until the stack is closed."""
    connection = socket.create_connection(("127.0.0.1", port), WAIT_SECONDS)
    stack.enter_context(connection)
    with suppress(ConnectionError):
        return stack.enter_context(connection.makefile()).readline()
    return ""


def is_refused(port: int) -> bool:
    """Tell whether nobody listens any more."""
    try:
        socket.create_connection(("127.0.0.1", port), WAIT_SECONDS).close()
    except ConnectionRefusedError:
        return True
    except ConnectionResetError:
        pass  # it was let in by a socket that closed meanwhile
    return False


def run(
    work: Job, then: Callable[[int], set[int]], *, by: int = signal.SIGTERM
) -> None:
    """Run two workers until a visitor has seen them; check that all of them are gone."""
    seen: set[int] = set()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def visiting() -> None:
            try:
                seen.update(then(port))
            finally:
                os.kill(os.getpid(), by)

        with ThreadPoolExecutor(1) as thread:
            visited = thread.submit(visiting)
            Workers(2, listening, work, seconds_to_end=0.5).run()
            visited.result()
    for process in seen:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_all_workers_run_until_a_signal(by: int) -> None:
    def then(port: int) -> set[int]:
        workers = visit(port)
        assert len(workers) == 2
        assert os.getpid() not in workers
        return workers

    run(answer, then, by=by)


def test_killed_worker_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    def then(port: int) -> set[int]:
        before = visit(port)
        killed, left = before
        os.kill(killed, signal.SIGKILL)
        after = visit(port)
        assert left in after
        assert killed not in after
        assert len(after) == 2
        return before | after

    run(answer, then)
    assert "worker exited with code -9; starting another" in caplog.text


def test_worker_that_does_not_exit_is_killed() -> None:
    run(answer_for_ever, visit)


def test_workers_that_exit_at_once_are_not_restarted_forever(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        Workers(2, listening, end_at_once).run()
    errors = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert [each.getMessage() for each in errors] == [
        "the workers exit as soon as they start; see the log above"
    ]


def test_worker_exits_when_its_parent_is_gone() -> None:
    told = Event()
    signal.signal(signal.SIGTERM, lambda *_: told.set())
    alive, parent = socket.socketpair()

    def work(listening: socket.socket) -> None:
        assert listening is parent
        alive.close()
        assert told.wait(WAIT_SECONDS)

    with parent:
        work_with(parent, work, parent)


def test_workers_end_when_their_parent_is_killed() -> None:
    process = start([sys.executable, "-m", "tests.server.jobs"])
    assert process.stdout is not None
    with process.stdout as said:
        port = int(said.readline())
        assert len(visit(port)) == 2
        process.kill()
        process.wait(WAIT_SECONDS)
        assert said.read() == ""  # which the last of them closes
    until(lambda: is_refused(port))  # its sockets are closed a moment later
