"""Several processes over one PostgreSQL: whatever is cut or dies, everyone catches up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from typing import TypeVar, cast

import psycopg
import pytest
from msgspec.structs import replace

from ninefold.errors import QuestionOpen, StoreUnavailable
from ninefold.game import Seat
from ninefold.online.class_messages import TeacherView
from ninefold.online.messages import SeatedState
from ninefold.server.class_endpoints import MOST_WRONG_CODES
from ninefold.server.commit_queue import Writer
from ninefold.server.live_match import History, LiveMatch, encode_warning
from ninefold.server.live_matches import LiveMatches
from ninefold.server.metrics import Metrics
from ninefold.server.presence import NOBODY, PresenceTracker, decode_presence
from ninefold.server.responses import HttpRefusal
from ninefold.server.seats import Token
from ninefold.server.thread_pool import Pool
from ninefold.session import Command, Lessons, Move, Session
from ninefold.session.coach_warnings import CoachWarnings
from ninefold.session.table import PresenceChanged
from ninefold.store import Append, ClassAppend, StoredMatch
from ninefold.store.postgres import CHANNEL, PostgresStore
from ninefold.store.sqlite import SqliteStore
from tests.program import WAIT_SECONDS
from tests.server.client import InProcess
from tests.server.cluster import (
    LISTENING,
    MATCHES,
    Making,
    Process,
    cluster,
    cut,
    make_store,
    seat_two,
    until_presence,
)
from tests.server.devices import Device, Pupil, Teacher
from tests.servers import NOW
from tests.store.postgres_server import empty_database, own_server
from tests.store.stores import (
    SINGLE,
    Clock,
    append_to,
    begin,
    first_append,
    numbered,
    play,
)

EVERYONE_ELSE = """
    FROM pg_stat_activity WHERE pid <> pg_backend_pid()
    AND application_name = current_setting('application_name')
"""
WAITING = f"{EVERYONE_ELSE} AND wait_event_type = 'Lock'"
Player = TypeVar("Player", bound=Device)
AWAY = StoreUnavailable("the database", "it is away")


@pytest.fixture
def url() -> Iterator[str]:
    with empty_database() as address:
        yield address


def run(
    url: str, test: Callable[[Process, Process], Awaitable[None]], *makings: Making
) -> None:
    """Run a test over two processes, of which the last may have stores of their own."""
    stores = [make_store] * (2 - len(makings)) + [*makings]

    async def running() -> None:
        async with asyncio.timeout(2 * WAIT_SECONDS), cluster(url, *stores) as started:
            await test(*started)

    asyncio.run(running())


def kept(url: str, match_id: str) -> tuple[Command, ...]:
    with make_store(url) as store:
        return store.match(match_id).commands


class Deaf(PostgresStore):
    """Hears nothing of other processes."""

    async def subscribe(self) -> AsyncGenerator[frozenset[str] | None, None]:
        async for words in super().subscribe():
            if words is None:  # it listens, and hears nothing more
                yield None


def make_deaf(url: str) -> Deaf:
    return Deaf(url, clock=Clock(), new_id=numbered())


# Heard and seen elsewhere


def test_move_reaches_listeners_on_every_process(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        streams = [await pair.watch(each.caller) for each in (one, two)]
        for number in range(6):
            await pair.move((one, two)[number % 2].caller, 2)
        for stream in streams:
            await stream.until_number(pair.seq)
            assert stream.numbers == [*range(2, pair.seq + 1)]

    run(url, test)


def test_answered_command_is_visible_on_every_process(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        for number in range(20):
            here, there = (one, two) if number % 3 else (two, one)
            await pair.move(here.caller, 3)
            state = (await there.caller.get(pair.path)).state
            assert (state.seq, len(state.moves)) == (pair.seq, number + 1)

    run(url, test)


def test_a_request_that_is_sent_to_another_process_again_counts_once(
    url: str,
) -> None:
    async def test(one: Process, two: Process) -> None:
        asked = {"game": "multiplier", "opponent": "friend", "name": "Ada"}
        asked["request_id"] = "a-request-of-adas"
        made = [await each.caller.post(MATCHES, asked) for each in (one, two)]
        assert made[0].body == made[1].body
        match_id = made[0].read(SeatedState).id
        sit = {"name": "Bo", "request_id": "a-request-of-bos"}
        path = f"{MATCHES}/{match_id}"
        posts = [each.caller.post(f"{path}/seat", sit) for each in (one, two)]
        sat = await asyncio.gather(*posts)
        assert sat[0].body == sat[1].body
        body = {
            "ask": {"do": "move", "multiplier": 5},
            "seq": 2,
            "request_id": "a-request-of-moving",
        }
        secret = made[0].read(SeatedState).secret
        moved = await asyncio.gather(
            *(
                each.caller.post(f"{path}/log", body, secret)
                for each in (one, two, one, two)
            )
        )
        assert {(answer.status, answer.body) for answer in moved} == {
            (200, moved[0].body)
        }
        assert len(kept(url, match_id)) == 3

    run(url, test)


def test_match_removed_by_another_process_is_not_found(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        assert (await two.caller.get(pair.path)).status == 200
        with psycopg.connect(url) as connection:
            connection.execute("TRUNCATE log, games, matches")
        for each in (one, two):
            assert (await each.caller.get(pair.path)).status == 404

    run(url, test)


def test_a_match_that_goes_on_while_it_is_loaded_is_shown_as_it_is(url: str) -> None:
    class Slow(PostgresStore):
        """Lets another process move right after it was read for the first time."""

        after: Callable[[], object] | None = None

        def match(self, match_id: str) -> StoredMatch:
            found = super().match(match_id)
            after, self.after = self.after, None
            if after is not None:
                after()
            return found

    slow = Slow(url, clock=Clock(), new_id=numbered())

    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        slow.after = lambda: go_on(url, pair.id, Move(2))
        shown = await asyncio.gather(*[two.caller.get(pair.path) for _ in range(2)])
        assert shown[1].state.seq == 3

    run(url, test, lambda _: slow)


def go_on(url: str, match_id: str, command: Command) -> None:
    with make_store(url) as store:
        play(store, match_id, command)


# Decided here while the match goes on elsewhere


def test_what_was_decided_for_an_earlier_command_never_counts_for_a_later_one(
    url: str,
) -> None:
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        room = await one.server.live_matches.find(pair.id)

        async def decide(_: Session) -> Command:
            await pair.move(two.caller, 5)
            await one.caller.get(pair.path)  # which catches up
            return Move(7)

        token = Token(Seat.ONE, "a-request-of-adas", b"moves")
        with pytest.raises(HttpRefusal) as refused:
            await one.server.live_matches.execute(room, decide, token, 2)
        assert refused.value.error == "out_of_step"
        assert kept(url, pair.id)[2:] == (Move(5),)

    run(url, test)


def test_a_level_that_moved_elsewhere_meanwhile_does_not_move_for_the_person(
    url: str,
) -> None:
    store, other = make_store(url), make_store(url)
    match_id = begin(other, Move(2))  # a level is to move
    thought: list[Command | None] = []

    async def test() -> None:
        writer = Writer(store, Metrics())
        done = asyncio.Event()

        async def think(work: Callable[[], Command | None]) -> Command | None:
            move = work()
            assert move is not None
            thought.append(move)
            play(other, match_id, move)
            await rooms.find(match_id)
            done.set()
            return move

        rooms = LiveMatches(writer, cast("Pool", think), Metrics())
        room = await rooms.find(match_id)
        answering = room.answering
        assert answering is not None
        await answering
        assert room.session.revision == 2
        await writer.close()

    asyncio.run(test())
    assert other.match(match_id).commands == (Move(2), *thought)
    other.close()


def test_a_repeat_is_answered_by_a_process_that_is_far_behind(url: str) -> None:
    store, other = make_store(url), make_store(url)
    match_id = begin(other, Move(2), setup=SINGLE)
    token = Token(Seat.ONE, "a-request-of-adas", b"moves")

    async def decide(_: Session) -> Command:
        raise AssertionError

    async def test() -> None:
        writer = Writer(store, Metrics())
        rooms = LiveMatches(writer, Pool(), Metrics())
        room = await rooms.find(match_id)
        play(other, match_id, Move(2))
        other.append(append_to(other, match_id, 3, (Move(3),), request=str(token)))
        again = await rooms.execute(room, decide, token, 2)
        assert again.session.game.moves == (2, 2, 3)
        await writer.close()

    asyncio.run(test())
    other.close()


def test_live_match_never_moves_back_to_an_older_revision(url: str) -> None:
    with make_store(url) as store:
        match_id = begin(store, Move(5), setup=SINGLE)
        room = LiveMatch(History(store.match(match_id)))
        first = room.snapshot.after(Move(2))
        play(store, match_id, Move(2), Move(3))
        room.catch_up(History(store.match(match_id)))
        room.advance(first, Move(2), "", NOW)
        assert room.session.revision == 3


def test_a_level_moves_once_though_two_processes_wake_it(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        processes = (one, two)
        pairs = [
            await seat_two(one.caller, f"a-request-of-{number:04}", "beginner")
            for number in range(6)
        ]

        async def play(number: int) -> None:
            pair = pairs[number]
            for each in processes:
                await pair.watch(each.caller)
            for turn in range(3):
                caller = processes[(number + turn) % 2].caller
                body = pair.asked(2, pair.seq)
                path = f"{pair.path}/log"
                moved = await caller.post(path, body, pair.secrets[0])
                assert moved.status == 200, moved.body
                states = [moved.state]
                while states[0].to_move is not Seat.ONE:
                    answers = [each.caller.get(pair.path) for each in processes]
                    states = [each.state for each in await asyncio.gather(*answers)]
                pair.seq = states[0].seq

        await asyncio.gather(*map(play, range(6)))
        for pair in pairs:
            assert len(kept(url, pair.id)) == 1 + 3 * 2

    run(url, test)


def test_a_move_that_the_coach_warned_of_is_given_back_on_any_process(
    url: str,
) -> None:
    async def test(one: Process, two: Process) -> None:
        asked = {"game": "multiplication-duel", "target": 100, "opponent": "perfect"}
        lessons = {"coach": True, "hints": False, "mental": False}
        new = asked | {"name": "Ada", "lessons": lessons, "request_id": "a" * 16}
        made = (await one.caller.post(MATCHES, new)).read(SeatedState)
        path = f"{MATCHES}/{made.id}"

        async def warn(caller: InProcess, seq: int) -> str:
            ask = {"do": "move", "multiplier": 2}
            body = {"ask": ask, "seq": seq, "request_id": f"{seq:016}"}
            answer = await caller.post(f"{path}/log", body, made.secret)
            return answer.refusal.error

        async def give_back(caller: InProcess, seq: int) -> int:
            ask = {"do": "give-back", "multiplier": 2}
            body = {"ask": ask, "seq": seq, "request_id": f"{seq:016}-back"}
            status = 409
            while status == 409:  # it may not have heard of the warning yet
                answer = await caller.post(f"{path}/log", body, made.secret)
                status = answer.status
            return status

        # The other process has not loaded the match, and then it has.
        for seq, here, there in ((1, one, two), (2, two, one), (3, one, two)):
            assert await warn(here.caller, seq) == "question"
            assert await give_back(there.caller, seq) == 200

    run(url, test)


def test_latest_warnings_of_other_processes_are_cached() -> None:
    ids = [f"match-{number}" for number in range(3)]
    coached = replace(SINGLE, levels=(None, None), lessons=Lessons(coach=True))
    session, warnings = Session.replay(coached, (Move(2),)), CoachWarnings()
    with pytest.raises(QuestionOpen):
        warnings.decide(session, Seat.TWO, Move(9))
    warned = warnings.at(session)
    assert warned is not None
    words = [encode_warning(match_id, warned) for match_id in ids]

    class Told(SqliteStore):
        """Hears of a warning in each match."""

        async def subscribe(self) -> AsyncGenerator[frozenset[str], None]:
            for word in words:
                yield frozenset([word, "a:warned:1:x"])

    async def test() -> None:
        store = Told(None, clock=Clock(), new_id=numbered())
        writer = Writer(store, Metrics())
        for match_id in ids:
            await writer.append(first_append(match_id, (Move(2),), SINGLE))
        rooms = LiveMatches(writer, Pool(), Metrics(), cached=2)
        await rooms.follow()
        found = [await rooms.find(match_id) for match_id in ids]
        known = [room.warnings.at(room.session) for room in found]
        assert known == [None, warned, warned]

    asyncio.run(test())


# Cut, restarted, dead


def test_commands_missed_by_a_disconnected_process_reach_its_listeners(
    url: str,
) -> None:
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        stream = await pair.watch(two.caller)
        for _ in range(3):
            await asyncio.to_thread(cut, url, LISTENING)
            await pair.move(one.caller, 2)
            await stream.until_number(pair.seq)
        assert stream.numbers == [2, 3, 4, 5]

    run(url, test)


def test_a_connection_that_is_cut_within_a_move_costs_one_try(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        stream = await pair.watch(two.caller)
        body, path = pair.asked(5, 2), f"{pair.path}/log"
        with psycopg.connect(url) as holder:
            holder.execute("LOCK TABLE log IN ACCESS EXCLUSIVE MODE")
            moving = asyncio.ensure_future(one.caller.post(path, body, pair.secrets[0]))
            while not moving.done():
                await asyncio.to_thread(cut, url, WAITING)
        assert (await moving).status == 503
        again = await one.caller.post(path, body, pair.secrets[0])
        assert (again.status, again.state.moves) == (200, (5,))
        await stream.until_number(3)
        assert kept(url, pair.id)[2:] == (Move(5),)

    run(url, test)


def test_a_pause_in_which_every_connection_was_cut_costs_nothing(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        stream = await pair.watch(two.caller)
        await asyncio.to_thread(cut, url, EVERYONE_ELSE)
        await pair.move(one.caller, 5)
        await stream.until_number(pair.seq)
        await asyncio.to_thread(cut, url, EVERYONE_ELSE)
        await pair.move(two.caller, 5)
        await stream.until_number(pair.seq)

    run(url, test)


class Dying(PostgresStore):
    """Commits, and then says nothing any more, as a process does that is killed."""

    dies = False

    def append(self, *appends: Append | ClassAppend) -> None:
        super().append(*appends)
        if self.dies:
            raise AWAY

    def publish(self, words: Iterable[str]) -> None:
        if self.dies:
            raise AWAY
        super().publish(words)


def make_dying(url: str) -> Dying:
    return Dying(url, clock=Clock(), new_id=numbered())


def test_repeated_request_publishes_an_unannounced_commit(
    url: str,
) -> None:
    async def test() -> None:
        made = (make_store, make_dying, make_store)
        async with asyncio.timeout(2 * WAIT_SECONDS), cluster(url, *made) as started:
            one, two, three = started
            assert isinstance(two.store, Dying)
            pair = await seat_two(one.caller)
            stream = await pair.watch(one.caller)
            two.store.dies = True
            body, path = pair.asked(5, 2), f"{pair.path}/log"
            first = await two.caller.post(path, body, pair.secrets[0])
            assert first.status == 503
            assert stream.numbers == [2]
            again = await three.caller.post(path, body, pair.secrets[0])
            assert (again.status, again.state.moves) == (200, (5,))
            await stream.until_number(3)
        assert kept(url, pair.id)[2:] == (Move(5),)

    asyncio.run(test())


def test_missed_notification_is_caught_up_at_the_next_ping(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        assert isinstance(two.store, Dying)
        pair = await seat_two(one.caller)
        stream = await pair.watch(one.caller)
        two.store.dies = True
        body, path = pair.asked(5, 2), f"{pair.path}/log"
        first = await two.caller.post(path, body, pair.secrets[0])
        assert first.status == 503
        two.store.dies = False
        pinging = asyncio.create_task(one.server.live_matches.ping(0.01))
        await stream.until_number(3)
        pinging.cancel()

    run(url, test, make_dying)


def test_damaged_match_does_not_block_others_from_catching_up(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        assert isinstance(two.store, Dying)
        damaged = await seat_two(one.caller, "a-request-for-damage")
        pair = await seat_two(one.caller)
        streams = [await each.watch(one.caller) for each in (damaged, pair)]
        with psycopg.connect(url) as connection:
            statement = "UPDATE matches SET revision = revision + 1 WHERE id = %s"
            connection.execute(statement, (damaged.id,))
        two.store.dies = True
        body, path = pair.asked(5, 2), f"{pair.path}/log"
        await two.caller.post(path, body, pair.secrets[0])
        two.store.dies = False
        pinging = asyncio.create_task(one.server.live_matches.ping(0.01))
        await streams[1].until_number(3)
        pinging.cancel()
        assert (await one.caller.get(damaged.path)).status == 410

    run(url, test, make_dying)


def test_process_that_cannot_publish_still_answers(url: str) -> None:
    class Quiet(PostgresStore):
        is_quiet = False

        def publish(self, words: Iterable[str]) -> None:
            if self.is_quiet:
                raise AWAY
            super().publish(words)

    async def test(one: Process, two: Process) -> None:
        assert isinstance(two.store, Quiet)
        pair = await seat_two(one.caller)
        two.store.is_quiet = True
        stream = await pair.watch(two.caller)
        await pair.move(two.caller, 5)
        body = pair.asked(5, 2)
        again = await two.caller.post(f"{pair.path}/log", body, pair.secrets[0])
        assert again.status == 200
        await stream.until_number(3)
        assert (await one.caller.get(pair.path)).state.seq == 3

    run(url, test, lambda url: Quiet(url, clock=Clock(), new_id=numbered()))


def test_a_process_that_could_not_read_catches_up_with_the_next_ping(
    url: str,
) -> None:
    class Blind(PostgresStore):
        is_blind = False
        looked = threading.Semaphore(0)

        def revisions(self, match_ids: Iterable[str]) -> dict[str, int]:
            if self.is_blind:
                self.looked.release()
                raise AWAY
            return super().revisions(match_ids)

    async def test(one: Process, two: Process) -> None:
        assert isinstance(two.store, Blind)
        pair = await seat_two(one.caller)
        stream = await pair.watch(two.caller)
        two.store.is_blind = True
        pinging = asyncio.create_task(two.server.live_matches.ping(0.01))
        await pair.move(one.caller, 5)
        for _ in range(3):
            await asyncio.to_thread(two.store.looked.acquire)
        assert stream.numbers == [2]
        two.store.is_blind = False
        await stream.until_number(3)
        pinging.cancel()

    run(url, test, lambda url: Blind(url, clock=Clock(), new_id=numbered()))


def test_a_restart_of_PostgreSQL_is_survived_by_everyone() -> None:  # noqa: N802
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        streams = [await pair.watch(each.caller) for each in (one, two)]
        await asyncio.to_thread(server.stop)
        body, path = pair.asked(5, 2), f"{pair.path}/log"
        for each in (one, two):
            down = await each.caller.post(path, body, pair.secrets[0])
            assert down.status == 503
            assert (await each.caller.get("/readyz")).status == 503
        await asyncio.to_thread(server.start)
        await pair.move(one.caller, 5)
        await pair.move(two.caller, 5)
        for stream in streams:
            await stream.until_number(4)
            assert stream.numbers == [2, 3, 4]

    with own_server() as server:
        url = f"{server.url}&application_name=own"
        run(url, test)


# Who is here


def test_presence_counts_every_process(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        ada = await pair.watch(one.caller, 1)
        await until_presence(ada, 1, watching=0)
        # Bo comes to a process that did not know the match when Ada came.
        bo = await pair.watch(two.caller, 2)
        for stream in (ada, bo):
            await until_presence(stream, 1, 2, watching=0)
        guest = await pair.watch(two.caller)
        for stream in (ada, bo, guest):
            await until_presence(stream, 1, 2, watching=1)
        bo.close()
        for stream in (ada, guest):
            await until_presence(stream, 1, watching=1)
        guest.close()
        await until_presence(ada, 1, watching=0)

    run(url, test)


def test_own_presence_is_not_counted_twice(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        pair = await seat_two(one.caller)
        async with await psycopg.AsyncConnection.connect(
            url, autocommit=True
        ) as outside:
            await outside.execute(f"LISTEN {CHANNEL}".encode())
            await pair.watch(one.caller)
            said: list[str] = []
            async for told in outside.notifies():
                said += [word for word in told.payload.split() if decode_presence(word)]
                if said:
                    break
            words = " ".join([*said, "a:newer:word", "m:p:1:1:1:1:1"])
            await outside.execute("SELECT pg_notify(%s, %s)", (CHANNEL, words))
        ada = await pair.watch(two.caller, 1)
        await until_presence(ada, 1, watching=1)
        bo = await pair.watch(one.caller, 2)
        for stream in (ada, bo):
            await until_presence(stream, 1, 2, watching=1)

    run(url, test)


class Timer:
    """Time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_presence_of_a_silent_process_expires() -> None:
    timer = Timer()
    company = PresenceTracker(timer)
    company.count([Seat.ONE])
    company.receive("other", PresenceChanged((False, True), 2))
    timer.now = 59.0
    assert company.total() == PresenceChanged((True, True), 2)
    company.receive("third", PresenceChanged((False, False), 1))
    timer.now = 61.0
    assert company.total() == PresenceChanged((True, False), 1)
    timer.now = 200.0
    assert company.total() == PresenceChanged((True, False), 0)


def test_first_presence_from_a_process_counts_as_new() -> None:
    company, somebody = PresenceTracker(Timer()), PresenceChanged((False, True), 0)
    heard = [NOBODY, somebody, somebody, NOBODY, somebody]
    assert [company.receive("other", each) for each in heard] == [
        *(False, True, False),
        *(False, True),
    ]


@pytest.mark.parametrize(
    "word", ["", "m", ":p:1:0:3", "m:p:1:0", "m:p:2:0:3", "m:p:1:0:-1", "m:p:1:0:3:4"]
)
def test_unknown_word_does_not_change_presence(word: str) -> None:
    assert decode_presence(word) is None


# Classes


async def pair_of(process: Process) -> tuple[Teacher, Pupil, Pupil, str]:
    """Have two pupils play in a class; return them, the teacher and the match."""
    teacher = await Teacher.create(process.caller)
    code = await teacher.code()
    mia, ben = [await Pupil.join(process.caller, code, each) for each in ("Mia", "Ben")]
    started = await teacher.start_round([{"pupils": [1, 2]}])
    assert started.status == 200, started.body
    table = (await mia.view()).table
    assert table is not None
    return teacher, mia, ben, table.match


def to(device: Player, process: Process) -> Player:
    """Return another window of a browser, which asks this process."""
    window = device.copy()
    window.caller = process.caller
    return window


def test_a_process_that_hears_nothing_knows_the_pauses_of_its_classes(
    url: str,
) -> None:
    async def test(one: Process, two: Process) -> None:
        teacher, mia, ben, match = await pair_of(one)
        assert (await to(mia, two).play(match, 5, 2)).status == 200
        await teacher.ask("pause", is_on=True)
        refused = await to(ben, two).play(match, 5, 3)
        assert (refused.status, refused.refusal.error) == (409, "held")
        await teacher.ask("pause", is_on=False)
        assert (await to(ben, two).play(match, 5, 3)).status == 200

    run(url, test, make_store, make_deaf)


def test_a_process_that_hears_nothing_knows_who_plays_for_a_pupil(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        teacher, mia, _, match = await pair_of(one)
        assert (await to(mia, two).view()).status == "plays"
        new, code = Pupil(one.caller), await teacher.code()
        await new.try_to_join(code, "Mia", is_back=True)
        assert (await to(new, two).view()).status == "knocks"
        await teacher.ask("let-in", pupil=1)
        await teacher.ask("ask-typed", asks="winner", game="duel", total="45")
        for old in (to(mia, two), mia):
            assert (await old.play(match, 5, 2)).status == 401
            assert (await old.ask("answer", answer="mover")).status == 401
        assert (await to(new, two).ask("answer", answer="mover")).status == 200
        assert (await to(new, two).play(match, 5, 2)).status == 200

    run(url, test, make_store, make_deaf)


def test_all_who_join_at_once_on_any_process_get_in(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        teacher = await Teacher.create(one.caller)
        code = await teacher.code()
        joins = [
            Pupil.join((one, two)[number % 2].caller, code, f"Pupil {number}")
            for number in range(30)
        ]
        pupils = await asyncio.gather(*joins)
        assert {(await each.view()).status for each in pupils} == {"waits"}
        for process in (one, two):
            view = await to(teacher, process).view()
            assert [row.number for row in view.pupils] == [*range(1, 31)]

    run(url, test)


def test_a_round_is_ended_once_though_two_processes_see_that_it_is_over(
    url: str,
) -> None:
    async def test(one: Process, two: Process) -> None:
        teacher, _, _, _ = await pair_of(one)
        await teacher.ask("end-round")
        minute = [{"pupils": [1, 2]}]
        before = (await teacher.start_round(minute, minutes=1)).read(TeacherView)
        assert (await to(teacher, two).view()).revision == before.revision

        async def end(process: Process) -> None:
            classes = process.server.live_classes
            class_id = teacher.cookie.partition("=")[2].partition(".")[0]
            while (live := await classes.find(class_id)).classroom.round is not None:
                await classes.end_round_in_time(live)  # each look takes a second

        await asyncio.gather(end(one), end(two))
        assert (await teacher.view()).revision == before.revision + 1

    run(url, test)


def test_wrong_codes_of_all_processes_are_counted_together(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        async def type_code(process: Process) -> int:
            sent = b'{"code":"000"}'
            headers = {"content-type": "application/json"}
            path = "/api/class/code"
            return (await process.caller.ask("POST", path, sent, **headers)).status

        for _ in range(MOST_WRONG_CODES // 2):
            assert [await type_code(each) for each in (one, two)] == [404, 404]
        assert [await type_code(each) for each in (one, two)] == [429, 429]

    def make_still(url: str) -> PostgresStore:
        return PostgresStore(url, clock=lambda: NOW, new_id=numbered())

    run(url, test, make_still, make_still)


def test_a_class_that_another_process_removed_is_gone(url: str) -> None:
    async def test(one: Process, two: Process) -> None:
        teacher, mia, _, match = await pair_of(one)
        there = to(mia, two)
        stream = await there.listen()
        await teacher.post("/api/class/remove", {})
        await stream.until_ended()
        assert (await there.get("/api/class")).status == 401
        assert (await there.get(f"/api/matches/{match}")).status == 404

    run(url, test)
