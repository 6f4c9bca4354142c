"""PostgreSQL beyond the contract: several programs, lost connections, two versions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, aclosing
from datetime import timedelta
from typing import Never

import psycopg
import pytest

from ninefold.errors import RevisionConflict, StoreTooNew, StoreUnavailable
from ninefold.session import Move
from ninefold.store.match_store import Store
from ninefold.store.postgres import PostgresDatabase, PostgresStore
from ninefold.store.schema import WriteConflict
from tests.program import WAIT_SECONDS
from tests.store.postgres_server import empty_database
from tests.store.stores import (
    SINGLE,
    Clock,
    append_to,
    begin,
    first_append,
    numbered,
)


@pytest.fixture
def url() -> Iterator[str]:
    with empty_database() as address:
        yield address


def opened(url: str, *, lock_timeout: float = 5.0) -> PostgresStore:
    return PostgresStore(
        url, clock=Clock(), new_id=numbered(), lock_timeout=lock_timeout
    )


def end_connections(url: str) -> None:
    """Cut every other connection, as a restart of PostgreSQL does."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid()
            AND application_name = current_setting('application_name')
            """
        )


def test_two_programs_make_the_tables_at_once(url: str) -> None:
    stores = [opened(url) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads, ExitStack() as stack:
        for store in stores:
            stack.enter_context(store)
        found = list(threads.map(lambda store: store.unfinished(), stores))
    assert found == [[]] * 4


def test_appending_the_same_number_twice_raises_revision_conflict(
    url: str,
) -> None:
    with opened(url) as one, opened(url) as two:
        match_id = begin(one, Move(5), setup=SINGLE)
        two.match(match_id)
        late = append_to(two, match_id, 2, (Move(3),))
        one.append(append_to(one, match_id, 2, (Move(2),)))
        with pytest.raises(RevisionConflict):
            two.append(late)
        assert two.match(match_id).commands == (Move(5), Move(2))


def test_programs_that_append_at_the_same_moment_lose_and_double_nothing(
    url: str,
) -> None:
    with opened(url) as one, opened(url) as two:
        ids = sorted(begin(one, Move(2), setup=SINGLE) for _ in range(8))

        def append(store: PostgresStore, *, backwards: bool) -> int:
            done = 0
            for number in (2, 3, 4):
                for match_id in ids[:: -1 if backwards else 1]:
                    try:
                        store.append(append_to(store, match_id, number, (Move(2),)))
                    except RevisionConflict:
                        continue
                    done += 1
            return done

        with ThreadPoolExecutor(2) as threads:
            first = threads.submit(append, one, backwards=False)
            second = threads.submit(append, two, backwards=True)
            assert first.result() + second.result() == 8 * 3
        assert [len(one.match(match_id).log) for match_id in ids] == [4] * 8


def test_match_created_twice_at_once_is_stored_once(url: str) -> None:
    append = first_append("same", (Move(2),), SINGLE)
    with opened(url) as one, opened(url) as two:
        one.unfinished()

        def make(store: PostgresStore) -> bool:
            try:
                store.append(append)
            except RevisionConflict:
                return False
            return True

        with ThreadPoolExecutor(2) as threads:
            made = list(threads.map(make, (one, two)))
        assert sorted(made) == [False, True]


def test_connection_lost_between_uses_is_reopened(url: str) -> None:
    with opened(url) as store, opened(url) as other:
        match_id = begin(store, Move(5), setup=SINGLE)
        end_connections(url)
        assert store.match(match_id).commands == (Move(5),)
        end_connections(url)
        assert asyncio.run(hear(other, 2, lambda: store.publish(["a"])))[1] == {"a"}


def test_connection_lost_within_a_change_rolls_it_back(
    url: str,
) -> None:
    with opened(url) as store:
        match_id = begin(store, Move(5), setup=SINGLE)

        def cut(_: int) -> None:
            end_connections(url)

        with pytest.raises(StoreUnavailable, match="PostgreSQL error"):
            store.import_entries([*store.entries(), *store.entries()], progress=cut)
        assert store.match(match_id).commands == (Move(5),)


def test_removing_old_matches_twice_at_once_is_a_one_line_error(url: str) -> None:
    with opened(url) as store, psycopg.connect(url) as other:
        begin(store, Move(5), setup=SINGLE)
        later = Clock()() + timedelta(days=9)
        other.execute("DELETE FROM log")
        with ThreadPoolExecutor(1) as thread:
            forgetting = thread.submit(store.delete_older_than, later)
            wait_until_somebody_waits(url)
            other.commit()
            with pytest.raises(StoreUnavailable, match="at the same time; try again"):
                forgetting.result()
        assert store.delete_older_than(later) == 1


def test_append_gives_up_after_repeated_conflicts(url: str) -> None:
    class Prevented(PostgresDatabase):
        tries = 0

        def writing(self) -> Never:
            self.tries += 1
            raise WriteConflict(self.name)

    database = Prevented(url, lock_timeout=1)
    store = Store(database, clock=Clock(), new_id=numbered())
    with store, pytest.raises(StoreUnavailable, match="try again"):
        begin(store, Move(5), setup=SINGLE)
    assert database.tries == 5


def wait_until_somebody_waits(url: str) -> None:
    """Return when a connection waits for another one's lock."""
    with psycopg.connect(url, autocommit=True) as connection:
        while not connection.execute(
            """
            SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
            AND application_name = current_setting('application_name')
            """
        ).fetchall():
            pass


@pytest.mark.parametrize("table", ["log", "ninefold"])
def test_a_database_that_another_program_locks_is_not_waited_for_long(
    url: str, table: str
) -> None:
    with opened(url, lock_timeout=0.05) as store, psycopg.connect(url) as other:
        append = append_to(store, begin(store, Move(5), setup=SINGLE), 2, (Move(2),))
        other.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
        with pytest.raises(StoreUnavailable, match="another program is using it"):
            store.append(append)
        other.rollback()
        store.append(append)


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with opened("postgresql://ada:secret@127.0.0.1:1/games") as store:
        with pytest.raises(StoreUnavailable) as refused:
            store.unfinished()
        assert "the PostgreSQL database games on 127.0.0.1" in str(refused.value)
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://[",
        "postgresql://ada:word@[",
        "postgresql://ada:%word@127.0.0.1:1/games",
        "postgresql://ada:wo/rd@127.0.0.1:1/games",
        "postgresql://ada:wo@rd@127.0.0.1:1/games",
    ],
)
def test_malformed_address_is_not_printed(url: str) -> None:
    refusal = pytest.raises(StoreUnavailable, match="its address is malformed")
    with opened(url) as store, refusal as refused:
        store.unfinished()
    assert "rd" not in str(refused.value).replace("password", "")


def test_an_older_program_refuses_tables_of_a_newer_one(url: str) -> None:
    with opened(url) as old:
        match_id = begin(old, Move(5), setup=SINGLE)
        append = append_to(old, match_id, 2, (Move(2),))
        with psycopg.connect(url) as newer:
            newer.execute("UPDATE ninefold SET version = version + 1")
        with pytest.raises(StoreTooNew):
            old.append(append)
        with pytest.raises(StoreTooNew):
            old.match(match_id)
    with opened(url) as again, pytest.raises(StoreTooNew):
        again.unfinished()


def test_tables_of_another_program_are_left_as_they_are(url: str) -> None:
    with psycopg.connect(url) as other:
        other.execute("CREATE TABLE matches (colour text)")
    with opened(url) as store, pytest.raises(StoreUnavailable, match="already exists"):
        begin(store, Move(5), setup=SINGLE)


def test_an_older_program_that_waited_for_a_newer_one_writes_nothing(
    url: str,
) -> None:
    with opened(url) as old, psycopg.connect(url) as newer:
        append = append_to(old, begin(old, Move(5), setup=SINGLE), 2, (Move(2),))
        newer.execute("LOCK TABLE ninefold IN ACCESS EXCLUSIVE MODE")
        with ThreadPoolExecutor(1) as thread:
            appending = thread.submit(old.append, append)
            wait_until_somebody_waits(url)
            newer.execute("ALTER TABLE matches ADD COLUMN colour text")
            newer.execute("UPDATE ninefold SET version = version + 1")
            newer.commit()
            with pytest.raises(StoreTooNew):
                appending.result()


def test_a_refused_change_leaves_nothing(url: str) -> None:
    with opened(url) as store:
        begin(store, Move(5), setup=SINGLE)
        good = first_append("good", (Move(2),), SINGLE)
        with pytest.raises(RevisionConflict):
            store.append(good, first_append("id-1", (Move(2),), SINGLE))
        assert store.find("good") == []


async def hear(store: PostgresStore, count: int, tell: object = None) -> list[object]:
    heard: list[object] = []
    async with asyncio.timeout(WAIT_SECONDS):
        async with aclosing(store.subscribe()) as changes:
            async for words in changes:
                heard.append(words)
                if len(heard) == 1 and callable(tell):
                    await asyncio.to_thread(tell)
                if len(heard) == count:
                    break
    return heard


def test_published_words_reach_only_other_processes(url: str) -> None:
    with opened(url) as one, opened(url) as two:
        one.unfinished()

        def tell() -> None:
            one.publish(["own"])
            two.publish(["a", "b"])

        assert asyncio.run(hear(one, 2, tell)) == [None, frozenset({"a", "b"})]


def test_long_notifications_are_split(url: str) -> None:
    words = [f"word-{number}" for number in range(400)]
    with opened(url) as one, opened(url) as two:
        heard = asyncio.run(hear(one, 4, lambda: two.publish(words)))
        assert heard[0] is None
        told = [part for part in heard[1:] if isinstance(part, frozenset)]
        assert frozenset().union(*told) == set(words)


def test_a_word_that_is_too_long_is_refused(url: str) -> None:
    with opened(url) as store:
        with pytest.raises(StoreUnavailable, match="PostgreSQL error"):
            store.publish(["x" * 9_000])
        store.publish(["x"])


def test_subscribers_get_none_after_a_lost_connection(url: str) -> None:
    with opened(url) as store:
        store.unfinished()
        assert asyncio.run(hear(store, 2, lambda: end_connections(url))) == [None, None]
