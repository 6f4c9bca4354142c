"""A class of 200 under load: joining, rounds, moves, the board, answers, a restart.

``python -m benchmarks.classes`` starts a server on SQLite on this machine, with 200
pupils at 100 tables and a teacher, each with a stream, and prints how long everybody
waited. The pupils are on the same cores. Run it on a quiet machine: it prints the load.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import msgspec
from msgspec import Struct

from benchmarks.server import Served, raise_file_limit, served
from ninefold.notation.codec import decode
from ninefold.online import class_messages as wire
from ninefold.online.messages import Message
from tests.server.client import Answer, OverSocket, Stream
from tests.server.devices import Pupil, Teacher

PUPILS = 200
SECONDS_A_MOVE = 5.0
MOVES = 4
OK = 200
FAR = 10**15
"""No game ends while it is measured."""
CPU, MEMORY = 0.1, 100
"""The promised share of a core while all play, and mebibytes."""
PROMISES = {
    "200 join at once": 1.0,
    "a round of 100 tables on every device": 0.5,
    "a move, 95 %": 0.05,
    "the board, when all tables move at once": 0.25,
    "a pause on every device": 0.3,
    "an answer, 95 %, 200 in one second": 0.05,
    "every table on its device after kill -9": 1.0,
}


class Device(Struct):
    """A pupil with a stream."""

    pupil: Pupil
    stream: Stream

    def last(self, kind: str) -> bytes | None:
        """Return the latest event of a kind."""
        told = (each for each in reversed(self.stream.told) if each.kind == kind)
        return next((each.data for each in told), None)

    @property
    def view(self) -> wire.PupilView:
        """The class as the device shows it."""
        return decode(self.last("class") or b"", wire.PupilView)

    @property
    def message(self) -> Message:
        """The table as the device shows it."""
        return decode(self.last("table") or b"", Message)

    async def until(self, is_enough: Callable[[Device], bool]) -> None:
        """Wait until the device shows something."""
        await self.stream.until(lambda _: is_enough(self))


class Lesson:
    """A class on a server: its teacher, its pupils, their streams."""

    def __init__(self, port: int) -> None:
        """Teach on this port."""
        self.port = port
        self.teacher = Teacher(OverSocket("127.0.0.1", port))
        self.board = Stream()
        self.devices: list[Device] = []

    async def open(self) -> float:
        """Have everybody join at once; return the seconds that it took."""
        self.teacher = await Teacher.create(OverSocket("127.0.0.1", self.port))
        self.board = await self.teacher.listen()
        code = await self.teacher.code()
        callers = [OverSocket("127.0.0.1", self.port) for _ in range(PUPILS)]
        begun = perf_counter()
        pupils = await asyncio.gather(
            *(
                Pupil.join(caller, code, f"Pupil {number}")
                for number, caller in enumerate(callers, start=1)
            )
        )
        taken = perf_counter() - begun
        streams = await asyncio.gather(*(pupil.listen() for pupil in pupils))
        self.devices = [
            Device(pupil, stream) for pupil, stream in zip(pupils, streams, strict=True)
        ]
        await self.everywhere(lambda device: device.last("class") is not None)
        return taken

    async def everywhere(self, is_shown: Callable[[Device], bool]) -> None:
        """Wait until every device shows something."""
        await asyncio.gather(*(device.until(is_shown) for device in self.devices))

    async def start_round(self) -> float:
        """Start a round; return the seconds until every device has its table."""
        plan = msgspec.to_builtins((await self.teacher.plan()).tables)
        begun = perf_counter()
        answer = await self.teacher.start_round(
            plan, game="multiplier-showdown", target=FAR
        )
        check(answer)
        await self.everywhere(lambda device: device.last("table") is not None)
        return perf_counter() - begun

    async def move(self, device: Device) -> float | None:
        """Move if it is this device's turn; return the seconds of the answer."""
        state = device.message.state
        if state.to_move is not state.your_seat:
            return None
        begun = perf_counter()
        answer = await device.pupil.play(state.id, 2, state.seq)
        check(answer)
        return perf_counter() - begun

    async def play(self) -> list[float]:
        """Have each table move every five seconds; return the seconds of the moves."""

        async def at_table(device: Device, wait: float) -> list[float]:
            await asyncio.sleep(wait)
            taken = []
            for _ in range(MOVES):
                taken.append(await self.move(device))
                await asyncio.sleep(SECONDS_A_MOVE)
            return [each for each in taken if each is not None]

        spread = SECONDS_A_MOVE / PUPILS
        moved = await asyncio.gather(
            *(at_table(each, place * spread) for place, each in enumerate(self.devices))
        )
        return [each for moves in moved for each in moves]

    async def all_move(self) -> float:
        """Have all tables move at once; return the seconds until the board shows it."""
        before = len(self.board.told)
        begun = perf_counter()
        moved = await asyncio.gather(*map(self.move, self.devices))
        many = sum(each is not None for each in moved)

        shown = set[int]()

        def shows_all(stream: Stream) -> bool:
            nonlocal before
            for told in stream.told[before:]:
                before += 1
                if told.kind == "board":
                    update = decode(told.data, wire.BoardUpdate)
                    shown.update(row.number for row in update.tables)
            return len(shown) >= many

        await self.board.until(shows_all)
        return perf_counter() - begun

    async def pause(self, *, is_on: bool) -> float:
        """Pause; return the seconds until every device shows it."""
        begun = perf_counter()
        answer = await self.teacher.ask("pause", is_on=is_on)
        check(answer)
        await self.everywhere(
            lambda each: (
                each.view.round is not None and each.view.round.is_paused is is_on
            )
        )
        return perf_counter() - begun

    async def answer(self) -> list[float]:
        """Have everybody answer within a second; return the seconds of each answer."""
        asked = await self.teacher.ask("ask-typed", asks="winner", game="duel")
        check(asked)
        await self.everywhere(lambda device: device.view.poll is not None)

        async def give(device: Device, wait: float) -> float:
            await asyncio.sleep(wait)
            begun = perf_counter()
            given = await device.pupil.ask("answer", answer="mover")
            check(given)
            return perf_counter() - begun

        gives = (
            give(device, place / PUPILS) for place, device in enumerate(self.devices)
        )
        return list(await asyncio.gather(*gives))

    async def come_back(self, port: int) -> float:
        """Have every device return to a restarted server; return the seconds."""

        async def listen(device: Device) -> None:
            device.pupil.caller = OverSocket("127.0.0.1", port)
            device.stream = await device.pupil.listen()
            await device.until(lambda each: each.last("table") is not None)

        begun = perf_counter()
        await asyncio.gather(*map(listen, self.devices))
        return perf_counter() - begun


def check(answer: Answer) -> None:
    """Raise an error if the server refused."""
    if answer.status != OK:
        raise RuntimeError(answer.body)


def p95(seconds: Sequence[float]) -> float:
    """Return the time that 95 of a hundred took at most."""
    return quantiles(seconds, n=20)[-1]


def cpu_of(process: int) -> float:
    """Return the CPU time of a process so far, in seconds."""
    stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def measure(server: Served, lesson: Lesson) -> dict[str, float]:
    """Measure a lesson; return seconds by what they are promised for."""
    joined = await lesson.open()
    started = await lesson.start_round()
    cpu, begun = cpu_of(server.process), perf_counter()
    moves = await lesson.play()
    share = (cpu_of(server.process) - cpu) / (perf_counter() - begun)
    board = max([await lesson.all_move() for _ in range(3)])
    paused = max(
        [await lesson.pause(is_on=is_on) for is_on in (True, False, True, False)]
    )
    answers = await lesson.answer()
    print(f"{len(moves)} moves took {share:.1%} of a core, {CPU:.0%} promised")
    mebibytes = server.memory() / 2**20
    print(f"memory {mebibytes:.0f} MiB, {MEMORY} promised\n")
    found = (joined, started, p95(moves), board, paused, p95(answers))
    return dict(zip(PROMISES, found, strict=False))


def main() -> None:
    """Measure a whole lesson, and say which promises were kept."""
    raise_file_limit()
    print(f"load {os.getloadavg()[0]:.1f}; {PUPILS} pupils, {PUPILS // 2} tables")
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/server.db"
        with served(database) as server:
            lesson = Lesson(server.port)
            found = asyncio.run(measure(server, lesson))
            os.kill(server.process, signal.SIGKILL)
        with served(database) as server:
            returned = asyncio.run(lesson.come_back(server.port))
    for name, promise in PROMISES.items():
        seconds = found.get(name, returned)
        kept = "" if seconds <= promise else "   NOT KEPT"
        print(f"{name:45}{seconds * 1000:8.0f} ms{promise * 1000:8.0f} ms{kept}")


if __name__ == "__main__":
    main()
