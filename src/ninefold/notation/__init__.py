"""A game as one line and as JSON; reading rejects what the rules forbid.

::

    record_json  the record of a game, and its JSON
    record_line  a record as one line
    codec        values to JSON and back, for records, stores, exports and the wire

The record is the moves. The total and the result, which JSON has too, are checked
against the moves when it is read. ``docs/records.md`` describes both forms.

>>> from ninefold import Ending, Game, Rules
>>> game = Game.replay(Rules(Ending.REACH, 100), [5, 6, 3, 2])
>>> write_line(Record(game, "multiplication-madness"))
'nf1.multiplication-madness.reach100.5x6x3x2'
>>> read("nf1.multiplication-madness.reach100.5x6x3x2").game == game
True
>>> read("nf1.multiplication-madness.reach100.5x6x1")
Traceback (most recent call last):
ninefold.errors.RecordError: column 41: 1 is not a multiplier here; choose one of 2-9
"""

from ninefold.notation.record_json import Record, read_json, write_json
from ninefold.notation.record_line import read_line, write_line
from ninefold.text import is_digits

__all__ = [
    "Record",
    "is_record",
    "read",
    "read_json",
    "read_line",
    "write_json",
    "write_line",
]

_JSON_BEGINS = "{"
_LINE_BEGINS = "nf"


def is_record(text: str) -> bool:
    """Whether a text starts like a record; the rest of it may still be wrong.

    >>> is_record("nf2.-.reach100"), is_record("nf-notes.txt")
    (True, False)
    """
    text = text.lstrip()
    version, dot, _ = text.partition(".")
    is_line = version.startswith(_LINE_BEGINS) and bool(dot)
    return text.startswith(_JSON_BEGINS) or (
        is_line and is_digits(version.removeprefix(_LINE_BEGINS))
    )


def read(text: str) -> Record:
    """Read a record in either of its forms."""
    is_json = text.lstrip().startswith(_JSON_BEGINS)
    return read_json(text) if is_json else read_line(text)
