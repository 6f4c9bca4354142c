"""The store of the person at the keyboard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from ninefold.cli.console import Console
from ninefold.errors import StoreUnavailable
from ninefold.store import Store


def home(environ: Mapping[str, str]) -> str:
    """Return the folder that everything is kept in."""
    chosen = environ.get("NINEFOLD_HOME", "").strip()
    if chosen:
        try:
            return str(Path(chosen).expanduser())
        except RuntimeError:  # there is no such user, so there is no such folder
            problem = "no such home is known; set NINEFOLD_HOME to another folder"
            raise StoreUnavailable(chosen, problem) from None
    # Loading platformdirs takes 6 ms, which only the first game kept should wait for.
    from platformdirs import user_data_dir

    return user_data_dir("ninefold", appauthor=False)


def open_store(console: Console) -> Store:
    """Return the store; its file is opened when it is used."""
    # Loading SQLite takes 6 ms, which the first prompt should not wait for.
    from ninefold.store.sqlite import SqliteStore

    return SqliteStore(
        home(console.environ), clock=console.clock, new_id=lambda: str(uuid4())
    )


@contextmanager
def opened_store(console: Console) -> Iterator[Store]:
    """Open the store, and say afterwards what a person should know of it."""
    with open_store(console) as store:
        yield store
        for notice in store.take_notices():
            console.notice(notice)
