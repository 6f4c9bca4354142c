"""The tables of a store, and what a store asks of the database that has them.

Every statement is written so that SQLite and PostgreSQL both take it, with ``?`` and
``:name`` for values. Times are text that sorts, in UTC, and values are JSON.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from msgspec import ValidationError, convert

from ninefold.errors import RecordError, StoreUnavailable

VERSION = 1
"""The version of the tables, in each database; a newer one is refused."""
SCHEMA = """
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
"""The statements that make the tables.

``matches`` and ``log`` hold what was played, ``learned`` learners and answers. All
else follows from these: ``listed`` is a ``MatchRow`` or a ``PlayedGame``; ``who1`` and
``who2`` are a level's name, ``human`` or, for a person at another home, ``elsewhere``.
"""

LAST_CHARACTER = "\U0010ffff"
"""Sorts behind everything that an id is made of."""
Row = tuple[Any, ...]
"""A row of any columns; its reader says of what types they are."""
Values = Sequence[object] | Mapping[str, object]
Columns = TypeVar("Columns")


def statements(**types: str) -> list[str]:
    """Return the statements of ``SCHEMA``, with a database's own names of types."""
    return SCHEMA.format_map(types).split(";")


def read_columns(row: Row, columns: type[Columns]) -> Columns:
    """Return a row as a tuple of these types; refuse one that damage has changed.

    >>> read_columns(("3f2a", 7), tuple[str, int])
    ('3f2a', 7)
    """
    try:
        return convert(row, columns)
    except ValidationError:
        place, problem = "columns", "one of them holds a value of another kind"
        raise RecordError(place, problem) from None


def format_time(time: datetime) -> str:
    """Write a time so that earlier ones sort before later ones.

    >>> format_time(datetime(2026, 1, 31, 9, 30, tzinfo=UTC))
    '2026-01-31T09:30:00.000000+00:00'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds")


class Cursor(Protocol):
    """The rows that a statement found, or how many it changed."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def fetchall(self) -> list[Row]:
        """Return every row that is left."""

    def __iter__(self) -> Iterator[Row]: ...


class Connection(Protocol):
    """Takes statements within a transaction."""

    def execute(self, statement: str, values: Values = (), /) -> Cursor:
        """Execute a statement."""

    def executemany(self, statement: str, values: Iterable[Values], /) -> Cursor:
        """Execute a statement for each of several values."""


class Database(Protocol):
    """Opened when it is needed; every error of it is a ``StoreError``."""

    lock_timeout: float
    """How many seconds to wait while another program writes."""
    is_shared: bool
    """Whether processes tell each other what they change."""

    def reading(self) -> AbstractContextManager[Connection]:
        """See everything as it is at one moment, while others may write."""

    def writing(self) -> AbstractContextManager[Connection]:
        """Change something: as a whole when the block ends, or not at all.

        ``WriteConflict`` says that another program changed the same at the same time.
        """

    def publish(self, words: Iterable[str]) -> None:
        """Send words to other processes, outside of any transaction."""

    def subscribe(self) -> AsyncGenerator[frozenset[str] | None, None]:
        """Yield the words of other processes; None where some may be missed."""

    def repair(self) -> str | None:
        """Make damaged indexes anew, which hide rows; say what was wrong, if any."""

    def close(self) -> None:
        """Close the connection. The next use opens another one."""


class WriteConflict(StoreUnavailable):
    """Another program changed the same at the same time."""

    def __init__(self, place: str) -> None:
        problem = "another program changed the same at the same time; try again"
        super().__init__(place, problem)
