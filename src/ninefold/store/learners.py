"""Learners and their answers, in a store.

A learner is identified by an id, so that the name can change. Saved matches have the
name of their time, so an earlier name still finds the learner.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from ninefold.errors import NameTaken, SetupError, UnknownLearner
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
"""The learner of people without a name, because a seat's default name is nobody's."""


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
        """Store an answer, given now; ``learner`` is an id."""
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
        """Store the answers in a request once, however often it is repeated.

        ``request`` and ``body`` are digests. Return False, and store nothing, if the
        same request has stored answers with another body.
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
        """Return the number of stored answers; ``learner`` is an id."""
        with self._database.reading() as connection:
            (row,) = connection.execute(
                "SELECT count(*) FROM learned WHERE learner = ? AND kind = 'answer'",
                (learner,),
            )
            return read_columns(row, tuple[int])[0]

    def add_match(self, learner: str, match_id: str) -> None:
        """Store the learner of a match against a level; the first one stays."""
        with self._database.writing() as connection:
            at = format_time(self.now())
            _insert(connection, "match", match_id, learner, at, "")

    # Learners

    def learners(self) -> list[Learner]:
        """Return every learner, oldest first."""
        with self._database.reading() as connection:
            return self._learners(connection)

    def _learners(self, connection: Connection) -> list[Learner]:
        # A learner without a name has answers, but no row of kind 'learner'.
        rows = connection.execute(
            """
            SELECT learner, min(at), max(CASE WHEN kind = 'learner' THEN entry END)
            FROM learned GROUP BY learner ORDER BY min(key)
            """
        )
        return [*self._skip_damaged(rows, _read_learner)]

    def learner(self, name: str) -> Learner:
        """Return the first learner with a name; create one if there is none.

        The default name of a seat stands for the default learner.
        """
        if _is_of_a_seat(name):
            name = DEFAULT_LEARNER
        found = _find(self.learners(), name)
        if found is not None:
            return found
        new = Learner(id=self._new_id(), name=name, begun_at=self.now())
        with self._database.writing() as connection:
            found = _find(self._learners(connection), name)
            if found is None:  # another program has not created it meanwhile
                self._insert(connection, new)
        return found or new

    def find_learner(self, name: str) -> Learner:
        """Return the learner with a name; raise ``UnknownLearner`` if none has it."""
        return _get(self.learners(), name)

    def latest_learner(self) -> Learner | None:
        """Return the learner chosen or active last, or None if there is none."""
        with self._database.reading() as connection:
            known = {each.id: each for each in self._learners(connection)}
            rows = connection.execute(
                "SELECT learner FROM learned"
                " GROUP BY learner ORDER BY max(at) DESC, max(key) DESC"
            )
            return next((known[each] for (each,) in rows if each in known), None)

    def choose_learner(self, name: str) -> Learner:
        """Make the learner with a name the latest one; create one if needed."""
        chosen = self.learner(name)
        with self._database.writing() as connection:
            self._insert(connection, chosen)
            connection.execute(
                "UPDATE learned SET at = ? WHERE kind = 'learner' AND id = ?",
                (format_time(self.now()), chosen.id),
            )
        return chosen

    def has_learner(self, learner_id: str) -> bool:
        """Whether anything is stored about a learner."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id FROM learned WHERE learner = ? LIMIT 1", (learner_id,)
            )
            return bool(rows.fetchall())

    def learner_with_id(self, learner_id: str) -> Learner | None:
        """Return the learner with an id, or None if unknown or without a name."""
        with self._database.reading() as connection:
            return _with_id(connection, learner_id)

    def name_learner(self, learner_id: str, name: str) -> None:
        """Name the learner with an id; several learners may share a name."""
        new = Learner(id=learner_id, name=name, begun_at=self.now())
        with self._database.writing() as connection:
            known = _with_id(connection, learner_id) or new
            self._update(connection, replace(known, name=name))

    def rename_learner(self, name: str, new_name: str) -> None:
        """Rename a learner; raise ``NameTaken`` if another one has the new name.

        The default name of a seat is nobody's: it raises ``SetupError``.
        """
        if _is_of_a_seat(new_name):
            message = f"'{new_name}' is the name of a seat; choose another name"
            raise SetupError(message)
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
        """Remove a learner and all their answers."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM learned WHERE learner = ?", (learner_id,))

    # Moving to another device

    def offer_transfer(
        self, learner: str, code: str, sealed: str, lifetime: timedelta
    ) -> None:
        """Store an offer of a learner to another device, replacing earlier offers.

        ``code`` is a digest of the code that decrypts ``sealed``. Expired offers are
        removed.
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
        """Return the ``sealed`` text of an offer to one request and its repeats.

        None if the offer has expired, was taken by another request, or never existed.
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
        """Remove the learners who were last active before a time."""
        connection.execute(
            """
            DELETE FROM learned WHERE learner IN (
                SELECT learner FROM learned GROUP BY learner HAVING max(at) < ?
            )
            """,
            (format_time(before),),
        )

    def _insert(self, connection: Connection, entry: Learner | StoredAnswer) -> bool:
        """Insert a learner or an answer; return whether it was new."""
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


def _is_of_a_seat(name: str) -> bool:
    return name.casefold() in map(str.casefold, NAMES.values())


def _find(learners: Iterable[Learner], name: str) -> Learner | None:
    """Return the first learner with a name, else with it earlier, else with that id."""
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
