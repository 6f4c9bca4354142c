"""The store: matches as the logs of their commands, and what people learned."""

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
"""How many ids ``find`` returns at most."""
_TRIES = 5
"""How often a change is tried that another program interferes with."""
_BATCH = 500
"""How many rows are read at once where everything is read."""
_LOOKED_THROUGH = 20
"""How many matches that were left are looked at for the one to continue."""


class Store(LearnerStore):
    """Stores matches as the logs of their commands, and what people learned.

    A change is on disk when its method returns, as a whole or not at all. A refusal
    raises a ``StoreError``, or the session's own error, and changes nothing. Times are
    aware, and come back in UTC. A row that is damaged makes a notice, and is left out.
    """

    # Playing

    def new_id(self) -> str:
        """Return an id for a match that is not stored yet."""
        return self._new_id()

    def append(self, *appends: Append) -> None:
        """Add commands to the logs of matches, all of them or none.

        The first append of a match holds its start and makes it. An id or a number
        that is taken, or a number that leaves a gap, raises ``RevisionConflict``.
        A match that was set aside is taken up again.
        """
        for _ in range(_TRIES - 1):
            with suppress(schema.WriteConflict):
                return self._append(appends)
        return self._append(appends)

    def _append(self, appends: Sequence[Append]) -> None:
        now = self.now()
        # In the same order everywhere, two programs never wait for each other.
        ordered = sorted(appends, key=lambda append: append.match_id)
        with self._database.writing() as connection:
            match_log.append_all(connection, ordered, now)

    def set_aside(self, match_id: str) -> None:
        """Put an unfinished match away: it stays in the history alone."""
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
        """Whether processes tell each other what they change."""
        return self._database.is_shared

    def publish(self, words: Iterable[str]) -> None:
        """Send words to other processes, such as the ids of matches that changed."""
        self._database.publish(words)

    def subscribe(self) -> AsyncGenerator[frozenset[str] | None, None]:
        """Yield the words of other processes; None where some may be missed."""
        return self._database.subscribe()

    def revisions(self, match_ids: Iterable[str]) -> dict[str, int]:
        """Return the number of the last command of each of them that is there."""
        found = dict[str, int]()
        with self._database.reading() as connection:
            for batch in _batches(list(match_ids)):
                matches = match_log.find_matches(connection, batch)
                found |= {match_id: each.revision for match_id, each in matches.items()}
        return found

    def newest_change(self) -> datetime | None:
        """Return when a match last changed or somebody last answered, if ever."""
        with self._database.reading() as connection:
            found = [
                schema.read_columns(row, tuple[datetime | None])[0]
                for newest in ("changed_at) FROM matches", "at) FROM learned")
                for row in connection.execute(f"SELECT max({newest}")
            ]
        return max(filter(None, found), default=None)

    def delete_older_than(self, before: datetime) -> int:
        """Remove the matches that were last changed before a time; count them.

        Learners who have not answered since then are removed, too.
        """
        old = "is_open IN (TRUE, FALSE) AND changed_at < ?"  # as the index has it
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

        It raises ``UnknownMatch``, or ``DamagedMatch`` where the rules refuse the log.
        """
        with self._database.reading() as connection:
            return match_log.load_match(connection, match_id)

    def find(self, beginning: str, *, unfinished: bool = False) -> list[str]:
        """Return the ids that begin so, the last changed first, at most 20."""
        if not match_log.can_be_stored(beginning):
            return []
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT id FROM matches WHERE id >= ? AND id < ? AND (NOT ? OR is_open)
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
                SELECT id, listed FROM matches WHERE is_open = TRUE
                ORDER BY changed_at DESC, key DESC LIMIT ?
                """,
                (limit_of(limit),),
            )
            return [*self._skip_damaged(rows, partial(_read_listed, MatchRow))]

    def latest_unfinished(self) -> tuple[MatchRow, StoredMatch] | None:
        """Return the match that people go on with, and its row: the last one left.

        Another try at a game is a second one, so it stands behind every other match.
        One that cannot be played makes a notice.
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
        """Return games, the last begun first."""
        most, found = limit_of(limit), list[GameRow]()
        with self._database.reading() as connection:
            while len(found) < most:  # others take the place of damaged ones
                missing = most - len(found)
                rows = select_games(connection, filters, missing, offset).fetchall()
                found += self._skip_damaged(rows, read_game)
                offset += len(rows)
                if len(rows) < missing:
                    break
        return found

    def count(self, filters: Filter = EVERY_GAME) -> int:
        """Return how many games a history would hold."""
        with self._database.reading() as connection:
            return count_games(connection, filters)

    def finished_against_levels(self) -> Iterator[GameRow]:
        """Return the finished games of one person against one level, oldest first.

        Retries are among them; ``is_retry`` tells them.
        """
        return self._finished(people=1)

    def finished_between_people(self) -> Iterator[GameRow]:
        """Return the finished games of two people, oldest first, retries too."""
        return self._finished(people=2)

    def games_of(self, learner: str) -> list[GameRow]:
        """Return the finished games of these matches, the last begun first: 500."""
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
        """Return everything, matches first; a damaged entry makes a notice instead.

        Damaged indexes are made anew before, with a notice, too.
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
        """Add entries, all of them or, if one is refused, none.

        A ``RecordError`` refuses a match that could not have been played. An entry that
        is here already, by its id, stays. A match whose log begins with the log here
        takes its place. Copies of a match on one server share their seats.
        ``progress`` is told how many entries have been imported.
        """
        counts: Counter[str] = Counter()
        with self._database.writing() as connection:
            for number, entry in enumerate(entries, start=1):
                counts[self._import(connection, entry)] += 1
                if progress is not None:
                    progress(number)
        return Imported(**counts)

    def _import(self, connection: schema.Connection, entry: Entry) -> str:
        """Import one entry; return the name of the number that counts it."""
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
    """Read a row of an id and a value."""
    _, value = schema.read_columns(row, tuple[str, str])
    return decode(value, kind)
