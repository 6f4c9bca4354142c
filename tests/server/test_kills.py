"""The real program, killed at any moment: what was acknowledged is kept, once."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Protocol

import pytest

from ninefold.game import Seat
from ninefold.online.messages import SeatedState
from ninefold.playing.state import State
from ninefold.server.asgi import Server
from ninefold.session import Move, Session
from ninefold.store import Append, ClassAppend, ClassCommand, Store, StoredMatch
from ninefold.store.postgres import PostgresStore
from ninefold.store.sqlite import SqliteStore
from tests.program import WAIT_SECONDS
from tests.server.client import Answer, InProcess, OverSocket, Stream
from tests.servers import Served
from tests.store.postgres_server import empty_database
from tests.store.stores import Clock, numbered

MATCHES = "/api/matches"
PLAYERS = 3
"""How many matches are played at once, each by two people and watched by one."""
GONE = (OSError, EOFError)


class Busy(Protocol):
    """Somebody who plays until the program is over, and watches until cancelled."""

    async def play(self) -> None: ...

    async def watch(self) -> None: ...


class Program(Served):
    """A server that is killed and started again while people play."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.is_over = False
        """Set when nobody is to begin another move."""
        self.is_up = asyncio.Event()
        self.answered = asyncio.Event()
        """Set by whoever was answered."""
        super().__init__(home, *arguments)
        self.is_up.set()

    async def be_killed_under(self, players: Sequence[Busy], kills: int) -> None:
        """Be killed and restarted again and again while all play and watch."""
        rng = Random(9)
        watching = [asyncio.ensure_future(player.watch()) for player in players]
        playing = [asyncio.ensure_future(player.play()) for player in players]
        for _ in range(kills):
            self.answered.clear()
            async with asyncio.timeout(WAIT_SECONDS):
                await self.answered.wait()
            await asyncio.sleep(rng.random() * 0.03)  # at any moment of a request
            await self.kill_and_restart(rng)
        self.is_over = True
        await asyncio.gather(*playing)
        for task in watching:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def kill_and_restart(self, _: Random | None = None) -> None:
        self.is_up.clear()
        await asyncio.to_thread(self.kill)
        await asyncio.to_thread(self.start)
        self.is_up.set()

    def caller(self) -> OverSocket:
        return OverSocket("127.0.0.1", self.port)

    def _store(self) -> Store:
        return SqliteStore(
            self.home, clock=Clock(), new_id=numbered(), file_name="server.db"
        )

    def kept(self, match_id: str) -> StoredMatch:
        with self._store() as store:
            return store.match(match_id)

    def class_log(self, class_id: str) -> tuple[ClassCommand, ...]:
        with self._store() as store:
            return store.class_with_id(class_id).log


class Cluster(Program):
    """Two workers on one PostgreSQL database; one of them is killed, or their parent."""

    def __init__(self, home: Path, url: str) -> None:
        self._url = url
        super().__init__(home, "--workers=2", f"--database={url}")

    def _store(self) -> Store:
        return PostgresStore(self._url, clock=Clock(), new_id=numbered())

    async def kill_and_restart(self, rng: Random | None = None) -> None:
        workers = [] if rng is None else await asyncio.to_thread(self._workers)
        if rng is None or not workers or rng.random() < 1 / 4:
            await super().kill_and_restart()
        else:
            with suppress(ProcessLookupError):  # it has ended by itself
                os.kill(rng.choice(workers), signal.SIGKILL)

    def _workers(self) -> list[int]:
        listed = subprocess.run(
            ["/usr/bin/env", "ps", "-A", "-o", "pid=,ppid=,args="],
            capture_output=True,
            text=True,
            check=True,
        )
        rows = [line.split(maxsplit=2) for line in listed.stdout.splitlines()]
        parent = str(self.process.pid)
        return [
            int(pid)
            for pid, ppid, command in rows
            if ppid == parent and "spawn_main" in command
        ]


@pytest.fixture
def two_workers(tmp_path: Path) -> Iterator[Cluster]:
    with empty_database() as url:
        running = Cluster(tmp_path, url)
        yield running
        running.stop()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    running = Program(tmp_path)
    yield running
    running.stop()


class Player:
    """Plays both seats of a match for ever, and notes what was acknowledged."""

    def __init__(self, program: Program, rng: Random) -> None:
        self._program = program
        self._rng = rng
        self._caller = program.caller()
        self._secrets: list[str] = []
        self.acknowledged: dict[int, int] = {}
        """The multiplier of each move that was answered, by its number."""
        self.told: list[int] = []
        """The numbers that the stream told, over all of its connections."""
        self.id = ""
        self.seq = 0

    def _request_id(self) -> str:
        return f"{self._rng.getrandbits(128):032x}"

    async def _surely(self, path: str, body: dict[str, object], secret: str) -> Answer:
        """Send a request again and again, the same one, until it is answered."""
        while True:
            try:
                answer = await self._caller.post(path, body, secret)
            except GONE:
                await self._program.is_up.wait()
            else:
                if answer.status != 503:  # of a worker that is about to end
                    return answer

    async def begin(self) -> None:
        """Make a match that takes long to end, and sit in both seats."""
        made = await self._surely(
            MATCHES,
            {
                "game": "multiplier",
                "target": str(10**900),
                "opponent": "friend",
                "name": "Ada",
                "request_id": self._request_id(),
            },
            "",
        )
        assert made.status == 201, made.body
        one = made.read(SeatedState)
        self.id = one.id
        sat = await self._surely(
            f"{MATCHES}/{self.id}/seat",
            {"name": "Bo", "request_id": self._request_id()},
            "",
        )
        assert sat.status == 200, sat.body
        two = sat.read(SeatedState)
        self.seq, self._secrets = two.seq, [one.secret, two.secret]

    async def play(self) -> None:
        """Move until it is over, one seat after the other."""
        while not self._program.is_over:
            multiplier = self._rng.randint(2, 9)
            body: dict[str, object] = {
                "ask": {"do": "move", "multiplier": multiplier},
                "seq": self.seq,
                "request_id": self._request_id(),
            }
            secret = self._secrets[self.seq % 2]
            path = f"{MATCHES}/{self.id}/log"
            answer = await self._surely(path, body, secret)
            assert answer.status == 200, answer.body
            self.seq = answer.state.seq
            assert self.seq not in self.acknowledged
            self.acknowledged[self.seq] = multiplier
            self._program.answered.set()

    async def watch(self) -> None:
        """Listen for ever, coming back with the last id that was heard."""
        while True:
            headers = {"last-event-id": str(self.told[-1])} if self.told else {}
            path = f"{MATCHES}/{self.id}/events"
            try:
                stream = await self._program.caller().listen(path, **headers)
            except GONE:
                await self._program.is_up.wait()
                continue
            try:
                while not stream.ended:
                    heard = len(stream.numbers)
                    await stream.until(lambda s, n=heard: len(s.numbers) > n)  # type: ignore[misc]
            finally:
                self.told += stream.numbers
                stream.close()

    async def catch_up(self) -> tuple[list[State], Stream]:
        """Look at the match as everyone sees it."""
        path = f"{MATCHES}/{self.id}"
        states = [
            (await self._caller.get(path, secret)).state
            for secret in (*self._secrets, "")
        ]
        after = {"last-event-id": str(self.told[-1])} if self.told else {}
        stream = await self._program.caller().listen(f"{path}/events", **after)
        if not self.told or self.told[-1] < states[0].seq:
            await stream.until_number(states[0].seq)
        return states, stream

    def close(self) -> None:
        self._caller.close()


async def kill_under_load(program: Program, kills: int) -> list[Player]:
    """Kill and restart the server again and again while people play."""
    players = [Player(program, Random(number)) for number in range(PLAYERS)]
    await asyncio.gather(*(player.begin() for player in players))
    await program.be_killed_under(players, kills)
    return players


async def check_everyone(program: Program, player: Player) -> None:
    """Check that what was acknowledged is kept, and that everyone sees it."""
    states, stream = await player.catch_up()
    kept = program.kept(player.id)
    session = Session.replay(kept.setup, kept.commands)
    for number, multiplier in player.acknowledged.items():
        assert kept.log[number - 1].command == Move(multiplier)
    moves = [logged for logged in kept.log if isinstance(logged.command, Move)]
    assert len(moves) == len(player.acknowledged)
    assert len({logged.request for logged in kept.log}) == len(kept.log)
    assert {state.seq for state in states} == {session.revision}
    assert {state.moves for state in states} == {session.game.moves}
    assert [state.your_seat for state in states] == [Seat.ONE, Seat.TWO, None]
    told = [*player.told, *stream.numbers]
    stream.close()
    player.close()
    # Each message once and in order; a gap stands for a long time away.
    assert told == sorted(set(told))
    assert told[-1] == session.revision


def run_kills(program: Program, kills: int) -> None:
    async def run() -> None:
        players = await kill_under_load(program, kills)
        for player in players:
            await check_everyone(program, player)
        assert sum(len(player.acknowledged) for player in players) >= kills

    asyncio.run(run())


def test_no_acknowledged_move_is_lost_or_doubled_by_6_kills(program: Program) -> None:
    run_kills(program, 6)


def test_no_acknowledged_move_is_lost_or_doubled_by_3_kills_of_two_workers(
    two_workers: Cluster,
) -> None:
    run_kills(two_workers, 3)


@pytest.mark.prove
def test_no_acknowledged_move_is_lost_or_doubled_by_100_kills_of_two_workers(
    two_workers: Cluster,
) -> None:
    run_kills(two_workers, 100)


@pytest.mark.prove
def test_no_acknowledged_move_is_lost_or_doubled_by_200_kills(
    program: Program,
) -> None:
    run_kills(program, 200)


# Told to end


async def begun(program: Program) -> tuple[Player, Stream]:
    player = Player(program, Random(1))
    await player.begin()
    stream = await program.caller().listen(f"{MATCHES}/{player.id}/events")
    await stream.until_number(player.seq)
    return player, stream


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT], ids=lambda by: by.name)
def test_a_server_that_is_told_to_end_ends_its_streams_and_itself_well(
    program: Program, by: signal.Signals
) -> None:
    async def run() -> None:
        player, stream = await begun(program)
        assert await asyncio.to_thread(program.end, by) == 0
        await stream.until_ended()
        assert stream.ended_well
        await program.kill_and_restart()
        again = await program.caller().listen(
            f"{MATCHES}/{player.id}/events", last_event_id=str(stream.numbers[-1] - 1)
        )
        await again.until_number(player.seq)
        assert again.numbers == [player.seq]
        again.close()
        player.close()

    asyncio.run(run())


# A store that cannot be written


class Counting(SqliteStore):
    """Counts how often it is asked to append."""

    calls = 0

    def append(self, *appends: Append | ClassAppend) -> None:
        self.calls += 1
        super().append(*appends)


def test_a_store_that_another_program_holds_refuses_moves_and_nothing_changes(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        store = Counting(tmp_path, clock=Clock(), new_id=numbered(), lock_timeout=0.05)
        server = Server(store, b"k" * 32, clock=Clock())
        caller = InProcess(server.application())
        await caller.start()
        paths, bodies, secrets = [], [], []
        for number in range(4):
            asked = {"game": "multiplier", "opponent": "perfect", "name": "Ada"}
            request_id = f"request-{number:08}"
            made = await caller.post(MATCHES, asked | {"request_id": request_id})
            state = made.read(SeatedState)
            paths.append(f"{MATCHES}/{state.id}")
            ask = {"do": "move", "multiplier": 2}
            bodies.append({"ask": ask, "seq": 1, "request_id": request_id})
            secrets.append(state.secret)
        stream = await caller.listen(f"{paths[0]}/events")
        await stream.until_number(1)
        before = [(await caller.get(path)).body for path in paths]

        async def move_everywhere() -> list[int]:
            answers = [
                caller.post(f"{path}/log", body, secret)
                for path, body, secret in zip(paths, bodies, secrets, strict=True)
            ]
            return [answer.status for answer in await asyncio.gather(*answers)]

        holder = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        store.calls = 0
        assert await move_everywhere() == [503] * 4
        assert store.calls <= 4  # nobody waited a second time
        assert [(await caller.get(path)).body for path in paths] == before
        assert stream.numbers == [1]
        holder.execute("ROLLBACK")
        holder.close()
        assert await move_everywhere() == [200] * 4
        await stream.until_number(3)  # with the answer of the level
        assert stream.numbers == [1, 2, 3]
        await caller.stop()

    asyncio.run(run())
