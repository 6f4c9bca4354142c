"""What every store promises, held against each kind in ``stores.STORES``."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from ninefold import Ending, Game, Length, Rules, Seat, errors
from ninefold.learning import Activity
from ninefold.notation import write_line
from ninefold.session import (
    Command,
    GiveBack,
    Lessons,
    Move,
    NextGame,
    Rematch,
    Resign,
    Retry,
    Session,
    Setup,
    Sit,
    Undo,
)
from ninefold.store import (
    HUMAN,
    Accepted,
    Append,
    Entry,
    Filter,
    GameRow,
    Imported,
    LoggedCommand,
    Origin,
    Result,
    Store,
    StoredMatch,
    accept_all,
)
from ninefold.store.sqlite import SqliteDatabase
from tests.store.stores import (
    NINES,
    SETUP,
    SINGLE,
    START,
    STORES,
    Clock,
    Opening,
    append_to,
    begin,
    candidates,
    first_append,
    in_memory,
    kept_matches,
    numbered,
    own_book,
    play,
    puzzle_entry,
    sessions,
    setups,
)

every_store = pytest.mark.parametrize(
    "opening",
    [
        STORES["file"],
        STORES["memory"],
        pytest.param(STORES["postgres"], marks=pytest.mark.prove),  # takes seconds
    ],
    ids=STORES,
)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=[*STORES.values()], ids=[*STORES])
def store(request: pytest.FixtureRequest, clock: Clock) -> Iterator[Store]:
    with request.param(clock) as opened:
        yield opened


def resumable(store: Store) -> list[str]:
    return [row.id for row in store.unfinished()]


# The log


def test_revisions_are_those_of_the_matches_that_are_there(store: Store) -> None:
    one, two = begin(store, Move(5), Move(2)), begin(store, Move(5))
    assert store.revisions([one, "another", two]) == {one: 2, two: 1}
    many = [f"another-{number}" for number in range(600)]
    assert store.revisions([*many, two]) == {two: 1}
    assert store.revisions([]) == {}


def test_check_writable_leaves_no_row(store: Store) -> None:
    begin(store, Move(5))
    before = [*store.entries()]
    store.check_writable()
    assert [*store.entries()] == before
    assert store.answers() == []


def test_match_can_be_continued_after_many_others() -> None:
    many = [first_append(f"match-{n}", (Move(2),), SINGLE) for n in range(1_100)]
    with in_memory(Clock()) as store:
        store.append(*many)
        for match_id in ("match-0", "match-1099"):
            store.append(append_to(store, match_id, 2, (Move(3),)))
            assert store.match(match_id).commands == (Move(2), Move(3))


def test_unshared_store_has_no_news_from_other_processes(store: Store) -> None:
    async def hear() -> list[frozenset[str] | None]:
        return [words async for words in store.subscribe()]

    store.publish(["word"])
    if not store.is_shared:
        assert asyncio.run(hear()) == []


@every_store
@settings(max_examples=15)
@given(sessions(), st.data())
def test_session_is_restored_from_its_log(
    opening: Opening, played: tuple[Session, tuple[Command, ...]], data: st.DataObject
) -> None:
    session, log = played
    with opening(Clock()) as store:
        first = data.draw(st.integers(0, len(log)))
        match_id = begin(store, *log[:first], setup=session.setup)
        if log[first:]:
            store.append(append_to(store, match_id, first + 1, log[first:]))
        kept = store.match(match_id)
        assert kept.session == session
        assert kept.setup == session.setup
        assert kept.commands == log
        assert kept.unfinished is not session.match.is_over
        assert store.find(match_id) == [match_id]
        assert resumable(store) == ([match_id] if kept.unfinished else [])


class Model(RuleBasedStateMachine):
    """Several matches, played in any order, and what a list should say of them."""

    opening: Opening

    @initialize()
    def open(self) -> None:
        self.stack = ExitStack()
        self.store = self.stack.enter_context(self.opening(Clock()))
        self.sessions: dict[str, Session] = {}
        self.logs: dict[str, list[Command]] = defaultdict(list)
        self.aside: set[str] = set()
        self.games: dict[tuple[str, int, int], Session] = {}

    def teardown(self) -> None:
        with self.opening(Clock()) as other:
            other.import_entries(self.store.entries())
            assert [*other.entries()] == [*self.store.entries()]
            assert {*other.unfinished()} == {*self.store.unfinished()}
            assert {*other.history()} == {*self.store.history()}
        self.stack.close()

    def note(self, match_id: str, session: Session) -> None:
        self.sessions[match_id] = session
        self.games[match_id, session.match_number, session.number] = session

    @rule(setup=setups(), data=st.data())
    def begin_a_match(self, setup: Setup, data: st.DataObject) -> None:
        match_id = self.store.new_id()
        session = Session.start(setup)
        self.append(data, match_id, session, is_new=True)

    @rule(data=st.data())
    def go_on(self, data: st.DataObject) -> None:
        if self.sessions:
            match_id = data.draw(st.sampled_from(sorted(self.sessions)))
            self.append(data, match_id, self.sessions[match_id], is_new=False)

    def append(
        self,
        data: st.DataObject,
        match_id: str,
        session: Session,
        *,
        is_new: bool,
    ) -> None:
        """Append up to three commands at once."""
        accepted: list[Accepted] = []
        before = session
        for _ in range(data.draw(st.integers(0, 3))):
            with suppress(errors.NinefoldError):
                accepted += accept_all(before, [data.draw(candidates(before))])
                before = accepted[-1].session
        if not (accepted or is_new):
            return
        start = session if is_new else None
        self.store.append(Append(match_id, tuple(accepted), start))
        self.logs[match_id] += [each.command for each in accepted]
        for step in (session, *(each.session for each in accepted)):
            self.note(match_id, step)
        self.aside.discard(match_id)

    @rule(data=st.data(), shift=st.sampled_from([-2, -1, 1, 2]))
    def append_out_of_step(self, data: st.DataObject, shift: int) -> None:
        if not self.sessions:
            return
        match_id = data.draw(st.sampled_from(sorted(self.sessions)))
        session = self.sessions[match_id]
        shifted = replace(session, revision=session.revision + 1 + shift)
        with pytest.raises(errors.RevisionConflict) as refused:
            self.store.append(Append(match_id, (Accepted(Undo(), shifted),)))
        told = refused.value.match_id, refused.value.number
        assert told == (match_id, shifted.revision)
        assert [*self.store.match(match_id).commands] == self.logs[match_id]

    @rule(data=st.data())
    def set_aside(self, data: st.DataObject) -> None:
        if self.sessions:
            match_id = data.draw(st.sampled_from(sorted(self.sessions)))
            self.store.set_aside(match_id)
            if not self.sessions[match_id].match.is_over:
                self.aside.add(match_id)

    @invariant()
    def matches_are_what_was_appended(self) -> None:
        for match_id, session in self.sessions.items():
            assert self.store.match(match_id).session == session

    @invariant()
    def lists_follow_from_the_logs(self) -> None:
        found = {
            (row.match_id, row.match_number, row.number): row
            for row in self.store.history()
        }
        assert found.keys() == self.games.keys()
        assert self.store.count() == len(found)
        for key, session in self.games.items():
            assert_row_tells(found[key], session)
        listed = {row.id: row for row in self.store.unfinished()}
        for match_id, session in self.sessions.items():
            unfinished = not session.match.is_over and match_id not in self.aside
            assert (match_id in listed) is unfinished
            if unfinished:
                row = listed[match_id]
                going_on = session.game.outcome is None
                assert row.total == (session.game.total if going_on else None)
                assert row.to_move == session.to_move
                assert row.score == tuple(session.match.score.values())
                assert row.length == str(session.match.length)
                assert row.is_single is session.match.length.is_single
                assert row.names == session.setup.names


def assert_row_tells(row: GameRow, session: Session) -> None:
    game, setup = session.game, session.setup
    assert row.game == game
    assert row.record().book == row.book == setup.book
    assert row.book_text == setup.book_text
    assert row.total == game.total
    assert row.moves == game.moves
    assert row.is_retry is session.is_retry
    assert row.score == tuple(session.match.score.values())
    assert (row.names, row.levels) == (setup.names, setup.levels)
    assert (row.ended_at is None) is (game.outcome is None)
    if game.outcome is not None:
        assert row.winner is game.outcome.winner
        assert row.reason == game.outcome.reason.value
        assert row.result_of(game.outcome.winner) is Result.WON
        assert row.result_of(game.outcome.winner.other) is Result.LOST
    else:
        assert row.winner is None
        assert row.reason is None
        assert row.result_of(Seat.ONE) is Result.UNFINISHED


class ModelInMemory(Model):
    opening = staticmethod(STORES["memory"])


class ModelInAFile(Model):
    opening = staticmethod(STORES["file"])


TestModelInMemory = ModelInMemory.TestCase
TestModelInMemory.settings = settings(max_examples=20, stateful_step_count=12)
TestModelInAFile = ModelInAFile.TestCase
TestModelInAFile.settings = settings(max_examples=5, stateful_step_count=8)


def test_empty_store_lists_nothing(store: Store) -> None:
    for look in (
        store.unfinished,
        store.history,
        lambda: store.find(""),
        store.answers,
        store.learners,
        store.entries,
        store.finished_against_levels,
    ):
        assert [*look()] == []
    assert store.count() == 0
    assert store.pop_notices() == ()


def test_the_first_append_makes_the_match_with_its_commands(store: Store) -> None:
    match_id = begin(store, Move(5), Move(6))
    kept = store.match(match_id)
    assert kept.session.game.total == 30
    assert [logged.at for logged in kept.log] == [kept.begun_at] * 2


def test_a_match_may_begin_without_a_command(store: Store) -> None:
    match_id = begin(store)
    assert store.match(match_id).log == ()
    store.append(append_to(store, match_id, 1, (Move(5),)))
    assert store.match(match_id).session.game.total == 5


def test_a_number_that_is_taken_is_refused(store: Store) -> None:
    match_id = begin(store, Move(5))
    store.append(append_to(store, match_id, 2, (Move(6),)))
    with pytest.raises(
        errors.RevisionConflict, match="this match was changed elsewhere"
    ) as refused:
        store.append(append_to(store, match_id, 2, (Move(7),)))
    assert (refused.value.match_id, refused.value.number) == (match_id, 2)
    assert store.match(match_id).commands == (Move(5), Move(6))


def test_a_number_that_leaves_a_gap_is_refused(store: Store) -> None:
    match_id = begin(store, Move(5))
    with pytest.raises(errors.RevisionConflict):
        store.append(append_to(store, match_id, 3, (Move(7),)))
    one, two = first_append("new", (Move(2), Move(7))).accepted
    with pytest.raises(errors.RevisionConflict):
        store.append(Append("new", (two,), Session.start(SETUP)))
    with pytest.raises(errors.RevisionConflict):
        store.append(Append(match_id, (replace(two, session=one.session), two)))
    assert store.match(match_id).commands == (Move(5),)
    assert store.find("new") == []


def test_a_match_is_made_once(store: Store) -> None:
    match_id = begin(store, Move(5))
    with pytest.raises(errors.RevisionConflict):
        store.append(first_append(match_id, (Move(6),), SETUP))
    assert store.match(match_id).commands == (Move(5),)
    empty = begin(store)
    with pytest.raises(errors.RevisionConflict):
        store.append(first_append(empty, (Move(6),), SINGLE))
    assert store.match(empty).log == ()


def test_several_matches_are_appended_to_at_once_or_not_at_all(store: Store) -> None:
    one, two = begin(store, Move(5)), begin(store, Move(6))
    of_one = append_to(store, one, 2, (Move(2), Move(4))).accepted
    of_three = first_append("three", (Move(7), Move(8)))
    store.append(
        Append(one, of_one[:1]),
        append_to(store, two, 2, (Move(3),)),
        Append(one, of_one[1:]),
        replace(of_three, accepted=of_three.accepted[:1]),
        Append("three", of_three.accepted[1:]),
    )
    assert store.match(one).commands == (Move(5), Move(2), Move(4))
    assert store.match(two).commands == (Move(6), Move(3))
    assert store.match("three").commands == (Move(7), Move(8))
    assert {row.total for row in store.unfinished()} == {5 * 2 * 4, 6 * 3, 7 * 8}
    before = [*store.entries()]
    appends = (
        first_append("four", (Move(7),), SETUP),
        append_to(store, one, 4, (Move(2),)),
        append_to(store, two, 2, (Move(3),)),
    )
    with pytest.raises(errors.RevisionConflict):
        store.append(*appends)
    with pytest.raises(errors.RevisionConflict):
        store.append(of_three, first_append("four", (Move(7),)))
    assert [*store.entries()] == before
    store.append(append_to(store, one, 4, (Move(2),)))
    assert store.match(one).session.revision == 4


def test_a_group_is_read_with_one_statement_and_written_with_few() -> None:
    statements: list[str] = []

    class Counting(SqliteDatabase):
        @contextmanager
        def writing(self) -> Iterator[sqlite3.Connection]:
            with super().writing() as connection:
                yield Counted(connection)

    class Counted(sqlite3.Connection):
        """Notes each statement, and hands it on."""

        def __init__(self, connection: sqlite3.Connection) -> None:
            self._connection = connection

        def execute(self, statement: str, values: object = ()) -> sqlite3.Cursor:
            statements.append(statement)
            return self._connection.execute(statement, values)  # type: ignore[arg-type]  # handed on

        def executemany(self, statement: str, values: object) -> sqlite3.Cursor:
            statements.append(statement)
            return self._connection.executemany(statement, values)  # type: ignore[arg-type]  # handed on

    clock = Clock()
    database = Counting(None, lock_timeout=1)
    with Store(database, clock=clock, new_id=numbered()) as store:
        ids = [begin(store, Move(2)) for _ in range(20)]
        appends = [append_to(store, match_id, 2, (Move(3),)) for match_id in ids]
        statements.clear()
        store.append(*appends)
        assert len(statements) == 4
        assert {row.total for row in store.unfinished()} == {6}


@pytest.mark.parametrize(
    ("commands", "place"),
    [
        ((Move(1),), "log[0]"),
        ((Move(2), Move(10)), "log[1]"),
        ((Rematch(Seat.ONE),), "log[0]"),
        ((*NINES, Undo()), "log[3]"),
        ((Move(2, answer=10**2000),), "log[0]"),
    ],
)
def test_a_command_that_the_session_refuses_is_not_imported(
    store: Store, commands: tuple[Command, ...], place: str
) -> None:
    begin(store, Move(5))
    before = [*store.entries()]
    log = tuple(LoggedCommand(command, START) for command in commands)
    with pytest.raises(errors.RecordError) as refused:
        store.import_entries([StoredMatch("new", SETUP, log, START, START)])
    assert refused.value.place == place
    assert [*store.entries()] == before


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"names": ("Ada", "Ada")}, "setup.names"),
        ({"levels": (None, "grandmaster")}, "setup.levels"),
        ({"book": "chess"}, "setup.book"),
        ({"rules": Rules(Ending.REACH, 50)}, "setup.book"),
        ({"book": "No Key", "book_text": own_book(Ending.AVOID)}, "setup.book"),
        ({"book_text": f"{own_book(Ending.AVOID)}# \ud800"}, "setup.book"),
    ],
)
def test_a_setup_that_cannot_be_played_is_not_imported(
    store: Store, change: dict[str, object], place: str
) -> None:
    setup = replace(SETUP, **change)
    with pytest.raises(errors.RecordError) as refused:
        store.import_entries([StoredMatch("new", setup, (), START, START)])
    assert refused.value.place == place
    assert [*store.entries()] == []


def test_an_id_that_could_not_be_shown_is_refused(store: Store) -> None:
    for match_id in ("", "a\x1b[2J", "x" * 101, " x"):
        with pytest.raises(errors.RecordError, match="id: expected 1 to 100 printable"):
            store.append(first_append(match_id, (Move(5),), SETUP))


def test_every_option_and_a_custom_rule_book_are_stored(store: Store) -> None:
    setup = Setup(
        rules=Rules(Ending.EXACT, 10**50, (3, 10**20), 3),
        length=Length.games(4),
        first=Seat.TWO,
        first_tossed=True,
        names=("Ada", "×"),
        book="mine",
        book_text=own_book(Ending.EXACT),
        seed=-(2**63) + 1,
        lessons=Lessons(coach=True, give_backs=7, mental=True),
    )
    match_id = begin(store, Move(10**20, answer=3 * 10**20), setup=setup)
    kept = store.match(match_id)
    assert kept.setup == setup
    assert kept.session.game.total == 3 * 10**20


def test_an_unknown_match_is_refused(store: Store) -> None:
    uses: tuple[Callable[[str], object], ...] = (
        store.match,
        store.set_aside,
        lambda match_id: store.append(
            replace(first_append(match_id, (Move(2),)), start=None)
        ),
    )
    for use in uses:
        with pytest.raises(errors.UnknownMatch, match="no match no is saved here"):
            use("no")
        with pytest.raises(errors.UnknownMatch):
            use("\ud800")


# Resuming


def test_the_last_played_is_listed_first(store: Store) -> None:
    older, newer = begin(store, Move(2)), begin(store, Move(3))
    assert resumable(store) == store.find("id") == [newer, older]
    play(store, older, Move(5))
    assert resumable(store) == store.find("id") == [older, newer]
    assert [row.id for row in store.unfinished(limit=1)] == [older]
    assert store.unfinished(limit=0) == []


def test_the_match_to_continue_is_the_unfinished_one_that_was_played_last(
    store: Store,
) -> None:
    assert store.latest_unfinished() is None
    older, newer = begin(store, Move(2)), begin(store, Move(3))
    last = store.latest_unfinished()
    assert last is not None
    assert last[0].id == last[1].id == newer
    play(store, older, Move(5))
    last = store.latest_unfinished()
    assert last is not None
    assert last[0].id == older
    store.set_aside(older)
    store.set_aside(newer)
    assert store.latest_unfinished() is None


def test_rows_of_matches_show_score_total_and_turn(store: Store) -> None:
    begin(store, *NINES, NextGame(Seat.TWO), Move(5))
    (row,) = store.unfinished()
    assert (row.title, row.names, row.levels) == (
        "Multiplier",
        ("Ada", "Blaise"),
        (None, "perfect"),
    )
    assert (row.length, row.is_single, row.score) == ("best of 3", False, (0, 1))
    assert (row.total, row.to_move) == (5, Seat.ONE)
    begin(store, *NINES)
    (between, _) = store.unfinished()
    assert (between.total, between.to_move) == (None, None)


def test_matches_are_found_by_the_beginning_of_their_ids(store: Store) -> None:
    for match_id in ("abc", "abd", "b%", "b_", "ab\U0001f600"):
        store.append(first_append(match_id, NINES, SINGLE))
    store.append(first_append("abe", (Move(2),), SETUP))
    assert store.find("ab") == ["abe", "ab\U0001f600", "abd", "abc"]
    assert store.find("ab", unfinished=True) == ["abe"]
    assert store.find("b%") == ["b%"]
    assert store.find("abc") == ["abc"]
    assert store.find("abcd") == store.find("\ud800") == []
    for _ in range(25):
        begin(store, Move(2))
    assert len(store.find("")) == 20


def test_match_set_aside_is_listed_again_once_it_continues(store: Store) -> None:
    match_id = begin(store, Move(5))
    store.set_aside(match_id)
    assert resumable(store) == []
    kept = store.match(match_id)
    assert kept.set_aside_at == kept.changed_at
    assert not kept.unfinished
    store.set_aside(match_id)
    assert store.match(match_id) == kept
    assert [row.match_id for row in store.history()] == [match_id]
    play(store, match_id, Move(2))
    assert resumable(store) == [match_id]
    assert store.match(match_id).set_aside_at is None


def test_a_finished_match_cannot_be_set_aside(store: Store) -> None:
    match_id = begin(store, *NINES, setup=SINGLE)
    store.set_aside(match_id)
    assert store.match(match_id).set_aside_at is None


def test_a_rematch_makes_a_finished_match_unfinished_again(store: Store) -> None:
    match_id = begin(store, *NINES, setup=SINGLE)
    assert resumable(store) == []
    play(store, match_id, Rematch(Seat.TWO))
    assert resumable(store) == [match_id]
    play(store, match_id, Move(5), Resign(Seat.ONE), Retry((5,)))
    latest, rematch, first = store.history()
    assert [row.match_number for row in (first, rematch, latest)] == [1, 2, 3]
    assert [row.is_retry for row in (first, rematch, latest)] == [False, False, True]


def test_a_closed_store_opens_again(clock: Clock) -> None:
    with STORES["file"](clock) as store:
        match_id = begin(store, Move(5))
        store.close()
        store.close()
        assert store.match(match_id).session.game.total == 5
        store.close()
        store.append(append_to(store, match_id, 2, (Move(2),)))
        assert store.match(match_id).session.game.total == 10


def test_the_lock_timeout_can_be_set_at_any_time(store: Store) -> None:
    assert store.lock_timeout == 0.05
    store.lock_timeout = 0.0
    begin(store, Move(5))
    store.lock_timeout = 0.02
    assert store.lock_timeout == 0.02


def test_log_stores_the_token_of_a_request(store: Store, clock: Clock) -> None:
    match_id = store.new_id()
    store.append(first_append(match_id, (Move(2),), SETUP, "first.body"))
    store.append(
        append_to(store, match_id, 2, (Move(3), Undo()), request="second.body")
    )
    store.append(append_to(store, match_id, 4, (Move(4),)))
    expected = ["first.body", "second.body", "second.body", ""]
    assert [logged.request for logged in store.match(match_id).log] == expected
    with pytest.raises(errors.RevisionConflict):
        store.append(append_to(store, match_id, 2, (Move(9),), request="third.body"))
    assert [logged.request for logged in store.match(match_id).log] == expected
    with in_memory(clock) as other:
        other.import_entries(store.entries())
        assert other.match(match_id) == store.match(match_id)


def test_people_who_sit_down_are_listed_by_their_names(store: Store) -> None:
    setup = replace(SETUP, levels=(None, None), all_seated=False)
    match_id = begin(store, Sit(Seat.ONE, "Eve"), setup=setup)
    assert [row.names for row in store.unfinished()] == [("Eve", "Blaise")]
    play(store, match_id, Sit(Seat.TWO, "Bo", Lessons(coach=True)), Move(2))
    assert [row.names for row in store.unfinished()] == [("Eve", "Bo")]
    assert [row.names for row in store.history()] == [("Eve", "Bo")]
    assert store.match(match_id).setup == setup
    assert store.match(match_id).session.setup.names == ("Eve", "Bo")


def test_matches_unchanged_for_long_are_removed(store: Store, clock: Clock) -> None:
    old, touched = begin(store, Move(2)), begin(store, Move(3))
    over = begin(store, *NINES, setup=SINGLE)
    late = append_to(store, old, 2, (Move(2),))
    time = clock()
    play(store, touched, Move(4))
    new = begin(store, Move(5))
    assert store.delete_older_than(time) == 2
    for match_id in (old, over):
        with pytest.raises(errors.UnknownMatch):
            store.match(match_id)
    assert resumable(store) == [new, touched]
    assert {row.match_id for row in store.history()} == {new, touched}
    assert store.count() == 2
    assert store.delete_older_than(time) == 0
    with pytest.raises(errors.UnknownMatch):
        store.append(late)


def test_match_is_removed_only_after_its_last_change(store: Store) -> None:
    assert store.newest_change() is None
    begin(store, Move(2))
    match_id = begin(store, Move(2))
    changed_at = store.match(match_id).changed_at
    assert store.newest_change() == changed_at
    assert store.delete_older_than(changed_at) == 1
    assert store.delete_older_than(changed_at + timedelta(microseconds=1)) == 1


def test_removed_match_can_be_imported_again(store: Store, clock: Clock) -> None:
    match_id = begin(store, Move(2), Move(3))
    with in_memory(clock) as other:
        other.append(first_append(match_id, (Move(5), Move(7)), SETUP))
        assert store.delete_older_than(clock()) == 1
        store.import_entries(other.entries())
    store.append(append_to(store, match_id, 3, (Move(2),)))
    (row,) = store.history()
    assert row.moves == (5, 7, 2)
    assert store.match(match_id).session.game.moves == (5, 7, 2)


def test_many_matches_can_be_played_by_turns(store: Store) -> None:
    playing = [begin(store, Move(2)) for _ in range(70)]
    for match_id in playing:
        store.append(append_to(store, match_id, 2, (Move(3),)))
    assert {row.total for row in store.unfinished()} == {6}


# Copies of matches that are played on a server

ONLINE = replace(SETUP, levels=(None, None), all_seated=False, seed=None)
SEATED = (Sit(Seat.ONE, "Eve"), Sit(Seat.TWO, "Bo"))
HERE = Origin("https://games.example", (Seat.ONE,))
THERE = Origin("https://games.example", (Seat.TWO,))
BOTH = Origin("https://games.example", (Seat.ONE, Seat.TWO))
FORGED = Origin("https://evil.example", (Seat.ONE, Seat.TWO))


def copied(*commands: Command, origin: Origin | None = HERE) -> StoredMatch:
    """Return a copy of a match as a server tells its log."""
    log = tuple(LoggedCommand(command, START) for command in (*SEATED, *commands))
    return StoredMatch("copy", ONLINE, log, START, START, origin=origin)


def test_a_copy_has_no_seed_and_no_multiplier_that_was_given_back(
    store: Store, clock: Clock
) -> None:
    setup = replace(ONLINE, lessons=Lessons(coach=True))
    copy = replace(copied(GiveBack(), Move(5)), setup=setup)
    store.import_entries([copy])
    match = store.match("copy")
    assert match == copy
    assert [row.origin for row in store.unfinished()] == [HERE]
    assert [row.origin for row in store.history()] == [HERE]
    with in_memory(clock) as other:
        other.import_entries(store.entries())
        assert other.match("copy") == match


def test_import_without_new_commands_leaves_a_copy_set_aside(store: Store) -> None:
    store.import_entries([copied()])
    store.set_aside("copy")
    assert store.import_entries([copied()]) == Imported(known=1)
    assert resumable(store) == []
    assert store.import_entries([copied(Move(2))]) == Imported(continued=1)
    assert resumable(store) == ["copy"]


def test_an_import_adds_seats_where_the_server_is_the_same(store: Store) -> None:
    store.import_entries([copied(Move(2), Resign(Seat.ONE))])
    assert store.count(Filter(result=Result.WON)) == 0
    there = copied(Move(2), origin=THERE)
    assert store.import_entries([there]) == Imported(continued=1)
    assert store.match("copy") == copied(Move(2), Resign(Seat.ONE), origin=BOTH)
    assert {row.origin for row in store.history()} == {BOTH}
    assert [row.origin for row in store.unfinished()] == [BOTH]
    assert store.count(Filter(result=Result.WON)) == 1
    assert store.import_entries([there]) == Imported(known=1)


def test_another_server_never_rewrites_an_origin(store: Store) -> None:
    store.import_entries([copied(Move(2))])
    for forged in (
        copied(Move(2), origin=FORGED),
        copied(Move(2), Move(3), origin=FORGED),
    ):
        store.import_entries([forged])
        assert store.match("copy").origin == HERE
        assert {row.origin for row in store.history()} == {HERE}


@pytest.mark.parametrize(("here", "there"), [(None, HERE), (HERE, None)])
def test_import_never_merges_a_copy_with_a_local_match(
    store: Store, here: Origin | None, there: Origin | None
) -> None:
    store.import_entries([copied(Move(2), origin=here)])
    before = [*store.entries()]
    further = copied(Move(2), Move(3), origin=there)
    assert store.import_entries([further]) == Imported(differing=1)
    assert [*store.entries()] == before


def test_result_filter_counts_only_local_seats_of_copies(
    store: Store,
) -> None:
    store.import_entries([copied(Resign(Seat.ONE), NextGame(Seat.TWO))])
    assert store.count() == 2
    assert store.count(Filter(result=Result.LOST)) == 1
    assert store.count(Filter(result=Result.WON)) == 0
    assert store.count(Filter(player="Bo", result=Result.WON)) == 1
    assert [*store.finished_against_levels()] == []


# History


def fill(store: Store) -> list[str]:
    """Store three matches: one game won, one lost, one between levels; two books."""
    levels = replace(
        SINGLE,
        rules=Rules(Ending.REACH, 100),
        book="multiplication-madness",
        levels=("careful", "careful"),
    )
    won = begin(store, Move(5), Move(2), Move(9), Move(9), setup=SINGLE)
    lost = begin(store, Resign(Seat.ONE), NextGame(Seat.TWO))
    going_on = begin(store, Move(2), setup=levels)
    return [won, lost, going_on]


def test_history_shows_each_game_the_newest_first(store: Store) -> None:
    won, lost, going_on = fill(store)
    found = store.history()
    assert [(row.match_id, row.number) for row in found] == [
        (going_on, 1),
        (lost, 2),
        (lost, 1),
        (won, 1),
    ]
    assert store.history(limit=2) == found[:2]
    assert store.history(limit=2, offset=1) == found[1:3]
    assert store.history(offset=3) == found[3:]
    assert store.history(limit=0) == []
    last = found[-1]
    assert write_line(last.record()) == "nf1.multiplier.avoid100.5x2x9x9"
    assert last.rules == SETUP.rules
    assert last.result_of(Seat.ONE) is Result.WON
    assert last.begun_at <= (last.ended_at or START)
    assert last.score == (1, 0)
    assert found[1].score == found[2].score == (0, 1)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Filter(), [1, 2, 2, 3]),
        (Filter(book="multiplication-madness"), [3]),
        (Filter(book="multiplier"), [1, 2, 2]),
        (Filter(player="perfect"), [1, 2, 2]),
        (Filter(player="careful"), [3]),
        (Filter(player="Ada"), [1, 2, 2, 3]),
        (Filter(player="nobody"), []),
        (Filter(player=""), []),
        (Filter(player=HUMAN), [1, 2, 2]),
        (Filter(result=Result.WON), [1]),
        (Filter(result=Result.LOST), [2]),
        (Filter(result=Result.UNFINISHED), [2, 3]),
        (Filter(player="perfect", result=Result.WON), [2]),
        (Filter(player="perfect", result=Result.LOST), [1]),
        (Filter(player="perfect", result=Result.UNFINISHED), [2]),
        (Filter(player=HUMAN, result=Result.WON), [1]),
        (Filter(book="multiplication-madness", player="perfect"), []),
    ],
)
def test_history_can_be_filtered(
    store: Store, wanted: Filter, expected: list[int]
) -> None:
    ids = fill(store)
    found = [ids.index(row.match_id) + 1 for row in store.history(wanted)]
    assert sorted(found) == expected
    assert store.count(wanted) == len(expected)


def test_history_can_be_that_of_one_match(store: Store) -> None:
    _, match_id, _ = fill(store)
    found = store.history(Filter(match=match_id))
    assert [(row.match_id, row.number) for row in found] == [
        (match_id, 2),
        (match_id, 1),
    ]
    assert store.count(Filter(match=match_id)) == 2
    assert store.history(Filter(match=match_id[:-1])) == []


def test_history_can_be_cut_by_time(store: Store) -> None:
    fill(store)
    newest, middle, *_, oldest = store.history()
    assert store.history(Filter(since=newest.begun_at)) == [newest]
    assert store.history(Filter(until=newest.begun_at))[0] == middle
    assert store.history(Filter(until=oldest.begun_at)) == []
    east, west = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
    first, last = datetime.min.replace(tzinfo=east), datetime.max.replace(tzinfo=west)
    assert store.count(Filter(since=first, until=last)) == 4
    assert store.count(Filter(since=last)) == store.count(Filter(until=first)) == 0


def test_statistics_get_the_finished_games_of_a_person_against_a_level(
    store: Store,
) -> None:
    people = replace(SINGLE, levels=(None, None))
    computers = replace(SINGLE, levels=("careful", "perfect"))
    three, _ = (begin(store, *NINES, setup=each) for each in (people, computers))
    one = begin(store, *NINES, NextGame(Seat.TWO), *NINES, setup=SETUP)
    two = begin(store, Retry((9,)), *NINES[1:], setup=SINGLE)
    begin(store, Move(2))
    found = [*store.finished_against_levels()]
    assert [(row.match_id, row.number) for row in found] == [
        (one, 1),
        (one, 2),
        (two, 1),
    ]
    assert [row.is_retry for row in found] == [False, False, True]
    assert [row.match_id for row in store.finished_between_people()] == [three]


@every_store
def test_everything_is_read_in_batches(opening: Opening) -> None:
    log = tuple(LoggedCommand(Move(9), START) for _ in range(3))
    times = [START + timedelta(seconds=number // 2) for number in range(1001)]
    with opening(Clock()) as store:
        store.import_entries(
            StoredMatch(f"match {number}", SINGLE, log, begun_at, START)
            for number, begun_at in enumerate(times)
        )
        found = [row.match_id for row in store.finished_against_levels()]
        assert found == [f"match {number}" for number in range(1001)]
        assert [entry.id for entry in store.entries()] == found
        entries = store.entries()
        next(entries)
        begin(store, Move(2))  # a store can be written while it is exported
        assert len([*entries]) == 1000


# Learning


def test_answers_are_returned_with_all_their_fields(store: Store) -> None:
    ada, bo = store.learner("Ada").id, store.learner("Bo").id
    given = [
        store.add_answer(ada, "7x8", "54", right=False, activity=Activity.PLAY),
        store.add_answer(
            bo,
            "nf1.multiplier.avoid1000.3x9",
            "2",
            right=True,
            activity=Activity.PUZZLE,
            seconds=2.5,
            hinted=True,
            surface="classic",
        ),
        store.add_answer(
            ada, f"1{'0' * 40}x9", "9" * 41, right=False, activity=Activity.DRILL
        ),
    ]
    assert store.answers() == given
    assert store.answers(ada) == [given[0], given[2]]
    assert store.answers("nobody") == []
    assert [answer.known for answer in given] == [False, False, False]
    assert (given[1].seconds, given[1].hinted, given[1].surface) == (
        2.5,
        True,
        "classic",
    )
    assert given[0].at < given[1].at < given[2].at


@pytest.mark.parametrize(
    ("item", "given", "problem"),
    [
        ("", "54", "answer.item: expected 1 to 200,000 printable"),
        ("7x8", "", "answer.given: expected 1 to 4,010 printable"),
        ("7x8", "\x1b[2J", "answer.given: expected 1 to 4,010 printable"),
    ],
)
def test_an_answer_that_could_not_be_listed_is_refused(
    store: Store, item: str, given: str, problem: str
) -> None:
    learner = store.learner("Ada").id
    with pytest.raises(errors.RecordError, match=problem):
        store.add_answer(learner, item, given, right=True, activity=Activity.PLAY)
    assert store.answers() == []


# Taking in


def test_import_is_all_or_nothing(store: Store) -> None:
    def entries() -> Iterator[Entry]:
        yield puzzle_entry("one", START)
        message = "the second is refused"
        raise errors.StoreError(message)

    with pytest.raises(errors.StoreError, match="the second is refused"):
        store.import_entries(entries())
    assert store.answers() == []
    assert store.learners() == []


def test_import_reports_progress(store: Store) -> None:
    told: list[int] = []
    entries = [puzzle_entry(f"a{n}", START) for n in range(3)]
    store.import_entries(entries, told.append)
    assert told == [1, 2, 3]


def test_imported_answers_are_listed_by_time(store: Store) -> None:
    late = puzzle_entry("late", START + timedelta(hours=2), right=True)
    early = puzzle_entry("early", START)
    store.import_entries([late])
    store.import_entries([early, late])
    assert store.answers() == [early.answer, late.answer]


@every_store
@settings(max_examples=15)
@given(kept_matches(), kept_matches())
def test_importing_twice_changes_nothing(
    opening: Opening, match: StoredMatch, other: StoredMatch
) -> None:
    with opening(Clock()) as store:
        assert store.import_entries([match]) == Imported(added=1)
        assert store.match(match.id) == match
        assert store.import_entries([match, other]) == Imported(added=1, known=1)
        kept = [*store.entries()]
        assert store.import_entries([other, match]) == Imported(known=2)
        assert [*store.entries()] == kept


def cut(kept: StoredMatch, revision: int) -> StoredMatch:
    return replace(kept, log=kept.log[:revision])


@pytest.mark.parametrize("hours", [-1, 0, 1])
def test_import_extends_a_match_played_further_elsewhere(
    store: Store, hours: int
) -> None:
    match_id = begin(store, *NINES, NextGame(Seat.TWO), Move(2))
    further = store.match(match_id)
    changed_at = further.changed_at + timedelta(hours=hours)  # whatever the clocks say
    with STORES["memory"](Clock()) as other:
        other.import_entries([cut(replace(further, changed_at=changed_at), 2)])
        assert other.import_entries([further]) == Imported(continued=1)
        assert other.match(match_id) == further
        assert {*other.history()} == {*store.history()}
        assert other.unfinished() == store.unfinished()
        assert other.import_entries([cut(further, 0), cut(further, 4)]) == Imported(
            known=2
        )
        assert other.match(match_id) == further
        other.append(append_to(other, match_id, 6, (Move(2),)))
        assert other.match(match_id).session.game.total == 4


def test_match_continues_after_an_import_extended_it(store: Store) -> None:
    match_id = begin(store, Move(2))
    here = store.match(match_id)
    further = replace(here, log=(*here.log, LoggedCommand(Move(3), START)))
    assert store.import_entries([further]) == Imported(continued=1)
    store.append(append_to(store, match_id, 3, (Move(4),)))
    assert store.match(match_id).session.game.total == 24


@pytest.mark.parametrize(
    "change",
    [
        lambda kept: replace(kept, setup=replace(kept.setup, seed=8)),
        lambda kept: replace(kept, log=(LoggedCommand(Move(8), START), *kept.log[1:])),
        lambda kept: replace(kept, log=(*kept.log[:-1], LoggedCommand(Move(3), START))),
        lambda kept: replace(
            kept,
            log=(
                *kept.log[:-1],
                LoggedCommand(Move(3), START),
                LoggedCommand(Move(3), START),
            ),
        ),
    ],
)
def test_import_leaves_a_diverged_match_unchanged(
    store: Store, change: Callable[[StoredMatch], StoredMatch]
) -> None:
    match_id = begin(store, *NINES, NextGame(Seat.TWO), Move(2))
    here = store.match(match_id)
    assert store.import_entries([change(here)]) == Imported(differing=1)
    assert store.match(match_id) == here


def test_import_does_not_restore_a_move_taken_back(store: Store) -> None:
    match_id = begin(store, Move(5), setup=replace(SETUP, levels=(None, None)))
    further = store.match(match_id)
    play(store, match_id, Undo())
    assert store.import_entries([further]) == Imported(known=1)
    assert store.match(match_id).session.game == Game.start(SETUP.rules)


def test_import_rejects_a_log_that_cannot_be_replayed(store: Store) -> None:
    log = (LoggedCommand(Move(5), START), LoggedCommand(Move(1), START))
    kept = StoredMatch("x", SETUP, log, START, START)
    with pytest.raises(errors.RecordError, match=r"^log\[1\]: 1 is not a multiplier"):
        store.import_entries([kept])
    assert [*store.entries()] == []
