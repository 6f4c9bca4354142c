"""One SQLite file: opened when it is needed, never lost.

Every ``sqlite3.Error`` becomes a ``StoreError`` here, with a sentence for a person.
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
"""WAL commits faster, for a server. Without it the file stands alone between commits:
it can be copied, replaced by a backup, and read where nothing can be written."""
APPLICATION_ID = 0x6E696E65
"""Marks the file as ninefold's; ``nine`` in letters."""
_TYPES = {"key": "INTEGER PRIMARY KEY", "text": "TEXT", "clustered": "WITHOUT ROWID"}
_LOOK = """
    SELECT (SELECT user_version FROM pragma_user_version),
        (SELECT application_id FROM pragma_application_id),
        count(*)
    FROM sqlite_master
"""
"""One statement sees one moment: another program may be making the tables."""
_MAGIC = b"SQLite format 3\x00"
_DAMAGE = {
    sqlite3.SQLITE_CORRUPT: "parts of it cannot be read",
    sqlite3.SQLITE_NOTADB: "it is not an SQLite database",
}
_GONE = "it was removed or replaced while it was in use; put it back, or start again"
_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; the second where a damaged schema is no UTF-8."""
_PROBLEMS = {
    sqlite3.SQLITE_BUSY: "another program is using it; let that one end, or try again",
    sqlite3.SQLITE_FULL: "the disk is full; make room on it",
    sqlite3.SQLITE_READONLY: "it cannot be written to; allow it, or use another folder",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; allow it, or use another folder",
    sqlite3.SQLITE_PERM: "it cannot be opened; allow it, or use another folder",
    sqlite3.SQLITE_IOERR: "the disk does not take it; see if it is full or failing",
}


class SqliteStore(Store):
    """Stores everything in ``games.db`` in a folder, or in memory without a folder.

    The folder and the file are made when there is something to store; reading makes
    none. A file that is found damaged is never touched, and from then on everything is
    refused with ``DamagedStore``.
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
    """A file in a folder, or memory where there is no folder.

    Nothing is touched before the first use, and one connection serves until ``close``,
    whichever thread uses it. Reading makes no file.
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
        """The file that was found damaged, and the problem."""

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
        """Do nothing: one process at a time uses the file."""

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
                    " it was made anew, and they are there again"
                )
        problem = problems[0].splitlines()[-1]
        return f"{self._path} is damaged ({problem}); some entries may be missing"

    def _check_file_identity(self) -> None:
        """Refuse to change a file that nobody would find again under its name."""
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
        """Open the file; an empty store in memory stands for one that is not there."""
        if self._connection is None and self._is_missing():
            connection = sqlite3.connect(":memory:", isolation_level=None)
            self._prepare(connection)
            return connection
        return self._opened()

    def _is_missing(self) -> bool:
        """Whether nothing was ever stored; a log alone is what damage left."""
        if self._folder is None:
            return False
        self._refuse_a_file_as_folder(self._folder)
        try:
            self._path.stat()
        except FileNotFoundError:
            return not any(map(_size, (self._beside("-wal"), self._beside("-journal"))))
        except OSError:
            return False  # opening it will say what is the matter
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
        # The files that SQLite makes beside it get the same mode.
        with suppress(OSError):  # it is there, or SQLite will say what is the matter
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
        """Reject what SQLite would overwrite without a word.

        It takes a file of less than a page for an empty one, and deletes the log of
        an empty one.
        """
        # Looked for first: a program that makes a file writes its log afterwards.
        log = self._beside("-wal")
        has_log = _size(log) > 0
        found = _stat(self._path)
        if found is not None and not stat.S_ISREG(found.st_mode):
            problem = "this is no file; move it, or use another folder"
            raise StoreUnavailable(str(self._path), problem)
        try:
            with self._path.open("rb") as file:
                beginning = file.read(len(_MAGIC))
        except FileNotFoundError:
            beginning = b""
        except OSError:
            return  # SQLite will say what is the matter
        if beginning not in (b"", _MAGIC):
            raise self._damaged(self._path, _DAMAGE[sqlite3.SQLITE_NOTADB])
        if has_log and not beginning:
            raise self._damaged(log, "its database is empty or missing")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # A text that is no UTF-8 is damage of its row alone, found when it is read.
        connection.text_factory = lambda text: text.decode(errors="replace")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS alone needs to be told
        connection.execute("PRAGMA cache_spill = OFF")  # or an import locks readers out
        if self._is_empty(connection):
            with _all_or_nothing(connection, "BEGIN IMMEDIATE"):
                self._make_tables(connection)
        # Where this cannot be had, now or ever, all is as safe, and slower.
        with suppress(sqlite3.OperationalError):
            connection.execute(f"PRAGMA journal_mode = {self._journal_mode}")

    def _is_empty(self, connection: sqlite3.Connection) -> bool:
        """Whether there are no tables yet; refuse newer ones and other programs'."""
        found, mark, tables = connection.execute(_LOOK).fetchone()
        if not (found or tables):
            return True
        if mark != APPLICATION_ID:
            problem = "this is not a ninefold file; move it, or use another folder"
            raise StoreUnavailable(str(self._path), problem)
        if found > VERSION:
            raise StoreTooNew(str(self._path), found=found, known=VERSION)
        return False

    def _make_tables(self, connection: sqlite3.Connection) -> None:
        if not self._is_empty(connection):  # another program was quicker
            return
        for statement in statements(**_TYPES):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        connection.execute(f"PRAGMA user_version = {VERSION:d}")

    def _identity(self) -> tuple[int, int] | None:
        """Tell a file from another one that took its name."""
        found = _stat(self._path)
        return None if found is None else (found.st_dev, found.st_ino)

    def _damaged(self, path: Path, problem: str) -> DamagedStore:
        """Refuse everything from now on."""
        self._damage = (str(path), problem)
        return DamagedStore(*self._damage)

    def _close_untouched(self) -> None:
        """Close without writing the log into the file.

        SQLite does that when the last connection is closed, unless it may only read.
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
        problem = _PROBLEMS.get(_code(error), f"SQLite refuses it ({error})")
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
        # SQLite has undone it already where the disk was full or failed.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _code(error: BaseException) -> int:
    """Give SQLite's own code, without what it adds to it; 0 where there is none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _damage_of(error: BaseException) -> str | None:
    """Return what is wrong with the file; None where the error is another one."""
    if isinstance(error, UnicodeDecodeError):
        return _DAMAGE[sqlite3.SQLITE_CORRUPT]
    return _DAMAGE.get(_code(error))


def _stat(path: Path) -> os.stat_result | None:
    """Look at a path; None where nothing is there, or nothing may be seen."""
    try:
        return path.stat()
    except OSError:
        return None


def _size(path: Path) -> int:
    found = _stat(path)
    return 0 if found is None else found.st_size
