"""Writing matches: commands are appended to logs, and matches imported.

Any number of matches is read with one statement and written with few, so that many
appends can share a transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import (
    DamagedMatch,
    NinefoldError,
    OutOfStep,
    RecordError,
    SetupError,
    UnknownMatch,
)
from ninefold.game import Seat
from ninefold.players import HUMAN
from ninefold.rules import Ending, Rules
from ninefold.session import Session, Setup
from ninefold.store.log import (
    ELSEWHERE,
    MatchKey,
    find_matches,
    read_match,
    read_origin,
    to_json,
)
from ninefold.store.schema import Connection, write_time
from ninefold.store.values import (
    LONGEST_ID,
    Append,
    Logged,
    MatchRow,
    Origin,
    PlayedGame,
    StoredMatch,
    check_label,
)

_PLAYABLE = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")


# Replaying


class _Playing(Struct, frozen=True):
    """A game of a session: the session after its latest command, and its times."""

    session: Session
    begun_at: datetime
    ended_at: datetime | None = None


_Games = dict[tuple[int, int], _Playing]
"""Games by the number of their match in the session, and by their own in it."""


def _begin(setup: Setup, begun_at: datetime) -> tuple[Session, _Games]:
    session = Session.start(setup)
    return session, {(1, 1): _Playing(session, begun_at)}


def _play_on(session: Session, log: Iterable[Logged], games: _Games) -> Session:
    """Accept commands; note in ``games`` each game that they begin or change."""
    for logged in log:
        session, _ = session.accept(logged.command)
        _note(session, logged.at, games)
    return session


def _note(session: Session, at: datetime, games: _Games) -> None:
    """Note the latest game of a session in ``games``."""
    key = session.match_number, session.number
    begun_at = games[key].begun_at if key in games else at
    ended_at = None if session.game.outcome is None else at
    games[key] = _Playing(session, begun_at, ended_at)


def _replay(match: StoredMatch) -> tuple[Session, _Games]:
    """Replay a match; a ``RecordError`` names the key that is refused."""
    try:
        session, games = _begin(match.setup, match.begun_at)
    except NinefoldError as error:
        raise RecordError(_wrong_key(match.setup), str(error)) from None
    for place, logged in enumerate(match.log):
        try:
            session = _play_on(session, (logged,), games)
        except NinefoldError as error:
            key = f"log[{place}]"
            raise RecordError(key, str(error)) from None
    return session, games


def _wrong_key(setup: Setup) -> str:
    """Find the key that would spoil a set-up that is right otherwise."""
    for name in ("names", "levels", "seed", "lessons"):
        try:
            replace(_PLAYABLE, **{name: getattr(setup, name)}).check()
        except SetupError:
            return f"setup.{name}"
    return "setup.book"


# Writing


class _Change(Struct):
    """What is to be written of one match."""

    connection: Connection
    match_id: str
    key: int
    revision: int
    """The number of the last command."""
    session: Session | None = None
    """The session after that command; None where nobody needed it yet."""
    games: _Games = {}
    """The games that are new or changed."""
    log: list[tuple[int, Logged]] = []
    """The commands that are new, with their numbers."""
    origin: Origin | None = None
    set_aside_at: datetime | None = None

    def take(self, append: Append, now: datetime) -> None:
        """Add commands; refuse those that were meant for another revision."""
        if append.number != self.revision + 1:
            raise self.out_of_step(append)
        log = [Logged(command, now, append.request) for command in append.commands]
        if append.session is not None and len(log) == 1:
            self.session = append.session
            _note(self.session, now, self.games)
        else:
            self.session = _play_on(self._replayed(), log, self.games)
        self.log += enumerate(log, start=self.revision + 1)
        self.revision += len(log)

    def out_of_step(self, append: Append) -> OutOfStep:
        """Return the error for an append that does not follow this log."""
        came = self._read().log[max(append.number, 1) - 1 :]
        return OutOfStep(self.match_id, append.number, came)

    def _read(self) -> StoredMatch:
        """Read the match as it is stored, with the commands that are new."""
        match = read_match(self.connection, self.key, self.match_id)
        return replace(match, log=(*match.log, *(logged for _, logged in self.log)))

    def _load(self) -> StoredMatch:
        """Do the same; ``DamagedMatch`` where the session refuses the log."""
        match = self._read()
        try:
            _ = match.session
        except NinefoldError as error:
            raise DamagedMatch(self.match_id, str(error)) from None
        return match

    def _replayed(self) -> Session:
        return self._load().session if self.session is None else self.session

    def columns(self, changed_at: datetime) -> dict[str, object]:
        """Return the columns of the match that commands change."""
        session = self._replayed()
        game = session.game
        one, two = session.match.score.values()
        row = MatchRow(
            id=self.match_id,
            changed_at=changed_at,
            title=session.book.title,
            names=session.setup.names,
            levels=session.setup.levels,
            length=str(session.match.length),
            is_single=session.match.length.is_single,
            score=(one, two),
            total=None if game.outcome is not None else game.total,
            to_move=session.to_move,
            origin=self.origin,
        )
        aside = self.set_aside_at
        return {
            "key": self.key,
            "revision": self.revision,
            "origin": None if self.origin is None else to_json(self.origin),
            "changed_at": write_time(changed_at),
            "set_aside_at": None if aside is None else write_time(aside),
            "is_open": aside is None and not session.match.over,
            "listed": to_json(row),
        }

    def game_columns(self, playing: _Playing) -> dict[str, object]:
        """Return the columns of a game."""
        session, game = playing.session, playing.session.game
        one, two = session.match.score.values()
        played = PlayedGame(
            match_number=session.match_number,
            number=session.number,
            names=session.setup.names,
            first=game.first,
            moves=game.moves,
            score=(one, two),
            ended_at=playing.ended_at,
            resigned=game.resigned,
            is_retry=session.is_retry,
            given_back=session.given_back,
            failure=session.failure,
        )
        return {
            "match": self.key,
            "match_number": played.match_number,
            "number": played.number,
            "begun_at": write_time(playing.begun_at),
            "book": session.setup.book,
            "name1": played.names[0],
            "name2": played.names[1],
            "who1": self._who(session, Seat.ONE),
            "who2": self._who(session, Seat.TWO),
            "winner": None if game.outcome is None else game.outcome.winner.value,
            "listed": to_json(played),
        }

    def _who(self, session: Session, seat: Seat) -> str:
        is_here = self.origin is None or seat in self.origin.seats
        player = session.setup.player(seat)
        return ELSEWHERE if player == HUMAN and not is_here else player


def append_all(
    connection: Connection, appends: Sequence[Append], now: datetime
) -> None:
    """Append commands to matches, or make matches with them."""
    stored = find_matches(connection, {append.match_id for append in appends})
    changes: dict[str, _Change] = {}
    for append in appends:
        match_id = append.match_id
        if match_id not in changes and match_id in stored:
            changes[match_id] = _resume(connection, match_id, stored[match_id])
        if match_id not in changes:
            changes[match_id] = _make(connection, append, now)
        elif append.setup is not None:
            raise changes[match_id].out_of_step(append)
        changes[match_id].take(append, now)
    _write(connection, [*changes.values()], now)


def _resume(connection: Connection, match_id: str, stored: MatchKey) -> _Change:
    try:
        origin = read_origin(stored.origin)
    except RecordError as error:
        raise DamagedMatch(match_id, f"origin: {error.problem}") from None
    return _Change(connection, match_id, stored.key, stored.revision, origin=origin)


def _make(connection: Connection, append: Append, now: datetime) -> _Change:
    if append.setup is None:
        raise UnknownMatch(append.match_id)
    if append.number != 1:
        raise OutOfStep(append.match_id, append.number)
    check_label(append.match_id, "id", LONGEST_ID)
    session, games = _begin(append.setup, now)
    key = _insert(connection, append.match_id, append.setup, now)
    return _Change(connection, append.match_id, key, 0, session, games)


def import_match(connection: Connection, match: StoredMatch) -> str:
    """Import a match; return which number of ``Imported`` counts it.

    ``DamagedMatch`` says that the match here is damaged, and stays.
    """
    # A match that could not be played is refused, whether or not it is here.
    session, games = _replay(match)
    stored = find_matches(connection, (match.id,)).get(match.id)
    if stored is None:
        key = _insert(connection, match.id, match.setup, match.begun_at)
        known, origin = 0, match.origin
    else:
        key, here = stored.key, read_match(connection, stored.key, match.id)
        known, origin = len(here.log), _join(here.origin, match.origin)
        there, common = match.commands, min(len(match.log), known)
        if (
            match.setup != here.setup
            or there[:common] != here.commands[:common]
            or (match.origin is None) != (here.origin is None)
        ):
            return "differing"
        if len(there) == common:
            if origin == here.origin:
                return "known"
            match = here
            session, games = _replay(here)
    log = [*enumerate(match.log[known:], start=known + 1)]
    change = _Change(
        *(connection, match.id, key, session.revision, session, games, log),
        origin=origin,
        set_aside_at=match.set_aside_at,
    )
    _write(connection, [change], match.changed_at)
    return "continued" if known else "added"


def _join(here: Origin | None, there: Origin | None) -> Origin | None:
    """Return an origin with the seats that another copy adds, if of the same server.

    Another server never gets a seat: its secret would be sent there.
    """
    if here is None or there is None or here.server != there.server:
        return here
    seats = {*here.seats, *there.seats}
    return Origin(here.server, tuple(seat for seat in Seat if seat in seats))


def _insert(
    connection: Connection, match_id: str, setup: Setup, begun_at: datetime
) -> int:
    """Insert the columns of a match that never change; return its key."""
    time = write_time(begun_at)
    cursor = connection.execute(
        """
        INSERT INTO matches
            (id, setup, revision, begun_at, changed_at, is_open, listed)
        VALUES (?, ?, 0, ?, ?, TRUE, '') RETURNING key
        """,
        (match_id, to_json(setup), time, time),
    )
    ((key,),) = cursor.fetchall()
    return int(key)


def _write(
    connection: Connection, changes: Sequence[_Change], changed_at: datetime
) -> None:
    connection.executemany(
        "INSERT INTO log (match, number, at, request, command) VALUES (?, ?, ?, ?, ?)",
        [
            (change.key, number, write_time(logged.at), logged.request, command)
            for change in changes
            for number, logged in change.log
            for command in (to_json(logged.command),)
        ],
    )
    connection.executemany(
        """
        INSERT INTO games (
            match, match_number, number, begun_at, book, name1, name2, who1, who2,
            winner, listed
        ) VALUES (
            :match, :match_number, :number, :begun_at, :book, :name1, :name2, :who1,
            :who2, :winner, :listed
        )
        ON CONFLICT (match, match_number, number) DO UPDATE SET
            name1 = excluded.name1, name2 = excluded.name2, who1 = excluded.who1,
            who2 = excluded.who2, winner = excluded.winner, listed = excluded.listed
        """,
        [
            change.game_columns(playing)
            for change in changes
            for playing in change.games.values()
        ],
    )
    connection.executemany(
        """
        UPDATE matches SET
            revision = :revision, origin = :origin, changed_at = :changed_at,
            set_aside_at = :set_aside_at, is_open = :is_open, listed = :listed
        WHERE key = :key
        """,
        [change.columns(changed_at) for change in changes],
    )
