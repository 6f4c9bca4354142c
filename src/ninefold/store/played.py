"""Replaying a log, and what follows from it for each game: the columns for SQL."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import NinefoldError
from ninefold.game import Game
from ninefold.match import Match
from ninefold.notation.codec import decode, encode
from ninefold.notation.shapes import RulesShape, json_number
from ninefold.session import Move, Session, Setup
from ninefold.store.checks import check_number
from ninefold.store.shapes import SetupShape, refuse
from ninefold.store.values import KeptMatch, Logged


class Played(Struct, frozen=True):
    """A game of a session: the session after its latest command, and its times."""

    session: Session
    begun_at: datetime
    ended_at: datetime | None = None


Games = dict[tuple[int, int], Played]
"""Games by the number of their match in the session, and by their own in it."""


def play_on(session: Session, log: Iterable[Logged], games: Games) -> Session:
    """Accept commands; note in ``games`` each game that they begin or change."""
    for logged in log:
        command = logged.command
        if isinstance(command, Move) and command.answer is not None:
            check_number(command.answer, "answer")
        session, _ = session.accept(command)
        key = session.match_number, session.number
        begun_at = games[key].begun_at if key in games else logged.at
        ended_at = None if session.game.outcome is None else logged.at
        # Of each game the state is noted; a log for each would take memory squared.
        games[key] = Played(replace(session, log=()), begun_at, ended_at)
    return session


def begin(setup: Setup, begun_at: datetime) -> tuple[Session, Games]:
    """Begin a session and its first game."""
    session = Session.start(setup)
    return session, {(1, 1): Played(session, begun_at)}


def replay(kept: KeptMatch) -> tuple[Session, Games]:
    """Replay a match; a ``RecordError`` names the command that is refused."""
    session, games = begin(kept.setup, kept.begun_at)
    for logged in kept.log:
        try:
            session = play_on(session, (logged,), games)
        except NinefoldError as error:
            refuse(f"log[{logged.number - 1}]", str(error))
    return session, games


def write_time(time: datetime) -> str:
    """Write a time so that earlier ones sort before later ones.

    >>> write_time(datetime(2026, 1, 31, 9, 30, tzinfo=UTC))
    '2026-01-31T09:30:00.000000+00:00'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def write_time_if_any(time: datetime | None) -> str | None:
    """Write a time that need not have come."""
    return None if time is None else write_time(time)


def write_number(number: int) -> str:
    """Write a number of any length: a match of version 1 may hold a long one.

    Python's ``str`` stops at 4,300 digits.

    >>> write_number(-12), len(write_number(10**5000))
    ('-12', 5001)
    """
    return str(Decimal(number))


def read_number(digits: str) -> int:
    """Read a number of any length.

    >>> read_number("9" * 5000) == 10**5000 - 1
    True
    """
    return int(Decimal(digits))


class MatchColumns(Struct, frozen=True, kw_only=True):
    """The columns of a match that never change."""

    id: str
    begun_at: str
    book: str
    book_text: str | None
    rules: str
    name1: str
    name2: str
    level1: str | None
    level2: str | None
    setup: str | None = None
    """The set-up as JSON; None for a match that cannot be played."""
    line: str | None = None
    """The line of version 1, for a match that cannot be played."""
    beyond: str | None = None
    """Why it cannot be played."""

    @classmethod
    def of(
        cls,
        match_id: str,
        setup: Setup,
        begun_at: datetime,
        names: tuple[str, str] | None = None,
    ) -> MatchColumns:
        """Make the columns of a match that can be played.

        ``names`` are those of who has sat down since.
        """
        one, two = names or setup.names
        return cls(
            id=match_id,
            begun_at=write_time(begun_at),
            book=setup.book,
            book_text=setup.book_text,
            rules=encode(RulesShape.of(setup.rules)),
            name1=one,
            name2=two,
            level1=setup.levels[0],
            level2=setup.levels[1],
            setup=_write_setup(setup),
        )


def _write_setup(setup: Setup) -> str:
    """Write a set-up as JSON; refuse one that would not be read again."""
    written = encode(SetupShape.of(setup))
    decode(written, SetupShape)
    return written


class StateColumns(Struct, frozen=True, kw_only=True):
    """The columns of a match that every command may change."""

    revision: int
    changed_at: str
    ended_at: str | None
    length: str
    is_single: bool
    score1: int
    score2: int
    total: str | None
    """The total of the game going on; None between games."""
    to_move: int | None
    set_aside_at: str | None = None

    @classmethod
    def of(
        cls,
        match: Match,
        game: Game | None,
        *,
        revision: int,
        changed_at: datetime,
        length: str = "",
        set_aside_at: datetime | None = None,
    ) -> StateColumns:
        """Make the columns of a match and of the latest game, if there is one."""
        going_on = game if game is not None and game.outcome is None else None
        one, two = match.score.values()
        return cls(
            revision=revision,
            changed_at=write_time(changed_at),
            ended_at=write_time(changed_at) if match.over else None,
            length=length or str(match.length),
            is_single=match.length.is_single,
            score1=one,
            score2=two,
            total=None if going_on is None else write_number(going_on.total),
            to_move=None if going_on is None else going_on.to_move.value,
            set_aside_at=write_time_if_any(set_aside_at),
        )


class GameColumns(Struct, frozen=True, kw_only=True):
    """The columns of one game."""

    match_number: int
    number: int
    first: int
    moves: str
    resigned: int | None
    total: str
    winner: int | None
    reason: str | None
    is_retry: bool
    score1: int
    score2: int
    begun_at: str
    ended_at: str | None

    @classmethod
    def of(cls, played: Played) -> GameColumns:
        """Make the columns of a game of a session."""
        session = played.session
        return cls.of_game(
            session.game,
            session.match,
            moves=encode(tuple(map(json_number, session.game.moves))),
            match_number=session.match_number,
            number=session.number,
            is_retry=session.is_retry,
            begun_at=played.begun_at,
            ended_at=played.ended_at,
        )

    @classmethod
    def of_game(
        cls,
        game: Game,
        match: Match,
        *,
        moves: str,
        number: int,
        begun_at: datetime,
        ended_at: datetime | None,
        match_number: int = 1,
        is_retry: bool = False,
    ) -> GameColumns:
        """Make the columns of a game, and of the match after it."""
        outcome, resigned = game.outcome, game.resigned
        one, two = match.score.values()
        return cls(
            match_number=match_number,
            number=number,
            first=game.first.value,
            moves=moves,
            resigned=None if resigned is None else resigned.value,
            total=write_number(game.total),
            winner=None if outcome is None else outcome.winner.value,
            reason=None if outcome is None else outcome.reason.value,
            is_retry=is_retry,
            score1=one,
            score2=two,
            begun_at=write_time(begun_at),
            ended_at=write_time_if_any(ended_at),
        )
