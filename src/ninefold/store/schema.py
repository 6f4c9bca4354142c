"""The tables of a store, and the protocol of a database that holds them.

Every statement is valid for both SQLite and PostgreSQL, with ``?`` and ``:name`` for
values. Times are sortable text in UTC, and values are JSON.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from msgspec import ValidationError, convert

from ninefold.errors import RecordError, StoreUnavailable

_MATCHES_AND_LEARNERS = """
    CREATE TABLE matches (
        key {key},
        id {text} NOT NULL UNIQUE,
        setup TEXT NOT NULL,
        origin TEXT,
        revision INTEGER NOT NULL,
        begun_at {text} NOT NULL,
        changed_at {text} NOT NULL,
        set_aside_at {text},
        is_open BOOLEAN NOT NULL,
        listed TEXT NOT NULL
    );
    CREATE INDEX matches_by_time ON matches (begun_at, key);
    CREATE INDEX matches_by_change ON matches (is_open, changed_at);

    CREATE TABLE log (
        match BIGINT NOT NULL REFERENCES matches (key),
        number INTEGER NOT NULL,
        at TEXT NOT NULL,
        request TEXT NOT NULL,
        command TEXT NOT NULL,
        PRIMARY KEY (match, number)
    ) {clustered};

    CREATE TABLE games (
        key {key},
        match BIGINT NOT NULL REFERENCES matches (key),
        match_number INTEGER NOT NULL,
        number INTEGER NOT NULL,
        begun_at {text} NOT NULL,
        book TEXT NOT NULL,
        name1 TEXT NOT NULL,
        name2 TEXT NOT NULL,
        who1 TEXT NOT NULL,
        who2 TEXT NOT NULL,
        winner INTEGER,
        listed TEXT NOT NULL,
        UNIQUE (match, match_number, number)
    );
    CREATE INDEX games_by_time ON games (begun_at, key);

    CREATE TABLE learned (
        key {key},
        kind TEXT NOT NULL,
        id {text} NOT NULL,
        learner {text} NOT NULL,
        at {text} NOT NULL,
        entry TEXT NOT NULL,
        UNIQUE (kind, id)
    );
    CREATE INDEX learned_by_time ON learned (kind, at, key);
    CREATE INDEX learned_by_learner ON learned (learner, at, key)
"""
_CLASSES = """
    ALTER TABLE matches ADD COLUMN class {text};
    CREATE INDEX matches_by_class ON matches (class);

    CREATE TABLE classes (
        key {key},
        id {text} NOT NULL UNIQUE,
        code TEXT NOT NULL UNIQUE,
        revision INTEGER NOT NULL,
        changed_at {text} NOT NULL
    );

    CREATE TABLE class_log (
        class BIGINT NOT NULL REFERENCES classes (key),
        number INTEGER NOT NULL,
        at TEXT NOT NULL,
        request TEXT NOT NULL,
        command TEXT NOT NULL,
        PRIMARY KEY (class, number)
    ) {clustered};

    CREATE TABLE wrong_codes (
        minute BIGINT NOT NULL,
        address TEXT NOT NULL,
        many INTEGER NOT NULL,
        PRIMARY KEY (minute, address)
    ) {clustered}
"""
_VERSIONS = (_MATCHES_AND_LEARNERS, _CLASSES)
"""The statements that create the tables, by the version that added them.

``matches`` and ``log`` hold the games, ``learned`` learners and answers, ``classes``
and ``class_log`` classes. All else is derived from these: ``listed`` is a ``MatchRow``
or a ``PlayedGame``; ``who1`` and ``who2`` are a level's name, ``human`` or, for a
person on another machine, ``elsewhere``. ``class`` is the id of the class that a match
belongs to: such a match is in no list and in no history.
"""
VERSION = len(_VERSIONS)
"""The version of the tables; a database with a newer one is rejected."""

LAST_CHARACTER = "\U0010ffff"
"""Sorts after every character of an id."""
Row = tuple[Any, ...]
"""A row of any columns; ``read_columns`` checks their types."""
Values = Sequence[object] | Mapping[str, object]
Columns = TypeVar("Columns")


def statements(since: int, **types: str) -> list[str]:
    """Return the statements that create all tables added after a version.

    ``types`` are a database's own names of types.
    """
    return ";".join(_VERSIONS[since:]).format_map(types).split(";")


def read_columns(row: Row, columns: type[Columns]) -> Columns:
    """Return a row as a tuple of these types; raise ``RecordError`` if it is damaged.

    >>> read_columns(("3f2a", 7), tuple[str, int])
    ('3f2a', 7)
    """
    try:
        return convert(row, columns)
    except ValidationError:
        place, problem = "columns", "one of its columns has the wrong type"
        raise RecordError(place, problem) from None


def format_time(time: datetime) -> str:
    """Format a time so that earlier ones sort before later ones.

    >>> format_time(datetime(2026, 1, 31, 9, 30, tzinfo=UTC))
    '2026-01-31T09:30:00.000000+00:00'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds")


class Cursor(Protocol):
    """The rows that a statement found, or the number that it changed."""

    @property
    def rowcount(self) -> int:
        """The number of changed rows."""

    def fetchall(self) -> list[Row]:
        """Return the remaining rows."""

    def __iter__(self) -> Iterator[Row]: ...


class Connection(Protocol):
    """Executes statements within a transaction."""

    def execute(self, statement: str, values: Values = (), /) -> Cursor:
        """Execute a statement."""

    def executemany(self, statement: str, values: Iterable[Values], /) -> Cursor:
        """Execute a statement once for each of the values."""


class Database(Protocol):
    """A database, opened when it is needed; its errors are all ``StoreError``."""

    lock_timeout: float
    """The seconds to wait while another program writes."""
    is_shared: bool
    """Whether processes notify each other of changes."""

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a transaction that reads one snapshot while others may write."""

    def writing(self) -> AbstractContextManager[Connection]:
        """Open a transaction that commits when the block ends, or changes nothing.

        Raise ``WriteConflict`` if another program changed the same data meanwhile.
        """

    def publish(self, words: Iterable[str]) -> None:
        """Notify other processes of each word, outside of any transaction."""

    def subscribe(self) -> AsyncGenerator[frozenset[str] | None, None]:
        """Yield words from other processes; None when some may have been lost."""

    def repair(self) -> str | None:
        """Rebuild damaged indexes, which hide rows; return a notice of any damage."""

    def close(self) -> None:
        """Close the connection; the next use reopens it."""


class WriteConflict(StoreUnavailable):
    """Another program changed the same data at the same time."""

    def __init__(self, place: str) -> None:
        problem = "another program changed the same data at the same time; try again"
        super().__init__(place, problem)
