"""Every way in which tests start a server.

``make_server`` makes one in this process and without a socket, ``living`` starts it;
``beside`` listens on this machine, in a thread; ``Served`` is ``ninefold serve`` as a
process of its own, which can be killed.
"""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from sqlite3 import connect

from starlette.types import ASGIApp, Message

from ninefold.cli.console import utc_now
from ninefold.server.asgi import Options, Server
from ninefold.server.rate_limits import RateLimits, RequestKind
from ninefold.server.run import run_in_thread
from ninefold.store import Store
from ninefold.store.sqlite import SqliteStore
from tests.processes import start
from tests.program import NINEFOLD, WAIT_SECONDS, environment

KEY = b"k" * 32
NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


# In this process, without a socket


def make_store(folder: Path | None = None) -> SqliteStore:
    """Open a store, in memory where there is no folder."""
    numbers = count(1)
    return SqliteStore(folder, clock=lambda: NOW, new_id=lambda: f"id-{next(numbers)}")


def damage_page(file: Path, table: str) -> None:
    """Overwrite the first page of a table in a database that nobody uses."""
    with closing(connect(file)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
    with file.open("r+b") as written:
        written.seek((page - 1) * size)
        written.write(b"\xff" * size)


def boundless() -> RateLimits:
    """Let an address ask as often as it likes."""
    much: dict[RequestKind, int] = dict.fromkeys(RequestKind, 10000000)
    return RateLimits(much)


def make_server(
    store: Store | None = None,
    *,
    options: Options | None = None,
    rates: RateLimits | None = None,
    seconds_for_a_body: float = WAIT_SECONDS,
) -> Server:
    """Make a server whose clock stands still; without a store, one in memory."""
    return Server(
        store or make_store(),
        KEY,
        clock=lambda: NOW,
        options=options,
        rates=rates or boundless(),
        seconds_for_a_body=seconds_for_a_body,
    )


@asynccontextmanager
async def living(app: ASGIApp) -> AsyncIterator[None]:
    """Start an application, and end it well."""
    to_app: asyncio.Queue[Message] = asyncio.Queue()
    from_app: asyncio.Queue[Message] = asyncio.Queue()
    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    task = asyncio.ensure_future(app(scope, to_app.get, from_app.put))

    async def order(what: str) -> None:
        to_app.put_nowait({"type": f"lifespan.{what}"})
        reply = await from_app.get()
        assert reply["type"] == f"lifespan.{what}.complete", reply

    await order("startup")
    try:
        yield
    finally:
        await order("shutdown")
        await task


# On this machine, in a thread


@contextmanager
def beside(home: Path, port: int = 0) -> Iterator[str]:
    """Serve to this machine alone; yield the address."""
    with run_in_thread("127.0.0.1", port, home, utc_now, rates=boundless()) as url:
        yield url


# A process of its own


class Served:
    """``ninefold serve`` on a folder; once it has a port, it keeps it."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.home = home
        self.port = 0
        self._arguments = arguments
        self.start()

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        said = self._try()
        while not said:  # workers of the one before still end, and hold the port
            self._wait()
            said = self._try()
        found = re.search(r"http://\S+:(\d+)", said)
        assert found is not None, said
        self.url, self.port = found[0], int(found[1])

    def _try(self) -> str:
        self.process = start(
            [*NINEFOLD, "serve", "--port", str(self.port), "--plain", *self._arguments],
            stderr=subprocess.DEVNULL,
            env=environment(NINEFOLD_HOME=str(self.home)),
        )
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def end(self, by: signal.Signals) -> int:
        """Send a signal, and wait for the end; return the exit code."""
        self.process.send_signal(by)
        return self._wait()

    def _wait(self) -> int:
        code = self.process.wait(WAIT_SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def kill(self) -> None:
        """End it as a power cut does."""
        self.end(signal.SIGKILL)

    def stop(self) -> None:
        """Tell it to end, if it has not ended yet."""
        if self.process.poll() is None:
            self.end(signal.SIGTERM)

    def back_up(self) -> None:
        """Copy the database while it is in use."""
        database, backup = self._files()
        with closing(connect(database)) as here, closing(connect(backup)) as there:
            here.backup(there)

    def restore(self) -> None:
        """Start it again on the copy, as ``docs/serving.md`` tells."""
        self.stop()
        database, backup = self._files()
        backup.replace(database)
        for suffix in ("-wal", "-shm"):
            database.with_name(database.name + suffix).unlink(missing_ok=True)
        self.start()

    def _files(self) -> tuple[Path, Path]:
        return self.home / "server.db", self.home / "backup.db"
