"""Any sequence of requests to a class: one device plays a seat, and all see the same."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AbstractContextManager, ExitStack
from datetime import timedelta
from random import Random

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)
from msgspec import Struct
from msgspec.structs import replace

from ninefold import classroom
from ninefold.classroom import Classroom, Pupil, Table
from ninefold.errors import NinefoldError
from ninefold.online import class_messages as wire
from ninefold.playing.state import State
from ninefold.server.asgi import Server
from ninefold.session import Move
from ninefold.store import ClassCommand, Store
from ninefold.store.postgres import PostgresStore
from tests.program import WAIT_SECONDS
from tests.server import devices
from tests.server.client import Answer, InProcess, Stream
from tests.server.devices import request_id
from tests.server.school import MADNESS, views
from tests.servers import KEY, NOW, boundless
from tests.store.postgres_server import empty_database
from tests.store.stores import Clock, in_folder, numbered

NAMES = ("Mia", "Ben", "Tom", "Zoe")
QUESTION = {"asks": "winner", "game": "duel", "total": "45"}


class Sent(Struct, frozen=True):
    """A request; sent again, it is the same to the byte."""

    path: str
    body: dict[str, object]
    cookie: str = ""


class Player(Struct):
    """A pupil's device, and the stream that it has, if any."""

    pupil: int
    number: int
    cookie: str
    stream: Stream | None = None


def is_current(room: Classroom, player: Player) -> bool:
    """Whether a device is the one that plays for its pupil."""
    pupil = room.pupil(player.pupil)
    return pupil.is_here and pupil.device == player.number


def table_of(room: Classroom, player: Player) -> Table | None:
    """Return the table at which a device plays."""
    if room.round is None or not is_current(room, player):
        return None
    return room.round.table_of(player.pupil)


def untimed(view: wire.PupilView) -> wire.PupilView:
    """Return a view without what changes while a stream has nothing to tell."""
    playing = view.round and replace(view.round, seconds_left=0)
    return replace(view, revision=0, round=playing)


def seat_number(table: Table, player: Player) -> int:
    return table.pupils.index(player.pupil) + 1


picks = st.integers(0, 999)
"""Picks one of what there is, which hypothesis does not know."""
names = st.sampled_from(NAMES)


class Lesson(RuleBasedStateMachine):
    """A teacher and devices that come and go, over servers that do so, too."""

    PROCESSES = 1

    # Opened and closed

    @initialize(is_playing=st.sampled_from([True, True, False]))
    def open(self, is_playing: bool) -> None:
        self.stack = ExitStack()
        self.runner = self.stack.enter_context(asyncio.Runner())
        self.place = self.stack.enter_context(self.make_place())
        self.kept = self.stack.enter_context(self.open_store())
        self.rng = Random(9)
        self.now = NOW
        self.used = 0
        self.processes: list[tuple[Server, InProcess]] = []
        self.players: list[Player] = []
        self.accepted: list[Sent] = []
        self.moved: dict[str, int] = {}
        """How many moves of pupils were accepted at each table."""
        self.runner.run(self.begin())
        if is_playing:
            for name in NAMES[:3]:
                self.join(name, is_back=False)
            self.start_round()

    def make_place(self) -> AbstractContextManager[str]:
        """Make a place for a store; it is gone afterwards."""
        return tempfile.TemporaryDirectory(prefix="ninefold-tests-")

    def open_store(self) -> Store:
        return in_folder(self.place)

    async def begin(self) -> None:
        self.processes = [await self.start() for _ in range(self.PROCESSES)]
        teacher = devices.Teacher(self.caller)
        await teacher.post("/api/class", {})
        self.teacher = teacher.cookie
        self.id = teacher.cookie.partition("=")[2].partition(".")[0]

    def teardown(self) -> None:
        if not hasattr(self, "runner"):
            return
        for _, caller in self.processes:
            self.runner.run(caller.stop())
        self.stack.close()

    async def start(self) -> tuple[Server, InProcess]:
        server = Server(
            self.open_store(), KEY, clock=lambda: self.now, rates=boundless()
        )
        caller = InProcess(server.application())
        await caller.start()
        return server, caller

    @property
    def caller(self) -> InProcess:
        """One of the processes: any, and another each time."""
        self.used = self.rng.randrange(len(self.processes))
        return self.processes[self.used][1]

    # What the rules share

    def log(self) -> tuple[ClassCommand, ...]:
        return self.kept.class_with_id(self.id).log

    @property
    def room(self) -> Classroom:
        """The class as its log has it."""
        return Classroom.replay((each.command, each.at) for each in self.log())

    def allows(self, command: classroom.Command) -> bool:
        try:
            self.room.accept(command, self.now)
        except NinefoldError:
            return False
        return True

    def sent(self, path: str, body: dict[str, object], cookie: str = "") -> Sent:
        return Sent(path, {**body, "request_id": request_id()}, cookie)

    def ask(self, cookie: str, do: str, **fields: object) -> Sent:
        return self.sent("/api/class/ask", {"ask": {"do": do, **fields}}, cookie)

    async def post(self, sent: Sent, caller: InProcess | None = None) -> Answer:
        device = devices.Device(caller or self.caller)
        device.cookie = sent.cookie
        answer = await device.post(sent.path, sent.body)
        assert answer.status < 500, answer.body
        return answer

    async def get(self, caller: InProcess, path: str, cookie: str) -> Answer:
        device = devices.Device(caller)
        device.cookie = cookie
        answer = await device.get(path)
        assert answer.status == 200, answer.body
        return answer

    def send(self, sent: Sent, *, expected: bool) -> None:
        """Send a new request to the class: it adds one command, or nothing at all."""
        before = self.log()
        answer = self.runner.run(self.post(sent))
        after = self.log()
        assert (answer.status < 300) is expected, (sent.body, answer.body)
        assert after[: len(before)] == before
        assert len(after) - len(before) == expected
        if expected:
            self.note(sent, answer)
        self.check_sometimes()

    def teach(self, command: classroom.Command, **fields: object) -> None:
        """Send an ask of the teacher, which stands for this command."""
        do = str(type(command).__struct_config__.tag)
        if not fields:
            fields = msgspec.to_builtins(command)
            del fields["do"]
        self.send(self.ask(self.teacher, do, **fields), expected=self.allows(command))

    # What everybody sees

    def check_sometimes(self) -> None:
        """Check now, or let the next request reach a process that is behind."""
        if self.rng.random() < 2 / 3:
            self.runner.run(self.check())

    async def check(self) -> None:
        """Check that all processes show what is stored, once levels have moved."""
        room = self.room
        async with asyncio.timeout(WAIT_SECONDS):
            for _, caller in self.processes:
                await self.check_teacher(caller, room)
                await self.check_tables(caller, room)
                for player in self.players:
                    await self.check_player(caller, player, room)
            for player in self.players:
                await self.check_stream(player)
        playing = [each.pupil for each in self.players if is_current(room, each)]
        assert len(playing) == len(set(playing)) == len(room.here)

    async def check_teacher(self, caller: InProcess, room: Classroom) -> None:
        answer = await self.get(caller, "/api/class", self.teacher)
        view = answer.read(wire.TeacherView)
        tables = () if room.round is None else room.round.tables
        assert view.revision == room.revision
        assert view.waiting == room.waiting
        assert [(row.match, row.pupils) for row in view.tables] == [
            (table.match, table.pupils) for table in tables
        ]
        assert [row.is_here for row in view.pupils] == [
            each.is_here for each in room.pupils
        ]
        if view.poll is not None and room.poll is not None:
            assert view.poll.answered == len(room.poll.answers)

    async def check_tables(self, caller: InProcess, room: Classroom) -> None:
        for table in () if room.round is None else room.round.tables:
            state = await self.state(caller, table.match)
            while table.level and room.round and room.round.paused_at is None:
                if state.to_move is None or state.to_move.value == 1:
                    break
                state = await self.state(caller, table.match)
            stored = self.kept.match(table.match)
            while state.seq < len(stored.log):
                state = await self.state(caller, table.match)
            people = [
                each
                for each in stored.log
                if isinstance(each.command, Move) and each.request
            ]
            assert len(people) == self.moved.get(table.match, 0)

    async def state(self, caller: InProcess, match: str) -> State:
        return (await self.get(caller, f"/api/matches/{match}", "")).state

    async def check_player(
        self, caller: InProcess, player: Player, room: Classroom
    ) -> None:
        view = await self.view(caller, player)
        assert view.revision == room.revision
        pupil, table = room.pupil(player.pupil), table_of(room, player)
        assert (view.table and view.table.match) == (table and table.match)
        assert (view.status in ("waits", "plays")) == is_current(room, player)
        assert (view.status == "knocks") == (pupil.knock == player.number)
        if view.poll is not None and room.poll is not None:
            assert view.poll.own == room.poll.answers.get(player.pupil)
            assert (view.poll.bar is not None) == room.poll.shows_answers

    async def view(self, caller: InProcess, player: Player) -> wire.PupilView:
        answer = await self.get(caller, "/api/class", player.cookie)
        return answer.read(wire.PupilView)

    async def check_stream(self, player: Player) -> None:
        """Check that a stream has told what its device is answered."""
        stream = player.stream
        if stream is None:
            return
        view = await self.view(self.caller, player)

        def tells_the_view(stream: Stream) -> bool:
            last = views(stream)[-1]
            assert isinstance(last, wire.PupilView)
            return untimed(last) == untimed(view)

        await stream.until(lambda stream: bool(views(stream)))
        await stream.until(tells_the_view)
        assert not stream.ended
        if view.table is None:
            return
        state = await self.state(self.caller, view.table.match)

        def tells_the_table(stream: Stream) -> bool:
            told = [each.message.state for each in stream.told if each.kind == "table"]
            return [(each.id, each.seq) for each in told[-1:]] == [
                (state.id, state.seq)
            ]

        await stream.until(tells_the_table)

    # Pupils

    @rule(name=names, is_back=st.booleans())
    def join(self, name: str, is_back: bool) -> None:
        room = self.room
        body = {"code": room.code, "names": [name], "is_back": is_back}
        known = room.named(name)
        command: classroom.Command = classroom.Join(len(room.pupils) + 1, (name,))
        if known is not None and (is_back or known.has_left):
            command = classroom.Return(known.number, known.devices + 1)
        expected = self.allows(command) and not (is_back and known is None)
        self.send(self.sent("/api/class/join", body), expected=expected)

    def player(self, pick: int) -> Player | None:
        return self.players[pick % len(self.players)] if self.players else None

    @rule(pick=picks)
    def leave(self, pick: int) -> None:
        player = self.player(pick)
        if player is not None:
            expected = is_current(self.room, player)
            self.send(self.ask(player.cookie, "leave-class"), expected=expected)

    @rule(pick=picks, answer=st.sampled_from(["mover", "other", "9"]))
    def answer(self, pick: int, answer: str) -> None:
        player = self.player(pick)
        if player is not None:
            command = classroom.Answer(player.pupil, answer)
            expected = is_current(self.room, player) and self.allows(command)
            sent = self.ask(player.cookie, "answer", answer=answer)
            self.send(sent, expected=expected)

    @rule(
        pick=picks,
        elsewhere=st.sampled_from([False] * 4 + [True]),
        multiplier=st.integers(1, 9),
    )
    def move(self, pick: int, elsewhere: bool, multiplier: int) -> None:
        """Move at the own table, or at any of the class."""
        player, room = self.player(pick), self.room
        if player is None or not room.tables:
            return
        own = table_of(room, player)
        _, other = room.tables[pick % len(room.tables)]
        table = other if elsewhere or own is None else own
        session = self.kept.match(table.match).session
        expected = (
            is_current(room, player)
            and room.table(table.match) is not None
            and room.round is not None
            and room.round.paused_at is None
            and player.pupil in table.pupils
            and session.to_move is not None
            and session.to_move.value == seat_number(table, player)
            and multiplier > 1
        )
        sent = self.moves(player, table, session.revision, multiplier)
        answer = self.runner.run(self.post(sent))
        assert (answer.status == 200) is expected, answer.body
        if expected:
            self.note(sent, answer)
        self.check_sometimes()

    def moves(self, player: Player, table: Table, seq: int, multiplier: int) -> Sent:
        ask = {"do": "move", "multiplier": multiplier}
        path = f"/api/matches/{table.match}/log"
        return self.sent(path, {"ask": ask, "seq": seq}, player.cookie)

    @rule(pick=picks)
    def listen(self, pick: int) -> None:
        player = self.player(pick)
        if player is None:
            return

        async def run() -> None:
            if player.stream is not None:
                player.stream.close()
                await player.stream.until_ended()
            player.stream = await self.caller.listen(
                "/api/class/events", cookie=player.cookie
            )
            await self.check()

        self.runner.run(run())

    # The teacher

    @rule(is_open=st.sampled_from([True, True, False]))
    def door(self, is_open: bool) -> None:
        command = classroom.Door(self.room.code, is_open)
        self.teach(command, is_open=is_open)

    @rule(pick=st.integers(1, 9))
    def let_in(self, pick: int) -> None:
        knocking = [each.number for each in self.room.knocking]
        self.teach(
            classroom.LetIn(knocking[pick % len(knocking)] if knocking else pick)
        )

    @rule(pick=st.integers(1, 5), is_sent_back=st.booleans())
    def send_away(self, pick: int, is_sent_back: bool) -> None:
        self.teach(classroom.Leave(pick, is_sent_back))

    @rule()
    def start_round(self) -> None:
        """Start a round; it has pairs, and a level for the last."""
        room = self.room
        here = [each.number for each in room.here]
        pairs = [tuple(here[at : at + 2]) for at in range(0, len(here), 2)]
        tables = [
            {"pupils": pair, "level": None if len(pair) > 1 else "beginner"}
            for pair in pairs
        ]
        proposal = {"game": MADNESS, "opponent": "friend", "target": str(10**60)}
        fields = {"proposal": proposal, "minutes": 8, "tables": tables}
        expected = room.round is None and bool(here)
        self.send(self.ask(self.teacher, "start-round", **fields), expected=expected)

    @rule(pick=picks)
    def open_table(self, pick: int) -> None:
        """Seat one who waits, or who plays elsewhere, against a level."""
        room = self.room
        here: list[Pupil] = list(room.here)
        if here:
            pupil = here[pick % len(here)].number
            seating = {"pupils": [pupil], "level": "beginner"}
            sent = self.ask(self.teacher, "open-table", table=seating)
            self.send(sent, expected=room.round is not None)

    @rule(is_on=st.booleans())
    def pause(self, is_on: bool) -> None:
        self.teach(classroom.Pause(is_on))

    @rule()
    def end_round(self) -> None:
        self.send(
            self.ask(self.teacher, "end-round"), expected=self.room.round is not None
        )

    @rule()
    def question(self) -> None:
        self.send(self.ask(self.teacher, "ask-typed", **QUESTION), expected=True)

    @rule()
    def reveal(self) -> None:
        sent = self.ask(self.teacher, "reveal")
        self.send(sent, expected=self.allows(classroom.Reveal()))

    # Time, repeats, and requests at once

    @rule(minutes=st.sampled_from([1, 3, 9]))
    def wait(self, minutes: int) -> None:
        """Let time pass; both processes try to end a round that is over."""
        before, room = len(self.log()), self.room
        self.now += timedelta(minutes=minutes)
        ends_at = None if room.round is None else room.round.ends_at
        expected = ends_at is not None and ends_at <= self.now

        async def end(server: Server) -> None:
            live = await server.live_classes.find(self.id)
            await server.live_classes.end_round_in_time(live)

        async def run() -> None:
            await asyncio.gather(*(end(server) for server, _ in self.processes))
            assert len(self.log()) == before + expected
            await self.check()

        self.runner.run(run())

    @rule(pick=picks)
    def repeat(self, pick: int) -> None:
        """A request that is sent again changes nothing, whatever has happened since."""
        if not self.accepted:
            return
        sent = self.accepted[pick % len(self.accepted)]
        before = self.log()

        async def run() -> None:
            again = await self.post(sent)
            # A seat is checked before a repeat: its device may be another's by now.
            assert again.status in (200, 201, 401)
            assert self.log() == before
            await self.check()

        self.runner.run(run())

    @rule(pick=picks, chosen=st.lists(names, max_size=4))
    def all_at_once(self, pick: int, chosen: list[str]) -> None:
        """Of requests that are sent at once, and twice, each counts at most once."""
        room = self.room
        new = [
            self.sent("/api/class/join", {"code": room.code, "names": [name]})
            for name in chosen
        ]
        new += [
            self.ask(each.cookie, "answer", answer="mover") for each in self.players
        ]
        new += [self.ask(self.teacher, "pause", is_on=pick % 2 == 0)]
        made = []
        for player in self.players:
            table = table_of(room, player)
            if table is not None:
                seq = self.kept.match(table.match).session.revision
                made.append(self.moves(player, table, seq, 2))
        order = Random(pick).sample((new + made) * 2, 2 * len(new + made))

        async def run() -> None:
            before = len(self.log())
            answers = await asyncio.gather(*map(self.post, order))
            counted = {
                str(sent.body["request_id"]): (sent, answer)
                for sent, answer in zip(order, answers, strict=True)
                if answer.status < 300
            }
            stored = [sent for sent, _ in counted.values() if sent in new]
            assert len(self.log()) - before == len(stored)
            for sent, answer in counted.values():
                self.note(sent, answer)
            await self.check()

        self.runner.run(run())

    def note(self, sent: Sent, answer: Answer) -> None:
        """Note a request that was accepted, and what came of it."""
        self.accepted.append(sent)
        if sent.path == "/api/class/join":
            cookie = answer.headers["set-cookie"].partition(";")[0]
            _, pupil, number, _ = cookie.split(".")
            self.players.append(Player(int(pupil), int(number), cookie))
        elif sent.path != "/api/class/ask":
            match = sent.path.split("/")[3]
            self.moved[match] = self.moved.get(match, 0) + 1

    # The server starts again

    @rule()
    def restart(self) -> None:
        """Restart the process that was asked last; its streams end, and come back."""

        async def run() -> None:
            used = self.used
            await self.processes[used][1].stop()
            self.processes[used] = await self.start()
            for player in self.players:
                if player.stream is not None and player.stream.ended:
                    player.stream = await self.caller.listen(
                        "/api/class/events", cookie=player.cookie
                    )
            await self.check()

        self.runner.run(run())


TestLesson = Lesson.TestCase
TestLesson.settings = settings(max_examples=15, stateful_step_count=30)


class LessonOfTwo(Lesson):
    """The same over two processes and one PostgreSQL; a request goes to any of them."""

    PROCESSES = 2

    def make_place(self) -> AbstractContextManager[str]:
        return empty_database()

    def open_store(self) -> Store:
        return PostgresStore(self.place, clock=Clock(), new_id=numbered())


@pytest.mark.prove
@pytest.mark.parametrize(("lesson", "examples"), [(Lesson, 150), (LessonOfTwo, 40)])
def test_all_see_the_same_class_after_any_of_very_many_sequences(
    lesson: type[Lesson], examples: int
) -> None:
    many = settings(max_examples=examples, stateful_step_count=40)
    run_state_machine_as_test(lesson, settings=many)
