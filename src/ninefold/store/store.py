"""The store: matches as the logs of their commands, and what people learned."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Self, TypeVar

from msgspec.structs import replace

from ninefold.errors import (
    DamagedMatch,
    NameTaken,
    NinefoldError,
    UnknownLearner,
    UnknownMatch,
)
from ninefold.learning import Activity, Answer
from ninefold.notation.codec import decode
from ninefold.session import Command, Setup
from ninefold.store import learners
from ninefold.store.appending import append_all, import_match, set_copy_aside
from ninefold.store.history import (
    count_games,
    limit_of,
    read_game,
    select_by_key,
    select_finished,
    select_games,
    select_of_learner,
)
from ninefold.store.log import (
    can_be_stored,
    find_matches,
    get_match,
    load_by_key,
    load_match,
    select_all_matches,
)
from ninefold.store.schema import (
    Conflict,
    Connection,
    Database,
    Row,
    read_columns,
    write_time,
)
from ninefold.store.values import (
    Append,
    Entry,
    Filter,
    GameRow,
    Imported,
    Learner,
    MatchRow,
    StoredAnswer,
    StoredMatch,
)

Kind = TypeVar("Kind")

EVERY_GAME = Filter()
MOST_FOUND = 20
"""How many ids ``find`` returns at most."""
PROBE_TEXT = "x" * 65_536
"""So much that a disk that is almost full refuses it."""
_TRIES = 5
"""How often a change is tried that another program interferes with."""
_BATCH = 500
"""How many rows are read at once where everything is read."""
_LOOKED_THROUGH = 20
"""How many matches that were left are looked at for the one to continue."""
_LAST_CHARACTER = "\U0010ffff"


class Store:
    """Stores matches as the logs of their commands, and what people learned.

    A change is on disk when its method returns, as a whole or not at all. A refusal
    raises a ``StoreError``, or the session's own error, and changes nothing. Times are
    aware, and come back in UTC. A row that is damaged makes a notice, and is left out.
    """

    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def lock_timeout(self) -> float:
        """How many seconds to wait while another program writes."""
        return self._database.lock_timeout

    @lock_timeout.setter
    def lock_timeout(self, seconds: float) -> None:
        self._database.lock_timeout = seconds

    def close(self) -> None:
        """Close the store. The next use reopens it."""
        self._database.close()

    def take_notices(self) -> tuple[str, ...]:
        """Take the sentences that a person should see: which data is damaged."""
        notices = tuple(self._database.notices)
        self._database.notices.clear()
        return notices

    def try_writing(self) -> None:
        """Write something and delete it, to see whether anything can be written."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO learned (kind, id, learner, at, entry)"
                " VALUES ('probe', '', '', '', ?)",
                (PROBE_TEXT,),
            )
            connection.execute("DELETE FROM learned WHERE kind = 'probe'")

    def _note(self, notice: str) -> None:
        if notice not in self._database.notices:
            self._database.notices.append(notice)

    def now(self) -> datetime:
        """Return the time by the store's clock."""
        return self._clock().astimezone(UTC)

    def _skip_damaged(
        self, rows: Iterable[Row], read_row: Callable[[Row], Kind]
    ) -> Iterator[Kind]:
        """Read rows, whose first column is an id; note and leave out damaged ones."""
        for row in rows:
            try:
                yield read_row(row)
            except NinefoldError as error:
                self._note(f"entry {row[0]} is damaged and left as it is ({error})")

    # Playing

    def new_id(self) -> str:
        """Return an id for a match that is not stored yet."""
        return self._new_id()

    def append(self, *appends: Append) -> None:
        """Add commands to the logs of matches, all of them or none.

        The first append of a match holds its set-up and makes it. A number that is
        taken, or that leaves a gap, raises ``OutOfStep``, which carries the log from
        that number on. A match that was set aside is taken up again.

        Commands that a copy of a match, with an origin, has already are skipped; it is
        out of step where they, or its set-up, are others.
        """
        for _ in range(_TRIES - 1):
            with suppress(Conflict):
                return self._append(appends)
        return self._append(appends)

    def _append(self, appends: Sequence[Append]) -> None:
        now = self.now()
        # In the same order everywhere, two programs never wait for each other.
        ordered = sorted(appends, key=lambda append: append.match_id)
        with self._database.writing() as connection:
            append_all(connection, ordered, now)

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
                    "now": write_time(self.now()),
                    "key": get_match(connection, match_id).key,
                },
            )

    def begin_copy_anew(
        self, match_id: str, setup: Setup, log: Sequence[Command]
    ) -> str:
        """Set a copy aside, so that its id is free for another log of the same match.

        Return the id that the copy has then: its own where it is a beginning of that
        log, because another terminal was quicker. A match of this machine is refused.
        """
        new_id, now = self._new_id(), self.now()
        with self._database.writing() as connection:
            return set_copy_aside(
                connection, match_id, setup, log, new_id=new_id, now=now
            )

    @property
    def is_shared(self) -> bool:
        """Whether processes tell each other what they change."""
        return self._database.is_shared

    def announce(self, words: Iterable[str]) -> None:
        """Send words to other processes, such as the ids of matches that changed."""
        self._database.announce(words)

    def changes(self) -> AsyncGenerator[frozenset[str] | None, None]:
        """Yield the words of other processes; None where some may be missed."""
        return self._database.changes()

    def revisions(self, match_ids: Iterable[str]) -> dict[str, int]:
        """Return the number of the last command of each of them that is there."""
        found = dict[str, int]()
        with self._database.reading() as connection:
            for batch in _batches(list(match_ids)):
                matches = find_matches(connection, batch)
                found |= {match_id: each.revision for match_id, each in matches.items()}
        return found

    def newest_change(self) -> datetime | None:
        """Return when a match last changed or somebody last answered, if ever."""
        with self._database.reading() as connection:
            found = [
                read_columns(row, tuple[datetime | None])[0]
                for newest in ("changed_at) FROM matches", "at) FROM learned")
                for row in connection.execute(f"SELECT max({newest}")
            ]
        return max(filter(None, found), default=None)

    def forget(self, before: datetime) -> int:
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
                    f"DELETE FROM {condition}", (write_time(before),)
                )
            learners.remove_idle(connection, before)
        return removed.rowcount

    # Resuming

    def match(self, match_id: str) -> StoredMatch:
        """Return a match with its log.

        It raises ``UnknownMatch``, or ``DamagedMatch`` where the rules refuse the log.
        """
        with self._database.reading() as connection:
            return load_match(connection, match_id)[1]

    def find(self, beginning: str, *, unfinished: bool = False) -> list[str]:
        """Return the ids that begin so, the last changed first, at most 20."""
        if not can_be_stored(beginning):
            return []
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT id FROM matches WHERE id >= ? AND id < ? AND (NOT ? OR is_open)
                ORDER BY changed_at DESC, key DESC LIMIT ?
                """,
                (beginning, beginning + _LAST_CHARACTER, unfinished, MOST_FOUND),
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

    def to_continue(self) -> tuple[MatchRow, StoredMatch] | None:
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
        self, wanted: Filter = EVERY_GAME, limit: int | None = None, offset: int = 0
    ) -> list[GameRow]:
        """Return games, the last begun first."""
        most, found = limit_of(limit), list[GameRow]()
        with self._database.reading() as connection:
            while len(found) < most:  # others take the place of damaged ones
                missing = most - len(found)
                rows = select_games(connection, wanted, missing, offset).fetchall()
                found += self._skip_damaged(rows, read_game)
                offset += len(rows)
                if len(rows) < missing:
                    break
        return found

    def count(self, wanted: Filter = EVERY_GAME) -> int:
        """Return how many games a history would hold."""
        with self._database.reading() as connection:
            return count_games(connection, wanted)

    def finished_against_levels(self) -> Iterator[GameRow]:
        """Return the finished games of one person against one level, oldest first.

        Retries are among them; ``is_retry`` tells them.
        """
        return self._finished(people=1)

    def finished_between_people(self) -> Iterator[GameRow]:
        """Return the finished games of two people, oldest first, retries too."""
        return self._finished(people=2)

    def add_match(self, learner: str, match_id: str) -> None:
        """Store that a learner, whose id is given, plays a match against a level."""
        with self._database.writing() as connection:
            learners.insert_match(connection, learner, match_id, self.now())

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

    # Learning

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
            learners.insert(connection, stored)
        return answer

    def answers(self, learner: str | None = None) -> list[Answer]:
        """Return the answers of one learner, or of all, oldest first."""
        return [each.answer for each in self._answers(learner)]

    def _answers(self, learner: str | None) -> list[StoredAnswer]:
        with self._database.reading() as connection:
            rows = learners.select_answers(connection, learner)
            return [*self._skip_damaged(rows, learners.read_answer)]

    def count_answers(self, learner: str) -> int:
        """Return how many answers a learner, whose id is given, has stored."""
        with self._database.reading() as connection:
            (row,) = connection.execute(
                "SELECT count(*) FROM learned WHERE learner = ? AND kind = 'answer'",
                (learner,),
            )
            return read_columns(row, tuple[int])[0]

    def learners(self) -> list[Learner]:
        """Return who has learned here, the first who was here first."""
        with self._database.reading() as connection:
            return self._learners(connection)

    def _learners(self, connection: Connection) -> list[Learner]:
        rows = learners.select_learners(connection)
        return [*self._skip_damaged(rows, learners.read_learner)]

    def learner(self, name: str) -> Learner:
        """Return the first learner with a name; a name that is new makes one."""
        found = learners.find_learner(self.learners(), name)
        if found is not None:
            return found
        new = Learner(id=self._new_id(), name=name, begun_at=self.now())
        with self._database.writing() as connection:
            found = learners.find_learner(self._learners(connection), name)
            if found is None:  # nor has another program made one meanwhile
                learners.insert(connection, new)
        return found or new

    def find_learner(self, name: str) -> Learner:
        """Return the learner with a name; refuse a name that nobody has."""
        return _get_learner(self.learners(), name)

    def latest_learner(self) -> Learner | None:
        """Return who was chosen or answered last; None where nobody learns yet."""
        with self._database.reading() as connection:
            known = {each.id: each for each in self._learners(connection)}
            latest = [known.get(each) for (each,) in learners.select_latest(connection)]
        return next(filter(None, latest), None)

    def choose_learner(self, name: str) -> Learner:
        """Make the learner with a name the latest one; a new name makes one."""
        chosen = self.learner(name)
        with self._database.writing() as connection:
            learners.choose(connection, chosen, self.now())
        return chosen

    def learner_with_id(self, learner_id: str) -> Learner | None:
        """Return who has an id, or was merged with that one, if there is a name."""
        with self._database.reading() as connection:
            return learners.get_learner(connection, learner_id)

    def name_learner(self, learner_id: str, name: str) -> None:
        """Name the learner with this id; somebody else may have the same name."""
        new = Learner(id=learner_id, name=name, begun_at=self.now())
        with self._database.writing() as connection:
            known = learners.get_learner(connection, learner_id) or new
            learners.update(connection, replace(known, name=name))

    def rename_learner(self, name: str, new_name: str) -> None:
        """Give a learner another name; one that somebody has is refused."""
        with self._database.writing() as connection:
            known = self._learners(connection)
            learner = _get_learner(known, name)
            taken = learners.find_learner(known, new_name)
            if taken is not None and taken.id != learner.id:
                raise NameTaken(new_name)
            learners.rename(connection, learner, new_name)

    def merge_learners(self, name: str, into: str) -> None:
        """Make two learners one, who has the second name.

        Where two have the same name, the id tells them apart.
        """
        with self._database.writing() as connection:
            known = self._learners(connection)
            one, other = _get_learner(known, name), _get_learner(known, into)
            if one.id != other.id:
                learners.merge(connection, one, other)

    def remove_learner(self, learner_id: str) -> None:
        """Remove a learner and every answer of theirs."""
        with self._database.writing() as connection:
            learners.remove(connection, learner_id)

    # Export and import

    def entries(self) -> Iterator[Entry]:
        """Return everything, matches first; a damaged entry makes a notice instead."""
        with self._database.reading() as connection:
            keys = select_all_matches(connection)
        for batch in _batches(keys):
            found: list[Entry] = []
            with self._database.reading() as connection:
                for key in batch:
                    try:
                        found.append(load_by_key(connection, key))
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
        takes its place. ``progress`` is told how many entries have been imported.
        """
        counts: Counter[str] = Counter()
        with self._database.writing() as connection:
            for number, entry in enumerate(entries, start=1):
                counts[self._import(connection, entry)] += 1
                if progress is not None:
                    progress(number)
        return Imported(**counts)

    def _import(self, connection: Connection, entry: Entry) -> str:
        """Import one entry; return the name of the number that counts it."""
        if not isinstance(entry, StoredMatch):
            return "added" if learners.insert(connection, entry) else "known"
        try:
            return import_match(connection, entry)
        except DamagedMatch as error:
            self._note(str(error))
            return "differing"


def _batches(items: Sequence[Kind]) -> Iterator[Sequence[Kind]]:
    return (items[begin : begin + _BATCH] for begin in range(0, len(items), _BATCH))


def _get_learner(known: Sequence[Learner], name: str) -> Learner:
    found = learners.find_learner(known, name)
    if found is None:
        raise UnknownLearner(name, [each.name for each in known])
    return found


def _read_listed(kind: type[Kind], row: Row) -> Kind:
    """Read a row of an id and a value."""
    _, value = read_columns(row, tuple[str, str])
    return decode(value, kind)
