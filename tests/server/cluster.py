"""Several servers over one PostgreSQL database, as several processes would be."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import psycopg

from ninefold.online.messages import SeatedState
from ninefold.server.asgi import Options, Server
from ninefold.session.table import PresenceChanged
from ninefold.store.postgres import PostgresStore
from tests.program import WAIT_SECONDS
from tests.server.client import InProcess, Stream
from tests.servers import KEY, boundless
from tests.store.stores import Clock, numbered

MATCHES = "/api/matches"
LISTENING = """
    FROM pg_stat_activity WHERE query = 'LISTEN ninefold'
    AND application_name = current_setting('application_name')
"""
Making = Callable[[str], PostgresStore]


def make_store(url: str) -> PostgresStore:
    return PostgresStore(url, clock=Clock(), new_id=numbered())


class Process:
    """One of several servers, as a process of its own would be."""

    def __init__(self, store: PostgresStore, cached: int = 2_000) -> None:
        self.store = store
        self.server = Server(
            store,
            KEY,
            clock=Clock(),
            options=Options(matches_cached=cached),
            rates=boundless(),
        )
        self.caller = InProcess(self.server.application())


@asynccontextmanager
async def cluster(
    url: str, *makings: Making, cached: int = 2_000
) -> AsyncIterator[list[Process]]:
    """Start several servers; each hears the others."""
    processes = [Process(making(url), cached) for making in makings]
    for process in processes:
        await process.caller.start()
    await asyncio.to_thread(wait_for_listeners, url, len(processes))
    try:
        yield processes
    finally:
        for process in processes:
            await process.caller.stop()


def wait_for_listeners(url: str, count: int) -> None:
    """Return when so many processes listen to what others tell."""
    with psycopg.connect(url, autocommit=True) as connection:
        asked = f"SELECT count(*) {LISTENING}".encode()
        while connection.execute(asked).fetchone() != (count,):
            pass


def cut(url: str, which: str) -> None:
    """Cut the connections that a condition names, of this test alone."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"SELECT pg_terminate_backend(pid) {which}".encode())


class Pair:
    """Two people at one match; each request goes to the process that is named."""

    def __init__(self, one: SeatedState, two: SeatedState | None) -> None:
        self.id = one.id
        self.path = f"{MATCHES}/{one.id}"
        self.secrets = [one.secret, "" if two is None else two.secret]
        self.seq = one.seq if two is None else two.seq

    def asked(self, multiplier: int, seq: int, request: str = "") -> dict[str, object]:
        request_id = f"request-{request or seq}-of-{self.id}"
        ask = {"do": "move", "multiplier": multiplier}
        return {"ask": ask, "seq": seq, "request_id": request_id}

    async def move(self, caller: InProcess, multiplier: int) -> None:
        """Move for whoever is to move; the two take turns."""
        body = self.asked(multiplier, self.seq)
        secret = self.secrets[self.seq % 2]
        answer = await caller.post(f"{self.path}/log", body, secret)
        assert answer.status == 200, answer.body
        self.seq = answer.state.seq

    async def watch(self, caller: InProcess, seat: int | None = None) -> Stream:
        headers = {}
        if seat is not None:
            headers = {"authorization": f"Bearer {self.secrets[seat - 1]}"}
        stream = await caller.listen(f"{self.path}/events", **headers)
        await stream.until_number(self.seq)
        return stream


async def seat_two(
    caller: InProcess, request: str = "a-request-of-adas", opponent: str = "friend"
) -> Pair:
    """Make a match that takes long to end; against a friend, both seats are taken."""
    target = str(10**300 if opponent == "friend" else 10**6)
    asked = {"game": "multiplier", "target": target, "opponent": opponent}
    made = await caller.post(MATCHES, asked | {"name": "Ada", "request_id": request})
    assert made.status == 201, made.body
    one = made.read(SeatedState)
    if opponent != "friend":
        return Pair(one, None)
    body = {"name": "Bo", "request_id": f"{request}-to-sit"}
    sat = await caller.post(f"{MATCHES}/{one.id}/seat", body)
    assert sat.status == 200, sat.body
    return Pair(one, sat.read(SeatedState))


async def until_presence(stream: Stream, *seats: int, watching: int) -> None:
    """Wait until a stream has told last that these are here."""
    expected = PresenceChanged((1 in seats, 2 in seats), watching)
    async with asyncio.timeout(WAIT_SECONDS):
        await stream.until(lambda told: told.presences[-1:] == [expected])
    assert not stream.ended
