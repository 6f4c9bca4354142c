"""The store: matches as logs of commands, learners and their answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import TypeVar

from ninefold.errors import (
    DamagedMatch,
    NinefoldError,
    UnknownMatch,
)
from ninefold.notation.codec import decode
from ninefold.store import match_log, schema
from ninefold.store.classes import ClassStore, append_to_classes
from ninefold.store.history import (
    count_games,
    limit_of,
    read_game,
    select_by_key,
    select_finished,
    select_games,
    select_of_learner,
)
from ninefold.store.learners import LearnerStore
from ninefold.store.match_import import import_match
from ninefold.store.values import (
    Append,
    ClassAppend,
    Entry,
    Filter,
    GameRow,
    Imported,
    MatchRow,
    StoredMatch,
)

Kind = TypeVar("Kind")

EVERY_GAME = Filter()
MOST_FOUND = 20
"""The most ids that ``find`` returns."""
_TRIES = 5
"""How often an append is tried when another program conflicts with it."""
_BATCH = 500
"""The number of rows to read at once when everything is read."""
_LOOKED_THROUGH = 20
"""The most unfinished matches to search for the one to continue."""


class Store(LearnerStore, ClassStore):
    """Stores matches and classes as logs of commands, learners and their answers.

    A change is on disk when its method returns, as a whole or not at all. A method
    that fails raises a ``StoreError``, or the session's own error, and changes
    nothing. Times are aware, and returned in UTC. A damaged row is skipped and
    reported in a notice.
    """

    # Playing

    def new_id(self) -> str:
        """Return an id for a new match."""
        return self._new_id()

    def append(self, *appends: Append | ClassAppend) -> None:
        """Add commands to the logs of matches and classes, all of them or none.

        The first append of a match holds its start and creates it. An id or a number
        that is taken, or a number that leaves a gap, raises ``RevisionConflict``.
        A match that was set aside is reopened.
        """
        for _ in range(_TRIES - 1):
            with suppress(schema.WriteConflict):
                return self._append(appends)
        return self._append(appends)

    def _append(self, appends: Sequence[Append | ClassAppend]) -> None:
        now = self.now()
        matches = [each for each in appends if isinstance(each, Append)]
        classes = [each for each in appends if isinstance(each, ClassAppend)]
        matches += [match for each in classes for match in each.matches]
        # A fixed order prevents deadlocks between programs.
        matches.sort(key=lambda append: append.match_id)
        classes.sort(key=lambda append: append.class_id)
        with self._database.writing() as connection:
            append_to_classes(connection, classes)
            match_log.append_all(connection, matches, now)

    def set_aside(self, match_id: str) -> None:
        """Close an unfinished match: it stays in the history only."""
        with self._database.writing() as connection:
            connection.execute(
                """
                UPDATE matches
                SET changed_at = :now, set_aside_at = :now, is_open = FALSE
                WHERE key = :key AND is_open = TRUE
                """,
                {
                    "now": schema.format_time(self.now()),
                    "key": match_log.get_match(connection, match_id).key,
                },
            )

    @property
    def is_shared(self) -> bool:
        """Whether processes notify each other of changes."""
        return self._database.is_shared

    def publish(self, words: Iterable[str]) -> None:
        """Send words to other processes, such as the ids of changed matches."""
        self._database.publish(words)

    def subscribe(self) -> AsyncGenerator[frozenset[str] | None, None]:
        """Yield words from other processes; None when some may have been lost."""
        return self._database.subscribe()

    def revisions(self, match_ids: Iterable[str]) -> dict[str, int]:
        """Return the revision of each of these matches that is stored."""
        found = dict[str, int]()
        with self._database.reading() as connection:
            for batch in _batches(list(match_ids)):
                matches = match_log.find_matches(connection, batch)
                found |= {match_id: each.revision for match_id, each in matches.items()}
        return found

    def newest_change(self) -> datetime | None:
        """Return when a match or a class last changed or someone answered, or None."""
        with self._database.reading() as connection:
            found = [
                schema.read_columns(row, tuple[datetime | None])[0]
                for newest in (
                    "changed_at) FROM matches",
                    "changed_at) FROM classes",
                    "at) FROM learned",
                )
                for row in connection.execute(f"SELECT max({newest}")
            ]
        return max(filter(None, found), default=None)

    def delete_older_than(self, before: datetime) -> int:
        """Remove the matches last changed before a time; return their number.

        Learners who were last active before then are removed, too.
        """
        # The first condition is what the index has; classes have a rule of their own.
        old = "is_open IN (TRUE, FALSE) AND changed_at < ? AND class IS NULL"
        with self._database.writing() as connection:
            for condition in (
                f"log WHERE match IN (SELECT key FROM matches WHERE {old})",
                f"games WHERE match IN (SELECT key FROM matches WHERE {old})",
                f"matches WHERE {old}",
            ):
                removed = connection.execute(
                    f"DELETE FROM {condition}", (schema.format_time(before),)
                )
            self._remove_idle(connection, before)
        return removed.rowcount

    # Resuming

    def match(self, match_id: str) -> StoredMatch:
        """Return a match with its log.

        Raise ``UnknownMatch``, or ``DamagedMatch`` if its log cannot be replayed.
        """
        with self._database.reading() as connection:
            return match_log.load_match(connection, match_id)

    def find(self, beginning: str, *, unfinished: bool = False) -> list[str]:
        """Return at most 20 ids with this beginning, the last changed first."""
        if not match_log.can_be_stored(beginning):
            return []
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT id FROM matches
                WHERE id >= ? AND id < ? AND (NOT ? OR is_open) AND class IS NULL
                ORDER BY changed_at DESC, key DESC LIMIT ?
                """,
                (beginning, beginning + schema.LAST_CHARACTER, unfinished, MOST_FOUND),
            )
            return [match_id for (match_id,) in rows]

    def unfinished(self, limit: int | None = None) -> list[MatchRow]:
        """Return the matches neither over nor set aside, the last changed first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT id, listed FROM matches WHERE is_open = TRUE AND class IS NULL
                ORDER BY changed_at DESC, key DESC LIMIT ?
                """,
                (limit_of(limit),),
            )
            return [*self._skip_damaged(rows, partial(_read_listed, MatchRow))]

    def latest_unfinished(self) -> tuple[MatchRow, StoredMatch] | None:
        """Return the unfinished match that changed last, with its row.

        Retries of a game come after all other matches. A match that cannot be resumed
        is skipped and reported in a notice.
        """
        second = None
        for row in self.unfinished(_LOOKED_THROUGH):
            try:
                stored = self.match(row.id)
                stored.setup.check()
                is_retry = stored.session.is_retry
            except NinefoldError as error:
                self._note(f"Game {row.id} cannot be resumed: {error}.")
                continue
            if not is_retry:
                return row, stored
            second = second or (row, stored)
        return second

    # History

    def history(
        self, filters: Filter = EVERY_GAME, limit: int | None = None, offset: int = 0
    ) -> list[GameRow]:
        """Return the games that match the filters, newest first."""
        most, found = limit_of(limit), list[GameRow]()
        with self._database.reading() as connection:
            while len(found) < most:  # replace damaged games by the next ones
                missing = most - len(found)
                rows = select_games(connection, filters, missing, offset).fetchall()
                found += self._skip_damaged(rows, read_game)
                offset += len(rows)
                if len(rows) < missing:
                    break
        return found

    def count(self, filters: Filter = EVERY_GAME) -> int:
        """Return the number of games that match the filters."""
        with self._database.reading() as connection:
            return count_games(connection, filters)

    def finished_against_levels(self) -> Iterator[GameRow]:
        """Return the finished games of one person against one level, oldest first.

        They include retries, which have ``is_retry`` set.
        """
        return self._finished(people=1)

    def finished_between_people(self) -> Iterator[GameRow]:
        """Return the finished games of two people, oldest first, with retries."""
        return self._finished(people=2)

    def games_of(self, learner: str) -> list[GameRow]:
        """Return the newest 500 finished games of a learner's matches, newest first."""
        with self._database.reading() as connection:
            rows = select_of_learner(connection, learner, _BATCH).fetchall()
            return [*self._skip_damaged(rows, read_game)]

    def _finished(self, people: int) -> Iterator[GameRow]:
        with self._database.reading() as connection:
            keys = select_finished(connection, people)
        for batch in _batches(keys):
            with self._database.reading() as connection:
                rows = select_by_key(connection, batch).fetchall()
            yield from self._skip_damaged(rows, read_game)

    # Export and import

    def entries(self) -> Iterator[Entry]:
        """Yield everything, matches first; report damaged entries in notices.

        Damaged indexes are rebuilt first, which a notice reports, too.
        """
        damage = self._database.repair()
        if damage is not None:
            self._note(damage)
        with self._database.reading() as connection:
            keys = match_log.select_all_matches(connection)
        for batch in _batches(keys):
            found: list[Entry] = []
            with self._database.reading() as connection:
                for key in batch:
                    try:
                        found.append(match_log.load_by_key(connection, key))
                    except (DamagedMatch, UnknownMatch) as error:
                        self._note(str(error))
            yield from found
        yield from self.learners()
        yield from self._answers(None)

    def import_entries(
        self, entries: Iterable[Entry], progress: Callable[[int], None] | None = None
    ) -> Imported:
        """Add entries: all of them or, if one is invalid, none.

        A match that could not have been played raises a ``RecordError``. An entry whose
        id is stored already is left unchanged, except that a match is extended if its
        log is the beginning of the imported one. Copies of a match on one server share
        their seats. ``progress`` is called with the number of entries imported so far.
        """
        counts: Counter[str] = Counter()
        with self._database.writing() as connection:
            for number, entry in enumerate(entries, start=1):
                counts[self._import(connection, entry)] += 1
                if progress is not None:
                    progress(number)
        return Imported(**counts)

    def _import(self, connection: schema.Connection, entry: Entry) -> str:
        """Import one entry; return the field of ``Imported`` that counts it."""
        if not isinstance(entry, StoredMatch):
            return "added" if self._insert(connection, entry) else "known"
        try:
            return import_match(connection, entry)
        except DamagedMatch as error:
            self._note(str(error))
            return "differing"


def _batches(items: Sequence[Kind]) -> Iterator[Sequence[Kind]]:
    return (items[begin : begin + _BATCH] for begin in range(0, len(items), _BATCH))


def _read_listed(kind: type[Kind], row: schema.Row) -> Kind:
    """Decode the value in a row of an id and a value."""
    _, value = schema.read_columns(row, tuple[str, str])
    return decode(value, kind)
