"""ninefold: the home of the multiplication games.

Imports point down this list only. Everything below ``store`` is pure.

::

    main               starts a surface: the command line, the app or the server
    cli  app  server   the surfaces
    rl                 environments and scores for research; needs an extra
    online             the client of a server, and the messages between them
    arena              bots: external programs that play; tournaments
    playing            sitting at a table: scene, presenter; the page's state and walks
    views              what a surface shows, as data
    store              matches and learning on disk
    classroom          a class: pupils, rounds, questions
    pairing            who plays whom in a class
    session            one match being played
    learning           multiplication facts and puzzles
    coach              hints, slips, reviews
    matchups           exact chances of any two ways to play
    levels             the computer's levels
    theory             the perfect answer at any position, and why
    rulebooks          the five games as data: rules and words
    notation           a game as one line and as JSON; the codec of every JSON
    match              a series of games: length, score, who starts
    game               the moves of one game
    rules              what a move does, who wins, the bounds of numbers
    errors             every error that is raised
    text               numbers and sets in words; escaping, shortening
"""

from ninefold.coach import review
from ninefold.errors import (
    BotFailed,
    ClassError,
    DamagedClass,
    DamagedMatch,
    DamagedStore,
    ExportError,
    GameOver,
    IllegalMove,
    InvalidLink,
    MatchChanged,
    MatchError,
    MissingExtra,
    MoveError,
    NameInUse,
    NameTaken,
    NinefoldError,
    NoPendingRequest,
    NothingToUndo,
    OnlineError,
    OutOfTurn,
    PositionError,
    ProposalError,
    PuzzleError,
    QuestionOpen,
    RecordError,
    RequestRefused,
    ResponseTooLarge,
    RevisionConflict,
    RulebookError,
    RulesError,
    SeatTaken,
    SeatVacant,
    ServerUnreachable,
    SessionError,
    SetupError,
    StoreError,
    StoreTooNew,
    StoreUnavailable,
    TakebackNotAllowed,
    TheoryError,
    TooLarge,
    UnknownClass,
    UnknownLearner,
    UnknownMatch,
    UnknownRulebook,
)
from ninefold.game import Game, Outcome, Seat
from ninefold.levels import LEVELS
from ninefold.match import Length, Match, StartRule
from ninefold.notation import Record
from ninefold.rulebooks import Narrator, Rulebook
from ninefold.rules import Ending, Reason, Rules, Verdict
from ninefold.theory import Oracle, Position, explain

__version__ = "0.1.0"

__all__ = [
    "LEVELS",
    "BotFailed",
    "ClassError",
    "DamagedClass",
    "DamagedMatch",
    "DamagedStore",
    "Ending",
    "ExportError",
    "Game",
    "GameOver",
    "IllegalMove",
    "InvalidLink",
    "Length",
    "Match",
    "MatchChanged",
    "MatchError",
    "MissingExtra",
    "MoveError",
    "NameInUse",
    "NameTaken",
    "Narrator",
    "NinefoldError",
    "NoPendingRequest",
    "NothingToUndo",
    "OnlineError",
    "Oracle",
    "OutOfTurn",
    "Outcome",
    "Position",
    "PositionError",
    "ProposalError",
    "PuzzleError",
    "QuestionOpen",
    "Reason",
    "Record",
    "RecordError",
    "RequestRefused",
    "ResponseTooLarge",
    "RevisionConflict",
    "Rulebook",
    "RulebookError",
    "Rules",
    "RulesError",
    "Seat",
    "SeatTaken",
    "SeatVacant",
    "ServerUnreachable",
    "SessionError",
    "SetupError",
    "StartRule",
    "StoreError",
    "StoreTooNew",
    "StoreUnavailable",
    "TakebackNotAllowed",
    "TheoryError",
    "TooLarge",
    "UnknownClass",
    "UnknownLearner",
    "UnknownMatch",
    "UnknownRulebook",
    "Verdict",
    "__version__",
    "explain",
    "review",
]
