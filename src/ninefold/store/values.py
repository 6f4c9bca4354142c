"""The values that a store takes and returns: matches with their logs, and list rows."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from functools import cached_property

from msgspec import Struct

from ninefold.errors import RulesError
from ninefold.game import Game, Seat
from ninefold.notation import Record
from ninefold.rules import Rules
from ninefold.session import Command, Session, Setup


class Logged(Struct, frozen=True):
    """One command in the log of a match."""

    number: int
    """1, 2, 3 ... without ever restarting."""
    command: Command
    at: datetime
    request: str = ""
    """By what a server knows a request that is sent again; empty if there is none."""


class Append(Struct, frozen=True):
    """Commands to be added to the log of one match."""

    match_id: str
    number: int
    """The number that the first of them takes."""
    commands: tuple[Command, ...]
    setup: Setup | None = None
    """The agreement, for a match that is not stored yet."""
    request: str = ""
    """What the request for these commands will be known by."""


class KeptMatch(Struct, frozen=True, dict=True):  # dict: the session is cached in it
    """A match with its whole log."""

    id: str
    setup: Setup
    log: tuple[Logged, ...]
    begun_at: datetime
    changed_at: datetime
    set_aside_at: datetime | None = None
    """When it was put away unfinished, if it was."""

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
        return not self.session.match.over and self.set_aside_at is None


class OldMatch(Struct, frozen=True):
    """A match of version 1 that lies beyond the bounds and cannot be played."""

    id: str
    line: str
    """Its line in an export of that version."""
    problem: str = ""
    """Why it cannot be played, where that is known."""


class MatchRow(Struct, frozen=True):
    """A match as a list shows it."""

    id: str
    changed_at: datetime
    book: str
    names: tuple[str, str]
    levels: tuple[str | None, str | None]
    length: str
    """As ``str(Length)`` writes it."""
    is_single: bool
    score: tuple[int, int]
    total: int | None
    """The total of the game going on; None between games."""
    to_move: Seat | None
    beyond: str | None = None
    """Why it cannot be resumed, if it cannot."""


class Result(Enum):
    """How a game went for one seat."""

    WON = "won"
    LOST = "lost"
    UNFINISHED = "unfinished"


class GameRow(Struct, frozen=True):
    """One game as a history shows it."""

    match_id: str
    match_number: int
    """Which match of the session it belongs to: a rematch is the next one."""
    number: int
    """Which game of that match it is, from 1."""
    book: str
    names: tuple[str, str]
    levels: tuple[str | None, str | None]
    rules: Rules | None
    """None where the rules lie beyond the bounds."""
    rules_json: str
    """The rules as JSON, as an export holds them; beyond the bounds too."""
    first: Seat
    moves: tuple[int, ...]
    resigned: Seat | None
    total: int
    winner: Seat | None
    reason: str | None
    """A value of ``Reason``; None while the game goes on."""
    is_retry: bool
    score: tuple[int, int]
    """The score of the match after this game."""
    begun_at: datetime
    ended_at: datetime | None
    book_text: str | None = None
    beyond: str | None = None
    """Why the game cannot be reviewed, if it cannot."""

    def game(self) -> Game:
        """Replay the game by the rules; refuse one that lies beyond the bounds."""
        if self.rules is None:
            raise RulesError(self.beyond or "")
        return Game.replay(self.rules, self.moves, self.first, self.resigned)

    def record(self) -> Record:
        """Return its record, to be written in any form."""
        return Record(self.game(), self.book)

    def result_of(self, seat: Seat) -> Result:
        """Return how it went for one seat."""
        if self.winner is None:
            return Result.UNFINISHED
        return Result.WON if self.winner is seat else Result.LOST


class Filter(Struct, frozen=True):
    """Which games a history is asked for; a field that is None does not matter."""

    match: str | None = None
    """The id of a match."""
    book: str | None = None
    player: str | None = None
    """A name, a level's name or ``human``, in either seat."""
    since: datetime | None = None
    until: datetime | None = None
    """Games begun before this time."""
    result: Result | None = None
    """How it went for that player; for people, where no player is named."""
