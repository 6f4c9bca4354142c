"""A store in one SQLite file: what the port promises, as tables."""

from __future__ import annotations

from collections import Counter
from datetime import UTC

from ninefold.errors import (
    DamagedMatch,
    OutOfStep,
    RecordError,
    StoreError,
    UnknownMatch,
)
from ninefold.record.as_json import rules_to_json
from ninefold.store.as_json import (
    moves_to_json,
    write,
    write_time,
    write_time_if_any,
)
from ninefold.store.database import Database
from ninefold.store.kept import KeptGame, KeptMatch, PlayedGame
from ninefold.store.learned import Answer, Scheduled, Try, leitner
from ninefold.store.port import EVERY_GAME, Imported, Store
from ninefold.store.rows import (
    answer_from_row,
    insert_answer,
    insert_game,
    insert_match,
    insert_try,
    load_match,
    scheduled_from_row,
    try_from_row,
    update_match,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime
    from typing import TypeVar

    from ninefold.game import Game
    from ninefold.store.kept import Filter, Setup
    from ninefold.store.learned import Schedule
    from ninefold.store.port import Entry
    from ninefold.store.rows import Row

    Kind = TypeVar("Kind", Answer, Try, Scheduled)

_BEFORE_ALL_TIMES, _AFTER_ALL_TIMES = "", "~"
_ALL = "SELECT id FROM matches ORDER BY begun_at, rowid"
_UNFINISHED = """
    SELECT id FROM matches WHERE ended_at IS NULL AND set_aside_at IS NULL
    ORDER BY changed_at DESC, rowid DESC
"""


class SqliteStore(Store):
    """Keeps everything in ``games.db`` in a folder, or in memory without a folder.

    The folder and the file are made when there is something to keep; reading makes
    none, and reads one that cannot be written to. A file that is found damaged is
    moved aside, and a new one begun; ``take_notices`` says so.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None,
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        schedule: Schedule = leitner,
        patience: float = 5.0,
    ) -> None:
        """Take the folder, what tells the time, and what names a new thing.

        ``patience`` is how many seconds to wait while another program writes.
        """
        self._clock = clock
        self._new_id = new_id
        self._schedule = schedule
        self._database = Database(folder, self._now, patience=patience)

    def close(self) -> None:
        """Let go of the file; using the store again opens it again."""
        self._database.close()

    def take_notices(self) -> tuple[str, ...]:
        """Take the sentences that a person should see."""
        notices = tuple(self._database.notices)
        self._database.notices.clear()
        return notices

    def _now(self) -> datetime:
        return self._clock().astimezone(UTC)

    # Playing

    def begin_match(self, setup: Setup) -> str:
        """Keep what was agreed; return the match's id."""
        now = self._now()
        kept = KeptMatch(self._new_id(), setup, (), now, now)
        with self._database.writing() as connection:
            insert_match(connection, kept)
        return kept.id

    def begin_game(self, match_id: str, number: int, game: Game) -> None:
        """Keep the next game of a match."""
        with self._database.writing() as connection:
            kept = load_match(connection, match_id)
            if kept.game is not None or number != len(kept.games) + 1:
                raise OutOfStep(match_id, number)
            now = self._now()
            begun = KeptGame(game, now, now if game.outcome else None)
            insert_game(connection, match_id, number, begun)
            kept = kept.replace(
                games=(*kept.games, begun), changed_at=now, set_aside_at=None
            )
            update_match(connection, kept)

    def change_game(
        self, match_id: str, number: int, before: Game, after: Game
    ) -> None:
        """Keep a move, an undo or a resignation."""
        if (after.rules, after.first) != (before.rules, before.first):
            message = "a game keeps its rules and who began it; begin another one"
            raise StoreError(message)
        with self._database.writing() as connection:
            if not self._swap(connection, match_id, number, before, after):
                load_match(connection, match_id)  # which may say something better
                raise OutOfStep(match_id, number)
            if before.outcome or after.outcome:
                kept = load_match(connection, match_id)
                update_match(connection, kept)

    def _swap(
        self,
        connection: sqlite3.Connection,
        match_id: str,
        number: int,
        before: Game,
        after: Game,
    ) -> bool:
        """Exchange a game for what became of it, if it is kept as it was before.

        That takes two statements, however long the match and the game are.
        """
        now = write_time(self._now())
        touched = connection.execute(
            """
            UPDATE matches SET changed_at = ?, set_aside_at = NULL
            WHERE id = ? AND rules = ?
            """,
            (now, match_id, write(rules_to_json(before.rules))),
        ).rowcount
        swapped = connection.execute(
            """
            UPDATE games SET moves = ?, resigned = ?, ended_at = ?
            WHERE match_id = ? AND number = ?
            AND first = ? AND moves = ? AND resigned IS ?
            AND number = (SELECT max(number) FROM games WHERE match_id = ?)
            """,
            (
                write(moves_to_json(after.moves)),
                after.resigned and after.resigned.value,
                now if after.outcome else None,
                match_id,
                number,
                before.first.value,
                write(moves_to_json(before.moves)),
                before.resigned and before.resigned.value,
                match_id,
            ),
        ).rowcount
        return bool(touched and swapped)

    def set_aside(self, match_id: str) -> None:
        """Put an unfinished match away."""
        with self._database.writing() as connection:
            now = self._now()
            kept = load_match(connection, match_id)
            if kept.unfinished:
                kept = kept.replace(changed_at=now, set_aside_at=now)
                update_match(connection, kept)

    # Resuming

    def match(self, match_id: str) -> KeptMatch:
        """Return a match."""
        with self._database.reading() as connection:
            return load_match(connection, match_id)

    def matches(self) -> list[KeptMatch]:
        """Return every match, the first begun first."""
        with self._database.reading() as connection:
            return self._load_sound(connection, _ALL)

    def unfinished(self) -> list[KeptMatch]:
        """Return what can be gone on with, the last played first."""
        with self._database.reading() as connection:
            return self._load_sound(connection, _UNFINISHED)

    def latest(self) -> KeptMatch | None:
        """Return the unfinished match that was played last, if there is any."""
        with self._database.reading() as connection:
            found = self._load_sound(connection, _UNFINISHED, most=1)
        return found[0] if found else None

    def _load_sound(
        self, connection: sqlite3.Connection, query: str, most: int | None = None
    ) -> list[KeptMatch]:
        """Load the matches that a query names, as many as wanted; note the damaged."""
        found: list[KeptMatch] = []
        for (match_id,) in connection.execute(query):
            if len(found) == most:
                break
            kept = self._load_if_sound(connection, match_id)
            if kept is not None:
                found.append(kept)
        return found

    def _load_if_sound(
        self, connection: sqlite3.Connection, match_id: str
    ) -> KeptMatch | None:
        try:
            return load_match(connection, match_id)
        except (DamagedMatch, UnknownMatch) as error:
            self._note(str(error))
            return None

    def _note(self, notice: str) -> None:
        if notice not in self._database.notices:
            self._database.notices.append(notice)

    # History

    def history(
        self, wanted: Filter = EVERY_GAME, limit: int | None = None
    ) -> list[PlayedGame]:
        """Return games, the last begun first."""
        found: list[PlayedGame] = []
        seen: dict[str, KeptMatch | None] = {}
        with self._database.reading() as connection:
            for match_id, number in connection.execute(
                """
                SELECT match_id, number FROM games WHERE begun_at >= ? AND begun_at < ?
                ORDER BY begun_at DESC, number DESC, rowid DESC
                """,
                (
                    write_time_if_any(wanted.since) or _BEFORE_ALL_TIMES,
                    write_time_if_any(wanted.until) or _AFTER_ALL_TIMES,
                ),
            ):
                if len(found) == limit:
                    break
                if match_id not in seen:
                    seen[match_id] = self._load_if_sound(connection, match_id)
                kept = seen[match_id]
                if kept is not None and wanted.fits(PlayedGame(kept, number)):
                    found.append(PlayedGame(kept, number))
        return found

    # Learning

    def add_answer(self, a: int, b: int, answer: int) -> Answer:
        """Keep the answer to ``a`` times ``b``, right or wrong."""
        given = Answer(self._new_id(), a, b, answer, self._now())
        with self._database.writing() as connection:
            insert_answer(connection, given)
        return given

    def answers(self) -> list[Answer]:
        """Return every answer, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, at, a, b, answer FROM answers ORDER BY at, rowid"
            )
            return list(self._sound(rows, answer_from_row))

    def add_attempt(self, puzzle: str, multiplier: int, *, right: bool) -> Try:
        """Keep a try at a puzzle, and schedule the puzzle anew."""
        made = Try(self._new_id(), puzzle, multiplier, right, self._now())
        with self._database.writing() as connection:
            insert_try(connection, made)
            self._reschedule(connection, puzzle)
        return made

    def attempts(self) -> list[Try]:
        """Return every try at a puzzle, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT id, at, puzzle, multiplier, solved FROM attempts
                ORDER BY at, rowid
                """
            )
            return list(self._sound(rows, try_from_row))

    def due(self, at: datetime | None = None) -> list[Scheduled]:
        """Return the puzzles that are due by some time, or now, longest due first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT puzzle, box, due_at FROM schedule WHERE due_at <= ?
                ORDER BY due_at, puzzle
                """,
                (write_time(at or self._now()),),
            )
            return list(self._sound(rows, scheduled_from_row))

    def _reschedule(self, connection: sqlite3.Connection, puzzle: str) -> None:
        """Go through every try at a puzzle again: imported ones may lie between."""
        rows = connection.execute(
            """
            SELECT id, at, puzzle, multiplier, solved FROM attempts
            WHERE puzzle = ? ORDER BY at, rowid
            """,
            (puzzle,),
        )
        standing = None
        for made in self._sound(rows, try_from_row):
            standing = self._schedule(standing, made)
        connection.execute("DELETE FROM schedule WHERE puzzle = ?", (puzzle,))
        if standing is not None:
            connection.execute(
                "INSERT INTO schedule (puzzle, box, due_at) VALUES (?, ?, ?)",
                (puzzle, standing.box, write_time(standing.due_at)),
            )

    def _sound(
        self, rows: Iterable[Row], read_row: Callable[[Row], Kind]
    ) -> Iterator[Kind]:
        """Read rows; note those that are damaged, and leave them out."""
        for row in rows:
            try:
                yield read_row(row)
            except RecordError as error:
                self._note(f"entry {row[0]} is damaged and left as it is ({error})")

    # Import

    def take_in(self, entries: Iterable[Entry]) -> Imported:
        """Add entries from an export, all of them or none."""
        counts: Counter[str] = Counter()
        puzzles: set[str] = set()
        with self._database.writing() as connection:
            for entry in entries:
                if isinstance(entry, KeptMatch):
                    counts[self._take_match(connection, entry)] += 1
                    continue
                if isinstance(entry, Answer):
                    added = insert_answer(connection, entry)
                else:
                    added = insert_try(connection, entry)
                    puzzles.add(entry.puzzle)
                counts["added" if added else "known"] += 1
            for puzzle in sorted(puzzles):
                self._reschedule(connection, puzzle)
        return Imported(**counts)

    def _take_match(self, connection: sqlite3.Connection, match: KeptMatch) -> str:
        """Add a match, or go on with the one that is here; say which."""
        try:
            here = load_match(connection, match.id)
        except UnknownMatch:
            here = None
        except DamagedMatch as error:
            self._note(str(error))
            return "differing"
        if here is None:
            insert_match(connection, match)
        elif match.changed_at <= here.changed_at:
            return "known" if here.goes_on_from(match) else "differing"
        elif not match.goes_on_from(here):
            return "differing"
        connection.execute("DELETE FROM games WHERE match_id = ?", (match.id,))
        for number, kept in enumerate(match.games, start=1):
            insert_game(connection, match.id, number, kept)
        update_match(connection, match)
        return "continued" if here else "added"
