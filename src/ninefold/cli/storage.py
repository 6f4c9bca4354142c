"""Where everything is kept: the store of whoever is at the keyboard.

Importing this loads SQLite, so that nothing on the way to the first prompt does it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from platformdirs import user_data_dir

from ninefold.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ninefold.cli.console import Console
    from ninefold.store import Store


def home() -> str:
    """Return the folder that everything is kept in."""
    chosen = os.environ.get("NINEFOLD_HOME", "").strip()
    if chosen:
        return str(Path(chosen).expanduser())
    return user_data_dir("ninefold", appauthor=False)


def open_store() -> Store:
    """Return the store of whoever is at the keyboard; it is opened when it is used."""
    return SqliteStore(
        home(), clock=lambda: datetime.now(UTC), new_id=lambda: str(uuid4())
    )


@contextmanager
def opened_store(console: Console) -> Iterator[Store]:
    """Open the store, and say afterwards what a person should know of it."""
    with open_store() as store:
        yield store
        for notice in store.take_notices():
            console.notice(notice)
