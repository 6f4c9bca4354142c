"""The values that a store accepts and returns.

Matches, learners and answers have the same JSON in the database as in an export. A
value that cannot result from playing raises a ``RecordError`` that names the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from enum import Enum
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from ninefold import classroom
from ninefold.errors import DamagedClass, NinefoldError, RecordError
from ninefold.game import Game, Outcome, Seat
from ninefold.learning import Answer
from ninefold.notation import Record
from ninefold.notation.codec import Time
from ninefold.rules import MOST_TOTAL_DIGITS, Rules
from ninefold.session import Command, Session, Setup
from ninefold.session.setup import LONGEST_NAME
from ninefold.text import is_shown

LONGEST_ID = 100
LONGEST_ITEM = 200_000
"""Fits the record of a position: a hundred multipliers of a thousand digits, moves."""
LONGEST_GIVEN = 2 * MOST_TOTAL_DIGITS + 10
"""Fits an answer of two numbers."""


def check_label(text: str, key: str, longest: int, *, least: int = 1) -> None:
    """Raise ``RecordError`` if text is too long, unprintable or has blank ends."""
    fits = least <= len(text) <= longest
    if not (fits and is_shown(text) and text == text.strip()):
        many = f"{least} to" if least else "at most"
        problem = f"expected {many} {longest:,} printable characters"
        raise RecordError(key, problem)


def _keep_in_utc(value: Struct, *keys: str, within: str = "") -> None:
    """Convert times to UTC in place."""
    for key in keys:
        time = getattr(value, key)
        if time is None:
            continue
        try:
            force_setattr(value, key, time.astimezone(UTC))
        except OverflowError:
            problem = "expected a time within the calendar"
            place = f"{within}{key}"
            raise RecordError(place, problem) from None


# Matches


class Origin(Struct, frozen=True, forbid_unknown_fields=True):
    """The server of a match, for a copy of it stored on this machine."""

    server: str
    """The server's address."""
    seats: tuple[Seat, ...]
    """The seats played from this machine."""


class LoggedCommand(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One command in the log of a match. The first has number 1."""

    command: Command
    at: Time
    request: str = ""
    """A server's digest of the request, to recognise a repeat; empty at home."""

    def __post_init__(self) -> None:
        _keep_in_utc(self, "at")


class Accepted(Struct, frozen=True):
    """A command that a session accepted."""

    command: Command
    session: Session
    """The session after the command; its revision is the command's number."""


def accept_all(session: Session, commands: Iterable[Command]) -> Iterator[Accepted]:
    """Yield each command with the session after it."""
    for command in commands:
        session, _ = session.apply_unchecked(command)
        yield Accepted(command, session)


class Append(Struct, frozen=True):
    """Commands to append to the log of one match; none only for a new match."""

    match_id: str
    accepted: tuple[Accepted, ...]
    start: Session | None = None
    """The session before the first command, for a new match."""
    request: str = ""
    """A server's digest of the request for these commands."""
    class_id: str | None = None
    """The class that a new match belongs to."""


# Classes


class ClassCommand(Struct, frozen=True):
    """One command in the log of a class. The first has number 1."""

    command: classroom.Command
    at: Time
    request: str = ""
    """A server's digest of the request, to recognise a repeat."""

    def __post_init__(self) -> None:
        _keep_in_utc(self, "at")


class ClassAppend(Struct, frozen=True):
    """Commands to append to the log of a class, with the matches that they create."""

    class_id: str
    revision: int
    """The revision before the first command; 0 creates the class."""
    commands: tuple[ClassCommand, ...]
    code: str
    """The code after the last command, which no other class may have."""
    matches: tuple[Append, ...] = ()


class StoredClass(Struct, frozen=True, dict=True):  # dict: caches
    """A class with its whole log."""

    id: str
    log: tuple[ClassCommand, ...]

    @cached_property
    def classroom(self) -> classroom.Classroom:
        """The class after the last command; ``DamagedClass`` if one is not allowed."""
        try:
            return classroom.Classroom.replay(
                (logged.command, logged.at) for logged in self.log
            )
        except NinefoldError as error:
            raise DamagedClass(str(error)) from None


# Export and import


class _Entry(
    Struct,
    frozen=True,
    kw_only=True,
    tag_field="kind",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """One line of an export."""

    ninefold: Annotated[
        Literal[1], Meta(description="The version of this format, on every line.")
    ] = 1


class StoredMatch(_Entry, frozen=True, tag="match", dict=True):  # dict: caches
    """A match with its whole log."""

    id: str
    setup: Setup
    log: tuple[LoggedCommand, ...]
    """Every command, in order."""
    begun_at: Time
    changed_at: Time
    set_aside_at: Time | None = None
    """When it was set aside unfinished, if it was."""
    origin: Origin | None = None
    """For a copy, the server that the match is played on."""

    def __post_init__(self) -> None:
        check_label(self.id, "id", LONGEST_ID)
        _keep_in_utc(self, "begun_at", "changed_at", "set_aside_at")

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands of the log."""
        return tuple(logged.command for logged in self.log)

    @cached_property
    def session(self) -> Session:
        """The session after the last command."""
        return Session.replay(self.setup, self.commands)

    @property
    def unfinished(self) -> bool:
        """Whether it can be resumed: neither over nor set aside."""
        return not self.session.match.is_over and self.set_aside_at is None


class MatchRow(Struct, frozen=True, omit_defaults=True):
    """A match as a list shows it."""

    id: str
    changed_at: Time
    title: str
    """The rule book's title."""
    names: tuple[str, str]
    levels: tuple[str | None, str | None]
    length: str
    """The text of a ``Length``."""
    is_single: bool
    score: tuple[int, int]
    total: int | None
    """The total of the current game; None between games."""
    to_move: Seat | None
    origin: Origin | None = None


# Games


class Result(Enum):
    """The result of a game for one seat."""

    WON = "won"
    LOST = "lost"
    UNFINISHED = "unfinished"


class PlayedGame(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One game of a match, derived from the log."""

    match_number: int
    """The number of its match in the session; a rematch is the next match."""
    number: int
    """The number of the game in that match, from 1."""
    names: tuple[str, str]
    first: Seat
    moves: tuple[int, ...]
    score: tuple[int, int]
    """The score of the match after this game."""
    ended_at: Time | None = None
    resigned: Seat | None = None
    is_retry: bool = False
    given_back: tuple[int, int] = (0, 0)
    """The second chances that each seat took from the coach."""
    failure: str = ""
    """Why a bot resigned, if one failed."""


class GameRow(PlayedGame, frozen=True, kw_only=True, dict=True):  # dict: caches
    """A game as a history shows it."""

    match_id: str
    setup: Setup
    """The setup of its match."""
    begun_at: Time
    origin: Origin | None = None
    """For a copy, the server, and the seats on this machine, whose results count."""

    def __post_init__(self) -> None:
        _keep_in_utc(self, "begun_at", "ended_at")

    @cached_property
    def game(self) -> Game:
        """The game, replayed by the rules."""
        return Game.replay(self.rules, self.moves, self.first, self.resigned)

    def record(self) -> Record:
        """Return the record of the game, for any notation."""
        return Record(self.game, self.book)

    @property
    def rules(self) -> Rules:
        """The rules of its match."""
        return self.setup.rules

    @property
    def book(self) -> str:
        """The rule book's key."""
        return self.setup.book

    @property
    def title(self) -> str:
        """The rule book's title, or its key if there is no such rule book."""
        try:
            return self.setup.rulebook().title
        except NinefoldError:
            return self.book

    @property
    def book_text(self) -> str | None:
        """The text of a custom rule book, or None for a built-in one."""
        return self.setup.book_text

    @property
    def levels(self) -> tuple[str | None, str | None]:
        """The level that plays each seat; None for a person."""
        return self.setup.levels

    @property
    def total(self) -> int:
        """The total after the last move."""
        return self.game.total

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why; None while the game is on."""
        return self.game.outcome

    @property
    def winner(self) -> Seat | None:
        """The winner; None while the game is on."""
        return None if self.outcome is None else self.outcome.winner

    @property
    def reason(self) -> str | None:
        """The value of a ``Reason``; None while the game is on."""
        return None if self.outcome is None else self.outcome.reason.value

    def result_of(self, seat: Seat) -> Result:
        """Return the result for one seat."""
        if self.winner is None:
            return Result.UNFINISHED
        return Result.WON if self.winner is seat else Result.LOST


class Filter(Struct, frozen=True):
    """The conditions of a history; a field that is None matches every game."""

    match: str | None = None
    """The id of a match."""
    book: str | None = None
    player: str | None = None
    """A name, a level or ``human``, in either seat."""
    since: datetime | None = None
    until: datetime | None = None
    """Games that started before this time."""
    result: Result | None = None
    """The result for that player or, without one, for a person on this machine."""


# What people learned


class Learner(_Entry, frozen=True, tag="learner"):
    """A learner, identified by an id, so that the name can change."""

    id: str
    name: str
    begun_at: Time
    formerly: tuple[str, ...] = ()
    """Earlier names, which older matches still have; they find this learner, too."""

    def __post_init__(self) -> None:
        check_label(self.id, "id", LONGEST_ID)
        for name in (self.name, *self.formerly):
            check_label(name, "name", LONGEST_NAME)
        _keep_in_utc(self, "begun_at")


class StoredAnswer(_Entry, frozen=True, tag="answer"):
    """An answer, and the id of the learner who gave it."""

    id: str
    learner: str
    answer: Answer

    def __post_init__(self) -> None:
        answer = self.answer
        check_label(self.id, "id", LONGEST_ID)
        check_label(self.learner, "learner", LONGEST_ID)
        check_label(answer.item, "answer.item", LONGEST_ITEM)
        check_label(answer.given, "answer.given", LONGEST_GIVEN)
        check_label(answer.surface, "answer.surface", LONGEST_NAME, least=0)
        _keep_in_utc(answer, "at", within="answer.")


Entry = StoredMatch | Learner | StoredAnswer
"""A stored match, learner or answer: one line of an export."""


class Imported(Struct, frozen=True):
    """How many entries an import added, extended, skipped or left in conflict."""

    added: int = 0
    continued: int = 0
    """Stored matches that were extended, because the export has more commands."""
    known: int = 0
    """Entries that were stored already."""
    differing: int = 0
    """Matches whose stored log differs from the export's; left unchanged."""
