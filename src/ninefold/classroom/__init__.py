"""A class: pupils who join with a code, play in pairs, and are asked together.

A class is a log of commands, like a match, and its tables are ordinary matches.

::

    commands   the commands of a log; tables and questions
    members    pupils, rounds and polls
    names      the names of the pupils on a device
    roster     a names file
    classroom  a class after the commands of its log
"""

from ninefold.classroom.classroom import Classroom
from ninefold.classroom.commands import (
    MOST_MINUTES,
    MOST_PUPILS,
    MOVER,
    OTHER,
    Answer,
    Apart,
    Ask,
    Bands,
    Close,
    Command,
    Door,
    EndRound,
    Join,
    Leave,
    LetIn,
    OpenTable,
    Pause,
    Question,
    Rename,
    Return,
    Reveal,
    Roster,
    StartRound,
    Table,
)
from ninefold.classroom.members import Poll, Pupil, Round
from ninefold.classroom.roster import parse_roster, read_roster

__all__ = [
    "MOST_MINUTES",
    "MOST_PUPILS",
    "MOVER",
    "OTHER",
    "Answer",
    "Apart",
    "Ask",
    "Bands",
    "Classroom",
    "Close",
    "Command",
    "Door",
    "EndRound",
    "Join",
    "Leave",
    "LetIn",
    "OpenTable",
    "Pause",
    "Poll",
    "Pupil",
    "Question",
    "Rename",
    "Return",
    "Reveal",
    "Roster",
    "Round",
    "StartRound",
    "Table",
    "parse_roster",
    "read_roster",
]
