"""Reading the record that a person names."""

from __future__ import annotations

from pathlib import Path

from ninefold.cli.console import Console, Unreadable
from ninefold.cli.files import read_file
from ninefold.cli.storage import opened_store
from ninefold.errors import NinefoldError, RecordError
from ninefold.game import Seat
from ninefold.notation import Record, is_record, read
from ninefold.text import excerpt

LAST = "last"
_LARGEST_FILE = 10_000_000
_NO_NAMES = (str(Seat.ONE), str(Seat.TWO))


def read_record(console: Console, name: str) -> tuple[Record, tuple[str, str]]:
    """Read a record, and what its players were called.

    It is the line itself, a file, ``-`` for standard input, or ``last`` for the last
    game that was played.
    """
    if name == LAST:
        return _last_game(console)
    if name == "-":
        try:
            return read(console.read_all(_LARGEST_FILE)), _NO_NAMES
        except Unreadable as error:
            place = "standard input"
            raise RecordError(place, str(error)) from None
    if is_record(name):
        return read(name), _NO_NAMES
    try:
        return read(read_file(Path(name), _LARGEST_FILE)), _NO_NAMES
    except Unreadable as error:
        problem = f"{error}; nor is this a record, which begins with nf1."
        raise RecordError(excerpt(name), problem) from None


def _last_game(console: Console) -> tuple[Record, tuple[str, str]]:
    with opened_store(console) as store:
        games = store.history(limit=1)
    if not games:
        message = "no game is kept yet; play one, or name a record"
        raise NinefoldError(message)
    return games[0].record(), games[0].names
