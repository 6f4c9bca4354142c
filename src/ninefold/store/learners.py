"""Learners and their answers, in a store.

A learner is known by an id, so that a name can change. A name that was used before, or
that a merged learner had, still leads to the learner; so does the id of a merged one.

The column ``learner`` says whose a row is, whatever its entry says: merging changes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from ninefold.learning import Activity, Answer
from ninefold.notation.codec import Time, decode
from ninefold.session.setup import LONGEST_NAME
from ninefold.store.log import to_json
from ninefold.store.schema import Connection, Row, read_columns, write_time
from ninefold.store.values import Learner, StoredAnswer


def insert(connection: Connection, entry: Learner | StoredAnswer) -> bool:
    """Insert a learner or an answer; return whether it was not here yet."""
    if isinstance(entry, Learner):
        kind, learner, at = "learner", entry.id, entry.begun_at
    else:
        kind, at = "answer", entry.answer.at
        learner = merged_into(connection, entry.learner)
    inserted = connection.execute(
        """
        INSERT INTO learned (kind, id, learner, at, entry) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (kind, id) DO NOTHING
        """,
        (kind, entry.id, learner, write_time(at), to_json(entry)),
    )
    return bool(inserted.rowcount)


def insert_match(
    connection: Connection, learner: str, match_id: str, at: datetime
) -> None:
    """Insert that a learner plays a match; whoever is first stays it."""
    connection.execute(
        """
        INSERT INTO learned (kind, id, learner, at, entry)
        VALUES ('match', ?, ?, ?, '') ON CONFLICT (kind, id) DO NOTHING
        """,
        (match_id, learner, write_time(at)),
    )


def merged_into(connection: Connection, learner_id: str) -> str:
    """Return the id of the learner who somebody is now, or the same id."""
    rows = connection.execute(
        "SELECT learner FROM learned WHERE kind = 'learner' AND id = ?", (learner_id,)
    )
    return next((str(learner) for (learner,) in rows), learner_id)


def select_answers(connection: Connection, learner: str | None) -> Iterator[Row]:
    """Yield the rows of the answers of one learner, or of all, oldest first."""
    whose = "" if learner is None else "AND learner = ?"
    return iter(
        connection.execute(
            f"""
            SELECT id, learner, entry FROM learned
            WHERE kind IN ('answer', 'attempt') {whose} ORDER BY at, key
            """,
            () if learner is None else (learner,),
        )
    )


def read_answer(row: Row) -> StoredAnswer:
    """Read a row of an answer."""
    entry_id, learner, value = read_columns(row, tuple[str, str, str])
    if '"item"' in value:
        return replace(decode(value, StoredAnswer), learner=learner)
    answer = decode(value, _EarlierAnswer).answer()
    return StoredAnswer(id=entry_id, learner=learner, answer=answer)


class _EarlierAnswer(Struct):
    """An answer as it was stored before puzzles and products were both items."""

    at: Time
    a: int = 0
    b: int = 0
    given: int = field(default=0, name="answer")
    puzzle: str = ""
    multiplier: int = 0
    right: bool = False
    seconds: float | None = None
    hinted: bool = False
    surface: str = ""

    def answer(self) -> Answer:
        is_puzzle = bool(self.puzzle)
        return Answer(
            item=self.puzzle or f"{self.a}x{self.b}",
            given=str(self.multiplier if is_puzzle else self.given),
            right=self.right if is_puzzle else self.a * self.b == self.given,
            at=self.at,
            activity=Activity.PUZZLE if is_puzzle else Activity.PLAY,
            seconds=self.seconds,
            hinted=self.hinted,
            surface=self.surface,
        )


def select_learners(connection: Connection) -> Iterator[Row]:
    """Yield the rows of the learners, the first who was here first.

    One who was stored by an earlier version has answers alone.
    """
    return iter(
        connection.execute(
            """
            SELECT learner, min(at), max(
                CASE WHEN kind = 'learner' AND id = learner THEN entry END
            )
            FROM learned GROUP BY learner ORDER BY min(key)
            """
        )
    )


def read_learner(row: Row) -> Learner:
    """Read a row of a learner."""
    learner, at, entry = read_columns(row, tuple[str, datetime, str | None])
    if entry is None:
        name = learner[:LONGEST_NAME].rstrip()
        return Learner(id=learner, name=name, begun_at=at)
    return decode(entry, Learner)


def get_learner(connection: Connection, learner_id: str) -> Learner | None:
    """Return the learner who has an id, or who was merged with that one."""
    rows = connection.execute(
        "SELECT learner, at, entry FROM learned WHERE kind = 'learner' AND id = ?",
        (merged_into(connection, learner_id),),
    )
    return next(map(read_learner, rows), None)


def find_learner(learners: Iterable[Learner], name: str) -> Learner | None:
    """Return the first who has a name, else who had it before, else who has that id."""
    found, wanted = [*learners], name.casefold()
    now = [each for each in found if each.name.casefold() == wanted]
    before = [each for each in found if wanted in map(str.casefold, each.formerly)]
    by_id = [each for each in found if each.id == name]
    return next(iter(now + before + by_id), None)


def select_latest(connection: Connection) -> Iterator[Row]:
    """Yield the ids of the learners, the one who was chosen or answered last first."""
    return iter(
        connection.execute(
            """
            SELECT learner FROM learned
            GROUP BY learner ORDER BY max(at) DESC, max(key) DESC
            """
        )
    )


def choose(connection: Connection, learner: Learner, at: datetime) -> None:
    """Make a learner the latest one, by the time of the row; the value stays."""
    insert(connection, learner)
    connection.execute(
        "UPDATE learned SET at = ? WHERE kind = 'learner' AND id = ?",
        (write_time(at), learner.id),
    )


def rename(connection: Connection, learner: Learner, name: str) -> None:
    """Give a learner another name; the one before still leads to them."""
    formerly = (*(each for each in learner.formerly if each != name), learner.name)
    update(connection, replace(learner, name=name, formerly=formerly))


def merge(connection: Connection, learner: Learner, into: Learner) -> None:
    """Make two learners one: everything that the one answered is the other's."""
    insert(connection, learner)  # an import of it leads to the other from now on
    connection.execute(
        "UPDATE learned SET learner = ? WHERE learner = ?", (into.id, learner.id)
    )
    names = (*into.formerly, *learner.formerly, learner.name)
    formerly = tuple(dict.fromkeys(each for each in names if each != into.name))
    update(connection, replace(into, formerly=formerly))


def remove(connection: Connection, learner_id: str) -> None:
    """Remove a learner and every answer."""
    connection.execute("DELETE FROM learned WHERE learner = ?", (learner_id,))


def remove_idle(connection: Connection, before: datetime) -> None:
    """Remove the learners who have done nothing since a time."""
    connection.execute(
        """
        DELETE FROM learned WHERE learner IN (
            SELECT learner FROM learned GROUP BY learner HAVING max(at) < ?
        )
        """,
        (write_time(before),),
    )


def update(connection: Connection, learner: Learner) -> None:
    """Store a learner as they are now."""
    insert(connection, learner)
    connection.execute(
        "UPDATE learned SET entry = ? WHERE kind = 'learner' AND id = ?",
        (to_json(learner), learner.id),
    )
