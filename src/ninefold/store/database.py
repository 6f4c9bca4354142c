"""One SQLite file: opened when it is needed, brought up to date, never lost.

Every ``sqlite3.Error`` becomes a ``StoreError`` here, with a sentence for a person.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager, suppress

from ninefold.errors import DamagedStore, NewerStore, StoreUnavailable
from ninefold.store.migrations import MIGRATIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from ninefold.errors import StoreError
    from ninefold.store.migrations import Migration

FILE_NAME = "games.db"
_PRIVATE = 0o700
_BESIDE = ("-wal", "-shm", "-journal", "")
"""What SQLite adds to the file's name; the file itself last, see ``_rename``."""
_MAGIC = b"SQLite format 3\x00"
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_CLOSED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_PROBLEMS = {
    sqlite3.SQLITE_BUSY: "another program is using it; let that one end, or try again",
    sqlite3.SQLITE_FULL: "the disk is full; make room on it",
    sqlite3.SQLITE_READONLY: "it cannot be written to; allow it, or use another folder",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; allow it, or use another folder",
    sqlite3.SQLITE_PERM: "it cannot be opened; allow it, or use another folder",
    sqlite3.SQLITE_IOERR: "the disk does not take it; see if it is full or failing",
}


class Database:
    """A file in a folder, or memory where there is no folder.

    Nothing is touched before the first use, and one connection serves until ``close``.
    Reading makes no file, and reads one that cannot be written to.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None,
        now: Callable[[], datetime],
        *,
        patience: float,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        """Take the folder, and how many seconds to wait for another program."""
        self._folder = folder
        self.path = ":memory:" if folder is None else os.path.join(folder, FILE_NAME)  # noqa: PTH118 - pathlib loads slowly
        self._now = now
        self._patience = patience
        self._migrations = migrations
        self._connection: sqlite3.Connection | None = None
        self._met: tuple[int, int] | None = None
        self.notices: list[str] = []

    def close(self) -> None:
        """Close the connection, if there is one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """See the file as it is at one moment, whatever others write meanwhile."""
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
        """Change the file: on disk as a whole when the block ends, or not at all."""
        with self._refusing(), _all_or_nothing(self._opened(), "BEGIN IMMEDIATE"):
            yield self._opened()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._refusal(error) from error

    def _opened_to_read(self) -> sqlite3.Connection:
        """Open what is there; what is not, or is read-only, is read in memory."""
        if self._connection is None and self._is_missing():
            return self._in_memory()
        try:
            return self._opened()
        except sqlite3.Error as error:
            if _code(error) not in _CLOSED or not os.path.isfile(self.path):  # noqa: PTH113 - as above
                raise
        try:
            return self._copied("mode=ro")
        except sqlite3.Error as error:
            # Without its log the file could be read, but as it never was.
            if _code(error) not in _CLOSED or self._has_log():
                raise
        return self._copied("mode=ro&immutable=1")

    def _is_missing(self) -> bool:
        """Whether nothing was ever kept; a log alone is what damage left."""
        if self._folder is None:
            return False
        self._refuse_a_file_as_folder(self._folder)
        try:
            os.stat(self.path)  # noqa: PTH116 - as above
        except FileNotFoundError:
            return not self._has_log()
        except OSError:
            return False  # whoever opens it will say what is the matter
        return False

    def _has_log(self) -> bool:
        logs = (f"{self.path}-wal", f"{self.path}-journal")
        return any(os.path.exists(log) and os.path.getsize(log) for log in logs)  # noqa: PTH110, PTH202 - as above

    def _copied(self, how: str) -> sqlite3.Connection:
        """Copy the file into memory, where missing migrations can be made up for."""
        from pathlib import Path  # noqa: PLC0415 - it loads slowly

        place = f"{Path(self.path).absolute().as_uri()}?{how}"
        opened = sqlite3.connect(
            place, timeout=self._patience, isolation_level=None, uri=True
        )
        with closing(opened) as file:
            # Copying alone would wait without end while another program writes.
            file.execute("BEGIN")
            file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return self._in_memory(file)

    def _in_memory(self, file: sqlite3.Connection | None = None) -> sqlite3.Connection:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            if file is not None:
                file.backup(connection)
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _refuse_a_file_as_folder(self, folder: str | os.PathLike[str]) -> None:
        path = os.fspath(folder)
        while path and not os.path.exists(path):  # noqa: PTH110 - as above
            path = os.path.dirname(path)  # noqa: PTH120 - as above
        if path and not os.path.isdir(path):  # noqa: PTH112 - as above
            problem = "this is a file, not a folder; move it, or use another folder"
            raise StoreUnavailable(path, problem)

    def _opened(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        if self._folder is None:
            return self._connect()
        self._refuse_a_file_as_folder(self._folder)
        try:
            os.makedirs(self._folder, _PRIVATE, exist_ok=True)  # noqa: PTH103 - as above
        except OSError as error:
            reason = f"{error.strerror or error}; allow it, or use another folder"
            raise StoreUnavailable(os.fspath(self._folder), reason) from error
        self._met = self._identity()
        if not self._holds_something_else():
            try:
                return self._connect()
            except sqlite3.Error as error:
                if not _is_damage(error):
                    raise
        self.notices.append(self._move_aside())
        return self._connect()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=self._patience, isolation_level=None
        )
        self._connection = connection
        try:
            self._prepare(connection)
        except BaseException as error:
            # A damaged file is moved aside first, for SQLite to leave it alone.
            if not (isinstance(error, sqlite3.Error) and _is_damage(error)):
                self.close()
            raise
        self._met = self._identity()
        return connection

    def _holds_something_else(self) -> bool:
        """Whether there is something that SQLite would overwrite without a word.

        It takes a file of less than a page for an empty one, and deletes the log of
        an empty one.
        """
        # Looked for first: whoever makes a file writes its beginning before its log.
        has_log = os.path.exists(f"{self.path}-wal")  # noqa: PTH110 - as above
        try:
            with open(self.path, "rb") as file:  # noqa: PTH123 - as above
                beginning = file.read(len(_MAGIC))
        except FileNotFoundError:
            beginning = b""
        except OSError:
            return False  # SQLite will say what is the matter
        return beginning != _MAGIC if beginning else has_log

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # A text that is no UTF-8 is damage of its row alone, found by whoever reads it.
        connection.text_factory = lambda text: text.decode(errors="replace")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS alone needs to be told
        if self._version(connection) < len(self._migrations):
            with _all_or_nothing(connection, "BEGIN IMMEDIATE"):
                self._migrate(connection)
        # Where this cannot be had, now or ever, all is as safe, and slower.
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")

    def _version(self, connection: sqlite3.Connection) -> int:
        found: int = connection.execute("PRAGMA user_version").fetchone()[0]
        known = len(self._migrations)
        if found > known:
            raise NewerStore(self.path, found=found, known=known)
        return found

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version = self._version(connection)  # another program may have been quicker
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version == 0 and tables:
            problem = "this is another program's file; move it, or use another folder"
            raise StoreUnavailable(self.path, problem)
        for number, migrate in enumerate(self._migrations[version:], start=version + 1):
            migrate(connection)
            connection.execute(f"PRAGMA user_version = {number:d}")

    def _identity(self) -> tuple[int, int] | None:
        """Tell a file from another one that took its name."""
        try:
            found = os.stat(self.path)  # noqa: PTH116 - as above
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _move_aside(self) -> str:
        """Keep a damaged file, and what belongs to it, under another name; say so."""
        if self._identity() != self._met:
            self.close()
            return f"{self.path} was damaged. Another program has moved it aside."
        aside = name = f"{self.path}.damaged-{self._now():%Y%m%dT%H%M%SZ}"
        number = 1
        while any(os.path.lexists(aside + suffix) for suffix in _BESIDE):
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
                problem = f"it is damaged, and cannot be moved aside ({error.strerror})"
                raise StoreUnavailable(self.path, problem) from error
        self.close()
        return (
            f"{self.path} was damaged. It is kept as {aside}, and a new one was begun."
        )

    def _rename(self, aside: str) -> None:
        # The file itself goes last: were this interrupted, a new file would take the
        # old one's log for its own.
        for suffix in _BESIDE:
            if os.path.lexists(self.path + suffix):
                os.rename(self.path + suffix, aside + suffix)  # noqa: PTH104 - as above

    def _refusal(self, error: sqlite3.Error) -> StoreError:
        if _is_damage(error):
            return DamagedStore(self._move_aside())
        problem = _PROBLEMS.get(_code(error), f"SQLite refuses it ({error})")
        return StoreUnavailable(self.path, problem)


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


def _code(error: sqlite3.Error) -> int:
    """Give SQLite's own code, without what it adds to it; 0 where there is none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_damage(error: sqlite3.Error) -> bool:
    return _code(error) in _DAMAGE
