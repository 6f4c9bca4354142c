"""A game as one line, as JSON and as text; reading refuses what the rules refuse.

The record is the moves. Totals and results, where a form shows them, are checked
against the moves when it is read. ``docs/records.md`` describes the three forms.

>>> from ninefold import Ending, Game, Rules
>>> game = Game(Rules(Ending.REACH, 100), [5, 6, 3, 2])
>>> write_line(Record(game, "multiplication-madness"))
'nf1.multiplication-madness.reach100.5x6x3x2'
>>> read("nf1.multiplication-madness.reach100.5x6x3x2").game == game
True
>>> read("nf1.multiplication-madness.reach100.5x6x1")
Traceback (most recent call last):
ninefold.errors.RecordError: column 41: 1 is not a multiplier here; choose one of 2-9
"""

from ninefold.record.as_json import read_json, write_json
from ninefold.record.as_line import read_line, write_line
from ninefold.record.as_text import read_text, write_text
from ninefold.record.content import Record

__all__ = [
    "Record",
    "read",
    "read_json",
    "read_line",
    "read_text",
    "write_json",
    "write_line",
    "write_text",
]


def read(text: str) -> Record:
    """Read a record in whichever of the three forms it is."""
    text = text.strip()
    if text.startswith("{"):
        return read_json(text)
    if "\n" in text:
        return read_text(text)
    return read_line(text)
