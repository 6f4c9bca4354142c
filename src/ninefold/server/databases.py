"""Which database a server has: a file that is its own, or PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from ninefold.errors import NinefoldError, StoreUnavailable
from ninefold.store import Store
from ninefold.store.sqlite import SqliteStore

Clock = Callable[[], datetime]

_SHORTEST_PATH = 2
_POSTGRES = ("postgresql", "postgres")


def open_database(url: str | None, home: Path, clock: Clock) -> Store:
    """Open the store that an address names; without one, a file in the home folder."""
    file = file_of(url, home)
    return _open_postgres(url or "", clock) if file is None else open_file(file, clock)


def file_of(url: str | None, home: Path) -> Path | None:
    """Return the file that an address names; None where it names a server."""
    parts = urlsplit(url or "")
    if parts.scheme in _POSTGRES:
        return None
    if url is None:
        return home / "server.db"
    if parts.scheme != "sqlite" or parts.netloc or len(parts.path) < _SHORTEST_PATH:
        shown = f"{parts.scheme}://..." if parts.scheme else "this"
        message = (
            f"{shown} is no database that is known; write sqlite:///FILE,"
            " sqlite:////FOLDER/FILE from the root, or postgresql://..."
        )
        raise NinefoldError(message)
    return Path(unquote(parts.path[1:]))


def open_file(file: Path, clock: Clock) -> Store:
    """Open the store in a file."""
    return SqliteStore(file.parent, clock=clock, new_id=new_id, file_name=file.name)


@contextmanager
def alone_with(file: Path, way_out: str) -> Iterator[None]:
    """Keep a file from other servers: neither would hear what the other does."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    try:
        file.parent.mkdir(0o700, parents=True, exist_ok=True)
        held = file.with_name(f"{file.name}.lock").open("w")
    except OSError as error:
        problem = f"{error.strerror or error}; allow it, or use another folder"
        raise StoreUnavailable(str(file), problem) from error
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            problem = f"another server is using it; end that one, or {way_out}"
            raise StoreUnavailable(str(file), problem) from None
        yield


def _open_postgres(url: str, clock: Clock) -> Store:
    try:
        from ninefold.store.postgres import PostgresStore
    except ModuleNotFoundError as error:
        message = (
            f"PostgreSQL needs {error.name}, which is not installed;"
            " run: pip install 'ninefold[cluster]'"
        )
        raise NinefoldError(message) from None
    return PostgresStore(url, clock=clock, new_id=new_id)


def new_id() -> str:
    """Return an id that nobody can guess."""
    return str(uuid4())
