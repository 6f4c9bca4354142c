"""Reading matches: their rows and their logs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from ninefold.errors import (
    DamagedMatch,
    NinefoldError,
    RecordError,
    UnknownMatch,
)
from ninefold.notation.codec import decode, encode_bytes
from ninefold.session import Setup
from ninefold.store.schema import Connection, Row, read_columns
from ninefold.store.values import (
    Origin,
    StoredMatch,
)

ELSEWHERE = "elsewhere"
"""Who sits where another person plays on a server, in a copy at home."""


def to_json(value: object) -> str:
    """Write a value as the database holds it."""
    return encode_bytes(value).decode()


@lru_cache(maxsize=1024)
def read_setup(text: str) -> Setup:
    """Read a set-up; many rows have the same one."""
    return decode(text, Setup)


def read_origin(text: str | None) -> Origin | None:
    """Read the origin of a match, if it has one."""
    return None if text is None else decode(text, Origin)


# Reading


class MatchKey(Struct, frozen=True):
    """What a row of ``matches`` says that is needed to append to it."""

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
    """Whether a database takes a text: not with half a character in it."""
    return text == text.encode(errors="replace").decode()


def get_match(connection: Connection, match_id: str) -> MatchKey:
    """Find a match that must be there."""
    found = find_matches(connection, (match_id,)).get(match_id)
    if found is None:
        raise UnknownMatch(match_id)
    return found


def load_match(connection: Connection, match_id: str) -> StoredMatch:
    """Load a match; ``DamagedMatch`` where the session refuses its log."""
    return load_by_key(connection, get_match(connection, match_id).key, match_id)


def select_all_matches(connection: Connection) -> list[int]:
    """Select every match, the first begun first, by key."""
    # No index holds the revision: the table itself is read, and a damaged index
    # hides nothing.
    rows = connection.execute("SELECT key, begun_at, revision FROM matches").fetchall()
    return [key for key, *_ in sorted(rows, key=lambda row: (str(row[1]), row[0]))]


def load_by_key(connection: Connection, key: int, match_id: str = "") -> StoredMatch:
    """Load a match by its key; an error names it by its id, or the one in its row."""
    match = read_match(connection, key, match_id)
    try:
        _ = match.session
    except NinefoldError as error:
        raise DamagedMatch(match.id, str(error)) from None
    return match


def read_match(connection: Connection, key: int, match_id: str) -> StoredMatch:
    """Read a match, without asking whether its log can be played."""
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
) -> StoredMatch:
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
        place, problem = "log", "a command of it is missing"
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
    return decode(text, StoredMatch)
