"""A class on the real program, killed in mid-round: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from ninefold import classroom
from ninefold.online import class_messages as wire
from ninefold.playing.state import State
from ninefold.session import Move
from tests.server.client import Answer, Stream
from tests.server.devices import Device, request_id
from tests.server.school import views
from tests.server.test_kills import GONE, Cluster, Program
from tests.store.postgres_server import empty_database

PUPILS = 6
SEATS = [{"pupils": [number, number + 1]} for number in range(1, PUPILS, 2)]


class Surely:
    """Sends requests again and again, the same ones, until they are answered."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.caller = program.caller()
        self.device = Device(self.caller)

    async def post(self, path: str, body: dict[str, object]) -> Answer:
        sent = {"request_id": request_id(), **body}
        while True:
            try:
                answer = await self.device.post(path, sent)
            except GONE:
                await self._program.is_up.wait()
            else:
                if answer.status != 503:  # of a worker that is about to end
                    return answer

    async def ask(self, do: str, **fields: object) -> Answer:
        answer = await self.post("/api/class/ask", {"ask": {"do": do, **fields}})
        assert answer.status == 200, answer.body
        return answer


class Player(Surely):
    """A pupil who moves and answers for ever, and notes what was acknowledged."""

    def __init__(self, program: Program, rng: Random) -> None:
        super().__init__(program)
        self.match = ""
        self.moves: dict[int, int] = {}
        """The multiplier of each move that was answered, by its number."""
        self.answer = ""
        """The last answer that was acknowledged."""
        self._rng = rng

    async def play(self) -> None:
        seq = 2
        while not self._program.is_over:
            multiplier = self._rng.randint(2, 9)
            body = {"ask": {"do": "move", "multiplier": multiplier}, "seq": seq}
            answer = await self.post(f"/api/matches/{self.match}/log", body)
            if answer.status == 200:
                seq = answer.state.seq
                assert seq not in self.moves
                self.moves[seq] = multiplier
                self._program.answered.set()
            else:
                # The partner is to move, or has moved: ask something else meanwhile.
                assert answer.status == 409, answer.body
                assert answer.refusal.error in ("out_of_turn", "out_of_step")
                assert isinstance(answer.refusal.state, State)
                seq = answer.refusal.state.seq
                await self.answer_the_question()

    async def answer_the_question(self) -> None:
        answer = self._rng.choice(["mover", "other"])
        await self.ask("answer", answer=answer)
        self.answer = answer

    async def watch(self) -> None:
        """Keep a stream open for ever."""
        while True:
            try:
                stream = await self.listen()
            except GONE:
                await self._program.is_up.wait()
            else:
                try:
                    await stream.until_ended()
                finally:
                    stream.close()

    async def listen(self) -> Stream:
        caller = self._program.caller()
        return await caller.listen("/api/class/events", cookie=self.device.cookie)

    async def check(self, program: Program) -> None:
        """Check that moves and answer are stored, and that the device sees them."""
        log = program.kept(self.match).log
        for number, multiplier in self.moves.items():
            assert log[number - 1].command == Move(multiplier)
        stream = await self.listen()
        await stream.until(lambda s: any(told.kind == "table" for told in s.told))
        (view,) = views(stream)
        assert isinstance(view, wire.PupilView)
        assert view.status == "plays"
        assert view.poll is not None
        assert view.poll.own == (self.answer or None)
        state = next(each for each in stream.told if each.kind == "table").message.state
        assert (state.id, state.seq) == (self.match, len(log))
        stream.close()


async def begin(teacher: Surely, players: list[Player]) -> None:
    """Start a round of pupils in pairs, and ask them a question."""
    await teacher.post("/api/class", {})
    view = await teacher.device.get("/api/class")
    code = view.read(wire.TeacherView).code
    for number, player in enumerate(players, start=1):
        body: dict[str, object] = {"code": code, "names": [f"Pupil {number}"]}
        await player.post("/api/class/join", body)
    proposal = {"game": "multiplier", "opponent": "friend", "target": str(10**900)}
    await teacher.ask("start-round", proposal=proposal, minutes=90, tables=SEATS)
    await teacher.ask("ask-typed", asks="winner", game="duel", total="45")
    for player in players:
        view = await player.device.get("/api/class")
        table = view.read(wire.PupilView).table
        assert table is not None
        player.match = table.match


async def kill_in_mid_round(program: Program, kills: int) -> None:
    """Kill and restart the server again and again while a class plays and answers."""
    teacher = Surely(program)
    players = [Player(program, Random(number)) for number in range(PUPILS)]
    await begin(teacher, players)
    await program.be_killed_under(players, kills)
    for player in players:
        await player.check(program)
    assert sum(len(player.moves) for player in players) >= kills
    for each in (teacher, *players):
        each.caller.close()
    check_class(program, teacher, players)


def check_class(program: Program, teacher: Surely, players: list[Player]) -> None:
    """Check that the log has each request once, and the last answer of everybody."""
    log = program.class_log(teacher.device.cookie.partition("=")[2].partition(".")[0])
    requests = [each.request for each in log if each.request]
    assert len(set(requests)) == len(requests)
    room = classroom.Classroom.replay((each.command, each.at) for each in log)
    assert room.poll is not None
    given = {number: each.answer for number, each in enumerate(players, 1)}
    assert room.poll.answers == {n: each for n, each in given.items() if each}


def test_a_class_loses_nothing_acknowledged_by_2_kills_in_mid_round(
    tmp_path: Path,
) -> None:
    run_kills(Program(tmp_path), 2)


@pytest.mark.prove
def test_a_class_loses_nothing_acknowledged_by_10_kills_in_mid_round(
    tmp_path: Path,
) -> None:
    run_kills(Program(tmp_path), 10)


@pytest.mark.prove
def test_a_class_loses_nothing_acknowledged_by_10_kills_of_two_workers(
    tmp_path: Path,
) -> None:
    with empty_database() as url:
        run_kills(Cluster(tmp_path, url), 10)


def run_kills(program: Program, kills: int) -> None:
    try:
        asyncio.run(kill_in_mid_round(program, kills))
    finally:
        program.stop()
