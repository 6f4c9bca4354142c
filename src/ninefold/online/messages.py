"""The messages between server and clients: ``docs/protocol.md``.

A request of a seat carries ``seq``, the revision that it is based on, and a
``request_id``, which the sender chooses: a repeat gets the first response again.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from ninefold.errors import ProposalError, RecordError, SetupError
from ninefold.game import Seat
from ninefold.learning import AnswerKind
from ninefold.learning.items import Seconds
from ninefold.playing.scene import Offer
from ninefold.playing.state import QuestionView, State
from ninefold.session import Event, GivenBack, Lessons, Setup, commands, new_match
from ninefold.session.setup import LONGEST_NAME, clean_name
from ninefold.views.number_line import LineView
from ninefold.views.progress import CardRow
from ninefold.views.review import ReviewView
from ninefold.views.solutions import PuzzleView, RulebookRow

Shown = TypeVar("Shown", Setup, commands.Command, Event)

FORMAT = 1
"""The format of a log; a client that supports only an older one has to be updated."""
MOST_MOVES = 1_000
"""The most moves of a game to retry; a request with more is too large anyway."""
LONGEST_ITEM_KEY = 1_000
MOST_ENTRIES = 500
"""The most entries in a step of the path: more than a hundred games."""

RequestId: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{16,64}$(?!\n)",
        title="16 to 64 letters, digits, - and _",
        description="Chosen by the sender, at random: who knows it can repeat it.",
    ),
]
Typed: TypeAlias = Annotated[
    str, Meta(max_length=2_000, title="at most 2,000 characters")
]
"""Text that a person types: the server parses it, and explains what to type instead."""
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


def check_names(setup: Setup) -> None:
    """Raise ``SetupError`` for names that a genuine server would have refused."""
    for name in setup.names:
        if clean_name(name) != name:
            message = "a name has one space between words, and none around them"
            raise SetupError(message)


# Requests


class CreateMatch(new_match.Proposal, frozen=True, kw_only=True):
    """A request for a new match; its sender takes seat 1, or both."""

    book_text: None = None
    player: Literal["human"] = "human"
    moves: Annotated[tuple[int, ...], Meta(max_length=MOST_MOVES)] | None = None
    """To retry a game from these moves, against a level or with both seats here."""
    request_id: RequestId

    def setup(self, seed: int, bots: Mapping[Seat, str] | None = None) -> Setup:
        """Return the setup; also reject fields that do not fit the opponent."""
        if self.other_name is not None and self.opponent != new_match.HERE:
            field = "other_name"
            problem = f"'{field}' applies only to '{new_match.HERE}'; leave it out"
            raise ProposalError(field, problem)
        if self.moves is not None and self.opponent == new_match.FRIEND:
            field = "moves"
            problem = f"a retry is against a level, or '{new_match.HERE}'"
            raise ProposalError(field, problem)
        return super().setup(seed, bots)

    def read_name(self, given: str) -> str:
        """Return the cleaned name; raise ``SetupError`` if it is not readable."""
        return clean_name(given)


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request for the free seat."""

    name: Name
    lessons: Lessons | None = None
    """By default, what the other seat agreed to."""
    request_id: RequestId


class LogAsk(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An ask based on a known revision (``seq``) and digest (``head``) of the log."""

    seq: Seq
    head: Annotated[str, Meta(max_length=64)] | None = None
    """The digest of the log at ``seq``, if the sender knows it."""
    request_id: RequestId
    ask: commands.RemoteAsk

    def __post_init__(self) -> None:
        """Require the multiplier of a second chance, which only a public log lacks."""
        if isinstance(self.ask, commands.GiveBack) and self.ask.multiplier is None:
            place, problem = "ask.multiplier", "this key is missing"
            raise RecordError(place, problem)


# The log


class WireCommand(Struct, frozen=True):
    """A command of a log."""

    number: int
    """1, 2, 3 ... through all games and rematches."""
    at: datetime
    command: commands.Command


class LogPage(Struct, frozen=True, kw_only=True):
    """The commands after a number, up to the size of a page."""

    seq: int
    """The number of the last command of the page or, if it is empty, of the log."""
    head: str
    """The digest of the log at ``seq``."""
    log: tuple[WireCommand, ...]
    more: bool = False
    """Whether more commands follow: request those after ``seq``."""


class MatchLog(LogPage, frozen=True, kw_only=True):
    """A match: the setup that it started with, and its log."""

    format: int = FORMAT
    setup: Setup
    your_seat: Seat | None = None
    """The seat whose secret the request has; null for a spectator."""


class LogStep(WireCommand, frozen=True):
    """A command in the stream of a log; its ``number`` is the event's id."""

    head: str
    """The digest of the log after this command."""


# The public form of a log, and its digest


def public(value: Shown) -> Shown:
    """Return the public form of a setup, a command or an event.

    Only the server knows the seed. The multiplier of a second chance would show the
    other seat what to avoid.
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


# Responses


class SeatedState(State, frozen=True, kw_only=True):
    """The state for someone who has just taken a seat."""

    secret: str
    """Proves the seat: ``Authorization: Bearer SECRET``."""
    link: str
    """The address to take the other seat, or to watch the match."""


class Message(Struct, frozen=True):
    """The result of one command: a message of the stream, with its ``seq`` as id."""

    events: tuple[Event, ...]
    state: State


class Refusal(Struct, frozen=True):
    """The reason for refusing a request."""

    error: str
    """A code for programs."""
    detail: Annotated[str, Meta(max_length=4_000, title="at most 4,000 characters")]
    """A sentence for people."""
    field: str | UnsetType = UNSET
    """The invalid field of the request, if no match can be created."""
    state: State | UnsetType = UNSET
    """The current match, if the request was out of date or out of turn."""
    log: LogPage | UnsetType = UNSET
    """The commands after ``seq``, instead of the state, with ``?as=log``."""
    multipliers: tuple[int, ...] | UnsetType = UNSET
    """The legal multipliers, if the rules reject a move."""
    question: QuestionView | UnsetType = UNSET


class HintStep(Struct, frozen=True):
    """One step of a hint; the last one may name a move."""

    text: str
    multiplier: int | None


class HintView(Struct, frozen=True):
    """A hint in steps: the idea, the totals to aim for, the move."""

    steps: tuple[HintStep, ...]


class WhyView(Struct, frozen=True):
    """Who wins from here and why, and the line with its losing bands."""

    why: str
    line: LineView


class EndedGame(Struct, frozen=True):
    """A game that has ended, by its numbers, and its winner."""

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
    """A sentence that explains the bands of the line."""
    answers: tuple[int | None, ...]
    """The product entered for each move; null if there was no question."""
    games: tuple[EndedGame, ...]
    """Every game that has ended, oldest first."""
    retry: Offer | None
    """An offer to retry the game; null without a slip, and for a spectator."""


class LevelRow(Struct, frozen=True):
    """A level of the computer, and its character."""

    key: str
    title: str
    character: str


class GameChoice(RulebookRow, frozen=True):
    """A game in the list of games."""

    apart: str
    """What distinguishes it from others with the same aim; may be empty."""


class Choices(Struct, frozen=True):
    """The games and levels to choose from."""

    games: tuple[GameChoice, ...]
    levels: tuple[LevelRow, ...]


class RulesInWords(Struct, frozen=True):
    """The rules of a match, in the words of its rule book."""

    title: str
    aim: str
    text: str


class PosedPuzzle(PuzzleView, frozen=True, kw_only=True):
    """A puzzle, and its position as the state of a table."""

    task: str
    """The question, without the total and the turn, which the state shows."""
    state: State


class ItemView(Struct, frozen=True):
    """A practice item."""

    key: str
    text: str
    kind: AnswerKind
    choices: tuple[str, ...]
    """The possible answers; empty if any number is one."""
    target: int | None = None
    """The target of the game, if the answer is a band to shade on a line."""


class PracticeRound(Struct, frozen=True):
    """Practice items to answer in order."""

    items: tuple[ItemView, ...]
    answered: int
    """The number of answers that the learner has given before."""


class PathStep(Struct, frozen=True):
    """A step of the path."""

    title: str
    is_done: bool


class PathChapter(Struct, frozen=True):
    """The steps about games with one ending."""

    key: str
    title: str
    """What the chapter teaches."""
    aim: str
    steps: tuple[PathStep, ...]


class PathView(Struct, frozen=True):
    """The path, and the progress of this browser's learner on it."""

    chapters: tuple[PathChapter, ...]
    next_chapter: str | None
    next_step: int | None
    """The first step that is not done, from 1; both are null if all are done."""


PlaySeed: TypeAlias = Annotated[
    int,
    Meta(
        ge=0,
        le=2**32 - 1,
        description="The seed of the computer's moves: the same one repeats them.",
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
    """The time that the last answer took."""
    request_id: RequestId


class PracticeEntry(_Answered, frozen=True, kw_only=True):
    """All entries for an item so far; the server responds to the last."""

    item: Annotated[str, Meta(max_length=LONGEST_ITEM_KEY)]


class StepEntry(_Answered, frozen=True, kw_only=True):
    """All entries for a step of the path so far; the server responds to the last."""

    seed: PlaySeed = 0
    chapter: Literal["reach", "avoid", "exactly"]
    step: Annotated[int, Meta(ge=1, le=8)]


class ClaimEntry(_WalkEntry, frozen=True, kw_only=True):
    """A claim about a total, and all entries so far to play it out."""

    seed: PlaySeed = 0
    game: Typed
    target: Typed | None = None
    multipliers: Typed | None = None
    start: Typed | None = None
    total: Typed
    lost: bool


class WalkView(Struct, frozen=True, kw_only=True):
    """The result of the last entry, and what to enter next."""

    shown: tuple[str | State, ...]
    """The texts, and the game after each move, in order.

    After the answer to a puzzle, its game after that move.
    """
    caption: str
    """The current game, if there are several; may be empty."""
    right: bool | None
    """Whether the entry was right; null if it was not an answer."""
    item: ItemView | None
    """The current item; null during a game."""
    line: LineView | None
    """The line to shade, for a band."""
    is_over: bool
    is_done: bool
    """Whether it is over, and everything was right."""
    closing: str
    """A sentence on whether the step is done; empty before its end."""


class UpdateLearner(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to name this browser's learner, or to remove them."""

    name: Name | None
    """Null removes the learner and every answer."""
    request_id: RequestId


class OfferTransfer(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a link that moves this learner's progress to another device."""

    request_id: RequestId


class TransferOffer(Struct, frozen=True):
    """A link that works once, for some minutes."""

    link: str
    qr: str
    """The link as a QR code in SVG."""
    minutes: int
    """The minutes for which it works."""


class TakeTransfer(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to use the progress that a link offers."""

    code: Annotated[str, Meta(max_length=100)]
    """The end of the link."""
    request_id: RequestId


class LearnerView(Struct, frozen=True):
    """What this browser's learner knows."""

    name: str
    """The learner's name, or ""."""
    answered: int
    facts: tuple[CardRow, ...]
    skills: tuple[CardRow, ...]
    """The skills, each by its name and an example."""
    meanings: dict[str, str]
    """The meaning of each standing."""
    games: str
    """The games against each level over time, and the slips; may be empty."""
    digest: tuple[str, ...]
    """A summary in at most five sentences; the last one is a suggestion."""
    gain: str = ""
    """What improved after ``after``, and when the next practice is due."""
