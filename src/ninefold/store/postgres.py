"""A store in PostgreSQL, which many processes may use at once.

Every ``psycopg.Error`` becomes a ``StoreError`` here, with a message for people. A
lost connection is reopened by the next use.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cached_property, lru_cache

import psycopg
from psycopg import errors
from psycopg.abc import ConnDict
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ninefold.errors import StoreTooNew, StoreUnavailable
from ninefold.store.match_store import Store
from ninefold.store.schema import VERSION, Cursor, Values, WriteConflict, statements

_LOCK = 0x6E696E65
"""The advisory lock for creating tables; ``nine`` in ASCII."""
_CONNECTING: dict[str, int] = {
    "connect_timeout": 5,
    # Notice within half a minute that the other machine is gone.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
_CONFLICTS = (
    errors.UniqueViolation,
    errors.DeadlockDetected,
    errors.SerializationFailure,
)
_TYPES = {
    "key": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "text": 'TEXT COLLATE "C"',  # compared byte by byte, as SQLite does
    "clustered": "",
}
_VERSION = "SELECT version FROM ninefold"
_VALUE = re.compile(r"\?|(?<!:):([a-z]\w*)|%")


CHANNEL = "ninefold"
_MOST_IN_A_NOTICE = 150
"""The most words in a notification, whose payload PostgreSQL limits to 8,000 bytes."""
_SECONDS_BETWEEN_TRIES = 0.2


class PostgresStore(Store):
    """Stores everything in the tables of a PostgreSQL database."""

    def __init__(
        self,
        url: str,
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        lock_timeout: float = 5.0,
    ) -> None:
        database = PostgresDatabase(url, lock_timeout=lock_timeout)
        super().__init__(database, clock=clock, new_id=new_id)


def _with_timeouts(url: str) -> str:
    """Add default timeouts to an address, without overriding its own."""
    return make_conninfo("", **(_CONNECTING | conninfo_to_dict(url)))


class _Statements:
    """A connection that accepts statements in the style of SQLite."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Values = (), /) -> Cursor:
        # Values are written into the statement on this side: PostgreSQL cannot infer
        # the type of a NULL parameter that is only compared.
        cursor = psycopg.ClientCursor(self._connection)
        return cursor.execute(_translate(statement).encode(), values)

    def executemany(self, statement: str, values: Iterable[Values], /) -> Cursor:
        # psycopg pipelines them: one round trip.
        cursor = self._connection.cursor()
        cursor.executemany(_translate(statement).encode(), values)
        return cursor


@lru_cache(maxsize=256)
def _translate(statement: str) -> str:
    """Translate the placeholders ``?`` and ``:name`` into those of psycopg.

    >>> _translate("SELECT ?, :name, 100 % 7")
    'SELECT %s, %(name)s, 100 %% 7'
    """

    def written(found: re.Match[str]) -> str:
        if found[0] == "%":
            return "%%"
        return "%s" if found[0] == "?" else f"%({found[1]})s"

    return _VALUE.sub(written, statement)


class PostgresDatabase:
    """A PostgreSQL database, opened when it is needed."""

    is_shared = True

    def __init__(self, url: str, *, lock_timeout: float) -> None:
        self._url = url
        self._lock_timeout = lock_timeout
        self._connection: psycopg.Connection | None = None
        self._process: int | None = None
        """PostgreSQL's process id of the latest connection."""

    @property
    def lock_timeout(self) -> float:
        return self._lock_timeout

    @lock_timeout.setter
    def lock_timeout(self, seconds: float) -> None:
        self._lock_timeout = seconds
        if self._connection is not None:
            with self._refusing():
                self._set_lock_timeout(self._connection)

    def _set_lock_timeout(self, connection: psycopg.Connection) -> None:
        # PostgreSQL takes 0 for no timeout.
        milliseconds = max(round(self._lock_timeout * 1000), 1)
        connection.execute(f"SET lock_timeout = {milliseconds:d}".encode())

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextmanager
    def reading(self) -> Iterator[_Statements]:
        with self._transaction("REPEATABLE READ, READ ONLY") as connection:
            yield _Statements(connection)

    @contextmanager
    def writing(self) -> Iterator[_Statements]:
        # If another program changed what was read, the commit fails; then try again.
        with self._transaction("REPEATABLE READ") as connection:
            yield _Statements(connection)

    def repair(self) -> None:
        """Do nothing: repairs are up to the database's administrator."""

    def publish(self, words: Iterable[str]) -> None:
        # Outside of commits: PostgreSQL serialises commits that notify.
        waiting = list(words)
        with self._refusing():
            while waiting:
                payload = " ".join(waiting[:_MOST_IN_A_NOTICE])
                del waiting[:_MOST_IN_A_NOTICE]
                self._begin("SELECT pg_notify(%s, %s)", (CHANNEL, payload))

    async def subscribe(self) -> AsyncGenerator[frozenset[str] | None, None]:
        while True:
            with suppress(psycopg.Error):
                async with await psycopg.AsyncConnection.connect(
                    _with_timeouts(self._url), autocommit=True
                ) as listening:
                    await listening.execute(f"LISTEN {CHANNEL}".encode())
                    yield None
                    async for notice in listening.notifies():
                        if notice.pid != self._process:
                            yield frozenset(notice.payload.split())
            await asyncio.sleep(_SECONDS_BETWEEN_TRIES)

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[psycopg.Connection]:
        with self._refusing():
            try:
                # A newer program may have changed the tables meanwhile, or be doing it:
                # reading the version after this lock sees the result.
                begun = self._begin(
                    f"BEGIN ISOLATION LEVEL {kind};"
                    f" LOCK TABLE ninefold IN ACCESS SHARE MODE; {_VERSION}"
                )
                while begun.nextset():
                    pass  # the last of the three results is the version
                self._read_version(begun)
                yield begun.connection
                begun.connection.execute("COMMIT")
            except BaseException:
                if self._connection is not None and not self._connection.closed:
                    self._connection.execute("ROLLBACK")
                raise

    def _begin(self, statement: str, values: Values = ()) -> psycopg.Cursor:
        """Execute the first statement of a transaction; if disconnected, reconnect.

        Nothing was under way, so repeating the statement is safe.
        """
        connection = self._opened()
        try:
            return connection.execute(statement.encode(), values)
        except psycopg.Error:
            if not connection.closed:
                raise
            return self._opened().execute(statement.encode(), values)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except _CONFLICTS as error:
            raise WriteConflict(self.name) from error
        except psycopg.Error as error:
            raise self._refusal(error) from error

    def _refusal(self, error: psycopg.Error) -> StoreUnavailable:
        if isinstance(error, errors.LockNotAvailable):
            problem = "another program is using it; close that program or try again"
            return StoreUnavailable(self.name, problem)
        if self._parts is None:
            problem = (
                "its address is malformed;"
                " in a password, write / as %2F, @ as %40 and % as %25"
            )
            return StoreUnavailable(self.name, problem)
        lines = str(error).strip().splitlines() or [type(error).__name__]
        return StoreUnavailable(self.name, f"PostgreSQL error: {lines[0]}")

    @property
    def name(self) -> str:
        """The database's name in messages, never with its password."""
        if self._parts is None:
            return "the PostgreSQL database"
        host, name = (self._parts.get(key) for key in ("host", "dbname"))
        on = host or "this machine"
        return f"the PostgreSQL database {name or ''} on {on}".replace("  ", " ")

    @cached_property
    def _parts(self) -> ConnDict | None:
        """The parts of the address, or None if they may be pieces of a password."""
        try:
            parts = conninfo_to_dict(self._url)
        except psycopg.Error:
            return None
        pieces = f"{parts.get('host') or ''} {parts.get('dbname') or ''}"
        return None if "@" in pieces[1:] else parts

    def _opened(self) -> psycopg.Connection:
        if self._connection is None or self._connection.closed:
            connection = psycopg.connect(_with_timeouts(self._url), autocommit=True)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
            self._process = connection.info.backend_pid
        return self._connection

    def _prepare(self, connection: psycopg.Connection) -> None:
        """Create the tables that are missing, one program at a time."""
        self._set_lock_timeout(connection)
        with connection.transaction():
            connection.execute(
                "SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))", (_LOCK,)
            )
            connection.execute(
                "CREATE TABLE IF NOT EXISTS ninefold (version integer NOT NULL)"
            )
            found = self._read_version(connection.execute(_VERSION))
            if found == VERSION:
                return
            # Older programs that write right now end first; later they refuse.
            connection.execute("LOCK TABLE ninefold IN ACCESS EXCLUSIVE MODE")
            for statement in statements(found, **_TYPES):
                connection.execute(statement.encode())
            connection.execute("DELETE FROM ninefold")
            connection.execute("INSERT INTO ninefold VALUES (%s)", (VERSION,))

    def _read_version(self, answer: psycopg.Cursor) -> int:
        row = answer.fetchone()
        found = 0 if row is None else int(row[0])
        if found > VERSION:
            raise StoreTooNew(self.name, found=found, known=VERSION)
        return found
