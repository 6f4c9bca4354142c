"""Reading a record from wherever a person keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.cli.files import Unreadable, read_file
from ninefold.cli.storage import opened_store
from ninefold.entries import show_entry
from ninefold.errors import NinefoldError, RecordError
from ninefold.game import Seat
from ninefold.record import is_record, read

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.record import Record

LAST = "last"
_LARGEST_FILE = 10_000_000
_NO_NAMES = {seat: str(seat) for seat in Seat}


def read_record(console: Console, name: str) -> tuple[Record, dict[Seat, str]]:
    """Read a record, and what its players were called.

    It is the line itself, a file, ``-`` for standard input, or ``last`` for the last
    game that was played.
    """
    if name == LAST:
        return _last_game(console)
    if name == "-":
        return read(console.read_all().removeprefix("\ufeff")), _NO_NAMES
    if is_record(name):
        return read(name), _NO_NAMES
    try:
        return read(read_file(Path(name), _LARGEST_FILE)), _NO_NAMES
    except Unreadable as error:
        problem = f"{error}; nor is this a record, which begins with nf1."
        raise RecordError(show_entry(name), problem) from None


def _last_game(console: Console) -> tuple[Record, dict[Seat, str]]:
    with opened_store(console) as store:
        games = store.history(limit=1)
    if not games:
        message = "no game is kept yet; play one, or name a record"
        raise NinefoldError(message)
    return games[0].record, games[0].names
