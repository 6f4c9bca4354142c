"""What a store asks of a database: statements, and transactions around them.

Statements are written so that SQLite and PostgreSQL both take them, with ``?`` and
``:name`` for values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from ninefold.errors import StoreUnavailable

Row = tuple[Any, ...]
"""A row of any columns; its reader says of what types they are."""
Values = Sequence[object] | Mapping[str, object]


class Cursor(Protocol):
    """The rows that a statement found, or how many it changed."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def fetchone(self) -> Row | None:
        """Return the next row, if there is one."""

    def fetchall(self) -> list[Row]:
        """Return every row that is left."""

    def __iter__(self) -> Iterator[Row]:
        """Return every row that is left, one by one."""


class Connection(Protocol):
    """Takes statements within a transaction."""

    def execute(self, statement: str, values: Values = (), /) -> Cursor:
        """Carry a statement out."""

    def executemany(self, statement: str, values: Iterable[Values], /) -> Cursor:
        """Carry a statement out for each of several values."""


class Database(Protocol):
    """Opened when it is needed; every error of it is a ``StoreError``."""

    notices: list[str]
    """Sentences that a person should see."""
    times_opened: int
    """How often it was opened: each time it may be another one."""
    patience: float
    """How many seconds to wait while another program writes."""

    def reading(self) -> AbstractContextManager[Connection]:
        """See everything as it is at one moment, whatever others write meanwhile."""

    def writing(self) -> AbstractContextManager[Connection]:
        """Change something: as a whole when the block ends, or not at all.

        ``Conflict`` says that another program changed the same at the same time.
        """

    def close(self) -> None:
        """Let go of it; using it again opens it again."""


class Conflict(StoreUnavailable):
    """Another program changed the same at the same time."""

    def __init__(self, place: str) -> None:
        """Take what the database is called."""
        problem = "another program changed the same at the same time; try again"
        super().__init__(place, problem)
