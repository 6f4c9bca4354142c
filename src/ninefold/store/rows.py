"""Rows of a database, to and from the values they stand for.

A match is read through the shape of its line in an export, so that both are held to
the same: a set-up or a command that the session refuses is damage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import asdict

from ninefold.errors import (
    BeyondBounds,
    DamagedMatch,
    NinefoldError,
    UnknownMatch,
)
from ninefold.notation.codec import decode, encode
from ninefold.session import Command, Session
from ninefold.store.command_shapes import shape_of
from ninefold.store.played import (
    GameColumns,
    Games,
    MatchColumns,
    StateColumns,
    replay,
    write_time,
)
from ninefold.store.shapes import VERSION, MatchLine, refuse
from ninefold.store.sql import Connection
from ninefold.store.values import KeptMatch, Logged, OldMatch

# Matches


class Stored(Struct, frozen=True):
    """A match as its row tells: enough to append to it."""

    key: int
    revision: int
    line: str | None
    beyond: str | None


def find_rows(connection: Connection, match_ids: Iterable[str]) -> dict[str, Stored]:
    """Find the rows of matches; ``DamagedMatch`` if version 1 left one damaged."""
    wanted = list(filter(_can_be_stored, match_ids))
    if not wanted:
        return {}
    found = {
        match_id: Stored(*columns)
        for match_id, *columns in connection.execute(
            f"""
            SELECT id, key, revision, line, beyond FROM matches
            WHERE id IN ({_marks(wanted)})
            """,
            wanted,
        )
    }
    missing = [match_id for match_id in wanted if match_id not in found]
    if missing:
        for match_id, problem in connection.execute(
            f"SELECT id, problem FROM matches_1 WHERE id IN ({_marks(missing)})",
            missing,
        ):
            raise DamagedMatch(match_id, problem)
    return found


def _can_be_stored(match_id: str) -> bool:
    try:
        match_id.encode()
    except UnicodeEncodeError:
        return False  # SQLite takes no half of a character
    return True


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def find_row(connection: Connection, match_id: str) -> Stored | None:
    """Find the row of a match; ``DamagedMatch`` if version 1 left it damaged."""
    return find_rows(connection, (match_id,)).get(match_id)


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


def update_matches(connection: Connection, states: Mapping[int, StateColumns]) -> None:
    """Write the columns of matches that commands change, by their keys."""
    connection.executemany(
        """
        UPDATE matches SET
            revision = :revision, changed_at = :changed_at, ended_at = :ended_at,
            set_aside_at = :set_aside_at, length = :length, is_single = :is_single,
            score1 = :score1, score2 = :score2, total = :total, to_move = :to_move
        WHERE key = :key
        """,
        (asdict(state) | {"key": key} for key, state in states.items()),
    )


def update_names(connection: Connection, names: Mapping[int, tuple[str, str]]) -> None:
    """Write the names of those who have sat down, by the keys of their matches."""
    connection.executemany(
        "UPDATE matches SET name1 = ?, name2 = ? WHERE key = ?",
        ((*both, key) for key, both in names.items()),
    )


def insert_log(connection: Connection, log: Iterable[tuple[int, Logged]]) -> None:
    """Insert commands into the logs of matches, each with the key of its match."""
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
            for key, logged in log
        ),
    )


def _write_command(command: Command) -> str:
    """Write a command as JSON; refuse one that would not be read again as it is."""
    shape = shape_of(command)
    written = encode(shape)
    decode(written, type(shape))
    return written


def write_games(
    connection: Connection, games: Iterable[tuple[int, GameColumns]]
) -> None:
    """Insert games, each with the key of its match, or update those that are there."""
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
        (asdict(game) | {"match": key} for key, game in games),
    )


def state_of(
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


def columns_of(key: int, games: Games) -> Iterator[tuple[int, GameColumns]]:
    """Make the columns of the games of a match, each with its key."""
    return ((key, GameColumns.of(played)) for played in games.values())


def insert_kept(connection: Connection, kept: KeptMatch) -> None:
    """Insert a match with its log; a ``RecordError`` names a command refused."""
    session, games = replay(kept)
    columns = MatchColumns.of(kept.id, kept.setup, kept.begun_at, session.setup.names)
    key = insert_match(
        connection, columns, state_of(session, kept.changed_at, kept.set_aside_at)
    )
    insert_log(connection, ((key, logged) for logged in kept.log))
    write_games(connection, columns_of(key, games))


def continue_kept(connection: Connection, here: Stored, kept: KeptMatch) -> None:
    """Add to a match here the part of its log that it lacks."""
    session, games = replay(kept)
    key = here.key
    insert_log(connection, ((key, logged) for logged in kept.log[here.revision :]))
    write_games(connection, columns_of(key, games))
    state = state_of(session, kept.changed_at, kept.set_aside_at)
    update_matches(connection, {key: state})
    update_names(connection, {key: session.setup.names})


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
    "INSERT INTO schedule (learner, puzzle, box, due_at) VALUES ('', ?, 0, '')",
    "DELETE FROM schedule WHERE learner = '' AND puzzle = ?",
)
"""Write much, which a disk that is almost full refuses, and leave all as it was."""
MUCH = "x" * 65_536


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
