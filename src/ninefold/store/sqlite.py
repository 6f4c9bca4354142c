"""A store in one SQLite file."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime

from ninefold.store.database import FILE_NAME, SqliteDatabase
from ninefold.store.learned import Schedule, leitner
from ninefold.store.tables import SqlStore


class SqliteStore(SqlStore):
    """Stores everything in ``games.db`` in a folder, or in memory without a folder.

    The folder and the file are made when there is something to store; reading makes
    none. A file that is found damaged is moved aside, and a new one begun;
    ``take_notices`` says so.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None,
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        schedule: Schedule = leitner,
        patience: float = 5.0,
        file_name: str = FILE_NAME,
    ) -> None:
        """Take the folder, a clock, and what makes a new id.

        ``patience`` is how many seconds to wait while another program writes.
        """
        database = SqliteDatabase(
            folder,
            lambda: clock().astimezone(UTC),
            patience=patience,
            file_name=file_name,
        )
        super().__init__(database, clock=clock, new_id=new_id, schedule=schedule)
