"""One SQLite file: opened when it is needed, never lost.

Every ``sqlite3.Error`` becomes a ``StoreError`` here, with a sentence for a person.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from ninefold.errors import DamagedStore, NewerStore, StoreError, StoreUnavailable
from ninefold.store.schema import VERSION, statements
from ninefold.store.store import Store

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
_PRIVATE = 0o700
_BESIDE = ("-wal", "-shm", "-journal", "")
"""What SQLite adds to the file's name; the file itself last, see ``_rename``."""
_MAGIC = b"SQLite format 3\x00"
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
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
    none. A file that is found damaged is moved aside, and a new one begun;
    ``take_notices`` says so. Without ``moves_aside`` it is left as it is, and from then
    on everything is refused.
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
        moves_aside: bool = True,
    ) -> None:
        database = SqliteDatabase(
            folder,
            clock,
            lock_timeout=lock_timeout,
            file_name=file_name,
            journal_mode=journal_mode,
            moves_aside=moves_aside,
        )
        self.check_file = database.check_file
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
        clock: Callable[[], datetime],
        *,
        lock_timeout: float,
        file_name: str = FILE_NAME,
        journal_mode: JournalMode = "DELETE",
        moves_aside: bool = True,
    ) -> None:
        self._folder = None if folder is None else Path(folder)
        self._name = file_name
        self._path = Path() if folder is None else Path(folder, file_name)
        self._clock = clock
        self._lock_timeout = lock_timeout
        self._journal_mode = journal_mode
        self._connection: sqlite3.Connection | None = None
        self._file_identity: tuple[int, int] | None = None
        self._moves_aside = moves_aside
        self._left_damaged = ""
        """What is the matter with a file that was left as it is."""
        self.notices: list[str] = []

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

    def check_file(self) -> None:
        """Read the whole file; refuse a damaged one."""
        with self.reading() as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != ("ok",):
            raise DamagedStore(self._move_aside("damaged", "damaged"))

    def announce(self, words: Iterable[str]) -> None:
        """Do nothing: one process at a time uses the file."""

    async def changes(self) -> AsyncGenerator[frozenset[str] | None, None]:
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
            self._refuse_a_file_that_is_gone()

    def _refuse_a_file_that_is_gone(self) -> None:
        """Refuse to change a file that nobody would find again under its name."""
        if self._folder is not None and self._identity() != self._file_identity:
            raise StoreUnavailable(str(self._path), _GONE)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        if self._left_damaged:
            raise DamagedStore(self._left_damaged)
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
        try:
            return self._opened()
        except sqlite3.OperationalError as error:
            is_unwritable = _code(error) in _UNWRITABLE
            if self._folder is None or not is_unwritable or not self._is_torn():
                raise
            try:
                return self._opened_copy()
            except OSError:
                raise error from None

    def _is_torn(self) -> bool:
        """Whether a program died while it wrote: SQLite has to undo that first."""
        return _size(self._beside("-journal")) > 0

    def _opened_copy(self) -> sqlite3.Connection:
        """Open a copy in memory, where the file itself cannot be put right."""
        memory = sqlite3.connect(":memory:", isolation_level=None)
        with TemporaryDirectory() as folder:
            for suffix in ("-journal", ""):
                shutil.copyfile(self._beside(suffix), Path(folder, self._name + suffix))
            with closing(sqlite3.connect(Path(folder, self._name))) as copy:
                copy.backup(memory)
        self._prepare(memory)
        return memory

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
            self._folder.mkdir(_PRIVATE, parents=True, exist_ok=True)
        except OSError as error:
            reason = f"{error.strerror or error}; allow it, or use another folder"
            raise StoreUnavailable(str(self._folder), reason) from error
        self._file_identity = self._identity()
        if not self._holds_something_else():
            try:
                return self._connect(self._path)
            except _ERRORS as error:
                if not _is_damage(error):
                    raise
        self.notices.append(self._move_aside("damaged", "damaged"))
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
        except BaseException as error:
            # A damaged file is moved aside first, for SQLite to leave it alone.
            if not _is_damage(error):
                self.close()
            raise
        self._file_identity = self._identity()
        return connection

    def _holds_something_else(self) -> bool:
        """Whether there is something that SQLite would overwrite without a word.

        It takes a file of less than a page for an empty one, and deletes the log of
        an empty one.
        """
        # Looked for first: a program that makes a file writes its log afterwards.
        has_log = _stat(self._beside("-wal")) is not None
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
            return False  # SQLite will say what is the matter
        return beginning != _MAGIC if beginning else has_log

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
            raise NewerStore(str(self._path), found=found, known=VERSION)
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

    def _move_aside(self, suffix: str, problem: str) -> str:
        """Rename a file that cannot be used, and what belongs to it; say so."""
        if not self._moves_aside:
            self._left_damaged = f"{self._path} is {problem}, and was left as it is"
            raise DamagedStore(self._left_damaged)
        if self._identity() != self._file_identity:
            self.close()
            return f"{self._path} was {problem}. Another program has moved it aside."
        time = self._clock().astimezone(UTC)
        aside = name = f"{self._name}.{suffix}-{time:%Y%m%dT%H%M%SZ}"
        number = 1
        while any(_exists(self._path.with_name(aside + end)) for end in _BESIDE):
            number += 1
            aside = f"{name}-{number}"
        try:
            self._rename(aside)
        except OSError:
            # Some systems rename only what nobody has open. Others should do it
            # first: SQLite leaves a file alone that has moved, log and all.
            self.close()
            try:
                self._rename(aside)
            except OSError as error:
                why = f"it is {problem}, and cannot be moved aside ({error.strerror})"
                raise StoreUnavailable(str(self._path), why) from error
        self.close()
        return (
            f"{self._path} was {problem}."
            f" It is kept as {self._path.with_name(aside)}, and a new one was begun."
        )

    def _rename(self, aside: str) -> None:
        # The file itself goes last: were this interrupted, a new file would take the
        # old one's log for its own.
        for suffix in _BESIDE:
            if _exists(self._beside(suffix)):
                self._beside(suffix).rename(self._path.with_name(aside + suffix))

    def _refusal(self, error: Exception) -> StoreError:
        if _is_damage(error):
            return DamagedStore(self._move_aside("damaged", "damaged"))
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


def _is_damage(error: BaseException) -> bool:
    return _code(error) in _DAMAGE or isinstance(error, UnicodeDecodeError)


def _stat(path: Path) -> os.stat_result | None:
    """Look at a path; None where nothing is there, or nothing may be seen."""
    try:
        return path.stat()
    except OSError:
        return None


def _exists(path: Path) -> bool:
    return path.is_symlink() or _stat(path) is not None


def _size(path: Path) -> int:
    found = _stat(path)
    return 0 if found is None else found.st_size
