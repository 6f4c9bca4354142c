"""Reading a record from wherever a person keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.errors import RecordError
from ninefold.record import read

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.record import Record

_LARGEST_FILE = 10_000_000


def read_record(console: Console, name: str) -> Record:
    """Read a record: its line itself, a file, or ``-`` for standard input."""
    if name == "-":
        return read(console.read_all())
    path = Path(name)
    try:
        if not path.is_file():
            return read(name)
        with path.open("rb") as file:
            return read(file.read(_LARGEST_FILE).decode())
    except (OSError, UnicodeDecodeError) as error:
        place, problem = name, f"this cannot be read: {error}"
        raise RecordError(place, problem) from None
