"""The messages of the wire, which server and clients share: ``docs/protocol.md``.

A request of a seat carries ``seq``, the revision that it was made at, and a
``request_id``, which the sender chooses: sent again, it gets the first answer again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Literal, TypeAlias, TypeVar
from unicodedata import category, normalize

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from ninefold.errors import ProposalError, RecordError, SetupError
from ninefold.game import Seat
from ninefold.learning import AnswerKind
from ninefold.learning.items import Seconds
from ninefold.playing.scene import Offer
from ninefold.playing.state import QuestionView, State
from ninefold.session import Event, GivenBack, Lessons, Setup, commands, proposal
from ninefold.session.setup import LONGEST_NAME
from ninefold.text import without_joiners
from ninefold.views.number_line import LineView
from ninefold.views.progress import CardRow
from ninefold.views.review import ReviewView
from ninefold.views.solutions import PuzzleView, RulebookRow

Shown = TypeVar("Shown", Setup, commands.Command, Event)

FORMAT = 1
"""The format of a log; a client that knows only an older one must be updated."""
MOST_MOVES = 1_000
"""Of a game that is tried again; a request that names more is too large anyway."""
LONGEST_ITEM_KEY = 1_000
MOST_ENTRIES = 500
"""Of a step of the path: more than a hundred games."""

RequestId: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{16,64}$(?!\n)",
        title="16 to 64 letters, digits, - and _",
        description="Chosen by the sender, at random: whoever knows it can repeat it.",
    ),
]
Typed: TypeAlias = Annotated[
    str, Meta(max_length=2_000, title="at most 2,000 characters")
]
"""What somebody types: the server reads it, and says what to type instead."""
MatchId: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$(?!\n)")]
Seq: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Name: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4 * LONGEST_NAME,  # before it is composed and trimmed
        title=f"a name of 1 to {LONGEST_NAME} characters",
    ),
]


# Names that strangers give themselves

_REFUSED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Control, format and bidirectional characters, and those that mean nothing."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs that show nothing."""
_DROPPED = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""They vary the sign before, such as a heart's colour; alone they show nothing."""
_STACKED = re.compile("^M|MMMM")
"""Marks on nothing, or so many on one letter that they cover other lines."""


def clean_name(given: str) -> str:
    r"""Compose a name and trim it; refuse one that could not be shown or read.

    >>> clean_name("  Zoe\u0308  B ")
    'Zoë B'
    >>> clean_name("\U0001f468\u200d\U0001f680") == "\U0001f468\u200d\U0001f680"
    True
    >>> clean_name("Ada\u202e")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ninefold.errors.SetupError: a name has 1 to 24 characters that can be seen; ...
    """
    composed = normalize("NFC", given.translate(_DROPPED))
    name = " ".join(composed.split())
    seen = without_joiners(composed)
    unseen = any(category(each) in _REFUSED or each in _BLANK for each in seen)
    stacked = _STACKED.search("".join(category(each)[0] for each in name))
    if unseen or stacked or not 1 <= len(name) <= LONGEST_NAME:
        message = (
            f"a name has 1 to {LONGEST_NAME} characters that can be seen;"
            " choose another"
        )
        raise SetupError(message)
    return name


def check_names(setup: Setup) -> None:
    """Refuse names that no server of ours would have let anybody take."""
    for name in setup.names:
        if clean_name(name) != name:
            message = "a name has one space between two words, and none around it"
            raise SetupError(message)


# Requests


class CreateMatch(proposal.Proposal, frozen=True, kw_only=True):
    """A request for a new match; its sender sits in seat 1, or in both."""

    book_text: None = None
    player: Literal["human"] = "human"
    moves: Annotated[tuple[int, ...], Meta(max_length=MOST_MOVES)] | None = None
    """A game is tried again from these moves, against a level or by both here."""
    request_id: RequestId

    def setup(self, seed: int, bots: Mapping[Seat, str] | None = None) -> Setup:
        """Return the set-up; reject what only some opponents have, too."""
        if self.other_name is not None and self.opponent != proposal.HERE:
            field = "other_name"
            problem = f"'{field}' is for the opponent '{proposal.HERE}'; leave it out"
            raise ProposalError(field, problem)
        if self.moves is not None and self.opponent == proposal.FRIEND:
            field, problem = (
                "moves",
                f"a game is tried again against a level, or '{proposal.HERE}'",
            )
            raise ProposalError(field, problem)
        return super().setup(seed, bots)

    def read_name(self, given: str) -> str:
        """Return a name as strangers may have it."""
        return clean_name(given)


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request for the free seat."""

    name: Name
    lessons: Lessons | None = None
    """Without it, you agree to what the other seat wants."""
    request_id: RequestId


class LogAsk(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A seat asks for something, in step with the log as it knows it."""

    seq: Seq
    head: Annotated[str, Meta(max_length=64)] | None = None
    """The digest of the log at ``seq``, where the sender knows it."""
    request_id: RequestId
    ask: commands.RemoteAsk

    def __post_init__(self) -> None:
        """Reject a move given back without its multiplier, as only a log has it."""
        if isinstance(self.ask, commands.GiveBack) and self.ask.multiplier is None:
            place, problem = "ask.multiplier", "this key is missing"
            raise RecordError(place, problem)


# The log


class WireCommand(Struct, frozen=True):
    """A command of a log."""

    number: int
    """1, 2, 3 ... without ever restarting."""
    at: datetime
    command: commands.Command


class LogPage(Struct, frozen=True, kw_only=True):
    """The commands after a number, as many as a page holds."""

    seq: int
    """The number of the last command of the page; without one, of the log."""
    head: str
    """The digest of the log at ``seq``."""
    log: tuple[WireCommand, ...]
    more: bool = False
    """Whether further commands follow: ask for those after ``seq``."""


class MatchLog(LogPage, frozen=True, kw_only=True):
    """A match: its set-up as it was first agreed, and its log."""

    format: int = FORMAT
    setup: Setup
    your_seat: Seat | None = None
    """The seat that the request proves; None for a spectator."""


class LogStep(WireCommand, frozen=True):
    """A command as a stream of a log sends it, with ``number`` as its id."""

    head: str
    """The digest of the log after this command."""


# What everybody may see of a log, and its digest


def public(value: Shown) -> Shown:
    """Return a set-up, a command or an event as everybody may see it.

    Chance is the server's alone. The move that the coach gave back would show the other
    seat what to avoid.
    """
    match value:
        case Setup():
            return replace(value, seed=None)
        case commands.GiveBack() | GivenBack():
            return replace(value, multiplier=None)
    return value


def first_head(setup: Setup) -> str:
    """Return the digest of a log without commands."""
    return _digest(msgspec.json.encode(public(setup)))


def next_head(head: str, command: commands.Command) -> str:
    """Return the digest of a log after another command."""
    return _digest(head.encode() + msgspec.json.encode(public(command)))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


# Answers


class SeatedState(State, frozen=True, kw_only=True):
    """The state for somebody who has just sat down."""

    secret: str
    """Proves the seat: ``Authorization: Bearer SECRET``."""
    link: str
    """Where the other seat is taken, and the match is watched."""


class Message(Struct, frozen=True):
    """What one command brought: a message of the stream, with its ``seq`` as id."""

    events: tuple[Event, ...]
    state: State


class Refusal(Struct, frozen=True):
    """Why a request is refused."""

    error: str
    """A code for programs."""
    detail: Annotated[str, Meta(max_length=4_000, title="at most 4,000 characters")]
    """A sentence for people."""
    field: str | UnsetType = UNSET
    """The field of the request of which it speaks, where no match can be made."""
    state: State | UnsetType = UNSET
    """The match as it stands, where the request was out of step or out of turn."""
    log: LogPage | UnsetType = UNSET
    """The commands after ``seq``, instead of the state, with ``?as=log``."""
    multipliers: tuple[int, ...] | UnsetType = UNSET
    """The legal ones, where the rules refuse a move."""
    question: QuestionView | UnsetType = UNSET


class HintStep(Struct, frozen=True):
    """One step of a hint; the last one may name a move."""

    text: str
    multiplier: int | None


class HintView(Struct, frozen=True):
    """A hint in steps: the idea, the totals to aim for, the move."""

    steps: tuple[HintStep, ...]


class WhyView(Struct, frozen=True):
    """Who wins from here and why, and the line with its lost bands."""

    why: str
    line: LineView


class EndedGame(Struct, frozen=True):
    """Which game of which match has ended, and who won it."""

    match_number: int
    number: int
    winner: Seat


class GameReview(Struct, frozen=True):
    """The review of a game of the match, and its line with bands and turning point."""

    match_number: int
    number: int
    first: Seat
    review: ReviewView
    line: LineView
    caption: str
    """What the bands of the line mean, in a sentence."""
    answers: tuple[int | None, ...]
    """The product that was given for each move; null where none was asked for."""
    games: tuple[EndedGame, ...]
    """Every game that has ended, the oldest first."""
    retry: Offer | None
    """To try the game again; null where nobody slipped, and for a spectator."""


class LevelRow(Struct, frozen=True):
    """A strength of the computer, and its character."""

    key: str
    title: str
    character: str


class GameChoice(RulebookRow, frozen=True):
    """One of the games, beside the others."""

    apart: str
    """What tells it from others with the same aim; may be empty."""


class Choices(Struct, frozen=True):
    """What a match can be made of."""

    games: tuple[GameChoice, ...]
    levels: tuple[LevelRow, ...]


class RulesInWords(Struct, frozen=True):
    """The rules of a match, as its rule book tells them."""

    title: str
    aim: str
    text: str


class PosedPuzzle(PuzzleView, frozen=True, kw_only=True):
    """A puzzle, and its position as a table shows it."""

    task: str
    """The question where the table shows the total and whose turn it is."""
    state: State


class ItemView(Struct, frozen=True):
    """Something that is practised."""

    key: str
    text: str
    kind: AnswerKind
    choices: tuple[str, ...]
    """The only answers that there are; empty for any number."""
    target: int | None = None
    """The target of the game in which a band lies, where it can be shaded."""


class PracticeRound(Struct, frozen=True):
    """Items to answer one after another."""

    items: tuple[ItemView, ...]
    answered: int
    """How many answers the learner had given before."""


class PathStep(Struct, frozen=True):
    """A step of the path."""

    title: str
    is_done: bool


class PathChapter(Struct, frozen=True):
    """The steps of one kind of game."""

    key: str
    title: str
    """What one does in it."""
    aim: str
    steps: tuple[PathStep, ...]


class PathView(Struct, frozen=True):
    """The path, and how far the learner of this browser has come."""

    chapters: tuple[PathChapter, ...]
    next_chapter: str | None
    next_step: int | None
    """The first step that is not done, from 1; both null where all are."""


PlaySeed: TypeAlias = Annotated[
    int,
    Meta(
        ge=0,
        le=2**32 - 1,
        description="Makes the computer's moves: the same one leads to the same place.",
    ),
]


class _WalkEntry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    entries: Annotated[
        tuple[Typed, ...],
        Meta(max_length=MOST_ENTRIES, title=f"at most {MOST_ENTRIES} entries"),
    ]
    """Answers and multipliers; ``?`` asks for help, ``skip`` and ``resign`` give up."""


class _Answered(_WalkEntry, frozen=True, kw_only=True):
    seconds: Seconds | None = None
    """How long the last answer took."""
    request_id: RequestId


class PracticeEntry(_Answered, frozen=True, kw_only=True):
    """Everything that was entered at an item."""

    item: Annotated[str, Meta(max_length=LONGEST_ITEM_KEY)]


class StepEntry(_Answered, frozen=True, kw_only=True):
    """Everything that was entered at a step of the path."""

    seed: PlaySeed = 0
    chapter: Literal["reach", "avoid", "exactly"]
    step: Annotated[int, Meta(ge=1, le=8)]


class ClaimEntry(_WalkEntry, frozen=True, kw_only=True):
    """A claim about a total, and everything that was entered to play it out."""

    seed: PlaySeed = 0
    game: Typed
    target: Typed | None = None
    multipliers: Typed | None = None
    start: Typed | None = None
    total: Typed
    lost: bool


class WalkView(Struct, frozen=True, kw_only=True):
    """What came of the last entry, and what is wanted next."""

    shown: tuple[str | State, ...]
    """What is said, and the game after each move, in the order in which it came.

    After the answer to a puzzle, its game after that move.
    """
    caption: str
    """Which game is played now, of several; may be empty."""
    right: bool | None
    """Whether the entry was right; null where it was no answer."""
    item: ItemView | None
    """What is asked now; null where a game goes on."""
    line: LineView | None
    """The line to shade, for a band."""
    is_over: bool
    is_done: bool
    """Whether it is over, and everything was right."""
    closing: str
    """Whether a step is done, in a sentence; empty before its end."""


class UpdateLearner(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to name the learner of this browser, or to forget them."""

    name: Name | None
    """Null removes the learner and every answer."""
    request_id: RequestId


class OfferTransfer(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a link by which another device becomes this learner too."""

    request_id: RequestId


class TransferOffer(Struct, frozen=True):
    """A link that works once, and not for long."""

    link: str
    qr: str
    """The link as a QR code, an SVG."""
    minutes: int
    """How long it works."""


class TakeTransfer(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to become the learner whose link was opened."""

    code: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$(?!\n)")]
    """The end of the link."""
    request_id: RequestId


class LearnerView(Struct, frozen=True):
    """What the learner of this browser knows."""

    name: str
    """Empty where none was given."""
    answered: int
    facts: tuple[CardRow, ...]
    skills: tuple[CardRow, ...]
    """Each by its name and an example."""
    meanings: dict[str, str]
    """What each standing means."""
    games: str
    """The games against each level over time, and the slips; may be empty."""
    digest: tuple[str, ...]
    """Everything in at most five sentences; the last one is a suggestion."""
    gain: str = ""
    """What improved after ``after``, and when the next practice is due."""
