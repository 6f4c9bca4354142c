"""A session is stored before it is reported, or caught up later."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from ninefold import Ending, Rules, Seat, StoreError, StoreUnavailable
from ninefold.learning import Product
from ninefold.session import Command, Move, Session, Setup, Sit
from ninefold.store import Answer, Append, LogWriter, Origin
from ninefold.store.sqlite import SqliteStore
from tests.store.stores import in_folder

SETUP = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")


class Locked(SqliteStore):
    """A store in memory that another program holds while ``held`` is true."""

    def __init__(self) -> None:
        ids = map(str, count(1))
        super().__init__(
            None, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC), new_id=ids.__next__
        )
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

    def append(self, *appends: Append) -> None:
        self._wait()
        super().append(*appends)

    def add_answer(self, *args: int, **options: object) -> Answer:
        self._wait()
        return super().add_answer(*args, **options)  # type: ignore[arg-type]  # passed on

    def close(self) -> None:
        """Stay open: a store in memory would be gone."""


@pytest.fixture
def store() -> Locked:
    return Locked()


def writer_of(store: Locked, told: list[str], *, saves: bool = True) -> LogWriter:
    return LogWriter(lambda: store, told.append, surface="test", saves=saves)


def moves_in(store: Locked) -> tuple[int, ...]:
    (match_id,) = store.find("")
    return store.match(match_id).session.game.moves


def test_a_session_is_kept_command_by_command(store: Locked) -> None:
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


def test_a_store_that_is_held_is_waited_for_once_and_caught_up(store: Locked) -> None:
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
    assert [(a.a, a.hinted) for a in store.answers("Ada")] == [
        (2, True),
        (2, True),
        (16, False),
    ]
    assert store.lock_timeout == lock_timeout
    assert told[1:] == ["The game is being saved again."]


def test_leaving_tries_once_more(store: Locked) -> None:
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


def test_a_store_that_breaks_is_not_tried_again(store: Locked) -> None:
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


def test_a_game_that_is_not_to_be_kept_is_not(store: Locked) -> None:
    writer = writer_of(store, [], saves=False)
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session, Move(2))
    writer.close()
    assert store.history() == []


def test_a_store_that_cannot_be_opened_is_told_once() -> None:
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
HERE = Origin("https://games.example", (Seat.ONE,))


def copier(store: Locked, told: list[str], revision: int = 0) -> LogWriter:
    return LogWriter(
        lambda: store,
        told.append,
        surface="test",
        match_id="copy",
        revision=revision,
        setup=ONLINE,
        origin=HERE,
    )


def online(*multipliers: int) -> Session:
    return Session.replay(ONLINE, [*SEATED, *map(Move, multipliers)])


def copy(writer: LogWriter, *multipliers: int) -> None:
    """Write the whole log, as when one joins or the server was set back."""
    log: list[Command] = [*SEATED, *map(Move, multipliers)]
    writer.write_copy(Session.replay(ONLINE, log), log)


def write(writer: LogWriter, *multipliers: int) -> None:
    """Write the last of some moves, as when it comes."""
    writer.write(online(*multipliers), Move(multipliers[-1]))


def test_two_terminals_write_one_copy(store: Locked) -> None:
    told: list[str] = []
    one, two = copier(store, told), copier(store, told)
    copy(one, 2)
    copy(two, 2, 3)
    write(one, 2, 3)
    write(one, 2, 3, 4)
    write(two, 2, 3, 4)
    write(two, 2, 3, 4, 2)
    assert one.is_up_to_date
    assert two.is_up_to_date
    assert store.find("") == ["copy"]
    match = store.match("copy")
    assert (match.setup, match.origin) == (ONLINE, HERE)
    assert match.session.game.moves == (2, 3, 4, 2)
    assert told == []


@pytest.mark.parametrize("back", [(2,), (2, 5), (2, 5, 2, 2, 2), ()])
def test_a_copy_of_a_server_that_was_set_back_is_begun_anew(
    store: Locked, back: tuple[int, ...]
) -> None:
    told: list[str] = []
    writer = copier(store, told)
    copy(writer, 2, 3, 4)
    copy(writer, *back)
    write(writer, *back, 9)
    assert store.match("copy").session.game.moves == (*back, 9)
    (aside,) = (match_id for match_id in store.find("") if match_id != "copy")
    assert store.match(aside).session.game.moves == (2, 3, 4)
    assert not store.match(aside).unfinished
    assert told == []


def test_a_copy_of_another_log_is_begun_anew(store: Locked) -> None:
    told: list[str] = []
    other = replace(ONLINE, names=("Eve", "Bo"))
    store.append(Append("copy", 1, SEATED, other, origin=HERE))
    copy(copier(store, told), 2)
    assert store.match("copy").setup == ONLINE
    assert len(store.find("")) == 2
    assert told == []


def test_a_damaged_copy_is_begun_anew(tmp_path: Path) -> None:
    told: list[str] = []
    with in_folder(tmp_path) as store:
        store.append(Append("copy", 1, SEATED, ONLINE, origin=HERE))
    with closing(sqlite3.connect(tmp_path / "games.db")) as file, file:
        file.execute("DELETE FROM log WHERE number = 1")
    writer = LogWriter(
        lambda: in_folder(tmp_path),
        told.append,
        surface="test",
        match_id="copy",
        setup=ONLINE,
        origin=HERE,
    )
    copy(writer, 2)
    writer.close()
    with in_folder(tmp_path) as store:
        assert store.match("copy").session.game.moves == (2,)
        assert len(store.find("")) == 2
    assert told == []


def test_a_copy_is_caught_up_too(store: Locked) -> None:
    told: list[str] = []
    writer = copier(store, told)
    store.held = True
    copy(writer, 2)
    writer.add_answer(Product(2, 3, 6), "Ada", 1.0)
    write(writer, 2, 3)
    assert not writer.is_up_to_date
    store.held = False
    write(writer, 2, 3, 4)
    assert store.match("copy").session.game.moves == (2, 3, 4)
    assert [answer.learner for answer in store.answers()] == ["Ada"]
    assert len(told) == 2


def test_any_thread_may_write(tmp_path: Path) -> None:
    told: list[str] = []

    def opened() -> SqliteStore:
        return in_folder(tmp_path)

    writer = LogWriter(
        opened, told.append, surface="test", match_id="copy", setup=ONLINE, origin=HERE
    )
    copy(writer, 2)
    with ThreadPoolExecutor(2) as threads:
        for moves in ((2, 3), (2, 3, 4)):
            threads.submit(write, writer, *moves).result()
    writer.close()
    with opened() as store:
        assert store.match("copy").session.game.moves == (2, 3, 4)
    assert told == []
