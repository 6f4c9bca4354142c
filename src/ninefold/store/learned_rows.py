"""Rows of answers and tries, and the schedule that follows from the tries."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec
from msgspec import Struct

from ninefold.notation.codec import decode
from ninefold.store.learned import ProductAnswer, PuzzleTry, Schedule, Scheduled
from ninefold.store.played import write_time
from ninefold.store.shapes import VERSION, AnswerLine, AttemptLine, Time, utc
from ninefold.store.sql import Connection, Cursor, Row


def insert_answer(connection: Connection, given: ProductAnswer) -> bool:
    """Insert an answer; return whether it was not here yet."""
    inserted = connection.execute(
        """
        INSERT INTO answers (id, at, learner, a, b, answer, seconds, hinted, surface)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
        """,
        (
            given.id,
            write_time(given.at),
            given.learner,
            *map(str, (given.a, given.b, given.answer)),
            given.seconds,
            given.hinted,
            given.surface,
        ),
    )
    return bool(inserted.rowcount)


def insert_try(connection: Connection, made: PuzzleTry) -> bool:
    """Insert a try; return whether it was not here yet."""
    inserted = connection.execute(
        """
        INSERT INTO attempts
            (id, at, learner, puzzle, multiplier, solved, seconds, hinted, surface)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
        """,
        (
            made.id,
            write_time(made.at),
            made.learner,
            made.puzzle,
            str(made.multiplier),
            made.right,
            made.seconds,
            made.hinted,
            made.surface,
        ),
    )
    return bool(inserted.rowcount)


def answer_from_row(row: Row) -> ProductAnswer:
    """Read an answer; a ``RecordError`` says that it is damaged."""
    names = ("id", "at", "learner", "a", "b", "answer", "seconds", "hinted", "surface")
    return decode(_line("answer", names, row), AnswerLine).product_answer()


def try_from_row(row: Row) -> PuzzleTry:
    """Read a try at a puzzle; a ``RecordError`` says that it is damaged."""
    names = (
        *("id", "at", "learner", "puzzle", "multiplier", "right"),
        *("seconds", "hinted", "surface"),
    )
    return decode(_line("attempt", names, row), AttemptLine).puzzle_try()


def _line(kind: str, names: tuple[str, ...], row: Row) -> bytes:
    columns = dict(zip(names, row, strict=True))
    for name in ("right", "hinted"):
        if columns.get(name) in (0, 1):  # SQLite has no other true and false
            columns[name] = bool(columns[name])
    return msgspec.json.encode({"ninefold": VERSION, "kind": kind} | columns)


class _ScheduledShape(Struct, frozen=True):
    puzzle: str
    box: int
    due_at: Time
    learner: str


def scheduled_from_row(row: Row) -> Scheduled:
    """Read a puzzle that will come back; a ``RecordError`` says that it is damaged."""
    columns = dict(zip(("puzzle", "box", "due_at", "learner"), row, strict=True))
    found = decode(msgspec.json.encode(columns), _ScheduledShape)
    due_at = utc(found.due_at, "due_at")
    return Scheduled(found.puzzle, found.box, due_at, found.learner)


def select_answers(connection: Connection, learner: str | None) -> Cursor:
    """Select the answers of one learner, or of all, oldest first."""
    return connection.execute(
        """
        SELECT id, at, learner, a, b, answer, seconds, hinted, surface
        FROM answers WHERE :learner IS NULL OR learner = :learner ORDER BY at, rowid
        """,
        {"learner": learner},
    )


def select_tries(connection: Connection, learner: str | None) -> Cursor:
    """Select the tries of one learner, or of all, oldest first."""
    return connection.execute(
        """
        SELECT id, at, learner, puzzle, multiplier, solved, seconds, hinted, surface
        FROM attempts WHERE :learner IS NULL OR learner = :learner ORDER BY at, rowid
        """,
        {"learner": learner},
    )


def select_tries_at(connection: Connection, learner: str, puzzle: str) -> Cursor:
    """Select the tries of one learner at one puzzle, oldest first."""
    return connection.execute(
        """
        SELECT id, at, learner, puzzle, multiplier, solved, seconds, hinted, surface
        FROM attempts WHERE learner = ? AND puzzle = ? ORDER BY at, rowid
        """,
        (learner, puzzle),
    )


def select_due(connection: Connection, at: datetime, learner: str | None) -> Cursor:
    """Select the puzzles that are due by some time, longest due first."""
    return connection.execute(
        """
        SELECT puzzle, box, due_at, learner FROM schedule
        WHERE due_at <= :at AND (:learner IS NULL OR learner = :learner)
        ORDER BY due_at, puzzle, learner
        """,
        {"at": write_time(at), "learner": learner},
    )


def select_learners(connection: Connection) -> list[str]:
    """Select everyone who answered or tried anything, the first to do so first."""
    rows = connection.execute(
        """
        SELECT learner FROM (
            SELECT learner, at FROM answers UNION ALL SELECT learner, at FROM attempts
        ) AS seen GROUP BY learner ORDER BY min(at), learner
        """
    )
    return [learner for (learner,) in rows]


def write_schedule(
    connection: Connection,
    learner: str,
    puzzle: str,
    tries: Iterable[PuzzleTry],
    schedule: Schedule,
) -> None:
    """Schedule a puzzle anew, from every try at it: an import may add earlier ones."""
    standing = None
    for made in tries:
        standing = schedule(standing, made)
    connection.execute(
        "DELETE FROM schedule WHERE learner = ? AND puzzle = ?", (learner, puzzle)
    )
    if standing is not None:
        connection.execute(
            "INSERT INTO schedule (learner, puzzle, box, due_at) VALUES (?, ?, ?, ?)",
            (learner, puzzle, standing.box, write_time(standing.due_at)),
        )
