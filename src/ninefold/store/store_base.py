"""What every part of a store has: its database, its clock, its notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Self, TypeVar

from ninefold.errors import NinefoldError
from ninefold.store.schema import Database, Row

Kind = TypeVar("Kind")

PROBE_TEXT = "x" * 65_536
"""So much that a disk that is almost full refuses it."""


class StoreBase:
    """Holds a database open, and collects notices of what is damaged there."""

    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self._database = database
        self.now = clock
        self._new_id = new_id
        self._notices: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def lock_timeout(self) -> float:
        """How many seconds to wait while another program writes."""
        return self._database.lock_timeout

    @lock_timeout.setter
    def lock_timeout(self, seconds: float) -> None:
        self._database.lock_timeout = seconds

    def close(self) -> None:
        """Close the store. The next use reopens it."""
        self._database.close()

    def pop_notices(self) -> tuple[str, ...]:
        """Take the sentences that a person should see: which rows are damaged."""
        notices = tuple(self._notices)
        self._notices.clear()
        return notices

    def check_writable(self) -> None:
        """Write something and delete it, to see whether anything can be written."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO learned (kind, id, learner, at, entry)"
                " VALUES ('probe', '', '', '', ?)",
                (PROBE_TEXT,),
            )
            connection.execute("DELETE FROM learned WHERE kind = 'probe'")

    def _note(self, notice: str) -> None:
        if notice not in self._notices:
            self._notices.append(notice)

    def _skip_damaged(
        self, rows: Iterable[Row], read_row: Callable[[Row], Kind]
    ) -> Iterator[Kind]:
        """Read rows, whose first column is an id; note and leave out damaged ones."""
        for row in rows:
            try:
                yield read_row(row)
            except NinefoldError as error:
                self._note(f"entry {row[0]} is damaged and left as it is ({error})")
