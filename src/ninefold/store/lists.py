"""Lists of matches and games: filtered, ordered and paged in SQL, from caches alone."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

import msgspec
from msgspec import Struct

from ninefold.errors import RecordError
from ninefold.game import Seat
from ninefold.notation.codec import decode
from ninefold.notation.shapes import RulesShape
from ninefold.players import HUMAN
from ninefold.rules import Rules
from ninefold.store.played import read_number, write_time
from ninefold.store.shapes import Time, utc
from ninefold.store.sql import Connection, Cursor, Row
from ninefold.store.values import Filter, GameRow, MatchRow

_BEFORE_ALL_TIMES, _AFTER_ALL_TIMES = "", "~"
_ALL = 2**62
"""A limit above every number of rows, and one that databases can count to."""


def select_unfinished(connection: Connection, limit: int | None) -> Cursor:
    """Select the matches neither over nor set aside, the last changed first."""
    return connection.execute(
        """
        SELECT id, changed_at, book, name1, name2, level1, level2, length, is_single,
            score1, score2, total, to_move, beyond
        FROM matches WHERE ended_at IS NULL AND set_aside_at IS NULL
        ORDER BY changed_at DESC, key DESC LIMIT ?
        """,
        (_limit(limit),),
    )


def select_games(
    connection: Connection, wanted: Filter, limit: int | None, offset: int
) -> Cursor:
    """Select the games that a history is asked for, the last begun first."""
    return connection.execute(
        _select(
            "*",
            wanted,
            "ORDER BY begun_at DESC, key DESC LIMIT :limit OFFSET :offset",
        ),
        _values(wanted) | {"limit": _limit(limit), "offset": offset},
    )


def _limit(limit: int | None) -> int:
    return _ALL if limit is None else min(limit, _ALL)


def count_games(connection: Connection, wanted: Filter) -> int:
    """Count the games that a history is asked for."""
    statement = _select("count(*)", wanted)
    ((found,),) = connection.execute(statement, _values(wanted)).fetchall()
    return int(found)


def select_finished(connection: Connection, after: Row, limit: int) -> list[Row]:
    """Select finished games of a person against a level, oldest first.

    ``after`` holds the last two columns of the last row that is known.
    """
    return connection.execute(
        """
        SELECT * FROM history WHERE (begun_at, key) > (?, ?)
        AND winner IS NOT NULL AND (level1 IS NULL) <> (level2 IS NULL)
        ORDER BY begun_at, key LIMIT ?
        """,
        (*after, limit),
    ).fetchall()


def _select(columns: str, wanted: Filter, rest: str = "") -> str:
    # An index finds the games of a match, but not where there may be none.
    return f"""
        SELECT {columns} FROM history
        WHERE {"match_id = :match" if wanted.match else "TRUE"}
        AND (:book IS NULL OR book = :book)
        AND begun_at >= :since AND begun_at < :until
        AND (
            (
                coalesce(:result, result1) = result1
                AND (who1 = :who OR name1 = :player OR (:is_open AND only_levels))
            )
            OR (
                coalesce(:result, result2) = result2
                AND (who2 = :who OR name2 = :player OR (:is_open AND only_levels))
            )
        )
        {rest}
    """


def _values(wanted: Filter) -> dict[str, object]:
    """Give the filter's values the form that the statement asks for.

    Where no player is named, people are meant, and levels where there are no people.
    """
    since, until = wanted.since, wanted.until
    return {
        "match": wanted.match,
        "book": wanted.book,
        "since": _BEFORE_ALL_TIMES if since is None else _bound(since),
        "until": _AFTER_ALL_TIMES if until is None else _bound(until),
        "result": None if wanted.result is None else wanted.result.value,
        "player": wanted.player,
        "who": HUMAN if wanted.player is None else wanted.player,
        "is_open": wanted.player is None,
    }


def _bound(time: datetime) -> str:
    """Write a time; its zone may carry it beyond the first or last year."""
    try:
        return write_time(time)
    except OverflowError:
        return _BEFORE_ALL_TIMES if time.year == 1 else _AFTER_ALL_TIMES


class _MatchList(Struct, frozen=True, array_like=True):
    id: str
    changed_at: Time
    book: str
    name1: str
    name2: str
    level1: str | None
    level2: str | None
    length: str
    is_single: bool | int
    score1: int
    score2: int
    total: str | None
    to_move: Seat | None
    beyond: str | None


def match_from_row(row: Row) -> MatchRow:
    """Read a match for a list."""
    found = msgspec.convert(row, type=_MatchList)
    return MatchRow(
        id=found.id,
        changed_at=utc(found.changed_at, "changed_at"),
        book=found.book,
        names=(found.name1, found.name2),
        levels=(found.level1, found.level2),
        length=found.length,
        is_single=bool(found.is_single),
        score=(found.score1, found.score2),
        total=None if found.total is None else read_number(found.total),
        to_move=found.to_move,
        beyond=found.beyond,
    )


class _GameList(Struct, frozen=True, array_like=True):
    match_id: str
    match_number: int
    number: int
    book: str
    name1: str
    name2: str
    level1: str | None
    level2: str | None
    rules: str
    first: Seat
    moves: str
    resigned: Seat | None
    total: str
    winner: Seat | None
    reason: str | None
    is_retry: bool | int
    score1: int
    score2: int
    ended_at: Time | None
    book_text: str | None
    who1: str
    who2: str
    result1: str
    result2: str
    only_levels: bool | int
    begun_at: Time
    key: int


_MOVES = msgspec.json.Decoder(tuple[int | str, ...])


def game_from_row(row: Row) -> GameRow:
    """Read a game for a history."""
    found = msgspec.convert(row, type=_GameList)
    rules, beyond = _read_rules(found.rules)
    ended_at = found.ended_at
    return GameRow(
        match_id=found.match_id,
        match_number=found.match_number,
        number=found.number,
        book=found.book,
        names=(found.name1, found.name2),
        levels=(found.level1, found.level2),
        rules=rules,
        rules_json=found.rules,
        first=found.first,
        moves=tuple(
            move if isinstance(move, int) else read_number(move)
            for move in _MOVES.decode(found.moves)
        ),
        resigned=found.resigned,
        total=read_number(found.total),
        winner=found.winner,
        reason=found.reason,
        is_retry=bool(found.is_retry),
        score=(found.score1, found.score2),
        begun_at=utc(found.begun_at, "begun_at"),
        ended_at=None if ended_at is None else utc(ended_at, "ended_at"),
        book_text=found.book_text,
        beyond=beyond,
    )


@lru_cache(maxsize=1024)
def _read_rules(text: str) -> tuple[Rules | None, str | None]:
    """Read rules; where they lie beyond the bounds, say why."""
    try:
        return decode(text, RulesShape).rules(), None
    except RecordError as error:
        return None, error.problem
