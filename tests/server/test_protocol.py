"""The head and the body of a request have a size, and a time to come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn

from ninefold.server.asgi import Server
from ninefold.server.rate_limits import RateLimits, RequestKind
from ninefold.server.security import LARGEST_HEAD, MOST_READ, BoundedProtocol
from tests.program import WAIT_SECONDS
from tests.servers import make_server


class Impatient(BoundedProtocol):
    seconds_for_a_head = 0.05


class Brisk(BoundedProtocol):
    """Waits for a head long enough on a busy machine, and not as long as for a body."""

    seconds_for_a_head = 0.5


@asynccontextmanager
async def listening(
    protocol: type[BoundedProtocol] = BoundedProtocol, server: Server | None = None
) -> AsyncIterator[int]:
    """Serve on this machine; yield the port."""
    config = uvicorn.Config(
        (server or make_server()).application(),
        http=protocol,
        log_config=None,
        port=0,
        timeout_graceful_shutdown=1,
    )
    started = uvicorn.Server(config)
    serving = asyncio.create_task(started._serve())  # noqa: SLF001 - without signals
    async with asyncio.timeout(WAIT_SECONDS):
        while not started.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0)
        try:
            yield started.servers[0].sockets[0].getsockname()[1]
        finally:
            started.should_exit = True
            await serving


async def answer(port: int, *sent: bytes, drips: bool = False) -> bytes:
    """Send bytes, one after another; return all that comes until the connection ends.

    What ``drips`` goes on with a byte now and then for as long as it can.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in sent:
        writer.write(part)
        await asyncio.sleep(0.01)
    dripping = asyncio.create_task(drip(writer)) if drips else None
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        if dripping is not None:
            dripping.cancel()
        writer.close()


async def drip(writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        writer.write(b" ")
        await asyncio.sleep(0.01)


async def answers(protocol: type[BoundedProtocol], *sent: bytes) -> bytes:
    """Send bytes to a server of their own; return all that it answers."""
    async with listening(protocol) as port:
        return await answer(port, *sent)


GET = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"
LAST = b"connection: close\r\n\r\n"
POST = (
    b"POST /api/matches HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    b"content-type: application/json\r\ncontent-length: 60\r\n\r\n"
)


@pytest.mark.parametrize(
    "sent",
    [
        [GET + LAST],
        [GET[:9], GET[9:], LAST],
        [GET + b"\r\n", GET + LAST],
        [GET + b"x: " + b"a" * (LARGEST_HEAD - 200) + b"\r\n" + LAST],
    ],
)
def test_headers_within_the_limit_are_answered(sent: list[bytes]) -> None:
    answered = asyncio.run(answers(BoundedProtocol, *sent))
    assert answered.endswith(b"alive\n")


def test_body_in_parts_does_not_count_as_headers() -> None:
    answered = asyncio.run(answers(Brisk, POST, b"{", *[b" "] * 59))
    assert answered.startswith(b"HTTP/1.1 400")


def test_endless_headers_are_cut_off() -> None:
    endless = [b"x: ", *[b"a" * 8192] * (LARGEST_HEAD // 8192 + 1)]
    assert asyncio.run(answers(BoundedProtocol, GET, *endless)) == b""


@pytest.mark.parametrize("sent", [[], [GET]])
def test_late_headers_close_the_connection(sent: list[bytes]) -> None:
    assert asyncio.run(answers(Impatient, *sent)) == b""


# Bodies that are refused

JSON = b"host: localhost\r\ncontent-type: application/json\r\n"
CREATE = b"POST /api/matches HTTP/1.1\r\n"
CHUNKED = b"transfer-encoding: chunked\r\n"


def with_length(head: bytes, body: bytes) -> bytes:
    return b"%scontent-length: %d\r\n\r\n%s" % (head, len(body), body)


def in_chunks(head: bytes, body: bytes) -> bytes:
    size = 8192
    parts = [body[place : place + size] for place in range(0, len(body), size)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    return b"%s%s\r\n%s0\r\n\r\n" % (head, CHUNKED, chunks)


def test_far_too_large_body_still_gets_a_response() -> None:
    async def run() -> None:
        async with listening() as port:
            for size in (4097, LARGEST_HEAD, MOST_READ - 100):
                body = b" " * size
                for written in (with_length, in_chunks):
                    last = written(CREATE + JSON + b"connection: close\r\n", body)
                    refused = await answer(port, last)
                    assert refused.startswith(b"HTTP/1.1 413"), (size, written)
                    assert b'"error":"too_large"' in refused
                    # The same connection can be used again.
                    two = await answer(port, written(CREATE + JSON, body) + GET + LAST)
                    assert two.startswith(b"HTTP/1.1 413"), (size, written)
                    assert two.endswith(b"alive\n")

    asyncio.run(run())


def test_a_body_without_an_end_is_read_only_so_far() -> None:
    async def run() -> bytes:
        async with listening() as port:
            head = CREATE + JSON + b"content-length: %d\r\n\r\n" % 2**40
            return await answer(port, head, b" " * (MOST_READ + 1))

    refused = asyncio.run(run())
    assert refused.startswith(b"HTTP/1.1 413")
    assert b"connection: close" in refused


REFUSED_EARLY = {
    400: [
        b"POST /api/matches HTTP/1.1\r\nhost: elsewhere.example\r\n",
        b"POST /api/matches HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n",
        b"GET /api/matches/%s/log?after=x HTTP/1.1\r\nhost: localhost\r\n",
    ],
    401: [b"GET /api/matches/%s HTTP/1.1\r\nauthorization: Bearer x\r\n" + JSON],
    403: [CREATE + JSON + b"origin: https://elsewhere.example\r\n"],
    404: [
        b"POST /nothing HTTP/1.1\r\n" + JSON,
        b"GET /api/matches/nothing HTTP/1.1\r\nhost: localhost\r\n",
        b"GET /page/nothing HTTP/1.1\r\nhost: localhost\r\n",
    ],
    405: [b"PUT /api/matches HTTP/1.1\r\n" + JSON],
    408: [
        CREATE + JSON,
        b"POST /api/matches/%s/log HTTP/1.1\r\n" + JSON,
        b"POST /api/matches/%s/seat HTTP/1.1\r\n" + JSON,
    ],
    415: [b"POST /api/matches HTTP/1.1\r\nhost: localhost\r\n"],
    429: [
        b"GET /api/solve?game=duel HTTP/1.1\r\nhost: localhost\r\n",
        b"GET /m/%s/qr.svg HTTP/1.1\r\nhost: localhost\r\n",
    ],
    200: [b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"],
}
"""Heads that are answered before their body has come, by the status; %s is a match."""


async def drip_after_every_answer(copies: int) -> None:
    """Send heads whose bodies drip or stall; each is answered, and its connection ends."""
    rates = RateLimits({**dict.fromkeys(RequestKind, 10**6), RequestKind.THINK: 0})
    server = make_server(rates=rates, seconds_for_a_body=0.2)
    async with listening(server=server) as port:
        new = {"game": "multiplication-duel", "opponent": "perfect", "name": "Ada"}
        body = json.dumps({**new, "request_id": "a-request-of-adas"}).encode()
        made = await answer(
            port, with_length(CREATE + JSON + b"connection: close\r\n", body)
        )
        match_id = json.loads(made.partition(b"\r\n\r\n")[2])["id"].encode()
        asked = [
            (status, head.replace(b"%s", match_id) + length)
            for status, heads in REFUSED_EARLY.items()
            for head in heads
            for length in (b"content-length: 99999\r\n\r\n", CHUNKED + b"\r\n")
            for _ in range(copies)
        ]
        answered = await asyncio.gather(
            *(answer(port, head, drips=CHUNKED not in head) for _, head in asked)
        )
        for (status, head), came in zip(asked, answered, strict=True):
            if not came:  # its byte came just after the end, which cuts the answer off
                assert CHUNKED not in head
                continue
            assert came.startswith(b"HTTP/1.1 %d" % status), (head, came)
            assert b"connection: close" in came, head


def test_a_body_that_drips_after_an_answer_ends_its_connection() -> None:
    asyncio.run(drip_after_every_answer(copies=1))


@pytest.mark.prove
def test_bodies_that_drip_after_an_answer_hold_no_connection() -> None:
    asyncio.run(drip_after_every_answer(copies=20))


# Heads that are read in two ways


@pytest.mark.parametrize(
    "twice",
    [
        b"host: localhost\r\nhost: localhost\r\n",
        b"host: localhost\r\nHost: elsewhere.example\r\n",
        b"host: localhost\r\ncontent-length: 2\r\ncontent-length: 3\r\n",
        b"host: localhost\r\ncontent-length: 2, 3\r\n",
        b"host: localhost\r\ncontent-length: 2\r\n" + CHUNKED,
    ],
)
def test_contradictory_headers_are_refused(twice: bytes) -> None:
    head = b"POST /api/matches HTTP/1.1\r\n" + twice + LAST
    assert asyncio.run(answers(BoundedProtocol, head)).startswith(b"HTTP/1.1 400")
