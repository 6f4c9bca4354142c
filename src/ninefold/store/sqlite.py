"""A store in one SQLite file, which is never overwritten when damaged.

Every ``sqlite3.Error`` becomes a ``StoreError`` here, with a message for people.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Literal

from ninefold.errors import DamagedStore, StoreError, StoreTooNew, StoreUnavailable
from ninefold.store.files import make_folder, open_private
from ninefold.store.match_store import Store
from ninefold.store.schema import VERSION, statements

FILE_NAME = "games.db"
JournalMode = Literal["DELETE", "WAL"]
"""WAL commits faster, for a server. With DELETE there is one file between commits: it
can be copied, replaced by a backup, and read from a read-only folder."""
APPLICATION_ID = 0x6E696E65
"""Marks the file as ninefold's; ``nine`` in ASCII."""
_TYPES = {"key": "INTEGER PRIMARY KEY", "text": "TEXT", "clustered": "WITHOUT ROWID"}
_LOOK = """
    SELECT (SELECT user_version FROM pragma_user_version),
        (SELECT application_id FROM pragma_application_id),
        count(*)
    FROM sqlite_master
"""
"""One statement, and so one snapshot: another program may be creating the tables."""
_MAGIC = b"SQLite format 3\x00"
_DAMAGE = {
    sqlite3.SQLITE_CORRUPT: "parts of it cannot be read",
    sqlite3.SQLITE_NOTADB: "it is not an SQLite database",
}
_GONE = "it was removed or replaced while it was in use; put it back, or start again"
_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""The errors of SQLite; the second if a damaged schema is not UTF-8."""
_WAY_OUT = "change the permissions, or use another folder"
_PROBLEMS = {
    sqlite3.SQLITE_BUSY: "another program is using it; close that program or try again",
    sqlite3.SQLITE_FULL: "the disk is full; free some space",
    sqlite3.SQLITE_READONLY: f"it cannot be written; {_WAY_OUT}",
    sqlite3.SQLITE_CANTOPEN: f"it cannot be opened; {_WAY_OUT}",
    sqlite3.SQLITE_PERM: f"it cannot be opened; {_WAY_OUT}",
    sqlite3.SQLITE_IOERR: "the disk failed to read or write; check that it is not full",
}


class SqliteStore(Store):
    """Stores everything in ``games.db`` in a folder, or in memory without a folder.

    The folder and the file are created when there is something to store; reading
    creates none. A damaged file is never changed: once it is found damaged, every use
    raises ``DamagedStore``.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None,
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        lock_timeout: float = 5.0,
        file_name: str = FILE_NAME,
        journal_mode: JournalMode = "DELETE",
    ) -> None:
        database = SqliteDatabase(
            folder,
            lock_timeout=lock_timeout,
            file_name=file_name,
            journal_mode=journal_mode,
        )
        super().__init__(database, clock=clock, new_id=new_id)


class SqliteDatabase:
    """A database in a file in a folder, or in memory without a folder.

    Opened at the first use, and then one connection serves every thread until
    ``close``. Reading creates no file.
    """

    is_shared = False

    def __init__(
        self,
        folder: str | os.PathLike[str] | None,
        *,
        lock_timeout: float,
        file_name: str = FILE_NAME,
        journal_mode: JournalMode = "DELETE",
    ) -> None:
        self._folder = None if folder is None else Path(folder)
        self._name = file_name
        self._path = Path() if folder is None else Path(folder, file_name)
        self._lock_timeout = lock_timeout
        self._journal_mode = journal_mode
        self._connection: sqlite3.Connection | None = None
        self._file_identity: tuple[int, int] | None = None
        self._damage: tuple[str, str] | None = None
        """The damaged file and the problem, once damage was found."""

    @property
    def lock_timeout(self) -> float:
        return self._lock_timeout

    @lock_timeout.setter
    def lock_timeout(self, seconds: float) -> None:
        self._lock_timeout = seconds
        if self._connection is not None:
            self._set_lock_timeout(self._connection)

    def _set_lock_timeout(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            f"PRAGMA busy_timeout = {round(self._lock_timeout * 1000):d}"
        )

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def publish(self, words: Iterable[str]) -> None:
        """Do nothing: only one server process uses the file."""

    async def subscribe(self) -> AsyncGenerator[frozenset[str] | None, None]:
        return
        yield

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._refusing():
            connection = self._opened_to_read()
            try:
                with _all_or_nothing(connection, "BEGIN"):
                    yield connection
            finally:
                if connection is not self._connection:
                    connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        with self._refusing(), _all_or_nothing(self._opened(), "BEGIN IMMEDIATE"):
            yield self._opened()
            self._check_file_identity()

    def repair(self) -> str | None:
        with self.reading() as connection:
            rows = connection.execute("PRAGMA integrity_check").fetchall()
        problems = [problem for (problem,) in rows if problem != "ok"]
        if not problems:
            return None
        if all(" index " in problem for problem in problems):
            with suppress(StoreUnavailable), self.writing() as connection:
                connection.execute("REINDEX")
                return (
                    f"{self._path} had a damaged index, which could hide entries;"
                    " it was rebuilt, and they are visible again"
                )
        problem = problems[0].splitlines()[-1]
        return f"{self._path} is damaged ({problem}); some entries may be missing"

    def _check_file_identity(self) -> None:
        """Raise an error if another file, or none, has the name of the open file."""
        if self._folder is not None and self._identity() != self._file_identity:
            raise StoreUnavailable(str(self._path), _GONE)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        if self._damage is not None:
            raise DamagedStore(*self._damage)
        try:
            yield
        except _ERRORS as error:
            raise self._refusal(error) from error

    def _opened_to_read(self) -> sqlite3.Connection:
        """Open the file; if there is none, open an empty store in memory instead."""
        if self._connection is None and self._is_missing():
            connection = sqlite3.connect(":memory:", isolation_level=None)
            self._prepare(connection)
            return connection
        return self._opened()

    def _is_missing(self) -> bool:
        """Whether nothing was ever stored; a log without its file means damage."""
        if self._folder is None:
            return False
        self._refuse_a_file_as_folder(self._folder)
        try:
            self._path.stat()
        except FileNotFoundError:
            return not any(map(_size, (self._beside("-wal"), self._beside("-journal"))))
        except OSError:
            return False  # opening it will report the problem
        return False

    def _beside(self, suffix: str) -> Path:
        return self._path.with_name(self._name + suffix)

    def _refuse_a_file_as_folder(self, folder: Path) -> None:
        looked = ((path, _stat(path)) for path in (folder, *folder.parents))
        path, found = next(((p, found) for p, found in looked if found), (folder, None))
        if found is not None and not stat.S_ISDIR(found.st_mode):
            problem = "this is a file, not a folder; move it, or use another folder"
            raise StoreUnavailable(str(path), problem)

    def _opened(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        if self._folder is None:
            return self._connect(":memory:")
        self._refuse_a_file_as_folder(self._folder)
        try:
            make_folder(self._folder)
        except OSError as error:
            raise StoreUnavailable.because(str(self._folder), error) from error
        self._check_content()
        # The files that SQLite creates beside it get the same mode.
        with suppress(OSError):  # it exists, or SQLite will report the problem
            open_private(self._path, "xb").close()
        return self._connect(self._path)

    def _connect(self, place: str | Path) -> sqlite3.Connection:
        connection = sqlite3.connect(
            place,
            timeout=self._lock_timeout,
            isolation_level=None,
            check_same_thread=False,
        )
        self._connection = connection
        try:
            self._prepare(connection)
        except BaseException:
            self._close_untouched()
            raise
        self._file_identity = self._identity()
        return connection

    def _check_content(self) -> None:
        """Raise an error for files that SQLite would silently overwrite.

        It treats a file of less than a page as empty, and deletes the log of an empty
        file.
        """
        # Check the log first: the creator of a file writes its log afterwards.
        log = self._beside("-wal")
        has_log = _size(log) > 0
        found = _stat(self._path)
        if found is not None and not stat.S_ISREG(found.st_mode):
            problem = "this is not a file; move it, or use another folder"
            raise StoreUnavailable(str(self._path), problem)
        try:
            with self._path.open("rb") as file:
                beginning = file.read(len(_MAGIC))
        except FileNotFoundError:
            beginning = b""
        except OSError:
            return  # SQLite will report the problem
        if beginning not in (b"", _MAGIC):
            raise self._damaged(self._path, _DAMAGE[sqlite3.SQLITE_NOTADB])
        if has_log and not beginning:
            raise self._damaged(log, "its database is empty or missing")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # Text that is not UTF-8 damages only its row, and is found when it is read.
        connection.text_factory = lambda text: text.decode(errors="replace")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # needed on macOS only
        connection.execute("PRAGMA cache_spill = OFF")  # or an import locks readers out
        if self._read_version(connection) < VERSION:
            with _all_or_nothing(connection, "BEGIN IMMEDIATE"):
                self._make_tables(connection)
        # If this mode is not available, everything is as safe, only slower.
        with suppress(sqlite3.OperationalError):
            connection.execute(f"PRAGMA journal_mode = {self._journal_mode}")

    def _read_version(self, connection: sqlite3.Connection) -> int:
        """Return the version of the tables, 0 if there are none.

        Raise an error if they are newer, or another program's.
        """
        found, mark, tables = connection.execute(_LOOK).fetchone()
        if not (found or tables):
            return 0
        if mark != APPLICATION_ID:
            problem = "this is not a ninefold file; move it, or use another folder"
            raise StoreUnavailable(str(self._path), problem)
        if found > VERSION:
            raise StoreTooNew(str(self._path), found=found, known=VERSION)
        return int(found)

    def _make_tables(self, connection: sqlite3.Connection) -> None:
        """Add the tables that are missing, unless another program was quicker."""
        found = self._read_version(connection)
        if found == VERSION:
            return
        for statement in statements(found, **_TYPES):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        connection.execute(f"PRAGMA user_version = {VERSION:d}")

    def _identity(self) -> tuple[int, int] | None:
        """Return the file's identity, to detect another file with the same name."""
        found = _stat(self._path)
        return None if found is None else (found.st_dev, found.st_ino)

    def _damaged(self, path: Path, problem: str) -> DamagedStore:
        """Return an error for a damaged file; every later use raises it, too."""
        self._damage = (str(path), problem)
        return DamagedStore(*self._damage)

    def _close_untouched(self) -> None:
        """Close without writing the log into the file.

        SQLite does so when the last connection closes, unless that one is read-only.
        """
        uri = f"{self._path.absolute().as_uri()}?mode=ro"
        with suppress(*_ERRORS), closing(sqlite3.connect(uri, 0, uri=True)) as last:
            with suppress(*_ERRORS):
                last.execute("PRAGMA schema_version")
            self.close()
        self.close()

    def _refusal(self, error: Exception) -> StoreError:
        damage = _damage_of(error)
        if damage is not None:
            self._close_untouched()
            return self._damaged(self._path, damage)
        problem = _PROBLEMS.get(_code(error), f"SQLite error: {error}")
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_DBMOVED:
            problem = _GONE
        return StoreUnavailable(str(self._path), problem)


@contextmanager
def _all_or_nothing(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # If the disk was full or failed, SQLite has rolled back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _code(error: BaseException) -> int:
    """Return SQLite's primary error code, or 0."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _damage_of(error: BaseException) -> str | None:
    """Return the damage that an error reports, or None if it reports no damage."""
    if isinstance(error, UnicodeDecodeError):
        return _DAMAGE[sqlite3.SQLITE_CORRUPT]
    return _DAMAGE.get(_code(error))


def _stat(path: Path) -> os.stat_result | None:
    """Return the status of a path, or None if it is missing or not accessible."""
    try:
        return path.stat()
    except OSError:
        return None


def _size(path: Path) -> int:
    found = _stat(path)
    return 0 if found is None else found.st_size
