"""One match being played: asks and commands in, events out, with no input or output.

::

    setup     the agreement before a match
    commands  asks of a seat, and the commands that a log is made of
    events    the events of a command, and the questions before a move counts
    stage     the match after the commands of its log, and what another makes of it
    session   a stage that decides what becomes of an ask
    table     a match at which one sits, and the news that it reports
"""

from ninefold.session.commands import (
    Ask,
    Asked,
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
    Withdraw,
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
    Withdrawn,
)
from ninefold.session.session import Session, retry_of
from ninefold.session.setup import Lessons, Setup, check_names

__all__ = [
    "Answered",
    "Ask",
    "AskNeedlessLoss",
    "AskProduct",
    "AskRematch",
    "AskSlip",
    "AskTakeBack",
    "Asked",
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
    "Withdraw",
    "Withdrawn",
    "check_names",
    "retry_of",
]
