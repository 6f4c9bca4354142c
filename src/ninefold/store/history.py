"""The games of a history, filtered, ordered and paged in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import asdict

from ninefold.game import Seat
from ninefold.levels import BOT, HUMAN
from ninefold.notation.codec import decode
from ninefold.store.match_log import ELSEWHERE, read_origin, read_setup, to_json
from ninefold.store.schema import (
    Connection,
    Cursor,
    Row,
    format_time,
    read_columns,
)
from ninefold.store.values import Filter, GameRow, PlayedGame, Result

_ALL = 2**62
"""A limit above every number of rows that still fits a database's integers."""
_BEFORE_ALL_TIMES, _AFTER_ALL_TIMES = "", "~"
_JOINED = "FROM games JOIN matches ON matches.key = match AND class IS NULL"
_GAMES = f"""
    SELECT matches.id, setup, origin, games.listed, games.begun_at {_JOINED}
"""


def limit_of(limit: int | None) -> int:
    """Return a limit that fits a database's integers; None means every row."""
    return _ALL if limit is None else min(limit, _ALL)


def select_games(
    connection: Connection, filters: Filter, limit: int | None, offset: int
) -> Cursor:
    """Select the games that match the filters, newest first."""
    order = "ORDER BY games.begun_at DESC, games.key DESC"
    return connection.execute(
        f"{_GAMES} {_where(filters)} {order} LIMIT :limit OFFSET :offset",
        _values(filters) | {"limit": limit_of(limit), "offset": offset},
    )


def count_games(connection: Connection, filters: Filter) -> int:
    """Count the games that match the filters."""
    ((found,),) = connection.execute(
        f"SELECT count(*) {_JOINED} {_where(filters)}", _values(filters)
    ).fetchall()
    return int(found)


def select_finished(connection: Connection, people: int) -> list[int]:
    """Return the keys of finished games, oldest first.

    Only games with exactly ``people`` people and no bot count.
    """
    person = f"('{HUMAN}', '{ELSEWHERE}')"
    rows = connection.execute(
        f"""
        SELECT games.key {_JOINED}
        WHERE winner IS NOT NULL AND '{BOT}' NOT IN (who1, who2)
            AND :people = CASE WHEN who1 IN {person} THEN 1 ELSE 0 END
                + CASE WHEN who2 IN {person} THEN 1 ELSE 0 END
        ORDER BY games.begun_at, games.key
        """,
        {"people": people},
    )
    return [key for (key,) in rows]


def select_of_learner(connection: Connection, learner: str, limit: int) -> Cursor:
    """Select the finished games of a learner's matches, newest first."""
    return connection.execute(
        f"""
        {_GAMES} JOIN learned ON learned.kind = 'match' AND learned.id = matches.id
        WHERE learner = ? AND winner IS NOT NULL
        ORDER BY games.begun_at DESC, games.key DESC LIMIT ?
        """,
        (learner, limit),
    )


def select_by_key(connection: Connection, keys: Sequence[int]) -> Cursor:
    """Select games by their keys, oldest first."""
    marks = ", ".join("?" * len(keys))
    order = "ORDER BY games.begun_at, games.key"
    return connection.execute(f"{_GAMES} WHERE games.key IN ({marks}) {order}", keys)


def read_game(row: Row) -> GameRow:
    """Read a selected row; raise an error if the rules reject its moves."""
    match_id, setup, origin, listed, begun_at = read_columns(
        row, tuple[str, str, str | None, str, str]
    )
    game = GameRow(
        match_id=match_id,
        setup=read_setup(setup),
        origin=read_origin(origin),
        begun_at=decode(to_json(begun_at), datetime),
        **asdict(decode(listed, PlayedGame)),
    )
    _ = game.game
    return game


def _where(filters: Filter) -> str:
    """Return the WHERE clause of a filter.

    Without a named player, a result is that of a person's seat; in games without
    people, of any seat.
    """
    seats = []
    for seat in Seat:
        results = {
            Result.WON: f"winner = {seat.value}",
            Result.LOST: f"winner = {seat.other.value}",
            Result.UNFINISHED: "winner IS NULL",
        }
        other = f"name{seat.value} = :player"
        if filters.player is None:
            other = "(who1 <> :who AND who2 <> :who)"
        result = "TRUE" if filters.result is None else results[filters.result]
        seats.append(f"(who{seat.value} = :who OR {other}) AND {result}")
    conditions = {
        "matches.id = :match": filters.match,
        "book = :book": filters.book,
        "games.begun_at >= :since": filters.since,
        "games.begun_at < :until": filters.until,
        f"({' OR '.join(seats)})": True,
    }
    found = [text for text, value in conditions.items() if value is not None]
    return f"WHERE {' AND '.join(found)}"


def _values(filters: Filter) -> dict[str, object]:
    return {
        "match": filters.match,
        "book": filters.book,
        "since": _bound(filters.since),
        "until": _bound(filters.until),
        "player": filters.player,
        "who": HUMAN if filters.player is None else filters.player,
    }


def _bound(time: datetime | None) -> str | None:
    """Format a time; in UTC it may fall before year 1 or after year 9999."""
    if time is None:
        return None
    try:
        return format_time(time)
    except OverflowError:
        return _BEFORE_ALL_TIMES if time.year == 1 else _AFTER_ALL_TIMES
