"""Reading a record from wherever a person keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.cli.files import Unreadable, read_file
from ninefold.entries import show_entry
from ninefold.errors import RecordError
from ninefold.record import is_record, read

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.record import Record

_LARGEST_FILE = 10_000_000


def read_record(console: Console, name: str) -> Record:
    """Read a record: its line itself, a file, or ``-`` for standard input."""
    if name == "-":
        return read(console.read_all().removeprefix("\ufeff"))
    if is_record(name):
        return read(name)
    try:
        return read(read_file(Path(name), _LARGEST_FILE))
    except Unreadable as error:
        problem = f"{error}; nor is this a record, which begins with nf1."
        raise RecordError(show_entry(name), problem) from None
