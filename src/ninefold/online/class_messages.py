"""The messages of a class, between a server and the pages of teacher and pupils.

A device has one stream. Each of its messages is a whole view, so that a device that
comes back needs nothing from before.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from ninefold.classroom import commands
from ninefold.classroom.commands import MOST_PUPILS
from ninefold.game import Seat
from ninefold.online.messages import Name, RequestId, Typed
from ninefold.rules import Rules
from ninefold.session import Proposal
from ninefold.views.class_results import ResultRow
from ninefold.views.number_line import LineView

Names = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=2)]
Code = Annotated[str, Meta(max_length=100, title="six digits")]
"""Text that a person types as the code: the server explains what is wrong with it."""


class _Body(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


# Requests


class CreateClass(_Body, frozen=True, kw_only=True):
    """A request for a new class; its sender teaches it."""

    request_id: RequestId


class TeachClass(_Body, frozen=True, kw_only=True):
    """A request to teach the class of a link, whose end is the secret."""

    secret: Annotated[str, Meta(max_length=100)]
    request_id: RequestId


class EnterCode(_Body, frozen=True, kw_only=True):
    """A code, before anyone has a name."""

    code: Code


class JoinClass(_Body, frozen=True, kw_only=True):
    """A request to join a class with one name, or with two who share the device."""

    code: Code
    names: Names
    is_duel: bool = False
    """Whether the two play each other on this device."""
    is_back: bool = False
    """Whether it is the pupil of this name who comes back with another device."""
    request_id: RequestId


class GiveAnswer(_Body, frozen=True, kw_only=True, tag_field="do", tag="answer"):
    """Answer the question, or change the answer."""

    answer: Annotated[str, Meta(max_length=1_100)]


class LeaveClass(_Body, frozen=True, kw_only=True, tag_field="do", tag="leave-class"):
    """Leave the class, so that the next pupil can use the device."""


class OpenDoor(_Body, frozen=True, kw_only=True, tag_field="do", tag="door"):
    """Open or close the door to newcomers."""

    is_open: bool


class SetRoster(_Body, frozen=True, kw_only=True, tag_field="do", tag="roster"):
    """Offer these names, as a file has them: one a line; empty to type names."""

    text: Annotated[str, Meta(max_length=20_000)]


class Seating(_Body, frozen=True, kw_only=True):
    """The pupils of a table to open: two, or one who plays a level."""

    pupils: Annotated[tuple[int, ...], Meta(min_length=1, max_length=2)]
    level: str | None = None
    """None lets the server choose one for a pupil without a partner."""


class StartRound(_Body, frozen=True, kw_only=True, tag_field="do", tag="start-round"):
    """Start a round at these tables."""

    proposal: Proposal
    minutes: int
    tables: Annotated[tuple[Seating, ...], Meta(max_length=MOST_PUPILS)]


class OpenTable(_Body, frozen=True, kw_only=True, tag_field="do", tag="open-table"):
    """Move pupils to a table of their own, while a round is played."""

    table: Seating


class AskTyped(_Body, frozen=True, kw_only=True, tag_field="do", tag="ask-typed"):
    """Ask the class about a position that the teacher typed."""

    asks: Literal["winner", "move"]
    game: Typed
    target: Typed | None = None
    multipliers: Typed | None = None
    total: Typed | None = None


class PlayVote(_Body, frozen=True, kw_only=True, tag_field="do", tag="play-vote"):
    """Play the move with the most votes, have the computer reply, and ask again."""


PupilAsk = GiveAnswer | LeaveClass
TeacherAsk = (
    OpenDoor
    | SetRoster
    | StartRound
    | OpenTable
    | AskTyped
    | PlayVote
    | commands.LetIn
    | commands.Leave
    | commands.Rename
    | commands.Apart
    | commands.Pause
    | commands.EndRound
    | commands.Ask
    | commands.Reveal
    | commands.Bands
    | commands.Close
)


class ClassAsk(_Body, frozen=True, kw_only=True):
    """An ask of a pupil or of the teacher, whose cookie the request has."""

    ask: PupilAsk | TeacherAsk
    request_id: RequestId


class RemoveClass(_Body, frozen=True, kw_only=True):
    """A request to remove the class, its games and its results at once."""

    request_id: RequestId


# Responses

PupilStatus: TypeAlias = Literal[
    "knocks", "waits", "plays", "sent-back", "moved", "left", "over"
]


class Entrance(Struct, frozen=True):
    """What a device shows after the right code."""

    names: tuple[tuple[str, ...], ...] | None
    """The names to choose from; null if they are typed."""


class CreatedClass(Struct, frozen=True):
    """A new class."""

    link: str
    """The page to teach it; the end of the link is the teacher's secret."""


class RoundView(Struct, frozen=True, kw_only=True):
    """The round being played."""

    number: int
    title: str
    aim: str
    minutes: int
    seconds_left: float
    """The time that is left, which does not pass during a pause."""
    is_paused: bool


class PositionView(Struct, frozen=True, kw_only=True):
    """A position, in words and as a line without bands."""

    book: str
    title: str
    aim: str
    rules: Rules
    moves: tuple[int, ...]
    total: int
    text: str
    """The position in a sentence."""
    line: LineView


class ChoiceView(Struct, frozen=True):
    """A possible answer."""

    key: str
    label: str


class BarView(Struct, frozen=True):
    """How many gave an answer."""

    key: str
    count: int


class TruthView(Struct, frozen=True):
    """The right answers, the reason, and the line with its bands."""

    right: tuple[str, ...]
    text: str
    line: LineView


class PollView(Struct, frozen=True, kw_only=True):
    """The question to the class."""

    asks: Literal["winner", "move"]
    text: str
    """The question."""
    position: PositionView
    choices: tuple[ChoiceView, ...]
    own: str | None = None
    """The answer of this device."""
    answered: int
    """How many have answered."""
    of: int
    """How many can answer."""
    bar: tuple[BarView, ...] | None = None
    """The answers of the class; null before they are shown."""
    truth: TruthView | None = None
    """Null before it is shown, and for a game that is too large to solve."""
    shows_truth: bool = False


class SeatAtTable(Struct, frozen=True):
    """The table of a device, and its match."""

    number: int
    match: str


class PupilView(Struct, frozen=True, kw_only=True, tag_field="role", tag="pupil"):
    """A class as one device sees it."""

    revision: int
    status: PupilStatus
    """``moved``: the pupil plays on another device now."""
    text: str
    """What happens now, in a short sentence."""
    name: str
    table: SeatAtTable | None = None
    round: RoundView | None = None
    poll: PollView | None = None
    bands_are_open: bool


class PupilRow(Struct, frozen=True, kw_only=True):
    """A pupil, for the teacher."""

    number: int
    names: tuple[str, ...]
    name: str
    is_here: bool
    has_left: bool
    knocks: bool
    is_away: bool
    """Whether no device of a pupil who is here was connected for two minutes."""
    is_duel: bool
    table: int | None
    """The number of the table."""
    apart: tuple[int, ...]
    """The pupils who must not meet this one."""


class TableRow(Struct, frozen=True, kw_only=True):
    """A table on the board."""

    number: int
    match: str
    pupils: tuple[int, ...]
    level: str | None
    names: tuple[str, str]
    """In the order of the seats."""
    game: int
    """The number of the game at this table."""
    total: int
    to_move: Seat | None
    """None once the game is over."""
    line: LineView


class BoardUpdate(Struct, frozen=True):
    """The tables that have changed."""

    tables: tuple[TableRow, ...]


class Address(Struct, frozen=True):
    """An address of this machine, for the pupils' devices."""

    url: str
    qr: str
    """The link to join there, as a QR code in SVG."""


class TeacherView(Struct, frozen=True, kw_only=True, tag_field="role", tag="teacher"):
    """A class as its teacher sees it."""

    revision: int
    code: str
    is_open: bool
    is_closed: bool
    has_roster: bool
    absent: tuple[str, ...]
    """The lines of the roster who have not joined yet."""
    pupils: tuple[PupilRow, ...]
    waiting: tuple[int, ...]
    rounds: int
    round: RoundView | None
    tables: tuple[TableRow, ...]
    poll: PollView | None
    bands_are_open: bool
    keeps_bands: bool
    """Whether this server answers no pupil elsewhere either: it has only this class."""
    reached_from: str | None
    """The last address on the network from which a device reached the server."""


class Removed(Struct, frozen=True):
    """The class, its games and its results are gone."""


class Network(Struct, frozen=True):
    """The addresses of a class, the likeliest first."""

    addresses: tuple[Address, ...]


class SeatingPlan(Struct, frozen=True):
    """Who would play whom, to be changed or started."""

    tables: tuple[Seating, ...]


class RoundAdvice(Struct, frozen=True):
    """What a round of a game is like; "" if there is nothing to say."""

    text: str


class ClassGame(Struct, frozen=True, kw_only=True):
    """A game of the class, to be shown step by step."""

    round: int
    table: int
    number: int
    names: tuple[str, str]
    first: Seat
    book: str
    title: str
    rules: Rules
    moves: tuple[int, ...]
    totals: tuple[int, ...]
    """The total at the start and after each move."""
    is_over: bool
    line: LineView


class ClassGames(Struct, frozen=True):
    """The games of a class, the latest first."""

    games: tuple[ClassGame, ...]


class ClassResults(Struct, frozen=True):
    """The results of a class, in the order of the names."""

    rows: tuple[ResultRow, ...]
