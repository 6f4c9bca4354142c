"""One match being played: commands in, events out, with no input or output.

::

    setup     what is agreed before a match
    commands  what can be done; the log of a match is made of them
    events    what comes of a command, and what is asked before a move counts
    session   the match at some point
"""

from ninefold.session.commands import (
    Command,
    GiveBack,
    Move,
    NextGame,
    Rematch,
    Resign,
    Retry,
    Undo,
)
from ninefold.session.events import (
    Answered,
    AskNeedlessLoss,
    AskProduct,
    AskSlip,
    Began,
    Ended,
    Event,
    GivenBack,
    Moved,
    Question,
    Resigned,
    Scored,
    TakenBack,
)
from ninefold.session.session import Session, retry_of
from ninefold.session.setup import Lessons, Setup, check_names

__all__ = [
    "Answered",
    "AskNeedlessLoss",
    "AskProduct",
    "AskSlip",
    "Began",
    "Command",
    "Ended",
    "Event",
    "GiveBack",
    "GivenBack",
    "Lessons",
    "Move",
    "Moved",
    "NextGame",
    "Question",
    "Rematch",
    "Resign",
    "Resigned",
    "Retry",
    "Scored",
    "Session",
    "Setup",
    "TakenBack",
    "Undo",
    "check_names",
    "retry_of",
]
