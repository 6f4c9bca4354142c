"""The common base of the parts of a store: database, clock, notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Self, TypeVar

from ninefold.errors import NinefoldError
from ninefold.store.schema import Database, Row

Kind = TypeVar("Kind")

PROBE_TEXT = "x" * 65_536
"""Large enough to fail on an almost full disk."""


class StoreBase:
    """Holds a database open, and collects notices of damaged data."""

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
        """The seconds to wait while another program writes."""
        return self._database.lock_timeout

    @lock_timeout.setter
    def lock_timeout(self, seconds: float) -> None:
        self._database.lock_timeout = seconds

    def close(self) -> None:
        """Close the store; the next use reopens it."""
        self._database.close()

    def pop_notices(self) -> tuple[str, ...]:
        """Return and clear the notices to show to people, such as damaged rows."""
        notices = tuple(self._notices)
        self._notices.clear()
        return notices

    def check_writable(self) -> None:
        """Raise ``StoreError`` if nothing can be written, by writing a probe row."""
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
        """Read rows, whose first column is an id; skip and note damaged ones."""
        for row in rows:
            try:
                yield read_row(row)
            except NinefoldError as error:
                self._note(f"entry {row[0]} is damaged and was skipped ({error})")
