"""Rows of the SQLite file, to and from the values they stand for.

A match is read through the shape of its line in an export, so that both are held to
the same: a set-up or a command that the session refuses is damage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct
from msgspec.structs import asdict

from ninefold.errors import (
    BeyondBounds,
    DamagedMatch,
    NinefoldError,
    OutOfStep,
    UnknownMatch,
)
from ninefold.notation.codec import decode, encode
from ninefold.session import Command, Session, Setup
from ninefold.store.checks import check_book, check_id
from ninefold.store.command_shapes import shape_of
from ninefold.store.played import (
    GameColumns,
    Games,
    MatchColumns,
    StateColumns,
    begin,
    play_on,
    replay,
    write_time,
)
from ninefold.store.shapes import VERSION, MatchLine, refuse
from ninefold.store.sql import Connection
from ninefold.store.values import Append, KeptMatch, Logged, OldMatch

# Matches


class Stored(Struct, frozen=True):
    """A match as its row tells: enough to append to it."""

    key: int
    revision: int
    setup: str | None
    line: str | None
    beyond: str | None


def find_row(connection: Connection, match_id: str) -> Stored | None:
    """Find the row of a match; ``DamagedMatch`` if version 1 left it damaged."""
    try:
        match_id.encode()
    except UnicodeEncodeError:
        return None  # SQLite takes no half of a character
    row = connection.execute(
        "SELECT key, revision, setup, line, beyond FROM matches WHERE id = ?",
        (match_id,),
    ).fetchone()
    if row is not None:
        return Stored(*row)
    damaged = connection.execute(
        "SELECT problem FROM matches_1 WHERE id = ?", (match_id,)
    ).fetchone()
    if damaged is not None:
        raise DamagedMatch(match_id, damaged[0])
    return None


def get_row(connection: Connection, match_id: str) -> Stored:
    """Find the row of a match that must be there."""
    row = find_row(connection, match_id)
    if row is None:
        raise UnknownMatch(match_id)
    return row


def damaged_by_version_1(connection: Connection) -> Iterator[DamagedMatch]:
    """Name the matches that version 1 left damaged, and games without a match."""
    for match_id, problem in connection.execute(
        """
        SELECT id, problem FROM matches_1
        UNION ALL
        SELECT DISTINCT match_id, 'its games are here, but not its set-up'
        FROM games_1 WHERE match_id NOT IN (SELECT id FROM matches_1)
        """
    ):
        yield DamagedMatch(str(match_id), problem)


def load_match(connection: Connection, match_id: str) -> KeptMatch:
    """Load a match, and let the session check its log."""
    stored = get_row(connection, match_id)
    if stored.beyond is not None:
        raise BeyondBounds(match_id, stored.beyond)
    try:
        kept = _read_match(connection, stored.key)
        _ = kept.session
    except NinefoldError as error:
        raise DamagedMatch(match_id, str(error)) from None
    return kept


def load_entry(connection: Connection, match_id: str) -> KeptMatch | OldMatch:
    """Load a match as an export holds it, be it beyond the bounds."""
    stored = get_row(connection, match_id)
    if stored.line is not None:
        return OldMatch(match_id, stored.line)
    return load_match(connection, match_id)


def _read_match(connection: Connection, key: int) -> KeptMatch:
    (row,) = connection.execute(
        """
        SELECT id, setup, begun_at, changed_at, set_aside_at, revision
        FROM matches WHERE key = ?
        """,
        (key,),
    ).fetchall()
    match_id, setup, begun_at, changed_at, set_aside_at, revision = row
    columns = {
        "ninefold": VERSION,
        "kind": "match",
        "id": match_id,
        "begun_at": begun_at,
        "changed_at": changed_at,
        "set_aside_at": set_aside_at,
    }
    log = connection.execute(
        "SELECT number, at, request, command FROM log WHERE match = ? ORDER BY number",
        (key,),
    ).fetchall()
    if [number for number, *_ in log] != list(range(1, revision + 1)):
        refuse("log", "a command of it is missing")
    commands = ", ".join(
        f'{{"at": {encode(at)}, "request": {encode(request)}, "command": {command}}}'
        for _, at, request, command in log
    )
    line = f'{encode(columns)[:-1]}, "setup": {setup}, "log": [{commands}]}}'
    return decode(line, MatchLine).match()


def insert_match(
    connection: Connection, columns: MatchColumns, state: StateColumns
) -> int:
    """Insert a match without its log; return its key."""
    cursor = connection.execute(
        """
        INSERT INTO matches (
            id, setup, line, beyond, revision, begun_at, changed_at, ended_at,
            set_aside_at, book, book_text, rules, name1, name2, level1, level2,
            length, is_single, score1, score2, total, to_move
        ) VALUES (
            :id, :setup, :line, :beyond, :revision, :begun_at, :changed_at, :ended_at,
            :set_aside_at, :book, :book_text, :rules, :name1, :name2, :level1, :level2,
            :length, :is_single, :score1, :score2, :total, :to_move
        ) RETURNING key
        """,
        asdict(columns) | asdict(state),
    )
    ((key,),) = cursor.fetchall()
    return int(key)


def update_match(connection: Connection, key: int, state: StateColumns) -> None:
    """Write the columns of a match that commands change."""
    connection.execute(
        """
        UPDATE matches SET
            revision = :revision, changed_at = :changed_at, ended_at = :ended_at,
            set_aside_at = :set_aside_at, length = :length, is_single = :is_single,
            score1 = :score1, score2 = :score2, total = :total, to_move = :to_move
        WHERE key = :key
        """,
        asdict(state) | {"key": key},
    )


def update_names(connection: Connection, key: int, names: tuple[str, str]) -> None:
    """Write the names of those who have sat down."""
    connection.execute(
        "UPDATE matches SET name1 = ?, name2 = ? WHERE key = ?", (*names, key)
    )


def insert_log(connection: Connection, key: int, log: Iterable[Logged]) -> None:
    """Insert commands into the log of a match."""
    connection.executemany(
        "INSERT INTO log (match, number, command, at, request) VALUES (?, ?, ?, ?, ?)",
        (
            (
                key,
                logged.number,
                _write_command(logged.command),
                write_time(logged.at),
                logged.request,
            )
            for logged in log
        ),
    )


def _write_command(command: Command) -> str:
    """Write a command as JSON; refuse one that would not be read again as it is."""
    shape = shape_of(command)
    written = encode(shape)
    decode(written, type(shape))
    return written


def write_games(connection: Connection, key: int, games: Iterable[GameColumns]) -> None:
    """Insert games of a match, or update those that are there."""
    connection.executemany(
        """
        INSERT INTO games (
            match, match_number, number, first, moves, resigned, total, winner,
            reason, is_retry, score1, score2, begun_at, ended_at
        ) VALUES (
            :match, :match_number, :number, :first, :moves, :resigned, :total, :winner,
            :reason, :is_retry, :score1, :score2, :begun_at, :ended_at
        )
        ON CONFLICT (match, match_number, number) DO UPDATE SET
            moves = excluded.moves, resigned = excluded.resigned,
            total = excluded.total, winner = excluded.winner, reason = excluded.reason,
            is_retry = excluded.is_retry, score1 = excluded.score1,
            score2 = excluded.score2, ended_at = excluded.ended_at
        """,
        (asdict(game) | {"match": key} for game in games),
    )


def _state_of(
    session: Session, changed_at: datetime, set_aside_at: datetime | None = None
) -> StateColumns:
    """Make the columns of a match that commands change."""
    return StateColumns.of(
        session.match,
        session.game,
        revision=session.revision,
        changed_at=changed_at,
        set_aside_at=set_aside_at,
    )


def columns_of(games: Games) -> Iterator[GameColumns]:
    """Make the columns of games."""
    return map(GameColumns.of, games.values())


def insert_kept(connection: Connection, kept: KeptMatch) -> None:
    """Insert a match with its log; a ``RecordError`` names a command refused."""
    session, games = replay(kept)
    columns = MatchColumns.of(kept.id, kept.setup, kept.begun_at, session.setup.names)
    key = insert_match(
        connection, columns, _state_of(session, kept.changed_at, kept.set_aside_at)
    )
    insert_log(connection, key, kept.log)
    write_games(connection, key, columns_of(games))


def continue_kept(connection: Connection, here: Stored, kept: KeptMatch) -> None:
    """Add to a match here the part of its log that it lacks."""
    session, games = replay(kept)
    insert_log(connection, here.key, kept.log[here.revision :])
    write_games(connection, here.key, columns_of(games))
    update_match(
        connection, here.key, _state_of(session, kept.changed_at, kept.set_aside_at)
    )
    update_names(connection, here.key, session.setup.names)


def append_commands(
    connection: Connection, append: Append, known: Session | None, now: datetime
) -> Session:
    """Append commands to a match, or make it with them; return its session then.

    A session that is ``known`` is used if it has the revision of the log.
    """
    match_id, games = append.match_id, Games()
    log = tuple(
        Logged(number, command, now, append.request)
        for number, command in enumerate(append.commands, start=append.number)
    )
    row = find_row(connection, match_id)
    if row is None:
        setup = _setup_of(append)
        session, games = begin(setup, now)
        columns = MatchColumns.of(match_id, setup, now)
        key = insert_match(connection, columns, _state_of(session, now))
    else:
        if row.beyond is not None:
            raise BeyondBounds(match_id, row.beyond)
        if known is not None and known.revision == row.revision:
            session = known
        else:
            session = load_match(connection, match_id).session
        differs = append.setup not in (None, session.setup)
        if append.number != row.revision + 1 or differs:
            came = load_match(connection, match_id).log[max(append.number, 1) - 1 :]
            raise OutOfStep(match_id, append.number, came)
        key = row.key
    names = session.setup.names
    session = play_on(session, log, games)
    if session.setup.names != names:
        update_names(connection, key, session.setup.names)
    insert_log(connection, key, log)
    write_games(connection, key, columns_of(games))
    update_match(connection, key, _state_of(session, now))
    return session


FORGET = (
    """
    DELETE FROM log WHERE match IN (SELECT key FROM matches WHERE changed_at < ?)
    """,
    """
    DELETE FROM games WHERE match IN (SELECT key FROM matches WHERE changed_at < ?)
    """,
    "DELETE FROM matches WHERE changed_at < ?",
)
"""Remove the matches last changed before a time, and what belongs to them."""


TRY_WRITING = (
    "INSERT INTO schedule (learner, puzzle, box, due_at) VALUES ('', '', 0, '')",
    "DELETE FROM schedule WHERE learner = '' AND puzzle = ''",
)
"""Change a page, which a full disk refuses, and leave it as it was."""


def _setup_of(append: Append) -> Setup:
    """Return the set-up of a match that is to be made."""
    if append.setup is None:
        raise UnknownMatch(append.match_id)
    if append.number != 1:
        raise OutOfStep(append.match_id, append.number)
    check_id(append.match_id)
    check_book(append.setup)
    return append.setup


def take_match(connection: Connection, match: KeptMatch) -> str:
    """Take a match of an import in; return which number of ``Imported`` counts it.

    ``DamagedMatch`` says that the match here is damaged, and stays.
    """
    row = find_row(connection, match.id)
    if row is None:
        insert_kept(connection, match)
        return "added"
    replay(match)  # a match that could not be played is refused, whatever is here
    if row.beyond is not None:
        return "differing"
    here = load_match(connection, match.id)
    there, common = match.commands, min(len(match.log), len(here.log))
    if match.setup != here.setup or there[:common] != here.commands[:common]:
        return "differing"
    if len(there) == common:
        return "known"
    continue_kept(connection, row, match)
    return "continued"
