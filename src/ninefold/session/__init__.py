"""One match being played: asks and commands in, events out, without I/O.

::

    new_match       a match as a person describes it, which becomes a setup
    setup           what the players agree on before a match; the length of names
    coach_settings  the help in a match: coach, second chances, mental arithmetic, hints
    coach_warnings  how often the coach warns, and which slips
    commands        the asks of a seat, and the commands of a log
    events          the events of a command, and the questions before a move counts
    match_state     applies commands: moves, undo, resigning, next game, rematch
    match_session   decides what a seat may ask, and which command results
    table           where a surface plays a match, and the news it reports
"""

from ninefold.session.coach_settings import Lessons
from ninefold.session.commands import (
    PLAIN_ASKS,
    AllowTakeBack,
    Ask,
    AskRematch,
    AskTakeBack,
    CancelRequest,
    Command,
    DeclineTakeBack,
    GiveBack,
    Move,
    NextGame,
    PlainAsk,
    Rematch,
    RemoteAsk,
    RequestRematch,
    Resign,
    ResignGame,
    Retry,
    Sit,
    StartNextGame,
    TakeBack,
    Undo,
    Withdraw,
)
from ninefold.session.events import (
    Answered,
    Began,
    Ended,
    Event,
    GivenBack,
    LossQuestion,
    Moved,
    ProductQuestion,
    Question,
    RematchAsked,
    Resigned,
    Scored,
    Seated,
    SlipQuestion,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
    Withdrawn,
)
from ninefold.session.match_session import Session, retry_of
from ninefold.session.new_match import FRIEND, HERE, TOSS, Proposal, ProposedLength
from ninefold.session.setup import Setup, check_names, clean_name

__all__ = [
    "FRIEND",
    "HERE",
    "PLAIN_ASKS",
    "TOSS",
    "AllowTakeBack",
    "Answered",
    "Ask",
    "AskRematch",
    "AskTakeBack",
    "Began",
    "CancelRequest",
    "Command",
    "DeclineTakeBack",
    "Ended",
    "Event",
    "GiveBack",
    "GivenBack",
    "Lessons",
    "LossQuestion",
    "Move",
    "Moved",
    "NextGame",
    "PlainAsk",
    "ProductQuestion",
    "Proposal",
    "ProposedLength",
    "Question",
    "Rematch",
    "RematchAsked",
    "RemoteAsk",
    "RequestRematch",
    "Resign",
    "ResignGame",
    "Resigned",
    "Retry",
    "Scored",
    "Seated",
    "Session",
    "Setup",
    "Sit",
    "SlipQuestion",
    "StartNextGame",
    "TakeBack",
    "TakeBackAsked",
    "TakeBackDeclined",
    "TakenBack",
    "Undo",
    "Withdraw",
    "Withdrawn",
    "check_names",
    "clean_name",
    "retry_of",
]
