"""Bringing the rows of version 1 up to date, each match through its line.

Version 1 kept a match in a row of its own and a row for each game. Written as the line
of an export, it is read as an import is; where it cannot be played, the line stays.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec import Raw

from ninefold.errors import RecordError
from ninefold.game import Seat
from ninefold.store.played import write_time
from ninefold.store.rows import insert_kept, insert_match, write_games
from ninefold.store.shapes import refuse
from ninefold.store.sql import Connection, Row
from ninefold.store.version1 import read_match


def settle(connection: sqlite3.Connection) -> None:
    """Convert every match of version 1; leave those as they are that are damaged."""
    rows = connection.execute("SELECT rowid FROM matches_1 ORDER BY rowid").fetchall()
    for (rowid,) in rows:
        try:
            _convert(connection, _load_line(connection, rowid))
        except RecordError as error:
            connection.execute(
                "UPDATE matches_1 SET problem = ? WHERE rowid = ?", (str(error), rowid)
            )
    connection.execute("DELETE FROM games_1 WHERE match_id IN (SELECT id FROM matches)")
    connection.execute("DELETE FROM matches_1 WHERE id IN (SELECT id FROM matches)")
    name_learner(connection)
    connection.execute(
        "UPDATE schedule SET learner = ? WHERE learner = ''",
        (first_learner(connection),),
    )


def _convert(connection: sqlite3.Connection, line: str) -> None:
    """Insert a match, as one to be played or as one to be listed."""
    old = read_match(line)
    try:
        kept = old.match()
    except RecordError as error:
        columns, state, games = old.columns(line, error.problem)
        key = insert_match(connection, columns, state)
        write_games(connection, ((key, game) for game in games))
    else:
        insert_kept(connection, kept)


def first_learner(connection: Connection) -> str:
    """Return the name of the first person in the earliest match."""
    row = connection.execute(
        """
        SELECT CASE WHEN level1 IS NULL THEN name1 ELSE name2 END FROM matches
        WHERE beyond IS NULL AND (level1 IS NULL OR level2 IS NULL)
        ORDER BY begun_at, key LIMIT 1
        """
    ).fetchone()
    name: str = row[0] if row is not None else str(Seat.ONE)
    return name


def name_learner(connection: Connection) -> str:
    """Give answers and tries without a learner to the first one; return the name."""
    learner = first_learner(connection)
    for statement in (
        "UPDATE answers SET learner = ? WHERE learner = ''",
        "UPDATE attempts SET learner = ? WHERE learner = ''",
    ):
        connection.execute(statement, (learner,))
    return learner


def _load_line(connection: sqlite3.Connection, rowid: int) -> str:
    row = connection.execute(
        """
        SELECT id, rules, setup, begun_at, changed_at, set_aside_at
        FROM matches_1 WHERE rowid = ?
        """,
        (rowid,),
    ).fetchone()
    games = connection.execute(
        """
        SELECT number, first, moves, resigned, begun_at, ended_at
        FROM games_1 WHERE match_id = ? ORDER BY number
        """,
        row[:1],
    ).fetchall()
    return line_of(row, games)


def line_of(row: Row, games: Sequence[Row]) -> str:
    """Write the rows of a match as version 1 exported them, byte for byte."""
    match_id, rules, setup, begun_at, changed_at, set_aside_at = row
    columns = {
        "ninefold": "1",
        "kind": '"match"',
        "id": _write(match_id),
        "begun_at": _write(begun_at),
        "changed_at": _write(changed_at),
        "set_aside_at": _write(set_aside_at),
    }
    parts = {key: bytes(raw).decode() for key, raw in _parts(setup).items()}
    book = {key: parts[key] for key in ("book", "book_text") if key in parts}
    rest = {"rules": _as_it_is(rules)}
    games_text = ", ".join(_line_of_game(*numbered) for numbered in enumerate(games, 1))
    after = {"games": f"[{games_text}]"}
    # Columns are the last word: a set-up has no key of theirs unless it is damaged.
    return _object(columns | book | rest | parts | after | columns | rest)


def _parts(setup: object) -> dict[str, Raw]:
    try:
        return msgspec.json.decode(_as_it_is(setup), type=dict[str, Raw])
    except (msgspec.DecodeError, RecursionError):
        refuse("setup", "expected an object, in braces")


def _line_of_game(expected: int, row: Row) -> str:
    number, first, moves, resigned, begun_at, ended_at = row
    if number != expected:
        problem = "this game of the match is missing"
        refuse(f"game {expected}", problem)
    return _object(
        {
            "first": _write(first),
            "moves": _as_it_is(moves),
            "resigned": _write(resigned),
            "begun_at": _write(begun_at),
            "ended_at": _write(ended_at),
        }
    )


def put_aside(line: str, at: datetime) -> str:
    """Write that a match was set aside into its line."""
    parts = {key: bytes(raw).decode() for key, raw in _parts(line).items()}
    time = _write(write_time(at))
    return _object(parts | {"changed_at": time, "set_aside_at": time})


def _object(parts: dict[str, str]) -> str:
    return "{" + ", ".join(f"{_write(key)}: {parts[key]}" for key in parts) + "}"


def _write(value: object) -> str:
    """Write a value as version 1 did; a value that is no JSON is found on reading."""
    return json.dumps(value, default=str)


def _as_it_is(text: object) -> str:
    return text if isinstance(text, str) else _write(text)
