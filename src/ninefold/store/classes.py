"""Classes in a store: logs of commands, and the matches of their tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from ninefold.errors import (
    DamagedClass,
    RecordError,
    RevisionConflict,
    UnknownClass,
)
from ninefold.notation.codec import decode
from ninefold.store.match_log import can_be_stored, to_json
from ninefold.store.schema import Connection, format_time, read_columns
from ninefold.store.store_base import StoreBase
from ninefold.store.values import ClassAppend, ClassCommand, StoredClass

_EVERYWHERE = ""
"""Stands for all addresses in the counts of wrong codes."""


class ClassStore(StoreBase):
    """Stores classes as logs of commands."""

    def class_with_id(self, class_id: str) -> StoredClass:
        """Return a class with its log; raise ``UnknownClass`` if it is not stored."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT revision, number, at, request, command
                FROM class_log JOIN classes ON classes.key = class_log.class
                WHERE id = ? ORDER BY number
                """,
                (class_id,),
            ).fetchall()
        if not rows:
            raise UnknownClass
        last = len(rows)
        if [tuple(row)[:2] for row in rows] != [(last, n) for n in range(1, last + 1)]:
            problem = "a command is missing"
            raise DamagedClass(problem)
        try:
            log = tuple(_read_command(row) for _, _, *row in rows)
        except RecordError as error:
            raise DamagedClass(str(error)) from None
        return StoredClass(class_id, log)

    def class_with_code(self, code: str) -> str | None:
        """Return the id of the class with a code, or None."""
        if not can_be_stored(code):
            return None
        with self._database.reading() as connection:
            rows = connection.execute("SELECT id FROM classes WHERE code = ?", (code,))
            return next((read_columns(row, tuple[str])[0] for row in rows), None)

    def class_revisions(self, class_ids: Iterable[str]) -> dict[str, int]:
        """Return the revision of each of these classes that is stored."""
        wanted = list(class_ids)
        marks = ", ".join("?" * len(wanted))
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT id, revision FROM classes WHERE id IN ({marks})", wanted
            )
            return dict(read_columns(row, tuple[str, int]) for row in rows)

    def class_of(self, match_id: str) -> str | None:
        """Return the id of the class that a match belongs to, or None."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT class FROM matches WHERE id = ?", (match_id,)
            )
            return next((read_columns(row, tuple[str | None])[0] for row in rows), None)

    def latest_class(self) -> str | None:
        """Return the id of the class created last, or None.

        Clocks play no part: that of a laptop may have been wrong yesterday.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id FROM classes ORDER BY key DESC LIMIT 1"
            )
            return next((read_columns(row, tuple[str])[0] for row in rows), None)

    def delete_class(self, class_id: str) -> None:
        """Remove a class, with its matches."""
        with self._database.writing() as connection:
            _delete(connection, "id = ?", class_id)

    def delete_classes_older_than(self, before: datetime) -> list[str]:
        """Remove the classes last changed before a time; return their ids."""
        time = format_time(before)
        with self._database.writing() as connection:
            rows = connection.execute(
                "SELECT id FROM classes WHERE changed_at < ?", (time,)
            ).fetchall()
            _delete(connection, "changed_at < ?", time)
        return [class_id for (class_id,) in rows]

    def count_wrong_codes(self, address: str) -> tuple[int, int]:
        """Return the wrong codes of this minute: from an address, and from all."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT address, many FROM wrong_codes"
                " WHERE minute = ? AND address IN (?, ?)",
                (self._minute(), address, _EVERYWHERE),
            )
            counts = dict(read_columns(row, tuple[str, int]) for row in rows)
        return counts.get(address, 0), counts.get(_EVERYWHERE, 0)

    def add_wrong_code(self, address: str) -> None:
        """Count a wrong code from an address; forget those of earlier minutes."""
        minute = self._minute()
        with self._database.writing() as connection:
            connection.execute("DELETE FROM wrong_codes WHERE minute < ?", (minute,))
            for place in (address, _EVERYWHERE):
                connection.execute(
                    """
                    INSERT INTO wrong_codes (minute, address, many) VALUES (?, ?, 1)
                    ON CONFLICT (minute, address)
                    DO UPDATE SET many = wrong_codes.many + 1
                    """,
                    (minute, place),
                )

    def _minute(self) -> int:
        return int(self.now().timestamp() // timedelta(minutes=1).total_seconds())


def append_to_classes(connection: Connection, appends: Sequence[ClassAppend]) -> None:
    """Append commands to classes, and create classes that start with them."""
    for append in appends:
        _append(connection, append)


def _append(connection: Connection, append: ClassAppend) -> None:
    last = append.revision + len(append.commands)
    time = format_time(append.commands[-1].at)
    columns = {
        "id": append.class_id,
        "code": append.code,
        "before": append.revision,
        "revision": last,
        "changed_at": time,
    }
    if append.revision:
        changed = connection.execute(
            """
            UPDATE classes SET code = :code, revision = :revision,
                changed_at = :changed_at
            WHERE id = :id AND revision = :before RETURNING key
            """,
            columns,
        )
    else:
        changed = connection.execute(
            """
            INSERT INTO classes (id, code, revision, changed_at)
            VALUES (:id, :code, :revision, :changed_at)
            ON CONFLICT DO NOTHING RETURNING key
            """,
            columns,
        )
    rows = changed.fetchall()
    if not rows:
        known = connection.execute(
            "SELECT key FROM classes WHERE id = ?", (append.class_id,)
        )
        if append.revision and not known.fetchall():
            raise UnknownClass
        raise RevisionConflict(append.class_id, append.revision + 1)
    ((key,),) = rows
    connection.executemany(
        "INSERT INTO class_log (class, number, at, request, command)"
        " VALUES (?, ?, ?, ?, ?)",
        [
            (key, number, format_time(each.at), each.request, to_json(each.command))
            for number, each in enumerate(append.commands, start=append.revision + 1)
        ],
    )


def _delete(connection: Connection, condition: str, value: str) -> None:
    ids = f"(SELECT id FROM classes WHERE {condition})"
    keys = f"(SELECT key FROM classes WHERE {condition})"
    matches = f"(SELECT key FROM matches WHERE class IN {ids})"
    for rows in (
        f"log WHERE match IN {matches}",
        f"games WHERE match IN {matches}",
        f"matches WHERE class IN {ids}",
        f"class_log WHERE class IN {keys}",
        f"classes WHERE {condition}",
    ):
        connection.execute(f"DELETE FROM {rows}", (value,))


def _read_command(row: Sequence[object]) -> ClassCommand:
    at, request, command = read_columns(tuple(row), tuple[str, str, str])
    text = f'{{"at":{to_json(at)},"request":{to_json(request)},"command":{command}}}'
    return decode(text, ClassCommand)
