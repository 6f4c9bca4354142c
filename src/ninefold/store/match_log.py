"""Finds, reads and appends to matches and their logs in the tables.

Any number of matches is found with one statement and written with few, so that many
appends can share a transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import groupby

from msgspec import Struct

from ninefold.errors import (
    DamagedMatch,
    NinefoldError,
    RecordError,
    RevisionConflict,
    UnknownMatch,
)
from ninefold.game import Seat
from ninefold.levels import HUMAN
from ninefold.notation.codec import decode, encode_bytes
from ninefold.session import Command, Session, Setup
from ninefold.store import values
from ninefold.store.schema import Connection, Row, format_time, read_columns

ELSEWHERE = "elsewhere"
"""The player kind of a person on another machine, in a copy of a server's match."""


def to_json(value: object) -> str:
    """Encode a value as JSON text, as the database stores it."""
    return encode_bytes(value).decode()


@lru_cache(maxsize=1024)
def read_setup(text: str) -> Setup:
    """Read a setup; cached, because many rows have the same one."""
    return decode(text, Setup)


def read_origin(text: str | None) -> values.Origin | None:
    """Read the origin of a match; None for a match of this machine."""
    return None if text is None else decode(text, values.Origin)


# Reading


class MatchKey(Struct, frozen=True):
    """The columns of a match that are needed to append to it."""

    key: int
    revision: int
    origin: str | None


def find_matches(
    connection: Connection, match_ids: Iterable[str]
) -> dict[str, MatchKey]:
    """Find matches by their ids, with one statement."""
    wanted = list(filter(can_be_stored, match_ids))
    if not wanted:
        return {}
    marks = ", ".join("?" * len(wanted))
    found = connection.execute(
        f"SELECT id, key, revision, origin FROM matches WHERE id IN ({marks})", wanted
    )
    return {match_id: _read_key(match_id, columns) for match_id, *columns in found}


def _read_key(match_id: str, columns: Sequence[object]) -> MatchKey:
    try:
        return MatchKey(*read_columns(tuple(columns), tuple[int, int, str | None]))
    except RecordError as error:
        raise DamagedMatch(match_id, str(error)) from None


def can_be_stored(text: str) -> bool:
    """Whether a database accepts a text: it must not contain a lone surrogate."""
    return text == text.encode(errors="replace").decode()


def get_match(connection: Connection, match_id: str) -> MatchKey:
    """Find a match; raise ``UnknownMatch`` if it is not stored."""
    found = find_matches(connection, (match_id,)).get(match_id)
    if found is None:
        raise UnknownMatch(match_id)
    return found


def load_match(connection: Connection, match_id: str) -> values.StoredMatch:
    """Load a match; raise ``DamagedMatch`` if its log cannot be replayed."""
    return load_by_key(connection, get_match(connection, match_id).key, match_id)


def select_all_matches(connection: Connection) -> list[int]:
    """Return the keys of all matches but those of classes, oldest first."""
    # No index holds the revision: the table itself is read, and a damaged index
    # hides nothing.
    rows = connection.execute(
        "SELECT key, begun_at, revision FROM matches WHERE class IS NULL"
    ).fetchall()
    return [key for key, *_ in sorted(rows, key=lambda row: (str(row[1]), row[0]))]


def load_by_key(
    connection: Connection, key: int, match_id: str = ""
) -> values.StoredMatch:
    """Load a match by its key; errors name ``match_id``, else the id in its row."""
    match = read_match(connection, key, match_id)
    try:
        _ = match.session
    except NinefoldError as error:
        raise DamagedMatch(match.id, str(error)) from None
    return match


def read_match(connection: Connection, key: int, match_id: str) -> values.StoredMatch:
    """Read a match without replaying its log."""
    rows = connection.execute(
        "SELECT id, setup, origin, revision, begun_at, changed_at, set_aside_at"
        " FROM matches WHERE key = ?",
        (key,),
    ).fetchall()
    try:
        return _decode_match(connection, key, rows)
    except NinefoldError as error:
        name = match_id or (str(rows[0][0]) if rows else str(key))
        raise DamagedMatch(name, str(error)) from None


def _decode_match(
    connection: Connection, key: int, found: Sequence[Row]
) -> values.StoredMatch:
    if len(found) != 1:
        place, problem = "matches", "its row is missing"
        raise RecordError(place, problem)
    match_id, setup, origin, revision, begun_at, changed_at, set_aside_at = found[0]
    log = connection.execute(
        "SELECT number, at, request, command FROM log WHERE match = ? ORDER BY number",
        (key,),
    ).fetchall()
    numbers = [number for number, *_ in log]
    if len(log) != revision or numbers != [*range(1, len(log) + 1)]:
        place, problem = "log", "a command is missing"
        raise RecordError(place, problem)
    read_columns((match_id,), tuple[str])
    columns = to_json(
        {
            "kind": "match",
            "id": match_id,
            "begun_at": begun_at,
            "changed_at": changed_at,
            "set_aside_at": set_aside_at,
        }
    )
    entries = ",".join(
        f'{{"at":{to_json(at)},"request":{to_json(request)},"command":{command}}}'
        for _, at, request, command in log
    )
    origin = "null" if origin is None else origin
    text = f'{columns[:-1]},"setup":{setup},"origin":{origin},"log":[{entries}]}}'
    return decode(text, values.StoredMatch)


# Writing


class _Played(Struct, frozen=True):
    """A new or changed game: its latest session, and its times."""

    session: Session
    begun_at: datetime
    at: datetime
    """The time of the latest command."""


class Change(Struct):
    """The changes to write to one match. Note its sessions in their order."""

    match_id: str
    key: int = 0
    origin: values.Origin | None = None
    set_aside_at: datetime | None = None
    commands: list[tuple[int, str, str, str]] = []
    """The columns of new commands: number, time, request and JSON."""
    games: dict[tuple[int, int], _Played] = {}
    """By the number of the match in the session and of the game in it, in order."""

    def add_command(
        self, number: int, at: datetime, request: str, command: Command
    ) -> None:
        """Add a new command."""
        self.commands.append((number, format_time(at), request, to_json(command)))

    def note(self, session: Session, at: datetime) -> None:
        """Note the session at the start, or after a command; ``at`` is when."""
        number = session.match_number, session.number
        begun_at = self.games[number].begun_at if number in self.games else at
        self.games[number] = _Played(session, begun_at, at)

    def match_columns(self, changed_at: datetime) -> dict[str, object]:
        """Return the columns of the match that change with commands."""
        session = [*self.games.values()][-1].session
        game, match = session.game, session.match
        aside = self.set_aside_at
        row = values.MatchRow(
            id=self.match_id,
            changed_at=changed_at,
            title=session.book.title,
            names=session.setup.names,
            levels=session.setup.levels,
            length=str(match.length),
            is_single=match.length.is_single,
            score=_score(session),
            total=None if game.outcome is not None else game.total,
            to_move=session.to_move,
            origin=self.origin,
        )
        return {
            "key": self.key,
            "revision": session.revision,
            "origin": None if self.origin is None else to_json(self.origin),
            "changed_at": format_time(changed_at),
            "set_aside_at": None if aside is None else format_time(aside),
            "is_open": aside is None and not match.is_over,
            "listed": to_json(row),
        }

    def game_columns(self) -> Iterator[dict[str, object]]:
        """Return the columns of each game."""
        for played in self.games.values():
            session, game = played.session, played.session.game
            setup, outcome = session.setup, game.outcome
            row = values.PlayedGame(
                match_number=session.match_number,
                number=session.number,
                names=setup.names,
                first=game.first,
                moves=game.moves,
                score=_score(session),
                ended_at=None if outcome is None else played.at,
                resigned=game.resigned_by,
                is_retry=session.is_retry,
                given_back=session.given_back,
                failure=session.failure,
            )
            yield {
                "match": self.key,
                "match_number": row.match_number,
                "number": row.number,
                "begun_at": format_time(played.begun_at),
                "book": setup.book,
                "name1": row.names[0],
                "name2": row.names[1],
                "who1": self._who(setup, Seat.ONE),
                "who2": self._who(setup, Seat.TWO),
                "winner": None if outcome is None else outcome.winner.value,
                "listed": to_json(row),
            }

    def _who(self, setup: Setup, seat: Seat) -> str:
        is_here = self.origin is None or seat in self.origin.seats
        player = setup.player_kind(seat)
        return ELSEWHERE if player == HUMAN and not is_here else player


def _score(session: Session) -> tuple[int, int]:
    one, two = session.match.score.values()
    return one, two


def append_all(
    connection: Connection, appends: Sequence[values.Append], now: datetime
) -> None:
    """Append commands to matches, and create matches that start with them.

    ``appends`` has to be ordered by match.
    """
    at = now.astimezone(UTC)
    stored = find_matches(connection, {append.match_id for append in appends})
    changes = [
        _change(connection, match_id, stored.get(match_id), [*group], at)
        for match_id, group in groupby(appends, lambda append: append.match_id)
    ]
    write(connection, changes, at)


def _change(
    connection: Connection,
    match_id: str,
    stored: MatchKey | None,
    appends: Sequence[values.Append],
    at: datetime,
) -> Change:
    """Collect the changes; raise ``RevisionConflict`` if they do not follow the log."""
    start, *others = (append.start for append in appends)
    change = Change(match_id)
    if stored is None:
        if start is None:
            raise UnknownMatch(match_id)
        values.check_label(match_id, "id", values.LONGEST_ID)
        class_id = appends[0].class_id
        change.key = insert_match(connection, match_id, start.setup, at, class_id)
        last = 0
        change.note(start, at)
    else:
        others.append(start)
        change.key, last = stored.key, stored.revision
        change.origin = _read_origin_of(match_id, stored)
    if any(others):
        raise RevisionConflict(match_id, 1)
    for append in appends:
        for accepted in append.accepted:
            session = accepted.session
            if session.revision != last + 1:
                raise RevisionConflict(match_id, session.revision)
            last = session.revision
            change.add_command(last, at, append.request, accepted.command)
            change.note(session, at)
    return change


def _read_origin_of(match_id: str, stored: MatchKey) -> values.Origin | None:
    try:
        return read_origin(stored.origin)
    except RecordError as error:
        raise DamagedMatch(match_id, f"origin: {error.problem}") from None


def insert_match(
    connection: Connection,
    match_id: str,
    setup: Setup,
    begun_at: datetime,
    class_id: str | None = None,
) -> int:
    """Insert a match with the columns that never change; return its key."""
    time = format_time(begun_at)
    cursor = connection.execute(
        """
        INSERT INTO matches
            (id, setup, revision, begun_at, changed_at, is_open, listed, class)
        VALUES (?, ?, 0, ?, ?, TRUE, '', ?) RETURNING key
        """,
        (match_id, to_json(setup), time, time, class_id),
    )
    ((key,),) = cursor.fetchall()
    return int(key)


def write(
    connection: Connection, changes: Sequence[Change], changed_at: datetime
) -> None:
    """Write new commands of matches, and the rows derived from them."""
    connection.executemany(
        "INSERT INTO log (match, number, at, request, command) VALUES (?, ?, ?, ?, ?)",
        [(change.key, *columns) for change in changes for columns in change.commands],
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
        [columns for change in changes for columns in change.game_columns()],
    )
    connection.executemany(
        """
        UPDATE matches SET
            revision = :revision, origin = :origin, changed_at = :changed_at,
            set_aside_at = :set_aside_at, is_open = :is_open, listed = :listed
        WHERE key = :key
        """,
        [change.match_columns(changed_at) for change in changes],
    )
