"""Learners and their answers, in a store.

A learner is known by an id, so that a name can change. Saved matches have the name of
their day, so an earlier name still leads to the learner.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from ninefold.errors import NameTaken, UnknownLearner
from ninefold.game import NAMES
from ninefold.learning import Activity, Answer
from ninefold.notation.codec import decode
from ninefold.session.setup import LONGEST_NAME
from ninefold.store.match_log import to_json
from ninefold.store.schema import (
    LAST_CHARACTER,
    Connection,
    Row,
    format_time,
    read_columns,
)
from ninefold.store.store_base import StoreBase
from ninefold.store.values import Learner, StoredAnswer

DEFAULT_LEARNER = "Guest"
"""The learner who practises without a name: a seat's own name is nobody's."""


class LearnerStore(StoreBase):
    """Stores learners and their answers."""

    # Answers

    def add_answer(
        self,
        learner: str,
        item: str,
        given: str,
        *,
        right: bool,
        activity: Activity,
        seconds: float | None = None,
        hinted: bool = False,
        surface: str = "",
    ) -> Answer:
        """Store an answer of a learner, whose id is given."""
        answer = Answer(
            item=item,
            given=given,
            right=right,
            at=self.now(),
            activity=activity,
            seconds=seconds,
            hinted=hinted,
            surface=surface,
        )
        stored = StoredAnswer(id=self._new_id(), learner=learner, answer=answer)
        with self._database.writing() as connection:
            self._insert(connection, stored)
        return answer

    def answers(self, learner: str | None = None) -> list[Answer]:
        """Return the answers of one learner, or of all, oldest first."""
        return [each.answer for each in self._answers(learner)]

    def _answers(self, learner: str | None) -> list[StoredAnswer]:
        whose = "" if learner is None else "AND learner = ?"
        with self._database.reading() as connection:
            rows = connection.execute(
                f"""
                SELECT id, entry FROM learned
                WHERE kind = 'answer' {whose} ORDER BY at, key
                """,
                () if learner is None else (learner,),
            )
            return [*self._skip_damaged(rows, _read_answer)]

    def add_answers_of(
        self, learner: str, request: str, body: str, answers: Iterable[Answer]
    ) -> bool:
        """Store the answers that a request gave, once however often it is sent.

        ``request`` and ``body`` are digests. Return False, and store nothing, where
        the request gave answers with another body.
        """
        beginning = f"{request}."
        with self._database.writing() as connection:
            known = connection.execute(
                "SELECT id FROM learned WHERE kind = 'answer' AND id >= ? AND id < ?",
                (beginning, beginning + LAST_CHARACTER),
            ).fetchall()
            for number, answer in enumerate(() if known else answers):
                answer_id = f"{beginning}{body}.{number}"
                self._insert(connection, StoredAnswer(answer_id, learner, answer))
        return all(each.startswith(f"{beginning}{body}.") for (each,) in known)

    def count_answers(self, learner: str) -> int:
        """Return how many answers a learner, whose id is given, has stored."""
        with self._database.reading() as connection:
            (row,) = connection.execute(
                "SELECT count(*) FROM learned WHERE learner = ? AND kind = 'answer'",
                (learner,),
            )
            return read_columns(row, tuple[int])[0]

    def add_match(self, learner: str, match_id: str) -> None:
        """Store that a learner plays a match against a level; the first stays it."""
        with self._database.writing() as connection:
            at = format_time(self.now())
            _insert(connection, "match", match_id, learner, at, "")

    # Learners

    def learners(self) -> list[Learner]:
        """Return who has learned here, the first who was here first."""
        with self._database.reading() as connection:
            return self._learners(connection)

    def _learners(self, connection: Connection) -> list[Learner]:
        # One who has no name has answers alone.
        rows = connection.execute(
            """
            SELECT learner, min(at), max(CASE WHEN kind = 'learner' THEN entry END)
            FROM learned GROUP BY learner ORDER BY min(key)
            """
        )
        return [*self._skip_damaged(rows, _read_learner)]

    def learner(self, name: str) -> Learner:
        """Return the first learner with a name; a name that is new makes one.

        The name of a seat that nobody has named leads to the default learner.
        """
        if name in NAMES.values():
            name = DEFAULT_LEARNER
        found = _find(self.learners(), name)
        if found is not None:
            return found
        new = Learner(id=self._new_id(), name=name, begun_at=self.now())
        with self._database.writing() as connection:
            found = _find(self._learners(connection), name)
            if found is None:  # nor has another program made one meanwhile
                self._insert(connection, new)
        return found or new

    def find_learner(self, name: str) -> Learner:
        """Return the learner with a name; refuse a name that nobody has."""
        return _get(self.learners(), name)

    def latest_learner(self) -> Learner | None:
        """Return who was chosen or answered last; None where nobody learns yet."""
        with self._database.reading() as connection:
            known = {each.id: each for each in self._learners(connection)}
            rows = connection.execute(
                "SELECT learner FROM learned"
                " GROUP BY learner ORDER BY max(at) DESC, max(key) DESC"
            )
            return next((known[each] for (each,) in rows if each in known), None)

    def choose_learner(self, name: str) -> Learner:
        """Make the learner with a name the latest one; a new name makes one."""
        chosen = self.learner(name)
        with self._database.writing() as connection:
            self._insert(connection, chosen)
            connection.execute(
                "UPDATE learned SET at = ? WHERE kind = 'learner' AND id = ?",
                (format_time(self.now()), chosen.id),
            )
        return chosen

    def has_learner(self, learner_id: str) -> bool:
        """Whether anything is stored of a learner."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id FROM learned WHERE learner = ? LIMIT 1", (learner_id,)
            )
            return bool(rows.fetchall())

    def learner_with_id(self, learner_id: str) -> Learner | None:
        """Return the learner with an id, if that learner has a name."""
        with self._database.reading() as connection:
            return _with_id(connection, learner_id)

    def name_learner(self, learner_id: str, name: str) -> None:
        """Name the learner with this id; somebody else may have the same name."""
        new = Learner(id=learner_id, name=name, begun_at=self.now())
        with self._database.writing() as connection:
            known = _with_id(connection, learner_id) or new
            self._update(connection, replace(known, name=name))

    def rename_learner(self, name: str, new_name: str) -> None:
        """Give a learner another name; one that somebody has is refused."""
        with self._database.writing() as connection:
            known = self._learners(connection)
            learner = _get(known, name)
            taken = _find(known, new_name)
            if taken is not None and taken.id != learner.id:
                raise NameTaken(new_name, taken.name)
            before = [each for each in learner.formerly if each != new_name]
            formerly = (*before, learner.name)
            self._update(connection, replace(learner, name=new_name, formerly=formerly))

    def remove_learner(self, learner_id: str) -> None:
        """Remove a learner and every answer of theirs."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM learned WHERE learner = ?", (learner_id,))

    # Moving to another device

    def offer_transfer(
        self, learner: str, code: str, sealed: str, lifetime: timedelta
    ) -> None:
        """Store how another device becomes a learner, in place of earlier offers.

        ``code`` is a digest of what opens ``sealed``; old offers are removed.
        """
        with self._database.writing() as connection:
            self._remove_transfers(connection, lifetime)
            connection.execute(
                "DELETE FROM learned WHERE kind = 'transfer' AND learner = ?",
                (learner,),
            )
            _insert(
                connection, "transfer", code, learner, format_time(self.now()), sealed
            )

    def take_transfer(self, code: str, request: str, lifetime: timedelta) -> str | None:
        """Return what an offer holds, once however often the request is sent.

        None for an offer that is too old, taken by another request, or was never made.
        """
        taken = f"{code}.{request}"
        with self._database.writing() as connection:
            self._remove_transfers(connection, lifetime)
            connection.execute(
                "UPDATE learned SET id = ? WHERE kind = 'transfer' AND id = ?",
                (taken, code),
            )
            rows = connection.execute(
                "SELECT entry FROM learned WHERE kind = 'transfer' AND id = ?",
                (taken,),
            )
            return next((read_columns(row, tuple[str])[0] for row in rows), None)

    def _remove_transfers(self, connection: Connection, lifetime: timedelta) -> None:
        connection.execute(
            "DELETE FROM learned WHERE kind = 'transfer' AND at < ?",
            (format_time(self.now() - lifetime),),
        )

    def _remove_idle(self, connection: Connection, before: datetime) -> None:
        """Remove the learners who have done nothing since a time."""
        connection.execute(
            """
            DELETE FROM learned WHERE learner IN (
                SELECT learner FROM learned GROUP BY learner HAVING max(at) < ?
            )
            """,
            (format_time(before),),
        )

    def _insert(self, connection: Connection, entry: Learner | StoredAnswer) -> bool:
        """Insert a learner or an answer; return whether it was not here yet."""
        if isinstance(entry, Learner):
            kind, learner, at = "learner", entry.id, entry.begun_at
        else:
            kind, learner, at = "answer", entry.learner, entry.answer.at
        time = format_time(at)
        return _insert(connection, kind, entry.id, learner, time, to_json(entry))

    def _update(self, connection: Connection, learner: Learner) -> None:
        self._insert(connection, learner)
        connection.execute(
            "UPDATE learned SET entry = ? WHERE kind = 'learner' AND id = ?",
            (to_json(learner), learner.id),
        )


def _insert(connection: Connection, *columns: str) -> bool:
    inserted = connection.execute(
        """
        INSERT INTO learned (kind, id, learner, at, entry) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (kind, id) DO NOTHING
        """,
        columns,
    )
    return bool(inserted.rowcount)


def _find(learners: Iterable[Learner], name: str) -> Learner | None:
    """Return the first who has a name, else who had it before, else who has that id."""
    found, wanted = [*learners], name.casefold()
    now = [each for each in found if each.name.casefold() == wanted]
    before = [each for each in found if wanted in map(str.casefold, each.formerly)]
    by_id = [each for each in found if each.id == name]
    return next(iter(now + before + by_id), None)


def _get(learners: list[Learner], name: str) -> Learner:
    found = _find(learners, name)
    if found is None:
        raise UnknownLearner(name, [each.name for each in learners])
    return found


def _with_id(connection: Connection, learner_id: str) -> Learner | None:
    rows = connection.execute(
        "SELECT learner, at, entry FROM learned WHERE kind = 'learner' AND id = ?",
        (learner_id,),
    )
    return next(map(_read_learner, rows), None)


def _read_learner(row: Row) -> Learner:
    learner, at, entry = read_columns(row, tuple[str, datetime, str | None])
    if entry is None:
        name = learner[:LONGEST_NAME].rstrip()
        return Learner(id=learner, name=name, begun_at=at)
    return decode(entry, Learner)


def _read_answer(row: Row) -> StoredAnswer:
    _, value = read_columns(row, tuple[str, str])
    return decode(value, StoredAnswer)
