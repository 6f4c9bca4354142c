"""A store in a database: what the port promises, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from ninefold.errors import (
    DamagedMatch,
    RecordError,
)
from ninefold.session import Session
from ninefold.store.appending import append_all
from ninefold.store.checks import check_learned, check_match
from ninefold.store.learned import (
    ProductAnswer,
    PuzzleTry,
    Schedule,
    Scheduled,
    leitner,
)
from ninefold.store.learned_rows import (
    answer_from_row,
    insert_answer,
    insert_try,
    scheduled_from_row,
    select_answers,
    select_due,
    select_learners,
    select_tries,
    select_tries_at,
    try_from_row,
    write_schedule,
)
from ninefold.store.lists import (
    count_games,
    game_from_row,
    match_from_row,
    select_finished,
    select_games,
    select_unfinished,
)
from ninefold.store.played import (
    write_time,
)
from ninefold.store.port import EVERY_GAME, MOST_FOUND, Entry, Imported, Store
from ninefold.store.rows import (
    FORGET,
    MUCH,
    TRY_WRITING,
    damaged_by_version_1,
    get_row,
    load_entry,
    load_match,
    take_match,
)
from ninefold.store.sql import Conflict, Connection, Database, Row
from ninefold.store.upgrade import name_learner, put_aside
from ninefold.store.values import (
    Append,
    Filter,
    GameRow,
    KeptMatch,
    MatchRow,
    OldMatch,
)

Kind = TypeVar("Kind")

_SESSIONS_CACHED = 2_048
_TRIES = 5
"""How often a change is tried that another program interferes with."""
_BATCH = 500
"""How many rows are read at once where everything is read."""
_LAST_CHARACTER = "\U0010ffff"


class SqlStore(Store):
    """Stores everything in the tables of a database."""

    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        schedule: Schedule = leitner,
        sessions_cached: int = _SESSIONS_CACHED,
    ) -> None:
        """Take the database, a clock, and what makes a new id."""
        self._sessions_cached = sessions_cached
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._schedule = schedule
        self._sessions: dict[tuple[int, str], Session] = {}
        """The sessions used last, so that a move need not replay its match."""

    @property
    def patience(self) -> float:
        """How many seconds to wait while another program writes."""
        return self._database.patience

    @patience.setter
    def patience(self, seconds: float) -> None:
        self._database.patience = seconds

    def close(self) -> None:
        """Let go of the database; using the store again opens it again."""
        self._database.close()

    def take_notices(self) -> tuple[str, ...]:
        """Take the sentences that a person should see."""
        notices = tuple(self._database.notices)
        self._database.notices.clear()
        return notices

    def try_writing(self) -> None:
        """Write something and take it back, to see whether anything can be written."""
        with self._database.writing() as connection:
            for statement in TRY_WRITING:
                connection.execute(statement, (MUCH,))

    def _note(self, notice: str) -> None:
        if notice not in self._database.notices:
            self._database.notices.append(notice)

    def _note_damage(self, connection: Connection) -> None:
        for damaged in damaged_by_version_1(connection):
            self._note(str(damaged))

    def _now(self) -> datetime:
        return self._clock().astimezone(UTC)

    # Playing

    def new_id(self) -> str:
        """Return an id for a match that is not stored yet."""
        return self._new_id()

    def append(self, *appends: Append) -> None:
        """Add commands to the logs of matches, all of them or none."""
        for _ in range(_TRIES - 1):
            with suppress(Conflict):
                return self._append(appends)
        return self._append(appends)

    def _append(self, appends: Sequence[Append]) -> None:
        now = self._now()
        # In the same order everywhere, two programs never wait for each other.
        ordered = sorted(appends, key=lambda append: append.match_id)
        with self._database.writing() as connection:
            changed = append_all(connection, ordered, self._known, now)
        for match_id, session in changed.items():
            self._remember(match_id, session)

    def _known(self, match_id: str) -> Session | None:
        return self._sessions.get(self._key(match_id))

    def _key(self, match_id: str) -> tuple[int, str]:
        return self._database.times_opened, match_id

    def _remember(self, match_id: str, session: Session) -> None:
        key = self._key(match_id)
        self._sessions.pop(key, None)
        self._sessions[key] = session
        if len(self._sessions) > self._sessions_cached:
            del self._sessions[next(iter(self._sessions))]

    def set_aside(self, match_id: str) -> None:
        """Put an unfinished match away."""
        now = self._now()
        with self._database.writing() as connection:
            row = get_row(connection, match_id)
            line = None if row.line is None else put_aside(row.line, now)
            connection.execute(
                """
                UPDATE matches SET changed_at = :now, set_aside_at = :now, line = :line
                WHERE key = :key AND ended_at IS NULL AND set_aside_at IS NULL
                """,
                {"now": write_time(now), "line": line, "key": row.key},
            )

    @property
    def is_shared(self) -> bool:
        """Whether processes tell each other what they change."""
        return False

    def announce(self, words: Iterable[str]) -> None:
        """Tell nobody: one process at a time uses the file."""

    async def changes(self) -> AsyncGenerator[frozenset[str] | None, None]:
        """Yield nothing."""
        return
        yield

    def revisions(self, match_ids: Iterable[str]) -> dict[str, int]:
        """Return the number of the last command of each of them that is there."""
        wanted, found = list(match_ids), dict[str, int]()
        with self._database.reading() as connection:
            for begin in range(0, len(wanted), _BATCH):
                batch = wanted[begin : begin + _BATCH]
                marks = ", ".join("?" * len(batch))
                asked = f"SELECT id, revision FROM matches WHERE id IN ({marks})"
                found.update(connection.execute(asked, batch).fetchall())
        return found

    def forget(self, before: datetime) -> int:
        """Remove the matches that were last changed before a time; count them."""
        time = (write_time(before),)
        with self._database.writing() as connection:
            for statement in FORGET:
                removed = connection.execute(statement, time)
        self._sessions.clear()  # an import may bring one of them back, otherwise played
        return removed.rowcount

    # Resuming

    def match(self, match_id: str) -> KeptMatch:
        """Return a match with its log."""
        with self._database.reading() as connection:
            kept = load_match(connection, match_id)
        self._remember(match_id, kept.session)
        return kept

    def find(self, beginning: str, *, unfinished: bool = False) -> list[str]:
        """Return the ids that begin so, the last changed first."""
        try:
            beginning.encode()
        except UnicodeEncodeError:
            return []  # SQLite takes no half of a character
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT id FROM matches WHERE id >= ? AND id < ?
                AND (NOT ? OR (ended_at IS NULL AND set_aside_at IS NULL))
                ORDER BY changed_at DESC, key DESC LIMIT ?
                """,
                (beginning, beginning + _LAST_CHARACTER, unfinished, MOST_FOUND),
            )
            return [match_id for (match_id,) in rows]

    def unfinished(self, limit: int | None = None) -> list[MatchRow]:
        """Return the matches neither over nor set aside, the last changed first."""
        with self._database.reading() as connection:
            self._note_damage(connection)
            rows = select_unfinished(connection, limit)
            return list(self._sound(rows, match_from_row))

    # History

    def history(
        self, wanted: Filter = EVERY_GAME, limit: int | None = None, offset: int = 0
    ) -> list[GameRow]:
        """Return games, the last begun first."""
        with self._database.reading() as connection:
            self._note_damage(connection)
            rows = select_games(connection, wanted, limit, offset)
            return list(self._sound(rows, game_from_row))

    def count(self, wanted: Filter = EVERY_GAME) -> int:
        """Return how many games a history would hold."""
        with self._database.reading() as connection:
            return count_games(connection, wanted)

    def finished_against_levels(self) -> Iterator[GameRow]:
        """Return the finished games of one person against one level, oldest first."""
        after: Row = ("", 0)
        while True:
            with self._database.reading() as connection:
                rows = select_finished(connection, after, _BATCH)
            yield from self._sound(rows, game_from_row)
            if len(rows) < _BATCH:
                return
            after = rows[-1][-2:]

    def _sound(
        self, rows: Iterable[Row], read_row: Callable[[Row], Kind]
    ) -> Iterator[Kind]:
        """Read rows; note those that are damaged, and leave them out."""
        for row in rows:
            try:
                yield read_row(row)
            except (RecordError, msgspec.MsgspecError, ArithmeticError) as error:
                self._note(f"entry {row[0]} is damaged and left as it is ({error})")

    # Learning

    def add_answer(
        self,
        a: int,
        b: int,
        answer: int,
        *,
        learner: str,
        seconds: float | None = None,
        hinted: bool = False,
        surface: str = "",
    ) -> ProductAnswer:
        """Store the answer to ``a`` times ``b``, right or wrong."""
        given = ProductAnswer(
            self._new_id(), a, b, answer, self._now(), learner, seconds, hinted, surface
        )
        check_learned(given)
        with self._database.writing() as connection:
            insert_answer(connection, given)
        return given

    def answers(self, learner: str | None = None) -> list[ProductAnswer]:
        """Return the answers of one learner, or of all, oldest first."""
        with self._database.reading() as connection:
            rows = select_answers(connection, learner)
            return list(self._sound(rows, answer_from_row))

    def add_attempt(
        self,
        puzzle: str,
        multiplier: int,
        *,
        right: bool,
        learner: str,
        seconds: float | None = None,
        hinted: bool = False,
        surface: str = "",
    ) -> PuzzleTry:
        """Store a try at a puzzle, and schedule the puzzle anew for this learner."""
        made = PuzzleTry(
            self._new_id(),
            puzzle,
            multiplier,
            right,
            self._now(),
            learner,
            seconds,
            hinted,
            surface,
        )
        check_learned(made)
        with self._database.writing() as connection:
            insert_try(connection, made)
            self._reschedule(connection, learner, puzzle)
        return made

    def attempts(self, learner: str | None = None) -> list[PuzzleTry]:
        """Return the tries of one learner, or of all, oldest first."""
        with self._database.reading() as connection:
            rows = select_tries(connection, learner)
            return list(self._sound(rows, try_from_row))

    def due(
        self, at: datetime | None = None, learner: str | None = None
    ) -> list[Scheduled]:
        """Return the puzzles that are due by some time, or now, longest due first."""
        with self._database.reading() as connection:
            rows = select_due(connection, at or self._now(), learner)
            return list(self._sound(rows, scheduled_from_row))

    def learners(self) -> list[str]:
        """Return who has answered or tried anything, the first to do so first."""
        with self._database.reading() as connection:
            return select_learners(connection)

    def _reschedule(self, connection: Connection, learner: str, puzzle: str) -> None:
        rows = select_tries_at(connection, learner, puzzle)
        tries = self._sound(rows, try_from_row)
        write_schedule(connection, learner, puzzle, tries, self._schedule)

    # Export and import

    def entries(self) -> Iterator[Entry]:
        """Return everything, matches first; a damaged entry makes a notice instead."""
        after: Row = ("", 0)
        while True:
            found: list[Entry] = []
            with self._database.reading() as connection:
                self._note_damage(connection)
                rows = connection.execute(
                    """
                    SELECT id, begun_at, key FROM matches WHERE (begun_at, key) > (?, ?)
                    ORDER BY begun_at, key LIMIT ?
                    """,
                    (*after, _BATCH),
                ).fetchall()
                for match_id, _, _ in rows:
                    try:
                        found.append(load_entry(connection, match_id))
                    except DamagedMatch as error:
                        self._note(str(error))
            yield from found
            if len(rows) < _BATCH:
                break
            after = rows[-1][1:]
        yield from self.answers()
        yield from self.attempts()

    def take_in(
        self, entries: Iterable[Entry], progress: Callable[[int], None] | None = None
    ) -> Imported:
        """Add entries, all of them or, if one is refused, none."""
        counts: Counter[str] = Counter()
        tried: set[tuple[str, str]] = set()
        with self._database.writing() as connection:
            for number, entry in enumerate(entries, start=1):
                counts[self._take(connection, entry)] += 1
                if isinstance(entry, PuzzleTry):
                    tried.add((entry.learner, entry.puzzle))
                if progress is not None:
                    progress(number)
            first = name_learner(connection)
            for learner, puzzle in sorted(tried):
                self._reschedule(connection, learner or first, puzzle)
        return Imported(**counts)

    def _take(self, connection: Connection, entry: Entry) -> str:
        """Take one entry in; return the name of the number that counts it."""
        if isinstance(entry, OldMatch):
            why = f" ({entry.problem})" if entry.problem else ""
            self._note(
                f"match {entry.id} cannot be played any more, and was left out{why}"
            )
            return "left_out"
        if isinstance(entry, KeptMatch):
            check_match(entry)
            try:
                return take_match(connection, entry)
            except DamagedMatch as error:
                self._note(str(error))
                return "differing"
        check_learned(entry, may_be_unknown=True)
        if isinstance(entry, ProductAnswer):
            is_new = insert_answer(connection, entry)
        else:
            is_new = insert_try(connection, entry)
        return "added" if is_new else "known"
