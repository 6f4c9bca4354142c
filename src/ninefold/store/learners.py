"""Learners and their answers, in a store.

A learner is known by an id, so that a name can change. A name that was used before, or
that a merged learner had, still leads to the learner.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from ninefold.errors import UnknownLearner
from ninefold.learning import Activity, Answer
from ninefold.notation.codec import decode
from ninefold.store.log import to_json
from ninefold.store.schema import Connection, Row, read_columns, write_time
from ninefold.store.values import Learner, StoredAnswer


def insert(connection: Connection, entry: Learner | StoredAnswer) -> bool:
    """Insert a learner or an answer; return whether it was not here yet."""
    if isinstance(entry, Learner):
        kind, learner, at = "learner", entry.id, entry.begun_at
    else:
        kind, learner, at = "answer", entry.learner, entry.answer.at
    inserted = connection.execute(
        """
        INSERT INTO learned (kind, id, learner, at, entry) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (kind, id) DO NOTHING
        """,
        (kind, entry.id, learner, write_time(at), to_json(entry)),
    )
    return bool(inserted.rowcount)


def select_answers(connection: Connection, learner: str | None) -> Iterator[Row]:
    """Yield ids and values of the answers of one learner, or of all, oldest first."""
    return iter(
        connection.execute(
            """
            SELECT id, entry FROM learned
            WHERE kind IN ('answer', 'attempt')
                AND (:learner IS NULL OR learner = :learner)
            ORDER BY at, key
            """,
            {"learner": learner},
        )
    )


def read_answer(row: Row) -> StoredAnswer:
    """Read a row of an id and a value."""
    entry_id, value = read_columns(row, tuple[str, str])
    if '"item"' in value:
        return decode(value, StoredAnswer)
    earlier = decode(value, _EarlierAnswer)
    return StoredAnswer(id=entry_id, learner=earlier.learner, answer=earlier.answer())


class _EarlierAnswer(Struct):
    """An answer as it was stored before puzzles and products were both items."""

    at: datetime
    learner: str
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


def select_learners(connection: Connection) -> list[Learner]:
    """Return every learner, the first who was here first."""
    rows = connection.execute(
        """
        SELECT learner, min(at), max(CASE WHEN kind = 'learner' THEN entry END)
        FROM learned GROUP BY learner ORDER BY min(at), learner
        """
    )
    return [*map(_read_learner, rows)]


def _read_learner(row: Row) -> Learner:
    learner, at, entry = read_columns(row, tuple[str, datetime, str | None])
    if entry is None:
        return Learner(id=learner, name=learner, begun_at=at)
    return decode(entry, Learner)


def find_learner(connection: Connection, name: str) -> Learner | None:
    """Return the learner with a name, or who had it before; None if there is none."""
    found = select_learners(connection)
    wanted = name.casefold()
    now = [each for each in found if each.name.casefold() == wanted]
    before = [each for each in found if wanted in map(str.casefold, each.formerly)]
    return next(iter(now + before), None)


def get_learner(connection: Connection, name: str) -> Learner:
    """Return the learner with a name; refuse a name that nobody has."""
    found = find_learner(connection, name)
    if found is None:
        names = [each.name for each in select_learners(connection)]
        raise UnknownLearner(name, names)
    return found


def rename(connection: Connection, learner: Learner, name: str) -> None:
    """Give a learner another name; the one before still leads to them."""
    formerly = (*(each for each in learner.formerly if each != name), learner.name)
    _update(connection, replace(learner, name=name, formerly=formerly))


def merge(connection: Connection, learner: Learner, into: Learner) -> None:
    """Make two learners one: everything that the one answered is the other's."""
    rows = [*select_answers(connection, learner.id)]
    for row in rows:
        answer = replace(read_answer(row), learner=into.id)
        connection.execute(
            "UPDATE learned SET learner = ?, entry = ? WHERE id = ? AND learner = ?",
            (into.id, to_json(answer), answer.id, learner.id),
        )
    connection.execute(
        "DELETE FROM learned WHERE kind = 'learner' AND id = ?", (learner.id,)
    )
    names = (*into.formerly, *learner.formerly, learner.name)
    formerly = tuple(dict.fromkeys(each for each in names if each != into.name))
    _update(connection, replace(into, formerly=formerly))


def remove(connection: Connection, learner_id: str) -> int:
    """Remove a learner and every answer; return how many answers there were."""
    removed = connection.execute("DELETE FROM learned WHERE learner = ?", (learner_id,))
    return removed.rowcount


def _update(connection: Connection, learner: Learner) -> None:
    insert(connection, learner)
    connection.execute(
        "UPDATE learned SET entry = ? WHERE kind = 'learner' AND id = ?",
        (to_json(learner), learner.id),
    )
