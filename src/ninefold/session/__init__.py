"""One match being played: commands in, events out, with no input or output.

::

    setup     what is agreed before a match
    commands  what can be done; the log of a match is made of them
    events    what comes of a command, and what is asked before a move counts
    stage     the match at some point, and what a command makes of it
    session   a stage with its log, and what is asked before a move counts
"""

from ninefold.session.commands import (
    AskRematch,
    AskTakeBack,
    Command,
    DeclineTakeBack,
    GiveBack,
    Move,
    NextGame,
    Rematch,
    Resign,
    Retry,
    Sit,
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
    RematchAsked,
    Resigned,
    Scored,
    Seated,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
)
from ninefold.session.session import Session, retry_of
from ninefold.session.setup import Lessons, Setup, check_names

__all__ = [
    "Answered",
    "AskNeedlessLoss",
    "AskProduct",
    "AskRematch",
    "AskSlip",
    "AskTakeBack",
    "Began",
    "Command",
    "DeclineTakeBack",
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
    "RematchAsked",
    "Resign",
    "Resigned",
    "Retry",
    "Scored",
    "Seated",
    "Session",
    "Setup",
    "Sit",
    "TakeBackAsked",
    "TakeBackDeclined",
    "TakenBack",
    "Undo",
    "check_names",
    "retry_of",
]
