"""A server under load: how soon the other hears of a move, and how many moves a second.

``python -m benchmarks.online`` starts a server of its own on this machine. On an idle
server, a move is timed from its sending to the message that the other seat's stream
gets. Then 64 people play at once, each of them waiting for each answer. Beside that
stands what the same file takes in plain commits, one transaction a move: the ratio
says how much is gained by committing together. Each move is on disk before it is
answered in both.
"""

from __future__ import annotations

import asyncio
import cProfile
import pstats
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from statistics import quantiles
from time import perf_counter

from msgspec import Struct

from benchmarks.timing import duration, print_promises, print_table, times, within
from ninefold.online.wire import SeatedState
from ninefold.server.application import Server
from ninefold.server.program import Place, listen, open_database, run, url_of
from ninefold.server.rates import Kind, Rates
from tests.server.client import OverSocket, bearer

CALLERS = 64
MOVES_OF_A_GAME = 10
GAMES_OF_A_CALLER = 4
GAMES_HEARD = 30
RAW_COMMITS = 500
HEARD_PROMISE = 0.02
FILE_NAME = "server.db"
_FAR = 1_000_000
"""No game ends while it is measured."""
_requests = count(1)


class Timed(Struct, frozen=True):
    """How long some calls took, each and together, in seconds."""

    each: list[float]
    all: float

    def quantile(self, percent: int) -> float:
        """Return the time that so many of a hundred calls took at most."""
        return quantiles(self.each, n=100)[percent - 1]

    @property
    def rate(self) -> float:
        """How many there were in a second."""
        return len(self.each) / self.all


def _now() -> datetime:
    return datetime.now(UTC)


def serve(folder: str, profile: str | None = None) -> None:
    """Run a server without limits until it is told to end."""
    listening = listen(Place("127.0.0.1", 0))
    store = open_database(f"sqlite:///{folder}/{FILE_NAME}", Path(folder), _now)
    plenty = Rates(dict.fromkeys(Kind, 10**9))
    server = Server(store, b"k" * 32, clock=_now, rates=plenty)
    print(url_of(listening), flush=True)
    if profile is None:
        run(listening, server)
        return
    profiler = cProfile.Profile()
    profiler.runcall(run, listening, server)
    profiler.dump_stats(profile)


@contextmanager
def served(folder: str, *arguments: str) -> Iterator[int]:
    """Run a server in a process of its own; yield its port."""
    command = [sys.executable, "-m", "benchmarks.online", "serve", folder, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None:
                raise RuntimeError
            yield int(process.stdout.readline().rpartition(":")[2])
        finally:
            process.terminate()


class Pair:
    """Two people and their match."""

    def __init__(self, caller: OverSocket) -> None:
        """Take the connection that they share."""
        self.caller = caller
        self.path = ""
        self.secrets: tuple[str, str] = ("", "")
        self.seq = 0

    async def sit_down(self) -> None:
        """Make a match, and take both seats."""
        asked = {"game": "multiplier", "target": _FAR, "opponent": "friend"}
        made = await self.caller.post("/api/matches", asked | _who("Ada"))
        one = made.read(SeatedState)
        self.path = f"/api/matches/{one.id}"
        sat = await self.caller.post(f"{self.path}/seat", _who("Bo"))
        two = sat.read(SeatedState)
        self.secrets, self.seq = (one.secret, two.secret), two.seq

    async def move(self) -> float:
        """Let the seat to move move; return how long its answer took."""
        body = {"multiplier": 2, "seq": self.seq, "request_id": _request_id()}
        secret = self.secrets[self.seq % 2]
        begun = perf_counter()
        answer = await self.caller.post(f"{self.path}/moves", body, secret)
        taken = perf_counter() - begun
        if answer.status != 200:  # noqa: PLR2004 - HTTP's OK
            raise RuntimeError(answer.body)
        self.seq += 1
        return taken


def _request_id() -> str:
    return f"benchmark-{next(_requests):012}"


def _who(name: str) -> dict[str, object]:
    return {"name": name, "request_id": _request_id()}


async def hear(port: int) -> Timed:
    """Time moves until the other's stream has told them, one after another."""
    each: list[float] = []
    caller = OverSocket("127.0.0.1", port)
    for _ in range(GAMES_HEARD):
        pair = Pair(caller)
        await pair.sit_down()
        secret = bearer(pair.secrets[1])
        stream = await pair.caller.listen(f"{pair.path}/events", **secret)
        await stream.until_number(pair.seq)
        for _ in range(MOVES_OF_A_GAME):
            number, sent = pair.seq + 1, perf_counter()
            moving = asyncio.ensure_future(pair.move())
            await stream.until_number(number)
            each.append(perf_counter() - sent)
            await moving
        stream.close()
    caller.close()
    return Timed(each, sum(each))


async def play_at_once(port: int) -> tuple[Timed, float]:
    """Let many play at once; return their answers' times, and the moves a commit."""
    callers = [OverSocket("127.0.0.1", port) for _ in range(CALLERS)]

    async def sit_down(caller: OverSocket) -> list[Pair]:
        pairs = [Pair(caller) for _ in range(GAMES_OF_A_CALLER)]
        for pair in pairs:
            await pair.sit_down()
        return pairs

    async def play(pairs: list[Pair]) -> list[float]:
        return [await pair.move() for pair in pairs for _ in range(MOVES_OF_A_GAME)]

    seated = await asyncio.gather(*map(sit_down, callers))
    before = await committed(callers[0])
    begun = perf_counter()
    played = await asyncio.gather(*map(play, seated))
    taken = perf_counter() - begun
    after = await committed(callers[0])
    for caller in callers:
        caller.close()
    commits, commands = (b - a for a, b in zip(before, after, strict=True))
    return Timed([each for times in played for each in times], taken), (
        commands / commits
    )


async def committed(caller: OverSocket) -> tuple[float, float]:
    """Return how many commits there were, and of how many commands."""
    text = (await caller.get("/metrics")).body.decode()
    found = dict(
        re.findall(r"^ninefold_(commits|commands)_total (\S+)", text, re.MULTILINE)
    )
    return float(found["commits"]), float(found["commands"])


def commit_one_by_one(file: Path) -> Timed:
    """Commit moves to the same file, one transaction a move, and nothing beside it."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE raw (number INTEGER PRIMARY KEY, command TEXT)")
    each = []
    begun = perf_counter()
    for number in range(RAW_COMMITS):
        sent = perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        command = '{"do": "move", "multiplier": 2}'
        connection.execute("INSERT INTO raw VALUES (?, ?)", (number, command))
        connection.execute("COMMIT")
        each.append(perf_counter() - sent)
    taken = perf_counter() - begun
    connection.close()
    return Timed(each, taken)


def print_profile() -> None:
    """Print where a server's time goes while one person moves."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/profile"
        with served(folder, file) as port:
            asyncio.run(hear(port))
        pstats.Stats(file).sort_stats("tottime").print_stats(15)


def main() -> None:
    """Print the figures of one run, or do what the arguments ask for."""
    if sys.argv[1:2] == ["serve"]:
        serve(*sys.argv[2:])
        return
    if sys.argv[1:] == ["profile"]:
        print_profile()
        return
    with tempfile.TemporaryDirectory() as folder:
        with served(folder) as port:
            heard = asyncio.run(hear(port))
            together, moves_a_commit = asyncio.run(play_at_once(port))
        alone = commit_one_by_one(Path(folder, FILE_NAME))
    print_table(
        ("", "p50", "p95", "p99", "a second"),
        [
            (
                name,
                *(duration(timed.quantile(percent)) for percent in (50, 95, 99)),
                f"{timed.rate:,.0f}",
            )
            for name, timed in (
                ("move to the other's message, idle", heard),
                (f"moves of {CALLERS} callers, answered", together),
                ("plain commits, one a move", alone),
            )
        ],
    )
    print(f"  moves a commit: {moves_a_commit:.1f}")
    print(f"  moves against plain commits: {times(together.rate / alone.rate)}\n")
    heard_in = heard.quantile(50)
    print_promises([within("move to the other, p50", heard_in, HEARD_PROMISE)])


if __name__ == "__main__":
    main()
