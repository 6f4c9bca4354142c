"""A session is kept before it is told, or caught up later."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count

import pytest

from ninefold import Ending, Rules, StoreError, StoreUnavailable
from ninefold.learning import Product
from ninefold.session import Move, Session, Setup
from ninefold.store import Answer, Append, LogWriter
from ninefold.store.sqlite import SqliteStore

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
    assert not writer.is_stored
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session)
    session, _ = session.apply(Move(4))
    writer.write(session)
    assert writer.is_stored
    assert moves_in(store) == (2, 4)
    assert told == []


def test_a_store_that_is_held_is_waited_for_once_and_caught_up(store: Locked) -> None:
    told: list[str] = []
    writer = writer_of(store, told)
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session)
    store.held = True
    lock_timeout = store.lock_timeout
    for multiplier in (4, 2):
        writer.add_answer(Product(2, 4, 8), "Ada", 1.5, hinted=True)
        session, _ = session.apply(Move(multiplier))
        writer.write(session)
    assert store.waited == [lock_timeout, 0, 0, 0]
    assert not writer.is_stored
    assert len(told) == 1
    assert told[0].startswith("This game goes on without being kept: games.db: another")
    store.held = False
    writer.add_answer(Product(16, 2, 32), "Ada", 2.0)
    assert writer.is_stored
    assert moves_in(store) == (2, 4, 2)
    assert [(a.a, a.hinted) for a in store.answers("Ada")] == [
        (2, True),
        (2, True),
        (16, False),
    ]
    assert store.lock_timeout == lock_timeout
    assert told[1:] == ["The game is being kept again."]


def test_leaving_tries_once_more(store: Locked) -> None:
    told: list[str] = []
    writer = writer_of(store, told)
    store.held = True
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session)
    writer.close()
    assert not writer.is_stored
    store.held = False
    writer.close()
    assert writer.is_stored
    assert moves_in(store) == (2,)


def test_a_store_that_breaks_is_not_tried_again(store: Locked) -> None:
    told: list[str] = []
    writer = writer_of(store, told)
    store.broken = True
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session)
    store.broken = False
    writer.write(session)
    assert not writer.is_stored
    assert told == ["This game goes on without being kept: the file broke."]


def test_a_game_that_is_not_to_be_kept_is_not(store: Locked) -> None:
    writer = writer_of(store, [], saves=False)
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session)
    writer.close()
    assert store.history() == []


def test_a_store_that_cannot_be_opened_is_told_once() -> None:
    told: list[str] = []

    def refuse() -> Locked:
        path, problem = "games.db", "no such folder"
        raise StoreUnavailable(path, problem)

    writer = LogWriter(refuse, told.append, surface="test")
    session, _ = Session.start(SETUP).apply(Move(2))
    writer.write(session)
    writer.close()
    assert len(told) == 1
