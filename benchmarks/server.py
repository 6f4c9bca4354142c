"""A server under load: moves a second, how soon the other hears, memory of a listener.

``python -m benchmarks.server`` starts servers of its own on this machine: on SQLite,
on PostgreSQL, and on PostgreSQL with two processes. On an idle server, a move is timed
from its sending to the message that the other seat's stream gets. Then 64 people play
at once, each of them waiting for each answer. Beside that stands what the same database
takes in plain commits, one transaction a move, over one connection and, where there can
be many, over 64: the ratio says what HTTP and the rules cost, and what is gained by
committing together. Each move is on disk before it is answered in both. What HTTP alone
costs is told by answers that have nothing to do with a match. Last, 5,000 streams are
held open on which nothing happens. And while some callers ask for what costs a server
most, on the longest match there may be, another one asks whether it is alive.

A ratio to plain commits moves with the disk, so the CPU time of the event loop stands
beside it, per call: that is what limits a server. The page asks for states, programs
for commands; both, and plain commits, take turns in one run.

``--profile`` prints where the time of one server goes, ``--moves`` the moves on SQLite
alone, ``--health`` the calls beside costly ones. Moves beside questions about
totals of 300 digits are timed too; ``--questions`` prints them alone.
"""

from __future__ import annotations

import asyncio
import cProfile
import pstats
import re
import resource
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import TypeAlias

import msgspec
import psycopg
from msgspec import Struct

from benchmarks import timing
from ninefold import Ending, Rules, Seat
from ninefold.online.messages import LogAsk, SeatedState
from ninefold.server.asgi import Server
from ninefold.server.rate_limits import RateLimits, RequestKind
from ninefold.server.run import BindAddress, listen, open_database, run, url_of
from ninefold.server.seats import SeatSecrets, Token
from ninefold.server.worker_processes import Workers
from ninefold.session import Move, Session, Setup, Sit, Undo
from ninefold.session.match_state import MOST_COMMANDS
from ninefold.store import Append, accept_all
from tests.server.client import OverSocket, Stream, bearer
from tests.store.postgres_server import empty_database

CALLERS = 64
CALLERS_WHO_COST = 12
SECONDS_OF_COST = 3.0
MOVES_OF_A_GAME = 10
GAMES_OF_A_CALLER = 4
GAMES_HEARD = 30
RAW_COMMITS = 2_560
ROUNDS = 3
PAGE = f"{CALLERS} callers, the page"
PROGRAMS = f"{CALLERS} callers, programs"
QUERIES = {PAGE: "", PROGRAMS: "?as=log"}
RATIOS = {PAGE: 0.36, PROGRAMS: 0.48}
"""How many moves are promised for each plain commit."""
LOOP_CPU_OF_A_MOVE = 320e-6
"""Of the page, in seconds."""
PLAIN = "plain commits"
HEARD_PROMISE = 0.05
DIGITS_OF_QUESTIONS = (0, 30, 300)
LISTENERS = 5_000
LISTENERS_OF_A_MATCH = 100
_COMMAND = '{"do": "move", "multiplier": 2}'
HEADER = ("", "p50", "p95", "p99", "a second", "loop CPU")
FILE_NAME = "server.db"
_FAR = 1_000_000
"""No game ends while it is measured."""
_KEY = b"k" * 32
_requests = count(1)


Cost: TypeAlias = Callable[[OverSocket], Awaitable[object]]
"""A call that costs a server something."""


class Timed(Struct, frozen=True):
    """How long some calls took, each and together, in seconds."""

    each: list[float]
    all: float
    loop_cpu: float | None = None
    """CPU time of the server's event loop for each; None if it has several."""

    def quantile(self, percent: int) -> float:
        """Return the time that so many of a hundred calls took at most."""
        return quantiles(self.each, n=100)[percent - 1]

    @property
    def rate(self) -> float:
        """How many there were in a second."""
        return len(self.each) / self.all


def _now() -> datetime:
    return datetime.now(UTC)


class Serve(Struct, frozen=True):
    """What each process of a server without limits does."""

    database: str
    profile: str | None = None

    def __call__(self, listening: socket.socket) -> None:
        """Serve until told to end."""
        store = open_database(self.database, Path(), _now)
        plenty = RateLimits(dict.fromkeys(RequestKind, 10**9))
        server = Server(store, _KEY, clock=_now, rates=plenty)
        if self.profile is None:
            run(listening, server)
            return
        profiler = cProfile.Profile()
        profiler.runcall(run, listening, server)
        profiler.dump_stats(self.profile)


def serve(database: str, processes: str, profile: str | None = None) -> None:
    """Run a server until it is told to end."""
    raise_file_limit()
    listening = listen(BindAddress("127.0.0.1", 0))
    print(url_of(listening), flush=True)
    work = Serve(database, profile)
    if processes == "1":
        work(listening)
    else:
        Workers(int(processes), listening, work).run()


def raise_file_limit() -> None:
    """Let this process hold as many connections as the system allows it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Served(Struct, frozen=True):
    """A server that runs."""

    process: int
    port: int
    processes: int

    def loop_cpu(self) -> float | None:
        """Return the CPU time of the event loop so far; None if there are several."""
        if self.processes > 1:
            return None
        of_main_thread = Path(f"/proc/{self.process}/task/{self.process}/schedstat")
        return int(of_main_thread.read_text(encoding="ascii").split()[0]) / 1e9

    def memory(self) -> int:
        """Return how many bytes it takes."""
        status = Path(f"/proc/{self.process}/status").read_text(encoding="utf-8")
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) * 1024


@contextmanager
def served(database: str, processes: int = 1, *arguments: str) -> Iterator[Served]:
    """Run a server in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.server", "serve", database]
    command += [str(processes), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None:
                raise RuntimeError
            port = int(process.stdout.readline().rpartition(":")[2])
            asyncio.run(until_ready(port))
            yield Served(process.pid, port, processes)
        finally:
            process.terminate()


async def until_ready(port: int) -> None:
    """Wait until it answers."""
    while True:
        caller = OverSocket("127.0.0.1", port)
        answer = await caller.get("/readyz")
        caller.close()
        if answer.status == 200:
            return


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

    async def move(self, query: str = "") -> float:
        """Let the seat to move move; return how long its answer took."""
        ask = {"do": "move", "multiplier": 2}
        body = {"ask": ask, "seq": self.seq, "request_id": _request_id()}
        secret = self.secrets[self.seq % 2]
        begun = perf_counter()
        answer = await self.caller.post(f"{self.path}/log{query}", body, secret)
        taken = perf_counter() - begun
        if answer.status != 200:
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


async def play_at_once(server: Served, query: str) -> tuple[Timed, float]:
    """Let many play at once; return their answers' times, and the moves a commit."""
    callers = [OverSocket("127.0.0.1", server.port) for _ in range(CALLERS)]

    async def sit_down(caller: OverSocket) -> list[Pair]:
        pairs = [Pair(caller) for _ in range(GAMES_OF_A_CALLER)]
        for pair in pairs:
            await pair.sit_down()
        return pairs

    async def play(pairs: list[Pair]) -> list[float]:
        moves = range(MOVES_OF_A_GAME)
        return [await pair.move(query) for pair in pairs for _ in moves]

    seated = await asyncio.gather(*map(sit_down, callers))
    before = await committed(callers[0])
    timed = await at_once(server, [partial(play, pairs) for pairs in seated])
    after = await committed(callers[0])
    for caller in callers:
        caller.close()
    commits, commands = (b - a for a, b in zip(before, after, strict=True))
    return timed, commands / commits


async def answer_at_once(server: Served) -> Timed:
    """Let as many ask whether the server is alive, which costs it nothing but HTTP."""
    callers = [OverSocket("127.0.0.1", server.port) for _ in range(CALLERS)]

    async def ask(caller: OverSocket) -> list[float]:
        each = []
        for _ in range(GAMES_OF_A_CALLER * MOVES_OF_A_GAME):
            begun = perf_counter()
            await caller.get("/healthz")
            each.append(perf_counter() - begun)
        return each

    timed = await at_once(server, [partial(ask, caller) for caller in callers])
    for caller in callers:
        caller.close()
    return timed


async def at_once(
    server: Served, callers: Sequence[Callable[[], Awaitable[list[float]]]]
) -> Timed:
    """Let callers call at once; each returns the times of its calls."""
    cpu_before, begun = server.loop_cpu(), perf_counter()
    called = await asyncio.gather(*(call() for call in callers))
    taken, cpu_after = perf_counter() - begun, server.loop_cpu()
    each = [one for times in called for one in times]
    if cpu_before is None or cpu_after is None:
        return Timed(each, taken)
    return Timed(each, taken, (cpu_after - cpu_before) / len(each))


async def committed(caller: OverSocket) -> tuple[float, float]:
    """Return how many commits there were, and of how many commands."""
    text = (await caller.get("/metrics")).body.decode()
    found = dict(
        re.findall(r"^ninefold_(commits|commands)_total (\S+)", text, re.MULTILINE)
    )
    return float(found["commits"]), float(found["commands"])


# Plain commits


def sqlite_commits(file: str) -> Timed:
    """Commit moves to the same file, one transaction a move, and nothing beside it."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS raw (number INTEGER PRIMARY KEY, command TEXT)"
    )
    each = []
    begun = perf_counter()
    for _ in range(RAW_COMMITS):
        sent = perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO raw (command) VALUES (?)", (_COMMAND,))
        connection.execute("COMMIT")
        each.append(perf_counter() - sent)
    taken = perf_counter() - begun
    connection.close()
    return Timed(each, taken)


def postgres_commits(url: str, callers: int) -> Timed:
    """Let callers commit moves, each over a connection, one transaction a move."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS raw (number serial PRIMARY KEY, command text)"
        )

    def call(_: int) -> list[float]:
        each = []
        with psycopg.connect(url, autocommit=True) as connection:
            for _ in range(RAW_COMMITS // callers):
                sent = perf_counter()
                connection.execute("INSERT INTO raw (command) VALUES (%s)", (_COMMAND,))
                each.append(perf_counter() - sent)
        return each

    with ThreadPoolExecutor(callers) as threads:
        begun = perf_counter()
        called = list(threads.map(call, range(callers)))
        taken = perf_counter() - begun
    return Timed([each for times in called for each in times], taken)


# Listeners


async def memory_of_a_listener(server: Served) -> float:
    """Open thousands of streams that nothing happens on; return the bytes of each."""
    pairs = []
    for _ in range(LISTENERS // LISTENERS_OF_A_MATCH):
        pair = Pair(OverSocket("127.0.0.1", server.port))
        await pair.sit_down()
        pairs.append(pair)
    before = server.memory()
    opened: list[Stream] = []
    for number, pair in enumerate(pairs):
        # A server lets an address open some hundreds; this machine has many.
        caller = OverSocket("127.0.0.1", server.port, f"127.0.1.{number + 1}")
        opened += [
            await caller.listen(f"{pair.path}/events?after={pair.seq}")
            for _ in range(LISTENERS_OF_A_MATCH)
        ]
    grown = server.memory() - before
    for stream in opened:
        stream.close()
    return grown / len(opened)


# The costliest calls


def make_longest_match(file: str) -> tuple[str, LogAsk, str]:
    """Store a match of as many commands as there may be.

    Return its id, a request of seat one that was answered long ago, and the secret of
    that seat.
    """
    secrets = SeatSecrets(_KEY)
    match_id = secrets.match_id("longest-match-request")
    setup = Setup(rules=Rules(Ending.AVOID, _FAR), book="multiplier", all_seated=False)
    sits = Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bo")
    moves = (Move(2), Undo()) * (MOST_COMMANDS // 2 - 50)
    number = len(sits) + len(moves) + 1
    start = Session.start(setup)
    *first, late = accept_all(start, (*sits, *moves, Move(3)))
    last = accept_all(late.session, (Undo(), Move(3)) * 40)
    ask = LogAsk(seq=number - 1, request_id=_request_id(), ask=Move(3))
    token = Token(Seat.ONE, ask.request_id, b"log" + msgspec.json.encode(ask))
    with open_database(f"sqlite:///{file}", Path(), _now) as store:
        store.append(Append(match_id, tuple(first), start))
        store.append(Append(match_id, (late,), request=str(token)))
        store.append(Append(match_id, tuple(last)))
    return match_id, ask, secrets.secret(match_id, Seat.ONE)


async def moves_beside_questions(port: int, digits: int) -> Timed:
    """Time the moves of a match, beside callers who ask about totals of many digits."""
    caller, pairs, numbers = OverSocket("127.0.0.1", port), list[Pair](), count(1)

    async def ask(caller: OverSocket) -> None:
        target = 10 ** (digits - 1) + 7919 * next(numbers)  # never the same twice
        answer = await caller.get(f"/api/solve?game=multiplier&target={target}")
        if answer.status not in (200, 503):  # 503: the pool has enough to do
            raise RuntimeError(answer.body)

    async def move() -> float:
        if not pairs or pairs[-1].seq > MOVES_OF_A_GAME:
            pairs.append(Pair(caller))
            await pairs[-1].sit_down()
        return await pairs[-1].move()

    timed = await beside(port, ask if digits else nothing, move)
    caller.close()
    return timed


async def health_beside(port: int, cost: Cost) -> Timed:
    """Ask whether the server is alive while others call for what costs it most."""
    caller = OverSocket("127.0.0.1", port)

    async def ask() -> float:
        begun = perf_counter()
        await caller.get("/healthz")
        return perf_counter() - begun

    timed = await beside(port, cost, ask)
    caller.close()
    return timed


async def nothing(_caller: OverSocket) -> None:
    """Cost a server nothing."""
    await asyncio.sleep(0.01)


async def beside(port: int, cost: Cost, timed: Callable[[], Awaitable[float]]) -> Timed:
    """Time calls, one after another, while others call for what costs a server."""
    ends = perf_counter() + SECONDS_OF_COST

    async def call() -> None:
        caller = OverSocket("127.0.0.1", port)
        while perf_counter() < ends:
            await cost(caller)
        caller.close()

    calling = [asyncio.ensure_future(call()) for _ in range(CALLERS_WHO_COST)]
    each = []
    while perf_counter() < ends:
        each.append(await timed())
        await asyncio.sleep(0.01)
    await asyncio.gather(*calling)
    return Timed(each, SECONDS_OF_COST)


def measure_health() -> Iterator[tuple[str, Timed]]:
    """Measure how soon a server says that it is alive, beside each costly call."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/{FILE_NAME}"
        match_id, ask, secret = make_longest_match(file)
        path = f"/api/matches/{match_id}"

        async def listen(caller: OverSocket) -> None:
            stream = await caller.listen(f"{path}/events?after={MOST_COMMANDS - 50}")
            stream.close()

        async def repeat(caller: OverSocket) -> None:
            body = msgspec.to_builtins(ask)
            answer = await caller.post(f"{path}/log", body, secret)
            if answer.status not in (200, 503):  # 503: the pool has enough to do
                raise RuntimeError(answer.body)

        costs: dict[str, Cost] = {
            "nothing": nothing,
            "streams of the longest match": listen,
            "an old request, repeated": repeat,
            "pages of the longest log": lambda caller: caller.get(f"{path}/log"),
            "reviews": lambda caller: caller.get(f"{path}/review"),
        }
        with served(f"sqlite:///{file}") as server:
            for name, cost in costs.items():
                yield name, asyncio.run(health_beside(server.port, cost))


def measure_questions() -> Iterator[tuple[str, Timed]]:
    """Measure how long a move takes beside questions about totals of many digits."""
    for digits in DIGITS_OF_QUESTIONS:
        with (
            tempfile.TemporaryDirectory() as folder,
            served(f"sqlite:///{folder}/{FILE_NAME}") as server,
        ):
            name = f"questions of {digits} digits" if digits else "nothing"
            yield name, asyncio.run(moves_beside_questions(server.port, digits))


# What is printed


def print_profile() -> None:
    """Print where a server's time goes while one person moves."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/profile"
        with served(f"sqlite:///{folder}/{FILE_NAME}", 1, file) as server:
            asyncio.run(hear(server.port))
        pstats.Stats(file).sort_stats("tottime").print_stats(15)


def measure(
    name: str, database: str, processes: int, plain: Mapping[str, Callable[[], Timed]]
) -> Measured:
    """Measure a server on a database, in turns with plain commits to the same."""
    with served(database, processes) as server:
        heard = asyncio.run(hear(server.port))
        alone = asyncio.run(answer_at_once(server))
        moves_a_commit: list[float] = []

        def play(query: str) -> Timed:
            together, each = asyncio.run(play_at_once(server, query))
            moves_a_commit.append(each)
            return together

        forms = {form: partial(play, query) for form, query in QUERIES.items()}
        contenders = forms | dict(plain)
        best = {each: commits() for each, commits in contenders.items()}
        for _ in range(ROUNDS - 1):
            for each, commits in contenders.items():
                best[each] = max(best[each], commits(), key=lambda timed: timed.rate)
    return Measured(name, heard, alone, best, min(moves_a_commit))


class Measured(Struct, frozen=True):
    """What was measured of one server."""

    name: str
    heard: Timed
    alone: Timed
    """HTTP alone."""
    best: dict[str, Timed]
    """Moves, and plain commits: the best of some rounds."""
    moves_a_commit: float

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Write the times."""
        yield row(f"{self.name}: move to the other, idle", self.heard)
        yield row(f"{self.name}: {CALLERS} callers, HTTP alone", self.alone)
        for each, timed in self.best.items():
            yield row(f"{self.name}: {each}", timed)

    def promises(self) -> Iterator[timing.Promise]:
        """Compare moves with plain commits, and the CPU time of one with its bound."""
        for form, ratio in RATIOS.items():
            for each, timed in self.best.items():
                if each not in QUERIES:
                    name = f"{self.name}: {form}, against {each}"
                    yield timing.at_least(
                        name, self.best[form].rate / timed.rate, ratio
                    )
        cpu = self.best[PAGE].loop_cpu
        if cpu is not None:
            name = f"{self.name}: loop CPU of a move, the page"
            yield timing.within(name, cpu, LOOP_CPU_OF_A_MOVE)


def main() -> None:
    """Print the figures of one run, or do what the arguments ask for."""
    match sys.argv[1:]:
        case ["serve", *arguments]:
            serve(*arguments)
        case ["--profile"]:
            print_profile()
        case ["--moves"]:
            sqlite = measure_sqlite()
            timing.print_table(HEADER, sqlite.rows())
            timing.print_promises(sqlite.promises())
        case ["--health"]:
            rows = [row(name, timed) for name, timed in measure_health()]
            timing.print_table(("/healthz beside", *HEADER[1:]), rows)
        case ["--questions"]:
            rows = [row(name, timed) for name, timed in measure_questions()]
            timing.print_table(("a move beside", *HEADER[1:]), rows)
        case _:
            print_figures()


def measure_sqlite() -> Measured:
    """Measure a server on a file, in turns with plain commits to the same."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/{FILE_NAME}"
        plain = {PLAIN: lambda: sqlite_commits(file)}
        return measure("SQLite", f"sqlite:///{file}", 1, plain)


def print_figures() -> None:
    """Print every figure, and which promises were kept."""
    raise_file_limit()
    sqlite = measure_sqlite()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(f"sqlite:///{folder}/{FILE_NAME}") as server,
    ):
        memory = asyncio.run(memory_of_a_listener(server))
    rows = [*sqlite.rows()]
    promises = [
        *sqlite.promises(),
        timing.at_least("SQLite: moves a commit", sqlite.moves_a_commit, 8),
        timing.within(
            "move to the other, p95", sqlite.heard.quantile(95), HEARD_PROMISE
        ),
    ]
    for processes in (1, 2):
        with empty_database() as url:
            plain = {
                f"{PLAIN}, one connection": partial(postgres_commits, url, 1),
                f"{PLAIN}, {CALLERS}": partial(postgres_commits, url, CALLERS),
            }
            name = f"PostgreSQL, {processes} at work"
            found = measure(name, url, processes, plain)
        rows += found.rows()
        promises += found.promises()
    beside = dict(measure_health())
    rows += [row(f"/healthz beside {name}", timed) for name, timed in beside.items()]
    slowest = max(timed.quantile(99) for timed in beside.values())
    promises.append(
        timing.within("/healthz beside the costliest call, p99", slowest, 0.25)
    )
    questioned = dict(measure_questions())
    rows += [row(f"a move beside {name}", each) for name, each in questioned.items()]
    slowest = max(timed.quantile(95) for timed in questioned.values())
    promises.append(timing.within("a move beside questions, p95", slowest, 0.05))
    timing.print_table(HEADER, rows)
    print(f"  moves a commit: {sqlite.moves_a_commit:.1f} (SQLite)")
    print(f"  memory of a listener: {memory / 1024:.1f} KiB, of {LISTENERS:,}\n")
    timing.print_promises(promises)


def row(name: str, timed: Timed) -> tuple[str, ...]:
    """Write the times of some calls."""
    quantiles = (timing.duration(timed.quantile(percent)) for percent in (50, 95, 99))
    cpu = "" if timed.loop_cpu is None else timing.duration(timed.loop_cpu)
    return (name, *quantiles, f"{timed.rate:,.0f}", cpu)


if __name__ == "__main__":
    main()
