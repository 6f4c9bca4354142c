"""A session is stored before it is reported, or caught up later."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from ninefold import Ending, Rules, Seat, StoreError, StoreUnavailable
from ninefold.errors import QuestionOpen
from ninefold.learning import Product
from ninefold.session import (
    Ask,
    Command,
    GiveBack,
    Lessons,
    Move,
    Session,
    Setup,
    Sit,
    SlipQuestion,
    TakeBack,
)
from ninefold.store import LogWriter, Store, values
from ninefold.store.local_table import LocalTable
from ninefold.store.sqlite import SqliteStore
from ninefold.theory import Oracle
from tests.store.stores import in_folder

SETUP = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Locked(SqliteStore):
    """A store in memory that another program holds while ``held`` is true."""

    def __init__(self) -> None:
        ids = map(str, count(1))
        super().__init__(None, clock=lambda: NOW, new_id=ids.__next__)
        self.held = False
        self.broken = False
        self.waited: list[float] = []

    def _wait(self) -> None:
        if self.broken:
            message = "the file broke"
            raise StoreError(message)
        if self.held:
            self.waited.append(self.lock_timeout)
            path, problem = "games.db", "another program is using it"
            raise StoreUnavailable(path, problem)

    def append(self, *appends: values.Append | values.ClassAppend) -> None:
        self._wait()
        super().append(*appends)

    def import_entries(
        self,
        entries: Iterable[values.Entry],
        progress: Callable[[int], None] | None = None,
    ) -> values.Imported:
        self._wait()
        return super().import_entries(entries, progress)

    def learner(self, name: str) -> values.Learner:
        self._wait()
        return super().learner(name)

    def close(self) -> None:
        """Stay open: a store in memory would be gone."""


@pytest.fixture
def store() -> Locked:
    return Locked()


def writer_of(store: Locked, told: list[str], *, saves: bool = True) -> LogWriter:
    return LogWriter(lambda: store, told.append, surface="test", save=saves)


def moves_in(store: Locked) -> tuple[int, ...]:
    (match_id,) = store.find("")
    return store.match(match_id).session.game.moves


def test_every_command_is_stored_at_once(store: Locked) -> None:
    told: list[str] = []
    writer = writer_of(store, told)
    assert not writer.is_up_to_date
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session, Move(2))
    session, _ = session.apply(Move(4))
    writer.write(session, Move(4))
    assert writer.is_up_to_date
    assert moves_in(store) == (2, 4)
    assert told == []


def test_locked_store_is_waited_for_once_and_then_completed(store: Locked) -> None:
    told: list[str] = []
    writer = writer_of(store, told)
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session, Move(2))
    store.held = True
    lock_timeout = store.lock_timeout
    for multiplier in (4, 2):
        writer.add_answer(Product(2, 4, 8), "Ada", 1.5, hinted=True)
        session, _ = session.apply(Move(multiplier))
        writer.write(session, Move(multiplier))
    assert store.waited == [lock_timeout, 0, 0, 0]
    assert not writer.is_up_to_date
    assert len(told) == 1
    assert told[0].startswith("This game is not being saved: games.db: another")
    store.held = False
    writer.add_answer(Product(16, 2, 32), "Ada", 2.0)
    assert writer.is_up_to_date
    assert moves_in(store) == (2, 4, 2)
    (ada,) = store.learners()
    assert ada.name == "Ada"
    assert [(each.item, each.hinted) for each in store.answers(ada.id)] == [
        ("2x4", True),
        ("2x4", True),
        ("16x2", False),
    ]
    assert store.lock_timeout == lock_timeout
    assert told[1:] == ["The game is being saved again."]


def test_close_tries_once_more_to_store(store: Locked) -> None:
    told: list[str] = []
    writer = writer_of(store, told)
    store.held = True
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session, Move(2))
    writer.close()
    assert not writer.is_up_to_date
    store.held = False
    writer.close()
    assert writer.is_up_to_date
    assert moves_in(store) == (2,)


def test_damaged_store_is_not_retried(store: Locked) -> None:
    told: list[str] = []
    writer = writer_of(store, told)
    store.broken = True
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session, Move(2))
    store.broken = False
    session, _ = session.apply(Move(3))
    writer.write(session, Move(3))
    assert not writer.is_up_to_date
    assert told == ["This game is not being saved: the file broke."]


def test_no_save_stores_nothing(store: Locked) -> None:
    writer = writer_of(store, [], saves=False)
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session, Move(2))
    writer.close()
    assert store.history() == []


def test_store_that_cannot_be_opened_is_reported_once() -> None:
    told: list[str] = []

    def refuse() -> Locked:
        path, problem = "games.db", "no such folder"
        raise StoreUnavailable(path, problem)

    writer = LogWriter(refuse, told.append, surface="test")
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session, Move(2))
    writer.close()
    assert len(told) == 1


# Copies of matches that are played on a server

ONLINE = Setup(
    rules=Rules(Ending.REACH, 100),
    book="multiplication-madness",
    all_seated=False,
    seed=None,
)
SEATED = (Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bo"))
HERE = values.Origin("https://games.example", (Seat.ONE,))


def writer_for(store: Store, told: list[str]) -> LogWriter:
    return LogWriter(lambda: store, told.append, surface="test")


def copy_of(*multipliers: int) -> values.StoredMatch:
    commands: list[Command] = [*SEATED, *map(Move, multipliers)]
    log = tuple(values.LoggedCommand(command, NOW) for command in commands)
    return values.StoredMatch("copy", ONLINE, log, NOW, NOW, origin=HERE)


def test_two_terminals_write_one_copy(store: Locked) -> None:
    told: list[str] = []
    one, two = writer_for(store, told), writer_for(store, told)
    for writer, moves in ((one, (2, 3)), (two, (2,)), (two, (2, 3, 4)), (one, (2, 3))):
        writer.import_copy(copy_of(*moves))
        assert writer.is_up_to_date
    assert [*store.entries()] == [copy_of(2, 3, 4)]
    assert told == []


def test_game_continues_unsaved_beside_a_diverged_copy(store: Locked) -> None:
    told: list[str] = []
    writer_for(store, told).import_copy(copy_of(2, 3))
    writer = writer_for(store, told)
    for _ in range(2):
        writer.import_copy(copy_of(2, 4))
    assert not writer.is_up_to_date
    assert [*store.entries()] == [copy_of(2, 3)]
    writer.add_answer(Product(2, 4, 8), "Ada", 1.0)
    assert [answer.item for answer in store.answers()] == ["2x4"]
    (notice,) = told
    assert notice.startswith("This game is not being saved: the copy of it that is")


def test_game_continues_unsaved_beside_a_damaged_copy(tmp_path: Path) -> None:
    told: list[str] = []
    with in_folder(tmp_path) as store:
        store.import_entries([copy_of(2)])
    with closing(sqlite3.connect(tmp_path / "games.db")) as file, file:
        file.execute("DELETE FROM log WHERE number = 1")
    with in_folder(tmp_path) as store:
        writer = writer_for(store, told)
        writer.import_copy(copy_of(2, 3))
        assert not writer.is_up_to_date
    assert len(told) == 2
    assert "match copy is damaged" in told[1]


def test_copy_is_completed_after_the_lock_is_released(store: Locked) -> None:
    told: list[str] = []
    writer = writer_for(store, told)
    store.held = True
    writer.import_copy(copy_of(2))
    writer.add_answer(Product(2, 3, 6), "Ada", 1.0)
    writer.import_copy(copy_of(2, 3))
    assert not writer.is_up_to_date
    store.held = False
    writer.close()
    assert store.match("copy") == copy_of(2, 3)
    assert [answer.item for answer in store.answers()] == ["2x3"]
    assert [learner.name for learner in store.learners()] == ["Ada"]
    assert len(told) == 2


def test_any_thread_may_write(tmp_path: Path) -> None:
    told: list[str] = []
    writer = LogWriter(lambda: in_folder(tmp_path), told.append, surface="test")
    writer.import_copy(copy_of(2))
    with ThreadPoolExecutor(2) as threads:
        for moves in ((2, 3), (2, 3, 4)):
            threads.submit(writer.import_copy, copy_of(*moves)).result()
    writer.close()
    with in_folder(tmp_path) as store:
        assert store.match("copy") == copy_of(2, 3, 4)
    assert told == []


# A table on this machine


def coached(
    one: str | None = None, two: str | None = None, seed: int = 0
) -> LocalTable:
    setup = Setup(
        rules=Rules(Ending.REACH, 1000),
        book="multiplier-showdown",
        levels=(one, two),
        lessons=Lessons(coach=True),
        seed=seed,
    )
    writer = LogWriter(Locked, print, surface="test", save=False)
    return LocalTable(Session.start(setup), writer)


def is_asked(table: LocalTable, asked: Ask) -> bool:
    """Do this; return whether the coach asks about it first."""
    try:
        table.submit(asked)
    except QuestionOpen as error:
        return isinstance(error.question, SlipQuestion)
    return False


def test_coach_warns_once_at_a_repeated_position() -> None:
    table = coached()
    for multiplier in (7, 2):  # each gives the win away, by one seat and the other
        assert is_asked(table, Move(multiplier))
        assert is_asked(table, Move(multiplier))  # it is not answered yet
        table.submit(Move(multiplier, despite_coach=True))
    for position, others in (((7,), (2, 3)), ((), (7, 8, 2))):
        for multiplier in others:
            while table.session.game.moves != position:
                table.submit(TakeBack())
            assert not is_asked(table, Move(multiplier))
    assert table.session.given_back == (0, 0)


@pytest.mark.parametrize(
    ("levels", "seed"), [((None, "beginner"), 0), (("beginner", None), 1)]
)
def test_against_a_level_the_coach_speaks_once_at_a_position(
    levels: tuple[str | None, str | None], seed: int
) -> None:
    table = coached(*levels, seed=seed)
    slips: dict[int, list[int]] = {}
    for _ in range(2):  # two positions, one after the other
        if table.session.to_move is not table.seats[0]:
            table.play_automatic_move()
        total, rules = table.session.game.total, table.session.setup.rules
        winning = Oracle(rules).winning_moves(total)
        slips[total] = [m for m in rules.multipliers if m not in winning]
        assert is_asked(table, Move(slips[total][0]))
        assert not is_asked(table, Move(slips[total][1]))
    for total, losing in reversed(slips.items()):
        for multiplier in losing[:3]:
            while table.session.game.total != total:
                table.submit(TakeBack())
            assert not is_asked(table, Move(multiplier))


def test_a_move_given_back_lets_the_coach_speak_again() -> None:
    table = coached()
    for left in (3, 2, 1):
        assert table.session.give_backs == left
        assert is_asked(table, Move(7))
        table.submit(GiveBack(7))
    assert not is_asked(table, Move(7))
    assert table.session.given_back == (3, 0)
