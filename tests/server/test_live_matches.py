"""LiveMatches, and the thread that writes: what happens when a store refuses or runs ahead."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import combinations
from math import prod
from pathlib import Path
from sqlite3 import connect
from typing import TypeVar, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace
from starlette.types import Message

from ninefold import errors
from ninefold.coach import find_slip
from ninefold.game import Seat
from ninefold.online.messages import LogAsk
from ninefold.rulebooks import load
from ninefold.server.asgi import Options
from ninefold.server.cleanup import Cleanup
from ninefold.server.commit_queue import Writer
from ninefold.server.event_streams import Listener
from ninefold.server.live_matches import LiveMatches
from ninefold.server.metrics import Metrics
from ninefold.server.presence import NOBODY
from ninefold.server.rate_limits import RateLimits, RequestKind
from ninefold.server.responses import HttpRefusal, behind
from ninefold.server.run import open_file
from ninefold.server.seats import SeatSecrets, Token
from ninefold.server.thread_pool import Pool
from ninefold.session import Command, Lessons, Move, Session, Setup, Sit, Undo
from ninefold.session.table import PresenceChanged
from ninefold.store import Append, ClassAppend, StoredMatch
from ninefold.store.sqlite import SqliteStore
from tests.program import WAIT_SECONDS
from tests.server.asgi import Json, Person, Site
from tests.servers import KEY, NOW, damage_page, make_server, make_store
from tests.store.stores import append_to, first_append, play

FULL = errors.StoreUnavailable("server.db", "the disk is full; make room")
CROSSED = [prod(some) for some in combinations((2, 3, 5, 7, 11, 13, 17, 19), 3)]
TOO_LARGE = (
    f"multipliers={','.join(map(str, CROSSED))}"
    f"&target={1000 * prod(CROSSED) ** 3}&total={prod(CROSSED) ** 3}"
)
"""A question that would take too long to answer."""
REFUSED_BY_CLASSES = {
    (401, "no_class"),
    *((403, code) for code in ("not_allowed", "bands_closed", "has_class")),
    (404, "wrong_code"),
    *((409, code) for code in ("held", "door_closed", "name_in_use")),
}
PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol.md"
T = TypeVar("T")
SETUP = Setup(
    rules=load("multiplication-duel").rules,
    book="multiplication-duel",
    all_seated=False,
)


class Stubborn(SqliteStore):
    """A store that refuses, while it is told to."""

    refuses_writing: Exception | None = None
    refuses_reading: Exception | None = None
    refuses_levels: Exception | None = None

    def append(self, *appends: Append | ClassAppend) -> None:
        if self.refuses_writing is not None:
            raise self.refuses_writing
        levels = (each for each in appends if isinstance(each, Append))
        if self.refuses_levels and any(not each.request for each in levels):
            raise self.refuses_levels
        super().append(*appends)

    def check_writable(self) -> None:
        if self.refuses_writing is not None:
            raise self.refuses_writing
        super().check_writable()

    def match(self, match_id: str) -> StoredMatch:
        if self.refuses_reading is not None:
            raise self.refuses_reading
        return super().match(match_id)

    def find(self, beginning: str, *, unfinished: bool = False) -> list[str]:
        if self.refuses_reading is not None:
            raise self.refuses_reading
        return super().find(beginning, unfinished=unfinished)


def stubborn() -> Stubborn:
    return Stubborn(None, clock=lambda: NOW, new_id=lambda: "")


def append(match_id: str) -> Append:
    """Return the first command of a match."""
    return first_append(match_id, (Sit(Seat.ONE, "Ada"),), SETUP, "token.body")


# A store that cannot be written or read


def test_command_that_cannot_be_stored_is_not_executed() -> None:
    store = stubborn()
    with Site(make_server(store).application()) as site:
        ada, _ = site.pair()
        store.refuses_writing = FULL
        refused = ada.move(5, request_id="a-request-of-mine")
        assert refused.error == (503, "store_unavailable")
        assert refused.header("retry-after") == "1"
        assert "server.db" not in refused.text
        assert ada.state["moves"] == []
        new = {"game": "multiplication-duel", "opponent": "friend", "name": "Ada"}
        assert site.post("/api/matches", {**new}).status == 503
        store.refuses_writing = None
        assert ada.move(5, request_id="a-request-of-mine")["moves"] == [5]


def test_a_server_whose_store_cannot_be_read_is_not_ready() -> None:
    store = stubborn()
    with Site(make_server(store).application()) as site:
        store.refuses_reading = FULL
        assert site.get("/readyz").error == (503, "store_unavailable")
        assert site.get(f"/api/matches/{'x' * 22}").status == 503
        assert site.get("/healthz").status == 200


def test_a_server_whose_store_took_no_commit_is_ready_when_it_can_be_written(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = stubborn()
    with Site(make_server(store).application()) as site:
        ada, _ = site.pair()
        store.refuses_writing = FULL
        assert ada.move(5).status == 503
        assert "the disk is full" in caplog.text
        assert site.get("/readyz").error == (503, "store_unavailable")
        store.refuses_writing = None
        assert site.get("/readyz").status == 200
        store.refuses_writing = errors.UnknownMatch(ada.match)
        assert ada.move(5).status == 404
        assert site.get("/readyz").status == 200


def test_unexpected_error_returns_500_and_server_keeps_running() -> None:
    store = stubborn()
    with Site(make_server(store).application()) as site:
        ada, _ = site.pair()
        store.refuses_writing = ZeroDivisionError("a secret of the code")
        failed = ada.move(5)
        assert failed.error == (500, "failed")
        assert "secret" not in failed.text
        assert failed.header("x-content-type-options") == "nosniff"
        assert failed.header("content-security-policy")
        store.refuses_writing = None
        assert ada.move(5).status == 200


def test_level_that_could_not_move_tries_again_at_the_next_request(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = stubborn()
    with Site(make_server(store).application()) as site:
        ada = site.create(opponent="beginner")
        store.refuses_levels = errors.DamagedMatch(ada.match, "its log is too short")
        assert ada.move(2).status == 200
        wait_for_refusal(ada, caplog)
        store.refuses_levels = None
        assert ada.wait_for("to_move", 1)["seq"] == 3


def test_level_does_not_move_after_the_game_ended(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = stubborn()
    with Site(make_server(store).application()) as site:
        ada = site.create(opponent="beginner")
        store.refuses_levels = FULL
        assert ada.move(2).status == 200
        wait_for_refusal(ada, caplog)
        for _ in range(100_000):  # until the game is given up between two tries
            resigned = ada.ask("resign", seq=2)
            if resigned.status == 200:
                break
        assert resigned["outcome"] == {"winner": 2, "reason": "resigned"}
        assert ada.state["moves"] == [2]


def wait_for_refusal(ada: Person, caplog: pytest.LogCaptureFixture) -> None:
    """Wait until the level has tried in vain."""
    for _ in range(100_000):
        if "a level could not move" in caplog.text:
            return
        assert ada.state["moves"] == [2]
    raise AssertionError


# Damage


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A database with one match, whose log has a page that nobody can read."""
    file = tmp_path / "server.db"
    with Site(make_server(open_file(file, lambda: NOW)).application()) as site:
        site.create(request_id="the-request-that-made-it")
    damage_page(file, "log")
    return file


def test_a_server_that_finds_its_database_damaged_is_not_an_empty_one(
    damaged: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = damaged.read_bytes()
    store = open_file(damaged, lambda: NOW)
    with Site(make_server(store).application()) as site:
        assert site.get("/readyz").status == 200  # nobody has looked there yet
        made = {"game": "multiplication-duel", "opponent": "friend", "name": "Ada"}
        match_id = SeatSecrets(KEY).match_id("the-request-that-made-it")
        for _ in range(2):
            refused = site.get(f"/api/matches/{match_id}")
            assert refused.error == (503, "store_damaged")
        assert refused["detail"] == (
            "the server's database is damaged; tell the person who runs it"
        )
        assert site.post("/api/matches", {**made}).error == (503, "store_damaged")
        assert site.get("/readyz").error == (503, "store_damaged")
        assert site.get("/healthz").status == 200
    assert f"{damaged} is damaged (parts of it cannot be read)" in caplog.text
    assert damaged.read_bytes() == before


def test_damaged_match_is_reported_and_others_are_found(tmp_path: Path) -> None:
    file = tmp_path / "server.db"
    with Site(make_server(open_file(file, lambda: NOW)).application()) as site:
        ada, bob = site.create(), site.create()
    with closing(connect(file)) as connection, connection:
        connection.execute(
            "UPDATE log SET command = '{}' WHERE match = 1 AND number = 1"
        )
    with Site(make_server(open_file(file, lambda: NOW)).application()) as site:
        site.secrets.add(ada.match)
        for path in ("", "/log", "/events", "/rules", "/hint", "/why", "/review"):
            refused = site.get(ada.path + path, [ada.bearer])
            assert refused.error == (410, "damaged")
        assert refused["detail"] == (
            "this match is damaged and cannot be opened; start another"
        )
        body: Json = {"ask": {"do": "resign"}, "seq": 1}
        assert site.post(f"{ada.path}/log", body, [ada.bearer]).status == 410
        assert site.post(f"{ada.path}/seat", {"name": "Bo"}).status == 410
        assert site.get(bob.path).status == 200
        assert site.get("/readyz").status == 200


# A match that goes on elsewhere


def test_live_match_catches_up_with_other_processes(tmp_path: Path) -> None:
    servers = [make_server(make_store(tmp_path)).application() for _ in range(2)]
    with Site(servers[0]) as here, Site(servers[1]) as there:
        ada, bob = here.pair()
        there.get(ada.path)
        assert ada.move(5).status == 200
        body = {"ask": {"do": "move", "multiplier": 4}, "seq": 2}
        behind = there.post(f"{ada.path}/log", {**body}, [ada.bearer])
        assert behind.error == (409, "out_of_step")
        state = behind["state"]
        assert isinstance(state, dict)
        assert state["moves"] == [5]
        moved = there.post(f"{ada.path}/log", {**body, "seq": 3}, [bob.bearer])
        assert moved["moves"] == [5, 4]


def test_a_seat_that_was_taken_elsewhere_is_taken(tmp_path: Path) -> None:
    servers = [make_server(make_store(tmp_path)).application() for _ in range(2)]
    with Site(servers[0]) as here, Site(servers[1]) as there:
        ada = here.create()
        there.get(ada.path)
        seat = {"name": "Bob", "request_id": "a-request-of-bobs"}
        seated = here.post(f"{ada.path}/seat", {**seat})
        again = there.post(f"{ada.path}/seat", {**seat})
        assert again.json == seated.json  # the same request, sent elsewhere
        taken = there.post(f"{ada.path}/seat", {"name": "Eve"})
        assert taken.error == (409, "seat_taken")


def test_repeated_conflict_returns_out_of_step() -> None:
    store = stubborn()
    with Site(make_server(store).application()) as site:
        ada = site.create()
        store.refuses_writing = errors.RevisionConflict(ada.match, 2)
        refused = site.post(f"{ada.path}/seat", {"name": "Bob"})
        assert refused.error == (409, "out_of_step")


# LiveMatches


def with_writer(test: Callable[[Writer], Awaitable[None]]) -> None:
    async def run() -> None:
        writer = Writer(make_store(), Metrics())
        await test(writer)
        await writer.close()

    asyncio.run(run())


def test_least_recently_used_matches_are_evicted() -> None:
    async def test(writer: Writer) -> None:
        think = Pool()
        rooms = LiveMatches(writer, think, Metrics(), cached=2)
        sit = Sit(Seat.ONE, "Ada")
        names = ["one", "two", "three"]
        for name in names:
            await rooms.create(name, SETUP, (sit,), Token(None, name, b""))
        found = [await rooms.find(name) for name in names]
        assert [room.id for room in found] == names
        assert await rooms.find("one") is found[0]  # somebody still uses it
        think.close()

    with_writer(test)


def test_level_without_a_turn_does_nothing() -> None:
    class Late(Pool):
        """Lets the game end while the level waits for its turn."""

        async def __call__(self, work: Callable[[], T]) -> T:
            del work
            return await super().__call__(lambda: cast("T", None))

    async def test(writer: Writer) -> None:
        setup = replace(SETUP, levels=(None, "beginner"), first=Seat.TWO)
        rooms = LiveMatches(writer, Late(), Metrics())
        sit = Sit(Seat.ONE, "Ada")
        room = await rooms.create("one", setup, (sit,), Token(None, "one", b""))
        assert room.answering is not None
        await room.answering
        assert room.session.revision == 1

    with_writer(test)


# The thread that writes


def test_commands_that_come_together_are_committed_together() -> None:
    async def test(writer: Writer) -> None:
        good = [append(f"match-{number}") for number in range(5)]
        twice = append("match-3")
        late = replace(append("match-9"), start=None)
        results = await asyncio.gather(
            *(writer.append(each) for each in [*good, twice, late]),
            return_exceptions=True,
        )
        assert results[:5] == [None] * 5
        assert all(isinstance(each, errors.NinefoldError) for each in results[5:])
        assert await writer.query(lambda kept: len(kept.find("match-"))) == 5

    with_writer(test)


def test_close_flushes_pending_appends(tmp_path: Path) -> None:
    async def run() -> None:
        writer = Writer(make_store(tmp_path), Metrics())
        waiting = [asyncio.create_task(writer.append(append("match-1")))]
        await asyncio.sleep(0)
        await writer.close()
        await asyncio.gather(*waiting)

    asyncio.run(run())
    assert make_store(tmp_path).match("match-1").id == "match-1"


def test_query_after_close_fails() -> None:
    async def run() -> None:
        writer = Writer(make_store(), Metrics())
        await writer.close()
        with pytest.raises(
            errors.StoreUnavailable, match="the server is shutting down"
        ):
            await writer.append(append("match-1"))
        with pytest.raises(
            errors.StoreUnavailable, match="the server is shutting down"
        ):
            await writer.query(lambda store: store.find(""))

    asyncio.run(run())


def test_cancelled_append_does_not_block_the_next() -> None:
    async def test(writer: Writer) -> None:
        gone = asyncio.create_task(writer.append(append("match-1")))
        await asyncio.sleep(0)
        gone.cancel()
        await writer.append(append("match-2"))
        assert gone.cancelled()

    with_writer(test)


class Hanging(SqliteStore):
    """A store that answers nothing, while it is told to."""

    def __init__(self) -> None:
        super().__init__(None, clock=lambda: NOW, new_id=lambda: "id")
        self.wakes = threading.Event()
        self.wakes.set()

    def find(self, beginning: str, *, unfinished: bool = False) -> list[str]:
        self.wakes.wait()
        return super().find(beginning, unfinished=unfinished)

    def append(self, *appends: Append | ClassAppend) -> None:
        self.wakes.wait()
        super().append(*appends)


async def found(writer: Writer) -> list[str]:
    return await writer.query(lambda store: store.find("match-"))


def test_hanging_store_times_out_and_is_used_again_later() -> None:
    async def run() -> None:
        store = Hanging()
        writer = Writer(store, Metrics(), patience=0.01)
        store.wakes.clear()
        late = await asyncio.gather(
            found(writer),
            found(writer),
            writer.append(append("match-1")),
            return_exceptions=True,
        )
        assert [type(each) for each in late] == [errors.StoreUnavailable] * 3
        with pytest.raises(
            errors.StoreUnavailable, match="it takes too long to respond"
        ):
            await writer.append(append("match-2"))
        store.wakes.set()
        while True:
            try:
                ids = await found(writer)
            except errors.StoreUnavailable:
                await asyncio.sleep(0)
                continue
            break
        assert ids == []  # what was refused is not done afterwards
        await writer.close()

    asyncio.run(run())


def test_command_stored_after_the_timeout_is_found() -> None:
    class Late(Hanging):
        """Takes a command, and says so much later."""

        def append(self, *appends: Append | ClassAppend) -> None:
            SqliteStore.append(self, *appends)
            self.wakes.wait()

    async def decide(_: Session) -> Command:
        return Sit(Seat.TWO, "Bo")

    async def run() -> None:
        store = Late()
        writer = Writer(store, Metrics(), patience=1.0)
        rooms = LiveMatches(writer, Pool(), Metrics())
        sit, token = Sit(Seat.ONE, "Ada"), Token(None, "one", b"")
        room = await rooms.create("match-1", SETUP, (sit,), token)
        assert not writer.may_be_ahead
        store.wakes.clear()
        with pytest.raises(errors.StoreUnavailable, match="it takes too long"):
            await rooms.execute(room, decide, Token(None, "two", b""), None)
        assert room.session.revision == 1
        store.wakes.set()
        async with asyncio.timeout(WAIT_SECONDS):
            while room.session.revision == 1:
                with suppress(errors.StoreUnavailable):
                    assert await rooms.find_current("match-1") is room
                await asyncio.sleep(0)
        assert room.session.setup.names == ("Ada", "Bo")
        await writer.close()

    asyncio.run(run())


def test_hanging_store_does_not_delay_shutdown() -> None:
    store = Hanging()

    async def run() -> None:
        writer = Writer(store, Metrics())
        store.wakes.clear()
        waiting = asyncio.create_task(writer.append(append("match-1")))
        await asyncio.sleep(0)
        await writer.close()
        assert not waiting.done()
        waiting.cancel()
        with pytest.raises(
            errors.StoreUnavailable, match="the server is shutting down"
        ):
            await found(writer)

    asyncio.run(run())
    store.wakes.set()


# What takes long


def test_full_pool_refuses_requests_as_busy() -> None:
    async def run() -> None:
        think, go = Pool(), threading.Event()
        waiting = [asyncio.create_task(think(go.wait)) for _ in range(64)]
        await asyncio.sleep(0)
        with pytest.raises(HttpRefusal) as caught:
            await think(lambda: None)
        assert (caught.value.status, caught.value.error) == (503, "busy")
        assert caught.value.retry_after == 2
        go.set()
        await asyncio.gather(*waiting)
        assert await think(lambda: 5) == 5
        think.close()

    asyncio.run(run())


def test_cancelled_work_is_not_started() -> None:
    async def run() -> None:
        think, go, begun = Pool(threads=1), threading.Event(), threading.Event()
        worked: list[str] = []

        def first() -> None:
            begun.set()
            go.wait()
            worked.append("first")

        left = [
            asyncio.create_task(think(work))
            for work in (first, lambda: worked.append("second"))
        ]
        await asyncio.to_thread(begun.wait)
        for task in left:
            task.cancel()
        await asyncio.wait(left)
        go.set()
        assert await think(lambda: 5) == 5
        assert worked == ["first"]
        think.close()

    asyncio.run(run())


# Matches that nobody touches


@pytest.mark.parametrize(("days", "status"), [(None, 200), (11, 200), (9, 404)])
def test_unchanged_matches_are_removed_after_some_days(
    tmp_path: Path, days: int | None, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    long_ago = NOW - timedelta(days=10)
    store = SqliteStore(tmp_path, clock=lambda: long_ago, new_id=str)
    with Site(make_server(store).application()) as site:
        ada = site.create()
    with Site(make_server(make_store(tmp_path)).application()) as site:
        bob = site.create(request_id="another-request-than-adas")
    options = Options(keep_days=days)
    server = make_server(make_store(tmp_path), options=options)
    with Site(server.application()) as site:
        site.get("/readyz")  # it is asked after what is to be forgotten
        assert site.get(ada.path).status == status
        assert site.get(bob.path).status == 200
    says_so = "removed 1 matches unchanged for 9 days" in caplog.text
    assert says_so == (status == 404)


class Round(Struct, frozen=True):
    """A time at which old matches are removed."""

    hours: int
    """How long after the one before."""
    error: int
    """How many days the clock is wrong by."""


ROUNDS = st.lists(
    st.builds(
        Round,
        hours=st.integers(0, 200),
        error=st.sampled_from([0, 0, 1, -1, 29, 31, 400, 27_000, -9_000]),
    ),
    min_size=1,
    max_size=6,
)


@given(st.lists(st.integers(0, 60), max_size=5), st.integers(1, 30), ROUNDS)
def test_clock_that_jumps_removes_no_match_early(
    ages: list[int], days: int, rounds: list[Round]
) -> None:
    """Each match has an id that begins with its age in days when the server starts."""
    ages = [*ages, 0]
    times = iter([NOW - timedelta(days=age) for age in ages])
    store = SqliteStore(None, clock=lambda: next(times), new_id=str)
    for number, age in enumerate(ages):
        store.append(append(f"{age}/{number}"))
    hours, error = 0, timedelta(0)

    async def run() -> None:
        nonlocal hours, error
        writer = Writer(store, Metrics())
        old = Cleanup(
            writer,
            days,
            no_classes,
            clock=lambda: NOW + timedelta(hours=hours) + error,
            timer=lambda: hours * 3600,
        )
        await old.remove()
        for each in rounds:
            hours += each.hours
            error = timedelta(days=each.error)
            await old.remove()
            left = {int(found.partition("/")[0]) for found in store.find("")}
            young = {age for age in ages if age * 24 + hours <= days * 24}
            assert young <= left
            if each.error >= 0:
                assert left == young  # so none stays for long, either
        await writer.close()

    asyncio.run(run())


async def no_classes(_: datetime) -> int:
    return 0


def add_days(days: int) -> datetime:
    return NOW + timedelta(days=days)


def test_start_with_a_clock_far_ahead_removes_nothing() -> None:
    store = make_store()
    store.append(append("one"))

    async def run() -> None:
        writer = Writer(store, Metrics())
        for days in (40, 27_000):
            await Cleanup(writer, 30, no_classes, partial(add_days, days)).remove()
            assert store.find("") == ["one"]
        await writer.close()

    asyncio.run(run())


def test_old_matches_are_removed_once_an_hour() -> None:
    removals = 0

    def clock() -> datetime:
        nonlocal removals
        removals += 1
        return NOW

    async def test(writer: Writer) -> None:
        await writer.query(lambda store: store.append(append("one")))
        old = Cleanup(writer, 30, no_classes, clock)
        chore = asyncio.create_task(old.remove_every_hour())
        for _ in range(100):
            await writer.query(lambda store: store.find(""))
        assert removals == 1
        chore.cancel()

    with_writer(test)


def test_nobody_is_present_once_the_last_listener_has_left() -> None:
    async def send(_: Message) -> None:
        pass

    async def test(writer: Writer) -> None:
        matches = LiveMatches(writer, Pool(), Metrics())
        sits = (Sit(Seat.ONE, "Ada"),)
        live = await matches.create("one", SETUP, sits, Token(None, "one", b""))
        ada, other = (
            Listener(viewer, "198.51.100.7", send) for viewer in (Seat.ONE, None)
        )
        live.add_listener(ada, None)
        live.add_listener(other, None)
        assert live.presence.total() == PresenceChanged((True, False), 1)
        live.remove_listener(other)
        live.remove_listener(ada)
        assert live.presence.total() == NOBODY

    with_writer(test)


# What a log tells of refusals


def documented() -> set[tuple[int, str]]:
    """Return the status and the code of every refusal in the protocol."""
    rows = re.findall(r"^\| (\d{3}) \| (.*?) \|", PROTOCOL.read_text(), re.MULTILINE)
    return {
        (int(status), code)
        for status, cell in rows
        for code in re.findall(r"\w+", cell)
    }


def test_no_refusal_of_the_protocol_is_logged_with_a_secret() -> None:
    """Every refusal is provoked once; when the site ends, it looks at its log."""
    store = stubborn()
    rates = RateLimits({**dict.fromkeys(RequestKind, 10**6), RequestKind.THINK: 6})
    server = make_server(store, rates=rates, seconds_for_a_body=0.01)
    with Site(server.application()) as site:
        site.secrets |= {"Wilhelmina", "31337"}
        ada, bob = site.pair(name="Wilhelmina", lessons={"hints": False})
        lone = site.create(name="Wilhelmina")
        asked, _ = site.pair(game="multiplication-showdown", start=45)
        new = {
            "game": "multiplication-duel",
            "opponent": "friend",
            "name": "Wilhelmina",
        }
        sent = ("content-type", "application/json")
        secret = f"{ada.match}{ada.secret}".encode()
        resigned, _ = site.pair(name="Wilhelmina")
        assert resigned.ask("resign").status == 200
        play_move = {"ask": {"do": "move", "multiplier": 2}, "seq": 2}
        provoked = [
            site.get(f"{ada.path}/log?after=x31337", [ada.bearer]),
            site.get(ada.path, [("host", "31337.example")]),
            site.post(f"{ada.path}/log", {**play_move}),
            site.get(ada.path, [("authorization", f"Bearer {bob.secret}31337")]),
            site.post(f"{ada.path}/seat", {}, [("origin", "https://31337.example")]),
            ada.get("/hint"),
            site.get(f"/api/matches/{'x' * 22}", [ada.bearer]),
            ada.get("/review?number=31337"),
            site.get(f"/{ada.match}/31337"),
            site.ask("PUT", f"{ada.path}?31337"),
            site.ask("POST", f"{ada.path}/log", secret, [sent], stalls=True),
            ada.move(2, seq=1),
            ada.move(2, seq=2, head="31337"),
            bob.move(2),
            lone.move(2),
            site.post(f"{ada.path}/seat", {"name": "Wilhelmina"}),
            resigned.move(2),
            ada.ask("decline-take-back"),
            ada.ask("next-game"),
            site.ask("POST", f"{ada.path}/log", secret * 99, [sent]),
            site.ask("POST", f"{ada.path}/log", secret),
            ada.move(31337),
            asked.move(9, request_id="a-question-of-31337"),
            site.get(f"/api/solve?game=multiplier&{TOO_LARGE}"),
            site.post("/api/matches", {**new, "target": -31337}),
            site.post("/api/learner/transfer", {}),
            site.post("/api/learner/transfer/take", {"code": "31337" + "x" * 38}),
        ]
        assert {each.error for each in provoked} <= documented()
        for error, code in (
            (FULL, "store_unavailable"),
            (
                errors.DamagedStore("server.db", "parts of it cannot be read"),
                "store_damaged",
            ),
            (errors.DamagedMatch(ada.match, f"{ada.secret} is none"), "damaged"),
            (errors.UnknownMatch(ada.match), "no_such_match"),
            (KeyError(ada.match), "failed"),
        ):
            store.refuses_writing = error
            provoked.append(ada.move(2))
            assert provoked[-1].error[1] == code
        store.refuses_writing = None
        moved = {"multiplier": 2, "request_id": "a-request-of-31337"}
        assert ada.ask("move", **moved).status == 200
        provoked.append(ada.ask("resign", request_id=moved["request_id"]))
        provoked += [ada.get("/hint") for _ in range(6)]
        missing = documented() - {each.error for each in provoked}
        # One is asked of a pool that is full, below, and the others of a ``School``.
        assert missing == {(503, "busy")} | REFUSED_BY_CLASSES


# A coach that has too much to think of


class Busy(Pool):
    """Has too much to think of."""

    async def __call__(self, work: Callable[[], T]) -> T:
        del work
        raise HttpRefusal(503, "busy", "too much")


def test_a_coach_that_is_too_busy_refuses_no_move() -> None:
    async def test(writer: Writer) -> None:
        matches = LiveMatches(writer, Busy(), Metrics())
        setup = replace(SETUP, lessons=Lessons(coach=True))
        sits = Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bo")
        live = await matches.create("one", setup, sits[:1], Token(None, "one", b""))
        await writer.query(lambda store: play(store, "one", sits[1]))
        token = Token(Seat.ONE, "two", b"")
        ask = Move(2)
        message = LogAsk(seq=2, request_id="r" * 16, ask=ask)
        moved = await matches.ask(live, Seat.ONE, message, token)
        assert moved.session.game.moves == (2,)
        assert live.warnings.at(moved.session) is None

    with_writer(test)


def test_cached_snapshots_are_not_replayed() -> None:
    async def test(writer: Writer) -> None:
        matches, busy = (
            LiveMatches(writer, pool, Metrics()) for pool in (Pool(), Busy())
        )
        sits = Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bo")
        made = Token(None, "one", b"")
        await matches.create("one", SETUP, sits[:1], made)
        moves = (Move(2), Undo()) * 30
        await writer.query(lambda store: play(store, "one", sits[1], *moves))
        token = Token(Seat.ONE, "two", b"")
        await writer.query(
            lambda store: store.append(
                append_to(store, "one", 63, (Move(3),), request=str(token))
            )
        )

        async def decide(_: Session) -> Command:
            raise behind()

        for rooms in (matches, busy):
            live = await rooms.find("one")
            again = await rooms.execute(live, decide, token, 63)
            assert again.session.game.moves == (3,)
        first = await matches.execute(await matches.find("one"), decide, made, None)
        assert first.session.revision == 1
        with pytest.raises(HttpRefusal, match="too much"):  # it waits for the pool
            await busy.execute(await busy.find("one"), decide, made, None)

    with_writer(test)


def test_busy_coach_is_silent() -> None:
    async def test(writer: Writer) -> None:
        rooms = LiveMatches(writer, Busy(), Metrics())
        setup = replace(SETUP, lessons=Lessons(coach=True))
        sit = Sit(Seat.ONE, "Ada")
        room = await rooms.create("one", setup, (sit,), Token(None, "one", b""))
        assert not room.snapshot.opportunity

    with_writer(test)


def test_removed_match_can_be_created_again() -> None:
    async def test(writer: Writer) -> None:
        rooms = LiveMatches(writer, Pool(), Metrics())
        sit = Sit(Seat.ONE, "Ada")
        token = Token(None, "one", b"")
        room = await rooms.create("one", SETUP, (sit,), token)
        await writer.query(
            lambda store: store.delete_older_than(NOW + timedelta(days=1))
        )

        async def decide(_: Session) -> Command:
            return Sit(Seat.TWO, "Bo")

        with pytest.raises(errors.UnknownMatch):
            await rooms.execute(room, decide, Token(None, "two", b""), None)
        again = await rooms.create("one", SETUP, (sit,), token)
        assert again is not room
        assert again.session.revision == 1

    with_writer(test)


def test_coach_judges_moves_of_other_processes() -> None:
    async def test(writer: Writer) -> None:
        rooms = LiveMatches(writer, Pool(), Metrics())
        setup = replace(SETUP, lessons=Lessons(coach=True))
        sits = Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bo")
        room = await rooms.create("one", setup, sits[:1], Token(None, "one", b""))
        slip = next(
            move
            for move in map(Move, setup.rules.multipliers)
            if find_slip(room.session.game, move.multiplier) is not None
        )
        await writer.query(lambda store: play(store, "one", sits[1], slip))

        async def decide(_: Session) -> Command:
            raise behind()

        with pytest.raises(HttpRefusal):
            await rooms.execute(room, decide, Token(None, "two", b""), 3)
        assert room.session.revision == 3
        assert room.snapshot.opportunity

    with_writer(test)
